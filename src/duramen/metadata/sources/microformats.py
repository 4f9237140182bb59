"""Microformats (hAtom, h-entry), and class names that themes use for the same purpose.

read_microformats   claims about authors and dates, for scoring: classes such as `p-author`, `byline`, `post-date`;
                    `rel=author`; `<address>`; links to profiles; portraits
read_entries        whole entries in the form of JSON-LD, for the other fields (`body_markup.py`)
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from duramen.dom.class_names import (
    AUTHOR_WORDS,
    BYLINE_WORDS,
    DATE_WORDS,
    FIELD_WORDS,
    MODIFIED_WORDS,
    NAME_WORDS,
    PORTRAIT_WORDS,
    USER_WORDS,
    name_words,
)
from duramen.dom.lexbor import UNSURE, WordFlags
from duramen.dom.text import clean_text, read_clean_text
from duramen.dom.tree import TEXT, Attributes, Tree
from duramen.dom.tree_queries import find_values_with_words
from duramen.metadata.model import Claim, Claims, new_claims
from duramen.metadata.sources.body import AUTHOR_ATTRIBUTES, FIELD_FLAG, PICTURE_FLAG, VALUE_FLAG, Body, may_hold_time
from duramen.metadata.sources.links import REL
from duramen.metadata.sources.microdata import MarkupItem, read_property_value

HATOM: Final = "hatom"
H_ENTRY: Final = "h-entry"
ADDRESS: Final = "address"
PROFILE: Final = "profile"
"""A link to a person's page."""
PORTRAIT: Final = "portrait"
CLASS_NAME: Final = "named"
"""An element whose class or attribute names the field: `byline`, `post-date`, `data-author`."""

_CLAIM_CLASSES: Final = {
    "entry-title": ("title", HATOM),
    "p-name": ("title", H_ENTRY),
    "p-author": ("author", H_ENTRY),
    "dt-published": ("published", H_ENTRY),
    "dt-updated": ("modified", H_ENTRY),
    "p-category": ("tag", H_ENTRY),
    "published": ("published", HATOM),
    "updated": ("modified", HATOM),
    "vcard": ("author", HATOM),
    "fn": ("author", HATOM),
}
_NOT_NAME_WORDS: Final = frozenset(
    "bio about description image img avatar photo box role title job date time social follow share info list more links"
    " published category".split()
)
_PICTURE_OF = re.compile(
    r"^(?:picture|photo|headshot|image|avatar|portrait|profile (?:picture|photo|image))\s+(?:of|for)\s+", re.IGNORECASE
)
_PROFILE_URL = re.compile(
    r"/(?:authors?|writers?|contributors?|profiles?|people|by|staff|experts?|reporters?|bio|members?|users?|team)"
    r"/(?!log-?in|sign-?(?:in|up)|regist|subscri|newsletter|e-?mail|alert|account|settings|clipping|join|new/|add/|edit/)[^/]",
    re.IGNORECASE,
)
_PROFILE_WORDS: Final = WordFlags(
    dict.fromkeys(
        "author authors writer writers contributor contributors profile profiles people by staff expert experts"
        " reporter reporters bio member members user users team".split(),
        1,
    )
)
"""Each URL of a profile has one of these words, so that the expression is tried on few links."""
_POSTAL_WORDS: Final = frozenset(
    "street road rd lane avenue ave square house floor suite box building tel phone telephone fax contact"
    " straße strasse str platz rue calle ulica ul улица ул проспект οδός 路 街".split()
)
"""Words of postal addresses, and of what is beside them."""
_NO_WORDS: Final[frozenset[str]] = frozenset()
_MAX_ADDRESS_NAME_WORDS: Final = 4
_MAX_NAME_CHARS: Final = 120
_MAX_DATE_CHARS: Final = 80


def read_microformats(body: Body) -> Claims:
    """Read the claims of classes, relations, profile links and portraits about authors and dates."""
    claims = new_claims()
    tree, flagged = body.tree, body.flagged
    pictures = _find_described_pictures(body)
    with_words = frozenset(flagged.with_any(PICTURE_FLAG | FIELD_FLAG | UNSURE))
    with_values = {*flagged.with_any(VALUE_FLAG | UNSURE), *tree.find_all("address"), *_find_profile_links(body)}
    wanted = with_values.union(flagged.with_any(FIELD_FLAG)).difference(tree.find_all("img"))
    nodes = [node for node in body.own_nodes(sorted(wanted)) if node > tree.body]
    attributes_of = dict(zip(nodes, tree.read_attributes(nodes), strict=True))
    author_end = 0  # the end of the elements so far whose class names an author
    for node in sorted([*nodes, *pictures]):
        if node in pictures:
            is_portrait = node < author_end or (node in with_words and _has_portrait_class(tree, node))
            _read_picture(claims, node, pictures[node], is_portrait)
            continue
        attributes = attributes_of[node]
        if node in with_values:
            _read_attributes(claims, body, node, attributes)
        words = name_words(attributes.get("class"), attributes.get("id")) if node in with_words else _NO_WORDS
        if not words.isdisjoint(FIELD_WORDS):
            author_end = _read_class(claims, body, node, attributes, words, author_end)
    return claims


