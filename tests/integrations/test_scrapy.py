"""The Scrapy pipeline: real items of every kind, a real crawl."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("scrapy")

import attrs
import scrapy
from scrapy.crawler import Crawler
from scrapy.http import HtmlResponse, Response
from scrapy.utils.test import get_crawler

from duramen.integrations.scrapy import FIELDS, DuramenPipeline

URL = "https://ring.example/oak"
SENTENCE = "The heartwood of an oak is brown and dry, and it makes up most of the trunk, year after year. "
HTML = (
    "<html lang=en><head><title>Oak</title></head><body><nav><a href=/>Home</a> <a href=/all>All</a></nav>"
    f"<article><h1>Oak</h1><p>{SENTENCE * 4}</p><p>{SENTENCE * 3}</p></article><footer>© Ring</footer></body></html>"
)


class Fields(scrapy.Item):  # type: ignore[misc]
    url = scrapy.Field()
    html = scrapy.Field()
    text = scrapy.Field()
    title = scrapy.Field()


@dataclass
class Data:
    url: str | None = None
    html: object = None
    text: str | None = None
    title: str | None = None


@attrs.define
class Attributes:
    url: str | None = None
    html: object = None
    text: str | None = None
    title: str | None = None


@dataclass
class Bare:
    html: object = None
    notes: list[str] = field(default_factory=list)


def crawler_with(**settings: object) -> Crawler:
    return get_crawler(settings_dict=settings)


def response(body: bytes = HTML.encode(), content_type: str = "text/html; charset=utf-8") -> HtmlResponse:
    return HtmlResponse(URL, body=body, headers={"Content-Type": content_type})


def through(item: Any, **settings: object) -> Any:
    return DuramenPipeline.from_crawler(crawler_with(**settings)).process_item(item)


@pytest.mark.parametrize(
    ("settings", "is_linked"),
    [
        ({}, False),
        ({"DURAMEN_FORMAT": "markdown"}, True),
        ({"DURAMEN_FORMAT": "markdown", "DURAMEN_LINKS": "0"}, False),
        ({"DURAMEN_LINKS": True}, True),
    ],
)
def test_links_are_written_by_format_unless_a_setting_decides(settings: dict[str, object], is_linked: bool) -> None:
    page = HTML.replace("brown", "<a href=/brown>brown</a>")
    item = through({"html": page, "url": URL}, **settings)
    assert ("https://ring.example/brown" in item["text"]) == is_linked


@pytest.mark.parametrize("kind", [dict, Fields, Data, Attributes])
def test_every_kind_of_item_gets_its_text_and_loses_its_page(kind: Callable[..., Any]) -> None:
    extracted = scrapy_dict(through(kind(url=URL, html=HTML)))
    assert extracted["text"].startswith("The heartwood of an oak")
    assert "Home" not in extracted["text"]
    assert extracted["title"] == "Oak"
    assert extracted.get("html") is None


def scrapy_dict(item: Any) -> dict[str, Any]:
    from itemadapter import ItemAdapter

    return ItemAdapter(item).asdict()


def test_a_response_has_its_url_and_its_charset() -> None:
    extracted = through(
        {"html": response(HTML.replace("oak", "чинар").encode("cp1251"), "text/html; charset=windows-1251")}
    )
    assert extracted["url"] == URL
    assert "чинар" in extracted["text"]


def test_a_dict_gets_all_fields() -> None:
    extracted = through({"html": HTML})
    assert set(FIELDS) <= set(extracted)
    assert extracted["error"] is None
    assert extracted["method"] == "auto"
    assert 0 <= extracted["confidence"] <= 1


def test_an_item_without_text_field_only_loses_its_page() -> None:
    assert through(Bare(html=HTML, notes=["seed"])) == Bare(notes=["seed"])


def test_fields_filled_by_the_spider_are_kept() -> None:
    assert through({"html": HTML, "title": "My oak"})["title"] == "My oak"


def test_an_item_without_a_page_is_unchanged() -> None:
    assert through({"price": 3}) == {"price": 3}


@pytest.mark.parametrize(
    ("page", "reason"),
    [
        (b"%PDF-1.7 and so on", "not-html: "),
        (Response(URL, body=b"\x89PNG\r\n\x1a\n0000"), "not-html: "),
        (17, "failed: a page is a response, bytes or text, not int"),
    ],
)
def test_an_item_that_is_not_a_page_is_kept_with_its_error(page: object, reason: str) -> None:
    extracted = through({"url": URL, "html": page, "price": 3})
    assert extracted["error"].startswith(reason)
    assert extracted["text"] is None
    assert extracted["price"] == 3


def test_settings_select_method_format_and_fields() -> None:
    extracted = through(
        {"page": HTML},
        DURAMEN_METHOD="mss-simple",
        DURAMEN_FORMAT="html",
        DURAMEN_HTML_FIELD="page",
        DURAMEN_KEEP_HTML=True,
    )
    assert extracted["method"] == "mss-simple"
    assert "<p>The heartwood" in extracted["text"]
    assert extracted["page"] == HTML


@pytest.mark.parametrize(
    ("name", "value"), [("DURAMEN_METHOD", "mss-simpel"), ("DURAMEN_FORMAT", "pdf"), ("DURAMEN_TABLES", "latex")]
)
def test_an_invalid_setting_stops_the_crawl_at_its_start(name: str, value: str) -> None:
    with pytest.raises(ValueError, match=f"{name}.*{value}"):
        through({"html": HTML}, **{name: value})


def test_pages_are_counted_in_the_statistics() -> None:
    crawler = crawler_with()
    pipeline = DuramenPipeline.from_crawler(crawler)
    for page in (HTML, "<script>only()</script>", b"%PDF-1.7"):
        pipeline.process_item({"html": page})
    assert crawler.stats is not None
    counts = {name: crawler.stats.get_value(f"duramen/{name}") for name in ("extracted", "empty", "failed")}
    assert counts == {"extracted": 1, "empty": 1, "failed": 1}


def test_a_crawl_with_the_pipeline_writes_texts(tmp_path: Path) -> None:
    page, out, spider = tmp_path / "oak.html", tmp_path / "out.jsonl", tmp_path / "spider.py"
    page.write_text(HTML, "utf-8")
    spider.write_text(
        f"""
import scrapy
class Ring(scrapy.Spider):
    name = "ring"
    start_urls = ["{page.as_uri()}"]
    custom_settings = {{"ITEM_PIPELINES": {{"duramen.integrations.scrapy.DuramenPipeline": 300}}}}
    def parse(self, response):
        yield {{"html": response}}
""",
        "utf-8",
    )
    command = [sys.executable, "-m", "scrapy", "runspider", str(spider), "-o", str(out)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    (line,) = out.read_text("utf-8").splitlines()
    assert json.loads(line)["text"].startswith("The heartwood of an oak")
    assert "'duramen/extracted': 1" in done.stderr
