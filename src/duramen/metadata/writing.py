"""Metadata written down: as lines, as front matter, as XML, as a row of a table."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement

COLUMNS: Final = tuple(
    "url title authors published modified site language description tags categories canonical licence image"
    " page_type detected_language".split()
)
"""The columns of a table of metadata."""

BETWEEN: Final = "; "
"""What stands between several values in one cell."""


def simple(fields: Mapping[str, object]) -> dict[str, str | list[str]]:
    """The fields that the page gives, as strings and lists of strings: of `Metadata.as_dict`."""
    found: dict[str, str | list[str]] = {}
    for name, value in fields.items():
        if name in COLUMNS and value:
            found[name] = [_name(one) for one in value] if isinstance(value, list) else str(value)
    return {name: found[name] for name in COLUMNS if name in found}


def as_lines(fields: Mapping[str, str | list[str]]) -> str:
    """A line a field, for readers."""
    return "".join(f"{name}: {_joined(value)}\n" for name, value in fields.items())


def as_row(fields: Mapping[str, str | list[str]]) -> list[str]:
    """The cells of a row, in the order of `COLUMNS`."""
    return [_joined(fields.get(name, "")) for name in COLUMNS]


def front_matter(fields: Mapping[str, str | list[str]]) -> str:
    """The fields in YAML between two lines of `---`, as static site generators and note takers read them.

    Strings are written as in JSON, which YAML contains; dates stand bare.
    """
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(f"  - {_quoted(one)}" for one in value)]
        else:
            lines.append(f"{name}: {value if name in ('published', 'modified') else _quoted(value)}")
    return "\n".join([*lines, "---", ""])


def as_xml(fields: Mapping[str, Any]) -> Element:
    """All fields as an element, `metadata`: lists as elements of their own, and the source of each beside it."""
    document = Element("metadata")
    sources = fields.get("sources", {})
    for name, value in fields.items():
        if name == "sources" or value in (None, [], ""):
            continue
        made = SubElement(document, name, {key: str(said) for key, said in sources.get(name, {}).items()})
        if not isinstance(value, list):
            made.text = _legal(value)
            continue
        for one in value:
            item = SubElement(made, _ONE.get(name, "item"))
            if isinstance(one, dict):
                for key, said in one.items():
                    if said is not None:
                        SubElement(item, key).text = _legal(said)
            else:
                item.text = _legal(one)
    return document


_ONE: Final = {"authors": "author", "tags": "tag", "categories": "category", "images": "image"}


_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def _legal(value: object) -> str:
    """The value without the characters that XML 1.0 does not allow."""
    return _ILLEGAL.sub("", str(value))


def _name(value: object) -> str:
    return str(value.get("name", "")) if isinstance(value, dict) else str(value)


def _joined(value: str | list[str]) -> str:
    return value if isinstance(value, str) else BETWEEN.join(value)


def _quoted(value: str) -> str:
    # JSON does without escapes that YAML wants: its line breaks U+0085, U+2028 and U+2029.
    return json.dumps(value, ensure_ascii=any(mark in value for mark in "\x85\u2028\u2029\ufeff"))
