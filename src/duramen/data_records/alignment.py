"""Records laid over each other, so that the same field stands at the same place in all of them.

All records are walked down at once. Children of aligned elements are aligned when they have the same tag and go by the
same name (`itemprop`, or the token of their class that most records have); where every record has the same number of
such children they are told apart by position, as the cells of a table are; where the number changes, or they are items,
they are a list and stay together. A record that lacks a field leaves a hole.

What is text ends the way down: an element of text and emphasis, or a piece of prose with paragraphs of its own. So no
tree edit distance is needed, and the path to a field is at once the expression that selects it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from duramen import xpath
from duramen.data_records.grid import CELLS, rows_of, table_of
from duramen.data_records.kinds import kind_of
from duramen.data_records.labels import FEWEST, Found, by_kind, by_label, leading, text_before
from duramen.data_records.lines import pick_lines
from duramen.data_records.meanings import meaning
from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record
from duramen.data_records.picks import ALL, Pick
from duramen.data_records.steps import Path, Step
from duramen.data_records.texts import FORMATTING, UNSEEN, is_formatting, text_of
from duramen.dom.tree import TEXT, Tree

Source = Literal["text", "prose", "link", "image", "time", "value"]
"""What a field is read from: the text of an element alone, or with all that it holds; the address of a link or a
picture; a date; a hidden value."""

HEADINGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_PARTS = HEADINGS.union(("img", "table", "ul", "ol", "dl"))
_PARAGRAPHS = frozenset(("p", "blockquote", "pre"))
ITEMS: Final = frozenset(("li", "option"))
SAME_COUNT: Final = 0.8
"""Of the records that have such children, the share that has the same number of them, for these to be columns."""
MOST_COLUMNS: Final = 12
MOST_PLACES: Final = 400
"""Places that are looked at: a template has fewer, and a hostile page may have any number."""
DEEP: Final = 32
"""So many steps down count as one place more: what is deep has a long expression."""


@dataclass(frozen=True, eq=False)
class Place:
    """A place in the records that has something to read: for each record the elements that stand there."""

    path: Path
    source: Source
    nodes: tuple[tuple[int, ...], ...]
    listed: bool
    """Whether a record may have several."""
    pick: Pick = ALL
    """Which of the texts there."""


@dataclass(frozen=True, eq=False)
class _Group:
    """Aligned elements: the path to them, and which of each record. No elements of a record: its top nodes' own."""

    path: Path
    members: tuple[tuple[int, ...], ...]
    listed: bool = False


def align(outline: Outline, records: Sequence[Record]) -> list[Place]:
    """The places of the records at which something can be read, in the order of the page."""
    tree = outline.tree
    names = _names(tree, records)
    breaks = tree.find_all("br")
    found: list[tuple[int, int, Place]] = []
    whole = all(len(record) == 1 and tree.tag[record[0]] != TEXT for record in records)
    if whole:
        waiting = _columns(tree, records) or [_Group((), tuple(records))]
    else:
        waiting = list(_children(tree, names, _Group((), tuple(() for _ in records)), records))
        texts = tuple(tuple(node for node in record if tree.tag[node] == TEXT) for record in records)
        if any(texts):
            found.append((_order(texts), 0, Place((), "text", texts, listed=False)))
    looked = 0
    while waiting and looked < MOST_PLACES:
        group = waiting.pop()
        looked += 1 + len(group.path) // DEEP
        nodes = [node for member in group.members for node in member]
        order = _order(group.members)
        lines = pick_lines(tree, group.members, breaks)[:MOST_PLACES]
        looked += len(lines)
        for start, pick in lines:
            found.append((start, 0, Place(group.path, "text", group.members, group.listed, pick)))
        ends = not lines and _are_prose(outline, nodes) and not (whole and not group.path and _has_fields(tree, nodes))
        for number, source in enumerate(_sources(tree, nodes, prose=ends, lines=bool(lines))):
            found.append((order, number, Place(group.path, source, group.members, group.listed, _pick(group.path))))
        if not ends:
            waiting.extend(_children(tree, names, group))
    found.sort(key=lambda one: one[:2])
    return _in_order([(start, place) for start, _, place in found])


def _in_order(places: Sequence[tuple[int, Place]]) -> list[Place]:
    """Places in the order of the page. One that the first records lack comes after what it follows where it is."""
    found: list[Place] = []
    for start, place in places:
        record = next((number for number, nodes in enumerate(place.nodes) if nodes), 0)
        if record == 0:
            found.append(place)
            continue
        before = [nodes[0] if (nodes := other.nodes[record]) else -1 for other in found]
        last = max((node for node in before if node <= start), default=-1)
        if last < 0:
            found.append(place)
        else:
            found.insert(len(found) - before[::-1].index(last), place)
    return found


