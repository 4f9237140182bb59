"""Queries about a tree for the package: what its head declares, CSS selectors, ancestors of many nodes."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import replace
from typing import Final

from duramen.dom.lexbor import WordFlags
from duramen.dom.tree import Tree

NamedValue = tuple[int, str, str]
"""A node, a name, and a value: a `<meta>` element, or a link with its relation and URL."""

_META_NAMES: Final = ("property", "name", "itemprop", "http-equiv")
"""The attributes that name the value of a `<meta>` element; the first that is not empty counts."""
_PAGE_RELATIONS: Final = WordFlags({"canonical": 1, "license": 1, "src": 1, "tag": 1})
"""Words of the relations that describe the page: `canonical`, `license`, `image_src`, `tag`."""
_JSON_LD = re.compile(r"ld\+json", re.IGNORECASE | re.ASCII)


def find_meta_elements(tree: Tree, ignored: Container[str] = frozenset()) -> list[NamedValue]:
    """Return the `<meta>` elements with a name that is not `ignored` and a value: node, name, value."""
    named = []
    for node in tree.find_all("meta"):
        attributes = tree.attributes[node]
        value = attributes.get("content")
        name = next(filter(None, map(attributes.get, _META_NAMES)), None)
        if value and name and name not in ignored:
            named.append((node, name, value))
    return named


def find_rel_links(tree: Tree, tag: str) -> list[NamedValue]:
    """Return the elements of a tag whose `rel` may describe the page: node, relation, URL.

    Such relations are `canonical`, `license`, `image_src` and `tag`.
    """
    related = find_values_with_words(tree, _PAGE_RELATIONS, "rel", tree.find_all(tag))
    urls = tree.attribute_values("href", [node for node, _ in related])
    return [(node, relation, url) for (node, relation), url in zip(related, urls, strict=True) if url]


def find_json_ld_elements(tree: Tree) -> list[int]:
    """Return the `<script>` elements whose type is that of JSON-LD, in order."""
    scripts = tree.find_all("script")
    types = zip(scripts, tree.attribute_values("type", scripts), strict=True)
    return [node for node, type_ in types if type_ and _JSON_LD.search(type_)]


def find_values_with_words(tree: Tree, words: WordFlags, name: str, nodes: Sequence[int]) -> list[tuple[int, str]]:
    """Return those of the nodes whose attribute `name` may have one of the words, each with the whole value."""
    values = zip(nodes, tree.attribute_values(name, nodes), strict=True)
    return [(node, value) for node, value in values if value and words.find(value)]


def find_ancestors(tree: Tree, nodes: Iterable[int]) -> list[int]:
    """Return the elements below the body that contain one of these nodes, in order, each once."""
    parents, body = tree.parent, tree.body
    ancestors: set[int] = set()
    for node in nodes:
        node = parents[node]
        while node > body and node not in ancestors:
            ancestors.add(node)
            node = parents[node]
    return sorted(ancestors)


def select_css(tree: Tree, selector: str) -> list[int] | None:
    """Return the elements that a CSS selector selects, in order; None if the tree was pickled and has no parser."""
    selected = getattr(tree.attributes, "selected", None)  # a tree that was pickled has a plain list
    return None if selected is None else list(selected(selector))


def ignore_hidden(tree: Tree) -> Tree:
    """Return the same tree with no element hidden, as scripts may leave the page."""
    return replace(tree, ignores_hidden=True)