def _find_profile_links(body: Body) -> list[int]:
    """Find the links to a person's page."""
    links = find_values_with_words(body.tree, _PROFILE_WORDS, "href", body.own_nodes(body.tree.find_all("a")))
    return [node for node, href in links if _PROFILE_URL.search(href)]


def _find_described_pictures(body: Body) -> dict[int, str]:
    """Find the images that have an alternative text, each with that."""
    tree = body.tree
    nodes = [node for node in body.own_nodes(tree.find_all("img")) if node > tree.body]
    return {node: alt for node, alt in zip(nodes, tree.attribute_values("alt", nodes), strict=True) if alt}


def _read_attributes(claims: Claims, body: Body, node: int, attributes: Attributes) -> None:
    """Add the claims that the attributes and the tag of an element make."""
    tag = body.tree.tag[node]
    for name in AUTHOR_ATTRIBUTES:
        if value := attributes.get(name):
            claims["author"].append(Claim(clean_text(value), CLASS_NAME, "attribute", node, is_name=True))
    if len(attributes) > 2:
        for name, value in attributes.items():
            if may_hold_time(name) and value and value[:2] in ("19", "20"):
                claims["published"].append(Claim(value, CLASS_NAME, "attribute", node))
    if tag == "a" and _PROFILE_URL.search(attributes.get("href") or ""):
        _add_claim(claims, "author", body, node, attributes, PROFILE, "", _MAX_NAME_CHARS)
    if (rel := attributes.get("rel")) and "author" in rel.lower().split():
        _add_claim(claims, "author", body, node, attributes, REL, "", _MAX_NAME_CHARS)
    if tag == "address":
        words = name_words(read_clean_text(body.tree, node, _MAX_NAME_CHARS + 1), None)
        if words.isdisjoint(_POSTAL_WORDS):
            detail = "article" if _is_author_address(body, node, words) else ""
            _add_claim(claims, "author", body, node, attributes, ADDRESS, detail, _MAX_NAME_CHARS)


def _read_class(
    claims: Claims, body: Body, node: int, attributes: Attributes, words: frozenset[str], author_end: int
) -> int:
    """Add the claims that the class and id of an element make; return the new end of the author's elements."""
    for name in (attributes.get("class") or "").split():
        if name in _CLAIM_CLASSES:
            field, source = _CLAIM_CLASSES[name]
            max_chars = _MAX_DATE_CHARS if field in ("published", "modified") else _MAX_NAME_CHARS * 2
            _add_claim(claims, field, body, node, attributes, source, name, max_chars)
    if words.isdisjoint(BYLINE_WORDS):
        return author_end
    tag = body.tree.tag[node]
    is_name = not words.isdisjoint(NAME_WORDS)
    if not words.isdisjoint(AUTHOR_WORDS):
        author_end = max(author_end, body.tree.end[node])
        if is_name or words.isdisjoint(_NOT_NAME_WORDS):
            detail = "name" if is_name or tag == "a" else "byline" if "byline" in words else ""
            _add_claim(claims, "author", body, node, attributes, CLASS_NAME, detail, _MAX_NAME_CHARS)
    elif is_name and node < author_end:
        _add_claim(claims, "author", body, node, attributes, CLASS_NAME, "name", _MAX_NAME_CHARS)
    elif not words.isdisjoint(USER_WORDS):
        _add_claim(claims, "author", body, node, attributes, CLASS_NAME, "user", _MAX_NAME_CHARS)
    is_date = not words.isdisjoint(DATE_WORDS)
    if not words.isdisjoint(MODIFIED_WORDS):
        if is_date or tag == "time":
            _add_claim(claims, "modified", body, node, attributes, CLASS_NAME, "", _MAX_DATE_CHARS)
    elif is_date and tag != "time":
        _add_claim(claims, "published", body, node, attributes, CLASS_NAME, "", _MAX_DATE_CHARS)
    return author_end


def _is_author_address(body: Body, node: int, words: frozenset[str]) -> bool:
    """Return whether an `<address>` is in the article of the headline and its words may be a name.

    HTML reserves `<address>` inside an article for the contact of its author.
    """
    if not 2 <= len(words) <= _MAX_ADDRESS_NAME_WORDS or any(any(map(str.isdigit, word)) for word in words):
        return False
    tree, headline = body.tree, body.headline
    return any(tree.tag[above] == "article" and above <= headline < tree.end[above] for above in tree.ancestors(node))


