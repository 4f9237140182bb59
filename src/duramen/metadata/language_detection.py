"""Detect the language of a text, for pages that declare none or a wrong one.

Uses py3langid (the extra `languages`), a maintained fork of langid.py (M. Lui and T. Baldwin, "langid.py: an
off-the-shelf language identification tool", ACL 2012), BSD-licensed, about 5 MB. It is loaded on first use.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from duramen.errors import MissingExtraError
from duramen.metadata.model import FieldValue

EXTRA: Final = "languages"

_MAX_CHARS: Final = 20_000
"""More characters do not change the answer."""


def detect_language(text: str) -> FieldValue[str] | None:
    """Return the language of a text as an ISO 639-1 code with its confidence; None for a text without letters.

    Raises `MissingExtraError` if py3langid is not installed.
    """
    if not any(map(str.isalpha, text)):
        return None
    code, confidence = _load_identifier().classify(text[:_MAX_CHARS])
    return FieldValue(str(code), "text", float(confidence))


def check_installed() -> None:
    """Raise `MissingExtraError` if py3langid is not installed, without loading it."""
    if find_spec("py3langid") is None:
        raise MissingExtraError("py3langid", EXTRA)


@cache
def _load_identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        raise MissingExtraError("py3langid", EXTRA) from None
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
