"""The table that the records of a page make."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import fmean

from duramen.data_records.addressing import record_expression, region_expression
from duramen.data_records.alignment import Place, align
from duramen.data_records.fields import Field, Value
from duramen.data_records.finding import Region
from duramen.data_records.fitting import fitted
from duramen.data_records.grid import CELLS, rows_of, table_of
from duramen.data_records.grid import Row as Laid
from duramen.data_records.joining import joined
from duramen.data_records.kinds import Kind, kind_of
from duramen.data_records.labels import FEWEST
from duramen.data_records.naming import Known, name_all
from duramen.data_records.partition import Record
from duramen.data_records.reading import Reader
from duramen.data_records.steps import Path
from duramen.data_records.texts import text_of
from duramen.dom.page import Page
from duramen.dom.tree import Tree

CONSTANT = 3
"""Records from which on a text that all have says nothing of any of them."""

WRITTEN = ("text", "prose")
"""Sources that are what stands on the page."""

Row = dict[str, Value]


@dataclass(frozen=True, eq=False)
class Table:
    """Records and their fields. Empty, and false, where a page has no such list; `reason` says why either way."""

    page: Page = field(repr=False)
    reason: str
    confidence: float = 0.0
    node: int | None = None
    """The element that holds the records."""
    records: tuple[Record, ...] = field(default=(), repr=False)
    """Of each record its top nodes: an element, or a run of siblings."""
    fields: tuple[Field, ...] = field(default=(), repr=False)

    def __bool__(self) -> bool:
        return bool(self.records)

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    @cached_property
    def xpath(self) -> str | None:
        """Where the records stand: an expression that is likely to last."""
        if self.node is None:
            return None
        heads = [record[0] for record in self.records]
        return region_expression(self.page.tree, self.node, heads) if heads else None

    @cached_property
    def record_xpath(self) -> str | None:
        """The records, from there; where a record is a run of siblings, the first of each."""
        if self.node is None or not self.records:
            return None
        return record_expression(self.page.tree, self.node, [record[0] for record in self.records])

    @cached_property
    def rows(self) -> list[Row]:
        """A dict for each record, with the same names in each; None where a record lacks a field."""
        reader = Reader(self.page.tree, self.page.base)
        return [{one.name: reader.read(record, one) for one in self.fields} for record in self.records]

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.fields]


def tabulate(page: Page, region: Region) -> Table:
    """The table of a region."""
    records = region.records
    fields = find_fields(page, region)
    reason = region.told
    return Table(page, reason, region.confidence, region.node, records, fields)


def find_fields(page: Page, region: Region) -> tuple[Field, ...]:
    """The columns of the records in a region, in the order of the page."""
    tree, records = page.tree, region.records
    reader = Reader(tree, page.base)
    found: list[tuple[Known, Field]] = []
    seen: set[tuple[str, ...]] = set()
    label = ""
    labelled: Path = ()
    heads = _heads(tree, region)
    for place in joined(reader, records, align(region.outline, records)):
        column = fitted(reader, records, place, _kind(place))
        values = [reader.read(record, column) for record in records]
        filled = [value for value in values if value]
        if not filled:
            continue
        own = _own_label(place)
        if _is_constant(column, filled) and not (own and len(filled) < len(records) and not _says(filled[0], own)):
            if place.source in WRITTEN and str(filled[0]).rstrip().endswith((":", "：")):
                label, labelled = str(filled[0]), place.path[:-1]
            continue
        again = tuple(map(str, values))
        if len(filled) < FEWEST * len(records) or again in seen:
            continue  # too few, or what an earlier column says: the picture leads where the title leads
        seen.add(again)
        flat = [piece for value in filled for piece in (value if isinstance(value, list) else [value])]
        if place.source in WRITTEN:
            column = replace(column, kind=kind_of(flat))
        column = replace(column, listed=any(isinstance(value, list) and len(value) > 1 for value in filled))
        known = Known(
            place.path,
            place.source,
            column.kind,
            own or _label(tree, region, place, heads) or (label if place.path[: len(labelled)] == labelled else ""),
            fmean(map(len, flat)),
            _address(tree, records, place),
            len(filled) / len(records),
            _microdata(tree, place),
            len(set(flat)),
            place.pick.lines,
        )
        label, labelled = "", ()
        found.append((known, column))
    names = name_all([known for known, _ in found])
    return tuple(replace(column, name=name) for (_, column), name in zip(found, names, strict=True))


def _kind(place: Place) -> Kind:
    kinds: dict[str, Kind] = {"link": "link", "image": "image", "time": "date"}
    return kinds.get(place.source, "text")


def _own_label(place: Place) -> str:
    """The label that tells the field from others, its own or of what it stands in."""
    return place.pick.label or next((step.label for step in reversed(place.path) if step.label), "")


def _says(value: Value, label: str) -> bool:
    return str(value).rstrip(" :：") == label.rstrip(" :：")


def _is_constant(column: Field, filled: Sequence[Value]) -> bool:
    """A label, a button, an icon: the same in all records that have it."""
    if len(filled) < CONSTANT or column.kind == "date":
        return False
    first = filled[0]
    return all(value == first for value in filled)


def _address(tree: Tree, records: Sequence[Record], place: Place) -> str:
    """Where the first record's element leads: the link that it is, or stands in."""
    found = next(((record, nodes[0]) for record, nodes in zip(records, place.nodes, strict=True) if nodes), None)
    if found is None:
        return ""
    record, node = found
    for above in (node, *tree.ancestors(node)):
        if tree.tag[above] == "a":
            return tree.attributes[above].get("href") or ""
        if above <= record[0]:
            break
    return ""


def _microdata(tree: Tree, place: Place) -> str:
    names = Counter(tree.attributes[node].get("itemprop") for nodes in place.nodes for node in nodes[:1])
    return next((name for name, _ in names.most_common(1) if name), "") if names else ""


def _label(tree: Tree, region: Region, place: Place, heads: Laid) -> str:
    """The head of a table's column: the header cell above that is as wide as the cell."""
    for record, nodes in zip(region.records, place.nodes, strict=True):
        if not nodes or not heads:
            continue
        table = table_of(tree, record[0])
        row = next((top for top in reversed(record) if top <= nodes[0]), None)
        laid = {} if table is None or row is None else rows_of(tree, table).get(row, {})
        columns = [column for column, cell in laid.items() if cell <= nodes[0] < tree.end[cell]]
        above = {heads.get(column) for column in columns}
        head = above.pop() if len(above) == 1 else None
        if head is None or [column for column, cell in heads.items() if cell == head] != columns:
            return ""
        return text_of(tree, head, whole=True)
    return ""


def _heads(tree: Tree, region: Region) -> Laid:
    """The header cells above the records of a table, by column."""
    first = region.records[0][0]
    table = table_of(tree, first) if tree.tag[first] == "tr" else None
    if table is None:
        return {}
    best: Laid = {}
    rows = rows_of(tree, table)
    width = len(rows.get(first, {}))
    for node, row in rows.items():
        if node >= first:
            break
        cells = [child for child in tree.children(node) if tree.tag[child] in CELLS]
        headed = any(tree.tag[cell] == "th" for cell in cells) or (
            len(row) == len(cells) == width and not region.outline.link_count(node)
        )
        if headed and sum(bool(text_of(tree, cell, whole=True)) for cell in cells) > 1:
            best = row
    return best
