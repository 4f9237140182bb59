"""A datatrove extractor: duramen where a pipeline has Trafilatura.

    from datatrove.pipeline.extractors import Trafilatura      # before
    from duramen.integrations.datatrove import Duramen         # after

    pipeline = [WarcReader(…), Duramen(), LanguageFilter(…), JsonlWriter(…)]

Like datatrove's own extractors it works in a process beside the pipeline's, which is replaced when a page takes longer
than `timeout` or kills it; that page is dropped and counted, as is one on which nothing is found.
"""

from __future__ import annotations

from typing import Any

from duramen.batch.item import Item
from duramen.batch.row import Row
from duramen.batch.settings import Settings
from duramen.batch.work import extract_row, method_of
from duramen.content import FORMATS
from duramen.errors import MissingExtraError, UsageError

try:
    from datatrove.data import DocumentsPipeline
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ModuleNotFoundError as error:
    raise MissingExtraError("datatrove", "datatrove") from error

METADATA = ("title", "page_type", "confidence", "method")
"""What `metadata=True` adds to a document's metadata: those columns of its row that are known."""


class Duramen(BaseExtractor):
    """Replaces the HTML of a document by its main content.

    Args:
        method: the name of a method, with its parameters after colons
        format: what the text is written in: text, markdown or html
        links: whether links are kept, where the format has them
        images: whether images are kept, where the format has them
        metadata: add title, page type, confidence and method to the document's metadata, where it has no such key yet
        timeout: seconds for one document; the first of a process also waits for what has to be imported
    """

    name = "🪵 Duramen"

    def __init__(
        self,
        method: str = Settings.method,
        format: str = Settings.format,
        *,
        links: bool = False,
        images: bool = False,
        metadata: bool = False,
        timeout: float = 10,
    ) -> None:
        super().__init__(timeout)
        if format not in FORMATS:
            raise UsageError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")
        self.settings = Settings(method=method, format=format, links=links, images=images)
        self.metadata = metadata
        self._warned = False
        method_of(self.settings)  # an unknown name is told now, not by every worker

    def extract(self, text: str) -> str:
        """The main content of HTML, for who calls it outside a pipeline; empty where there is none."""
        return self.row(text).text or ""

    def row(self, page: Item | str) -> Row:
        """All that is found on a page. Runs in the process beside; a str is what datatrove warms it up with."""
        return extract_row(page if isinstance(page, Item) else Item("datatrove", body=page), self.settings)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Each document with its content for its text. datatrove's own `run`, with the address in and the row out."""
        with ExtractorSandbox(self.timeout) as sandbox:
            for document in data or ():
                self.stat_update(StatHints.total)
                with self.track_time():
                    row = self._row(document, sandbox)
                if row is None:
                    continue
                if not row.text:
                    self.stat_update(StatHints.dropped)
                    continue
                document.text = row.text
                if self.metadata:
                    for name in METADATA:
                        if (value := getattr(row, name)) is not None:
                            document.metadata.setdefault(name, value)
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document

    def _row(self, document: Any, sandbox: ExtractorSandbox) -> Row | None:
        """The row of a document; None, and a line in the statistics, where there was an error."""
        item = Item("datatrove", body=document.text, url=document.metadata.get("url"))
        try:
            row: Row = sandbox.process_document(item, self.row)
        except TimeoutError:
            self.stat_update("timeout")
            self._warn(f"{item.url or document.id}: no result in {self.timeout:g} s")
            return None
        except (EOFError, OSError):  # a pipe into a process that died
            self.stat_update("broken_process")
            self._warn(f"{item.url or document.id}: the page killed its process")
            return None
        if row.error is not None:
            self.stat_update("clean_error")
            self._warn(f"{item.url or document.id}: {row.error}")
            return None
        self.stat_update("extracted")
        return row

    def _warn(self, sentence: str) -> None:
        if not self._warned:
            logger.warning(f"{sentence}; skipped. Further such documents are counted, not told.")
            self._warned = True
