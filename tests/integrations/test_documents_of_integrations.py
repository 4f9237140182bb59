"""The code in docs/integrations.md runs, where its libraries are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "integrations.md"


def snippets(word: str) -> list[str]:
    found = re.findall(r"^```py\n(.*?)^```", DOCUMENT.read_text("utf-8"), flags=re.M | re.S)
    return [snippet for snippet in found if word in snippet]


def test_the_document_shows_both_integrations() -> None:
    assert len(snippets("scrapy")) == 2
    assert len(snippets("datatrove")) == 1


def test_the_datatrove_snippet_runs() -> None:
    pytest.importorskip("datatrove")
    for snippet in snippets("datatrove"):
        exec(compile(snippet, str(DOCUMENT), "exec"), {"__name__": "__main__"})


def test_the_spider_of_the_document_feeds_the_pipeline() -> None:
    scrapy = pytest.importorskip("scrapy")
    from scrapy.http import HtmlResponse
    from scrapy.utils.misc import load_object
    from scrapy.utils.test import get_crawler

    names: dict[str, Any] = {"__name__": "__main__"}
    for snippet in snippets("scrapy"):
        exec(compile(snippet, str(DOCUMENT), "exec"), names)
    spider = names["Ring"]()
    assert isinstance(spider, scrapy.Spider)
    assert names["ITEM_PIPELINES"] == spider.custom_settings["ITEM_PIPELINES"]
    (path,) = names["ITEM_PIPELINES"]
    pipeline = load_object(path).from_crawler(get_crawler())
    body = b"<article>" + b"<p>The heartwood of an oak is brown and dry, and holds it upright.</p>" * 5 + b"</article>"
    (item,) = spider.parse(HtmlResponse("https://ring.example/", body=body))
    assert pipeline.process_item(item)["text"].startswith("The heartwood")
