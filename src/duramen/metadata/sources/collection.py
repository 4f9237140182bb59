"""All sources of one page: each is read when a field first needs it."""

from __future__ import annotations

from datetime import date
from typing import Final

from duramen.dom import dates
from duramen.dom.cached import cached_property
from duramen.dom.page import Page
from duramen.dom.text import count_key_words, read_clean_text, word_key
from duramen.dom.urls import brand_of_host, is_forum_url, split_host_and_path
from duramen.metadata.model import HOME_URL, NO_NODE, SHOP_URL, Claim, Claims, PageContext, new_claims
from duramen.metadata.sources.body import Body, NodeRanges
from duramen.metadata.sources.body_markup import find_foreign_ranges, read_body_markup
from duramen.metadata.sources.bylines import read_far_lines, read_lines, read_times
from duramen.metadata.sources.json_ld import JsonLd, claims_about_page, find_json_ld_scripts, parse_json_ld
from duramen.metadata.sources.links import (
    LinkedNames,
    find_breadcrumb_names,
    find_self_link_names,
    read_link_elements,
    read_rel_links,
)
from duramen.metadata.sources.meta import read_meta_elements, read_title_element
from duramen.metadata.sources.microdata import read_microdata
from duramen.metadata.sources.microformats import read_microformats
from duramen.metadata.sources.scripts import read_scripts
from duramen.metadata.sources.url import classify_path, find_date, find_month
from duramen.metadata.title import drop_permalink_sign, title_similarity

HEADING: Final = "heading"
TITLE_ELEMENT: Final = "title"

_MAX_HEADINGS: Final = 12
_MAX_HEADING_CHARS: Final = 400
_LONG_HEADLINE_WORDS: Final = 4
"""A headline with more words is long."""
_BODY_SOURCES: Final = {
    "author": ("microdata", "microformats", "lines", "scripts"),
    "published": ("microdata", "microformats", "times", "lines", "far_lines", "scripts"),
    "modified": ("microdata", "microformats", "times", "lines", "far_lines"),
}
"""The sources of the body for each field that is scored."""


