"""Segmentation: split the children of an element into records, in the way that makes the records most similar.

A record is one child (`li`), or a run of siblings (a row with a title, one with a summary, a spacer). Every run begins
with an element that has something in common with the first elements of the other runs: its tag, a class token, the tag
path down to the first visible node, or the kinds of its children. A `dt` begins a run by definition. Each possibility
is tried. The best has the highest

    weight × (1 − 1/N)² × regularity²,    N = (Σ w)² / Σ w², the effective number of records

where w is the weight to the power of ¾, so that one long post among short ones does not make a list of one record.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from duramen.data_records.subtrees import SubtreeWeights, measure_records, regularity, signature_of, similarity
from duramen.dom.tree import TEXT

Record = tuple[int, ...]
"""The top nodes of a record, in document order: one element, or a run of siblings."""

WEIGHT_POWER: Final = 0.75
"""Exponent of the weights in N."""
MAX_COMPARED_RECORDS: Final = 30
"""Records, from the middle of a list, whose similarity to the next is computed."""
STRIPE_SIMILARITY: Final = 0.6
"""If first elements are this similar to the second ones, they are every other row, and not starts of runs."""
STRIPE_FACTOR: Final = 0.5
"""Factor for the score of such runs."""
LOST_LINKS_PENALTY: Final = 0.3
"""Share of its score that a segmentation loses if it leaves out all links of the element: links lead to records."""
SIMPLE_MIN_COVERAGE, SIMPLE_MIN_REGULARITY = 0.95, 0.9
"""Children of one tag with this share of the weight and this regularity are the records: no runs are tried."""
MAX_DESCRIPTIONS_PER_TERM: Final = 3
"""With more `dd` per `dt` on average, a `dt` may be a heading above a list."""
MAX_STARTS_PER_FEATURE: Final = 8
"""Values of one feature (tag, class token, path, kinds of children) that are tried as starts of runs."""
WEAK_START_PRIOR: Final = 0.9
"""Factor for the score of runs whose starts share neither a tag nor a class."""
MAX_PATH_STEPS: Final = 6
"""Length of the tag path down to the first visible node."""
MAX_STRIPE_RUNS: Final = 10
"""Runs that are looked at to detect stripes."""
_ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Segmentation:
    """Records below one element, and what the score of the list is made of."""

    records: tuple[Record, ...]
    description: str
    """How the records were found, for people: "each li"."""
    weight: int
    effective_count: float
    prior: float = 1.0
    """Factor of at most 1 for segmentations that are less likely."""
    regularity: float = 1.0
    section_starts: tuple[int, ...] = ()
    """The first node of each section, if the records are those of several sections."""

    @property
    def score(self) -> float:
        """The score as a list; an upper bound as long as `regularity` is 1."""
        if self.effective_count <= 1:
            return 0.0
        return float(self.prior * self.weight * (1 - 1 / self.effective_count) ** 2 * self.regularity**2)


class _RunStarts(NamedTuple):
    """A way to split children into runs."""

    positions: tuple[int, ...]
    """Positions of the first elements of the runs among the children."""
    description: str
    prior: float


def segment(weights: SubtreeWeights, node: int) -> Segmentation | None:
    """Split the children of an element into records in the best way; None if no two children have a tag in common."""
    tree = weights.tree
    children = visible_children(weights, node)
    if len(children) < 2:
        return None
    tags = [tree.tag[child] for child in children]
    if "dt" in tags and len(terms := _find_terms(tags)) > 1:
        return make_segmentation(weights, _split_into_runs(tags, children, terms), "runs that begin with dt")
    best: Segmentation | None = None
    for tag, count in Counter(tags).most_common(3):
        if count > 1 and tag != TEXT:
            singles: tuple[Record, ...] = tuple(
                (child,) for child, name in zip(children, tags, strict=True) if name == tag
            )
            best = _choose_better(weights, best, singles, f"each {tag}")
    whole = weights.weight(node)
    if best and best.regularity >= SIMPLE_MIN_REGULARITY and best.weight >= SIMPLE_MIN_COVERAGE * whole:
        return best
    single_records = best and best.records
    for starts in _find_run_starts(weights, children, tags):
        if best and starts.prior * whole * (1 - 1 / len(starts.positions)) ** 2 < best.score:
            continue  # so few records cannot get a higher score
        records = _split_into_runs(tags, children, starts.positions)
        if records != single_records:
            best = _choose_better(weights, best, records, starts.description, starts.prior)
    return _shift_to_titles(weights, children, best) if best else None


def make_segmentation(
    weights: SubtreeWeights, records: tuple[Record, ...], description: str, prior: float = 1.0
) -> Segmentation:
    """The segmentation with these records, measured."""
    measured = _measure(weights, records, description, prior)
    return replace(measured, regularity=regularity(weights, _middle(records)))


def total_weight(weights: SubtreeWeights, records: Iterable[Record]) -> int:
    return sum(weights.weight(top) for record in records for top in record)


def visible_children(weights: SubtreeWeights, node: int) -> list[int]:
    """The children of an element that have weight, and its links, which lead somewhere even when they are empty."""
    tags, ends, weight_sums = weights.tree.tag, weights.tree.end, weights.weight_sums
    children: list[int] = []
    stop = ends[node]
    child = node + 1
    while child < stop:
        end = ends[child]
        if weight_sums[end] != weight_sums[child] or tags[child] == "a":
            children.append(child)
        child = end
    return children


def _choose_better(
    weights: SubtreeWeights,
    best: Segmentation | None,
    records: tuple[Record, ...],
    description: str,
    prior: float = 1.0,
) -> Segmentation | None:
    """The better of the best segmentation so far and these records. Regularity is computed only as far as needed."""
    measured = _measure(weights, records, description, prior)
    minimum = best.score if best else 0.0
    if measured.score <= minimum:
        return best
    regular = regularity(weights, _middle(records), (minimum / measured.score) ** 0.5 * (1 - _ROUNDING))
    if best and measured.score * regular**2 <= minimum:
        return best
    prior = measured.prior * (STRIPE_FACTOR if _is_striped(weights, records) else 1.0)
    found = replace(measured, prior=prior, regularity=regular)
    return found if best is None or found.score > best.score else best


def _measure(weights: SubtreeWeights, records: tuple[Record, ...], description: str, prior: float) -> Segmentation:
    measure = measure_records(weights, records, WEIGHT_POWER)
    around = weights.tree.parent[records[0][0]]
    prior *= 1 - LOST_LINKS_PENALTY * max(0.0, 1 - measure.link_count / max(1, weights.link_count(around)))
    return Segmentation(records, description, measure.weight, measure.effective_count, prior)


def _middle(records: tuple[Record, ...]) -> tuple[Record, ...]:
    """The records whose similarity counts: at the ends of a long list there may be others."""
    first = max(0, (len(records) - MAX_COMPARED_RECORDS) // 2)
    return records[first : first + MAX_COMPARED_RECORDS]


def _is_striped(weights: SubtreeWeights, records: tuple[Record, ...]) -> bool:
    """True if first elements are like the second ones: every other row, or the last row of a line, starts no run."""
    runs = [record for record in records if len(record) > 1][:MAX_STRIPE_RUNS]
    if not runs or 2 * len(runs) < len(records):
        return False
    similarities = [similarity(signature_of(weights, run[:1]), signature_of(weights, run[1:2])) for run in runs]
    return sum(similarities) > STRIPE_SIMILARITY * len(similarities)


def _find_terms(tags: Sequence[str]) -> tuple[int, ...]:
    """Positions of the `dt` that begin records: one or more terms and their descriptions are a record.

    Empty if terms have many descriptions: then they may be headings above lists.
    """
    starts = tuple(
        position for position, tag in enumerate(tags) if tag == "dt" and (not position or tags[position - 1] != "dt")
    )
    return starts if 0 < tags.count("dd") <= MAX_DESCRIPTIONS_PER_TERM * len(starts) else ()


def _shift_to_titles(weights: SubtreeWeights, children: Sequence[int], segmentation: Segmentation) -> Segmentation:
    """Move the start of each run to the title before it, if every run ends with the title of the next record.

    That happens when the element after the title has a class, and the title has none.
    """
    records = segmentation.records
    if len(records[0]) == 1 or records[0][0] == children[0]:
        return segmentation
    first = children.index(records[0][0])
    title_path = _path_to_first_visible(weights, children[first - 1])
    if not title_path:
        return segmentation
    if any(len(run) == 1 or _path_to_first_visible(weights, run[-1]) != title_path for run in records[:-1]):
        return segmentation
    if _path_to_first_visible(weights, records[-1][-1]) == title_path:
        return segmentation
    titles = (children[first - 1], *(run[-1] for run in records[:-1]))
    rests = (*(run[:-1] for run in records[:-1]), records[-1])
    shifted = tuple((title, *rest) for title, rest in zip(titles, rests, strict=True))
    return make_segmentation(
        weights, shifted, f"{segmentation.description}, and the title before it", segmentation.prior
    )


def _split_into_runs(tags: list[str], children: list[int], starts: tuple[int, ...]) -> tuple[Record, ...]:
    """Split children into runs at the start positions. The last run ends where no other run would go on."""
    stops = [*starts[1:], len(children)]
    if len(starts) > 2:
        other_runs = list(pairwise(starts))
        usual_tags = {tags[position] for start, stop in other_runs for position in range(start + 1, stop)}
        longest = max([stop - start for start, stop in other_runs])
        start = starts[-1]
        last = start + 1
        while last < min(len(children), start + longest) and tags[last] in usual_tags:
            last += 1
        stops[-1] = last
    return tuple([tuple(children[start:stop]) for start, stop in zip(starts, stops, strict=True)])


def _find_run_starts(weights: SubtreeWeights, children: list[int], tags: list[str]) -> list[_RunStarts]:
    """Ways to split children into runs, without repetition, the most reliable first."""
    tag_ids = weights.tag_ids
    elements = [child for child in children if tag_ids[child]]
    classes = dict(zip(elements, weights.tree.attribute_values("class", elements), strict=True))
    by_tag: dict[Hashable, list[int]] = {}
    by_token: dict[Hashable, list[int]] = {}
    by_path: dict[Hashable, list[int]] = {}
    by_pattern: dict[Hashable, list[int]] = {}
    for position, child in enumerate(children):
        by_tag.setdefault(tags[position], []).append(position)
        if tag_ids[child] == 0:
            by_path.setdefault(None, []).append(position)
            by_pattern.setdefault(None, []).append(position)
            continue
        for token in dict.fromkeys((classes[child] or "").split()):
            by_token.setdefault(token, []).append(position)
        by_path.setdefault(_path_to_first_visible(weights, child), []).append(position)
        by_pattern.setdefault(_child_pattern(weights, child), []).append(position)
    found: dict[tuple[int, ...], _RunStarts] = {}

    def add(positions: list[int], description: str, prior: float) -> None:
        starts = tuple(positions)
        found.setdefault(starts, _RunStarts(starts, description, prior))

    for tag, positions in _most_common(by_tag):
        if tag != TEXT:
            add(positions, f"runs that begin with {tag}", 1.0)
    for class_token, positions in _most_common(by_token):
        add(positions, f"runs that begin with .{class_token}", 1.0)
    if tags.count("li") == len(tags):
        return list(found.values())  # each li is a record, however much shorter some are
    for groups in (by_path, by_pattern):
        for kind, positions in _most_common(groups):
            if kind is not None:  # no text nodes
                add(positions, f"runs that begin with {tags[positions[0]]} like the first", WEAK_START_PRIOR)
    return list(found.values())


def _most_common(groups: dict[Hashable, list[int]]) -> list[tuple[Hashable, list[int]]]:
    repeated = [group for group in groups.items() if len(group[1]) > 1]
    repeated.sort(key=lambda group: len(group[1]), reverse=True)
    return repeated[:MAX_STARTS_PER_FEATURE]


def _path_to_first_visible(weights: SubtreeWeights, child: int) -> tuple[int, ...] | None:
    """The tag ids down to the first visible node; None for a text node."""
    ends, weight_sums, tag_ids = weights.tree.end, weights.weight_sums, weights.tag_ids
    if not tag_ids[child]:
        return None
    path = [tag_ids[child]]
    node, stop = child + 1, ends[child]
    while node < stop and len(path) < MAX_PATH_STEPS:
        end = ends[node]
        if weight_sums[end] == weight_sums[node]:
            node = end
        else:
            path.append(tag_ids[node])
            node, stop = node + 1, end
    return tuple(path)


def _child_pattern(weights: SubtreeWeights, child: int) -> Hashable:
    """The tag, the set of tags of the visible children (for table cells their number), and whether there is a link."""
    tags, ends, weight_sums, tag_ids = weights.tree.tag, weights.tree.end, weights.weight_sums, weights.tag_ids
    kinds: set[int] = set()
    count = 0
    has_cells = False
    stop = ends[child]
    node = child + 1
    while node < stop:
        end = ends[node]
        if weight_sums[end] != weight_sums[node]:
            count += 1
            kinds.add(tag_ids[node])
            if tags[node] == "td":
                has_cells = True
        node = end
    return tag_ids[child], count if has_cells else frozenset(kinds), weights.link_weight(child) != 0
