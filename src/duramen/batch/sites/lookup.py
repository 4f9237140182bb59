"""Find the site of a page, and the wrappers that were learned for that site.

A site is a host. Pages without a URL, in files of their own, belong to one site if they are in one folder.

A wrapper is *trusted* if its pages agree on the region as much as one page does with itself (`MIN_CONFIDENCE`), and if
the content that it extracts from most of them is an article or, where articles are short, nearly all prose. FOREST
looks for the subject of pages, which is the article where there is one; on product lists and home pages its region is a
detail. docs/results/sites-in-a-run.md has the figures. Pages that a wrapper does not fit go to the method of the run.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from duramen.batch.inputs import find_input_kind
from duramen.batch.inputs.io import open_binary
from duramen.batch.inputs.splits import InputPage
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.language import count_sentences, count_words
from duramen.wrappers import SamplePage, Wrapper, WrapperSet, learn_all
from duramen.wrappers.wrapper_json import parse_wrapper

SITE_INDEX: Final = "sites.json"
"""The file that lists the wrappers of each site, in a folder of wrappers. It is written last."""

MIN_CONFIDENCE: Final = 0.75
"""The confidence of a wrapper from one page that agrees with itself."""

MIN_ARTICLE_SHARE: Final = 0.5
"""Share of a template's pages that must be articles or prose by what the wrapper extracts."""

MIN_PROSE_SHARE: Final = 0.8
"""Share of words in paragraphs with a sentence that makes a text prose, if it is too short for an article."""

_MIN_PARAGRAPH_WORDS: Final = 10
"""Shorter blocks are headings or labels."""

_CACHED_SITES: Final = 256
"""Sites whose wrappers a worker keeps in memory."""

Extractor = Callable[[Page], Content]


def find_site(input_page: InputPage) -> str | None:
    """Return the site of a page; None if it is unknown."""
    if input_page.url:
        try:
            host = urlsplit(input_page.url).hostname
        except ValueError:  # "http://[broken"
            return None
        return host.rstrip(".").removeprefix("www.") if host else None
    is_file = find_input_kind(input_page.source) == "files"
    return f"{os.path.dirname(input_page.source) or '.'}/" if is_file else None


class SiteWrappers(NamedTuple):
    """The wrappers learned from the sample of a site."""

    trusted: tuple[Wrapper, ...]
    notes: tuple[str, ...]
    """Why other wrappers are not trusted."""


def learn_site(input_pages: Iterable[InputPage]) -> SiteWrappers:
    """Learn the trusted wrappers of a site from a sample of its pages. The result depends only on the pages."""
    pages: list[SamplePage] = []
    notes: list[str] = []
    for input_page in input_pages:
        headers = {"content-type": input_page.content_type} if input_page.content_type else None
        try:
            page = Page.parse(input_page.body, input_page.url, headers)
        except InputError:
            continue  # not HTML: the row of the page reports it
        pages.append(SamplePage(page, name=input_page.url or f"{input_page.source}#{input_page.position}"))
    try:
        learned = learn_all(pages)
    except InputError as error:
        return SiteWrappers((), (str(error),))
    trusted = []
    for wrapper, contents in _extract_by_wrapper(learned.wrappers, [sample.page for sample in pages]):
        articles = sum(bool(content.is_article) or _is_prose(content.text) for content in contents)
        if wrapper.confidence < MIN_CONFIDENCE:
            notes.append(f"{wrapper.xpath}: not confident enough ({wrapper.confidence:.2f})")
        elif not contents or articles < MIN_ARTICLE_SHARE * len(contents):
            notes.append(f"{wrapper.xpath}: finds prose on {articles} of {len(contents)} pages")
        else:
            trusted.append(wrapper)
    return SiteWrappers(tuple(trusted), tuple(notes))


def choose_extractor(input_page: InputPage, folder: str, method: Extractor) -> Extractor:
    """Choose the extractor of a page: the wrappers of its site, or `method` if there are none or none fits."""
    site = find_site(input_page)
    wrappers = _load_wrappers(folder, site) if site is not None else None
    if wrappers is None:
        return method
    return lambda page: wrappers.extract(page, fallback=method)


def make_file_name(site: str, number: int = 0) -> str:
    """Return the file name of a site's wrapper: example.org.json, example.org-2.json."""
    safe = re.sub(r"[^\w.-]", "_", site, flags=re.ASCII).strip("._")[:100]
    if safe != site:  # another site may get the same name: add a hash
        safe = f"{safe}-{hashlib.sha256(site.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    return f"{safe}-{number + 1}.json" if number else f"{safe}.json"


def format_site_index(files: Mapping[str, Sequence[str]], notes: Mapping[str, Sequence[str]]) -> str:
    """Format the index: the wrapper files of each site, and why templates have none."""
    index = {
        "format": "duramen sites",
        "version": 1,
        "sites": dict(sorted(files.items())),
        "notes": {site: site_notes for site, site_notes in sorted(notes.items()) if site_notes},
    }
    return json.dumps(index, indent=1, ensure_ascii=False) + "\n"


@lru_cache(maxsize=_CACHED_SITES)
def _load_wrappers(folder: str, site: str) -> WrapperSet | None:
    names = _load_index(folder).get(site)
    if not names:
        return None
    paths = [f"{folder}/{name}" for name in names]
    return WrapperSet(tuple(parse_wrapper(_read_text(path), path) for path in paths))


@lru_cache(maxsize=2)
def _load_index(folder: str) -> Mapping[str, Sequence[str]]:
    path = f"{folder}/{SITE_INDEX}"
    try:
        files: dict[str, list[str]] = json.loads(_read_text(path))["sites"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: learn again with --overwrite") from error
    return files


def _read_text(path: str) -> str:
    with open_binary(path) as file:
        return file.read().decode("utf-8")


def _is_prose(text: str) -> bool:
    paragraphs = [
        words
        for paragraph in text.split("\n")
        if count_sentences(paragraph) and (words := count_words(paragraph)) >= _MIN_PARAGRAPH_WORDS
    ]
    prose_words = sum(paragraphs)
    return prose_words > 0 and prose_words >= MIN_PROSE_SHARE * count_words(text)


def _extract_by_wrapper(wrappers: tuple[Wrapper, ...], pages: Sequence[Page]) -> list[tuple[Wrapper, list[Content]]]:
    """Return each wrapper with the content it finds on the pages that fit it best."""
    wrapper_set = WrapperSet(wrappers)
    contents: dict[int, list[Content]] = {id(wrapper): [] for wrapper in wrappers}
    for page in pages:
        best = wrapper_set.choose_wrapper(page)
        if content := best.extract(page):
            contents[id(best)].append(content)
    return [(wrapper, contents[id(wrapper)]) for wrapper in wrappers]
