"""Find the site of a page, and the models that were learned for that site.

A site is a host. Pages without a URL, in files of their own, belong to one site if they are in one folder.
"""

from __future__ import annotations

import atexit
import hashlib
import os
import re
import shutil
import sqlite3
import tempfile
import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from duramen.batch.inputs import find_input_kind
from duramen.batch.inputs.io import is_remote, open_binary
from duramen.batch.inputs.splits import InputPage
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.methods.auto.method import Auto
from duramen.site_model.model import SiteModel
from duramen.site_model.sites import SiteModels

SITE_DATABASE: Final = "sites.sqlite"
"""The file of the run folder with the models of the sites."""

_MAX_CACHED_BYTES: Final = 20_000_000
"""Size of the JSON of all models that a worker keeps in memory; a site with 32 large pages has about 400 kB.

In memory a model takes two to three times the size of its JSON.
"""
_ENTRY_BYTES: Final = 1000
"""Added to the size for each site, also for one without a model."""

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


def choose_extractor(input_page: InputPage, database: str, method: Auto, frame_once: bool) -> Extractor:
    """Return the extractor of a page: `method` with what its site shows, or `method` alone."""
    site = find_site(input_page)
    models = _cache.load(database, site) if site is not None else None
    if models is None:
        return method
    return lambda page: models.extract(page, site, drop_frame=frame_once, **asdict(method))


def make_file_name(site: str, number: int = 0) -> str:
    """Return the file name of a site: example.org.json, example.org-2.json."""
    safe = re.sub(r"[^\w.-]", "_", site, flags=re.ASCII).strip("._")[:100]
    if safe != site:  # another site may get the same name: add a hash
        safe = f"{safe}-{hashlib.sha256(site.encode('utf-8', 'surrogateescape')).hexdigest()[:8]}"
    return f"{safe}-{number + 1}.json" if number else f"{safe}.json"


class _ModelCache:
    """Models of sites in memory, with at most `_MAX_CACHED_BYTES` of JSON.

    The models that were not used for the longest time are dropped first.

    A crawl visits its hosts in turns: with a small cache each page would read the models of its site again.
    """

    def __init__(self) -> None:
        self._by_site: OrderedDict[tuple[str, str], tuple[SiteModels | None, int]] = OrderedDict()
        self._bytes = 0

    def load(self, database: str, site: str) -> SiteModels | None:
        key = database, site
        if key in self._by_site:
            self._by_site.move_to_end(key)
            return self._by_site[key][0]
        models, size = _read_models(database, site)
        self._by_site[key] = models, size
        self._bytes += size
        while self._bytes > _MAX_CACHED_BYTES and len(self._by_site) > 1:
            _, (_, dropped) = self._by_site.popitem(last=False)
            self._bytes -= dropped
        return models


_cache: Final = _ModelCache()


def _read_models(database: str, site: str) -> tuple[SiteModels | None, int]:
    """Return the models of a site and the bytes of their JSON."""
    try:
        query = "SELECT json FROM model WHERE site = ? ORDER BY template"
        rows = _open_database(database).execute(query, (site,)).fetchall()
        texts = [zlib.decompress(packed).decode() for (packed,) in rows]
        models = [SiteModel.from_json(text, database) for text in texts]
    except (sqlite3.Error, zlib.error, UnicodeDecodeError) as error:
        raise InputError(f"{database} is damaged: learn again with --overwrite") from error
    size = sum(map(len, texts)) + _ENTRY_BYTES
    return (SiteModels({site: models}) if models else None), size


@lru_cache(maxsize=1)
def _open_database(path: str) -> sqlite3.Connection:
    """Open the models for reading; those of an object store are copied to a local file first."""
    if is_remote(path):
        folder = tempfile.mkdtemp(prefix="duramen-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        local = Path(folder, SITE_DATABASE)
        with open_binary(path) as source, local.open("wb") as target:
            shutil.copyfileobj(source, target)
        path = str(local)
    return sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1", uri=True, check_same_thread=False)
