"""Tag paths in tolerant form: how elements and pages of a site are compared.

A *step* is an element's tag with its id and class in tolerant form, written as in CSS: `div#story.body`. A *tag path*
is the sequence of steps from the root. It is stored as a number, the same for the same path on all pages of a sample.
A *box* is an element with an id or a class. The *box path* of an element starts at the nearest box around it:
`ul.related/li` is the same path wherever on the page the list stands.

Pages of one *template* share most of their tag paths. In the first pass every page joins the template whose *core* (the
paths that at least half of its pages have) is most similar to it, or starts a new template. In the second pass pages
may change to a template that was started later. Similarity is Jaccard's, |A ∩ B| / |A ∪ B|. The result is
deterministic, and the time is linear in the pages for a given number of templates.

On news-sites-dev and feed-sites-dev, pages of different sites have a similarity of at most 0.33, and that only if both
are bare tables of 2005 (0.05 is usual for modern pages). Pages of one template have 0.5 or more, blog posts with much
markup 0.4.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from duramen.dom.class_names import CONTAINER, classify_name, has_caption_word
from duramen.dom.tag_sets import SCRIPT_TAGS
from duramen.dom.tree import TEXT, Attributes, Tree

_find_number = re.compile(r"\d+")

COMMENTS: Final = "comments"
CAPTION: Final = "caption"
_STEP_PUNCTUATION = re.compile("[#.]")


def tolerant_form(value: str) -> str:
    """Return the first token of an attribute's value without digits.

    The form of "post wrapper-02" is "post", that of "post-17" is "post-". Oita and Senellart, FOREST, section 3.2.
    """
    tokens = value.split(None, 1)
    return _find_number.sub("", tokens[0]) if tokens else ""


def format_step(tag: str, attributes: Attributes) -> str:
    """Return the step of an element: `div#story.body`."""
    return format_named_step(tag, attributes.get("id"), attributes.get("class")) if attributes else tag


@lru_cache(maxsize=1 << 14)  # pages of one site have the same few hundred steps
def format_named_step(tag: str, identifier: str | None, classes: str | None) -> str:
    """Return the step of an element with this id and class."""
    step = tag
    if identifier and (form := tolerant_form(identifier)):
        step += f"#{form}"
    if classes and (form := tolerant_form(classes)):
        step += f".{form}"
    return step


@lru_cache(maxsize=1 << 12)
def find_roles(path: str) -> frozenset[str]:
    """Return which of the roles `COMMENTS` and `CAPTION` the tag, id and class of an element name.

    The element is given by its step or by a path that ends with it. That the comments of a page have this word in
    their id or class is the paper's own remark (FOREST, section 4, "Challenges"); the same holds for captions.
    """
    step = path.rpartition("/")[2]
    roles = set()
    if any(classify_name(name) >= CONTAINER for name in _STEP_PUNCTUATION.split(step)):
        roles.add(COMMENTS)
    if has_caption_word(step):
        roles.add(CAPTION)
    return frozenset(roles)


class TagPaths:
    """Numbers for the tag paths of a sample. A path is stored once, as the number of its parent path and a step."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}

    def number_nodes(self, tree: Tree) -> list[int]:
        """Return the number of each element's path; -1 for text, scripts and styles, which have none."""
        tags, parents, path_numbers = tree.tag, tree.parent, self._numbers
        elements = _find_elements(tree)
        names, name_of = tree.attribute_combinations(("id", "class"), elements)
        numbers = [-1] * len(tags)
        for node, name in zip(elements, name_of, strict=True):
            parent = parents[node]
            # The classes of a body often differ from page to page, so the step of a body is its tag alone.
            step = format_named_step(tags[node], *names[name]) if parent > 0 else tags[node]
            key = numbers[parent] if parent >= 0 else -1, step
            numbers[node] = path_numbers.setdefault(key, len(path_numbers))
        return numbers


def _find_elements(tree: Tree) -> list[int]:
    """Return the elements of a page without scripts and styles, and without what is in them."""
    elements: list[int] = []
    skip_until = 0
    for node, tag in enumerate(tree.tag):
        if tag == TEXT or node < skip_until:
            continue
        if tag in SCRIPT_TAGS:
            skip_until = tree.end[node]
        else:
            elements.append(node)
    return elements