def _columns(tree: Tree, records: Sequence[Record]) -> list[_Group]:
    """The columns of rows into which cells from above reach, so that they have fewer of their own; none for others."""
    tops = [record[0] for record in records]
    tables = {table_of(tree, top) for top in tops if tree.tag[top] == "tr"}
    table = tables.pop() if len(tables) == 1 else None
    if table is None or not all(tree.tag[top] == "tr" for top in tops):
        return []
    rows = rows_of(tree, table)
    laid = [rows.get(top, {}) for top in tops]
    if not any(not top <= cell < tree.end[top] for top, row in zip(tops, laid, strict=True) for cell in row.values()):
        return []
    return [
        _Group(
            (Step("td", number=column + 1, column=column + 1),),
            tuple((row[column],) if column in row else () for row in laid),
        )
        for column in sorted({column for row in laid for column in row})
    ]


def _pick(path: Path) -> Pick:
    """What a path does not say by itself: that a label is taken away, that a value is of some kind."""
    if not path:
        return ALL
    label = path[-1].label if path[-1].tag not in ("dd", "tr") else ""
    return Pick(label=" ".join(label.split()), kind=path[-1].kind)


def _order(members: Sequence[Sequence[int]]) -> int:
    """Where a place stands in the first record that has it, from the beginning of that record's neighbours."""
    starts = [member[0] for member in members if member]
    return starts[0] if starts else 0


def _names(tree: Tree, records: Sequence[Record]) -> Counter[Step]:
    """In how many records a tag goes by which name."""
    counted: Counter[Step] = Counter()
    for record in records:
        counted.update(
            {
                name
                for top in record
                for node in range(top, tree.end[top])
                if tree.tag[node] != TEXT
                for name in _called(tree, node)
            }
        )
    return counted


def _called(tree: Tree, node: int) -> list[Step]:
    """All names of an element that a person may have given it."""
    tag, attributes = tree.tag[node], tree.attributes[node]
    found = [Step(tag, "itemprop", value)] if (value := attributes.get("itemprop")) else []
    found += [Step(tag, "class", token) for token in (attributes.get("class") or "").split()]
    return [step for step in found if xpath.looks_stable(tag, step.attribute, step.name)]


def _step(tree: Tree, names: Counter[Step], node: int) -> Step:
    """An element by the name that most records know: one of them may have another besides. Of such, what says most."""
    called = _called(tree, node)
    if not called:
        return Step(tree.tag[node])
    return max(called, key=lambda step: (names[step], bool(meaning(step.name))))  # the first of those


def _children(
    tree: Tree, names: Counter[Step], group: _Group, tops: Sequence[Record] | None = None
) -> Iterator[_Group]:
    """The groups below a group: one for each kind of child, or for each position of it."""
    kinds: defaultdict[Step, Found] = defaultdict(dict)
    terms: dict[int, int] = {}
    for record, member in enumerate(group.members):
        parents: list[Iterable[int]] = [tops[record]] if tops else []
        parents += [_elements(tree, node) for node in member]
        for children in parents:
            below: defaultdict[Step, list[int]] = defaultdict(list)
            term: int | None = None
            for child in children:
                if tree.tag[child] != TEXT and tree.tag[child] not in UNSEEN:
                    below[_step(tree, names, child)].append(child)
                    term = child if tree.tag[child] == "dt" else term
                    if term is not None and tree.tag[child] == "dd" and not tops:
                        terms[child] = term
            for step, nodes in below.items():
                kinds[step].setdefault(record, []).append(nodes)
    records = len(group.members)
    split: list[tuple[Step, Found]] = []
    used: set[int] = set()
    titled = any(step.tag in HEADINGS for step in group.path)
    for step, found in kinds.items():
        if titled or step.tag in HEADINGS:  # the colon in a title is the title's own
            split.append((step, found))
            continue
        labelled, rest, besides = by_label(tree, step, found, records, terms)
        split += labelled
        if rest:
            split.append((besides, rest))
        if step.tag == "dd":
            used.update(
                terms[node] for _, held in labelled for lists in held.values() for nodes in lists for node in nodes
            )
    for step, found in split:
        if len(found) < FEWEST * records or (step.tag == "dt" and used.issuperset(_nodes(found))):
            continue
        yield from _told_apart(tree, group, step, found)


def _nodes(found: Found) -> list[int]:
    return [node for lists in found.values() for nodes in lists for node in nodes]


