"""The files of the tables of a run: one for each template of a site, beside the rows.

The rows are read twice: first the templates and their columns are found, then the records are written. So memory grows
with the number of templates, and not with that of the records. The folder gets its name when all files are complete;
`tables.json` lists them. A run that is killed before writes them again from its rows.
"""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
from array import array
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final, NamedTuple, Self

from duramen.batch.settings import TABLE_FORMAT
from duramen.batch.sites.lookup import make_file_name
from duramen.batch.tables.page_tables import PageTable
from duramen.batch.tables.table_folder import INDEX_FILE, INDEX_FORMAT
from duramen.batch.tables.templates import TemplateIndex, list_columns
from duramen.data_records.export import guard_formula, join_values
from duramen.errors import InputError
from duramen.files import sync_folder

PAGE_COLUMN: Final = "page"
"""The first column: the URL of the page, or its source."""
_MAX_OPEN_FILES: Final = 64
_NO_TEMPLATE: Final = -1

RowReader = Callable[[], Iterator[dict[str, Any]]]
"""Reads the rows of the run from the beginning, in order."""


class TableCounts(NamedTuple):
    """What the tables of a run hold."""

    tables: int
    records: int


def write_tables(read_rows: RowReader, folder: Path, suffix: str = ".csv") -> TableCounts:
    """Write the tables of all rows to a folder, all of them or none. Tables of an earlier run are replaced."""
    temporary = folder.with_name(f".duramen-{folder.name}.part")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    index = TemplateIndex()
    template_of_row = array("l")
    for row in read_rows():
        table = _read_table(row)
        template_of_row.append(_NO_TEMPLATE if table is None else index.add(table))
    files = _name_files(index, suffix)
    names = [template.name_columns() for template in index.templates]
    with _TableWriter(temporary, suffix) as writer:
        for row, template in zip(read_rows(), template_of_row, strict=True):
            table = _read_table(row)
            if table is None:
                continue
            places = index.templates[template].find_columns(table)
            page = row["url"] or row["source"]
            for values in table.rows:
                record: list[Any] = [None] * len(names[template])
                for place, value in zip(places, values, strict=True):
                    record[place] = value
                writer.write(files[template], names[template], page, record)
    described = [
        {
            "file": files[number],
            "site": template.site,
            "record": template.record,
            "pages": template.pages,
            "rows": writer.rows[files[number]],
            "bytes": (temporary / files[number]).stat().st_size,
            "columns": list_columns(template, names[number]),
        }
        for number, template in enumerate(index.templates)
    ]
    text = json.dumps({"format": INDEX_FORMAT, "suffix": suffix, "tables": described}, indent=1, ensure_ascii=False)
    with (temporary / INDEX_FILE).open("wb") as file:
        file.write(text.encode("utf-8", "replace") + b"\n")
        file.flush()
        os.fsync(file.fileno())
    _replace_folder(temporary, folder)
    return TableCounts(len(described), writer.rows.total())


def _read_table(row: dict[str, Any]) -> PageTable | None:
    """Return the table in a row; None if its page has none, or repeats another page."""
    if row["format"] != TABLE_FORMAT or not row["text"] or row.get("duplicate_of"):
        return None
    try:
        return PageTable.loads(row["text"])
    except (ValueError, LookupError, TypeError) as error:
        raise InputError(f"the row of {row['source']} is damaged: {error}") from error


def _name_files(index: TemplateIndex, suffix: str) -> list[str]:
    """Return a file name for each template: shop.example.csv, shop.example-2.csv."""
    numbers: Counter[str] = Counter()
    taken: set[str] = set()
    files = []
    for template in index.templates:
        site = template.site.rstrip("/").rpartition("/")[2] or "pages"
        while True:
            name = Path(make_file_name(site, numbers[site])).stem + suffix
            numbers[site] += 1
            if name.lower() not in taken:  # some file systems ignore the case of names
                break
        taken.add(name.lower())
        files.append(name)
    return files


class _TableWriter:
    """Appends records to many files, few of which are open at a time."""

    def __init__(self, folder: Path, suffix: str) -> None:
        self.rows: Counter[str] = Counter()
        self._folder = folder
        self._suffix = suffix
        self._open: OrderedDict[str, BinaryIO] = OrderedDict()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        while self._open:
            self._close_oldest()

    def write(self, name: str, columns: Sequence[str], page: str, record: Sequence[Any]) -> None:
        """Append a record to a file. Each file begins with a header line, if its format has one."""
        file = self._open_file(name)
        if self._suffix == ".csv":
            if not self.rows[name]:
                file.write(_format_csv([_name_page_column(columns), *columns]))
            file.write(_format_csv([page, *map(join_values, record)]))
        else:
            named = {_name_page_column(columns): page, **dict(zip(columns, record, strict=True))}
            file.write(_encode(json.dumps(named, ensure_ascii=False) + "\n"))
        self.rows[name] += 1

    def _open_file(self, name: str) -> BinaryIO:
        file = self._open.get(name)
        if file is None:
            if len(self._open) >= _MAX_OPEN_FILES:
                self._close_oldest()
            file = self._open[name] = (self._folder / name).open("ab")
        self._open.move_to_end(name)
        return file

    def _close_oldest(self) -> None:
        _, file = self._open.popitem(last=False)
        with file:
            file.flush()
            os.fsync(file.fileno())


def _name_page_column(columns: Sequence[str]) -> str:
    name = PAGE_COLUMN
    while name in columns:
        name = f"_{name}"
    return name


def _format_csv(cells: Sequence[str]) -> bytes:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerow(map(guard_formula, cells))
    return _encode(out.getvalue())


def _encode(text: str) -> bytes:
    """Encode as UTF-8; lone surrogates become U+FFFD, as in rows."""
    try:
        return text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()


def _replace_folder(temporary: Path, folder: Path) -> None:
    """Give a folder its name, in the place of an older one."""
    old = folder.with_name(f".duramen-{folder.name}.old.part")
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    temporary.rename(folder)
    sync_folder(folder.parent)
    shutil.rmtree(old, ignore_errors=True)
