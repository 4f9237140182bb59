"""Alignment: find the elements that hold the same field in all records.

The subtrees of all records are walked in parallel. Children of aligned elements are aligned if they have the same tag
and the same name (`itemprop`, or the class token that most records have). If every record has the same number of such
children, they are distinguished by position, as the cells of a table row are. If the number varies, or they are list
items, they are a list and stay together. A record without the field has no element there.

Elements that contain only text and formatting, and prose with paragraphs of its own, are not split further. So no tree
edit distance is needed, and the path to a field is also the selector for it.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from duramen.data_records.columns import NO_FILTER, FieldPath, PathStep, TextFilter, ValueSource
from duramen.data_records.element_names import ElementName, RecordElementNames
from duramen.data_records.grid import MAX_GRID_COLUMNS, find_table, read_grid
from duramen.data_records.labels import (
    MIN_RECORD_SHARE,
    MIN_SAME_COUNT_SHARE,
    ChildrenByRecord,
    find_distinct_kinds,
    find_line_filters,
    split_by_label,
)
from duramen.data_records.prose_fields import FIELD_TAGS, MAX_SAMPLED_ELEMENTS, are_prose, have_fields
from duramen.data_records.record_segmentation import Record
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.values import (
    FORMATTING_TAGS,
    IGNORED_TAGS,
    MAX_PRICE_NODES,
    MIN_KIND_SHARE,
    element_text,
    has_own_text,
    is_formatting,
    kind_of_values,
    read_split_price,
)
from duramen.dom.tag_sets import HEADING_TAGS, TABLE_CELL_TAGS
from duramen.dom.tree import TEXT, Tree

_ITEM_TAGS = frozenset(("li", "option"))
MAX_POSITIONS: Final = 12
"""Children of one name that are distinguished by position, if they are no cells of a table."""
MAX_GROUPS: Final = 400
"""Groups of aligned elements that are examined: templates have fewer, a hostile page any number."""
STEPS_PER_EXTRA_GROUP: Final = 32
"""A path of so many steps counts as one group more: its selector is long."""
MAX_WHOLE_CELL_CHARS: Final = 300
"""Mean length of the cells under a header that are one value each."""
MAX_HEADING_NODES: Final = 14
"""Nodes of a heading that is one text."""
MIN_LEAD_SHARE: Final = 0.8
"""Share of the texts that must begin with bold words if these are a column: words of a query are bold in some."""
MIN_RARE_RECORDS: Final = 2
"""Records that must have a value that is rare."""
MAX_RARE_CHARS: Final = 60


@dataclass(frozen=True, eq=False)
class AlignedField:
    """Elements that hold the same field, and how to read it."""

    path: FieldPath
    source: ValueSource
    nodes: tuple[tuple[int, ...], ...]
    """The elements of each record."""
    is_list: bool
    """True if a record may have several."""
    text_filter: TextFilter = NO_FILTER


@dataclass(frozen=True, eq=False)
class _Group:
    """Aligned elements: the path to them, and the elements of each record."""

    path: FieldPath
    members: tuple[tuple[int, ...], ...]
    is_list: bool = False


def align(weights: SubtreeWeights, records: Sequence[Record], *, has_header: bool = False) -> list[AlignedField]:
    """Align the records; return everything that can be read from them, in document order.

    With `has_header` the records are rows of a table with a header, which names the cells: these stay whole.
    """
    tree = weights.tree
    links = [node for node in tree.find_all("a") if tree.attributes[node].get("href")]
    images, bolds = tree.find_all("img"), sorted((*tree.find_all("b"), *tree.find_all("strong")))
    names = RecordElementNames(tree, records)
    breaks = tree.find_all("br")
    found: list[tuple[int, int, AlignedField]] = []
    are_single = all(len(record) == 1 and tree.tag[record[0]] != TEXT for record in records)
    if are_single:
        open_groups = _group_table_columns(tree, records) or [_Group((), tuple(records))]
    else:
        open_groups = list(_group_children(tree, names, _Group((), tuple(() for _ in records)), records))
        texts = tuple(tuple(node for node in record if tree.tag[node] == TEXT) for record in records)
        if any(texts):
            found.append((_first_node(texts), 0, AlignedField((), "text", texts, is_list=False)))
    examined = 0
    while open_groups and examined < MAX_GROUPS:
        group = open_groups.pop()
        examined += 1 + len(group.path) // STEPS_PER_EXTRA_GROUP
        nodes = [node for member in group.members for node in member]
        if not nodes:
            continue
        first = _first_node(group.members)
        lines = find_line_filters(tree, group.members, breaks)[:MAX_GROUPS]
        has_labels = any(line_filter.label for _, line_filter in lines)
        if has_header and are_single and not has_labels and _is_whole_cell(weights, group, nodes):
            whole = AlignedField(group.path, "prose", group.members, group.is_list)
            of_cell = [
                whole,
                *_find_inner_fields(tree, group, links, "link"),
                *_find_inner_fields(tree, group, images, "image"),
            ]
            found.extend((first, number, aligned) for number, aligned in enumerate(of_cell))
            continue
        if group.path and tree.tag[nodes[0]] in HEADING_TAGS and _are_plain_headings(weights, nodes):
            found.append((first, 0, AlignedField(group.path, "prose", group.members, group.is_list)))
            found.extend((first, 1, aligned) for aligned in _find_inner_fields(tree, group, links, "link"))
            continue
        if group.path and _are_split_prices(tree, nodes):
            found.append((first, 0, AlignedField(group.path, "price", group.members, group.is_list)))
            continue
        examined += len(lines)
        for start, line_filter in lines:
            found.append((start, 0, AlignedField(group.path, "text", group.members, group.is_list, line_filter)))
        is_prose = (
            not lines
            and are_prose(weights, nodes)
            and not (are_single and not group.path and have_fields(tree, nodes))
            and not (tree.tag[nodes[0]] in HEADING_TAGS and _have_dates(tree, nodes))
        )
        text_filter = _filter_of_path(group.path)
        for number, source in enumerate(_find_sources(tree, nodes, is_prose=is_prose, has_lines=bool(lines))):
            aligned = AlignedField(group.path, source, group.members, group.is_list, text_filter)
            found.append((first, number, aligned))
        if is_prose:
            found.extend((first, 2 + number, aligned) for number, aligned in enumerate(_find_leads(tree, group, links)))
            found.extend((first, 4, aligned) for aligned in _find_bold_lead(tree, group, bolds))
        else:
            open_groups.extend(_group_children(tree, names, group))
    found.sort(key=lambda one: one[:2])
    return _sort_by_document([(start, aligned) for start, _, aligned in found])


def _sort_by_document(fields: Sequence[tuple[int, AlignedField]]) -> list[AlignedField]:
    """Fields in document order. A field that the first record lacks comes after the one it follows elsewhere."""
    ordered: list[AlignedField] = []
    for start, aligned in fields:
        record = next((number for number, nodes in enumerate(aligned.nodes) if nodes), 0)
        if record == 0:
            ordered.append(aligned)
            continue
        starts = [nodes[0] if (nodes := other.nodes[record]) else -1 for other in ordered]
        previous = max((node for node in starts if node <= start), default=-1)
        if previous < 0:
            ordered.append(aligned)
        else:
            ordered.insert(len(ordered) - starts[::-1].index(previous), aligned)
    return ordered


def _group_table_columns(tree: Tree, records: Sequence[Record]) -> list[_Group]:
    """The columns of table rows into which cells of rows above span; none for other records."""
    tops = [record[0] for record in records]
    tables = {find_table(tree, top) for top in tops if tree.tag[top] == "tr"}
    table = tables.pop() if len(tables) == 1 else None
    if table is None or not all(tree.tag[top] == "tr" for top in tops):
        return []
    grid = read_grid(tree, table)
    rows = [grid.get(top, {}) for top in tops]
    if not any(not top <= cell < tree.end[top] for top, row in zip(tops, rows, strict=True) for cell in row.values()):
        return []
    return [
        _Group(
            (PathStep("td", position=column + 1, table_column=column + 1),),
            tuple((row[column],) if column in row else () for row in rows),
        )
        for column in sorted({column for row in rows for column in row})
    ]


def _filter_of_path(path: FieldPath) -> TextFilter:
    """The filter for what a path cannot express: a label is removed, a value has a kind."""
    if not path:
        return NO_FILTER
    label = path[-1].label if path[-1].tag not in ("dd", "tr") else ""
    return TextFilter(label=" ".join(label.split()), kind=path[-1].kind)


def _is_whole_cell(weights: SubtreeWeights, group: _Group, nodes: Sequence[int]) -> bool:
    """True for the cells of a table column, unless they are long: then a cell holds fields of its own."""
    tree = weights.tree
    if len(group.path) != 1 or not nodes or any(tree.tag[node] not in TABLE_CELL_TAGS for node in nodes):
        return False
    return sum(map(weights.char_count, nodes)) <= MAX_WHOLE_CELL_CHARS * len(nodes)


def _are_plain_headings(weights: SubtreeWeights, nodes: Sequence[int]) -> bool:
    """True if headings are one text each, maybe in a link; not if they are the box around a whole record."""
    tree = weights.tree
    sample = nodes[:MAX_SAMPLED_ELEMENTS]
    return all(
        tree.end[node] - node <= MAX_HEADING_NODES
        and weights.char_count(node) <= MAX_WHOLE_CELL_CHARS
        and not any(_is_field_of_heading(tree, below) for below in range(node + 1, tree.end[node]))
        for node in sample
    )


def _have_dates(tree: Tree, headings: Sequence[int]) -> bool:
    """True if most headings have an element with a date: the name of a user and when a post was written."""
    sample = headings[:MAX_SAMPLED_ELEMENTS]
    found = [
        any(_is_field_of_heading(tree, node) for node in range(heading + 1, tree.end[heading]))
        for heading in sample
        if tree.end[heading] - heading <= 2 * MAX_HEADING_NODES
    ]
    return 2 * sum(found) > len(sample)


def _is_field_of_heading(tree: Tree, node: int) -> bool:
    """True for what is a field of its own in a heading: an image, a list, a date, a price."""
    tag = tree.tag[node]
    if tag == TEXT:
        return False
    if tag in FIELD_TAGS or tag == "time":
        return True
    text = element_text(tree, node)
    return bool(text) and kind_of_values([text]) in ("date", "price")


def _are_split_prices(tree: Tree, nodes: Sequence[int]) -> bool:
    """True if most of the aligned elements are one price each, in several elements."""
    sample = [node for node in nodes if tree.end[node] > node + 2][:MAX_SAMPLED_ELEMENTS]
    if not sample or 2 * len(sample) < min(len(nodes), MAX_SAMPLED_ELEMENTS):
        return False
    return sum(bool(read_split_price(tree, node)) for node in sample) >= MIN_KIND_SHARE * len(sample)


def _find_inner_fields(
    tree: Tree, group: _Group, elements: Sequence[int], source: Literal["link", "image"]
) -> list[AlignedField]:
    """The links or images of cells, if several records have them: a list if many cells have several."""
    members = tuple(
        tuple(
            inner
            for node in member
            for inner in elements[bisect_left(elements, node) : bisect_left(elements, tree.end[node])]
        )
        for member in group.members
    )
    with_element = [member for member in members if member]
    if len(with_element) < min(2, len(members)):
        return []
    is_list = 3 * sum(len(member) > 1 for member in with_element) > len(with_element)
    step = PathStep("a" if source == "link" else "img", position=None if is_list else 1, is_deep=True)
    if not is_list:
        members = tuple(member[:1] for member in members)
    return [AlignedField((*group.path, step), source, members, is_list)]


def _find_leads(tree: Tree, group: _Group, links: Sequence[int]) -> list[AlignedField]:
    """The text and the target of the link with which prose begins, or of its only link."""
    if group.is_list:
        return []
    members: list[tuple[int, ...]] = []
    leading = 0
    for member in group.members:
        inner = links[bisect_left(links, member[0]) : bisect_left(links, tree.end[member[0]])] if member else []
        members.append(tuple(inner[:1]))
        if inner:
            begins = _begins_with(tree, member[0], inner[0])
            leading += begins
            if not begins and len(inner) > 1:
                members[-1] = ()
    filled = sum(map(bool, members))
    if 2 * filled < len(members):
        return []
    path = (*group.path, PathStep("a", position=1, is_deep=True))
    fields = [AlignedField(path, "link", tuple(members), is_list=False)]
    if 2 * leading > len(members):
        fields.insert(0, AlignedField(path, "prose", tuple(members), is_list=False))
    return fields


def _find_bold_lead(tree: Tree, group: _Group, bolds: Sequence[int]) -> list[AlignedField]:
    """The bold text with which prose begins, perhaps after a link: the name in a line of a directory."""
    if group.is_list:
        return []
    members: list[tuple[int, ...]] = []
    leading = 0
    for member in group.members:
        inner = bolds[bisect_left(bolds, member[0]) : bisect_left(bolds, tree.end[member[0]])] if member else []
        is_lead = bool(inner) and _begins_with(tree, member[0], inner[0], after_links=True)
        is_label = is_lead and element_text(tree, inner[0]).endswith((":", "："))
        leading += is_lead and not is_label
        members.append(tuple(inner[:1]))
    if leading < MIN_LEAD_SHARE * sum(map(bool, group.members)):
        return []
    tag = Counter(tree.tag[node] for member in members for node in member).most_common(1)[0][0]
    members = [tuple(node for node in member if tree.tag[node] == tag) for member in members]
    path = (*group.path, PathStep(tag, position=1, is_deep=True))
    return [AlignedField(path, "prose", tuple(members), is_list=False)]


def _begins_with(tree: Tree, node: int, inner: int, *, after_links: bool = False) -> bool:
    """True if no text of a node is before an element in it, except that of links if allowed, and some is in it."""
    before = node + 1
    while before < inner:
        if after_links and tree.tag[before] == "a" and tree.end[before] <= inner:
            before = tree.end[before]
        elif tree.tag[before] == TEXT and tree.text[before].strip():
            return False
        else:
            before += 1
    return any(tree.tag[below] == TEXT and tree.text[below].strip() for below in range(inner + 1, tree.end[inner]))


def _is_rare_value(tree: Tree, children: ChildrenByRecord) -> bool:
    """True if elements that few records have hold values that a reader misses: a sale price, a deadline."""
    if len(children) < MIN_RARE_RECORDS:
        return False
    nodes = _all_nodes(children)[:MAX_SAMPLED_ELEMENTS]
    if any("itemprop" in tree.attributes[node] for node in nodes):
        return True
    texts = [
        text
        for node in nodes
        if tree.end[node] - node <= MAX_PRICE_NODES
        and 0 < len(text := element_text(tree, node, whole=True)) <= MAX_RARE_CHARS
    ]
    return len(texts) == len(nodes) and kind_of_values(texts) in ("price", "date")


def _first_node(members: Sequence[Sequence[int]]) -> int:
    """The first element of the first record that has one."""
    return next((member[0] for member in members if member), 0)


def _group_children(
    tree: Tree, names: RecordElementNames, group: _Group, tops: Sequence[Record] | None = None
) -> Iterator[_Group]:
    """The groups below a group, one for each name of a child, or for each position of it.

    Where records are runs of siblings, `tops` are the top nodes of each record.
    """
    by_name: defaultdict[ElementName, ChildrenByRecord] = defaultdict(dict)
    terms: dict[int, int] = {}
    for record, member in enumerate(group.members):
        parents: list[Iterable[int]] = [tops[record]] if tops else []
        parents += [_element_children(tree, node) for node in member]
        for children in parents:
            siblings: defaultdict[ElementName, list[int]] = defaultdict(list)
            term: int | None = None
            for child in children:
                tag = tree.tag[child]
                if tag == TEXT or tag in IGNORED_TAGS:
                    continue
                siblings[names.choose(child)].append(child)
                term = child if tag == "dt" else term
                if term is not None and tag == "dd" and not tops:
                    terms[child] = term
            for name, nodes in siblings.items():
                by_name[name].setdefault(record, []).append(nodes)
    record_count = len(group.members)
    split: list[tuple[PathStep, ChildrenByRecord]] = []
    label_terms: set[int] = set()
    in_heading = any(step.tag in HEADING_TAGS for step in group.path)
    for name, named_children in by_name.items():
        step = PathStep(*name)
        if in_heading or step.tag in HEADING_TAGS:  # a colon in a title is part of the title
            split.append((step, named_children))
            continue
        labeled, rest, rest_step = split_by_label(tree, step, named_children, record_count, terms)
        split += labeled
        if rest:
            split.append((rest_step, rest))
        if step.tag == "dd":
            label_terms.update(terms[node] for _, descriptions in labeled for node in _all_nodes(descriptions))
    for step, step_children in split:
        if len(step_children) < MIN_RECORD_SHARE * record_count and not _is_rare_value(tree, step_children):
            continue
        if step.tag == "dt" and label_terms.issuperset(_all_nodes(step_children)):
            continue
        yield from _split_group(tree, group, step, step_children)


def _all_nodes(children: ChildrenByRecord) -> list[int]:
    return [node for groups in children.values() for nodes in groups for node in nodes]


def _split_group(tree: Tree, group: _Group, step: PathStep, children: ChildrenByRecord) -> Iterator[_Group]:
    """Split children of one name by position if their number is the same in most records, else by kind, else not."""
    records = range(len(group.members))
    all_nodes = _all_nodes(children)
    counts = Counter(len(nodes) for groups in children.values() for nodes in groups)
    _, usual_count = counts.most_common(1)[0]
    parents = {tree.parent[node] for node in all_nodes}
    step = replace(step, is_deep=not FORMATTING_TAGS.isdisjoint([tree.tag[parent] for parent in parents]))
    if (
        step.tag not in _ITEM_TAGS
        and max(counts) > 1
        and (
            step.tag in TABLE_CELL_TAGS
            or (max(counts) <= MAX_POSITIONS and usual_count >= MIN_SAME_COUNT_SHARE * counts.total())
        )
    ):
        for position in range(_count_positions(counts)):
            members = tuple(
                tuple(nodes[position] for nodes in children.get(record, ()) if len(nodes) > position)
                for record in records
            )
            yield _Group((*group.path, replace(step, position=position + 1)), members, group.is_list)
        return
    has_several = max(counts) > 1
    if has_several and step.tag not in _ITEM_TAGS and not step.label:
        if all(_is_plain_text(tree, node) for node in all_nodes):
            texts = {node: element_text(tree, node) for node in all_nodes}
            kinds = find_distinct_kinds(
                [texts[node] for node in nodes] for groups in children.values() for nodes in groups
            )
            node_kinds = {node: kind_of_values([text]) for node, text in texts.items()} if kinds else {}
            for kind in kinds:
                members = tuple(
                    tuple(node for nodes in children.get(record, ()) for node in nodes if node_kinds[node] == kind)
                    for record in records
                )
                yield _Group((*group.path, replace(step, kind=kind)), members, group.is_list)
            if kinds:
                return
    members = tuple(tuple(node for nodes in children.get(record, ()) for node in nodes) for record in records)
    yield _Group((*group.path, step), members, group.is_list or has_several)


def _count_positions(counts: Counter[int]) -> int:
    """The positions of children whose numbers are counted; beyond `MAX_POSITIONS`, those that enough parents have.

    So a row of a hundred cells among thousands with one does not make a hundred columns.
    """
    descending = sorted(counts.elements(), reverse=True)
    shared = descending[min(int(MIN_RECORD_SHARE * len(descending)), len(descending) - 1)]
    return min(max(shared, min(descending[0], MAX_POSITIONS)), MAX_GRID_COLUMNS)


def _is_plain_text(tree: Tree, node: int) -> bool:
    """True if an element contains text and formatting alone."""
    return all(tree.tag[below] == TEXT or is_formatting(tree, below) for below in range(node + 1, tree.end[node]))


def _element_children(tree: Tree, node: int) -> list[int]:
    """The child elements; formatting elements are replaced by their child elements."""
    tags, ends = tree.tag, tree.end
    children: list[int] = []
    at, end = node + 1, ends[node]
    while at < end:
        if tags[at] == TEXT or is_formatting(tree, at):
            at += 1
        else:
            children.append(at)
            at = ends[at]
    return children


def _find_sources(tree: Tree, nodes: Sequence[int], *, is_prose: bool, has_lines: bool) -> list[ValueSource]:
    """What can be read from aligned elements."""
    tag = tree.tag[nodes[0]] if nodes else ""
    if tag == "img":
        return ["image"]
    if tag in ("meta", "link"):
        return ["value"]
    sources: list[ValueSource] = []
    if tag == "time":
        sources.append("time")
    if is_prose:
        sources.append("prose")
    elif not has_lines and any(has_own_text(tree, node) for node in nodes):
        sources.append("text")
    if tag == "a":
        sources.append("link")
    return sources
