"""Records wrapper: selectors learned from one page, applied to other pages of the site.

A wrapper consists of XPaths for the region, the records and their columns, in a JSON file that people can read and
edit. Applying it searches for nothing: if the selectors find nothing, the table is empty, and its reason says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, get_args

from duramen import xpath
from duramen.data_records.columns import JSON_SOURCES, NO_FILTER, Column, TextFilter, ValueSource
from duramen.data_records.record_segmentation import Record
from duramen.data_records.table import Table, find_main_table
from duramen.data_records.typed import ValueType
from duramen.data_records.values import ValueKind
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.dom.work_limit import limit_nodes
from duramen.errors import UsageError
from duramen.wrapper_file import (
    check_bool,
    check_optional_string,
    check_string,
    check_xpath,
    damage_named,
    parse_wrapper_json,
    read_wrapper_text,
    write_wrapper_text,
)

FORMAT: Final = "duramen records"
VERSION: Final = 1

_COLUMN_KEYS: Final = {
    "name": "name",
    "kind": "kind",
    "source": "source",
    "path": "path",
    "number": "position",
    "listed": "is_list",
    "part": "part",
    "part_number": "part_position",
    "column": "table_column",
    "type": "value_type",
    "role": "role",
    "attribute": "attribute",
    "partial": "is_partial",
}
"""Keys of a column in a file of version 1, and the attributes of `Column`."""
_LATER_KEYS: Final = ("column", "type", "role", "attribute", "partial")
"""Keys that older files of version 1 do not have."""
_FILTER_KEYS: Final = {
    "lines": "by_line",
    "label": "label",
    "without": "excluded_labels",
    "kind": "kind",
    "number": "position",
}
"""The same for `TextFilter`."""


@dataclass(frozen=True)
class RecordsWrapper:
    """Selectors for the tables of a site."""

    region: str
    """XPath of the element that holds the records, or of several elements."""
    record: str
    """XPath of the records, relative to the region; of the first element of each where a record is a run."""
    follow: tuple[str, ...] = ()
    """Tags of the elements that belong to a record after its first; empty where a record is one element."""
    columns: tuple[Column, ...] = ()
    site: str | None = None

    @classmethod
    def of(cls, table: Table) -> RecordsWrapper:
        """Learn a wrapper from a table. Raises `UsageError` if the table is empty."""
        if not table or table.xpath is None or table.node is None:
            raise UsageError(f"there is nothing to learn from this page: {table.reason}")
        tree, records = table.page.tree, table.records
        follow = tuple(dict.fromkeys(tree.tag[top] for record in records for top in record[1:]))
        if tree.tag[records[0][0]] == TEXT:
            raise UsageError("the records of this page begin with text outside of elements, which XPath cannot select")
        return cls(table.xpath, table.record_xpath or "", follow, table.columns, table.page.url)

    @classmethod
    def learn(cls, pages: Sequence[Page]) -> RecordsWrapper:
        """Learn a wrapper from several pages of one template. Raises `UsageError` if none has a main list.

        Of the wrappers of the pages, the one that reads most of the records and values of all pages is taken. It gets
        the columns of the others that it lacks: a value may be on one page only.
        """
        pages = [limit_nodes(page) for page in pages]
        tables = [table for page in pages if (table := find_main_table(page))]
        wrappers = [cls.of(table) for table in tables]
        if not wrappers:
            reason = find_main_table(pages[0]).reason if pages else "no page was given"
            raise UsageError(f"there is nothing to learn from these pages: {reason}")
        best = max(wrappers, key=lambda wrapper: wrapper._score(tables))
        names = {column.name for column in best.columns}
        paths = {(column.xpath, column.value_type) for column in best.columns}
        added: list[Column] = []
        for wrapper in wrappers:
            for column in wrapper.columns:
                if column.name not in names and (column.xpath, column.value_type) not in paths:
                    names.add(column.name)
                    added.append(column)
        return replace(best, columns=(*best.columns, *added))

    def _score(self, tables: Sequence[Table]) -> tuple[int, int]:
        """The number of pages on which the wrapper finds the same records as their own tables, and of their values."""
        found = [self.extract(table.page) for table in tables]
        agreeing = sum(mine.records == own.records for mine, own in zip(found, tables, strict=True))
        return agreeing, sum(value is not None for table in found for row in table.raw_rows for value in row.values())

    def extract(self, page: Page) -> Table:
        """Read the table of another page of the site."""
        tree = page.tree
        regions = xpath.select(tree, self.region)
        if not regions:
            return Table(page, f"the page does not fit the wrapper: nothing is at {self.region}")
        starts = {node for region in regions for node in xpath.select(tree, self.record, region)}
        records = tuple(self._find_record(tree, start, starts) for start in sorted(starts))
        table = Table(page, "", 0.0, regions[0], records, self.columns)
        filled = [any(value is not None for value in row.values()) for row in table.rows]
        if not any(filled):
            return Table(page, f"the page does not fit the wrapper: {self.region} is there, and no record in it")
        values = sum(value is not None for row in table.rows for value in row.values())
        filled_share = values / max(1, len(table.rows) * len(self.columns))
        kept = tuple(record for record, is_filled in zip(records, filled, strict=True) if is_filled)
        reason = f"{len(kept)} records by the wrapper of {self.site or 'the site'}"
        result = Table(page, reason, filled_share, regions[0], kept, self.columns)
        if kept == records:
            vars(result).update(raw_rows=table.raw_rows, rows=table.rows)  # cached properties, which are read already
        return result

    def save(self, path: str | Path) -> None:
        """Write the wrapper to a file."""
        write_wrapper_text(path, self.dumps())

    @classmethod
    def load(cls, path: str | Path) -> RecordsWrapper:
        """Read a wrapper from a file."""
        return cls.loads(read_wrapper_text(path), str(path))

    def dumps(self) -> str:
        """The wrapper as JSON, with one line for each column."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "site": self.site,
            "region": self.region,
            "record": self.record,
            "follow": list(self.follow),
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
        columns = ",\n".join(
            f"    {json.dumps(_column_to_dict(column), ensure_ascii=False)}" for column in self.columns
        )
        return "{\n" + ",\n".join(lines) + f',\n  "fields": [\n{columns}\n  ]\n}}\n'

    @classmethod
    def loads(cls, text: str, name: str = "this") -> RecordsWrapper:
        """Read a wrapper from JSON; `name` is used in error messages."""
        data = parse_wrapper_json(text, FORMAT, VERSION, name)
        with damage_named(name):
            return cls(
                check_xpath(data["region"]),
                check_xpath(data["record"]),
                tuple(map(check_string, data["follow"])),
                tuple(map(_column_from_dict, data["fields"])),
                check_optional_string(data["site"]),
            )

    def _find_record(self, tree: Tree, start: int, starts: set[int]) -> Record:
        """The record that begins with a node: the node and its next siblings, up to the next record."""
        record = [start]
        if self.follow:
            node, stop = tree.end[start], tree.end[tree.parent[start]]
            while node < stop and node not in starts:
                if tree.tag[node] in self.follow and not (tree.tag[node] == TEXT and not tree.text[node].strip()):
                    record.append(node)
                node = tree.end[node]
        return tuple(record)


