"""Build one portable XPath for the same element on several pages.

The names that the element has on all pages come first: its id, a token of its class, its microdata property; then
pairs of these, then its level. If the names are not enough, the path starts at the nearest ancestor that a name
identifies. Positions break first when a page changes, so they are used only where the pages agree on them and nothing
else is enough. The first expression that selects this element and no other on every page is taken; expressions are
tried from the shortest on, because what an expression leaves open may differ on an unseen page.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from duramen import xpath
from duramen.dom.tree import TEXT, Tree
from duramen.xpath.path_builder import drop_tbody, is_writable

PageElement = tuple[Tree, int]
"""An element of a page."""

_NAMING_ATTRIBUTES: Final = ("id", "itemprop", "class", "role", "name")
_find_non_digits = re.compile(r"[^\d]*").findall

_MAX_PAIRED_TESTS: Final = 5
_MAX_PAGES: Final = 12
"""Pages on which an expression is tried: more pages take time and hardly change it."""
_MAX_TESTS: Final = 30
"""Tests on the names of an element: no page of a person has an element with more classes."""
_MIN_VISITS, _VISITS_PER_NODE = 3_000_000, 20
"""Nodes that the expressions for one element may visit: a page with hundreds of named levels has thousands of
expressions, each of which visits most nodes once for each of its steps."""
SEARCH_ENDED_NOTE: Final = (
    "the search for a short XPath ended early, because the pages have very many named levels: the best one so far, or a"
    " path by position, was taken"
)


def find_shared_xpath(elements: Sequence[PageElement], notes: list[str] | None = None) -> str:
    """Return one expression for these elements, one of each page; a union (`|`) if they have little in common.

    If the search ends early, a note on that is added to `notes`.
    """
    by_tag: dict[str, list[PageElement]] = {}
    for tree, node in elements:
        by_tag.setdefault(tree.tag[node], []).append((tree, node))
    notes = [] if notes is None else notes
    return " | ".join(_find_xpath(_sample_evenly(group), notes) for group in by_tag.values())


def _sample_evenly(elements: list[PageElement]) -> list[PageElement]:
    step = -(-len(elements) // _MAX_PAGES)
    return elements[::step]


class _Trial:
    """Tries expressions on pages, as long as there are visits of nodes left."""

    def __init__(self, elements: list[PageElement]) -> None:
        self.visits_left = _MIN_VISITS + _VISITS_PER_NODE * sum(len(tree) for tree, _ in elements)

    @property
    def is_over(self) -> bool:
        return self.visits_left < 0

    def count_hits(self, elements: list[PageElement], expression: str) -> int:
        """Return the number of elements that an expression selects, and nothing else on their page."""
        steps = 1 + expression.partition("//")[2].count("/")  # those before `//` visit siblings only
        self.visits_left -= steps * sum(len(tree) for tree, _ in elements)
        if self.is_over:
            return 0
        return sum(xpath.select(tree, expression) == [node] for tree, node in elements)


def _find_xpath(elements: list[PageElement], notes: list[str]) -> str:
    best, best_count = "", -1
    trial = _Trial(elements)
    for expression in _generate_xpaths(elements, trial):
        if trial.is_over:
            break
        count = trial.count_hits(elements, expression)
        if count == len(elements):
            return expression
        if count > best_count:
            best, best_count = expression, count
    if trial.is_over and SEARCH_ENDED_NOTE not in notes:
        notes.append(SEARCH_ENDED_NOTE)
    if best_count > 0:
        return best
    return " | ".join(dict.fromkeys(xpath.make_positional_xpath(tree, node) for tree, node in elements))


def _generate_xpaths(elements: list[PageElement], trial: _Trial) -> Iterator[str]:
    """Yield the expressions to try, the best first."""
    tests = _find_name_tests(elements)
    steps = list(_generate_steps(elements, tests))
    yield from (f"//{step}" for step in steps)
    levels = {tree.depth[node] for tree, node in elements}
    if len(levels) == 1:
        level_test = f"count(ancestor::*)={levels.pop()}"
        yield from (
            f"//{_tag_test(elements)}[{' and '.join([*chosen, level_test])}]" for chosen in [tests[:1], tests] if chosen
        )
    path = _find_child_step(elements, tests)
    parents = _find_parents(elements)
    while not trial.is_over and parents and all(tree.parent[node] >= 0 for tree, node in parents):
        anchor = _find_anchor(parents, trial)
        if anchor:
            yield from (f"{anchor}//{step}" for step in steps)
            yield from (f"{anchor}/{variant}" for variant in dict.fromkeys([_drop_tbody(path), path]))
        path = f"{_find_child_step(parents, _find_name_tests(parents))}/{path}"
        parents = _find_parents(parents)
    yield from (f"/html/{variant}" for variant in dict.fromkeys([_drop_tbody(path), path]))


def _drop_tbody(path: str) -> str:
    return drop_tbody(f"/{path}").removeprefix("/")


def _find_anchor(elements: list[PageElement], trial: _Trial) -> str | None:
    """Return an expression by names alone that selects exactly the element on every page, or None."""
    if elements[0][0].body == elements[0][1]:
        return "/html/body"
    for step in _generate_steps(elements, _find_name_tests(elements)):
        if trial.is_over:
            return None
        if "[" in step and trial.count_hits(elements, f"//{step}") == len(elements):
            return f"//{step}"
    return None


def _find_parents(elements: list[PageElement]) -> list[PageElement]:
    """Return the parents if all have one and the same tag, else nothing."""
    parents = [(tree, tree.parent[node]) for tree, node in elements]
    if any(node < 0 for _, node in parents) or len({tree.tag[node] for tree, node in parents}) > 1:
        return []
    return parents


def _tag_test(elements: list[PageElement]) -> str:
    tag = elements[0][0].tag[elements[0][1]]
    return tag if is_writable(tag) else "*"


def _generate_steps(elements: list[PageElement], tests: list[str]) -> Iterator[str]:
    tag = _tag_test(elements)
    yield from (f"{tag}[{test}]" for test in tests)
    if tag not in ("div", "p", "td", "tr", "tbody", "span", "*"):
        yield tag
    yield from (f"{tag}[{first} and {second}]" for first, second in combinations(tests[:_MAX_PAIRED_TESTS], 2))


def _find_child_step(elements: list[PageElement], tests: list[str]) -> str:
    """Return a step from the parent: by name if that is enough on every page, else by position if the pages agree."""
    tag = _tag_test(elements)
    for step in ([tag] if tag != "*" else []) + [f"{tag}[{test}]" for test in tests]:
        if all(xpath.select(tree, f"./{step}", tree.parent[node]) == [node] for tree, node in elements):
            return step
    positions = [_find_position(tree, node) for tree, node in elements]
    if len(set(positions)) == 1:
        return f"{tag}[{positions[0]}]"
    return f"{tag}[{tests[0]}]" if tests else tag


def _find_position(tree: Tree, node: int) -> int:
    """Return the position of an element among its siblings that the tag test selects, from 1."""
    tag = tree.tag[node]
    any_tag = not is_writable(tag)
    siblings = (sibling for sibling in tree.children(tree.parent[node]) if sibling <= node)
    return sum(tree.tag[sibling] == tag or (any_tag and tree.tag[sibling] != TEXT) for sibling in siblings)


def _find_name_tests(elements: list[PageElement]) -> list[str]:
    """Return tests on names that all elements have, the most specific names first."""
    tree, node = elements[0]
    tests = []
    for attribute in _NAMING_ATTRIBUTES:
        values = [tree.attributes[node].get(attribute) or "" for tree, node in elements]
        if not all(values):
            continue
        if attribute == "class":
            others = [set(value.split()) for value in values[1:]]
            common = [token for token in dict.fromkeys(values[0].split()) if all(token in names for names in others)]
            stable = [token for token in common if xpath.looks_stable(tree.tag[node], attribute, token)]
            tests += [xpath.make_class_test(token) for token in stable]
        elif len(set(values)) == 1 and xpath.looks_stable(tree.tag[node], attribute, values[0]):
            tests.append(f"@{attribute}={xpath.quote_literal(values[0])}")
        elif attribute == "id":
            prefix = _find_non_digits(_find_common_prefix(values))[0]  # "post-" of "post-17" and "post-29"
            if sum(map(str.isalpha, prefix)) >= 3:
                tests.append(f"starts-with(@{attribute}, {xpath.quote_literal(prefix)})")
    return tests[:_MAX_TESTS]


def _find_common_prefix(values: list[str]) -> str:
    first, last = min(values), max(values)
    length = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:length]
