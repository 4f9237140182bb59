"""Records by example: choose the list of a page, and its columns, by values that it holds.

A caller who knows one value of a list ("Ladder-back chair", "€ 120.00") need not know where it is. Of all lists of the
page the one that holds most of the values is taken, and the columns that hold them come first; with names for the
values, they get these names.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from duramen.data_records.columns import RawValue
from duramen.data_records.fields import RecordField
from duramen.data_records.regions import Region, find_regions
from duramen.data_records.table import Table, tabulate
from duramen.data_records.values import element_text
from duramen.dom.page import Page
from duramen.dom.text import word_key
from duramen.dom.tree import TEXT, Tree
from duramen.dom.work_limit import limit_nodes

MAX_SMALL_NODES: Final = 16
"""Nodes of an element whose text is compared with the values by itself."""
Examples = Sequence[str] | Mapping[str, str]
"""Values of a list, or values by the names that their columns shall have."""


def find_table_like(page: Page, examples: Examples) -> Table:
    """The table of the list that holds the examples; an empty one with a reason if there is none."""
    named = dict(examples) if isinstance(examples, Mapping) else {}
    values = list(named.values()) if named else list(examples)
    page = limit_nodes(page)
    region, count = _find_region_like(page.tree, values)
    if region is None:
        listed = ", ".join(map(repr, values))
        return Table(page, f"no list of the page holds {listed}" + (page.note and f"; {page.note}"))
    table = tabulate(page, region)
    if not table:  # the parts of the page: the values may be in a list in one of them
        inner, inner_count = _find_region_like(page.tree, values, without=region.node)
        if inner is not None and inner_count == count:
            table = tabulate(page, inner)
    table = table or tabulate(page, region, is_list=True)
    return _order_columns(table, values, {value: name for name, value in named.items()})


def _find_region_like(tree: Tree, values: Sequence[str], without: int | None = None) -> tuple[Region | None, int]:
    """The list that holds most of the values, and how many; of equal ones, the likeliest main list."""
    regions = find_regions(tree, without=without)
    counts = [_count_held(tree, region, values) for region in regions]
    most = max(counts, default=0)
    return (regions[counts.index(most)], most) if most else (None, 0)


def _count_held(tree: Tree, region: Region, values: Sequence[str]) -> int:
    """The number of values that are in the text or in the links of a list."""
    keys = [word_key(value) for value in values]
    tops = [top for record in region.candidates.records for top in record]
    # The texts of two elements in one line may have no space between them: "$12.99" and "3.5 stars".
    small = (
        node
        for top in tops
        for node in range(top + 1, tree.end[top])
        if tree.tag[node] != TEXT and tree.end[node] - node <= MAX_SMALL_NODES
    )
    texts = f" {word_key(' '.join(element_text(tree, node, whole=True) for node in chain(tops, small)))} "
    held = 0
    for value, key in zip(values, keys, strict=True):
        if key and f" {key} " in texts:
            held += 1
        elif value.startswith(("http", "/")):
            held += any(
                tree.attributes[node].get(name) in (value, _path_of(value))
                for top in tops
                for node in range(top, tree.end[top])
                for name in ("href", "src")
            )
    return held


def _path_of(url: str) -> str:
    return "/" + url.partition("://")[2].partition("/")[2]


def _order_columns(table: Table, values: Sequence[str], names: Mapping[str, str]) -> Table:
    """The table with the columns first that hold the values, in the order of these."""
    fields = list(table.fields)
    first: list[RecordField] = []
    for value in values:
        number = _find_field(fields, value)
        if number is None or _find_field(first, value, is_whole=True) is not None:  # another value of the same column
            continue
        field = fields.pop(number)
        first.append(replace(field, name=names[value]) if value in names else field)
    taken = {field.name for field in first}
    rest: list[RecordField] = []
    for field in fields:
        name = field.name
        while name in taken:  # the name was given to another column
            name = f"{name}_2"
        taken.add(name)
        rest.append(replace(field, name=name))
    return replace(table, fields=(*first, *rest))


def _find_field(fields: Sequence[RecordField], value: str, *, is_whole: bool = False) -> int | None:
    """The field that has the value in a record; else, unless a whole value is asked for, the first that contains it."""
    if value.startswith(("http", "/")):
        return next((number for number, field in enumerate(fields) if _has_url(field, value)), None)
    key = word_key(value)
    tests = (lambda text: word_key(text) == key or text == value, lambda text: key in word_key(text))
    for is_held in tests[: 1 if is_whole else None]:
        for number, field in enumerate(fields):
            if any(is_held(text) for raw in field.values for text in _texts_of(raw)):
                return number
    return None


def _has_url(field: RecordField, url: str) -> bool:
    return field.kind in ("link", "image") and any(
        text.endswith(url) for raw in field.values for text in _texts_of(raw)
    )


def _texts_of(value: RawValue) -> list[str]:
    return value if isinstance(value, list) else [value] if value else []
