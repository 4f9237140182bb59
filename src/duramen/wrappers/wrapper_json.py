"""Wrappers as JSON files, readable by people and by later versions of duramen.

One value on a line, at most three levels deep, in a fixed order, so that a diff shows what an update changed. A file of
several wrappers (`WrapperSet`) is a list of such objects.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any, Final

from duramen.errors import InputError
from duramen.wrapper_file import (
    check_bool,
    check_optional_string,
    check_string,
    check_xpath,
    damage_named,
    find_format,
    parse_wrapper_json,
    read_wrapper_text,
    write_wrapper_text,
)
from duramen.wrappers.boilerplate import BlockCounts, Boilerplate
from duramen.wrappers.patterns import LearnSettings
from duramen.wrappers.sample import SIGNIFIER_SOURCES
from duramen.wrappers.wrapper import KeepOptions, RankedPattern, RegionSelector, SourcePage, Wrapper, WrapperSet

FORMAT: Final = "duramen wrapper"
SET_FORMAT: Final = "duramen wrapper set"
VERSION: Final = 1
"""The version of both formats."""

_MAX_COUNT: Final = 10**15
"""Larger numbers of pages, words or positions are an error; arithmetic on them could overflow."""

FIELD_NAMES: Final = frozenset(("authors", "published", "modified", "tags", "categories"))
"""The metadata fields that a wrapper may have an XPath for."""


def save_wrapper(wrapper: Wrapper | WrapperSet, path: str | Path) -> None:
    """Write a wrapper, or a set of wrappers, to a file."""
    write_wrapper_text(path, format_wrapper(wrapper))


def load_wrapper(path: str | Path) -> Wrapper | WrapperSet:
    """Read a file that `Wrapper.save` or `WrapperSet.save` wrote; its `format` value tells which."""
    text = read_wrapper_text(path)
    return parse_wrapper_set(text, str(path)) if find_format(text) == SET_FORMAT else parse_wrapper(text, str(path))


def format_wrapper(wrapper: Wrapper | WrapperSet) -> str:
    """Return a wrapper, or a set of wrappers, as JSON."""
    if isinstance(wrapper, WrapperSet):
        wrappers = ",\n".join(format_wrapper(one).rstrip("\n") for one in wrapper.wrappers)
        return f'{{\n"format": {_on_one_line(SET_FORMAT)},\n"version": {VERSION},\n"wrappers": [\n{wrappers}\n]\n}}\n'
    counts = wrapper.boilerplate
    return _format_object(
        {
            "format": FORMAT,
            "version": VERSION,
            "site": wrapper.site,
            "xpath": wrapper.xpath,
            "regions": [selector._asdict() | {"paper": selector.paper_xpath} for selector in wrapper.regions],
            "headlines": wrapper.headlines,
            "leads": wrapper.leads,
            "fields": dict(wrapper.fields),
            "support": wrapper.support,
            "confidence": wrapper.confidence,
            "notes": wrapper.notes,
            "lang": wrapper.lang,
            "learner": wrapper.learner,
            "settings": _describe_settings(wrapper.settings),
            "parts": asdict(wrapper.keep),
            "pages": [page._asdict() for page in wrapper.pages],
            "candidates": [pattern._asdict() for pattern in wrapper.candidates],
            "boilerplate": {
                "pages": counts.pages,
                "paths": {path: list(counts.paths[path].as_tuple()) for path in sorted(counts.paths)},
                "texts": {text: list(counts.texts[text]) for text in sorted(counts.texts)},
            },
            "terms": dict(wrapper.terms),
            "strips": wrapper.strips,
            "learned": wrapper.learned,
            "site_model": json.loads(wrapper.site_model) if wrapper.site_model else None,
        }
    )


def parse_wrapper(text: str, name: str = "this") -> Wrapper:
    """Parse a wrapper; error messages call the text `name`."""
    return _read_checked(parse_wrapper_json(text, FORMAT, VERSION, name), name)


def parse_wrapper_set(text: str, name: str = "this") -> WrapperSet:
    """Parse a set of wrappers; error messages call the text `name`."""
    values = parse_wrapper_json(text, SET_FORMAT, VERSION, name)
    wrappers = values.get("wrappers")
    if not isinstance(wrappers, list) or not wrappers or not all(isinstance(one, dict) for one in wrappers):
        raise InputError(f"{name} is damaged: it has no list of wrappers")
    return WrapperSet(tuple(_read_checked(one, name) for one in wrappers))


def _read_checked(values: dict[str, Any], name: str) -> Wrapper:
    with damage_named(name):
        return _read_wrapper(values)


def _read_wrapper(values: dict[str, Any]) -> Wrapper:
    if values["version"] != VERSION:
        raise ValueError(f"its version is {values['version']!r}")
    counts = values["boilerplate"]
    return Wrapper(
        site=check_optional_string(values["site"]),
        regions=_read_regions(values["regions"]),
        headlines=tuple(map(check_xpath, values["headlines"])),
        leads=tuple(map(check_xpath, values["leads"])),
        fields=tuple(
            (_check_field_name(name), check_xpath(expression)) for name, expression in values.get("fields", {}).items()
        ),
        support=_check_share(values["support"]),
        confidence=_check_share(values["confidence"]),
        notes=tuple(map(check_string, values["notes"])),
        pages=tuple(map(_read_source_page, values["pages"])),
        candidates=tuple(map(_read_pattern, values["candidates"])),
        boilerplate=Boilerplate(
            _check_count(counts["pages"]),
            {path: BlockCounts(*_check_counts(row, 6)) for path, row in counts["paths"].items()},
            {text: _check_pair(row) for text, row in counts["texts"].items()},
        ),
        terms=tuple((term, _check_count(pages)) for term, pages in values["terms"].items()),
        lang=check_optional_string(values["lang"]),
        settings=_read_settings(values["settings"]),
        learner=check_string(values.get("learner", Wrapper.learner)),
        keep=_read_keep_options(values["parts"]),
        strips=tuple(map(check_xpath, values.get("strips", ()))),
        learned=check_string(values.get("learned", "")),
        site_model=_read_site_model(values.get("site_model")),
    )


def _read_site_model(values: Any) -> str:
    """Return the site model as JSON; it is checked when it is used, by the package that knows it."""
    if values is None:
        return ""
    if not isinstance(values, dict):
        raise ValueError("its site model is not an object")
    return json.dumps(values)


def _describe_settings(settings: LearnSettings) -> dict[str, Any]:
    """Return the settings; `foreign` only if it was chosen, so that earlier versions read the other wrappers."""
    values = asdict(settings)
    if not settings.foreign:
        del values["foreign"]
    return values


def _read_settings(values: dict[str, Any]) -> LearnSettings:
    settings = LearnSettings(**values)
    if settings.signifiers not in SIGNIFIER_SOURCES:
        raise ValueError(f"it names unknown signifiers {settings.signifiers!r}")
    if type(settings.k) is not int or settings.k < 1:
        raise ValueError(f"k is {settings.k!r}, and not a number from 1 up")
    check_optional_string(settings.lang)
    for name in ("tolerant", "frequency", "level", "refined"):
        check_bool(name, getattr(settings, name))
    return settings


def _read_keep_options(values: dict[str, Any]) -> KeepOptions:
    options = KeepOptions(**values)
    for option in fields(options):
        check_bool(option.name, getattr(options, option.name))
    return options


def _read_regions(rows: Iterable[dict[str, Any]]) -> tuple[RegionSelector, ...]:
    selectors = tuple(
        RegionSelector(
            check_xpath(row["xpath"]),
            check_string(row["clue"]),
            tuple(map(_check_count, row["dfs"])),
            _check_count(row["pages"]),
        )
        for row in rows
    )
    if not selectors:
        raise ValueError("it names no region")
    return selectors


def _read_source_page(row: dict[str, Any]) -> SourcePage:
    return SourcePage(check_string(row["name"]), tuple(map(check_string, row["signifiers"])))


def _read_pattern(row: dict[str, Any]) -> RankedPattern:
    return RankedPattern(
        _check_count(row["level"]),
        check_string(row["clue"]),
        tuple(map(_check_count, row["dfs"])),
        _check_count(row["n"]),
        float(row["value"]),
        float(row["relevance"]),
    )


def _check_field_name(name: str) -> str:
    if name not in FIELD_NAMES:
        raise ValueError(f"it names an unknown field {name!r}")
    return name


def _check_share(value: Any) -> float:
    share = float(value)
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{value!r} is not between 0 and 1")
    return share


def _check_count(value: Any) -> int:
    count = int(value)
    if not 0 <= count <= _MAX_COUNT:
        raise ValueError(f"{value!r} is not a count")
    return count


def _check_counts(row: Iterable[Any], length: int) -> list[int]:
    counts = [_check_count(count) for count in row]
    if len(counts) != length:
        raise ValueError(f"{counts!r} are not {length} counts")
    return counts


def _check_pair(row: Iterable[Any]) -> tuple[int, int]:
    first, second = _check_counts(row, 2)
    return first, second


def _format_object(values: dict[str, Any]) -> str:
    """Write each key on a line, and each value below it on a line; deeper values on one line."""
    lines = []
    for key, value in values.items():
        if key == "boilerplate":
            inner = [f"    {_on_one_line(name)}: {_format_value(part, 6)}" for name, part in value.items()]
            lines.append(f"  {_on_one_line(key)}: {{\n" + ",\n".join(inner) + "\n  }")
        else:
            lines.append(f"  {_on_one_line(key)}: {_format_value(value, 4)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _format_value(value: Any, indent: int) -> str:
    space, end = " " * indent, " " * (indent - 2)
    if isinstance(value, dict) and value:
        rows = [f"{space}{_on_one_line(key)}: {_on_one_line(item)}" for key, item in value.items()]
        return "{\n" + ",\n".join(rows) + f"\n{end}}}"
    if isinstance(value, list | tuple) and value:
        return "[\n" + ",\n".join(space + _on_one_line(item) for item in value) + f"\n{end}]"
    return _on_one_line(value)


def _on_one_line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
