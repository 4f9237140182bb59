"""Everything that duramen does with a page, each as a function of its HTML."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import duramen
from duramen.content import FORMATS, Content, subtree

Verb = Callable[[str], object]

_OTHER_PAGE = "<title>Ash</title><h1>Ash wood</h1><p>Ash and elm are other trees, and their wood is hard as well.</p>"
_EXPRESSIONS = ("//p", "//div[@class]//p[2]", "//*[contains(@class,'a')]", "//li[last()]/a", "//table//td[1]")
_METHODS_WITHOUT_BOXES = [name for name in duramen.methods.names() if name != "rendered-region"]


def keep_all(html: str) -> Content:
    """Return a Content that keeps the whole page, so that writers get all of it, whatever the methods choose."""
    page = duramen.Page.parse(html, "https://site.example/a/page.html")
    return Content(page, "all", "everything", subtree(page.tree, 0), confidence=1.0, links=True, images=True)


def extract(method: str, html: str) -> None:
    assert duramen.extract(html, method=method).reason


def write(format: str, html: str) -> None:
    assert keep_all(html).to(format, comments=True) is not None


def write_tables(tables: str, html: str) -> None:
    assert keep_all(html).to("markdown", tables=tables) is not None


def read_metadata(html: str) -> None:
    assert keep_all(html).metadata.as_dict() is not None


def read_comments(html: str) -> None:
    assert keep_all(html).comments is not None


def read_article(html: str) -> None:
    assert keep_all(html).is_article is not None


def read_records(html: str) -> None:
    table = duramen.records(html)
    assert table.to_csv() is not None
    assert table.to_json()


def read_all_records(html: str) -> None:
    for table in duramen.records_all(html):
        assert table.rows is not None


def read_record(html: str) -> None:
    assert duramen.record(html).to_json()


def find_like(html: str) -> None:
    assert duramen.records(html, like=["Oak 3"]) is not None


def learn_records(html: str) -> None:
    page = duramen.Page.parse(html)
    assert duramen.RecordsWrapper.learn([page, duramen.Page.parse(html)]) is not None


def make_sample(html: str) -> list[str]:
    """Return pages of a site: the page, the page with another text at its end, and one of another kind."""
    return [html, html + "<p>Elms grow in rows beside the road, and nobody counts them.</p>", _OTHER_PAGE]


def learn(html: str) -> None:
    assert duramen.learn(make_sample(html)).xpath


def learn_all(html: str) -> None:
    assert duramen.learn_all(make_sample(html)).wrappers


def learn_one(html: str) -> None:
    assert duramen.learn([html]).xpath


def apply(html: str) -> None:
    """Apply a wrapper that was learned from a part of the page, whose expressions are as long as they get."""
    wrapper = duramen.learn(make_sample(html[:20_000]))
    assert wrapper.extract(html).text is not None


def select(html: str) -> None:
    page = duramen.Page.parse(html)
    for expression in _EXPRESSIONS:
        page.xpath(expression)
    page.css("div > p, li a")


VERBS: dict[str, Verb] = {
    "parse": duramen.Page.parse,
    **{f"extract {name}": partial(extract, name) for name in _METHODS_WITHOUT_BOXES},
    **{f"write {name}": partial(write, name) for name in FORMATS},
    **{f"write tables {name}": partial(write_tables, name) for name in ("html", "csv")},
    "metadata": read_metadata,
    "comments": read_comments,
    "article": read_article,
    "records": read_records,
    "records_all": read_all_records,
    "record": read_record,
    "records like": find_like,
    "records learn": learn_records,
    "learn": learn,
    "learn_all": learn_all,
    "learn one": learn_one,
    "apply": apply,
    "select": select,
}

PAGES_READ = {"learn": 2, "learn_all": 2, "records learn": 2}
"""Verbs that read the page more than once: as often as so many pages of a site."""
