"""`duramen extract --only-metadata`: print the metadata of pages without their content."""

from __future__ import annotations

import argparse
import csv
import io
import json
from pathlib import Path
from xml.etree import ElementTree

from duramen.cli.inputs import Input
from duramen.cli.outputs import Output, check_writable, is_output_folder, write_file, write_stdout
from duramen.cli.progress import escape_controls
from duramen.data_records.export import guard_formula
from duramen.errors import UsageError
from duramen.metadata import Metadata, detect_language, serialize
from duramen.metadata.language_detection import check_installed

METADATA_FORMATS = ("text", "markdown", "json", "xml", "csv")


def check_options(args: argparse.Namespace) -> None:
    """Refuse options that do not work together with --only-metadata."""
    if args.format not in METADATA_FORMATS:
        raise UsageError(f"metadata cannot be written as {args.format}: choose one of {', '.join(METADATA_FORMATS)}")
    given = {
        "--comments": args.comments,
        "--links": args.links,
        "--no-links": args.links is False,
        "--images": args.images,
        "--no-images": args.images is False,
        "--tables": args.tables is not None,
    }
    for name, is_given in given.items():
        if is_given:
            raise UsageError(f"{name} is about the content, which --only-metadata leaves out: choose one of them")
    if args.detect_language:
        check_installed()


def is_empty(metadata: Metadata) -> bool:
    """Return whether a page has no metadata but its URL."""
    return set(serialize.to_plain_fields(metadata.as_dict())) <= {"url"}


def write_metadata(metadata: Metadata, format: str, *, detect: bool) -> str:
    """Write the metadata of a page; as CSV, a row without the name of the page.

    `detect` adds the language detected in the text.
    """
    fields = metadata.as_dict()
    if detect:
        from duramen.output import write_text

        page = metadata.sources.page
        language = detect_language(write_text(page.tree, [range(page.tree.body, len(page.tree))]))
        fields["detected_language"] = language.value if language else None
    match format:
        case "json":
            return json.dumps(fields, ensure_ascii=False)
        case "xml":
            return ElementTree.tostring(serialize.to_xml(fields), encoding="unicode")
        case "csv":
            return _write_row(serialize.to_row(serialize.to_plain_fields(fields)))
        case "markdown":
            return serialize.to_front_matter(serialize.to_plain_fields(fields))
    return serialize.to_lines(serialize.to_plain_fields(fields))


class MetadataTableOutput(Output):
    """One CSV table of all pages: row by row on standard output, at the end in a file."""

    def __init__(self, target: str | None) -> None:
        if target is not None and is_output_folder(target, several=False):
            raise UsageError(f"{target} is a folder, but a table is one file: give -o the name of a file")
        if target not in (None, "-"):
            check_writable(str(target))
        self._path = None if target in (None, "-") else Path(str(target))
        self._rows: list[str] = []
        self._has_header = False

    def write(self, source: Input, result: str) -> None:
        self._add(f"{_write_row([escape_controls(source.name)]).rstrip()},{result}")

    def close(self) -> None:
        self._add_header()
        if self._path is not None:
            write_file(self._path, "".join(self._rows))

    def _add(self, row: str) -> None:
        self._add_header()
        if self._path is None:
            write_stdout(row)
        else:
            self._rows.append(row)

    def _add_header(self) -> None:
        if not self._has_header:
            self._has_header = True
            self._add(_write_row(["input", *serialize.COLUMNS]))


def _write_row(cells: list[str]) -> str:
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerow(map(guard_formula, cells))
    return buffer.getvalue()
