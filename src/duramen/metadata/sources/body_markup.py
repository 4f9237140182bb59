"""Structured markup of the body that describes the page as a whole: microdata, RDFa, hAtom, h-entry.

Items and entries have the form of JSON-LD, and the same rules decide which of them is the page: of several works the
one with the page's URL or title, else none, because the page is then a list of works. One more rule holds for markup
of visible elements: an item that has another name than the page, and is not around its headline, is not the page.

Claims about authors and dates are not read here but by `microdata.py` and `microformats.py`, for scoring.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from duramen.dom.lexbor import UNSURE
from duramen.dom.text import read_clean_text, word_key
from duramen.dom.tree import Tree
from duramen.dom.urls import join_url
from duramen.metadata.model import Claims, new_claims
from duramen.metadata.sources.body import FIELD_FLAG, ITEM_FLAG, Body, NodeRanges
from duramen.metadata.sources.json_ld import WORK_KINDS, JsonLd, SchemaThing, claims_about_page, classify_type
from duramen.metadata.sources.microdata import MICRODATA, RDFA, is_foreign_item, is_item, read_items, read_types
from duramen.metadata.sources.microformats import H_ENTRY, HATOM, find_entries, read_entries

_FIELDS: Final = (
    "title", "description", "tag", "category", "license", "image", "canonical", "site", "type", "language",
)  # fmt: skip
_SOURCES: Final = (MICRODATA, RDFA, H_ENTRY, HATOM)
"""Vocabularies with words for all fields come before those with few."""
_MAX_HEADINGS: Final = 100
"""Headings of one level that are read."""
_MAX_HEADING_CHARS: Final = 400


def read_body_markup(body: Body, url: str | None, base_url: str | None, titles: Sequence[str]) -> Claims:
    """Read the claims of the body's items and entries about the page.

    `titles` are the known titles of the page. URLs are relative to `base_url`.
    """
    claims = new_claims()
    tree = body.tree
    with_field_words = body.own_flagged(FIELD_FLAG | UNSURE, include_side=False)
    entries = find_entries(tree, sorted({0, tree.body, *with_field_words}))
    items = read_items(tree, _find_item_elements(body)) + read_entries(tree, entries)
    title_keys = [key for key in map(word_key, titles) if key]
    for source in _SOURCES:
        things = [thing for item in items if item.source == source for thing in item.things]
        if not things:
            continue
        for thing in things:
            _make_url_absolute(thing, base_url or "")
        things = _drop_repeated([thing for thing in things if _may_be_page(body, thing, title_keys)])
        source_claims = claims_about_page(JsonLd([], things), url, " ".join(titles))
        for field in _FIELDS:
            claims[field] += [claim._replace(source=source) for claim in source_claims[field] if claim.value]
    return claims


def find_foreign_ranges(body: Body, title: str) -> NodeRanges:
    """Find the items of the body that are not the page: comments, reviews, and the articles of a list.

    The page is a list if it has several articles and neither its headline nor its title belongs to one of them. If the
    body is restricted to some nodes, only items that contain one of them are found.
    """
    tree, headline = body.tree, body.headline
    works, foreign = _find_works_and_foreign_items(body)
    foreign = [node for node in foreign if not node <= headline < tree.end[node]]
    ranges = _outermost_ranges(tree, works)
    if len(ranges.starts) > 1 and not ranges.contain(headline):
        works = body.restrict_to(works, with_nodes=True).own_nodes(works)  # without articles in comments
        ranges = _outermost_ranges(tree, works)
        if len(ranges.starts) > 1 and not _contains_title_heading(tree, ranges, title):
            foreign = sorted({*foreign, *works})
    return _outermost_ranges(tree, foreign)


def _find_works_and_foreign_items(body: Body) -> tuple[list[int], list[int]]:
    """Find the articles of the body, and the items that are foreign by their type, in document order."""
    tree = body.tree
    nodes = body.own_flagged(ITEM_FLAG)
    items = [(node, own) for node, own in zip(nodes, tree.read_attributes(nodes), strict=True) if is_item(own)]
    articles = [node for node, own in items if any(classify_type(name) == "article" for name in read_types(own))]
    entries = find_entries(tree, body.own_flagged(FIELD_FLAG | UNSURE))
    return sorted({*articles, *entries}), [node for node, own in items if is_foreign_item(own)]


def _outermost_ranges(tree: Tree, nodes: list[int]) -> NodeRanges:
    """Return the subtrees of nodes in document order, without those inside others."""
    ranges = NodeRanges([], [])
    for node in nodes:
        if not ranges.ends or node >= ranges.ends[-1]:
            ranges.add(node, tree.end[node])
    return ranges


def _contains_title_heading(tree: Tree, ranges: NodeRanges, title: str) -> bool:
    """Return whether one of the ranges contains a heading of several words that the title repeats."""
    padded_title = f" {word_key(title)} "
    headings = [
        node for tag in ("h1", "h2", "h3") for node in tree.find_all(tag)[:_MAX_HEADINGS] if ranges.contain(node)
    ]
    keys = (word_key(read_clean_text(tree, node, _MAX_HEADING_CHARS)) for node in headings)
    return any(" " in key and f" {key} " in padded_title for key in keys)


def _find_item_elements(body: Body) -> list[int]:
    """Find the elements with microdata or RDFa, also in the head and on the body and root elements."""
    tree = body.tree
    in_head = [node for tag in ("meta", "link") for node in tree.find_all(tag) if node < tree.body]
    itemprops = zip(in_head, tree.attribute_values("itemprop", in_head), strict=True)
    above = {0, tree.body, *(node for node, itemprop in itemprops if itemprop)}
    return sorted(above) + body.own_flagged(ITEM_FLAG, include_side=False)


def _may_be_page(body: Body, thing: SchemaThing, title_keys: list[str]) -> bool:
    """Return whether a thing may be the page: it contains the headline or most of the page, or has no other name."""
    tree = body.tree
    if thing.kind == "site" or thing.node < 0 or thing.node <= body.headline < tree.end[thing.node]:
        return True
    names = _name_keys(thing)
    is_most_of_page = 2 * (tree.end[thing.node] - thing.node) > len(tree) - tree.body
    if is_most_of_page or not title_keys or not names:
        return True
    return any(f" {name} " in f" {title} " or f" {title} " in f" {name} " for name in names for title in title_keys)


def _drop_repeated(things: list[SchemaThing]) -> list[SchemaThing]:
    """Drop products if there are several, and works without a title if there are several works.

    Several products are a listing, and none of them is the page. Several works with titles remain: the page's URL or
    title selects one of them (`json_ld.py`).
    """
    products = {str(thing.data.get("name")) for thing in things if thing.kind == "product"}
    works = {thing.node for thing in things if thing.kind in WORK_KINDS}
    return [
        thing
        for thing in things
        if not (len(products) > 1 and thing.kind == "product")
        and not (len(works) > 1 and thing.kind in WORK_KINDS and not _name_keys(thing))
    ]


def _make_url_absolute(thing: SchemaThing, base_url: str) -> None:
    """Make the first URL of a thing absolute, so that it can be compared with the page's own."""
    for url in _text_values(thing, "url"):
        if (absolute := join_url(base_url, url)) is not None:
            thing.data["url"] = absolute
            return


def _name_keys(thing: SchemaThing) -> list[str]:
    """Return the word keys of a thing's names."""
    return [key for name in ("headline", "name") for value in _text_values(thing, name) if (key := word_key(value))]


def _text_values(thing: SchemaThing, name: str) -> list[str]:
    values = thing.data.get(name)
    return [value for value in (values if isinstance(values, list) else [values]) if isinstance(value, str)]
