"""Wrappers for other tools: the exported selectors are run."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lxml import html as lxml_html
from lxml.cssselect import CSSSelector
from scrapy import Request
from scrapy.http import HtmlResponse
from tests.data_records.pages import make_page, make_shop, make_tile

import duramen
from duramen.data_records.schema_export import export_wrapper
from duramen.errors import UsageError

PAGES = {
    "shop": make_shop(),
    "lists": make_page(
        "<ul>" + "".join(make_tile(n, more="<ul class=tags><li>Oak<li>Ash</ul>" * (n % 2)) for n in range(8)) + "</ul>"
    ),
    "results": make_page(
        "<div id=results>"
        + "".join(
            f"<div class='g result'><h3 class=t><a href='https://s{n}.example/p?q={n}'>Oak boards number {n}</a></h3>"
            f"<cite>s{n}.example › boards</cite><p class=snippet>Oak boards, planed on {n} sides and dried.</p></div>"
            for n in range(10)
        )
        + "</div>"
    ),
    "reduced": make_page(
        "<div class=grid>"
        + "".join(
            f"<article class=card><h2 class=name><a href=/p/{n}>Oak chair model {n}</a></h2><div class=cost>"
            f"<span class=now>${n + 10}.99</span> <del>${n + 20}.99</del></div><p class=d>Oak, {n} years.</p></article>"
            for n in range(9)
        )
        + "</div>"
    ),
    "cells": make_page(
        "<table><tr><th>Name</th><th>Year</th></tr>"
        + "".join(f"<tr><td><a href=/{n}>Board {n}</a></td><td>199{n}</td></tr>" for n in range(8))
        + "</table>"
    ),
    "docket": make_page(
        "<table><tr><td>Court of Appeals</td></tr></table><table border=1><tr><th>Docket<th>Case Name<th>Filed</tr>"
        + "".join(
            f"<tr><td><font size=2><a href='op/{n}.pdf'><font color=blue>24-{1000 + n}</font></a></font></td>"
            f"<td><font size=2>State v. Number {n}</font></td><td>0{n + 1}/15/2024</td></tr>"
            for n in range(7)
        )
        + "</table>"
    ),
    "nested tables": make_page(
        "<table><tr><td><table class=results>"
        + "".join(
            f"<tr><td><a href=/{n}>Oak board number {n}</a></td>"
            f"<td><table><tr><td class=price>${n}.50</td></tr></table></td></tr>"
            for n in range(9)
        )
        + "</table></td></tr></table>"
    ),
}
NOT_IN_CSS = {"docket"}
"""Pages whose list is known by what is several steps below it, which crawl4ai's library for CSS does not select."""
EXPORTED = {
    "shop": {"title", "price"},
    "lists": {"title", "price"},
    "results": {"title", "url", "displayed_url", "snippet"},
    "reduced": {"title", "url", "price", "old_price"},
    "cells": {"name", "name_link", "year"},
    "docket": {"docket", "docket_link", "case_name", "filed"},
    "nested tables": {"title", "url", "price"},
}


def run_crawl4ai(schema: dict[str, Any], page: str) -> list[dict[str, Any]]:
    """The records that the documented rules of JsonXPathExtractionStrategy give."""

    def read(element: Any, field: dict[str, Any]) -> Any:
        assert "/" in field["selector"]
        assert field["selector"].startswith(".")
        found = element.xpath(field["selector"])
        match field["type"]:
            case "list":
                return [read(one, field["fields"][0]) for one in found]
            case "attribute":
                return found[0].get(field["attribute"]) if found else None
            case "text":
                return "".join(found[0].xpath(".//text()")).strip() if found else None
        raise AssertionError(field["type"])

    assert set(schema) == {"name", "baseSelector", "fields"}
    records = lxml_html.fromstring(page).xpath(schema["baseSelector"])
    return [{field["name"]: read(record, field) for field in schema["fields"]} for record in records]


def run_css_strategy(schema: dict[str, Any], page: str) -> list[dict[str, Any]]:
    """The records that the documented rules of JsonCssExtractionStrategy give, with another engine for CSS."""

    def select(element: Any, selector: str) -> list[Any]:
        return [element] if selector == ":scope" else CSSSelector(selector, translator="html")(element)

    def read(element: Any, field: dict[str, Any]) -> Any:
        found = select(element, field["selector"]) if "selector" in field else [element]
        match field["type"]:
            case "list":
                return [read(one, field["fields"][0]) for one in found]
            case "attribute":
                return found[0].get(field["attribute"]) if found else None
            case "text":
                return " ".join(found[0].text_content().split()) if found else None
        raise AssertionError(field["type"])

    records = select(lxml_html.fromstring(page), schema["baseSelector"])
    return [{field["name"]: read(record, field) for field in schema["fields"]} for record in records]


