"""An item in, a row out: the one function that every engine runs."""

from __future__ import annotations

import errno
import hashlib
import importlib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from duramen import methods
from duramen.batch.item import Item
from duramen.batch.named import written
from duramen.batch.row import Row
from duramen.batch.settings import Settings
from duramen.batch.sites import method_for
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import DuramenError, NotHTMLError, UsageError

TOO_LITTLE_MEMORY = "memory: the page needs more memory than a worker may use"


def extract_row(item: Item, settings: Settings) -> Row:
    """The row of an item. Depends on these two alone; whatever goes wrong becomes the row's error."""
    row = blank_row(item, settings)
    if item.error is not None:
        return replace(row, error=item.error)
    if row.bytes > settings.reading.max_bytes:
        return replace(row, error=f"too-large: larger than {settings.reading.max_bytes:,} bytes")
    method = method_of(settings)  # outside: a method that is not there is no page's fault
    if settings.wrappers is not None:
        method = method_for(item, settings.wrappers, method)
    headers = {"content-type": item.content_type} if item.content_type else None
    try:
        page = Page.parse(item.body, item.url, headers)
        content = method(page)
        text = content.to(settings.format, links=settings.links, images=settings.images)
        metadata = content.metadata
    except NotHTMLError as error:
        return replace(row, error=f"not-html: {error}")
    except DuramenError as error:
        return replace(row, error=f"failed: {error}")
    except Exception as error:
        if is_lack_of_memory(error):
            return replace(row, error=TOO_LITTLE_MEMORY)
        return replace(row, error=f"failed: unexpected {type(error).__name__}: {error}".rstrip(": "))
    return replace(
        row,
        url=item.url or metadata.url,
        method=content.method,
        text=text,
        reason=content.reason,
        confidence=round(content.confidence, 4),
        page_type=content.page_type,
        title=metadata.title,
        language=metadata.language,
    )


def is_lack_of_memory(error: Exception) -> bool:
    """Whether that is what an error speaks of: the system has a word of its own for it."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def blank_row(item: Item, settings: Settings) -> Row:
    """What is known of a page before anybody has looked at it."""
    body = item.body if isinstance(item.body, bytes) else item.body.encode("utf-8", "surrogatepass")
    return Row(
        source=written(item.source),
        position=item.position,
        url=item.url,
        sha256=None if item.error else hashlib.sha256(body).hexdigest(),
        bytes=len(body),
        status=item.status,
        date=item.date,
        method=settings.method,
        format=settings.format,
    )


@lru_cache(maxsize=8)
def method_of(settings: Settings) -> Callable[[Page], Content]:
    """The method that the settings name, made once a process."""
    for module in settings.modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UsageError(f"the module {module} cannot be imported: {error}") from error
    return methods.get(settings.method)
