"""Extraction of one page into one row: the function that every engine runs."""

from __future__ import annotations

import errno
import hashlib
import importlib
from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache

from duramen import methods
from duramen.batch.inputs.arguments import printable_path
from duramen.batch.inputs.splits import InputPage
from duramen.batch.row import Row
from duramen.batch.settings import RunSettings
from duramen.batch.sites.lookup import choose_extractor
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import DuramenError, NotHTMLError, UsageError

OUT_OF_MEMORY_ERROR = "memory: the page needs more memory than a worker may use"


def extract_row(input_page: InputPage, settings: RunSettings) -> Row:
    """Extract the row of a page. It depends on the arguments alone; any failure becomes the row's error."""
    row = make_blank_row(input_page, settings)
    if input_page.error is not None:
        return replace(row, error=input_page.error)
    if row.bytes > settings.reading.max_bytes:
        return replace(row, error=f"too-large: larger than {settings.reading.max_bytes:,} bytes")
    method = load_method(settings)  # outside the try block: a missing method is not an error of the page
    if settings.wrappers is not None:
        method = choose_extractor(input_page, settings.wrappers, method)
    headers = {"content-type": input_page.content_type} if input_page.content_type else None
    try:
        page = Page.parse(input_page.body, input_page.url, headers)
        content = method(page)
        text = content.to(settings.format, links=settings.links, images=settings.images)
        metadata = content.metadata
    except NotHTMLError as error:
        return replace(row, error=f"not-html: {error}")
    except DuramenError as error:
        return replace(row, error=f"failed: {error}")
    except Exception as error:
        if is_out_of_memory(error):
            return replace(row, error=OUT_OF_MEMORY_ERROR)
        return replace(row, error=f"failed: unexpected {type(error).__name__}: {error}".rstrip(": "))
    return replace(
        row,
        url=input_page.url or metadata.url,
        method=content.method,
        text=text,
        reason=content.reason,
        confidence=round(content.confidence, 4),
        page_type=content.page_type,
        title=metadata.title,
        language=metadata.language,
    )


def is_out_of_memory(error: Exception) -> bool:
    """True for a `MemoryError` and for the system's error ENOMEM."""
    return isinstance(error, MemoryError) or (isinstance(error, OSError) and error.errno == errno.ENOMEM)


def make_blank_row(input_page: InputPage, settings: RunSettings) -> Row:
    """Make a row with what is known of a page before extraction."""
    body = input_page.body if isinstance(input_page.body, bytes) else input_page.body.encode("utf-8", "surrogatepass")
    return Row(
        source=printable_path(input_page.source),
        position=input_page.position,
        url=input_page.url,
        sha256=None if input_page.error else hashlib.sha256(body).hexdigest(),
        bytes=len(body),
        status=input_page.status,
        date=input_page.date,
        method=settings.method,
        format=settings.format,
    )


@lru_cache(maxsize=8)
def load_method(settings: RunSettings) -> Callable[[Page], Content]:
    """Load the method that the settings name, once per process."""
    for module in settings.modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UsageError(f"the module {module} cannot be imported: {error}") from error
    return methods.get(settings.method)
