"""Selectors: XPaths of a list and of its records that survive changes of the page.

An element is selected by id, class or tag; where these are not enough, by what it contains: `./tr[td[3]]`,
`//main/div[div/h3/a]`. Positions are the last resort: with one more banner they select another element.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from duramen import xpath
from duramen.dom.tree import TEXT, Tree

MAX_CONTENT_STEPS: Final = 3
"""Depth to which the content of an element is examined."""
MAX_WRONG_NODES: Final = 20
"""Elements selected by mistake that are examined for what distinguishes them from records."""
MAX_CONDITIONS: Final = 40
"""Conditions that are tried."""
_POSITION = re.compile(r"\[\d+\]")


def find_region_xpath(tree: Tree, region: int, starts: Sequence[int]) -> str:
    """The XPath of the element that holds the records, without positions if possible.

    `starts` are the first nodes of the records.
    """
    written = xpath.make_portable_xpath(tree, region)
    if not _POSITION.search(written) or not xpath.is_writable(tree.tag[region]):
        return written
    conditions = list(dict.fromkeys(_paths_through_records(tree, region, starts)))[:MAX_CONDITIONS]
    for above in (*islice(tree.ancestors(region), MAX_CONTENT_STEPS), None):
        prefix = "" if above is None else xpath.make_portable_xpath(tree, above)
        if _POSITION.search(prefix):
            continue
        slash = "/" if above == tree.parent[region] else "//"
        for condition in conditions:
            candidate = f"{prefix}{slash}{tree.tag[region]}[{condition}]"
            if xpath.select(tree, candidate) == [region]:
                return candidate
    return written


def _paths_through_records(tree: Tree, region: int, starts: Sequence[int]) -> Iterator[str]:
    """Paths from a region through the records to what all of them contain, the longest, which are rarest, first."""
    steps: list[str] = []
    node = starts[0]
    while node != region and len(steps) <= MAX_CONTENT_STEPS:
        steps.insert(0, tree.tag[node])
        node = tree.parent[node]
    if node == region and all(map(xpath.is_writable, steps)):
        path = "/".join(steps)
        yield from (f"{path}/{content}" for content in reversed(_common_content(tree, starts)))
        yield path


def find_record_xpath(tree: Tree, region: int, starts: Sequence[int]) -> str:
    """The XPath of the records, relative to their region, with the fewest missing and superfluous nodes."""
    wanted = set(starts)
    best, fewest_errors = "", len(tree) + 1
    for written, selected in _candidate_xpaths(tree, region, starts):
        errors = len(wanted.symmetric_difference(selected))
        if errors < fewest_errors:
            best, fewest_errors = written, errors
        if not errors:
            return best
    wrong = [node for node in xpath.select(tree, best, region) if node not in wanted]
    for condition in _conditions_of_others(tree, starts, wrong[:MAX_WRONG_NODES]):
        written = f"{best}[not({condition})]"
        errors = len(wanted.symmetric_difference(xpath.select(tree, written, region)))
        if errors < fewest_errors:
            best, fewest_errors = written, errors
    return best


def _conditions_of_others(tree: Tree, starts: Sequence[int], others: Sequence[int]) -> list[str]:
    """Classes and contents that some of the others have, and no record; the most common first."""
    counts: Counter[str] = Counter()
    for other in others:
        counts.update([*_class_conditions(tree, other), *_content_paths(tree, other)])
    for start in starts:
        for condition in _class_conditions(tree, start) | _content_paths(tree, start):
            counts.pop(condition, None)
        if not counts:
            break
    return [condition for condition, _ in counts.most_common(MAX_CONDITIONS)]


def _class_conditions(tree: Tree, node: int) -> dict[str, None]:
    tokens = (tree.attributes[node].get("class") or "").split()
    return {
        xpath.make_class_test(token): None for token in tokens if xpath.looks_stable(tree.tag[node], "class", token)
    }


def _candidate_xpaths(tree: Tree, region: int, starts: Sequence[int]) -> Iterator[tuple[str, set[int]]]:
    """XPaths for the records, each with the nodes it selects: by class, by tag, by content, and combinations."""

    def with_nodes(written: str) -> tuple[str, set[int]]:
        return written, set(xpath.select(tree, written, region))

    tags = dict.fromkeys(tree.tag[start] for start in starts)
    tag = next(iter(tags)) if len(tags) == 1 and xpath.is_writable(next(iter(tags))) else "*"
    shared = set.intersection(*(set((tree.attributes[start].get("class") or "").split()) for start in starts))
    classes = [name for name in sorted(shared) if xpath.looks_stable(tag, "class", name)][:MAX_CONDITIONS]
    depths = {tree.depth[start] - tree.depth[region] for start in starts}
    steps = "./" + "*/" * (min(depths) - 1) if len(depths) == 1 else ".//"
    by_class: list[tuple[str, set[int]]] = []
    for name in classes:
        by_class.append(with_nodes(steps + xpath.make_step(tag, classes=[name])))
        yield by_class[-1]
    yield with_nodes(steps + tag)
    yield with_nodes(f"{steps}{tag}[not(@class)]")
    if steps != ".//":
        yield from (with_nodes(".//" + xpath.make_step(tag, classes=[name])) for name in classes)
        yield with_nodes(".//" + tag)
        yield with_nodes(f".//{tag}[not(@class)]")
    for content in _common_content(tree, starts):
        written, with_content = with_nodes(f"{steps}{tag}[{content}]")
        yield written, with_content
        yield from ((f"{name}[{content}]", nodes & with_content) for name, nodes in by_class)


def _common_content(tree: Tree, starts: Sequence[int]) -> list[str]:
    """Child paths that all of the records have: `td/a`, and `td[3]` where there are several."""
    shared: list[str] | None = None
    for start in starts:
        own = _content_paths(tree, start)
        shared = list(own) if shared is None else [path for path in shared if path in own]
        if not shared:
            return []
    return (shared or [])[:MAX_CONDITIONS]


def _content_paths(tree: Tree, start: int) -> dict[str, None]:
    """Child paths from an element to the elements in it."""
    paths: dict[str, None] = {}
    waiting = [("", start)]
    for prefix, node in waiting:  # grows while it is walked; bounded below
        counts: dict[str, int] = {}
        for child in tree.children(node):
            tag = tree.tag[child]
            if tag == TEXT or not xpath.is_writable(tag):
                continue
            counts[tag] = counts.get(tag, 0) + 1
            paths[f"{prefix}{tag}"] = None
            if counts[tag] > 1:
                paths[f"{prefix}{tag}[{counts[tag]}]"] = None
            if prefix.count("/") < MAX_CONTENT_STEPS - 1 and len(waiting) < MAX_CONDITIONS:
                waiting.append((f"{prefix}{tag}/", child))
            if len(paths) > 2 * MAX_CONDITIONS:
                return paths
    return paths
