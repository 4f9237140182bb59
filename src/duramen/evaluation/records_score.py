"""How well a region and its records agree with the gold.

*Exact*: the region is the lowest element that holds all gold records. *Contained*: it holds them all, and perhaps more.

A record found is right when it stands for one gold record and one only. Where gold records are known to be whole, the
two must share more of what can be seen (letters, and a picture counts as one) than either has for itself. Where the
gold may be only the first element of its record, or the link in it, the record found must hold more than half of the
gold's. A record that holds two gold records is as wrong as one that holds none.

Posts are known by their texts alone: a record is right when it holds four fifths of the words of one post, and each
post goes to the record that is most like it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from duramen.dom.tree import TEXT, Tree
from duramen.evaluation.records_gold import Marked, Post
from duramen.language import words

Record = tuple[int, ...]
"""The top nodes of a record, in document order: an element, or a run of siblings."""

HELD = 0.8
"""Of the words of a post, the share that its record must hold."""

_UNSEEN = frozenset(("script", "style", "noscript", "template"))


@dataclass(frozen=True)
class RecordScore:
    """One method on one page."""

    exact: bool
    contained: bool
    listed: bool
    """Whether the page has a main list at all."""
    found: int = 0
    gold: int = 0
    right: int = 0

    @property
    def precision(self) -> float | None:
        """Of the records found, the share that is right; None where nothing was found and nothing was to be found."""
        if self.found:
            return self.right / self.found
        return 0.0 if self.listed else None

    @property
    def recall(self) -> float | None:
        return self.right / self.gold if self.gold else None


def score_records(tree: Tree, gold: Marked, region: int | None, records: Sequence[Record]) -> RecordScore:
    """The score of a region, None for "no main list", and of the records in it."""
    if not gold.records and (region is None or not gold.other):
        said = region is None
        return RecordScore(said, said, listed=False, found=len(records))
    ways = [(nodes, more) for nodes, more in ((gold.records, gold.optional), (gold.other, ())) if nodes]
    scores = [_score(tree, nodes, optional, gold.whole, region, records) for nodes, optional in ways]
    return max(scores, key=lambda score: (score.exact, (score.precision or 0) + (score.recall or 0)))


def _score(
    tree: Tree,
    gold: Sequence[int],
    optional: Sequence[int],
    whole: bool,
    region: int | None,
    records: Sequence[Record],
) -> RecordScore:
    exact = contained = False
    if region is not None:
        both = sorted({*gold, *optional})
        exact = region in (lowest(tree, gold), lowest(tree, both))
        contained = all(region <= node < tree.end[region] for node in gold)
    weights = [_weigh(tree, node) for node in range(len(tree))]
    for node in (*gold, *optional):
        if not any(weights[node : tree.end[node]]):
            weights[node] = 1  # an empty anchor can mark a record, and be held by one
    matched = _matches(tree, weights, records, [(node,) for node in gold], whole)
    spared = _matches(tree, weights, records, [(node,) for node in optional], whole) - matched
    return RecordScore(exact, contained, True, len(records) - len(spared), len(gold), len(matched))


def lowest(tree: Tree, nodes: Sequence[int]) -> int:
    """The lowest element that holds the nodes, of which there is at least one; of a single one, its parent."""
    if len(nodes) == 1:
        return tree.parent[nodes[0]]
    node = nodes[0]
    for other in nodes[1:]:
        node = tree.common_ancestor(min(node, other), max(node, other))
    return node


def _weigh(tree: Tree, node: int) -> int:
    if tree.tag[node] == TEXT:
        return 0 if tree.tag[tree.parent[node]] in _UNSEEN else len("".join(tree.text[node].split()))
    return int(tree.tag[node] == "img")


def _matches(
    tree: Tree, weights: Sequence[int], records: Sequence[Record], gold: Sequence[Record], whole: bool
) -> set[int]:
    """Which of the records stand each for one gold record, and for one only."""
    owner: dict[int, list[int]] = {}
    for place, record in enumerate(gold):
        for node in _seen(tree, weights, record):
            owner.setdefault(node, []).append(place)
    sizes = [sum(weights[node] for node in _seen(tree, weights, record)) for record in gold]
    claims: dict[int, list[int]] = {}
    for place, record in enumerate(records):
        shared: Counter[int] = Counter()
        size = 0
        for node in _seen(tree, weights, record):
            size += weights[node]
            for of in owner.get(node, ()):
                shared[of] += weights[node]
        for of, common in shared.items():
            if 2 * common > (sizes[of] + size - common if whole else sizes[of]):
                claims.setdefault(place, []).append(of)
    single = {place: held[0] for place, held in claims.items() if len(held) == 1}
    times = Counter(single.values())
    return {place for place, of in single.items() if times[of] == 1}


def _seen(tree: Tree, weights: Sequence[int], record: Record) -> Iterable[int]:
    return (node for top in record for node in range(top, tree.end[top]) if weights[node])


def score_posts(tree: Tree, gold: Sequence[Post], records: Sequence[Record]) -> RecordScore:
    """The score of records as posts. There is no gold region."""
    wanted = [Counter(words(post.text)) for post in gold]
    held = [Counter(words(" ".join(_texts(tree, record)))) for record in records]
    pairs: list[tuple[float, int, int]] = []
    for place, bag in enumerate(held):
        size = bag.total()
        for of, post in enumerate(wanted):
            total = post.total()
            common = (bag & post).total()
            if total and common >= HELD * total:
                pairs.append((common / (size + total - common), place, of))
    taken: set[int] = set()
    right: set[int] = set()
    for _, place, of in sorted(pairs, key=lambda pair: (-pair[0], pair[1], pair[2])):
        if place not in right and of not in taken:
            right.add(place)
            taken.add(of)
    return RecordScore(False, False, True, len(records), len(gold), len(right))


def _texts(tree: Tree, record: Record) -> Iterable[str]:
    for top in record:
        for node in range(top, tree.end[top]):
            if tree.tag[node] == TEXT and tree.tag[tree.parent[node]] not in _UNSEEN:
                yield tree.text[node]
