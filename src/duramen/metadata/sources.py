"""All claims of a page, source by source."""

from __future__ import annotations

from datetime import date
from typing import Final

from duramen.dom.cached import once
from duramen.dom.page import Page
from duramen.metadata.addresses import address_kind, brand_of, date_in, host_and_path, is_of_forum, month_in
from duramen.metadata.body import Body, Ranges
from duramen.metadata.bylines import read_far_lines, read_lines
from duramen.metadata.claims import NOWHERE, Claim, Claims, no_claims
from duramen.metadata.described import other_things, read_described
from duramen.metadata.elsewhere import Elsewhere, crumbs, own_links
from duramen.metadata.head import Head
from duramen.metadata.json_ld import JsonLd, read_json_ld, read_things
from duramen.metadata.meta import read_metas
from duramen.metadata.microdata import read_microdata
from duramen.metadata.microformats import read_microformats
from duramen.metadata.options import Setting
from duramen.metadata.relations import read_relations
from duramen.metadata.scripts import read_scripts
from duramen.metadata.strings import key, key_once, text_of, word_count
from duramen.metadata.times import read_times
from duramen.metadata.titles import likeness, without_permalink

_MOST_HEADINGS: Final = 12
_LONGEST_HEADING: Final = 400
_OF_WARES: Final = ("at home", "in wares")
_IN_BODY: Final = {
    "author": ("microdata", "microformats", "lines", "scripts"),
    "published": ("microdata", "microformats", "times", "lines", "far_lines", "scripts"),
    "modified": ("microdata", "microformats", "times", "lines", "far_lines"),
}
"""The sources of the body that may speak of a field."""


