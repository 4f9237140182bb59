"""Fields: what a column is called, what kind of thing it holds, and the expression that reads it from a record.

Every column is read by its expression, on the page it was found on as on the next: what the table shows is what the
expression gives. Of the ways to write one down, the first is taken that gives just the aligned elements.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from urllib.parse import urljoin
from weakref import WeakKeyDictionary

from duramen import xpath
from duramen.lists.alignment import Place, Source
from duramen.lists.grid import rows_of, table_of
from duramen.lists.kinds import Kind
from duramen.lists.lines import lines_of
from duramen.lists.partition import Record
from duramen.lists.picks import ALL, Pick
from duramen.lists.steps import Step
from duramen.lists.texts import text_of
from duramen.tree import TEXT, Tree

Value = str | list[str] | None
"""What a record has in a column: a text or an address, several where the column is a list, None for a hole."""

SAMPLE = 8
"""Records on which an expression is tried, beside the last two."""
_SUFFIX = {"link": "/@href", "image": "/@src", "time": "/@datetime", "value": "/@content"}
_PICTURES = ("src", "data-src", "data-original", "data-lazy-src", "data-lazy", "data-srcset", "srcset")


@dataclass(frozen=True)
class Field:
    """A column."""

    name: str
    kind: Kind
    source: Source
    path: str
    """Selects the elements, from the record; where a record is several elements, from one of these."""
    number: int | None = None
    """Which of those selected, from 1; None where all are meant."""
    listed: bool = False
    """Whether a record may have several values here."""
    part: str = ""
    """Where a record is several elements: which of them, as a step; "" where it is one."""
    part_number: int | None = None
    """Which of the elements that this step selects, from 1; None where all are meant."""
    column: int | None = None
    """Of the row of a table that a record is: the column, from 1, where cells span rows; `path` then starts there."""
    pick: Pick = ALL
    """Which of the texts there, where the expression alone does not tell."""

    @property
    def xpath(self) -> str:
        """The expression with what is read from the element: `./h3/a/@href`, `./dd[1]/a` where it is of a run."""
        if self.column is not None:
            return f"./td[{self.column}]{self.path[1:]}{_SUFFIX.get(self.source, '')}"
        number = "" if self.part_number is None else f"[{self.part_number}]"
        start = f"./{self.part}{number}{self.path[1:]}" if self.part else self.path
        return start + _SUFFIX.get(self.source, "")

    @property
    def told(self) -> str:
        """What the expression does not say of which elements, or which of their lines, are meant; "" if it says all."""
        number = f"number {self.number}" if self.number else ""
        laid = "as the table is laid out: cells span rows" if self.column else ""
        return ", ".join(filter(None, (number, self.pick.told, laid)))


def read(tree: Tree, record: Record, field: Field, base: str | None) -> Value:
    """What a record has in a column."""
    found = selected(tree, record, field)
    if field.pick.lines:
        lines = [line for node in found for line in field.pick.of(lines_of(tree, node)) if line]
        return (lines if field.listed else lines[0]) if lines else None
    values = [value for node in found if (value := field.pick.value(_value(tree, node, field.source, base)))]
    if not values:
        return None
    if field.listed:
        return values
    return " ".join(values) if field.path == TOP_TEXT else values[0]


TOP_TEXT = "./text()"
"""The text that stands between the elements of a record."""


def selected(tree: Tree, record: Record, field: Field) -> list[int]:
    """The nodes of a record that a field is read from."""
    if field.path == TOP_TEXT and len(record) > 1:
        return [top for top in record if tree.tag[top] == TEXT]
    tops = list(record)
    if field.part:
        fitting = _parts(tree, field.part, tree.parent[record[0]])
        tops = [top for top in record if top in fitting]
        if field.part_number is not None:
            tops = tops[field.part_number - 1 : field.part_number]
    if field.column is not None:
        tops = _cell(tree, record[0], field.column - 1)
    found = tops if field.path == "." else [node for top in tops for node in xpath.select(tree, field.path, top)]
    if field.pick.kind is not None and not field.pick.lines:
        found = [node for node in found if field.pick.fits(text_of(tree, node))]
    return found if field.number is None else found[field.number - 1 : field.number]


def _cell(tree: Tree, row: int, column: int) -> list[int]:
    """The cell that stands in a column of a row, though it may begin in a row above."""
    table = table_of(tree, row)
    laid = {} if table is None else rows_of(tree, table).get(row, {})
    return [laid[column]] if column in laid else []


_KNOWN: WeakKeyDictionary[Tree, dict[tuple[str, int], frozenset[int]]] = WeakKeyDictionary()


def _parts(tree: Tree, part: str, parent: int) -> frozenset[int]:
    """The children of an element that a step selects. Records are many, and have one parent: looked up once."""
    known = _KNOWN.setdefault(tree, {})
    found = known.get((part, parent))
    if found is None:
        found = known[part, parent] = frozenset(xpath.select(tree, f"./{part}", parent))
    return found


def _value(tree: Tree, node: int, source: Source, base: str | None) -> str:
    if source in ("text", "prose"):
        return text_of(tree, node, whole=source == "prose")
    attributes = tree.attributes[node]
    match source:
        case "link":
            return _address(attributes.get("href"), base)
        case "image":
            found = next((value for name in _PICTURES if (value := attributes.get(name)) and value[:5] != "data:"), "")
            return _address(found.split(",")[0].split(" ")[0] if "srcset" in found or ", " in found else found, base)
        case "time":
            return (attributes.get("datetime") or "").strip() or text_of(tree, node)
        case _:
            return " ".join((attributes.get("content") or attributes.get("href") or "").split())


def _address(value: str | None, base: str | None) -> str:
    value = (value or "").strip()
    if not value or value.startswith(("#", "javascript:", "data:")):
        return ""
    try:
        return urljoin(base, value) if base else value
    except ValueError:  # "http://[broken"
        return value


def fitted(tree: Tree, records: Sequence[Record], place: Place, kind: Kind) -> Field:
    """A field, still without a name: the shortest expression that gives the elements of its place, on most records.

    An expression must not give anything else: it is tried on the records themselves.
    """
    plain = Field("", kind, place.source, ".", listed=place.listed, pick=place.pick)
    several = any(len(record) > 1 or tree.tag[record[0]] == TEXT for record in records)
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
        right = sum(tuple(selected(tree, record, field)) == nodes for record, nodes in looked)
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
