"""Links as a source: `<link>` elements, `rel=tag` and `rel=license`, and the names that links give to the page.

A site names its pages in menus and breadcrumbs for people who look for them. These names are the pages' own, without
slogans and without words for search engines. They support a title that has the same words.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from duramen.dom.text import clean_text, read_clean_text, word_key
from duramen.dom.tree import Tree
from duramen.dom.tree_queries import find_rel_links
from duramen.dom.urls import split_host_and_path
from duramen.metadata.model import Claim, Claims, new_claims
from duramen.metadata.sources.json_ld import SchemaThing

REL: Final = "rel"

_LINK_RELATIONS: Final = frozenset(("canonical", "license", "image_src"))
_MAX_LINK_ELEMENTS: Final = 2000
_MAX_TAG_CHARS: Final = 80
_MAX_ANCHOR_CHARS: Final = 200
_MAX_SELF_LINKS: Final = 20
BREADCRUMB_TYPE: Final = "BreadcrumbList"


class LinkedNames(NamedTuple):
    """The names that the site gives to the page in links, as word keys."""

    links: frozenset[str] = frozenset()
    """Texts of links to the page itself."""
    breadcrumbs: frozenset[str] = frozenset()
    """Names at the end of breadcrumbs."""


NO_LINKED_NAMES: Final = LinkedNames()


def read_link_elements(tree: Tree) -> list[tuple[str, str]]:
    """Return the relation, in lower case, and the URL of each `<link>` with a relation that metadata needs."""
    links = []
    for _, rel, href in find_rel_links(tree, "link")[:_MAX_LINK_ELEMENTS]:
        rel = rel.lower()
        if not _LINK_RELATIONS.isdisjoint(rel.split()):
            links.append((rel, href.strip()))
    return links


def read_rel_links(tree: Tree) -> Claims:
    """Read the tags, categories and licenses that links of the body declare with their `rel` attribute."""
    claims = new_claims()
    for node, rel, href in find_rel_links(tree, "a"):
        relations = rel.lower().split()
        if "tag" in relations:
            text = read_clean_text(tree, node, _MAX_TAG_CHARS + 1).lstrip("#")
            if 0 < len(text) <= _MAX_TAG_CHARS:
                claims["category" if "category" in relations else "tag"].append(Claim(text, REL, "", node))
        if "license" in relations and not _is_in_figure(tree, node):  # a figure has its own license
            claims["license"].append(Claim(clean_text(href), REL, "", node))
    return claims


def _is_in_figure(tree: Tree, node: int) -> bool:
    return any(tree.tag[ancestor] == "figure" for ancestor in tree.ancestors(node))


def find_self_link_names(tree: Tree, url: str | None, path: str) -> frozenset[str]:
    """Return the texts of the page's links to itself. A home page has none: links to it are logos or say "Home"."""
    path = path.rstrip("/")
    if not path:
        return frozenset()
    host, _ = split_host_and_path(url)
    last_segment = path.rpartition("/")[2]
    candidates = tree.attribute_values_containing(last_segment, "href", tree.find_all("a"))
    self_links = [node for node, href in candidates if _leads_to(href, host, path)]
    keys = (word_key(read_clean_text(tree, node, _MAX_ANCHOR_CHARS)) for node in self_links[:_MAX_SELF_LINKS])
    return frozenset(key for key in keys if key)


def _leads_to(href: str, host: str, path: str) -> bool:
    """Return whether a URL, absolute or relative to the root, leads to this host and path."""
    href = href.strip().rstrip("/")
    if not href.endswith(path):
        return False
    before_path = href[: -len(path)].lower()
    return not before_path or before_path.partition("//")[2].removeprefix("www.") == host


def find_breadcrumb_names(things: list[SchemaThing]) -> frozenset[str]:
    """Return the names of the last steps of the breadcrumbs among these things."""
    names = set()
    for thing in things:
        steps = thing.data.get("itemListElement") if thing.type == BREADCRUMB_TYPE else None
        last = steps[-1] if isinstance(steps, list) and steps else None
        if not isinstance(last, dict):
            continue
        item = last.get("item")
        name = last.get("name") or (item.get("name") if isinstance(item, dict) else None)
        if isinstance(name, str) and (key := word_key(clean_text(name))):
            names.add(key)
    return frozenset(names)
