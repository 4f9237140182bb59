"""The datatrove extractor: real documents, a real pipeline."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("datatrove")

from datatrove.data import Document
from datatrove.executor import LocalPipelineExecutor
from datatrove.pipeline.base import PipelineStep
from datatrove.pipeline.extractors.base import BaseExtractor

from duramen.errors import UsageError
from duramen.integrations.datatrove import Duramen

SENTENCE = "The heartwood of an oak is brown and dry, and it makes up most of the trunk, year after year. "
HTML = (
    "<html lang=en><head><title>Oak</title></head><body><nav><a href=/>Home</a> <a href=/all>All</a></nav>"
    f"<article><h1>Oak</h1><p>{SENTENCE * 4}</p><p>{SENTENCE * 3}</p></article><footer>© Ring</footer></body></html>"
)
HANGS = "hangs"
DIES = "dies"


def document(text: str, name: str = "oak", **metadata: object) -> Document:
    return Document(text=text, id=name, metadata={"url": f"https://ring.example/{name}", **metadata})


def through(step: Duramen, *documents: Document) -> list[Document]:
    return list(step.run(iter(documents)))


def counts(step: Duramen) -> dict[str, int]:
    return {name: int(stat.total) for name, stat in step.stats.stats.items() if name != "doc_len"}


def test_the_content_replaces_the_text_of_a_document() -> None:
    (extracted,) = through(Duramen(), document(HTML))
    assert extracted.text.startswith("The heartwood of an oak")
    assert "Home" not in extracted.text
    assert extracted.metadata == {"url": "https://ring.example/oak"}


def test_it_replaces_trafilatura() -> None:
    assert isinstance(Duramen(), BaseExtractor)
    assert Duramen().extract(HTML).startswith("The heartwood of an oak")


def test_metadata_is_added_on_request_and_never_overwritten() -> None:
    (extracted,) = through(Duramen(metadata=True), document(HTML, title="Given"))
    assert extracted.metadata["title"] == "Given"
    assert extracted.metadata["method"] == "auto"
    assert 0 <= extracted.metadata["confidence"] <= 1


def test_relative_links_become_absolute_by_the_url() -> None:
    page = HTML.replace("brown", "<a href=/brown>brown</a>")
    (extracted,) = through(Duramen("mss-simple", "markdown"), document(page))
    assert "[brown](https://ring.example/brown)" in extracted.text
    (extracted,) = through(Duramen("mss-simple", "markdown", links=False), document(page))
    assert "ring.example" not in extracted.text


def test_documents_without_content_are_dropped_and_counted() -> None:
    step = Duramen()
    extracted = through(step, document("<script>only()</script>"), document("%PDF-1.7"), document(""), document(HTML))
    assert len(extracted) == 1
    assert counts(step) == {"total": 4, "extracted": 3, "dropped": 2, "clean_error": 1, "forwarded": 1}


class Hostile(Duramen):
    """Hangs or dies on some documents."""

    def make_row(self, page):  # type: ignore[no-untyped-def]
        import os
        import time

        body = page if isinstance(page, str) else page.body
        if body == HANGS:
            time.sleep(60)
        if body == DIES:
            os._exit(1)
        return super().make_row(page)


def test_a_page_that_hangs_or_kills_its_process_is_the_only_one_lost() -> None:
    step = Hostile("mss-simple", timeout=6)
    extracted = through(
        step, document(HTML, "1"), document(HANGS), document(HTML, "2"), document(DIES), document(HTML, "3")
    )
    assert [one.id for one in extracted] == ["1", "2", "3"]
    assert counts(step) == {"total": 5, "extracted": 3, "forwarded": 3, "timeout": 1, "broken_process": 1}


@pytest.mark.parametrize("options", [{"method": "mss-simpel"}, {"format": "pdf"}])
def test_an_unknown_method_is_reported_at_once(options: dict[str, str]) -> None:
    with pytest.raises(UsageError, match="unknown"):
        Duramen(**options)  # type: ignore[arg-type]


class Keep(PipelineStep):
    """Writes the texts of a pipeline to a file: datatrove's own writers ask for more libraries."""

    name, type = "Keep", "Writer"

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.path = path

    def run(self, data, rank=0, world_size=1):  # type: ignore[no-untyped-def]
        self.path.write_text("\n".join(f"{document.id} {document.text[:13]}" for document in data), "utf-8")


def test_a_pipeline_with_it_runs(tmp_path: Path) -> None:
    documents = [document(HTML, str(number)) for number in range(3)]
    pipeline = [documents, Duramen(), Keep(tmp_path / "out")]
    LocalPipelineExecutor(pipeline=pipeline, logging_dir=str(tmp_path / "logs")).run()
    assert (tmp_path / "out").read_text("utf-8").splitlines() == [f"{number} The heartwood" for number in range(3)]
