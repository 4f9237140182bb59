"""`duramen extract --only-metadata`: what pages say of themselves, without their content; as CSV, one table for all."""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

from duramen.cli.inputs import Input
from duramen.cli.outputs import Output, check_folder, is_folder, put, write_whole
from duramen.cli.progress import printable
from duramen.data_records.formats import harmless
from duramen.errors import UsageError
from duramen.metadata import Metadata, detect_language, writing
from duramen.metadata.language import check_installed

FORMATS = ("text", "markdown", "json", "xml", "csv")


def check(args: argparse.Namespace) -> None:
    """Refuse what does not go with metadata alone, before anything is read."""
    if args.format not in FORMATS:
        raise UsageError(f"metadata is not written as {args.format}: choose one of {', '.join(FORMATS)}")
    for name in ("comments", "links", "images"):
        if getattr(args, name):
            raise UsageError(f"--{name} is about the content, and --only-metadata leaves that out: choose one")
    if args.detect_language:
        check_installed()


def is_silent(metadata: Metadata) -> bool:
    """Whether a page says nothing of itself; where it was found, it need not say."""
    return set(writing.simple(metadata.as_dict())) <= {"url"}


def written(metadata: Metadata, format: str, *, detect: bool) -> str:
    """The metadata of a page; in CSV a row without the page's name. `detect` tells the language from the text, too."""
    fields = metadata.as_dict()
    if detect:
        from duramen.output import write_text

        page = metadata.sources.page
        found = detect_language(write_text(page.tree, [range(page.tree.body, len(page.tree))]))
        fields["detected_language"] = found.value if found else None
    match format:
        case "json":
            return json.dumps(fields, ensure_ascii=False)
        case "xml":
            return ElementTree.tostring(writing.as_xml(fields), encoding="unicode")
        case "csv":
            return _row(writing.as_row(writing.simple(fields)))
        case "markdown":
            return writing.front_matter(writing.simple(fields))
    return writing.as_lines(writing.simple(fields))


class Table(Output):
    """One table of all pages: on standard output row by row, in a file when the last is there."""

    def __init__(self, target: str | None) -> None:
        if target is not None and is_folder(target, several=False):
            raise UsageError(f"{target} is a folder, and a table is one file: give -o the name of a file")
        if target not in (None, "-"):
            check_folder(str(target))
        self._path = None if target in (None, "-") else Path(str(target))
        self._rows: list[str] = []
        self._begun = False

    def write(self, source: Input, result: str) -> None:
        self._add(f"{_row([printable(source.name)]).rstrip()},{result}")

    def close(self) -> None:
        self._head()
        if self._path is not None:
            write_whole(self._path, "".join(self._rows))

    def _add(self, row: str) -> None:
        self._head()
        if self._path is None:
            put(row)
        else:
            self._rows.append(row)

    def _head(self) -> None:
        if not self._begun:
            self._begun = True
            self._add(_row(["input", *writing.COLUMNS]))


def _row(cells: list[str]) -> str:
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerow(map(harmless, cells))
    return written.getvalue()
