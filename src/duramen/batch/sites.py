"""The sites of a run: which a page is of, what was learnt of it, and when that is used.

A site is a host. Pages that have no address, in files of their own, are of one site where they lie in one folder.

A wrapper is used where it is *trusted*: its pages agree on the region as much as one page does with itself
(`CONFIDENT`), and what it keeps of most of them is an article or, where articles are short, nearly all of it prose.
FOREST looks for what pages are about, and that is the article where there is one; on lists of goods and on start pages
its region is a detail. docs/results/sites-in-a-run.md has the figures. Pages that do not fit go to the run's method.
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

from duramen.batch.item import Item
from duramen.batch.opening import open_binary
from duramen.batch.sources import kind_of
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.language import count_sentences, count_words
from duramen.wrappers import SamplePage, Wrapper, Wrappers, learn_all
from duramen.wrappers.wrapper_file import loads

INDEX: Final = "sites.json"
"""The file of a folder of wrappers that says which site has which; written last."""

CONFIDENT: Final = 0.75
"""What one page that agrees with itself gives: a wrapper should be as sure."""

ARTICLES: Final = 0.5
"""The share of a template's pages that must be works of prose by what the wrapper keeps."""

PROSE: Final = 0.8
"""The share of words in paragraphs with a sentence in them that makes prose of a text too short for an article."""

_PARAGRAPH: Final = 10
"""Words of a paragraph: fewer are a heading or a label."""

_KEPT: Final = 256
"""Sites whose wrappers a worker keeps in memory."""

Extractor = Callable[[Page], Content]


def site_of(item: Item) -> str | None:
    """The site of a page; None where nothing tells."""
    if item.url:
        try:
            host = urlsplit(item.url).hostname
        except ValueError:  # "http://[broken"
            return None
        return host.rstrip(".").removeprefix("www.") if host else None
    return f"{os.path.dirname(item.source) or '.'}/" if kind_of(item.source) == "files" else None


class Lesson(NamedTuple):
    """What a site's sample taught."""

    wrappers: tuple[Wrapper, ...]
    """The trusted ones."""
    notes: tuple[str, ...]
    """Why there are no others."""


def learn_site(items: Iterable[Item]) -> Lesson:
    """The trusted wrappers of a site, from a sample of its pages. Depends on the pages and their order alone."""
    pages: list[SamplePage] = []
    notes: list[str] = []
    for item in items:
        headers = {"content-type": item.content_type} if item.content_type else None
        try:
            page = Page.parse(item.body, item.url, headers)
        except InputError:
            continue  # no page of HTML: its row will say so
        pages.append(SamplePage(page, name=item.url or f"{item.source}#{item.position}"))
    try:
        learnt = learn_all(pages)
    except InputError as error:
        return Lesson((), (str(error),))
    trusted = []
    for wrapper, contents in _by_wrapper(learnt.wrappers, [given.page for given in pages]):
        articles = sum(bool(content.is_article) or _is_prose(content.text) for content in contents)
        if wrapper.confidence < CONFIDENT:
            notes.append(f"{wrapper.xpath}: not sure enough ({wrapper.confidence:.2f})")
        elif not contents or articles < ARTICLES * len(contents):
            notes.append(f"{wrapper.xpath}: of {len(contents)} pages {articles} are prose by it")
        else:
            trusted.append(wrapper)
    return Lesson(tuple(trusted), tuple(notes))


def method_for(item: Item, folder: str, method: Extractor) -> Extractor:
    """The method for a page: the wrappers of its site, and `method` where there are none or the page does not fit."""
    site = site_of(item)
    wrappers = _wrappers(folder, site) if site is not None else None
    if wrappers is None:
        return method
    return lambda page: wrappers.extract(page, fallback=method)


def file_name(site: str, number: int = 0) -> str:
    """The file of a site's wrapper: example.org.json, example.org-2.json."""
    safe = re.sub(r"[^\w.-]", "_", site, flags=re.ASCII).strip("._")[:100]
    if safe != site:  # another site may come to the same
        safe = f"{safe}-{hashlib.sha256(site.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    return f"{safe}-{number + 1}.json" if number else f"{safe}.json"


def index(sites: Mapping[str, Sequence[str]], notes: Mapping[str, Sequence[str]]) -> str:
    """The text of the index: the files of each site, and what speaks against templates without one."""
    told = {"sites": dict(sorted(sites.items())), "notes": {site: said for site, said in sorted(notes.items()) if said}}
    return json.dumps({"format": "duramen sites", "version": 1, **told}, indent=1, ensure_ascii=False) + "\n"


@lru_cache(maxsize=_KEPT)
def _wrappers(folder: str, site: str) -> Wrappers | None:
    names = _index(folder).get(site)
    if not names:
        return None
    paths = [f"{folder}/{name}" for name in names]
    return Wrappers(tuple(loads(_read(path), path) for path in paths))


@lru_cache(maxsize=2)
def _index(folder: str) -> Mapping[str, Sequence[str]]:
    path = f"{folder}/{INDEX}"
    try:
        found = json.loads(_read(path))
        sites: dict[str, list[str]] = found["sites"]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is damaged: learn again with --overwrite") from error
    return sites


def _read(path: str) -> str:
    with open_binary(path) as file:
        return file.read().decode("utf-8")


def _is_prose(text: str) -> bool:
    paragraphs = text.split("\n")
    long = sum(count_words(one) for one in paragraphs if count_sentences(one) and count_words(one) >= _PARAGRAPH)
    return long > 0 and long >= PROSE * count_words(text)


def _by_wrapper(wrappers: tuple[Wrapper, ...], pages: Sequence[Page]) -> list[tuple[Wrapper, list[Content]]]:
    """Each wrapper with what it finds on the pages that go to it."""
    several = Wrappers(wrappers)
    found: dict[int, list[Content]] = {id(wrapper): [] for wrapper in wrappers}
    for page in pages:
        best = several.best(page)
        if content := best.extract(page):
            found[id(best)].append(content)
    return [(wrapper, found[id(wrapper)]) for wrapper in wrappers]