class Sources:
    """All claims of a page, source by source: what nearly every field asks is read at once, the rest when it is asked.

    That is what `<meta>` says, the headings of the first level, the declared language and the address.
    The page's `address` is where it was found, else where it says it stands, and `brand` the part of its host that is
    the site's name; `path` is '' where the address is not known.
    """

    def __init__(self, page: Page, today: date) -> None:
        self.page = page
        self.today = today
        self.head = Head(page.tree)
        self.metas = read_metas(self.head)
        self.address = str(page.url) if page.url else self._declared_address()  # which may be a kind of str
        self.host, self.path = host_and_path(self.address)
        self.brand = brand_of(self.host)
        self.declared_language = self._declared_language()
        self.first_headings = self._first_headings()

    def _declared_address(self) -> str | None:
        canonical = next((href for rel, href in self.head.links if "canonical" in rel.split()), None)
        return canonical or next((claim.value for claim in self.metas["canonical"]), None)

    def _declared_language(self) -> str | None:
        own = self.head.attributes(0)
        return own.get("lang") or own.get("xml:lang")

    def _first_headings(self) -> list[Claim]:
        """The headings of the first level."""
        tree = self.page.tree
        found = []
        for node in self.head.nodes("h1")[:_MOST_HEADINGS]:
            text = without_permalink(text_of(tree, node, _LONGEST_HEADING))
            if key(text):
                found.append(_heading(text, "h1", node))
        return found

    @once
    def body(self) -> Body:
        return Body(self.page.tree, self.headline)

    @once
    def things(self) -> JsonLd:
        return read_things(self.head)

    @once
    def json_ld(self) -> Claims:
        return read_json_ld(self.things, self.address, self.head.title)

    @once
    def microdata(self) -> Claims:
        return read_microdata(self.body)

    @once
    def microformats(self) -> Claims:
        return read_microformats(self.body)

    @once
    def times(self) -> Claims:
        return read_times(self.head, self.body)

    @once
    def lines(self) -> Claims:
        return no_claims() if self.headline == NOWHERE else read_lines(self.body, self.headline)

    @once
    def far_lines(self) -> Claims:
        return read_far_lines(self.body)

    @once
    def scripts(self) -> Claims:
        return read_scripts(self.head)

    @once
    def headings(self) -> list[Claim]:
        """The headings of the first level; where the title repeats none, the first of the second that it repeats."""
        found = self.first_headings
        titles = [self.head.title, *(claim.value for claim in self.metas["title"][:1])]
        titles = [f" {key(value)} " for value in titles]
        if any(f" {key(claim.value)} " in title for claim in found for title in titles):
            return found
        longest = 2 * (max(map(len, titles)) - 2)
        for node in self.head.nodes("h2")[:_MOST_HEADINGS]:
            text = without_permalink(text_of(self.page.tree, node, _LONGEST_HEADING))
            if len(text) > longest:  # with marks and spaces, but hardly so many
                continue
            said = key_once(text)
            if " " in said and any(f" {said} " in title for title in titles):
                return [*found, _heading(text, "h2", node)]
        return found

    @once
    def headline(self) -> int:
        """The heading that is most like the title; the first where none is."""
        if not self.headings:
            return NOWHERE
        if len(self.headings) == 1:
            return self.headings[0].node
        title = self.head.title
        best = max(self.headings, key=lambda claim: likeness(claim.value, title))
        return best.node

    @once
    def elsewhere(self) -> Elsewhere:
        """What the site calls the page where it leads to it."""
        return Elsewhere(own_links(self.head, self.address, self.path), crumbs(self.things.things))

    @once
    def sites(self) -> tuple[str, ...]:
        """The names that the site gives itself."""
        claims = [*self.metas["site"], *self.json_ld["site"]]
        return tuple(dict.fromkeys(claim.value for claim in claims))

    @once
    def setting(self) -> Setting:
        """What is known of the page, for the weighing of its claims."""
        return Setting(self.headline, *self.setting_of_head[1:])

    @once
    def setting_of_head(self) -> Setting:
        """The same but for where the headline stands, which only what stands in the body can be near to."""
        path = self.path
        month = month_in(path)
        headings = self.first_headings or self.headings
        has_long_headline = word_count(key(headings[0].value if headings else self.head.title)) > 4
        of_page = (NOWHERE, self._kind, False, has_long_headline, self.sites)
        of_address = (self.brand, path, address_kind(path, month), month)
        # By its names, `Setting(kind=…)`, it would take as long as all the rest.
        rest = (self.declared_language, self.today, len(self.page.tree.tag))
        return Setting(*of_page, *of_address, *rest)

    def setting_of_authors(self, is_dated: bool, body: bool) -> Setting:
        """The same for authors: a forum names those who write in it, though it may not say that it is one."""
        setting = self.setting if body else self.setting_of_head
        is_forum = setting.kind != "product" and is_of_forum(self.address)
        return Setting(setting.headline, "forum" if is_forum else setting.kind, is_dated, *setting[3:])

    @property
    def _kind(self) -> str:
        """What the page says it is, of the kinds that weights are learnt for."""
        kinds = {thing.kind for thing in self.things.things}
        if "forum" in kinds:
            return "forum"
        if self._has_ware:
            return "product"
        return "article" if "article" in kinds or "article" in self._types else "page"

    @property
    def _has_ware(self) -> bool:
        """Whether it says that it shows something to be bought."""
        return any(thing.kind == "product" for thing in self.things.things) or "product" in " ".join(self._types)

    @property
    def _types(self) -> list[str]:
        """The types that `<meta>` gives the page."""
        return [claim.value.lower() for claim in self.metas["type"]]

    @once
    def is_of_wares(self) -> bool:
        """Whether it is a page of a shop, or a home page: who made it, or asks there, is no author of an article."""
        return address_kind(self.path, month_in(self.path)) in _OF_WARES or self._has_ware

    def claims(self, field: str, body: bool) -> list[Claim]:
        """All claims on a field: those of the head and the address, and with `body` those of the body too.

        What stands in a comment, or in one of the articles that a page lists, is not said of the page.
        """
        found = [*self.json_ld[field], *self.metas[field]]
        if field == "published" and self.dated_address:
            found.append(self.dated_address)
        if body:
            for name in _IN_BODY[field]:
                claims: Claims = getattr(self, name)
                found += claims[field]
            is_thread = field == "author" and is_of_forum(self.address)  # where all who write are weighed
            if self.of_others.starts and not is_thread:
                found = [claim for claim in found if not self.of_others.holds(claim.node)]
        return found

    @once
    def dated_address(self) -> Claim | None:
        """The day that the page's address names."""
        return date_in(self.path)

    @once
    def anchors(self) -> Claims:
        """What links in the body claim by their relation: tags, categories, the licence."""
        return read_relations(self.head)

    @once
    def described(self) -> Claims:
        """What the markup of the body claims of the page, but for authors and dates."""
        titles = [self.head.title, *(claim.value for claim in self.headings if claim.node == self.headline)]
        return read_described(self.body, self.address, self.page.base, titles)

    @once
    def of_others(self) -> Ranges:
        """Where the body shows things that are not the page: comments, articles that it lists."""
        return other_things(self.body, self.head.title)

    @once
    def titles(self) -> list[Claim]:
        title = self.head.title
        found = [*self.headings, *([Claim(title, "title", "", NOWHERE, False, None, None)] if title else [])]
        return found + self.json_ld["title"] + self.metas["title"] or self.described["title"]


def _heading(text: str, tag: str, node: int) -> Claim:
    return Claim(text, "heading", tag, node, False, None, None)
