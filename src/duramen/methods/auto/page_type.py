"""What a page says it is, and by what address it is known: for its type alone, no block is judged by it.

Pages tell search engines and social media what they are (JSON-LD, `og:type`), addresses are made of words (`/docs/`,
`/product/`, `/t/`), and a shop shows prices. None of it can be trusted by itself: shops call their pages articles. So
each is a number, and the model has learnt what it is worth. Words and things that mean the same are counted together.
Where no address is given, the one that the page claims is taken; and the model has met pages that have neither.
"""

from __future__ import annotations

import re
from array import array

from duramen.dom.tree import Tree

_KINDS = ("article", "product", "website")
"""What `og:type` may say, but for other things."""

_THINGS = {
    "article": "Article NewsArticle BlogPosting TechArticle ScholarlyArticle ReportageNewsArticle OpinionNewsArticle",
    "product": "Product ProductGroup ProductModel",
    "offer": "Offer AggregateOffer",
    "list": "ItemList CollectionPage SearchResultsPage OfferCatalog",
    "item": "ListItem",
    "thread": "DiscussionForumPosting QAPage Answer Comment",
    "questions": "FAQPage Question",
    "review": "Review AggregateRating",
    "business": "Service LocalBusiness ProfessionalService",
    "organization": "Organization Corporation",
    "person": "Person",
    "page": "WebPage",
    "site": "WebSite",
    "crumbs": "BreadcrumbList",
    "image": "ImageObject",
    "video": "VideoObject",
}
"""What JSON-LD may speak of."""

_WORDS = {
    "article": "blog blogs news article articles post posts story stories artikel noticias actualites",
    "product": "product products p dp item produkt produkte produit produits producto productos",
    "shop": "shop store collections collection category categories c tag catalog catalogue katalog kategorie",
    "thread": "forum forums foro thread threads topic topics t viewtopic showthread questions question community"
    " communities discussion discussions discuss comments r",
    "docs": "docs doc documentation wiki reference guide guides manual manuals api tutorial tutorials handbook learn",
    "service": "services service solutions pricing features about company leistungen servicios",
    "list": "list lists best top search jobs courses events directory",
    "help": "help support faq hilfe",
}
"""Words of addresses: labels of the host, and the first words of the parts of the path."""

NAMES: list[str] = [
    *(f"og_{kind}" for kind in (*_KINDS, "other")),
    *(f"ld_{thing}" for thing in (*_THINGS, "any")),
    "currencies",
    *"address depth last hyphens query digits dated".split(),
    *(f"address_{word}" for word in _WORDS),
]
COUNT = len(NAMES)

_OTHER, _ANY, _CURRENCIES, _ADDRESS = (NAMES.index(name) for name in ("og_other", "ld_any", "currencies", "address"))
_KIND = {kind: NAMES.index(f"og_{kind}") for kind in _KINDS}
_THING = {each: NAMES.index(f"ld_{thing}") for thing, called in _THINGS.items() for each in called.split()}
_WORD = {each: NAMES.index(f"address_{word}") for word, called in _WORDS.items() for each in called.split()}

_MANY = 30.0
"""More things than this say no more."""
_LONGEST, _LONGEST_ADDRESS = 100_000, 1000
"""Characters that are read of all JSON-LD, and of an address."""
# A list that never ends is looked for no farther than a list of types goes: there may be very many of them.
_typed = re.compile(r'"@type"\s*:\s*(?:"([^"]*)"|\[([^\]]{0,200})\])')
_quoted = re.compile(r'"([^"]*)"')
_vocabulary = re.compile(r".*[/#:]", re.S)
_year = re.compile(r"(?:^|/)(?:19|20)\d\d/")
_digit = re.compile(r"\d")
_end = re.compile(r"[-_.]")
_NONE = -1
_NOUGHT = array("d", (0.0,))


def read_facts(tree: Tree, currencies: int, address: str | None) -> array[float]:
    """The numbers that `NAMES` names; `currencies` is how many signs of them a reader sees."""
    row = _NOUGHT * COUNT
    row[_CURRENCIES] = currencies
    nodes = tree.find_all("meta")
    names = tree.attribute_values("property", nodes)
    kind = _said(tree, nodes, names, "og:type").partition(".")[0].rpartition(":")[2].strip().lower()
    if kind:
        row[_KIND.get(kind, _OTHER)] = 1.0
    _read_things(row, tree)
    address = (address or _said(tree, nodes, names, "og:url")).strip()
    if address:
        _read_address(row, address[:_LONGEST_ADDRESS].lower())
    return row


def _said(tree: Tree, nodes: list[int], names: list[str | None], name: str) -> str:
    """What the first `<meta>` of a name says."""
    if name not in names:
        return ""
    return tree.attribute_values("content", [nodes[names.index(name)]])[0] or ""


def _read_things(row: array[float], tree: Tree) -> None:
    """Count the things that JSON-LD speaks of by their types, without what names their vocabulary."""
    nodes = tree.find_all("script")
    kinds = tree.attribute_values("type", nodes)
    left = _LONGEST
    for place, kind in enumerate(kinds):
        if kind and left > 0 and "ld+json" in kind.lower():
            node = nodes[place]
            said = "".join(tree.text[node : tree.end[node]])[:left]
            left -= len(said)
            for one, several in _typed.findall(said):
                for thing in _quoted.findall(several) if several else [one]:
                    if not thing:
                        continue
                    row[_ANY] = 1.0
                    at = _THING.get(_vocabulary.sub("", thing, 1), _NONE)
                    if at >= 0 and row[at] < _MANY:
                        row[at] += 1.0


def _read_address(row: array[float], address: str) -> None:
    place, _, query = address.partition("#")[0].partition("?")
    host, _, path = (place.partition("://")[2] or place.removeprefix("//")).partition("/")
    parts = [part for part in path.split("/") if part]
    last = parts[-1] if parts else ""
    row[_ADDRESS] = 1.0
    row[_ADDRESS + 1] = len(parts)
    row[_ADDRESS + 2] = len(last)
    row[_ADDRESS + 3] = last.count("-")
    row[_ADDRESS + 4] = 1.0 if query else 0.0
    row[_ADDRESS + 5] = 1.0 if _digit.search(last) else 0.0
    row[_ADDRESS + 6] = 1.0 if _year.search(path) else 0.0
    for part in parts:
        at = _WORD.get(_end.split(part, 1)[0], _NONE)
        if at >= 0:
            row[at] = 1.0
    for label in host.split("."):
        at = _WORD.get(label, _NONE)
        if at >= 0:
            row[at] = 1.0