def _told_apart(tree: Tree, group: _Group, step: Step, found: Found) -> Iterator[_Group]:
    """Children of one name: by position where all records have the same number of them, else by kind, else a list."""
    records = range(len(group.members))
    counts = Counter(len(nodes) for lists in found.values() for nodes in lists)
    _, often = counts.most_common(1)[0]
    step = replace(step, deep=any(tree.tag[tree.parent[node]] in FORMATTING for node in _nodes(found)))
    columns = (
        step.tag not in ITEMS
        and 1 < max(counts) <= MOST_COLUMNS
        and (step.tag in CELLS or often >= SAME_COUNT * counts.total())
    )
    if columns:
        for number in range(max(counts)):
            members = tuple(
                tuple(nodes[number] for nodes in found.get(record, ()) if len(nodes) > number) for record in records
            )
            yield _Group((*group.path, replace(step, number=number + 1)), members, group.listed)
        return
    several = max(counts) > 1
    if several and step.tag not in ITEMS and not step.label and all(_is_text(tree, node) for node in _nodes(found)):
        texts = {
            record: [[text_of(tree, node) for node in nodes] for nodes in lists] for record, lists in found.items()
        }
        for kind in by_kind(texts):
            members = tuple(
                tuple(
                    node for nodes in found.get(record, ()) for node in nodes if kind_of([text_of(tree, node)]) == kind
                )
                for record in records
            )
            several = False
            yield _Group((*group.path, replace(step, kind=kind)), members, group.listed)
        if not several:
            return
    members = tuple(tuple(node for nodes in found.get(record, ()) for node in nodes) for record in records)
    yield _Group((*group.path, step), members, group.listed or several)


def _is_text(tree: Tree, node: int) -> bool:
    """Whether an element holds text and formatting alone."""
    return all(tree.tag[at] == TEXT or is_formatting(tree, at) for at in range(node + 1, tree.end[node]))


def _elements(tree: Tree, node: int) -> Iterator[int]:
    """The children of an element, and in place of formatting what that holds."""
    waiting = list(tree.children(node))[::-1]
    while waiting:
        child = waiting.pop()
        if tree.tag[child] == TEXT:
            continue
        if is_formatting(tree, child):
            waiting.extend(list(tree.children(child))[::-1])
        else:
            yield child


def _sources(tree: Tree, nodes: Sequence[int], *, prose: bool, lines: bool) -> list[Source]:
    """What can be read from aligned elements."""
    found: list[Source] = []
    tag = tree.tag[nodes[0]] if nodes else ""
    if tag == "img":
        return ["image"]
    if tag in ("meta", "link"):
        return ["value"]
    if tag == "time":
        found.append("time")
    if prose:
        found.append("prose")
    elif not lines and any(text_of(tree, node) for node in nodes):
        found.append("text")
    if tag == "a":
        found.append("link")
    return found


def _is_prose(outline: Outline, node: int) -> bool:
    """Whether an element is a piece of writing: text with links and emphasis in it, or several paragraphs.

    Paragraphs that go by different names are fields, and so are those with labels, and what has a name beside them.
    """
    tree = outline.tree
    own = foreign = written = 0
    paragraphs: list[str | None] = []
    for child in tree.children(node):
        tag = tree.tag[child]
        if tag == TEXT:
            own += len(tree.text[child].strip())
        elif is_formatting(tree, child):
            own += outline.letter_count(child)
        elif tag in _PARAGRAPHS:
            if leading(text_before(tree, child)):
                foreign += outline.letter_count(child)
                continue
            paragraphs.append(tree.attributes[child].get("class"))
            written += outline.letter_count(child)
        elif tag not in UNSEEN:
            foreign += outline.letter_count(child)
    if (len(paragraphs) > 1 and len(set(paragraphs)) == 1) or own:
        own += written
    else:
        foreign += written
    return own > 2 * foreign


def _has_fields(tree: Tree, nodes: Sequence[int]) -> bool:
    """Whether records have headings, pictures or named parts: then they are more than a piece of writing."""
    return any(
        tree.tag[child] in _PARTS or "class" in tree.attributes[child] or "itemprop" in tree.attributes[child]
        for node in nodes[:5]
        for child in tree.children(node)
        if tree.tag[child] != TEXT
    )


def _are_prose(outline: Outline, nodes: Sequence[int]) -> bool:
    """Whether aligned elements are fields with nothing to look for below: most of them are pieces of writing."""
    looked = [node for node in nodes if outline.weight(node)][:20]
    return 2 * sum(_is_prose(outline, node) for node in looked) > len(looked)
