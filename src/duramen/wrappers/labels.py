"""Where the pages of a site list their tags and their categories, learnt where the sample makes it sure.

Labels are links: `rel=tag` says so, or the address they lead to (`/tag/oak`, `?cat=3`), or the page's head, which names
the same words. Links that stand together, with no others between them, are a list, known by the element around them.
Lists of one make are compared across the pages: the labels of a page are its own, while those of a cloud or a menu are
the same everywhere, and those of other articles stand on a page several times.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Final, NamedTuple

from duramen import xpath
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.metadata import Metadata
from duramen.metadata.strings import key, text_of
from duramen.wrappers.expressions import Place, shared
from duramen.wrappers.steps import step_of

LEAST_PAGES: Final = 3
_LONGEST: Final = 80
_MOST: Final = 30
"""Labels of one page: more are a cloud of all that the site has."""
_OWN: Final = 0.5
"""Of the pages with a list, the share that must have labels that no other page has in its."""

_FOLDERS: Final = {
    "tags": "tags?|topics?|keywords?|labels?|etiquetas?|schlagw[^/]+|mots?-cles?|temas?|themen|themes?|tagi",
    "categories": "category|categories|cats?|sections?|rubri[^/]+|kategori[^/]+|categor[^/]+",
}
_leads_to: Final = {
    kind: re.compile(rf"(?:^|/)(?:{names})/[^/?#]+|[?&](?:{names})=\w", re.IGNORECASE).search
    for kind, names in _FOLDERS.items()
}

Fields = tuple[tuple[str, str], ...]
"""Names of fields of metadata, each with the expression for where it stands."""


class _List(NamedTuple):
    """Labels that stand together."""

    node: int
    labels: frozenset[str]


def learn_labels(read: Sequence[tuple[Page, Metadata]]) -> Fields:
    """Expressions for the elements that list tags and categories, as far as the pages agree."""
    found = []
    for kind in _FOLDERS:
        links = [_links(page.tree, kind, getattr(metadata, kind)) for page, metadata in read]
        trees = [page.tree for page, _ in read]
        for places in _makes(trees, links):
            expression = shared(places)
            if "|" not in expression and all(map(_holds, [expression] * len(trees), trees, links)):
                found.append((kind, expression))
                break
    return tuple(found)


def _holds(expression: str, tree: Tree, links: dict[int, bool]) -> bool:
    """Whether an expression selects one element of labels and nothing else on a page, or nothing at all."""
    nodes = xpath.select(tree, expression)
    if not nodes:
        return True
    inside = [is_label for link, is_label in links.items() if nodes[0] <= link < tree.end[nodes[0]]]
    return len(nodes) == 1 and bool(inside) and all(inside)


def _makes(trees: Sequence[Tree], links: Sequence[dict[int, bool]]) -> Iterator[list[Place]]:
    """The lists of each make that may be the pages' own, one a page; what most pages have comes first."""
    makes: dict[str, dict[int, list[_List]]] = {}
    for index, (tree, own) in enumerate(zip(trees, links, strict=True)):
        for group in _lists(tree, own):
            above = tree.parent[group.node]
            make = "/".join(step_of(tree.tag[node], tree.attributes[node]) for node in (above, group.node))
            makes.setdefault(make, {}).setdefault(index, []).append(group)
    for pages in sorted(makes.values(), key=len, reverse=True):
        lone = {index: groups[0] for index, groups in pages.items() if len(groups) == 1}
        if len(lone) >= LEAST_PAGES and len(lone) == len(pages) and _are_own(group.labels for group in lone.values()):
            yield [(trees[index], group.node) for index, group in lone.items()]


def _are_own(labels: Iterable[frozenset[str]]) -> bool:
    """Whether the lists of the pages differ as the pages do."""
    given = list(labels)
    return len(set(given)) > max(1.0, _OWN * len(given))


def _links(tree: Tree, kind: str, declared: Sequence[str]) -> dict[int, bool]:
    """The links of the body that show something, and which of them are labels."""
    nodes = [node for node in range(tree.body + 1, len(tree)) if tree.tag[node] == "a"]
    links = [
        (node, own, text_of(tree, node, _LONGEST + 1).strip(" #"))
        for node, own in zip(nodes, tree.read_attributes(nodes), strict=True)
        if own.get("href")
    ]
    words = set(map(key, declared))
    if 2 * len(words & {key(text) for _, _, text in links}) < len(words):
        words = set()  # the head names other things than the page shows
    found: dict[int, bool] = {}
    for node, own, text in links:
        relations = (own.get("rel") or "").lower().split()
        if "tag" in relations:
            is_label = ("category" in relations) == (kind == "categories")
        else:
            is_label = key(text) in words or _leads_to[kind](own.get("href") or "") is not None
        found[node] = is_label and 0 < len(text) <= _LONGEST
    return found


def _lists(tree: Tree, links: dict[int, bool]) -> Iterator[_List]:
    """Labels that stand in one element without other links; the widest such element that says no more than they do."""
    other = list(accumulate((links.get(node) is False for node in range(len(tree))), initial=0))
    texts = list(accumulate((bool(text) and not text.isspace() for text in tree.text), initial=0))
    stop = 0
    for link, is_label in links.items():
        if not is_label or link < stop:
            continue
        top = link
        while (above := tree.parent[top]) > tree.body and other[tree.end[above]] == other[above]:
            top = above
        stop = tree.end[top]
        inside = [node for node in range(top, stop) if links.get(node)]
        if len(inside) > _MOST:
            continue
        node = tree.common_ancestor(inside[0], inside[-1])
        if node == link and top < link:
            node = tree.parent[link]
        shown = texts[tree.end[node]] - texts[node]
        while node > top and texts[tree.end[tree.parent[node]]] - texts[tree.parent[node]] == shown:
            node = tree.parent[node]
        yield _List(node, frozenset(key(text_of(tree, one, _LONGEST + 1).strip(" #")) for one in inside))
