"""The public functions: extract the content of a page, and its records."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from duramen import methods
from duramen.content import Content
from duramen.errors import InputError
from duramen.methods import Method

if TYPE_CHECKING:
    from duramen.data_records.table import Table
from duramen.dom.page import Page


def extract(
    source: str | bytes | Path | Page, *, method: str | Method = methods.DEFAULT, url: str | None = None
) -> Content:
    """The main content of a page.

    A `str` is HTML, `bytes` are undecoded HTML, a `Path` is a file, and a `Page` has been parsed before. `method` is a
    name (`duramen.methods.names()`) or a method of your own; `url` is where the page came from, where that is known.

    When nothing is found the Content is empty and false, and its `reason` says why. What is not a page at all raises
    `NotHTMLError`, a file that cannot be read `InputError`, a method that is not known `UsageError`.
    """
    chosen = methods.get(method) if isinstance(method, str) else method
    return chosen(page_of(source, url))


def records(source: str | bytes | Path | Page, *, url: str | None = None) -> Table:
    """Return the main list of a page as a table.

    `source` is what `extract` takes. A page without a main list gives a Table that is empty and false, and whose
    `reason` says why. Raises what `extract` raises.
    """
    from duramen.data_records.regions import find_regions, is_main  # loaded on first use: most programs ask for none
    from duramen.data_records.table import Table, tabulate

    page = page_of(source, url)
    regions = find_regions(page.tree, 1)
    if not regions:
        return Table(page, "no main list: nothing on the page is repeated")
    if not is_main(regions[0]):
        return Table(page, f"no main list: the likeliest one, {regions[0].description}, is not enough")
    return tabulate(page, regions[0])


def records_all(source: str | bytes | Path | Page, *, url: str | None = None) -> list[Table]:
    """Return every list of a page as a table, the likeliest main list first."""
    from duramen.data_records.regions import find_regions
    from duramen.data_records.table import tabulate

    page = page_of(source, url)
    return [tabulate(page, region) for region in find_regions(page.tree)]


def page_of(source: str | bytes | Path | Page, url: str | None) -> Page:
    """The page that a source holds, as `extract` takes it."""
    match source:
        case Page():
            return source
        case Path():
            return Page.parse(_read(source), url)
        case str():
            return Page.parse(_not_an_address(source), url)
        case bytes() | bytearray() | memoryview():
            return Page.parse(bytes(source), url)
    raise TypeError(f"a page is a str, bytes, a Path or a Page, not {type(source).__name__}")


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def _not_an_address(html: str) -> str:
    """Catch the commonest slip: the name of a page in place of the page."""
    if len(html) < 2048 and "<" not in html and "\n" not in html.strip():
        if html.lstrip().startswith(("http://", "https://")):
            raise InputError("this is a URL, not HTML: download the page first, or use `duramen extract URL`")
        if html.strip().endswith((".html", ".htm")):
            raise InputError("this is the name of a file, not HTML: pass a pathlib.Path to read it")
    return html
