"""Labels and lines: distinguish values of one element type by the text before them, by kind, or by line.

A label is the text that a page writes before a value: `Salary: 21000`. A text up to a colon is a label if other records
have it, too; a `dt` is the label of the `dd` after it; a `th` is the label of the row that it begins. Elements of one
name whose number differs from record to record are distinguished by their labels; those without a label stay together.
If there are no labels, but each record has at most one price, one date, one number and one other text among them, they
are distinguished by kind.

Some pages separate values by `<br>` alone:

    <td><b>anna</b><br>Joined: 2005<br>Posts: 12</td>

Lines are distinguished in the same way: by label, else by position if all records have the same number of lines, else
by kind. If none of these works, or more than one line is long, the element is a text with line breaks, and stays whole.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from statistics import fmean
from typing import Final
from weakref import WeakKeyDictionary

from duramen import xpath
from duramen.data_records.columns import PathStep, TextFilter
from duramen.data_records.values import MIN_KIND_SHARE, TextLine, ValueKind, kind_of_values, split_at_breaks
from duramen.dom.tag_sets import TABLE_CELL_TAGS
from duramen.dom.tree import TEXT, Tree

MIN_RECORD_SHARE: Final = 0.15
"""Share of the records that must have a value in a column, or a label."""
MAX_LABELS: Final = 12
"""Labels among elements of one name."""
MAX_LABEL_CHARS: Final = 40
"""A text without a colon in its first characters is prose."""
MIN_SAME_COUNT_SHARE: Final = 0.8
"""Share of the records that must have the same number of elements or lines, to distinguish these by position."""
MIN_PROSE_LINE_CHARS: Final = 80
"""Mean length from which on a line is prose."""

_LABEL = re.compile(r"[^\W\d_][^:：]{0,39}[:：](?!//)")

ChildrenByRecord = dict[int, list[list[int]]]
"""For each record, and each aligned element in it, the children of one name."""


def leading_label(text: str) -> str:
    """The label at the beginning of a text, with its colon; "" if there is none."""
    match = _LABEL.match(text)
    return match[0] if match else ""


_COLONS: WeakKeyDictionary[Tree, list[int]] = WeakKeyDictionary()


def read_label(tree: Tree, node: int) -> str:
    """The label at the beginning of an element; most elements have no colon at all, and are not read."""
    colons = _COLONS.get(tree)
    if colons is None:
        colons = _COLONS[tree] = [at for at in tree.text_nodes if ":" in tree.text[at] or "：" in tree.text[at]]
    return leading_label(label_text(tree, node)) if _has_any(tree, node, colons) else ""


def label_text(tree: Tree, node: int) -> str:
    """The beginning of the text of an element as XPath reads it, a little longer than the longest label."""
    return xpath.read_beginning(tree, node, MAX_LABEL_CHARS)


def find_recurring_labels(labels: Iterable[tuple[int, str]], record_count: int) -> list[str]:
    """The labels that occur in several records, given pairs of record and label in document order."""
    counts = Counter(label for _, label in dict.fromkeys(labels) if label)
    recurring = [label for label, count in counts.items() if count >= max(2, MIN_RECORD_SHARE * record_count)]
    return sorted(recurring, key=lambda label: -counts[label])[:MAX_LABELS]


def find_label(tree: Tree, node: int, term: int | None) -> tuple[str, str]:
    """The label of an element, and the XPath condition for it; both "" if it has none.

    `term` is the `dt` before a `dd`.
    """
    match tree.tag[node]:
        case "dd":
            label = label_text(tree, term) if term is not None else ""
            if not 0 < len(label) <= MAX_LABEL_CHARS:
                return "", ""
            return label, f"normalize-space(preceding-sibling::dt[1])={xpath.quote_literal(label)}"
        case "tr":
            first = next((child for child in tree.children(node) if tree.tag[child] in TABLE_CELL_TAGS), None)
            label = label_text(tree, first) if first is not None and tree.tag[first] == "th" else ""
            if not 0 < len(label) <= MAX_LABEL_CHARS:
                return "", ""
        case _:
            label = read_label(tree, node)
            if label and any(_has_label_and_value(tree, child) for child in tree.children(node)):
                label = ""  # it belongs to the child
    return label, f"starts-with(normalize-space(.), {xpath.quote_literal(label)})" if label else ""


def _has_label_and_value(tree: Tree, node: int) -> bool:
    label = "" if tree.tag[node] == TEXT else read_label(tree, node)
    return label != "" and len(label) < len(label_text(tree, node))


def split_by_label(
    tree: Tree, step: PathStep, children: ChildrenByRecord, record_count: int, terms: Mapping[int, int]
) -> tuple[list[tuple[PathStep, ChildrenByRecord]], ChildrenByRecord, PathStep]:
    """Split elements of one name by their labels; return also those without a label, and the step to these.

    `terms` gives the `dt` of each `dd`.
    """
    labels = {
        node: find_label(tree, node, terms.get(node))
        for groups in children.values()
        for nodes in groups
        for node in nodes
    }
    if not any(label for label, _ in labels.values()):
        return [], children, step
    recurring = find_recurring_labels(
        ((record, labels[node][0]) for record, groups in children.items() for nodes in groups for node in nodes),
        record_count,
    )
    is_single = all(len(nodes) == 1 for groups in children.values() for nodes in groups)
    if not recurring or (is_single and any(label not in recurring for label, _ in labels.values())):
        return [], children, step  # one column, and some of its values contain a colon
    conditions = {label: condition for label, condition in labels.values() if label in recurring}
    split: list[tuple[PathStep, ChildrenByRecord]] = []
    for label in dict.fromkeys(label for label, _ in labels.values() if label in conditions):
        labeled = _keep_only(children, [node for node, (name, _) in labels.items() if name == label])
        split.append((replace(step, label=label, condition=conditions[label]), labeled))
    rest = _keep_only(children, [node for node, (name, _) in labels.items() if name not in conditions])
    no_label = " and ".join(f"not({condition})" for condition in conditions.values())
    return split, rest, replace(step, condition=no_label)


def _keep_only(children: ChildrenByRecord, nodes: Iterable[int]) -> ChildrenByRecord:
    wanted = set(nodes)
    kept = {
        record: [left for group in groups if (left := [node for node in group if node in wanted])]
        for record, groups in children.items()
    }
    return {record: groups for record, groups in kept.items() if groups}


def find_distinct_kinds(texts: Iterable[Sequence[str]]) -> list[ValueKind]:
    """The kinds of texts, if there are several and no group of texts has a kind twice; else an empty list.

    Each group is the texts of one element of a record.
    """
    kinds: set[ValueKind] = set()
    for group in texts:
        counts = Counter(kind_of_values([text]) for text in group if text)
        if counts and max(counts.values()) > 1:
            return []
        kinds.update(counts)
    return sorted(kinds) if len(kinds) > 1 else []


def _has_any(tree: Tree, node: int, sorted_nodes: Sequence[int]) -> bool:
    """True if one of the nodes is in the subtree of a node."""
    at = bisect_left(sorted_nodes, node)
    return at < len(sorted_nodes) and sorted_nodes[at] < tree.end[node]


def find_line_filters(
    tree: Tree, members: Sequence[Sequence[int]], breaks: Sequence[int]
) -> list[tuple[int, TextFilter]]:
    """Filters for the lines of aligned elements, each with the node where its first line begins.

    `members` are the elements of each record, `breaks` all `br` of the page. Empty if the elements stay whole.
    """
    nodes = [member[0] for member in members if member]
    if not breaks or len(nodes) < 2 or any(len(member) > 1 for member in members):
        return []
    if sum(_has_any(tree, node, breaks) for node in nodes) < MIN_KIND_SHARE * len(nodes):
        return []
    all_lines = [split_at_breaks(tree, node) for node in nodes]
    if sum(len(lines) > 1 for lines in all_lines) < MIN_KIND_SHARE * len(nodes):
        return []
    lines_by_record = [[line for line in lines if line[1]] for lines in all_lines]
    labels = find_recurring_labels(
        ((record, leading_label(text)) for record, lines in enumerate(lines_by_record) for _, text in lines),
        len(members),
    )
    unlabeled = [[line for line in lines if leading_label(line[1]) not in labels] for lines in lines_by_record]
    filters = _distinguish_lines(unlabeled, tuple(labels))
    if filters is None:
        return []
    filters += [TextFilter(by_line=True, label=label) for label in labels]
    return list(zip(_first_line_nodes(lines_by_record, filters), filters, strict=True))


def _distinguish_lines(
    lines_by_record: Sequence[Sequence[TextLine]], labels: tuple[str, ...]
) -> list[TextFilter] | None:
    """Filters for lines without a label, by position or by kind; None if neither works."""
    counts = Counter(len(lines) for lines in lines_by_record)
    most = max(counts)
    usual, records_with_usual = counts.most_common(1)[0]
    if not most:
        return []
    if most == 1 or (usual and records_with_usual >= MIN_SAME_COUNT_SHARE * len(lines_by_record)):
        lengths = [
            fmean(len(lines[position][1]) for lines in lines_by_record if len(lines) > position)
            for position in range(most)
        ]
        if sum(length > MIN_PROSE_LINE_CHARS for length in lengths) > 1:
            return None
        return [
            TextFilter(by_line=True, excluded_labels=labels, position=position + 1) for position in range(usual or most)
        ]
    kinds = find_distinct_kinds([text for _, text in lines] for lines in lines_by_record)
    return [TextFilter(by_line=True, excluded_labels=labels, kind=kind, position=1) for kind in kinds] or None


def _first_line_nodes(lines_by_record: Sequence[Sequence[TextLine]], filters: Sequence[TextFilter]) -> list[int]:
    """For each filter the node of the first line that it selects. Filters that differ in position share the work."""
    nodes = [0] * len(filters)
    open_filters = list(range(len(filters)))
    for lines in lines_by_record:
        selected: dict[TextFilter, list[str]] = {}
        starts: dict[TextFilter, dict[str, int]] = {}
        still_open: list[int] = []
        for number in open_filters:
            shared = filters[number].without_position
            if shared not in selected:
                selected[shared] = shared.select([text for _, text in lines])
                starts[shared] = {shared.remove_label(text): start for start, text in reversed(lines)}
            texts = filters[number].at_position(selected[shared])
            if texts:
                nodes[number] = starts[shared][texts[0]]
            else:
                still_open.append(number)
        open_filters = still_open
        if not open_filters:
            break
    return nodes
