"""The code in docs/integrations.md runs, where its libraries are installed."""

from __future__ import annotations

import io
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
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    body = b"<article>" + b"<p>The heartwood of an oak is brown and dry, and holds it upright.</p>" * 5 + b"</article>"
    headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
    path.parent.mkdir()
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=True)
        url = "https://ring.example/oak"
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers))


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
