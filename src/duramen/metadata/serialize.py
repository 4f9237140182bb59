"""Write metadata as lines, as YAML front matter, as XML, as a row of a table, and as an HTML table."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final
from xml.etree.ElementTree import Element, SubElement

from duramen.dom.text import remove_illegal_xml

COLUMNS: Final = tuple(
    "url title authors published modified site language description tags categories canonical license image"
    " page_type detected_language".split()
)
"""The columns of a table of metadata."""

VALUE_SEPARATOR: Final = "; "
"""Between several values in one cell."""
_DATE_FIELDS: Final = ("published", "modified")
_XML_ITEM_NAMES: Final = {"authors": "author", "tags": "tag", "categories": "category", "images": "image"}
_YAML_LINE_BREAKS: Final = "\x85\u2028\u2029\ufeff"
"""Characters that YAML wants escaped and JSON does not."""


def to_plain_fields(fields: Mapping[str, object]) -> dict[str, str | list[str]]:
    """Return the known fields of `Metadata.as_dict` as strings and lists of strings, in the order of `COLUMNS`."""
    plain: dict[str, str | list[str]] = {}
    for name in COLUMNS:
        if value := fields.get(name):
            plain[name] = [_read_name(item) for item in value] if isinstance(value, list) else str(value)
    return plain


def to_lines(fields: Mapping[str, str | list[str]]) -> str:
    """Return one line for each field, for readers."""
    return "".join(f"{name}: {_join(value)}\n" for name, value in fields.items())


def to_row(fields: Mapping[str, str | list[str]]) -> list[str]:
    """Return the cells of a row, in the order of `COLUMNS`."""
    return [_join(fields.get(name, "")) for name in COLUMNS]


def to_front_matter(fields: Mapping[str, str | list[str]]) -> str:
    """Return the fields in YAML between two lines of `---`, for static site generators and note-taking programs.

    Strings are written as in JSON, which is valid YAML; dates are written without quotes.
    """
    lines = ["---"]
    for name, value in fields.items():
        if isinstance(value, list):
            lines += [f"{name}:", *(f"  - {_quote(item)}" for item in value)]
        else:
            lines.append(f"{name}: {value if name in _DATE_FIELDS else _quote(value)}")
    return "\n".join([*lines, "---", ""])


def to_xml(fields: Mapping[str, Any]) -> Element:
    """Return the fields of `Metadata.as_dict` as an element `metadata`; each has its source as attributes."""
    document = Element("metadata")
    sources = fields.get("sources", {})
    for name, value in fields.items():
        if name == "sources" or value in (None, [], ""):
            continue
        element = SubElement(document, name, {key: str(part) for key, part in sources.get(name, {}).items()})
        if not isinstance(value, list):
            element.text = _drop_invalid_characters(value)
            continue
        for item in value:
            item_element = SubElement(element, _XML_ITEM_NAMES.get(name, "item"))
            if isinstance(item, dict):
                for key, part in item.items():
                    if part is not None:
                        SubElement(item_element, key).text = _drop_invalid_characters(part)
            else:
                item_element.text = _drop_invalid_characters(item)
    return document


def to_html_table(rows: Iterable[tuple[str, str, str, str]]) -> str:
    """Return an HTML table of fields: name, value, source and confidence of each."""
    head = "<tr><th>field</th><th>value</th><th>source</th><th>confidence</th></tr>"
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _drop_invalid_characters(value: object) -> str:
    """Return the value without the characters that XML 1.0 does not allow."""
    return remove_illegal_xml(str(value))


def _read_name(value: object) -> str:
    return str(value.get("name", "")) if isinstance(value, dict) else str(value)


def _join(value: str | list[str]) -> str:
    return value if isinstance(value, str) else VALUE_SEPARATOR.join(value)


def _quote(value: str) -> str:
    return json.dumps(value, ensure_ascii=any(character in value for character in _YAML_LINE_BREAKS))
