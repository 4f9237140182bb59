"""Table: the records of a page as rows, with named and addressed columns."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from typing import Any, Final

from duramen import xpath
from duramen.data_records import export
from duramen.data_records.columns import JSON_SOURCES, CellValue, Column, RawValue, RecordReader
from duramen.data_records.fields import KIND_NAME, RecordField, convert_column, find_fields, sort_fields
from duramen.data_records.grid import MAX_GRID_COLUMNS, find_table, has_more_columns, ignores_spans
from duramen.data_records.page_links import find_base_url, find_next_page
from duramen.data_records.post_columns import PostValues
from duramen.data_records.record_segmentation import Record, Segmentation
from duramen.data_records.regions import Region, describe_records, find_regions, is_main
from duramen.data_records.sections import find_headings
from duramen.data_records.selectors import find_record_xpath, find_region_xpath
from duramen.data_records.structured import complete_fields, read_json_column
from duramen.data_records.subtrees import SubtreeWeights, mean_signature, signature_of, similarity
from duramen.data_records.typed import guess_language
from duramen.data_records.values import element_text
from duramen.dom.page import Page
from duramen.errors import MissingExtraError

SECTION_NAME: Final = "section"
MAX_HTML_ROWS: Final = 20
"""Rows that a notebook shows."""
MIN_SHARED_VALUES: Final = 1 / 3
"""Share of the values of a list in columns that half of its records have. Right tables of the development sets have
0.4 or more, most of them more than 0.8; the sections of home and product pages have less than 0.3."""
MIN_KEPT_SHARE: Final = 2 / 3
"""Share of the records that must have a value that half of them have; the others may be boxes between them."""
MAX_TYPICAL_RECORDS: Final = 30
MIN_TYPICAL_SIMILARITY: Final = 0.65
"""Similarity to the mean of the records from which on a record is one, though it has other elements around it."""
_NUMBERED = re.compile(r"_\d+$")
_REPR_NAMES = 8

RawRow = dict[str, RawValue]
TableRow = dict[str, CellValue]


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Records and their columns. Empty, and false, if a page has no main list; `reason` says why in both cases."""

    page: Page
    reason: str
    confidence: float = 0.0
    node: int | None = None
    """The element that holds the records."""
    records: tuple[Record, ...] = ()
    """The top nodes of each record: one element, or a run of siblings."""
    known_columns: tuple[Column, ...] = ()
    """The columns of a wrapper."""
    fields: tuple[RecordField, ...] = field(default=(), repr=False)
    """The columns with their values, where they were found on the page itself."""
    sections: tuple[str, ...] = ()
    """The heading above each record, as a first value `section` of its row, if the records are under several."""

    def __bool__(self) -> bool:
        return bool(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[TableRow]:
        return iter(self.rows)

    def __repr__(self) -> str:
        if not self:
            return f"<Table: empty, {self.reason}>"
        names = ", ".join(self.names[:_REPR_NAMES]) + (", …" if len(self.names) > _REPR_NAMES else "")
        return f"<Table: {len(self)} records × {len(self.names)} columns ({names}), confidence {self.confidence:.2f}>"

    def _repr_html_(self) -> str:
        """The first rows as an HTML table, for notebooks. All text is escaped: pages are not to be trusted."""
        if not self:
            return f"<p>{escape(self.reason)}</p>"
        head = "".join(f"<th>{escape(name)}</th>" for name in self.names)
        rows = (
            "".join(f"<td>{escape(export.join_values(row[name]))}</td>" for name in self.names)
            for row in self.rows[:MAX_HTML_ROWS]
        )
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        more = f"<p>{len(self) - MAX_HTML_ROWS} more rows</p>" if len(self) > MAX_HTML_ROWS else ""
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

    @cached_property
    def xpath(self) -> str | None:
        """The XPath of the element that holds the records."""
        if self.node is None or not self.records:
            return None
        return find_region_xpath(self.page.tree, self.node, [record[0] for record in self.records])

    @cached_property
    def record_xpath(self) -> str | None:
        """The XPath of the records, relative to `xpath`; of the first element of each where a record is a run."""
        if self.node is None or not self.records:
            return None
        return find_record_xpath(self.page.tree, self.node, [record[0] for record in self.records])

    @property
    def record_name(self) -> str:
        """The tag of the records, and the class that most of them have: the same on all pages of a template."""
        tree = self.page.tree
        tops = [record[0] for record in self.records]
        tag = Counter(tree.tag[top] for top in tops).most_common(1)[0][0]
        classes = Counter(token for top in tops for token in set((tree.attributes[top].get("class") or "").split()))
        common = [name for name, count in classes.items() if 2 * count > len(tops)]
        stable = [name for name in common if xpath.looks_stable(tag, "class", name)]
        # Of several classes the order on the page is that of the template; a set has none, so the first by name.
        return f"{tag}.{min(stable)}" if stable else tag

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The columns with their selectors, which are found on first use."""
        if self.known_columns or not self.fields:
            return self.known_columns
        reader = RecordReader(self.page.tree, self.base_url)
        return tuple(field.fit(reader, self.records) for field in self.fields)

    @cached_property
    def rows(self) -> list[TableRow]:
        """A dict for each record, with the same keys in each; None where a record has no value.

        Prices, numbers and ratings are numbers, dates are in ISO 8601; what cannot be converted stays a text.
        """
        if self.fields:
            language = self._language
            columns = [(field.name, field.read(language)) for field in self.fields]
            return [
                self._read_section(number) | {name: values[number] for name, values in columns}
                for number in range(len(self.records))
            ]
        raw_rows, language = self.raw_rows, self._language
        typed = {
            column.name: convert_column([row[column.name] for row in raw_rows], column.value_type, language)
            for column in self.known_columns
        }
        return [{name: typed[name][number] for name in row} for number, row in enumerate(raw_rows)]

    @cached_property
    def raw_rows(self) -> list[RawRow]:
        """The rows with the texts of the page, as they were before conversion."""
        if self.fields:
            return [
                self._read_section(number) | {field.name: field.values[number] for field in self.fields}
                for number in range(len(self.records))
            ]
        reader = RecordReader(self.page.tree, self.base_url)
        return _read_rows(self.page, self.base_url, reader, self.records, self.known_columns)

    @cached_property
    def base_url(self) -> str | None:
        """The URL that relative links refer to."""
        return find_base_url(self.page)

    @cached_property
    def next_page(self) -> str | None:
        """The URL of the next page of the list; None if the page has no link to one."""
        return find_next_page(self.page)

    @property
    def _language(self) -> str | None:
        tree = self.page.tree
        roots = tree.find_all("html")
        if language := tree.attributes[roots[0]].get("lang") if roots else None:
            return language
        starts = [record[0] for record in self.records[:MAX_HTML_ROWS]]
        return guess_language(" ".join(element_text(tree, start, whole=True) for start in starts))

    @property
    def names(self) -> list[str]:
        """The names of the columns, and before them `section` if the records have one."""
        names = [field.name for field in self.fields] or [column.name for column in self.known_columns]
        return [SECTION_NAME, *names] if self.sections else names

    def _read_section(self, number: int) -> dict[str, Any]:
        return {SECTION_NAME: self.sections[number] or None} if self.sections else {}

    def to_dicts(self) -> list[TableRow]:
        """The rows as new dicts, which may be changed."""
        return [dict(row) for row in self.rows]

    def to_csv(self) -> str:
        """The table as CSV with a header line; cells that a spreadsheet would run as formulas begin with `'`."""
        return export.table_to_csv(self)

    def to_json(self) -> str:
        """The table as JSON, with its selectors, confidence and reason."""
        return export.dump_json(export.table_to_dict(self))

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame. Raises `MissingExtraError` if pandas is not installed."""
        try:
            pandas = import_module("pandas")
        except ImportError as error:
            raise MissingPandasError("pandas", "pandas") from error
        return pandas.DataFrame(self.rows, columns=self.names)


class MissingPandasError(MissingExtraError):
    """pandas is not installed. It is no extra of duramen."""

    def __str__(self) -> str:
        return "to_pandas needs pandas: install it with  pip install pandas"


def find_main_table(page: Page) -> Table:
    """The table of the likeliest list of a page that is known to have one; an empty one with a reason if it has none.

    `duramen.records` judges by the type of the page, too, whether it has a main list.
    """
    regions = find_regions(page.tree, 1)
    if not regions:
        return Table(page, "no main list: nothing on the page is repeated")
    if not is_main(regions[0]):
        return Table(page, f"no main list: the likeliest one, {regions[0].description}, is not enough")
    return tabulate(page, regions[0])


def tabulate(
    page: Page,
    region: Region,
    find_posts: Callable[[Sequence[Record]], PostValues | None] | None = None,
    *,
    is_list: bool = False,
) -> Table:
    """Build the table of a region: refine its records, find the columns, read the values.

    The table is empty if the records have little in common, unless it is known that they are a list. On the page of a
    thread `find_posts` gives the authors and dates of the posts that the records are.
    """
    refined = region.refine()
    records = refined.records
    base = find_base_url(page)
    reader = RecordReader(page.tree, base)
    posts = None if find_posts is None else find_posts(records)
    fields = find_fields(reader, region.weights, records, posts, is_thread=find_posts is not None)
    if posts is None and (kept := _drop_without_shared_values(region.weights, fields, refined)).records != records:
        refined, records = kept, kept.records
        fields = find_fields(reader, region.weights, records, is_thread=find_posts is not None)
    if not fields:
        parts = describe_records(page.tree, region.node, refined)
        return Table(page, f"no main list: the likeliest one, {parts}, has no value that its records share")
    if not is_list and not have_shared_columns(fields, len(records)):
        parts = describe_records(page.tree, region.node, refined)
        return Table(page, f"no main list: the likeliest one, {parts}, has few values that its records share")
    completed, json_note = complete_fields(page, base, fields)
    if len(completed) > len(fields) and not any(field.has_header for field in fields):
        completed = sort_fields(completed)
    sections = tuple(find_headings(region.weights, records, refined.section_starts))
    if any(field.name == SECTION_NAME or field.role == "user" for field in completed):
        sections = ()  # a column has this name, or the records are the posts of a thread
    reason = describe_records(page.tree, region.node, refined)
    table = find_table(page.tree, records[0][0]) if page.tree.tag[records[0][0]] == "tr" else None
    if table is not None and ignores_spans(page.tree, table):
        reason += "; too many cells span rows or columns, so that each counts in its own place only"
    if table is not None and has_more_columns(page.tree, table):
        reason += f"; only the first {MAX_GRID_COLUMNS} columns were read"
    if json_note:
        reason += f"; {json_note}"
    if page.note:
        reason += f"; {page.note}"
    return Table(page, reason, region.confidence, region.node, records, fields=tuple(completed), sections=sections)


def _drop_without_shared_values(
    weights: SubtreeWeights, fields: Sequence[RecordField], refined: Segmentation
) -> Segmentation:
    """The records without those of another structure that have no value in a column of half of the records, if few.

    These are boxes between the records, such as a news box among the results of a search.
    """
    records = refined.records
    shared: set[int] = set()
    for column in fields:
        filled = {number for number, value in enumerate(column.values) if value not in (None, "", [])}
        if 2 * len(filled) >= len(records):
            shared |= filled
    if len(shared) == len(records) or len(shared) < MIN_KEPT_SHARE * len(records):
        return refined
    sample = sorted(shared)[:MAX_TYPICAL_RECORDS]
    typical = mean_signature([signature_of(weights, records[number]) for number in sample])
    kept = tuple(
        record
        for number, record in enumerate(records)
        if number in shared or similarity(signature_of(weights, record), typical) >= MIN_TYPICAL_SIMILARITY
    )
    return replace(refined, records=kept)


def have_shared_columns(fields: Sequence[RecordField], count: int) -> bool:
    """False for parts of a page that have each a content of its own, such as the sections of a home page.

    The records of a list have the same fields, so that many of their values are in columns that half of them have.
    Columns with one name and different numbers, `title` and `title_2`, are one: records have variants.
    """
    holders: dict[str, set[int]] = {}
    values: Counter[str] = Counter()
    for column in fields:
        name = column.name if KIND_NAME.fullmatch(column.name) else _NUMBERED.sub("", column.name)
        filled = {number for number, value in enumerate(column.values) if value not in (None, "", [])}
        holders.setdefault(name, set()).update(filled)
        values[name] += len(filled)
    shared = sum(number for name, number in values.items() if 2 * len(holders[name]) >= count)
    return shared >= MIN_SHARED_VALUES * values.total()


def join_tables(tables: Sequence[Table]) -> Table:
    """The records of several pages of a list as one table, with the columns of all; that of the first page is kept."""
    first, *others = tables
    if not others:
        return first
    columns: dict[str, RecordField] = {}
    for table in tables:
        for number, column in enumerate(table.columns):
            if column.name not in columns:
                known = table.fields[number] if table.fields else None
                columns[column.name] = known or RecordField(
                    column.name,
                    column.kind,
                    column.source,
                    (),
                    json_path=column.path,
                    value_type=column.value_type,
                    role=column.role,
                    is_list=column.is_list,
                )
    fields = tuple(
        replace(column, values=[row.get(name) for table in tables for row in table.raw_rows])
        for name, column in columns.items()
    )
    records = tuple(record for table in tables for record in table.records)
    reason = f"{len(records)} records on {len(tables)} pages: {first.reason}"
    return Table(first.page, reason, first.confidence, first.node, records, first.columns, fields)


def _read_rows(
    page: Page, base: str | None, reader: RecordReader, records: Sequence[Record], columns: Sequence[Column]
) -> list[RawRow]:
    """The texts of the records in the columns of a wrapper."""
    texts = {
        column.name: [reader.read(record, column) for record in records]
        for column in columns
        if column.source not in JSON_SOURCES
    }
    by_role = {column.role: texts[column.name] for column in columns if column.name in texts}
    for column in columns:
        if column.source in JSON_SOURCES:
            titles, urls = by_role.get("title", []), by_role.get("url", [])
            texts[column.name] = read_json_column(page, base, titles, urls, column.path, column.name)
    return [{column.name: texts[column.name][number] for column in columns} for number in range(len(records))]