class Sources:
    """The sources of a page. Each attribute with claims is one source; it is read on first use."""

    def __init__(self, page: Page, today: date | None = None) -> None:
        self.page = page
        self.tree = page.tree
        self._today = today
        self._claims: dict[tuple[str, bool], list[Claim]] = {}

    @cached_property
    def today(self) -> date:
        """The last day that may be a date of the page."""
        return self._today or dates.today()

    # The page's head and URL

    @cached_property
    def meta(self) -> Claims:
        """The claims of `<meta>` elements."""
        return read_meta_elements(self.tree)

    @cached_property
    def link_elements(self) -> list[tuple[str, str]]:
        """The relation and URL of `<link>` elements."""
        return read_link_elements(self.tree)

    @cached_property
    def title_element(self) -> str:
        """The text of `<title>`; '' if there is none."""
        return read_title_element(self.tree)

    @cached_property
    def declared_language(self) -> str | None:
        """The `lang` attribute of the root element."""
        attributes = self.tree.attributes[0]
        return attributes.get("lang") or attributes.get("xml:lang")

    @cached_property
    def url(self) -> str | None:
        """The URL where the page was found, else the URL that it declares."""
        if self.page.url:
            return str(self.page.url)  # may be a subclass of str
        canonical = next((href for rel, href in self.link_elements if "canonical" in rel.split()), None)
        return canonical or next((claim.value for claim in self.meta["canonical"]), None)

    @cached_property
    def _host_and_path(self) -> tuple[str, str]:
        return split_host_and_path(self.url)

    @property
    def host(self) -> str:
        """The host of the URL, without `www.`; '' if the URL is not known."""
        return self._host_and_path[0]

    @property
    def url_path(self) -> str:
        """The path of the URL; '' if the URL is not known."""
        return self._host_and_path[1]

    @cached_property
    def brand(self) -> str:
        """The part of the host that names the site."""
        return brand_of_host(self.host)

    @cached_property
    def url_date(self) -> Claim | None:
        """The day in the page's URL."""
        return find_date(self.url_path)

    @cached_property
    def json_ld_scripts(self) -> list[tuple[int, str]]:
        """The JSON-LD scripts: node and text."""
        return find_json_ld_scripts(self.tree)

    @cached_property
    def json_ld_things(self) -> JsonLd:
        """The parsed JSON-LD."""
        return parse_json_ld(self.json_ld_scripts)

    @cached_property
    def json_ld(self) -> Claims:
        """The claims of JSON-LD about the page."""
        return claims_about_page(self.json_ld_things, self.url, self.title_element)

    @cached_property
    def site_names(self) -> tuple[str, ...]:
        """The names that the site gives itself."""
        claims = [*self.meta["site"], *self.json_ld["site"]]
        return tuple(dict.fromkeys(claim.value for claim in claims))

    # Headings and titles

    @cached_property
    def first_level_headings(self) -> list[Claim]:
        """The `<h1>` elements."""
        return [claim for node in self.tree.find_all("h1")[:_MAX_HEADINGS] if (claim := self._read_heading("h1", node))]

    @cached_property
    def headings(self) -> list[Claim]:
        """The `<h1>` elements; if the title repeats none of them, also the first `<h2>` that the title repeats."""
        headings = self.first_level_headings
        titles = [self.title_element, *(claim.value for claim in self.meta["title"][:1])]
        titles = [f" {word_key(value)} " for value in titles]
        if any(f" {word_key(claim.value)} " in title for claim in headings for title in titles):
            return headings
        max_chars = 2 * (max(map(len, titles)) - 2)  # a heading has punctuation, but hardly as much as words
        for node in self.tree.find_all("h2")[:_MAX_HEADINGS]:
            claim = self._read_heading("h2", node)
            if claim is None or len(claim.value) > max_chars:
                continue
            key = word_key(claim.value)
            if " " in key and any(f" {key} " in title for title in titles):
                return [*headings, claim]
        return headings

    def _read_heading(self, tag: str, node: int) -> Claim | None:
        text = drop_permalink_sign(read_clean_text(self.tree, node, _MAX_HEADING_CHARS))
        return Claim(text, HEADING, tag, node) if word_key(text) else None

    @cached_property
    def headline(self) -> int:
        """The node of the heading that is most similar to `<title>`, or of the first heading."""
        if not self.headings:
            return NO_NODE
        if len(self.headings) == 1:
            return self.headings[0].node
        return max(self.headings, key=lambda claim: title_similarity(claim.value, self.title_element)).node

    @cached_property
    def linked_names(self) -> LinkedNames:
        """The names that the site gives to the page in links."""
        return LinkedNames(
            find_self_link_names(self.tree, self.url, self.url_path), find_breadcrumb_names(self.json_ld_things.things)
        )

    @cached_property
    def titles(self) -> list[Claim]:
        """All claims about the title."""
        title = [Claim(self.title_element, TITLE_ELEMENT)] if self.title_element else []
        return self.headings + title + self.json_ld["title"] + self.meta["title"] or self.body_markup["title"]

    # The body

    @cached_property
    def body(self) -> Body:
        return Body(self.tree, self.headline)

    @cached_property
    def microdata(self) -> Claims:
        return read_microdata(self.body)

    @cached_property
    def microformats(self) -> Claims:
        return read_microformats(self.body)

    @cached_property
    def times(self) -> Claims:
        return read_times(self.body)

    @cached_property
    def lines(self) -> Claims:
        return new_claims() if self.headline == NO_NODE else read_lines(self.body, self.headline)

    @cached_property
    def far_lines(self) -> Claims:
        return read_far_lines(self.body)

    @cached_property
    def scripts(self) -> Claims:
        return read_scripts(self.tree, {node for node, _ in self.json_ld_scripts})

    @cached_property
    def rel_links(self) -> Claims:
        """The claims of links with `rel`: tags, categories, license."""
        return read_rel_links(self.tree)

    @cached_property
    def body_markup(self) -> Claims:
        """The claims of the body's items and entries about the page, without authors and dates."""
        titles = [self.title_element, *(claim.value for claim in self.headings if claim.node == self.headline)]
        return read_body_markup(self.body, self.url, self.page.base, titles)

    @cached_property
    def foreign_ranges(self) -> NodeRanges:
        """Where the body shows things that are not the page: comments, the articles of a list."""
        return find_foreign_ranges(self.body, self.title_element)

    def claims(self, field: str, *, body: bool) -> list[Claim]:
        """Return all claims about authors or a date: of the head and URL, and with `body` those of the body.

        Claims in comments or in the articles of a list are left out.
        """
        if (field, body) not in self._claims:
            self._claims[field, body] = self._collect_claims(field, body)
        return self._claims[field, body]

    def _collect_claims(self, field: str, body: bool) -> list[Claim]:
        claims = [*self.json_ld[field], *self.meta[field]]
        if field == "published" and self.url_date:
            claims.append(self.url_date)
        if body:
            for name in _BODY_SOURCES[field]:
                claims += getattr(self, name)[field]
            is_thread = field == "author" and is_forum_url(self.url)  # everyone who writes there is a candidate
            if not is_thread and self.foreign_ranges.starts:
                claims = [claim for claim in claims if not self.foreign_ranges.contain(claim.node)]
        return claims

    # What the page is

    @cached_property
    def head_context(self) -> PageContext:
        """The context without the headline, whose position matters only for claims of the body."""
        month = find_month(self.url_path)
        headings = self.first_level_headings or self.headings
        headline = headings[0].value if headings else self.title_element
        return PageContext(
            page_kind=self._page_kind,
            has_long_headline=count_key_words(word_key(headline)) > _LONG_HEADLINE_WORDS,
            site_names=self.site_names,
            brand=self.brand,
            url_path=self.url_path,
            url_kind=classify_path(self.url_path, month),
            url_month=month,
            language=self.declared_language,
            today=self.today,
            node_count=len(self.tree.tag),
        )

    @cached_property
    def context(self) -> PageContext:
        """What is known about the page, for its candidates."""
        return self.head_context._replace(headline=self.headline)

    def author_context(self, *, is_dated: bool, body: bool) -> PageContext:
        """Return the context for authors. A page with the URL of a forum is one, even if it does not declare it."""
        context = self.context if body else self.head_context
        is_forum = context.page_kind != "product" and is_forum_url(self.url)
        return context._replace(page_kind="forum" if is_forum else context.page_kind, is_dated=is_dated)

    @property
    def _page_kind(self) -> str:
        """What the page declares to be: one of the kinds that the weights know."""
        kinds = {thing.kind for thing in self.json_ld_things.things}
        if "forum" in kinds:
            return "forum"
        if self._declares_product:
            return "product"
        return "article" if "article" in kinds or "article" in self._meta_types else "page"

    @property
    def _declares_product(self) -> bool:
        is_product = any(thing.kind == "product" for thing in self.json_ld_things.things)
        return is_product or "product" in " ".join(self._meta_types)

    @property
    def _meta_types(self) -> list[str]:
        return [claim.value.lower() for claim in self.meta["type"]]

    @cached_property
    def is_shop_or_home(self) -> bool:
        """True for shop and home pages. Names found there (makers, reviewers) are not article authors."""
        url_kind = classify_path(self.url_path, find_month(self.url_path))
        return url_kind in (HOME_URL, SHOP_URL) or self._declares_product
