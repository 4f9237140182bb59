"""What the markup of the body claims of the page itself: its microdata and RDFa, its hAtom and h-entry.

They describe things, as JSON-LD does, and the same rules tell which of them is the page: of several works the one that
bears its address or its title, else none, for then the page is a list of them. One more holds for what stands among
what readers see: a thing that is called otherwise than the page, and stands elsewhere than its headline, is another.
Authors and dates are not read here: what is said of them near the headline is weighed (`microdata.py`,
`microformats.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from urllib.parse import urljoin

from duramen.dom.lexbor import UNSURE
from duramen.dom.tree import Attributes, Tree
from duramen.metadata.body import Body, Ranges
from duramen.metadata.claims import Claims, no_claims
from duramen.metadata.entries import H_ENTRY, HATOM, read_entries, roots_of
from duramen.metadata.items import MICRODATA, RDFA, is_item, is_others, read_items, types_of
from duramen.metadata.json_ld import WORKS, JsonLd, Thing, kind_of, read_json_ld
from duramen.metadata.marks import ITEM, SPEAKS
from duramen.metadata.strings import key, key_once, text_of

FIELDS: Final = ("title", "description", "tag", "category", "licence", "image", "canonical", "site", "type", "language")
_MOST_HEADINGS: Final = 100
_LONGEST_HEADING: Final = 400
_ORDER: Final = (MICRODATA, RDFA, H_ENTRY, HATOM)
"""Vocabularies that have words for all of this come before those that have a few."""


def read_described(body: Body, address: str | None, base: str | None, titles: Sequence[str]) -> Claims:
    """What the markup of a page with this address claims; `titles` are what it is called, as far as that is known.

    What it links to stands relative to `base`.
    """
    claims = no_claims()
    tree = body.tree
    speaking = body.own(body.marks.telling(SPEAKS | UNSURE), also_beside=False)
    items = read_items(tree, _marked(body)) + read_entries(tree, roots_of(tree, sorted({0, tree.body, *speaking})))
    called = [said for said in map(key, titles) if said]
    for source in _ORDER:
        things = [thing for item in items if item.source == source for thing in item.things]
        for thing in things:
            _complete(thing, base or "")
        own = _one_of_a_kind([thing for thing in things if _is_own(body, thing, called)])
        told = read_json_ld(JsonLd([], own), address, " ".join(titles))
        for field in FIELDS:
            claims[field] += [claim._replace(source=source) for claim in told[field] if claim.value]
    return claims


def other_things(body: Body, title: str) -> Ranges:
    """Where things stand that are not the page: comments and reviews, and the articles of a list, if it is one.

    It is one if it shows several, and neither its headline nor its title is that of one of them. Of a body around some
    nodes, only the things that hold one of them are looked at.
    """
    tree, headline = body.tree, body.headline
    works, others = _works_and_others(body)
    others = [node for node in others if not node <= headline < tree.end[node]]
    several = _apart(tree, works)
    if len(several.starts) > 1 and not several.holds(headline):
        works = body.around(works, own=True).own(works)  # an article in the comments has no say
        several = _apart(tree, works)
        if len(several.starts) > 1 and not _holds_heading(tree, several, title):
            others = sorted({*others, *works})
    return _apart(tree, others)


def _works_and_others(body: Body) -> tuple[list[int], list[int]]:
    """The articles of the body, in order, and what is by its type something else."""
    tree, marks = body.tree, body.marks
    marked = body.own(marks.telling(ITEM))
    items = [(node, own) for node, own in zip(marked, tree.read_attributes(marked), strict=True) if is_item(own)]
    works = [node for node, own in items if _is_article(own)]
    works = sorted({*works, *roots_of(tree, body.own(marks.telling(SPEAKS | UNSURE)))})
    return works, [node for node, own in items if is_others(own)]


def _is_article(own: Attributes) -> bool:
    return any(kind_of(of) == "article" for of in types_of(own))


def _apart(tree: Tree, nodes: list[int]) -> Ranges:
    """The subtrees of these nodes, which are in order, without those inside others."""
    found = Ranges([], [])
    for node in nodes:
        if not found.stops or node >= found.stops[-1]:
            found.starts.append(node)
            found.stops.append(tree.end[node])
    return found


def _holds_heading(tree: Tree, ranges: Ranges, title: str) -> bool:
    """Whether a heading stands in one of these ranges that the title repeats."""
    said = f" {key(title)} "
    headings = [
        node for tag in ("h1", "h2", "h3") for node in tree.find_all(tag)[:_MOST_HEADINGS] if ranges.holds(node)
    ]
    names = [key_once(text_of(tree, node, _LONGEST_HEADING)) for node in headings]
    return any(" " in name and f" {name} " in said for name in names)


def _marked(body: Body) -> list[int]:
    """The elements that microdata and RDFa are written on: in the head, too, and on the body and the root."""
    tree = body.tree
    top = [node for tag in ("meta", "link") for node in tree.find_all(tag) if node < tree.body]
    named = zip(top, tree.attribute_values("itemprop", top), strict=True)
    above = {0, tree.body, *(node for node, said in named if said)}
    return sorted(above) + body.own(body.marks.telling(ITEM), also_beside=False)


def _is_own(body: Body, thing: Thing, called: list[str]) -> bool:
    """Whether a thing may be what the page is: it holds the headline, or most of the page, or has no other name."""
    tree: Tree = body.tree
    if thing.kind == "site" or thing.node < 0 or thing.node <= body.headline < tree.end[thing.node]:
        return True
    names = _names(thing)
    is_most = 2 * (tree.end[thing.node] - thing.node) > len(tree) - tree.body
    if is_most or not called or not names:
        return True
    return any(f" {name} " in f" {said} " or f" {said} " in f" {name} " for name in names for said in called)


def _one_of_a_kind(things: list[Thing]) -> list[Thing]:
    """The things without those of a kind of which there are several: wares on a shelf, of which none is the page.

    Of several works the page's own is told by its address and its title (`json_ld.py`), if they have titles.
    """
    wares = {str(thing.data.get("name")) for thing in things if thing.kind == "product"}
    works = {thing.node for thing in things if thing.kind in WORKS}
    return [
        thing
        for thing in things
        if not (len(wares) > 1 and thing.kind == "product")
        and not (len(works) > 1 and thing.kind in WORKS and not _names(thing))
    ]


def _complete(thing: Thing, base: str) -> None:
    """Make the addresses of a thing whole, so that they can be compared with the page's own."""
    told = []
    for address in _values(thing, "url"):
        try:
            told.append(urljoin(base, address))
        except ValueError:  # "http://[broken"
            continue
    if told:
        thing.data["url"] = told[0]  # the first is the entry's own


def _names(thing: Thing) -> list[str]:
    """What a thing is called, as keys."""
    return [said for name in ("headline", "name") for one in _values(thing, name) if (said := key(one))]


def _values(thing: Thing, name: str) -> list[str]:
    """The values of a property that are words."""
    known = thing.data.get(name)
    return [one for one in (known if isinstance(known, list) else [known]) if isinstance(one, str)]