MAX_BOX_LEVELS: Final = 64
"""Elements around a block that are looked at. Pages have some thirty levels; hostile ones have hundreds."""
MAX_BOX_PATH_CHARS: Final = 1_000
"""Longer box paths lose their beginning: thousands of elements below hundreds of levels would need gigabytes."""


class BoxPaths:
    """The box paths of elements inside a region, computed on demand; the path of the region itself is ''."""

    def __init__(self, tree: Tree, region: int) -> None:
        self.tree = tree
        self.region = region
        self.by_node = {region: ""}
        """The paths computed so far."""
        self._joined: dict[tuple[str, str], str] = {}  # each path is joined and stored once

    def __getitem__(self, node: int) -> str:
        if node <= self.region:  # text directly in an inline region: its block is an element around the region
            return ""
        paths, tree = self.by_node, self.tree
        path = paths.get(node)
        if path is not None:
            return path
        without_path = []
        while node not in paths:
            without_path.append(node)
            node = tree.parent[node]
        path = paths[node]
        for node in reversed(without_path):
            tag = tree.tag[node]
            step = format_step(tag, tree.attributes[node])
            if len(step) == len(tag):
                key = path[-MAX_BOX_PATH_CHARS:], tag
                step = self._joined.get(key) or self._joined.setdefault(key, "/".join(key))
            paths[node] = path = step
        return path

    def elements_around(self, node: int) -> list[int]:
        """Return the node and its nearest ancestors inside the region, the innermost first."""
        elements: list[int] = []
        while node > self.region and len(elements) < MAX_BOX_LEVELS:
            elements.append(node)
            node = self.tree.parent[node]
        return elements


# Templates

SAME_TEMPLATE_SIMILARITY: Final = 0.4
"""Pages with at least this similarity are of one template."""

SAME_SITE_SIMILARITY: Final = 0.1
"""Pages with less similarity have nothing in common but HTML."""


@dataclass
class PageTemplate:
    """Pages of one template, by index."""

    pages: list[int] = field(default_factory=list)
    _path_counts: Counter[int] = field(default_factory=Counter, repr=False)

    def add(self, page: int, paths: frozenset[int]) -> None:
        self.pages.append(page)
        self._path_counts.update(paths)

    def find_core(self) -> frozenset[int]:
        """Return the paths that at least half of the pages have."""
        return frozenset(path for path, count in self._path_counts.items() if 2 * count >= len(self.pages))


def find_path_sets(trees: Sequence[Tree]) -> list[frozenset[int]]:
    """Return the tag paths of each page below its body: all pages have a head and a body."""
    paths = TagPaths()
    return [frozenset(paths.number_nodes(tree)[tree.body + 1 :]) - {-1} for tree in trees]


def jaccard_similarity(first: frozenset[int], second: frozenset[int]) -> float:
    """Return the share of the paths of either set that both sets have."""
    union = len(first | second)
    return len(first & second) / union if union else 1.0


def find_templates(
    path_sets: Sequence[frozenset[int]], min_similarity: float = SAME_TEMPLATE_SIMILARITY
) -> list[PageTemplate]:
    """Group pages, given by their tag paths, into templates; the largest first."""
    first_pass: list[PageTemplate] = []
    cores: list[frozenset[int]] = []
    for page, paths in enumerate(path_sets):
        index, similarity = _find_nearest(paths, cores)
        if similarity < min_similarity:
            index = len(first_pass)
            first_pass.append(PageTemplate())
            cores.append(frozenset())
        first_pass[index].add(page, paths)
        cores[index] = first_pass[index].find_core()
    templates = [PageTemplate() for _ in first_pass]
    for page, paths in enumerate(path_sets):
        templates[_find_nearest(paths, cores)[0]].add(page, paths)
    return sorted(
        (template for template in templates if template.pages),
        key=lambda template: (-len(template.pages), template.pages),
    )


def _find_nearest(paths: frozenset[int], cores: Sequence[frozenset[int]]) -> tuple[int, float]:
    """Return the index of the most similar core, the first of equals, and its similarity."""
    similarities = [jaccard_similarity(paths, core) for core in cores]
    return max(enumerate(similarities), key=lambda pair: (pair[1], -pair[0]), default=(0, -1.0))
