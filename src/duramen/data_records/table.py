"""Table: the records of a page as rows, with named and addressed columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from html import escape
from importlib import import_module
from statistics import fmean
from typing import Any, Final

from duramen.data_records import export
from duramen.data_records.alignment import AlignedField, align
from duramen.data_records.columns import CellValue, Column, FieldPath, RecordReader
from duramen.data_records.fitting import TEXT_SOURCES, fit_column, merge_fields
from duramen.data_records.grid import GridRow, find_table, ignores_spans, read_grid
from duramen.data_records.labels import MIN_RECORD_SHARE
from duramen.data_records.naming import ColumnEvidence, name_columns
from duramen.data_records.regions import Region, describe_records
from duramen.data_records.sections import find_headings
from duramen.data_records.segmentation import Record
from duramen.data_records.selectors import find_record_xpath, find_region_xpath
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.values import ValueKind, element_text, kind_of_values
from duramen.dom.elements import TABLE_CELL_TAGS
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import MissingExtraError

MIN_CONSTANT_RECORDS: Final = 3
"""A text that so many records have, and all the same, is a label or a button, and no column."""
SECTION_NAME: Final = "section"
MAX_HTML_ROWS: Final = 20
"""Rows that a notebook shows."""
_REPR_NAMES = 8

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
    columns: tuple[Column, ...] = ()
    known_rows: list[TableRow] | None = field(default=None, compare=False)
    """The rows, if they are known from finding the columns; else they are read on first use."""
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
        return f"<Table: {len(self)} records × {len(self.columns)} columns ({names}), confidence {self.confidence:.2f}>"

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

    @cached_property
    def rows(self) -> list[TableRow]:
        """A dict for each record, with the same keys in each; None where a record has no value."""
        if self.known_rows is not None:
            return self.known_rows
        reader = RecordReader(self.page.tree, self.page.base)
        return [{column.name: reader.read(record, column) for column in self.columns} for record in self.records]

    @property
    def names(self) -> list[str]:
        """The names of the columns, and before them `section` if the records have one."""
        names = [column.name for column in self.columns]
        return [SECTION_NAME, *names] if self.sections else names

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


def tabulate(page: Page, region: Region) -> Table:
    """Build the table of a region: refine its records, find the columns, read the values."""
    refined = region.refine()
    records = refined.records
    columns, values = _find_columns(page, region.weights, records)
    names = [column.name for column in columns]
    rows: list[TableRow] = [dict(zip(names, row, strict=True)) for row in zip(*values, strict=True)]
    if not columns:
        rows = [{} for _ in records]
    sections = tuple(find_headings(region.weights, records, refined.section_starts))
    if SECTION_NAME in names:
        sections = ()
    elif sections:
        rows = [{SECTION_NAME: section or None, **row} for section, row in zip(sections, rows, strict=True)]
    reason = describe_records(page.tree, region.node, refined)
    table = find_table(page.tree, records[0][0]) if page.tree.tag[records[0][0]] == "tr" else None
    if table is not None and ignores_spans(page.tree, table):
        reason += "; too many cells span rows or columns, so that each counts in its own place only"
    return Table(page, reason, region.confidence, region.node, records, columns, rows, sections)


def _find_columns(
    page: Page, weights: SubtreeWeights, records: tuple[Record, ...]
) -> tuple[tuple[Column, ...], list[list[CellValue]]]:
    """The columns of the records in document order, and the values of each column."""
    tree = page.tree
    reader = RecordReader(tree, page.base)
    evidence: list[ColumnEvidence] = []
    columns: list[Column] = []
    values_of_columns: list[list[CellValue]] = []
    seen: set[tuple[str, ...]] = set()
    label = ""
    label_parent: FieldPath = ()
    header = _find_header_row(weights, records)
    for aligned in merge_fields(reader, records, align(weights, records)):
        column = fit_column(reader, records, aligned, _kind_of_source(aligned))
        values = [reader.read(record, column) for record in records]
        filled = [value for value in values if value]
        if not filled:
            continue
        own_label = _own_label(aligned)
        is_flag = own_label and len(filled) < len(records) and not _is_label(filled[0], own_label)  # "Remote: yes"
        if _is_constant(column, filled) and not is_flag:
            if aligned.source in TEXT_SOURCES and str(filled[0]).rstrip().endswith((":", "：")):
                label, label_parent = str(filled[0]), aligned.path[:-1]
            continue
        as_texts = tuple(map(str, values))
        if len(filled) < MIN_RECORD_SHARE * len(records) or as_texts in seen:
            continue  # too few values, or a copy of another column: the image links to the same URL as the title
        seen.add(as_texts)
        pieces = [piece for value in filled for piece in (value if isinstance(value, list) else [value])]
        if aligned.source in TEXT_SOURCES:
            column = replace(column, kind=kind_of_values(pieces))
        is_list = any(isinstance(value, list) and len(value) > 1 for value in filled)
        if not is_list:
            values = [value[0] if isinstance(value, list) else value for value in values]
        column_label = own_label or _find_header(tree, records, aligned, header)
        if not column_label and aligned.path[: len(label_parent)] == label_parent:
            column_label = label
        label, label_parent = "", ()
        columns.append(replace(column, is_list=is_list))
        values_of_columns.append(values)
        evidence.append(
            ColumnEvidence(
                path=aligned.path,
                source=aligned.source,
                kind=column.kind,
                label=column_label,
                mean_chars=fmean(map(len, pieces)),
                url=_find_url(tree, records, aligned),
                filled_share=len(filled) / len(records),
                itemprop=_find_itemprop(tree, aligned),
                distinct_values=len(set(pieces)),
                is_line=aligned.text_filter.by_line,
            )
        )
    names = name_columns(evidence)
    named = tuple(replace(column, name=name) for column, name in zip(columns, names, strict=True))
    return named, values_of_columns


def _kind_of_source(aligned: AlignedField) -> ValueKind:
    kinds: dict[str, ValueKind] = {"link": "link", "image": "image", "time": "date"}
    return kinds.get(aligned.source, "text")


def _own_label(aligned: AlignedField) -> str:
    """The label of the field, or of the nearest element around it that has one."""
    return aligned.text_filter.label or next((step.label for step in reversed(aligned.path) if step.label), "")


def _is_label(value: CellValue, label: str) -> bool:
    return str(value).rstrip(" :：") == label.rstrip(" :：")


def _is_constant(column: Column, filled: Sequence[CellValue]) -> bool:
    """True for a label, a button or an icon: the same value in all records that have one."""
    if len(filled) < MIN_CONSTANT_RECORDS or column.kind == "date":
        return False
    first = filled[0]
    return all(value == first for value in filled)


def _find_url(tree: Tree, records: Sequence[Record], aligned: AlignedField) -> str:
    """The link target of the field in the first record that has it: of the link that it is, or that it is in."""
    pairs = zip(records, aligned.nodes, strict=True)
    record, node = next(((record, nodes[0]) for record, nodes in pairs if nodes), ((), 0))
    if not record:
        return ""
    for above in (node, *tree.ancestors(node)):
        if tree.tag[above] == "a":
            return tree.attributes[above].get("href") or ""
        if above <= record[0]:
            break
    return ""


def _find_itemprop(tree: Tree, aligned: AlignedField) -> str:
    """The most common `itemprop` of the elements."""
    counts = Counter(tree.attributes[node].get("itemprop") for nodes in aligned.nodes for node in nodes[:1])
    return next((name for name, _ in counts.most_common(1) if name), "")


def _find_header_row(weights: SubtreeWeights, records: Sequence[Record]) -> GridRow:
    """The header cells above the records of an HTML table, by column; empty if there are none."""
    tree = weights.tree
    first = records[0][0]
    table = find_table(tree, first) if tree.tag[first] == "tr" else None
    if table is None:
        return {}
    header: GridRow = {}
    grid = read_grid(tree, table)
    width = len(grid.get(first, {}))
    for node, row in grid.items():
        if node >= first:
            break
        cells = [child for child in tree.children(node) if tree.tag[child] in TABLE_CELL_TAGS]
        is_header = any(tree.tag[cell] == "th" for cell in cells) or (
            len(row) == len(cells) == width and not weights.link_count(node)
        )
        if is_header and sum(bool(element_text(tree, cell, whole=True)) for cell in cells) > 1:
            header = row
    return header


def _find_header(tree: Tree, records: Sequence[Record], aligned: AlignedField, header: GridRow) -> str:
    """The text of the header cell above a field; it must span the same columns as the cell of the field."""
    if not header:
        return ""
    for record, nodes in zip(records, aligned.nodes, strict=True):
        if not nodes:
            continue
        table = find_table(tree, record[0])
        row = next((top for top in reversed(record) if top <= nodes[0]), None)
        cells = {} if table is None or row is None else read_grid(tree, table).get(row, {})
        columns = [column for column, cell in cells.items() if cell <= nodes[0] < tree.end[cell]]
        above = {header.get(column) for column in columns}
        header_cell = above.pop() if len(above) == 1 else None
        if header_cell is None or [column for column, cell in header.items() if cell == header_cell] != columns:
            return ""
        return element_text(tree, header_cell, whole=True)
    return ""
