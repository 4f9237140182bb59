"""The public functions: extract, records, record and fetch for one page, learn and load_wrapper for a site."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.methods import Method

if TYPE_CHECKING:
    from duramen.data_records.detail import PageRecord
    from duramen.data_records.examples import Examples
    from duramen.data_records.records_wrapper import RecordsWrapper
    from duramen.data_records.table import Table
    from duramen.wrappers import LearnResult, Wrapper, WrapperSet
    from duramen.wrappers.learning import PageInput

PageSource = str | bytes | Path | Page
"""HTML as text, undecoded HTML, the path of a file, or a page that is parsed already."""

_MAX_NAME_CHARS = 2048
"""A longer text is HTML, never the name of a page."""


def extract(
    source: PageSource,
    *,
    url: str | None = None,
    method: str | Method = methods.DEFAULT,
    favor: str | None = None,
    links: bool | None = None,
    images: bool | None = None,
    comments: bool = False,
    tables: str = "markdown",
    **parameters: Any,
) -> Content:
    """Extract the main content of a page.

    If nothing is found, the Content is empty and false, and its `reason` explains it.

    Args:
        source: HTML as a `str`, undecoded HTML as `bytes`, a file as a `Path`, or a `Page`
        url: the URL of the page, if it is known; links become absolute
        method: a name (`duramen.methods.names()`), or a method of your own
        favor: "precision" keeps less, "recall" keeps more; for the method `auto`
        links: write links, or not; by default they are written in Markdown, HTML and XML
        images: write images, or not; by default they are written in Markdown, HTML and XML
        comments: write reader comments after the content
        tables: how Markdown writes tables: "markdown", "html" (keeps cells over several columns) or "csv"
        parameters: parameters of the method, by name: `method="econ", skip_wrappers=False`

    Raises:
        NotHTMLError: the source is another format
        InputError: the file cannot be read
        UsageError: the method, or a parameter of it, is unknown
    """
    content = _choose_method(method, favor, parameters)(to_page(source, url))
    if links is not None or images is not None or comments or tables != "markdown":
        return replace(content, links=links, images=images, with_comments=comments, tables=tables)
    return content


def records(source: PageSource, *, url: str | None = None, like: Examples | None = None) -> Table:
    """Extract the main list of a page as a table.

    `source` and the exceptions are those of `extract`. If the page has no main list, the Table is empty and false, and
    its `reason` explains it.

    Args:
        source: as for `extract`
        url: as for `extract`
        like: values of the wanted list, such as `["Ladder-back chair", "€ 120.00"]`: the list that holds them is taken,
            and their columns come first; a dict gives names to their columns, `{"product": "Ladder-back chair"}`
    """
    from duramen.data_records.examples import find_table_like
    from duramen.data_records.table import Table, tabulate
    from duramen.methods.regions.main_list import find_main_region, find_other_regions

    page = to_page(source, url)
    if like:
        return find_table_like(page, like)
    found = find_main_region(page)
    if found.region is None:
        return Table(found.page, found.reason)
    find_posts = None
    if found.context.is_thread:
        from duramen.comments.post_values import find_post_values

        find_posts = partial(find_post_values, found.page.tree, found.context.content, found.page.url or "")
    table = tabulate(found.page, found.region, find_posts)
    if table:
        return table
    others = (tabulate(found.page, region, find_posts) for region in find_other_regions(found))
    return next(filter(None, others), table)


def records_all(source: PageSource, *, url: str | None = None) -> list[Table]:
    """Extract every list of a page as a table, the likeliest main list first."""
    from duramen.data_records.table import tabulate
    from duramen.methods.regions.main_list import find_page_regions

    page, regions = find_page_regions(to_page(source, url))
    return [table for region in regions if (table := tabulate(page, region))]


def record(source: PageSource, *, url: str | None = None) -> PageRecord:
    """Extract the fields of the one thing that a page is about: a product, a recipe, a job.

    `source` and the exceptions are those of `extract`. If nothing is found, the record is empty and false.
    """
    from duramen.data_records.detail import find_page_record

    return find_page_record(to_page(source, url))


def fetch(url: str, *, timeout: float = 20.0, max_bytes: int = 50_000_000, allow_private: bool | None = None) -> Page:
    """Download a page over http or https and parse it.

    Args:
        url: the URL of the page
        timeout: seconds for the whole download
        max_bytes: a larger page is refused
        allow_private: whether the host may be on the local network; None allows it if the URL itself names such a host

    Raises:
        FetchError: the page cannot be downloaded
    """
    from duramen.net.fetch import fetch as download

    response = download(url, timeout=timeout, max_bytes=max_bytes, allow_private=allow_private)
    return Page.parse(response.body, url=response.url, headers=response.headers)


def learn(pages: Iterable[PageInput], **settings: Any) -> Wrapper:
    """Learn the wrapper of a site from pages of one template.

    `settings` are those of `duramen.wrappers.learn`. Raises `InputError` if nothing can be learned from the pages.
    """
    from duramen import wrappers
    from duramen.site_model.fusion import add_site_models
    from duramen.wrappers.learning import prepare_pages

    prepared = prepare_pages(pages)
    wrapper = wrappers.learn(prepared, **settings)
    return add_site_models([wrapper], ((page.name or "", page.page) for page in prepared))[0]


def learn_all(pages: Iterable[PageInput], **settings: Any) -> LearnResult:
    """Learn a wrapper for each template among the pages; the arguments are those of `learn`."""
    from duramen import wrappers
    from duramen.site_model.fusion import add_site_models
    from duramen.wrappers.learning import prepare_pages

    prepared = prepare_pages(pages)
    learned = wrappers.learn_all(prepared, **settings)
    named = ((page.name or "", page.page) for page in prepared)
    return replace(learned, wrappers=tuple(add_site_models(learned.wrappers, named)))


def load_wrapper(path: str | Path) -> Wrapper | WrapperSet | RecordsWrapper:
    """Load a wrapper that was saved: of a site (`learn`), of several templates, or of records."""
    from duramen.data_records import records_wrapper
    from duramen.wrapper_file import find_format, read_wrapper_text
    from duramen.wrappers import wrapper_json

    if find_format(read_wrapper_text(path)) == records_wrapper.FORMAT:
        return records_wrapper.RecordsWrapper.load(path)
    return wrapper_json.load_wrapper(path)


def to_page(source: PageSource, url: str | None) -> Page:
    """Return the page of a source: HTML, undecoded HTML, a file or a page."""
    match source:
        case Page():
            return source
        case Path():
            return Page.parse(_read_file(source), url)
        case str():
            return Page.parse(_check_html(source), url)
        case bytes() | bytearray() | memoryview():
            return Page.parse(bytes(source), url)
    raise TypeError(f"a page is a str, bytes, a Path or a Page, not {type(source).__name__}")


def _choose_method(method: str | Method, favor: str | None, parameters: dict[str, Any]) -> Method:
    if favor is not None:
        if method not in ("auto", methods.DEFAULT):
            raise UsageError("favor is a parameter of the method auto: omit method or favor")
        parameters = {"favor": favor, **parameters}
    if isinstance(method, str):
        return methods.get(method, **parameters)
    if parameters:
        raise UsageError(f"parameters go with the name of a method: set {', '.join(parameters)} on the method itself")
    return method


def _read_file(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _check_html(html: str) -> str:
    """Raise `InputError` for a URL or a file name instead of HTML, the most frequent mistake."""
    if len(html) < _MAX_NAME_CHARS and "<" not in html and "\n" not in html.strip():
        if html.lstrip().startswith(("http://", "https://")):
            raise InputError("this is a URL, not HTML: download the page with duramen.fetch(url)")
        if html.strip().endswith((".html", ".htm")):
            raise InputError("this is the name of a file, not HTML: pass a pathlib.Path to read it")
    return html
