"""Reference records of pages, and how well a region and its records agree with them.

*Exact*: the region is the lowest element that contains all reference records, and if the method gives records, one of
them is right at least: the body of a page contains everything. *Contained*: it contains them all, and perhaps more.

A record is right if it matches exactly one reference record. If reference records are complete, the two must share more
than half of the visible content of both together (letters; an image counts as one). If the reference may be only the
first element of its record, or a link in it, the record must contain more than half of the reference. If such a record
is a run of siblings, most of it must not be before the reference: a summary and the title of the next record are no
record. A record that contains two reference records is as wrong as one that contains none.

Of posts, results and other entries only the texts are given: a record is right if it contains four fifths of the words
of one entry. Each entry is assigned to the record that is most similar to it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from duramen.dom.tag_sets import SCRIPT_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.errors import InputError, MissingExtraError
from duramen.evaluation.sets import Example
from duramen.language import words

RecordNodes = tuple[int, ...]
"""The top nodes of a record, in document order: an element, or a run of siblings."""

_XML_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.\-]*")
_NOT_ALLOWED_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

MIN_ENTRY_SHARE = 0.8
"""The least share of the words of an entry that its record must contain."""


@dataclass(frozen=True)
class ReferenceRecords:
    """The reference records of a page, as nodes in document order. Without `records` the page has no main list."""

    records: tuple[int, ...]
    optional: tuple[int, ...] = ()
    """Records that count neither as missing nor as wrong."""
    alternative: tuple[int, ...] = ()
    """Records at another level, which are acceptable too."""
    complete: bool = True
    """Whether a node is its whole record; if not, it may be the first element of it, or one inside it."""


@dataclass(frozen=True)
class ReferenceEntry:
    """A record of which the text is known, and perhaps some values: a post of a thread, a search result."""

    text: str
    values: Mapping[str, str] = field(default_factory=dict)
    """The other fields of the entry: title, url, user, date."""


class ValueCount(NamedTuple):
    """The values of one field in the right records of a page."""

    right: int
    total: int


@dataclass(frozen=True)
class RecordScore:
    """The score of one method on one page."""

    exact: bool
    contained: bool
    listed: bool
    """Whether the page has a main list."""
    found: int = 0
    gold: int = 0
    right: int = 0
    values: Mapping[str, ValueCount] = field(default_factory=dict)
    """For each field of the entries, how many values of the right records are in the column of the field."""

    @property
    def precision(self) -> float | None:
        """The share of right records; None if nothing was found and the page has no list."""
        if self.found:
            return self.right / self.found
        return 0.0 if self.listed else None

    @property
    def recall(self) -> float | None:
        return self.right / self.gold if self.gold else None


def has_records(examples: Sequence[Example]) -> bool:
    """Return whether a set marks records; some of its pages may have none."""
    return any("records_xpath" in example.fields for example in examples)


def read_records(example: Example, tree: Tree) -> ReferenceRecords:
    """Read the reference records of a page. They are complete only if the set marks them as complete."""
    fields = example.fields
    expressions = [fields.get(name) for name in ("records_xpath", "optional_xpath", "alt_xpath")]
    if not any(expressions):
        return ReferenceRecords(())
    records, optional, alternative = (tuple(nodes) for nodes in select_nodes(tree, expressions, example))
    if fields.get("records_xpath") and not records:
        raise InputError(
            f"the page {example.id!r} of the set {example.set!r}: its reference expression selects nothing"
        )
    return ReferenceRecords(records, optional, alternative, complete=fields.get("head_only") is False)


def read_entries(example: Example) -> list[ReferenceEntry]:
    """Read the reference entries of a page that have text: posts of a thread, results of a search."""
    entries: list[ReferenceEntry] = []
    for row in example.fields.get("records") or ():
        values = {name: value for name, value in row.items() if isinstance(value, str) and value.strip()}
        text = values.pop("text", "")
        if text:
            entries.append(ReferenceEntry(text, values))
    return entries


def select_nodes(tree: Tree, expressions: Sequence[Any], example: Example) -> list[list[int]]:
    """Return the nodes that each expression selects; none for an empty expression.

    Reference expressions use all of XPath 1.0 (`//td[.//a]/..`), more than `duramen.xpath` supports. So lxml evaluates
    them on a copy of our tree, node for node.
    """
    try:
        from lxml import etree
    except ImportError as error:
        raise MissingExtraError("lxml", "evaluation") from error
    copy, node_of_element = _copy_to_lxml(tree)
    nodes: list[list[int]] = []
    for expression in expressions:
        if not expression:
            nodes.append([])
            continue
        try:
            selected = copy.xpath(expression)
        except (etree.XPathError, TypeError) as error:
            raise InputError(f"the page {example.id!r} of the set {example.set!r}: {expression!r}: {error}") from error
        nodes.append(sorted({node_of_element[element] for element in selected if element in node_of_element}))
    return nodes


def score_records(
    tree: Tree, reference: ReferenceRecords, region: int | None, records: Sequence[RecordNodes]
) -> RecordScore:
    """Score a region (None for "no main list") and the records in it."""
    if not reference.records and (region is None or not reference.alternative):
        is_right = region is None
        return RecordScore(is_right, is_right, listed=False, found=len(records))
    levels = ((reference.records, reference.optional), (reference.alternative, ()))
    scores = [
        _score_level(tree, nodes, optional, reference.complete, region, records) for nodes, optional in levels if nodes
    ]
    return max(scores, key=lambda score: (score.exact, (score.precision or 0) + (score.recall or 0)))


def _score_level(
    tree: Tree,
    reference: Sequence[int],
    optional: Sequence[int],
    complete: bool,
    region: int | None,
    records: Sequence[RecordNodes],
) -> RecordScore:
    weights = [_count_visible(tree, node) for node in range(len(tree))]
    for node in (*reference, *optional):
        if not any(weights[node : tree.end[node]]):
            weights[node] = 1  # an empty anchor element can mark a record
    right = _find_right_records(tree, weights, records, [(node,) for node in reference], complete)
    ignored = _find_right_records(tree, weights, records, [(node,) for node in optional], complete) - right
    exact = contained = False
    if region is not None:
        both = sorted({*reference, *optional})
        exact = region in (find_container(tree, reference), find_container(tree, both)) and (bool(right) or not records)
        contained = all(region <= node < tree.end[region] for node in reference)
    return RecordScore(exact, contained, True, len(records) - len(ignored), len(reference), len(right))


def find_container(tree: Tree, nodes: Sequence[int]) -> int:
    """Return the lowest element that contains all of the nodes; of a single node, its parent."""
    if len(nodes) == 1:
        return tree.parent[nodes[0]]
    node = nodes[0]
    for other in nodes[1:]:
        node = tree.common_ancestor(min(node, other), max(node, other))
    return node


def _count_visible(tree: Tree, node: int) -> int:
    if tree.tag[node] == TEXT:
        return 0 if tree.tag[tree.parent[node]] in SCRIPT_TAGS else len("".join(tree.text[node].split()))
    return int(tree.tag[node] == "img")


def _find_right_records(
    tree: Tree, weights: Sequence[int], records: Sequence[RecordNodes], reference: Sequence[RecordNodes], complete: bool
) -> set[int]:
    """Return the indexes of records that match exactly one reference record, which no other record matches."""
    owner: dict[int, list[int]] = {}
    for place, record in enumerate(reference):
        for node in _visible_nodes(tree, weights, record):
            owner.setdefault(node, []).append(place)
    sizes = [sum(weights[node] for node in _visible_nodes(tree, weights, record)) for record in reference]
    matches: dict[int, list[int]] = {}
    for place, record in enumerate(records):
        shared: Counter[int] = Counter()
        before: dict[int, int] = {}  # what the record contains before each reference
        size = 0
        for node in _visible_nodes(tree, weights, record):
            for number in owner.get(node, ()):
                before.setdefault(number, size)
                shared[number] += weights[node]
            size += weights[node]
        for number, common in shared.items():
            if complete:
                is_match = 2 * common > sizes[number] + size - common
            else:
                is_shifted = len(record) > 1 and 2 * before[number] > size
                is_match = 2 * common > sizes[number] and not is_shifted
            if is_match:
                matches.setdefault(place, []).append(number)
    single = {place: numbers[0] for place, numbers in matches.items() if len(numbers) == 1}
    match_counts = Counter(single.values())
    return {place for place, number in single.items() if match_counts[number] == 1}


def _visible_nodes(tree: Tree, weights: Sequence[int], record: RecordNodes) -> Iterable[int]:
    return (node for top in record for node in range(top, tree.end[top]) if weights[node])


def score_entries(tree: Tree, reference: Sequence[ReferenceEntry], records: Sequence[RecordNodes]) -> RecordScore:
    """Score records by the words of the entries. There is no reference region."""
    return RecordScore(False, False, True, len(records), len(reference), len(match_entries(tree, reference, records)))


def match_entries(
    tree: Tree, reference: Sequence[ReferenceEntry], records: Sequence[RecordNodes]
) -> dict[int, ReferenceEntry]:
    """Return the entry that each right record contains, by the index of the record; the most similar first."""
    bags = [Counter(words(" ".join(_visible_texts(tree, record)))) for record in records]
    pairs: list[tuple[float, int, int]] = []
    for number, entry in enumerate(reference):
        wanted = Counter(words(entry.text))
        total = wanted.total()
        for place, bag in enumerate(bags):
            common = (bag & wanted).total()
            if total and common >= MIN_ENTRY_SHARE * total:
                pairs.append((common / (bag.total() + total - common), place, number))
    taken: set[int] = set()
    matches: dict[int, ReferenceEntry] = {}
    for _, place, number in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if place not in matches and number not in taken:
            matches[place] = reference[number]
            taken.add(number)
    return matches


def _visible_texts(tree: Tree, record: RecordNodes) -> Iterable[str]:
    for top in record:
        for node in range(top, tree.end[top]):
            if tree.tag[node] == TEXT and tree.tag[tree.parent[node]] not in SCRIPT_TAGS:
                yield tree.text[node]


def _copy_to_lxml(tree: Tree) -> tuple[Any, dict[Any, int]]:
    """Return the tree as an lxml tree, and the node of each of its elements."""
    from lxml import etree

    elements: list[Any] = []
    for node, tag in enumerate(tree.tag):
        parent = elements[tree.parent[node]] if node else None
        if tag == TEXT:
            elements.append(None)
            if parent is None:
                continue
            text = _NOT_ALLOWED_IN_XML.sub("", tree.text[node])
            if len(parent):
                parent[-1].tail = (parent[-1].tail or "") + text
            else:
                parent.text = (parent.text or "") + text
            continue
        name = tag if _XML_NAME.fullmatch(tag) else "unknown"
        attributes = {
            key: _NOT_ALLOWED_IN_XML.sub("", value or "")
            for key, value in tree.attributes[node].items()
            if _XML_NAME.fullmatch(key)
        }
        element = etree.Element(name, attributes) if parent is None else etree.SubElement(parent, name, attributes)
        elements.append(element)
    return elements[0].getroottree(), {element: node for node, element in enumerate(elements) if element is not None}
