"""Fitting: find the selector of a column, and merge fields that are one column.

The selector is the shortest path that selects just the aligned elements; it is tested on the records themselves.

Templates have variants: a row is `odd` or `even`, the first post has a box of its own, a member without a picture gets
another frame. So the same element, by tag and name, is at two paths, and never at both in one record. Two such fields
are merged if there is a selector that selects just the elements of both.

Another case: a name is in a link, and the name of a moderator is in a `span` in that link. Then the value is the whole
text of the link in all records.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product, takewhile
from typing import Final

from duramen import xpath
from duramen.data_records.alignment import AlignedField
from duramen.data_records.columns import (
    NO_FILTER,
    TEXT_SOURCES,
    TOP_TEXT_PATH,
    Column,
    FieldPath,
    PathStep,
    RecordReader,
)
from duramen.data_records.record_segmentation import Record
from duramen.data_records.values import ValueKind, element_text
from duramen.dom.tree import TEXT, Tree

MAX_TESTED_RECORDS: Final = 8
"""Records on which a selector is tested, besides the last two."""
MAX_VARIANTS: Final = 4
"""Fields of one name with which others are compared: templates have few variants, a hostile page any number."""


def fit_column(reader: RecordReader, records: Sequence[Record], aligned: AlignedField, kind: ValueKind) -> Column:
    """The column of a field, still without a name, with the selector that is right for most of the tested records."""
    plain = Column("", kind, aligned.source, ".", is_list=aligned.is_list, text_filter=aligned.text_filter)
    are_runs = any(len(record) > 1 or reader.tree.tag[record[0]] == TEXT for record in records)
    path = aligned.path
    if not path:
        return replace(plain, path=TOP_TEXT_PATH) if are_runs else plain
    variants = [plain]
    if path[0].table_column is not None:
        variants, path = [replace(plain, table_column=path[0].table_column)], path[1:]
    elif are_runs:
        parts = dict.fromkeys(_format_step(path[0], position=None, no_class=no_class) for no_class in (False, True))
        variants = [replace(plain, part=part, part_position=path[0].position) for part in parts]
        path = path[1:]
    tested = [*zip(records, aligned.nodes, strict=True)]
    tested = tested[:MAX_TESTED_RECORDS] + tested[MAX_TESTED_RECORDS:][-2:]
    best, fewest_errors = variants[0], len(tested) + 1
    for (written, position), variant in product(_possible_paths(path), variants):
        column = replace(variant, path=written, position=position)
        errors = 0
        for record, nodes in tested:
            errors += tuple(reader.select(record, column)) != nodes
            if errors == fewest_errors:
                break  # no better than the best so far
        else:
            best, fewest_errors = column, errors
        if not fewest_errors:
            break
    return best


def narrow_column(reader: RecordReader, records: Sequence[Record], column: Column) -> Column:
    """A column of own texts, from the formatting element that holds each of them, if there is one: `./del`.

    So that it means the same to tools that read the whole text of an element. Where there is none, and the elements
    hold other values, too, `is_partial` is set.
    """
    if column.source != "text" or column.text_filter != NO_FILTER or column.path == TOP_TEXT_PATH:
        return column
    tree = reader.tree
    nodes = [node for record in records for node in reader.select(record, column) if element_text(tree, node)]
    if all(element_text(tree, node) == element_text(tree, node, whole=True) for node in nodes):
        return column
    if column.position is None and not column.is_list:
        tags = {_find_only_holder(tree, node) for node in nodes}
        tag = tags.pop() if len(tags) == 1 else ""
        if tag and xpath.is_writable(tag):
            narrowed = replace(column, path=f"{column.path}/{tag}", source="prose")
            if all(reader.read(record, narrowed) == reader.read(record, column) for record in records):
                return narrowed
    return replace(column, is_partial=True)


def _find_only_holder(tree: Tree, node: int) -> str:
    """The tag of the child that holds the whole own text of an element; "" if there is none."""
    text = element_text(tree, node)
    return next(
        (
            tree.tag[child]
            for child in tree.children(node)
            if tree.tag[child] != TEXT and element_text(tree, child) == text
        ),
        "",
    )


def _possible_paths(path: Sequence[PathStep]) -> Iterator[tuple[str, int | None]]:
    """XPaths for a path with the position of the wanted element, the shortest first."""
    if not path:
        yield ".", None
        return
    if path[-1].attribute:
        yield _format_path(path[-1:], anywhere=True), None
    for start in range(len(path) - 2, 0, -1):
        if path[start].attribute:
            yield _format_path(path[start:], anywhere=True), None
            break
    yield _format_path(path), None
    yield _format_path(path, no_class=True), None
    if any(step.position for step in path):
        last = next(step.position for step in reversed(path) if step.position)
        if path[-1].position and len(path) > 1:
            yield _format_path((*path[:-1], replace(path[-1], position=None))), path[-1].position
        yield _format_path(path, positions=False), last
        yield _format_path(path, positions=False, no_class=True), last


def _format_path(
    path: Sequence[PathStep], *, positions: bool = True, no_class: bool = False, anywhere: bool = False
) -> str:
    """A path as XPath. `no_class` requires steps without a name to have no class."""
    pieces = ["."]
    for number, step in enumerate(path):
        pieces.append("//" if step.is_deep or (anywhere and not number) else "/")
        pieces.append(_format_step(step, position=step.position if positions else None, no_class=no_class))
    return "".join(pieces)


def _format_step(step: PathStep, *, position: int | None, no_class: bool) -> str:
    conditions = (f"[{step.condition}]" if step.condition else "") + ("" if position is None else f"[{position}]")
    if not xpath.is_writable(step.tag):
        return f"*{conditions}"
    if step.attribute == "class":
        return xpath.make_step(step.tag, classes=[step.name]) + conditions
    if step.attribute:
        return xpath.make_step(step.tag, {step.attribute: step.name}) + conditions
    return f"{step.tag}[not(@class)]{conditions}" if no_class else f"{step.tag}{conditions}"


def merge_fields(reader: RecordReader, records: Sequence[Record], fields: Sequence[AlignedField]) -> list[AlignedField]:
    """The fields, with those merged that are one column, at the place of the first."""
    return _merge_variants(reader, records, _merge_nested(reader.tree, fields))


def _merge_variants(
    reader: RecordReader, records: Sequence[Record], fields: Sequence[AlignedField]
) -> list[AlignedField]:
    """Merge fields of the same name that occur in different records."""
    merged: list[AlignedField] = []
    numbers_by_name: dict[tuple[str, ...], list[int]] = {}
    for aligned in fields:
        named_end = _end_from_name(aligned.path)
        if not named_end or aligned.text_filter.by_line:
            merged.append(aligned)
            continue
        names = [name for step in named_end for name in _step_name(step)]
        numbers = numbers_by_name.setdefault((*names, aligned.source), [])
        for number in numbers[:MAX_VARIANTS]:
            if (both := _try_to_merge(reader, records, merged[number], aligned)) is not None:
                merged[number] = both
                break
        else:
            numbers.append(len(merged))
            merged.append(aligned)
    return merged


def _end_from_name(path: FieldPath) -> FieldPath:
    """The end of a path from its last step with a name: `div.title/a/h3`; () if no step has one."""
    start = next((number for number in range(len(path) - 1, -1, -1) if path[number].attribute), None)
    return () if start is None else path[start:]


def _try_to_merge(
    reader: RecordReader, records: Sequence[Record], one: AlignedField, other: AlignedField
) -> AlignedField | None:
    """The merged field; None if a record has both, or if no selector selects just the elements of both."""
    if any(mine and theirs for mine, theirs in zip(one.nodes, other.nodes, strict=True)):
        return None
    nodes = tuple(mine or theirs for mine, theirs in zip(one.nodes, other.nodes, strict=True))
    path = _common_end(one.path, other.path)
    merged = replace(one, path=path, nodes=nodes, is_list=one.is_list or other.is_list)
    column = fit_column(reader, records, merged, "text")  # the kind has no influence on the selector
    is_right = all(tuple(reader.select(record, column)) == held for record, held in zip(records, nodes, strict=True))
    return merged if is_right else None


def _common_end(one: FieldPath, other: FieldPath) -> FieldPath:
    """The last steps that two paths have in common, from anywhere in the record. Their last steps have one name."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    shared = [
        mine if mine.position == theirs.position else replace(mine, position=None)
        for mine, theirs in takewhile(lambda pair: _step_name(pair[0]) == _step_name(pair[1]), pairs)
    ]
    first, *rest = reversed(shared)
    return replace(first, is_deep=True), *rest