def _read_picture(claims: Claims, node: int, alt: str, is_portrait: bool) -> None:
    """Add the person on a portrait, by its text: "Picture of Jane Doe", or only the name."""
    text = clean_text(alt)
    if text and len(text) <= _MAX_NAME_CHARS:
        name = _PICTURE_OF.sub("", text)
        if is_portrait or name != text:
            claims["author"].append(Claim(name, PORTRAIT, "", node))


def _has_portrait_class(tree: Tree, node: int) -> bool:
    attributes = tree.attributes[node]
    return not name_words(attributes.get("class"), attributes.get("id")).isdisjoint(PORTRAIT_WORDS)


def _add_claim(
    claims: Claims, field: str, body: Body, node: int, attributes: Attributes, source: str, detail: str, max_chars: int
) -> None:
    value = ""
    if field in ("published", "modified"):
        value = clean_text(attributes.get("datetime") or attributes.get("content") or attributes.get("title"))
        if not any(map(str.isdigit, value)):
            value = ""
    value = value or read_clean_text(body.tree, node, max_chars + 1)
    if value and len(value) <= max_chars:
        profile_url = attributes.get("href") if field == "author" and body.tree.tag[node] == "a" else None
        claims[field].append(Claim(value, source, detail, node, detail == "fn", profile_url))


# Whole entries, in the form of JSON-LD

_ROOT_CLASSES: Final = frozenset(
    "h-entry h-card h-cite h-adr h-geo h-event h-feed h-item h-listing h-product h-recipe h-resume h-review"
    " hentry vcard vevent hproduct hreview hrecipe".split()
)
_ENTRY_CLASSES: Final = frozenset(("h-entry", "hentry"))
_H_ENTRY_PROPERTIES: Final = {
    "p-name": "headline",
    "p-summary": "description",
    "p-category": "keywords",
    "u-featured": "image",
    "u-photo": "image",
    "u-url": "url",
    "u-uid": "url",
}
_HATOM_PROPERTIES: Final = {"entry-title": "headline", "entry-summary": "description"}
_STATIC_PAGE_CLASSES: Final = frozenset(("page", "type-page"))
"""Classes of a WordPress page that is not a post."""
_MAX_ENTRY_ELEMENTS: Final = 5000
"""Elements with a class or relation that are read, in all entries together."""


def find_entries(tree: Tree, nodes: Sequence[int]) -> dict[int, list[str]]:
    """Find the entries among elements in document order, each with its classes; entries inside others are left out."""
    entries: dict[int, list[str]] = {}
    last_end = 0
    for node, class_attribute in zip(nodes, tree.attribute_values("class", nodes), strict=True):
        classes = (class_attribute or "").split()
        if node >= last_end and not _ENTRY_CLASSES.isdisjoint(classes):
            entries[node] = classes
            last_end = tree.end[node]
    return entries


def read_entries(tree: Tree, entries: dict[int, list[str]]) -> list[MarkupItem]:
    """Read the entries that `find_entries` found.

    A property belongs to the nearest root around it: the name and the photo in an `h-card` are the author's, and an
    `h-cite` describes the page that is cited.
    """
    items = []
    elements_left = _MAX_ENTRY_ELEMENTS
    for node, classes in entries.items():
        if elements_left <= 0:
            break
        item = MarkupItem(node, H_ENTRY if "h-entry" in classes else HATOM)
        if item.source == H_ENTRY or _STATIC_PAGE_CLASSES.isdisjoint(classes):
            item.data["@type"] = "BlogPosting"
        elements_left -= _read_entry_properties(tree, item, elements_left)
        items.append(item)
    return items


def _read_entry_properties(tree: Tree, entry: MarkupItem, max_elements: int) -> int:
    """Add the properties of an entry; return the number of elements that were read."""
    properties = _H_ENTRY_PROPERTIES if entry.source == H_ENTRY else _HATOM_PROPERTIES
    inside = [node for node in range(entry.node + 1, tree.end[entry.node]) if tree.tag[node] != TEXT]
    attributes = zip(inside, tree.attribute_values("class", inside), tree.attribute_values("rel", inside), strict=True)
    elements = [(node, classes, rel) for node, classes, rel in attributes if classes or rel][:max_elements]
    root_end = 0  # the end of another root inside the entry
    for node, class_attribute, rel in elements:
        if node < root_end:
            continue
        classes = (class_attribute or "").split()
        if not _ROOT_CLASSES.isdisjoint(classes):
            root_end = tree.end[node]
            continue
        names = [properties[name] for name in classes if name in properties]
        if entry.source == HATOM and "bookmark" in (rel or "").split():
            names.append("url")
        for name in names:
            if not entry.is_full(name):
                entry.add(name, read_property_value(tree, node, tree.attributes[node], name))
    return len(elements)
