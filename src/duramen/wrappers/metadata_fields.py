"""Learn where the pages of a site show their authors, dates, tags and categories.

*Authors and dates*: the values that `duramen.metadata` reads from all sources of a page are searched in its body; the
elements that show them get one XPath. It is kept only if it selects exactly that element on each page that shows the
value, and if these are at least `MIN_PAGES` and nearly all. On a new page it reads the field from the same place.

*Tags and categories* are lists of links: `rel=tag` says so, or the URL of the link (`/tag/oak`, `?cat=3`), or the head
of the page, which names the same words. Links without other links between them are a list, known by the element around
them. Lists of the same structure are compared across the pages: the labels of an article differ from page to page,
those of a tag cloud or a menu are the same everywhere, and those of other articles occur several times on a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, islice
from typing import Final, NamedTuple

from duramen import xpath
from duramen.dom.dates import Moment, as_date, parse_date
from duramen.dom.page import Page
from duramen.dom.tag_sets import SCRIPT_TAGS
from duramen.dom.text import clean_text, read_clean_text, word_key
from duramen.dom.tree import Attributes, Tree
from duramen.metadata import Metadata
from duramen.metadata.author_names import parse_names
from duramen.wrappers.selectors import PageElement, find_shared_xpath
from duramen.wrappers.tag_paths import format_step

MIN_PAGES: Final = 3
_MIN_PAGE_SHARE: Final = 0.8
"""Of the pages whose metadata has a field, the share that must show it in the same place."""
_MAX_VALUE_CHARS: Final = 160
_MAX_LABEL_CHARS: Final = 80
_MAX_LABELS: Final = 30
"""Labels of one page: a longer list is a cloud of all tags of the site."""
_MAX_LABEL_LISTS: Final = 20
"""Structures of lists that are tried, the most frequent first. Each costs a search for its XPath."""
_MIN_DISTINCT_SHARE: Final = 0.5
"""Of the pages with a list of labels, the share that must have labels different from all other pages."""

_LABEL_FOLDERS: Final = {
    "tags": "tags?|topics?|keywords?|labels?|etiquetas?|schlagw[^/]+|mots?-cles?|temas?|themen|themes?|tagi",
    "categories": "category|categories|cats?|sections?|rubri[^/]+|kategori[^/]+|categor[^/]+",
}
_is_label_url: Final = {
    kind: re.compile(rf"(?:^|/)(?:{folders})/[^/?#]+|[?&](?:{folders})=\w", re.IGNORECASE).search
    for kind, folders in _LABEL_FOLDERS.items()
}

FieldSelectors = tuple[tuple[str, str], ...]
"""Names of metadata fields, each with the XPath of the element that shows it."""

ValueTest = Callable[[str, str], bool]
"""Tests whether an element shows a value, by its text and its `datetime` attribute."""


def learn_fields(pages: Sequence[Page]) -> FieldSelectors:
    """Return XPaths for the fields that the pages show in the same place."""
    metadata_of_pages = [(page, Metadata.read(page)) for page in pages]
    tests_of_pages = [_make_tests(metadata) for _, metadata in metadata_of_pages]
    elements_of_pages = [
        _find_elements_showing(page.tree, tests) for page, tests in zip(pages, tests_of_pages, strict=True)
    ]
    selectors = []
    for name in ("authors", "published", "modified"):
        shown = zip(pages, elements_of_pages, strict=True)
        elements = [(page.tree, nodes[name]) for page, nodes in shown if name in nodes]
        pages_with_field = sum(name in tests for tests in tests_of_pages)
        if len(elements) >= MIN_PAGES and len(elements) >= _MIN_PAGE_SHARE * pages_with_field:
            expression = _find_exact_xpath(elements)
            if expression:
                selectors.append((name, expression))
    return (*selectors, *_learn_labels(metadata_of_pages))


def find_field_elements(page: Page) -> dict[str, int]:
    """Return the elements that show the title, the authors and the dates of a page.

    Fields that its metadata does not have are left out.
    """
    metadata = Metadata.read(page)
    tests = _make_tests(metadata)
    if title := word_key(metadata.title or ""):
        tests["title"] = lambda text, _: word_key(text) == title
    return _find_elements_showing(page.tree, tests)


def _find_exact_xpath(elements: list[PageElement]) -> str | None:
    """Return the XPath of these elements if it selects nothing else on any of the pages."""
    expression = find_shared_xpath(elements)
    if "|" in expression or any(xpath.select(tree, expression) != [node] for tree, node in elements):
        return None
    return expression


def _make_tests(metadata: Metadata) -> dict[str, ValueTest]:
    """Return a test for each field that the metadata has.

    The modification date is tested for if it is another day than the publication: else one date may stand for both.
    """
    tests: dict[str, ValueTest] = {}
    if authors := {word_key(author.name) for author in metadata.authors}:
        tests["authors"] = _make_authors_test(authors)
    published, modified = metadata.published, metadata.modified
    if published is not None:
        tests["published"] = _make_day_test(published, metadata.language)
        if modified is not None and as_date(published) != as_date(modified):
            tests["modified"] = _make_day_test(modified, metadata.language)
    return tests


def _make_authors_test(authors: set[str]) -> ValueTest:
    longest_word = max((word for author in authors for word in author.split()), key=len, default="")

    def shows_authors(text: str, _: str) -> bool:
        # The plain search comes first: a page has hundreds of texts, and few with a name in them.
        return longest_word in text.casefold() and {word_key(name) for name in parse_names(text)} == authors

    return shows_authors


def _make_day_test(moment: Moment, lang: str | None) -> ValueTest:
    day = as_date(moment)

    def shows_day(text: str, datetime_attribute: str) -> bool:
        date = parse_date(datetime_attribute, lang) if datetime_attribute else parse_date(text, lang)
        return date is not None and as_date(date) == day

    return shows_day


def _find_elements_showing(tree: Tree, tests: Mapping[str, ValueTest]) -> dict[str, int]:
    """Return for each field the parent of the first text node in the body that shows its value."""
    nodes: dict[str, int] = {}
    open_tests = dict(tests)
    tested: set[int] = set()
    for node in tree.text_nodes:
        if not open_tests:
            break
        parent = tree.parent[node]
        if node <= tree.body or parent in tested or not 2 < len(tree.text[node].strip()) <= _MAX_VALUE_CHARS:
            continue
        tested.add(parent)
        if tree.tag[parent] in SCRIPT_TAGS or tree.tag[parent] == "title":
            continue
        text = read_clean_text(tree, parent, _MAX_VALUE_CHARS)
        datetime_attribute = clean_text(tree.attributes[parent].get("datetime"))
        for name in [name for name, test in open_tests.items() if test(text, datetime_attribute)]:
            nodes[name] = parent
            del open_tests[name]
    return nodes


class _LabelList(NamedTuple):
    """Labels that stand together in one element."""

    node: int
    labels: frozenset[str]


def _learn_labels(metadata_of_pages: Sequence[tuple[Page, Metadata]]) -> FieldSelectors:
    """Return XPaths of the elements that list tags and categories, if the pages agree."""
    selectors = []
    trees = [page.tree for page, _ in metadata_of_pages]
    links_of_pages = [_read_links(tree) for tree in trees]
    for kind in _LABEL_FOLDERS:
        links = [
            _find_labels(page_links, kind, getattr(metadata, kind))
            for page_links, (_, metadata) in zip(links_of_pages, metadata_of_pages, strict=True)
        ]
        for elements in islice(_find_label_lists(trees, links), _MAX_LABEL_LISTS):
            expression = find_shared_xpath(elements)
            if "|" not in expression and all(
                _selects_only_labels(expression, tree, own) for tree, own in zip(trees, links, strict=True)
            ):
                selectors.append((kind, expression))
                break
    return tuple(selectors)


def _selects_only_labels(expression: str, tree: Tree, links: dict[int, bool]) -> bool:
    """True if the XPath selects nothing on a page, or one element whose links are all labels."""
    nodes = xpath.select(tree, expression)
    if not nodes:
        return True
    inside = [is_label for link, is_label in links.items() if nodes[0] <= link < tree.end[nodes[0]]]
    return len(nodes) == 1 and bool(inside) and all(inside)


def _find_label_lists(trees: Sequence[Tree], links: Sequence[dict[int, bool]]) -> Iterator[list[PageElement]]:
    """Yield lists of the same structure that differ between pages, one of each page; the most frequent first."""
    by_structure: dict[str, dict[int, list[_LabelList]]] = {}
    for index, (tree, page_links) in enumerate(zip(trees, links, strict=True)):
        for label_list in _group_labels(tree, page_links):
            parent = tree.parent[label_list.node]
            structure = "/".join(
                format_step(tree.tag[node], tree.attributes[node]) for node in (parent, label_list.node)
            )
            by_structure.setdefault(structure, {}).setdefault(index, []).append(label_list)
    for lists_of_pages in sorted(by_structure.values(), key=len, reverse=True):
        single = {index: lists[0] for index, lists in lists_of_pages.items() if len(lists) == 1}
        if (
            len(single) >= MIN_PAGES
            and len(single) == len(lists_of_pages)
            and _are_distinct(label_list.labels for label_list in single.values())
        ):
            yield [(trees[index], label_list.node) for index, label_list in single.items()]


def _are_distinct(labels_of_pages: Iterable[frozenset[str]]) -> bool:
    """True if enough pages have labels different from those of the others."""
    labels = list(labels_of_pages)
    return len(set(labels)) > max(1.0, _MIN_DISTINCT_SHARE * len(labels))


class _Link(NamedTuple):
    """A link of the body."""

    node: int
    attributes: Attributes
    label: str


def _read_links(tree: Tree) -> list[_Link]:
    nodes = [node for node in tree.find_all("a") if node > tree.body]
    attributes_of_links = zip(nodes, tree.read_attributes(nodes), strict=True)
    return [
        _Link(node, attributes, _read_label(tree, node))
        for node, attributes in attributes_of_links
        if attributes.get("href")
    ]


def _find_labels(links: Sequence[_Link], kind: str, declared: Sequence[str]) -> dict[int, bool]:
    """Return for each link of a page whether it is a label of this kind."""
    declared_keys = set(map(word_key, declared))
    if declared_keys and 2 * len(declared_keys & {word_key(link.label) for link in links}) < len(declared_keys):
        declared_keys = set()  # the head names other things than the page shows
    is_label_by_link: dict[int, bool] = {}
    for node, attributes, text in links:
        relations = (attributes.get("rel") or "").lower().split()
        if "tag" in relations:
            is_label = ("category" in relations) == (kind == "categories")
        else:
            is_declared = bool(declared_keys) and word_key(text) in declared_keys
            is_label = is_declared or _is_label_url[kind](attributes.get("href") or "") is not None
        is_label_by_link[node] = is_label and 0 < len(text) <= _MAX_LABEL_CHARS
    return is_label_by_link


def _read_label(tree: Tree, link: int) -> str:
    return read_clean_text(tree, link, _MAX_LABEL_CHARS + 1).strip(" #")


def _group_labels(tree: Tree, links: dict[int, bool]) -> Iterator[_LabelList]:
    """Yield labels in one element without other links; the outermost element with the same text is taken."""
    if not any(links.values()):
        return
    other_links = list(accumulate((links.get(node) is False for node in range(len(tree))), initial=0))
    texts = list(accumulate((bool(text) and not text.isspace() for text in tree.text), initial=0))
    stop = 0
    for link, is_label in links.items():
        if not is_label or link < stop:
            continue
        top = link
        while (above := tree.parent[top]) > tree.body and other_links[tree.end[above]] == other_links[above]:
            top = above
        stop = tree.end[top]
        labels = [node for node in range(top, stop) if links.get(node)]
        if len(labels) > _MAX_LABELS:
            continue
        node = tree.common_ancestor(labels[0], labels[-1])
        if node == link and top < link:
            node = tree.parent[link]
        text_count = texts[tree.end[node]] - texts[node]
        while node > top and texts[tree.end[tree.parent[node]]] - texts[tree.parent[node]] == text_count:
            node = tree.parent[node]
        yield _LabelList(node, frozenset(word_key(_read_label(tree, label)) for label in labels))
