"""Import site rules of the ftr-site-config format: XPaths for one host in a text file.

The format is that of FiveFilters' public rules: lines `name: value`, comments after `#`, a file for each host
(`example.org.txt`; `.example.org.txt` for all its subdomains).

    body: //div[@id='story']          the region; the first that selects something is used
    title: //h1                       the headline
    author: //span[@class='by']       metadata fields: all rules for one are read as alternatives
    date: //time/@datetime            of an attribute or a text, the element that has it
    strip: //div[@class='share']      not kept
    strip_id_or_class: related        not kept: elements whose class or id contains this

Other lines are listed as ignored: they are about downloads (`single_page_link`, `http_header`), images or the HTML
parser of another program. An XPath that `duramen.xpath` does not know is listed too, and the rest is used.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from duramen import xpath
from duramen.errors import InputError, UsageError
from duramen.wrappers.wrapper import KeepOptions, RegionSelector, Wrapper

LEARNER: Final = "import"
"""The `learner` of an imported wrapper."""
MAX_CHARS: Final = 1_000_000
_KEEP: Final = KeepOptions(captions=True, comments=False)
_FIELDS: Final = {"author": "authors", "date": "published"}
_USED: Final = frozenset(("body", "title", "strip", "strip_id_or_class", *_FIELDS))
_READ_ATTRIBUTES: Final = {"authors": ("content",), "published": ("datetime", "content")}
"""Attributes from which the value of a field is read, if the element has them (`metadata/other_fields.py`)."""
_SILENT: Final = frozenset(("test_url", "test_contains"))
"""Lines that test the rules: they change nothing."""


@dataclass(frozen=True)
class ImportedRules:
    """The rules of one host as a wrapper, and what was not used."""

    host: str
    wrapper: Wrapper | None
    """None if no rule names the body."""
    notes: tuple[str, ...] = ()


def find_rule_files(path: Path) -> list[Path]:
    """Return the rule files that a path names: itself, or the .txt files of a folder. Raises `InputError`."""
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix == ".txt" and file.is_file())
        if not files:
            raise InputError(f"{path}: no site rules in this folder (looked for .txt)")
        return files
    return [path]


def read_rules(path: Path) -> ImportedRules:
    """Read the rules of a file. Raises `InputError` if it cannot be read."""
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no file of site rules: it is not text in UTF-8") from error
    if len(text) > MAX_CHARS:
        raise InputError(f"{path} is no file of site rules: it has more than {MAX_CHARS:,} characters")
    return parse_rules(text, path.name.removesuffix(".txt").lstrip(".").lower())


def parse_rules(text: str, host: str) -> ImportedRules:
    """Return the rules of a host as a wrapper, with notes on lines that are not used."""
    notes: list[str] = []
    expressions: dict[str, list[str]] = {name: [] for name in _USED}
    ignored: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if not stripped or stripped.startswith("#"):
            continue
        name, separator, value = stripped.partition(":")
        name, value = name.strip().lower(), _remove_comment(value.strip())
        if not separator or not value:
            notes.append(f"line {number} is not used: it is not a name, a colon and a value")
        elif name not in _USED:
            if name not in _SILENT:
                ignored[name.partition("(")[0]] = ignored.get(name.partition("(")[0], 0) + 1
        elif (expression := _read_expression(name, value, number, notes)) is not None:
            expressions[name].append(expression)
    notes += [f"{name} is not used ({count} {'line' if count == 1 else 'lines'})" for name, count in ignored.items()]
    if not expressions["body"]:
        return ImportedRules(host, None, (*notes, "no rule names the body: there is no wrapper"))
    wrapper = Wrapper(
        site=host,
        regions=tuple(RegionSelector(expression, expression, (), 0) for expression in expressions["body"]),
        headlines=tuple(expressions["title"]),
        fields=tuple((field, " | ".join(expressions[name])) for name, field in _FIELDS.items() if expressions[name]),
        strips=(*expressions["strip"], *expressions["strip_id_or_class"]),
        notes=tuple(notes),
        learner=LEARNER,
        keep=_KEEP,
    )
    return ImportedRules(host, wrapper, tuple(notes))


def _remove_comment(value: str) -> str:
    """Return the value without a comment: a # after white space, outside quotation marks."""
    quote = ""
    for place, character in enumerate(value):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"":
            quote = character
        elif character == "#" and place and value[place - 1].isspace():
            return value[:place].rstrip()
    return value


def _read_expression(name: str, value: str, number: int, notes: list[str]) -> str | None:
    """Return the XPath of a line; None, and a note, if it cannot be used."""
    if name == "strip_id_or_class":
        literal = xpath.quote_literal(value.strip("'\""))
        value = f"//*[contains(@class, {literal}) or contains(@id, {literal})]"
    try:
        expression = xpath.compile(value)
    except UsageError as error:
        notes.append(f"line {number} ({name}) is not used: {error}")
        return None
    source = _find_owner(expression, _READ_ATTRIBUTES.get(_FIELDS.get(name, ""), ()))
    if source is None:
        notes.append(f"line {number} ({name}) is not used: it selects a string, and a wrapper needs an element")
        return None
    return source


def _find_owner(expression: xpath.Expression, attributes: Collection[str]) -> str | None:
    """Return the XPath of the element that has the text or attribute of an XPath.

    Return None if the value of the field is not read from this attribute.
    """
    if all(path.steps[-1].test not in ("attribute", "text") for path in expression.paths):
        return expression.source
    *steps, last = expression.paths[0].steps
    if len(expression.paths) > 1 or not steps or last.axis != "child":
        return None
    return expression.source[: steps[-1].end] if last.test == "text" or last.name in attributes else None
