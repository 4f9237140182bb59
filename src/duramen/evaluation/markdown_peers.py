"""Extractors of other projects that write Markdown, for `duramen evaluate --structure`.

trafilatura, readability-lxml and Defuddle extract the main content; html-to-markdown and MarkItDown convert the whole
page, which shows what a converter alone reaches. readability-lxml writes HTML, which html-to-markdown converts. All run
with their defaults, except that trafilatura writes formatting, tables, links and images and no reader comments, and
html-to-markdown writes no metadata before the text.
"""

from __future__ import annotations

import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from io import BytesIO
from typing import Final

from duramen.dom.encoding import decode
from duramen.errors import DuramenError, MissingExtraError
from duramen.evaluation.defuddle import Defuddle, find_package
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.sets import Example

EXTRA: Final = "peers"
DEFUDDLE: Final = "defuddle"

Run = Callable[[bytes, Example], str]


def names() -> list[str]:
    """Return the names of all peers that write Markdown."""
    return sorted([*_PEERS, DEFUDDLE])


def get(name: str) -> Extractor:
    """Return a peer by its name. Raises `MissingExtraError` or `UsageError` if it is not installed."""
    check(name)
    if name == DEFUDDLE:
        defuddle = Defuddle()
        return Extractor(name, lambda raw, example: defuddle.convert(decode(raw), example.url), defuddle.version)
    peer = _PEERS[name]
    for logger in peer.loggers:
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # they report every page
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of their dependencies
        run = peer.load()
    return Extractor(name, run, "+".join(version(package) for package in peer.packages))


def check(name: str) -> None:
    """Raise `MissingExtraError` or `UsageError` if a peer is not installed."""
    if name == DEFUDDLE:
        find_package()
        return
    for package, module in _PEERS[name].packages.items():
        if find_spec(module) is None:
            raise MissingExtraError(package, EXTRA)


def find_missing() -> dict[str, str]:
    """Return the peers that are not installed, each with a sentence that says how to install it."""
    missing = {}
    for name in names():
        try:
            check(name)
        except DuramenError as error:
            missing[name] = str(error)
    return missing


def _load_trafilatura() -> Run:
    from trafilatura import extract

    def run(raw: bytes, example: Example) -> str:
        markdown: str | None = extract(
            raw,
            url=example.url,
            output_format="markdown",
            include_comments=False,
            include_formatting=True,
            include_tables=True,
            include_links=True,
            include_images=True,
        )
        return markdown or ""

    return run


def _load_html_to_markdown() -> Run:
    convert = _load_converter()
    return lambda raw, example: convert(decode(raw))


def _load_readability() -> Run:
    from readability import Document

    convert = _load_converter()
    return lambda raw, example: convert(Document(decode(raw), url=example.url).summary(html_partial=True))


def _load_converter() -> Callable[[str], str]:
    from html_to_markdown import ConversionOptions, convert

    options = ConversionOptions(extract_metadata=False)

    def run(html: str) -> str:
        markdown: str | None = convert(html, options).content
        return markdown or ""

    return run


def _load_markitdown() -> Run:
    from markitdown import MarkItDown, StreamInfo

    converter = MarkItDown(enable_plugins=False)
    info = StreamInfo(mimetype="text/html", extension=".html", charset="utf-8")

    def run(raw: bytes, example: Example) -> str:
        stream = BytesIO(decode(raw).encode("utf-8", "replace"))
        markdown: str = converter.convert_stream(stream, stream_info=info).markdown
        return markdown

    return run


@dataclass(frozen=True)
class _MarkdownPeer:
    packages: dict[str, str]
    """Names of packages, and of the modules that they install."""
    load: Callable[[], Run]
    loggers: tuple[str, ...] = ()


_PEERS: Final = {
    "html-to-markdown": _MarkdownPeer({"html-to-markdown": "html_to_markdown"}, _load_html_to_markdown),
    "markitdown": _MarkdownPeer({"markitdown": "markitdown"}, _load_markitdown),
    "readability+html-to-markdown": _MarkdownPeer(
        {"readability-lxml": "readability", "html-to-markdown": "html_to_markdown"},
        _load_readability,
        ("readability",),
    ),
    "trafilatura": _MarkdownPeer({"trafilatura": "trafilatura"}, _load_trafilatura, ("trafilatura", "htmldate")),
}
