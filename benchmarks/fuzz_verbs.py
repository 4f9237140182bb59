"""Run one random verb or output on each page, for `fuzz.py --one-verb`.

This checks far more pages in the same time.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache

import duramen
from duramen.data_records.examples import find_table_like

URL = "https://site.example/a/page.html"
FORMATS = ("text", "markdown", "html", "json", "xml")
OTHER_METHODS_SHARE = 0.25
EXPRESSIONS = (
    "//div[contains(@class,'a')]//p[2]",
    "//*[@id]/following-sibling::*[1]",
    "(//a)[last()]/ancestor::*[position()<4]",
    "//tr[td[2]]/td[position() mod 2 = 1]/text()",
    "string-length(normalize-space(//body))",
    "count(//li/preceding::h2) + sum(//td)",
)
SELECTORS = ("li > a", "div p:nth-child(2n+1)", "h2 ~ p, h2 + ul", "[class^=a]:not(.b) *")
SITE = (
    "<title>Oaks - Trees</title><nav><a href=/>Home</a><a href=/a>All</a></nav><div class=text><h1>Oaks</h1>"
    "<p>Oaks grow slowly, and their wood is hard, so it was used for ships and for the beams of houses.</p></div>",
    "<title>Elms - Trees</title><nav><a href=/>Home</a><a href=/a>All</a></nav><div class=text><h1>Elms</h1>"
    "<p>Elms grow beside the road, and nobody has counted them since the disease of the last century.</p></div>",
)

Verb = Callable[[bytes, random.Random], str]


@cache
def learn_site() -> duramen.Wrapper:
    return duramen.learn(list(SITE))


@cache
def list_methods() -> list[str]:
    return [name for name in duramen.methods.names() if name not in ("auto", "rendered-region")]


def extract(html: bytes, chosen: random.Random) -> duramen.Content:
    """Extract with options at random, mostly by the default method."""
    method = chosen.choice(list_methods()) if chosen.random() < OTHER_METHODS_SHARE else "auto"
    favor = chosen.choice((None, None, "precision", "recall")) if method == "auto" else None
    links, images = chosen.choice((None, True, False)), chosen.choice((None, True, False))
    url = chosen.choice((URL, URL, None))
    tables = chosen.choice(("markdown", "markdown", "html", "csv"))
    return duramen.extract(
        html,
        url=url,
        method=method,
        favor=favor,
        links=links,
        images=images,
        tables=tables,
        comments=chosen.random() < 0.3,
    )


def write(format: str) -> Verb:
    return lambda html, chosen: extract(html, chosen).to(format)


def read_metadata(html: bytes, chosen: random.Random) -> str:
    return json.dumps(extract(html, chosen).metadata.as_dict(), default=str)


def read_comments(html: bytes, chosen: random.Random) -> str:
    return json.dumps([comment.as_dict() for comment in extract(html, chosen).comments], default=str)


def describe(html: bytes, chosen: random.Random) -> str:
    """Read the other attributes of a content."""
    content = extract(html, chosen)
    assert content.reason
    return f"{content!r} {content.is_article} {content.xpath} {len(content.blocks)} {content.explain()}"


def read_records(html: bytes, chosen: random.Random) -> str:
    table = duramen.records(html, url=URL)
    assert len(table.to_csv().splitlines()) >= len(table.rows)
    return table.to_json()


def read_all_records(html: bytes, chosen: random.Random) -> str:
    return "".join(table.to_csv() for table in duramen.records_all(html, url=URL))


def read_like(html: bytes, chosen: random.Random) -> str:
    page = duramen.Page.parse(html, URL)
    texts = [text.strip() for text in page.tree.text if text.strip()] or ["oak"]
    return find_table_like(page, chosen.sample(texts, min(2, len(texts)))).to_json()


def read_record(html: bytes, chosen: random.Random) -> str:
    return duramen.record(html, url=URL).to_json()


def apply_records_wrapper(html: bytes, chosen: random.Random) -> str:
    page = duramen.Page.parse(html, URL)
    return duramen.RecordsWrapper.of(duramen.records(page)).extract(page).to_csv()


def learn(html: bytes, chosen: random.Random) -> str:
    """Learn from the page and a copy with another end, and apply what was learned."""
    wrapper = duramen.learn([html, html + b"<p>Elms grow in rows beside the road.</p>"])
    return wrapper.extract(duramen.Page.parse(html, URL)).text


def apply(html: bytes, chosen: random.Random) -> str:
    return learn_site().extract(html).to("markdown")


def select(html: bytes, chosen: random.Random) -> str:
    page = duramen.Page.parse(html, URL)
    return f"{page.xpath(chosen.choice(EXPRESSIONS))} {page.css(chosen.choice(SELECTORS))}"


VERBS: dict[str, Verb] = {
    **{format: write(format) for format in FORMATS},
    "metadata": read_metadata,
    "comments": read_comments,
    "describe": describe,
    "records": read_records,
    "records_all": read_all_records,
    "records like": read_like,
    "record": read_record,
    "records wrapper": apply_records_wrapper,
    "learn": learn,
    "apply": apply,
    "xpath": select,
}
WEIGHTS = [1 if name == "learn" else 2 if name.startswith("record") or name == "describe" else 4 for name in VERBS]
"""The more expensive verbs get fewer pages."""


def choose_verb(chosen: random.Random) -> str:
    return chosen.choices(list(VERBS), WEIGHTS)[0]
