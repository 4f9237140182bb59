"""Pages for the tests of metadata, put together from a head and a body."""

from __future__ import annotations

from datetime import date
from typing import Final

from duramen.dom.page import Page
from duramen.metadata import Metadata

TODAY = date(2026, 6, 1)

URL = "https://wood.example/articles/oaks"
"""The URL of the pages, unless a test gives another."""

ARTICLE = '<meta property="og:type" content="article">'

HEADLINE = "Why old oaks fall slowly and then all at once"

TEXT = "".join(
    f"<p>An oak of {age} years is hollow, and stands all the same, on what is left of it.</p>" for age in range(9)
)

PARTS: Final = (
    "<h2>3 comments</h2>",
    "<h2>Oaks</h2>",
    "<h3>Leave a comment</h3>",
    "<img src=/a.png>",
    "<img src=/b.png class=advert>",
    "<div class=related>",
    "<div class='wp-caption comments'>",
    "<nav>",
    "<article>",
    "<article class=hentry>",
    "<aside>",
    "<main>",
    "<footer>",
    "<form>",
    "</div>",
    "</nav>",
    "</article>",
    "</aside>",
    "</footer>",
    "<p>" + "An oak that stands alone grows as wide as it is high. " * 3,
)
"""Elements that begin, end or fill parts of a body."""


def metadata(head: str = "", body: str = "", *, url: str | None = URL, lang: str = "en") -> Metadata:
    """The metadata of an article with these parts; the body stands between its headline and its text."""
    title = "" if "<title" in head else f"<title>{HEADLINE}</title>"
    top = f"<html lang={lang}><head>{title}{head}</head>"
    html = f"{top}<body><article><h1>{HEADLINE}</h1>{body}{TEXT}</article></body></html>"
    return read_page(html, url)


def read_page(html: str, url: str | None = URL) -> Metadata:
    """The metadata of a page."""
    return Metadata.read(Page.parse(html, url), TODAY)


def read_body(body: str, head: str = "", url: str | None = URL) -> Metadata:
    """The metadata of a page with this body. Its head is empty, unless it is given."""
    return read_page(f"<head>{head}</head><body>{body}", url)


def names(read: Metadata) -> list[str]:
    return [author.name for author in read.authors]


def json_ld(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'


def meta(**fields: str) -> str:
    """Elements with these names and values; `__` in a name stands for a dot."""
    return "".join(f'<meta name="{name.replace("__", ".")}" content="{value}">' for name, value in fields.items())
