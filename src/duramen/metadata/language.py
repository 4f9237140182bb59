"""The language that a text is written in, told from the text: for pages that declare none, or the wrong one.

By py3langid (the extra `languages`), a kept fork of langid.py (M. Lui and T. Baldwin, "langid.py: an off-the-shelf
language identification tool", ACL 2012), BSD-licensed and some 5 MB; it is loaded when it is first asked.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from typing import Any, Final

from duramen.errors import MissingExtraError
from duramen.metadata.claims import Found

EXTRA: Final = "languages"

_READ: Final = 20_000
"""Characters: more do not change the answer."""


def detect_language(text: str) -> Found[str] | None:
    """The language of a text as an ISO 639-1 code, and how sure; None for a text without words.

    Raises `MissingExtraError` where py3langid is not installed.
    """
    if not any(map(str.isalpha, text)):
        return None
    code, sure = _identifier().classify(text[:_READ])
    return Found(str(code), "text", float(sure))


def check_installed() -> None:
    """Raise `MissingExtraError` where py3langid is not installed, without loading it."""
    if find_spec("py3langid") is None:
        raise MissingExtraError("py3langid", EXTRA)


@cache
def _identifier() -> Any:
    try:
        from py3langid.langid import MODEL_FILE, LanguageIdentifier
    except ImportError:
        raise MissingExtraError("py3langid", EXTRA) from None
    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
