"""Site models as JSON: one line per page, arrays as base64 of little-endian numbers.

Loading executes nothing. A text with another content raises `InputError` with one sentence.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from duramen.errors import InputError
from duramen.files import write_atomically
from duramen.site_model.sketch import FIELDS, MAX_BLOCKS, MAX_LOG_ODDS, SHINGLES_PER_BLOCK, PageSketch

if TYPE_CHECKING:
    from duramen.site_model.model import SiteModel

FORMAT: Final = "duramen site model"
VERSION: Final = 2
"""Another version is refused: its hashes are others."""
MAX_WORDS: Final = 2**31 - 1
_LOG_ODDS_STEPS: Final = 8
"""Log-odds are stored as whole eighths."""
_MAX_KEY: Final = 2**64 - 1
_MAX_REASON_CHARS: Final = 200


def format_model(model: SiteModel) -> str:
    """Return a model as JSON."""
    pages = ",\n".join(json.dumps(_format_page(page)) for page in model.pages)
    head = f'"format": {json.dumps(FORMAT)},\n"version": {VERSION},\n"site": {json.dumps(model.site)}'
    return f'{{\n{head},\n"pages": [\n{pages}\n]\n}}\n'


def _format_page(page: PageSketch) -> dict[str, Any]:
    return {
        "key": page.key,
        "title": page.title,
        "texts": _encode(page.texts, "<u8"),
        "places": _encode(page.places, "<u8"),
        "words": _encode(page.words, "<u4"),
        "log_odds": _encode(page.log_odds * _LOG_ODDS_STEPS, "<i2"),
        "shingles": _encode(page.shingles, "<u4"),
        "fields": _encode(page.fields, "<u8"),
    }


def _encode(values: NDArray[Any], kind: str) -> str:
    return b64encode(values.astype(kind).tobytes()).decode("ascii")


def save_model(model: SiteModel, path: str | Path) -> None:
    """Write a model to a file."""
    try:
        write_atomically(Path(path), lambda file: file.write(format_model(model).encode("utf-8")))
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def load_model(path: str | Path) -> SiteModel:
    """Read a model from a file."""
    try:
        text = Path(path).read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no site model: it is not text in UTF-8") from error
    return parse_model(text, str(path))


def parse_model(text: str, name: str) -> SiteModel:
    """Parse a model; error messages call the text `name`."""
    from duramen.site_model.model import SiteModel

    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no site model: it is not JSON") from error
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise InputError(f"{name} is no site model: it does not say that its format is {FORMAT!r}")
    version = values.get("version")
    if isinstance(version, int) and version > VERSION:
        raise InputError(
            f"{name} was written by a later version of duramen (format {str(version)[:20]}; this one reads {VERSION}): "
            "update duramen"
        )
    if version == 1:
        raise InputError(f"{name} was written by an earlier version of duramen: learn the site again")
    try:
        if version != VERSION:
            raise ValueError(f"its version is {version!r}")
        site = values["site"]
        if site is not None and not isinstance(site, str):
            raise ValueError("its site is not a string")
        model = SiteModel(site)
        for page in values["pages"]:
            model.add_sketch(_read_page(page))
    except KeyError as error:
        raise InputError(f"{name} is damaged: it has no {error.args[0]!r}") from error
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        raise InputError(f"{name} is damaged: {str(error)[:_MAX_REASON_CHARS]}") from error
    return model


def _read_page(values: dict[str, Any]) -> PageSketch:
    texts = _decode(values["texts"], "<u8")
    count = len(texts)
    if count > MAX_BLOCKS:
        raise ValueError(f"a page has {count} blocks; there are at most {MAX_BLOCKS}")
    places, words, log_odds = (
        _decode(values[name], kind) for name, kind in (("places", "<u8"), ("words", "<u4"), ("log_odds", "<i2"))
    )
    shingles, fields = _decode(values["shingles"], "<u4"), _decode(values["fields"], "<u8")
    if not len(places) == len(words) == len(log_odds) == count or len(shingles) != count * SHINGLES_PER_BLOCK:
        raise ValueError("the arrays of a page have different lengths")
    if len(fields) != len(FIELDS):
        raise ValueError(f"a page has the places of {len(fields)} fields, not {len(FIELDS)}")
    if (words > MAX_WORDS).any() or (np.abs(log_odds.astype(np.int64)) > MAX_LOG_ODDS * _LOG_ODDS_STEPS).any():
        raise ValueError("a number of a page is out of range")
    return PageSketch(
        _check_hash(values["key"]),
        _check_hash(values["title"]),
        texts.astype(np.uint64),
        places.astype(np.uint64),
        words.astype(np.int64),
        log_odds.astype(np.float64) / _LOG_ODDS_STEPS,
        shingles.astype(np.uint64).reshape(-1, SHINGLES_PER_BLOCK),
        fields.astype(np.uint64),
    )


def _decode(text: Any, kind: str) -> NDArray[Any]:
    if not isinstance(text, str):
        raise ValueError("an array is not a string")
    return np.frombuffer(b64decode(text, validate=True), kind)


def _check_hash(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MAX_KEY:
        raise ValueError("a hash is not a number of 64 bits")
    return value
