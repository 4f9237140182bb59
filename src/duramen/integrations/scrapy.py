"""A Scrapy item pipeline: the page that an item carries becomes its text.

In the settings of a project:

    ITEM_PIPELINES = {"duramen.integrations.scrapy.DuramenPipeline": 300}

A spider yields items with the page under `html`: the response as it is, or its bytes or text with the address under
`url`. The pipeline fills in what it finds (`FIELDS`), in fields that the item can have and the spider has left empty,
and takes the page away, so that no feed export stores it. What it cannot read stays an item, with the reason under
`error`: nothing that a spider has found is dropped.

An item is any kind that Scrapy knows: a dict, an `Item`, a dataclass, an attrs or a pydantic object. Extraction is a
few milliseconds of computing, and runs in the reactor's thread, as the parsing in a spider's own callbacks does.
"""

from __future__ import annotations

import logging
from typing import Any, Final, Self

from duramen.batch.item import Item
from duramen.batch.settings import Settings
from duramen.batch.work import extract_row, method_of
from duramen.content import FORMATS
from duramen.errors import DuramenError, MissingExtraError

try:
    from itemadapter import ItemAdapter
    from scrapy.crawler import Crawler
    from scrapy.http import Response
except ModuleNotFoundError as error:
    raise MissingExtraError("scrapy", "scrapy") from error

FIELDS: Final = ("url", "text", "title", "language", "page_type", "confidence", "method", "reason", "error")
"""The columns of a row that an item is given: a dict all of them, an item with fields of its own those that it has."""

_log = logging.getLogger(__name__)


class DuramenPipeline:
    """Puts the main content of a page into the item that carries it."""

    def __init__(self, crawler: Crawler) -> None:
        given = crawler.settings
        self._crawler = crawler
        self._field: str = given.get("DURAMEN_HTML_FIELD", "html")
        self._keep: bool = given.getbool("DURAMEN_KEEP_HTML", False)
        self._settings = Settings(
            method=given.get("DURAMEN_METHOD", Settings.method),
            format=given.get("DURAMEN_FORMAT", Settings.format),
            links=given.getbool("DURAMEN_LINKS", False),
            images=given.getbool("DURAMEN_IMAGES", False),
        )

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Self:
        """Made by Scrapy. A setting that means nothing stops the crawl before its first request."""
        pipeline = cls(crawler)
        settings = pipeline._settings
        if settings.format not in FORMATS:
            raise ValueError(f"DURAMEN_FORMAT is {settings.format!r}: choose one of {', '.join(FORMATS)}")
        try:
            method_of(settings)
        except DuramenError as error:
            raise ValueError(f"DURAMEN_METHOD: {error}") from error
        return pipeline

    # Scrapy before 2.14 hands the spider over; later versions warn of a pipeline that asks for it.
    def process_item(self, item: Any, spider: object = None) -> Any:
        """The item with its page read; an item without a page as it is."""
        adapter = ItemAdapter(item)
        given = adapter.get(self._field)
        if given is None:
            self._count("no_page")
            return item
        row = extract_row(_item(given, adapter.get("url")), self._settings)
        if row.error is not None:
            _log.warning("%s: %s", row.url or "a page without an address", row.error)
        self._count("failed" if row.error is not None else "extracted" if row.text else "empty")
        if not self._keep:
            del adapter[self._field]
        known = adapter.get_field_names_from_class(type(item))
        for name in FIELDS:
            if (known is None or name in known) and adapter.get(name) is None:
                adapter[name] = getattr(row, name)
        return item

    def _count(self, what: str) -> None:
        if self._crawler.stats is not None:
            self._crawler.stats.inc_value(f"duramen/{what}")


def _item(given: object, url: str | None) -> Item:
    if isinstance(given, Response):
        content_type = (given.headers.get("Content-Type") or b"").decode("latin-1")
        return Item("scrapy", body=given.body, url=url or given.url, content_type=content_type, status=given.status)
    if isinstance(given, str | bytes):
        return Item("scrapy", body=given, url=url)
    return Item("scrapy", url=url, error=f"failed: a page is a response, bytes or text, not {type(given).__name__}")