def _column_to_dict(column: Column) -> dict[str, Any]:
    """A column for JSON. Of its text filter, only what differs from the default is written."""
    data: dict[str, Any] = {key: getattr(column, attribute) for key, attribute in _COLUMN_KEYS.items()}
    for key, default in (("type", "text"), ("role", ""), ("attribute", ""), ("partial", False)):
        if data[key] == default:
            del data[key]
    filter_data = {
        key: getattr(column.text_filter, attribute)
        for key, attribute in _FILTER_KEYS.items()
        if getattr(column.text_filter, attribute) != getattr(NO_FILTER, attribute)
    }
    return data | {"pick": filter_data} if filter_data else data


def _column_from_dict(data: dict[str, Any]) -> Column:
    values = {attribute: data[key] for key, attribute in _COLUMN_KEYS.items() if key not in _LATER_KEYS}
    values |= {_COLUMN_KEYS[key]: data[key] for key in _LATER_KEYS if data.get(key) is not None}
    column = Column(**values, text_filter=_filter_from_dict(data.get("pick") or {}))
    if column.kind not in get_args(ValueKind) or column.source not in get_args(ValueSource):
        raise ValueError(f"{column.name!r} has the unknown kind {column.kind!r} or source {column.source!r}")
    if column.value_type not in get_args(ValueType):
        raise ValueError(f"{column.name!r} has the unknown type {column.value_type!r}")
    check_string(column.role)
    check_string(column.attribute)
    for position in (column.position, column.part_position, column.table_column):
        _check_position(position)
    check_bool("listed", column.is_list)
    check_bool("partial", column.is_partial)
    check_string(column.name)
    if column.source not in JSON_SOURCES:
        check_xpath(column.path)
    if check_string(column.part):
        check_xpath(f"./{column.part}")
    return column


def _filter_from_dict(data: dict[str, Any]) -> TextFilter:
    if unknown := set(data) - set(_FILTER_KEYS):
        raise ValueError(f"{min(unknown)!r} is no known key of a pick")
    values = {_FILTER_KEYS[key]: value for key, value in data.items()}
    text_filter = TextFilter(**values | {"excluded_labels": tuple(map(check_string, data.get("without", ())))})
    if text_filter.kind is not None and text_filter.kind not in get_args(ValueKind):
        raise ValueError(f"{text_filter.kind!r} is no known kind")
    _check_position(text_filter.position)
    check_bool("lines", text_filter.by_line)
    check_string(text_filter.label)
    return text_filter


def _check_position(value: Any) -> None:
    if value is not None and (type(value) is not int or value < 1):
        raise ValueError(f"{value!r} is not a number from 1 up")
