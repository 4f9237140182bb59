"""A Scrapy item pipeline that extracts the page in an item.

In the settings of a project:

    ITEM_PIPELINES = {"duramen.integrations.scrapy.DuramenPipeline": 300}

A spider yields items with the page under `html`: the response, or its bytes or text with the URL under `url`. The
pipeline fills the fields of `FIELDS` that the item can have and the spider has left empty, and removes the page, so
that no feed export stores it. An item whose page cannot be read is kept, with the reason under `error`.

An item is of any kind that Scrapy supports: a dict, an `Item`, a dataclass, an attrs or a pydantic object. Extraction
takes a few milliseconds and runs in the thread of the reactor, like the callbacks of a spider.
"""

from __future__ import annotations

import logging
from typing import Any, Final, Self

from duramen.batch.inputs.splits import InputPage
from duramen.batch.row import extract_row, load_method
from duramen.batch.settings import METADATA_FIELDS, RunSettings
from duramen.content import FORMATS
from duramen.errors import DuramenError, MissingExtraError
from duramen.output import TABLE_FORMATS

try:
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler
    from scrapy.http import Response
except ModuleNotFoundError as error:
    raise MissingExtraError("scrapy", "scrapy") from error

FIELDS: Final = ("url", "text", *METADATA_FIELDS, "page_type", "confidence", "method", "reason", "error")
"""Columns of the row that go into an item: all of them into a dict, otherwise those that the item has."""

_log = logging.getLogger(__name__)


class DuramenPipeline:
    """Adds the main content of a page to the item that holds it."""

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._crawler = crawler
        self._field: str = settings.get("DURAMEN_HTML_FIELD", "html")
        self._keep: bool = settings.getbool("DURAMEN_KEEP_HTML", False)
        self._settings = RunSettings(
            method=settings.get("DURAMEN_METHOD", RunSettings.method),
            format=settings.get("DURAMEN_FORMAT", RunSettings.format),
            links=_read_optional_bool(crawler, "DURAMEN_LINKS"),
            images=_read_optional_bool(crawler, "DURAMEN_IMAGES"),
            tables=settings.get("DURAMEN_TABLES", RunSettings.tables),
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Called by Scrapy. An invalid setting stops the crawl before its first request."""
        pipeline = cls(crawler)
        settings = pipeline._settings
        if settings.format not in FORMATS:
            raise ValueError(f"DURAMEN_FORMAT is {settings.format!r}: choose one of {', '.join(FORMATS)}")
        if settings.tables not in TABLE_FORMATS:
            raise ValueError(f"DURAMEN_TABLES is {settings.tables!r}: choose one of {', '.join(TABLE_FORMATS)}")
        try:
            load_method(settings)
        except DuramenError as error:
            raise ValueError(f"DURAMEN_METHOD: {error}") from error
        return pipeline

    # Scrapy before 2.14 passes the spider; later versions warn about a pipeline that requires it.
    def process_item(self, item: Any, spider: object = None) -> Any:
        """Return the item with its page extracted; an item without a page unchanged."""
        adapter = ItemAdapter(item)
        page = adapter.get(self._field)
        if page is None:
            self._count("no_page")
            return item
        row = extract_row(_make_input_page(page, adapter.get("url")), self._settings)
        if row.error is not None:
            _log.warning("%s: %s", row.url or "a page without a URL", row.error)
        self._count("failed" if row.error is not None else "extracted" if row.text else "empty")
        if not self._keep:
            del adapter[self._field]
        allowed = adapter.get_field_names_from_class(type(item))
        columns = row.as_dict()
        for name in FIELDS:
            if (allowed is None or name in allowed) and adapter.get(name) is None:
                adapter[name] = columns[name]
        return item

    def _count(self, what: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"duramen/{what}")


def _read_optional_bool(crawler: Crawler, name: str) -> bool | None:
    """Return a setting, or None where it is not set: then the format decides."""
    return None if crawler.settings.get(name) is None else crawler.settings.getbool(name)


def _make_input_page(page: object, url: str | None) -> InputPage:
    if isinstance(page, Response):
        content_type = (page.headers.get("Content-Type") or b"").decode("latin-1")
        return InputPage("scrapy", body=page.body, url=url or page.url, content_type=content_type, status=page.status)
    if isinstance(page, str | bytes):
        return InputPage("scrapy", body=page, url=url)
    return InputPage("scrapy", url=url, error=f"failed: a page is a response, bytes or text, not {type(page).__name__}")
