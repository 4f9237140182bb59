"""The code in docs/integrations.md runs, where its libraries are installed."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "integrations.md"


def snippets(word: str) -> list[str]:
    found = re.findall(r"^```py\n(.*?)^```", DOCUMENT.read_text("utf-8"), flags=re.M | re.S)
    return [snippet for snippet in found if word in snippet]


def test_the_document_shows_both_integrations() -> None:
    assert len(snippets("scrapy")) == 2
    assert len(snippets("datatrove")) == 2


def test_the_datatrove_snippets_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("datatrove")
    for package in ("warcio", "cchardet", "magic", "orjson"):
        pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    write_warc(tmp_path / "crawl" / "pages.warc.gz")
    pipeline, alone = snippets("datatrove")
    # A process of its own: datatrove configures logging and multiprocessing for the whole program.
    done = subprocess.run([sys.executable, "-c", pipeline], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (line,) = (tmp_path / "corpus" / "00000.jsonl").read_text("utf-8").splitlines()
    document = json.loads(line)
    assert document["text"].startswith("The heartwood")
    assert document["metadata"]["page_type"]
    exec(compile(alone, str(DOCUMENT), "exec"), {"__name__": "__main__"})


def write_warc(path: Path) -> None:
    paragraphs = "<p>The heartwood of an oak is brown and dry, and holds it upright.</p>" * 5
    html = f"<!DOCTYPE html><html><head><title>Oak</title></head><body><article>{paragraphs}</article></body></html>"
    response = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{html}"
    headers = [
        "WARC/1.0",
        "WARC-Type: response",
        "WARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-000000000001>",
        "WARC-Target-URI: https://ring.example/oak",
        "WARC-Date: 2026-11-18T00:00:00Z",
        "Content-Type: application/http; msgtype=response",
        f"Content-Length: {len(response)}",
    ]
    path.parent.mkdir()
    path.write_bytes(gzip.compress("\r\n".join([*headers, "", response, "", ""]).encode()))


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
