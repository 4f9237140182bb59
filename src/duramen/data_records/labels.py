"""Labels: what a page writes before a value, `Salary: 21000`, and so tells a field wherever it stands.

A text up to a colon is a label if other records have it, too; a `dt` is the label of the `dd` after it, a `th` of the
row that it begins, by what these elements mean. Elements that go by one name and differ in number are told apart by
their labels; those without one stay together. Where there are none, but each record has at most one price, one date,
one number and one other text among them, they are told apart by that.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from duramen import xpath
from duramen.data_records.kinds import Kind, kind_of
from duramen.data_records.steps import Step
from duramen.dom.tree import TEXT, Tree

FEWEST: Final = 0.15
"""The share of the records that must have something at a place."""
MOST_LABELS: Final = 12
LONGEST: Final = 40
"""Letters of a label. Who has no colon within so many is writing, not labelling."""

_LABEL = re.compile(r"[^\W\d_][^:：]{0,39}[:：](?!//)")

Found = dict[int, list[list[int]]]
"""For each record, and each aligned element of it, the children of one name."""


def leading(text: str) -> str:
    """The label that a text begins with, with its colon; "" where it has none."""
    match = _LABEL.match(text)
    return match[0] if match else ""


def recurring(labels: Iterable[tuple[int, str]], records: int) -> list[str]:
    """Labels that are no chance: several records have them. Given are records and labels, in the order of the page."""
    counted = Counter(label for _, label in dict.fromkeys(labels) if label)
    often = [label for label, count in counted.items() if count >= max(2, FEWEST * records)]
    return sorted(often, key=lambda label: -counted[label])[:MOST_LABELS]


def text_before(tree: Tree, node: int) -> str:
    """The beginning of an element's text as XPath reads it: a little more than the longest label."""
    return xpath.beginning_of(tree, node, LONGEST)


def label_of(tree: Tree, node: int, term: int | None) -> tuple[str, str]:
    """The label of an element, and the test for it in an expression; both "" where it has none."""
    match tree.tag[node]:
        case "dd":
            said = text_before(tree, term) if term is not None else ""
            if not 0 < len(said) <= LONGEST:
                return "", ""
            return said, f"normalize-space(preceding-sibling::dt[1])={xpath.literal(said)}"
        case "tr":
            first = next((child for child in tree.children(node) if tree.tag[child] in ("th", "td")), None)
            said = text_before(tree, first) if first is not None and tree.tag[first] == "th" else ""
            if not 0 < len(said) <= LONGEST:
                return "", ""
        case _:
            said = leading(text_before(tree, node))
            if said and any(_is_labelled(tree, child) for child in tree.children(node)):
                said = ""  # it is theirs
    return said, f"starts-with(normalize-space(.), {xpath.literal(said)})" if said else ""


def _is_labelled(tree: Tree, node: int) -> bool:
    """Whether an element holds a label and what follows it."""
    text = "" if tree.tag[node] == TEXT else text_before(tree, node)
    return len(leading(text)) < len(text) and leading(text) != ""


def by_label(
    tree: Tree, step: Step, found: Found, records: int, terms: Mapping[int, int]
) -> tuple[list[tuple[Step, Found]], Found, Step]:
    """Elements told apart by their labels; then those without one, and the step to these."""
    said = {
        node: label_of(tree, node, terms.get(node)) for lists in found.values() for nodes in lists for node in nodes
    }
    if not any(label for label, _ in said.values()):
        return [], found, step
    labels = recurring(
        ((record, said[node][0]) for record, lists in found.items() for nodes in lists for node in nodes), records
    )
    once = all(len(nodes) == 1 for lists in found.values() for nodes in lists)
    if not labels or (once and any(label not in labels for label, _ in said.values())):
        return [], found, step  # one field, and some of its values have a colon in them
    tests = {label: test for label, test in said.values() if label in labels}
    split: list[tuple[Step, Found]] = []
    for label in dict.fromkeys(label for label, _ in said.values() if label in tests):
        own = _only(found, [node for node, (name, _) in said.items() if name == label])
        split.append((replace(step, label=label, test=tests[label]), own))
    rest = _only(found, [node for node, (name, _) in said.items() if name not in tests])
    return split, rest, replace(step, test=" and ".join(f"not({test})" for test in tests.values()))


def by_kind(texts: Mapping[int, Sequence[Sequence[str]]]) -> list[Kind]:
    """The kinds that tell texts apart, each at most once in a record; none where they do not. By record and element."""
    kinds: set[Kind] = set()
    for lists in texts.values():
        for pieces in lists:
            counted = Counter(kind_of([piece]) for piece in pieces if piece)
            if counted and max(counted.values()) > 1:
                return []
            kinds.update(counted)
    return sorted(kinds) if len(kinds) > 1 else []


def _only(found: Found, nodes: Iterable[int]) -> Found:
    wanted = set(nodes)
    kept = {
        record: [left for one in lists if (left := [node for node in one if node in wanted])]
        for record, lists in found.items()
    }
    return {record: lists for record, lists in kept.items() if lists}
