"""Wrappers as JSON, to be read by people, kept under version control, and loaded by later versions.

One value a line at most three levels deep, so that a diff shows what an update changed. Nothing is executed on loading;
a file that is not what it should be is an `InputError` with one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

from duramen import xpath
from duramen.errors import InputError, UsageError
from duramen.wrappers.boilerplate import Boilerplate, Tally
from duramen.wrappers.parts import Parts
from duramen.wrappers.relevance import Settings
from duramen.wrappers.signifiers import SOURCES
from duramen.wrappers.wrapper import Place, Row, Source, Wrapper

FORMAT: Final = "duramen wrapper"
FIELDS: Final = frozenset(("authors", "published", "modified", "tags", "categories"))
"""Of metadata, those that a wrapper may have an expression for."""
VERSION: Final = 1
"""Of the format. A file of a later one is refused: it may say things that this version would pass over."""


def save(wrapper: Wrapper, path: Path) -> None:
    """Write a wrapper, in one go."""
    try:
        path.write_text(dumps(wrapper), "utf-8")
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def load(path: Path) -> Wrapper:
    """Read a wrapper."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no wrapper: it is not text in UTF-8") from error
    return loads(text, str(path))


def dumps(wrapper: Wrapper) -> str:
    """A wrapper as text."""
    counted = wrapper.boilerplate
    settings = asdict(wrapper.settings)
    return _written(
        {
            "format": FORMAT,
            "version": VERSION,
            "site": wrapper.site,
            "xpath": wrapper.xpath,
            "regions": [place._asdict() | {"paper": place.paper} for place in wrapper.regions],
            "headlines": wrapper.headlines,
            "leads": wrapper.leads,
            "fields": dict(wrapper.fields),
            "support": wrapper.support,
            "confidence": wrapper.confidence,
            "notes": wrapper.notes,
            "lang": wrapper.lang,
            "learner": wrapper.learner,
            "settings": settings,
            "parts": asdict(wrapper.parts),
            "pages": [page._asdict() for page in wrapper.pages],
            "candidates": [row._asdict() for row in wrapper.candidates],
            "boilerplate": {
                "pages": counted.pages,
                "paths": {path: list(tally.row()) for path, tally in counted.paths.items()},
                "texts": {text: list(seen) for text, seen in counted.texts.items()},
            },
            "terms": dict(wrapper.terms),
        }
    )


def loads(text: str, name: str = "this") -> Wrapper:
    """A wrapper from text; `name` is what to call it when something is wrong with it."""
    try:
        found = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise InputError(f"{name} is no wrapper: it is not JSON") from error
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise InputError(f"{name} is no wrapper: it does not say that its format is {FORMAT!r}")
    version = found.get("version")
    if isinstance(version, int) and version > VERSION:
        raise InputError(
            f"{name} was written by a later version of duramen (format {version}; this one reads {VERSION}): "
            "update duramen"
        )
    try:
        return _read(found)
    except KeyError as error:
        raise InputError(f"{name} is damaged: it has no {error.args[0]!r}") from error
    except (TypeError, ValueError, AttributeError, OverflowError) as error:  # int() of Infinity overflows
        raise InputError(f"{name} is damaged: {error}") from error
    except UsageError as error:
        raise InputError(f"{name} is damaged: {error}") from error


def _read(found: dict[str, Any]) -> Wrapper:
    if found["version"] != VERSION:
        raise ValueError(f"its version is {found['version']!r}")
    counted = found["boilerplate"]
    return Wrapper(
        site=_text_or_none(found["site"]),
        regions=_places(found["regions"]),
        headlines=tuple(map(_xpath, found["headlines"])),
        leads=tuple(map(_xpath, found["leads"])),
        fields=tuple((_field(name), _xpath(said)) for name, said in found.get("fields", {}).items()),
        support=_share(found["support"]),
        confidence=_share(found["confidence"]),
        notes=tuple(map(_text, found["notes"])),
        pages=tuple(Source(_text(row["name"]), tuple(map(_text, row["signifiers"]))) for row in found["pages"]),
        candidates=tuple(_row(row) for row in found["candidates"]),
        boilerplate=Boilerplate(
            int(counted["pages"]),
            {path: Tally(*_counts(row, 6)) for path, row in counted["paths"].items()},
            {
                text: (row[0], row[1])
                for text, row in ((text, _counts(row, 2)) for text, row in counted["texts"].items())
            },
        ),
        terms=tuple((term, int(pages)) for term, pages in found["terms"].items()),
        lang=_text_or_none(found["lang"]),
        settings=_settings(found["settings"]),
        learner=_text(found.get("learner", Wrapper.learner)),
        parts=_parts(found["parts"]),
    )


def _settings(found: dict[str, Any]) -> Settings:
    settings = Settings(**found)
    if settings.signifiers not in SOURCES:
        raise ValueError(f"it knows no signifiers {settings.signifiers!r}")
    if type(settings.k) is not int or settings.k < 1:
        raise ValueError(f"k is {settings.k!r}, and not a number from 1 up")
    _text_or_none(settings.lang)
    for name in ("tolerant", "frequency", "level", "refined"):
        _truth(name, getattr(settings, name))
    return settings


def _parts(found: dict[str, Any]) -> Parts:
    parts = Parts(**found)
    for part in fields(parts):
        _truth(part.name, getattr(parts, part.name))
    return parts


def _places(rows: Iterable[dict[str, Any]]) -> tuple[Place, ...]:
    places = tuple(map(_place, rows))
    if not places:
        raise ValueError("it names no region")
    return places


def _place(row: dict[str, Any]) -> Place:
    places = tuple(int(place) for place in row["dfs"])
    return Place(_xpath(row["xpath"]), _text(row["clue"]), places, int(row["pages"]))


def _row(row: dict[str, Any]) -> Row:
    return Row(
        int(row["level"]),
        _text(row["clue"]),
        tuple(int(place) for place in row["dfs"]),
        int(row["n"]),
        float(row["value"]),
        float(row["relevance"]),
    )


def _field(name: str) -> str:
    if name not in FIELDS:
        raise ValueError(f"it knows no field {name!r}")
    return name


def _xpath(value: Any) -> str:
    return xpath.compile(_text(value)).source


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _truth(name: str, value: Any) -> None:
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, and neither true nor false")


def _share(value: Any) -> float:
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{value!r} is not a share")
    return share


def _counts(row: Iterable[Any], length: int) -> list[int]:
    counts = [int(count) for count in row]
    if len(counts) != length or min(counts) < 0:
        raise ValueError(f"{counts!r} are not {length} counts")
    return counts


def _written(found: dict[str, Any]) -> str:
    """Keys a line each, and what they hold a line each; deeper than that, all in one line."""
    lines = []
    for key, value in found.items():
        if key == "boilerplate":
            inner = [f"    {_flat(name)}: {_block(part, 6)}" for name, part in value.items()]
            lines.append(f"  {_flat(key)}: {{\n" + ",\n".join(inner) + "\n  }")
        else:
            lines.append(f"  {_flat(key)}: {_block(value, 4)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _block(value: Any, indent: int) -> str:
    space, end = " " * indent, " " * (indent - 2)
    if isinstance(value, dict) and value:
        rows = [f"{space}{_flat(key)}: {_flat(item)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{end}}}"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(space + _flat(item) for item in value) + f"\n{end}]"
    return _flat(value)


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
