"""The expression of a column: of the ways to write one down, the first that gives just the aligned elements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import Final

from duramen import xpath
from duramen.data_records.alignment import Place
from duramen.data_records.fields import Field
from duramen.data_records.kinds import Kind
from duramen.data_records.partition import Record
from duramen.data_records.reading import TOP_TEXT, Reader
from duramen.data_records.steps import Step
from duramen.dom.tree import TEXT

SAMPLE: Final = 8
"""Records on which an expression is tried, beside the last two."""


def fitted(reader: Reader, records: Sequence[Record], place: Place, kind: Kind) -> Field:
    """A field, still without a name: the shortest expression that gives the elements of its place, on most records.

    An expression must not give anything else: it is tried on the records themselves.
    """
    plain = Field("", kind, place.source, ".", listed=place.listed, pick=place.pick)
    several = any(len(record) > 1 or reader.tree.tag[record[0]] == TEXT for record in records)
    path = place.path
    if not path:
        return replace(plain, path=TOP_TEXT) if several else plain
    parts = [plain]
    if path[0].column is not None:
        parts, path = [replace(plain, column=path[0].column)], path[1:]
    elif several:
        first = replace(path[0], number=None)
        steps = dict.fromkeys(_step(first, number=None, bare=bare) for bare in (False, True))
        parts = [replace(plain, part=part, part_number=path[0].number) for part in steps]
        path = path[1:]
    best, most = parts[0], -1
    looked = [*zip(records, place.nodes, strict=True)]
    looked = looked[:SAMPLE] + looked[SAMPLE:][-2:]
    for (written, number), part in product(_ways(path), parts):
        field = replace(part, path=written, number=number)
        right = sum(tuple(reader.selected(record, field)) == nodes for record, nodes in looked)
        if right > most:
            best, most = field, right
        if right == len(looked):
            break
    return best


def _ways(path: Sequence[Step]) -> Iterator[tuple[str, int | None]]:
    """Ways to write a path, the shortest first: what it is called itself, then with more and more of the way to it."""
    if not path:
        yield ".", None
        return
    if path[-1].attribute:
        yield _written(path[-1:], deep=True), None
    for start in range(len(path) - 2, 0, -1):
        if path[start].attribute:
            yield _written(path[start:], deep=True), None
            break
    yield _written(path), None
    yield _written(path, bare=True), None
    if any(step.number for step in path):
        last = next(step.number for step in reversed(path) if step.number)
        yield _written(path, numbers=False), last
        yield _written(path, numbers=False, bare=True), last


def _written(path: Sequence[Step], *, numbers: bool = True, bare: bool = False, deep: bool = False) -> str:
    pieces = ["."]
    for place, step in enumerate(path):
        pieces.append("//" if step.deep or (deep and not place) else "/")
        pieces.append(_step(step, number=step.number if numbers else None, bare=bare))
    return "".join(pieces)


def _step(step: Step, *, number: int | None, bare: bool) -> str:
    tail = (f"[{step.test}]" if step.test else "") + ("" if number is None else f"[{number}]")
    if not xpath.is_writable(step.tag):
        return f"*{tail}"
    if step.attribute == "class":
        return xpath.by_attributes(step.tag, classes=[step.name]) + tail
    if step.attribute:
        return xpath.by_attributes(step.tag, {step.attribute: step.name}) + tail
    return f"{step.tag}[not(@class)]{tail}" if bare else f"{step.tag}{tail}"