@pytest.mark.parametrize("name", list(PAGES))
def test_the_css_schema_reads_the_same_texts(name: str) -> None:
    table = duramen.records(PAGES[name])
    if name in NOT_IN_CSS:
        with pytest.raises(UsageError, match="use the target crawl4ai"):
            export_wrapper(duramen.RecordsWrapper.of(table), "crawl4ai-css")
        return
    schema = json.loads(export_wrapper(duramen.RecordsWrapper.of(table), "crawl4ai-css"))
    names = [field["name"] for field in schema["fields"]]
    assert "/" not in schema["baseSelector"]
    assert set(names) >= EXPORTED[name]
    rows = run_css_strategy(schema, PAGES[name])
    assert rows == [{name: row[name] or ([] if name == "tags" else None) for name in names} for row in table.raw_rows]


def expected(table: duramen.Table, names: list[str]) -> list[dict[str, Any]]:
    return [
        {name: row[name] or ([] if isinstance(row[name], list) else None) for name in names} for row in table.raw_rows
    ]


@pytest.mark.parametrize("name", ["shop", "cells", "results", "reduced", "docket", "nested tables"])
def test_the_schema_for_crawl4ai_reads_the_same_texts(name: str) -> None:
    table = duramen.records(PAGES[name])
    schema = json.loads(export_wrapper(duramen.RecordsWrapper.of(table), "crawl4ai"))
    rows = run_crawl4ai(schema, PAGES[name])
    names = [field["name"] for field in schema["fields"]]
    assert set(names) >= EXPORTED[name]
    assert rows == expected(table, names)


@pytest.mark.parametrize(
    ("name", "target"),
    [
        (name, target)
        for name in PAGES
        for target in ("crawl4ai", "crawl4ai-css")
        if target == "crawl4ai" or name not in NOT_IN_CSS
    ],
)
def test_crawl4ai_itself_reads_the_same_texts(name: str, target: str) -> None:
    crawl4ai = pytest.importorskip("crawl4ai", reason="crawl4ai is not installed")
    table = duramen.records(PAGES[name])
    schema = json.loads(export_wrapper(duramen.RecordsWrapper.of(table), target))
    strategies = {
        "crawl4ai": crawl4ai.JsonXPathExtractionStrategy,
        "crawl4ai-css": crawl4ai.JsonCssExtractionStrategy,
    }
    rows = strategies[target](schema).extract("https://a.example/", PAGES[name])
    names = [field["name"] for field in schema["fields"]]
    assert [{name: row.get(name) for name in names} for row in rows] == expected(table, names)


@pytest.mark.parametrize("name", list(PAGES))
def test_the_spider_for_scrapy_reads_the_same_texts(name: str) -> None:
    table = duramen.records(PAGES[name], url="https://a.example/list")
    source = export_wrapper(duramen.RecordsWrapper.of(table), "scrapy")
    module: dict[str, Any] = {}
    exec(compile(source, "spider.py", "exec"), module)
    spider = module["RecordsSpider"]()
    assert spider.start_urls == ["https://a.example/list"]
    page = PAGES[name].replace("</body>", "<a rel=next href='?page=2'>2</a></body>")
    response = HtmlResponse("https://a.example/list", body=page.encode(), request=Request("https://a.example/list"))
    *rows, following = spider.parse(response)
    assert following.url == "https://a.example/list?page=2"
    assert len(rows) == len(table)
    for row, raw in zip(rows, table.raw_rows, strict=True):
        for key, value in row.items():
            mine = raw[key]
            assert (value or None) == (" ".join(mine.split()) if isinstance(mine, str) else mine), key


def test_runs_of_siblings_cannot_be_exported() -> None:
    runs = "".join(f"<dt><a href='/{n}'>Chair {n}</a></dt><dd>{'Oak. ' * 20} {n}</dd>" for n in range(8))
    wrapper = duramen.RecordsWrapper.of(duramen.records(make_page(f"<dl>{runs}</dl>")))
    with pytest.raises(UsageError, match="runs of siblings"):
        export_wrapper(wrapper, "crawl4ai")


def test_texts_of_the_page_cannot_leave_the_spider_source() -> None:
    site = 'https://a.example/"""\nimport os\n\\'
    wrapper = duramen.RecordsWrapper.of(duramen.records(PAGES["shop"], url=site))
    compile(export_wrapper(wrapper, "scrapy"), "spider.py", "exec")
    assert "\nimport os" not in export_wrapper(wrapper, "scrapy")
