"""One portable XPath for the same element on several pages.

What the element is called on all of them comes first: an id, a token of its class, what microdata says of it; then two
of these, then its level. Where names do not decide, the nearest ancestor with a name of its own leads to it, and
positions, which are what breaks first when a page changes, are used only where the pages agree on them and nothing else
will do. The shortest expression that selects this element and no other on every page is taken: what it leaves open is
what an unseen page may differ in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from duramen import xpath
from duramen.dom.tree import TEXT, Tree
from duramen.xpath.building import is_writable

Place = tuple[Tree, int]
"""An element on a page."""

_NAMING: Final = ("id", "itemprop", "class", "role", "name")
_find_start = re.compile(r"[^\d]*").findall

_MOST_PAIRED: Final = 5
_MOST_READ: Final = 12
"""Pages on which an expression is tried: more would cost time and hardly change it."""


def shared(places: Sequence[Place]) -> str:
    """The expression for these elements, one a page; where they have little in common, several, joined by `|`."""
    by_tag: dict[str, list[Place]] = {}
    for tree, node in places:
        by_tag.setdefault(tree.tag[node], []).append((tree, node))
    return " | ".join(_shared(_some(group)) for group in by_tag.values())


def _some(places: list[Place]) -> list[Place]:
    step = -(-len(places) // _MOST_READ)
    return places[::step]


def _shared(places: list[Place]) -> str:
    best, most = "", -1
    for expression in _written(places):
        right = sum(xpath.select(tree, expression) == [node] for tree, node in places)
        if right == len(places):
            return expression
        if right > most:
            best, most = expression, right
    if most > 0:
        return best
    return " | ".join(dict.fromkeys(xpath.positional(tree, node) for tree, node in places))


def _written(places: list[Place]) -> Iterator[str]:
    """The expressions to try, the best first."""
    tests = _tests(places)
    own = list(_steps(places, tests))
    yield from (f"//{step}" for step in own)
    levels = {tree.depth[node] for tree, node in places}
    if len(levels) == 1:
        level = f"count(ancestor::*)={levels.pop()}"
        yield from (f"//{_tag(places)}[{' and '.join([*chosen, level])}]" for chosen in [tests[:1], tests] if chosen)
    path = _child_step(places, tests)
    above = _parents(places)
    while above and all(tree.parent[node] >= 0 for tree, node in above):
        anchor = _alone(above)
        if anchor:
            yield from (f"{anchor}//{step}" for step in own)
            # Browsers put in a tbody that was left out, lxml does not.
            yield from (f"{anchor}/{way}" for way in dict.fromkeys([_without_tbody(path), path]))
        path = f"{_child_step(above, _tests(above))}/{path}"
        above = _parents(above)
    yield from (f"/html/{way}" for way in dict.fromkeys([_without_tbody(path), path]))


def _without_tbody(path: str) -> str:
    return f"/{path}".replace("/tbody/", "//").removeprefix("/")


def _alone(places: list[Place]) -> str | None:
    """The expression by names that is right on every page."""
    if places[0][0].body == places[0][1]:
        return "/html/body"
    for step in _steps(places, _tests(places)):
        if "[" in step and all(xpath.select(tree, f"//{step}") == [node] for tree, node in places):
            return f"//{step}"
    return None


def _parents(places: list[Place]) -> list[Place]:
    """The elements above, if they are of one tag."""
    above = [(tree, tree.parent[node]) for tree, node in places]
    if any(node < 0 for _, node in above) or len({tree.tag[node] for tree, node in above}) > 1:
        return []
    return above


def _tag(places: list[Place]) -> str:
    tag = places[0][0].tag[places[0][1]]
    return tag if is_writable(tag) else "*"


def _steps(places: list[Place], tests: list[str]) -> Iterator[str]:
    tag = _tag(places)
    yield from (f"{tag}[{test}]" for test in tests)
    if tag not in ("div", "p", "td", "tr", "tbody", "span", "*"):
        yield tag
    yield from (f"{tag}[{one} and {other}]" for one, other in combinations(tests[:_MOST_PAIRED], 2))


def _child_step(places: list[Place], tests: list[str]) -> str:
    """A step from the parent: by name where that is enough on every page, else by position if the pages agree."""
    tag = _tag(places)
    for step in ([tag] if tag != "*" else []) + [f"{tag}[{test}]" for test in tests]:
        if all(xpath.select(tree, f"./{step}", tree.parent[node]) == [node] for tree, node in places):
            return step
    positions = [_position(tree, node) for tree, node in places]
    if len(set(positions)) == 1:
        return f"{tag}[{positions[0]}]"
    # In some pages more stands before it than in others: counted from the end they may agree.
    return f"{tag}[{tests[0]}]" if tests else tag


def _position(tree: Tree, node: int) -> int:
    tag = tree.tag[node]
    anything = not is_writable(tag)
    before = (sibling for sibling in tree.children(tree.parent[node]) if sibling <= node)
    return sum(tree.tag[sibling] == tag or (anything and tree.tag[sibling] != TEXT) for sibling in before)


def _tests(places: list[Place]) -> list[str]:
    """What the elements are all called, the most telling names first."""
    tree, node = places[0]
    tests = []
    for name in _NAMING:
        values = [tree.attributes[node].get(name) or "" for tree, node in places]
        if not all(values):
            continue
        if name == "class":
            tokens = [value.split() for value in values]
            common = [token for token in dict.fromkeys(tokens[0]) if all(token in others for others in tokens[1:])]
            stable = [token for token in common if xpath.looks_stable(tree.tag[node], name, token)]
            tests += [xpath.class_token(token) for token in stable]
        elif len(set(values)) == 1 and xpath.looks_stable(tree.tag[node], name, values[0]):
            tests.append(f"@{name}={xpath.literal(values[0])}")
        elif name == "id":
            prefix = _find_start(_common_start(values))[0]  # "post-" of "post-17" and "post-29"
            if sum(map(str.isalpha, prefix)) >= 3:
                tests.append(f"starts-with(@{name}, {xpath.literal(prefix)})")
    return tests


def _common_start(values: list[str]) -> str:
    first, last = min(values), max(values)
    length = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    return first[:length]
