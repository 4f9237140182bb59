"""A datatrove extractor, as a replacement for Trafilatura.

    from datatrove.pipeline.extractors import Trafilatura      # before
    from duramen.integrations.datatrove import Duramen         # after

    pipeline = [WarcReader(…), Duramen(), LanguageFilter(…), JsonlWriter(…)]

Like datatrove's own extractors it works in a separate process, which is replaced if a page takes longer than `timeout`
or kills it. Such a page is dropped and counted, and so is one without content.
"""

from __future__ import annotations

from typing import Any

from duramen.batch.inputs.splits import InputPage
from duramen.batch.row import Row, extract_row, load_method
from duramen.batch.settings import METADATA_FIELDS, RunSettings
from duramen.content import FORMATS
from duramen.errors import MissingExtraError, UsageError
from duramen.output import check_table_format

try:
    from datatrove.data import DocumentsPipeline
    from datatrove.pipeline.extractors.base import BaseExtractor, ExtractorSandbox
    from datatrove.utils.logging import logger
    from datatrove.utils.typeshelper import StatHints
except ModuleNotFoundError as error:
    raise MissingExtraError("datatrove", "datatrove") from error

METADATA = (*METADATA_FIELDS, "page_type", "confidence", "method")
"""Columns of the row that `metadata=True` adds to a document's metadata, if they are known."""


class Duramen(BaseExtractor):
    """Replaces the HTML of a document with its main content.

    Args:
        method: the name of a method, with its parameters after colons
        format: format of the text: text, markdown or html
        links: write links, or not; by default they are written in Markdown, HTML and XML
        images: write images, or not; by default they are written in Markdown, HTML and XML
        tables: how Markdown writes tables: markdown, html or csv
        metadata: add title, authors, dates and the other `METADATA` to the document's metadata, where a key is missing
        timeout: seconds for one document; the first one of a process also waits for imports
    """

    name = "🪵 Duramen"

    def __init__(
        self,
        method: str = RunSettings.method,
        format: str = RunSettings.format,
        *,
        links: bool | None = None,
        images: bool | None = None,
        tables: str = RunSettings.tables,
        metadata: bool = False,
        timeout: float = 10,
    ) -> None:
        super().__init__(timeout)
        if format not in FORMATS:
            raise UsageError(f"unknown format {format!r}: choose one of {', '.join(FORMATS)}")
        check_table_format(tables)
        self.settings = RunSettings(method=method, format=format, links=links, images=images, tables=tables)
        self.metadata = metadata
        self._warned = False
        load_method(self.settings)  # report an unknown name now, not in every worker

    def extract(self, text: str) -> str:
        """Extract the main content of HTML, for use outside a pipeline; empty if there is none."""
        return self.make_row(text).text or ""

    def make_row(self, page: InputPage | str) -> Row:
        """Extract the row of a page, in the separate process. datatrove warms that up with a str."""
        return extract_row(page if isinstance(page, InputPage) else InputPage("datatrove", body=page), self.settings)

    def run(self, data: DocumentsPipeline, rank: int = 0, world_size: int = 1) -> DocumentsPipeline:
        """Replace the text of each document. Like datatrove's own `run`, but passes the URL and gets a row."""
        with ExtractorSandbox(self.timeout) as sandbox:
            for document in data or ():
                self.stat_update(StatHints.total)
                with self.track_time():
                    row = self._process(document, sandbox)
                if row is None:
                    continue
                if not row.text:
                    self.stat_update(StatHints.dropped)
                    continue
                document.text = row.text
                if self.metadata:
                    columns = row.as_dict()
                    for name in METADATA:
                        if columns[name] not in (None, []):
                            document.metadata.setdefault(name, columns[name])
                self.stat_update(StatHints.forwarded)
                self.update_doc_stats(document)
                yield document

    def _process(self, document: Any, sandbox: ExtractorSandbox) -> Row | None:
        """Return the row of a document; None, counted in the statistics, after an error."""
        page = InputPage("datatrove", body=document.text, url=document.metadata.get("url"))
        try:
            row: Row = sandbox.process_document(page, self.make_row)
        except TimeoutError:
            self.stat_update("timeout")
            self._warn(f"{page.url or document.id}: no result in {self.timeout:g} s")
            return None
        except (EOFError, OSError):  # the pipe of a process that died
            self.stat_update("broken_process")
            self._warn(f"{page.url or document.id}: the page killed its process")
            return None
        if row.error is not None:
            self.stat_update("clean_error")
            self._warn(f"{page.url or document.id}: {row.error}")
            return None
        self.stat_update("extracted")
        return row

    def _warn(self, message: str) -> None:
        if not self._warned:
            logger.warning(f"{message}; skipped. Further documents of this kind are only counted.")
            self._warned = True