def _step_name(step: PathStep) -> tuple[str, ...]:
    return step.tag, step.attribute, step.name, step.condition, step.kind or ""


def _merge_nested(tree: Tree, fields: Sequence[AlignedField]) -> list[AlignedField]:
    """Merge an element and the element in it, if one of them holds all text of the other."""
    text_fields = {
        aligned.path: number
        for number, aligned in enumerate(fields)
        if aligned.source in TEXT_SOURCES and not aligned.text_filter.by_line
    }
    merged: list[AlignedField | None] = list(fields)
    for path, number in text_fields.items():
        outer_number = text_fields.get(path[:-1]) if path else None
        outer = None if outer_number is None else merged[outer_number]
        if outer_number is not None and outer is not None and _is_all_text_of(tree, fields[number], outer):
            merged[outer_number] = replace(outer, source="prose")
            merged[number] = None
    return [aligned for aligned in merged if aligned is not None]


def _is_all_text_of(tree: Tree, inner: AlignedField, outer: AlignedField) -> bool:
    """True if each record has its text either in the outer element, or completely in the inner one."""
    for inner_nodes, outer_nodes in zip(inner.nodes, outer.nodes, strict=True):
        if len(inner_nodes) > 1 or len(outer_nodes) != 1:
            return False
        if inner_nodes and element_text(tree, inner_nodes[0], whole=True) != element_text(
            tree, outer_nodes[0], whole=True
        ):
            return False
        if not inner_nodes and not element_text(tree, outer_nodes[0]):
            return False
    return any(not inner_nodes for inner_nodes in inner.nodes)
