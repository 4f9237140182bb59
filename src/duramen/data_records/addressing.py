"""Where a list and its records stand, as expressions that outlast a change of the page.

An element is called by its id, its class or its tag; where these do not tell it from others, by what it holds:
`./tr[td[3]]`, `//main/div[div/h3/a]`. Positions come last: one banner more, and they name another.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice

from duramen import xpath
from duramen.dom.tree import TEXT, Tree

DEEPEST = 3
"""Steps down that are looked at for what an element holds."""
FEW = 20
"""Elements that are no records, though an expression for these gives them, that are looked at for what marks them."""
MOST = 40
"""Ways to tell what an element holds that are tried."""
_POSITION = re.compile(r"\[\d+\]")


def region_expression(tree: Tree, region: int, heads: Sequence[int]) -> str:
    """The expression for the element that holds the records, by no position if there is a way."""
    written = xpath.portable(tree, region)
    if not _POSITION.search(written) or not xpath.is_writable(tree.tag[region]):
        return written
    ways = list(dict.fromkeys(_ways_down(tree, region, heads)))[:MOST]
    for above in (*islice(tree.ancestors(region), DEEPEST), None):
        start = "" if above is None else xpath.portable(tree, above)
        if _POSITION.search(start):
            continue
        slash = "/" if above == tree.parent[region] else "//"
        for way in ways:
            held = f"{start}{slash}{tree.tag[region]}[{way}]"
            if xpath.select(tree, held) == [region]:
                return held
    return written


def _ways_down(tree: Tree, region: int, heads: Sequence[int]) -> Iterator[str]:
    """Ways from a region through the records to what all of these hold, the longest first: few lists share them."""
    steps: list[str] = []
    node = heads[0]
    while node != region and len(steps) <= DEEPEST:
        steps.insert(0, tree.tag[node])
        node = tree.parent[node]
    if node == region and all(map(xpath.is_writable, steps)):
        way = "/".join(steps)
        yield from (f"{way}/{held}" for held in reversed(_held(tree, heads)))
        yield way


def record_expression(tree: Tree, region: int, heads: Sequence[int]) -> str:
    """The expression for records, from their region, that gives the fewest others and misses the fewest."""
    wanted = set(heads)
    best, least = "", len(tree) + 1
    for written, found in _ways(tree, region, heads):
        wrong = len(wanted.symmetric_difference(found))
        if wrong < least:
            best, least = written, wrong
        if not wrong:
            return best
    others = [node for node in xpath.select(tree, best, region) if node not in wanted]
    for test in _marks(tree, heads, others[:FEW]):
        written = f"{best}[not({test})]"
        wrong = len(wanted.symmetric_difference(xpath.select(tree, written, region)))
        if wrong < least:
            best, least = written, wrong
    return best


def _marks(tree: Tree, heads: Sequence[int], others: Sequence[int]) -> list[str]:
    """What one or more of the others have, a class or something they hold, and no head has; the commonest first."""
    found: Counter[str] = Counter()
    for other in others:
        found.update([*_classes(tree, other), *_below(tree, other)])
    for head in heads:
        for test in _classes(tree, head) | _below(tree, head):
            found.pop(test, None)
        if not found:
            break
    return [test for test, _ in found.most_common(MOST)]


def _classes(tree: Tree, node: int) -> dict[str, None]:
    tokens = (tree.attributes[node].get("class") or "").split()
    return {xpath.class_token(token): None for token in tokens if xpath.looks_stable(tree.tag[node], "class", token)}


def _ways(tree: Tree, region: int, heads: Sequence[int]) -> Iterator[tuple[str, set[int]]]:
    """Ways to write the records, each with what it selects. What a name and a way down select together both select."""

    def tried(written: str) -> tuple[str, set[int]]:
        return written, set(xpath.select(tree, written, region))

    tags = dict.fromkeys(tree.tag[head] for head in heads)
    tag = next(iter(tags)) if len(tags) == 1 and xpath.is_writable(next(iter(tags))) else "*"
    shared = set.intersection(*(set((tree.attributes[head].get("class") or "").split()) for head in heads))
    named = [name for name in sorted(shared) if xpath.looks_stable(tag, "class", name)][:MOST]
    depths = {tree.depth[head] - tree.depth[region] for head in heads}
    steps = "./" + "*/" * (min(depths) - 1) if len(depths) == 1 else ".//"
    called: list[tuple[str, set[int]]] = []
    for name in named:
        called.append(tried(steps + xpath.by_attributes(tag, classes=[name])))
        yield called[-1]
    yield tried(steps + tag)
    yield tried(f"{steps}{tag}[not(@class)]")
    if steps != ".//":
        yield from (tried(".//" + xpath.by_attributes(tag, classes=[name])) for name in named)
        yield tried(".//" + tag)
        yield tried(f".//{tag}[not(@class)]")
    for way in _held(tree, heads):
        written, holding = tried(f"{steps}{tag}[{way}]")
        yield written, holding
        yield from ((f"{name}[{way}]", found & holding) for name, found in called)


def _held(tree: Tree, heads: Sequence[int]) -> list[str]:
    """Ways from child to child that all of the heads have: `td/a`, and `td[3]` where one has several."""
    shared: list[str] | None = None
    for head in heads:
        own = _below(tree, head)
        shared = list(own) if shared is None else [way for way in shared if way in own]
        if not shared:
            return []
    return (shared or [])[:MOST]


def _below(tree: Tree, head: int) -> dict[str, None]:
    found: dict[str, None] = {}
    waiting = [("", head)]
    for way, node in waiting:  # grows while it is walked; bounded below
        counted: dict[str, int] = {}
        for child in tree.children(node):
            tag = tree.tag[child]
            if tag == TEXT or not xpath.is_writable(tag):
                continue
            counted[tag] = counted.get(tag, 0) + 1
            found[f"{way}{tag}"] = None
            if counted[tag] > 1:
                found[f"{way}{tag}[{counted[tag]}]"] = None
            if way.count("/") < DEEPEST - 1 and len(waiting) < MOST:
                waiting.append((f"{way}{tag}/", child))
            if len(found) > 2 * MOST:
                return found
    return found
