"""Extractors of other projects, measured on the same bytes. Each is imported only when it is asked for.

All run with their own defaults, except for what the sets need: no reader comments from trafilatura, no `alt` texts from
resiliparse, and the language of the page for jusText and newspaper4k: that of the set, else that of the page, else
English (also if newspaper4k has no segmenter for the language; `newspaper4k[all]` installs all). A peer that needs text
and not bytes gets the text that `duramen.dom.encoding` decodes, so that no peer loses by a missing decoder.

With these settings, and with words as `duramen.language.words` finds them, the mean word F1 on the development part of
WCXB is .823 for trafilatura 2.3.1 and .785 for resiliparse 1.1.0.
"""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from importlib.util import find_spec

from duramen.dom.encoding import decode
from duramen.dom.text import read_text
from duramen.dom.tree import Tree
from duramen.errors import MissingExtraError
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.sets import Example

EXTRA = "peers"

Run = Callable[[bytes, Example], str]

ENGLISH = "en"

_HTML_LANG = re.compile(r"""<html\b[^>]*?\blang\s*=\s*["']?([a-z]{2})\b""", re.IGNORECASE)

# The stop lists that jusText has for the languages of today's sets, by ISO 639-1.
_STOPLISTS = {
    **{"ar": "Arabic", "bg": "Bulgarian", "bn": "Bengali", "ca": "Catalan", "cs": "Czech", "da": "Danish"},
    **{"de": "German", "el": "Greek", "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian"},
    **{"fi": "Finnish", "fr": "French", "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian"},
    **{"id": "Indonesian", "it": "Italian", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "ms": "Malay"},
    **{"nl": "Dutch", "no": "Norwegian_Bokmal", "pl": "Polish", "pt": "Portuguese", "ro": "Romanian"},
    **{"ru": "Russian", "sk": "Slovak", "sl": "Slovenian", "sr": "Serbian", "sv": "Swedish", "tr": "Turkish"},
    **{"uk": "Ukrainian", "ur": "Urdu", "vi": "Vietnamese"},
}


def names() -> list[str]:
    return sorted(_PEERS)


def missing() -> list[str]:
    """Return the names of the peers that are not installed."""
    return [name for name in names() if find_spec(_PEERS[name].module) is None]


def get(name: str) -> Extractor:
    """Return a peer by its name, ready to run. Raises `MissingExtraError` when it is not installed."""
    peer = _PEERS[name]
    if find_spec(peer.module) is None:
        raise MissingExtraError(peer.package, EXTRA)
    for logger in peer.loggers:
        logging.getLogger(logger).setLevel(logging.CRITICAL)  # they log something for every page
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # deprecation warnings of their dependencies
        run = peer.load()
    return Extractor(name, run, version(peer.package))


def _language(example: Example, html: str) -> str:
    """Return the language of a page: that of the set if it is a single one, else that of the page, else English."""
    if len(example.lang) == 2 and example.lang.isalpha():
        return example.lang
    match = _HTML_LANG.search(html)
    return match[1].lower() if match else ENGLISH


def _trafilatura() -> Run:
    from trafilatura import extract

    return lambda raw, example: extract(raw, include_comments=False) or ""


def _resiliparse() -> Run:
    from resiliparse.extract.html2text import extract_plain_text

    def run(raw: bytes, example: Example) -> str:
        text: str = extract_plain_text(decode(raw), main_content=True, alt_texts=False)
        return text

    return run


def _readability() -> Run:
    from readability import Document

    def run(raw: bytes, example: Example) -> str:
        return read_text(Tree.parse(Document(decode(raw)).summary(html_partial=True)), separator="\n")

    return run


def _justext() -> Run:
    from justext import get_stoplist, justext

    stoplist = cache(get_stoplist)

    def run(raw: bytes, example: Example) -> str:
        html = decode(raw)
        language = _STOPLISTS.get(_language(example, html))
        if language is None:  # as its manual advises for a language without a list of stop words
            paragraphs = justext(html, frozenset(), stopwords_low=0, stopwords_high=0)
        else:
            paragraphs = justext(html, stoplist(language))
        return "\n\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate)

    return run


def _boilerpy3() -> Run:
    from boilerpy3.extractors import ArticleExtractor

    extractor = ArticleExtractor()

    def run(raw: bytes, example: Example) -> str:
        text: str = extractor.get_content(decode(raw))
        return text

    return run


def _newspaper() -> Run:
    from newspaper import fulltext
    from newspaper.text import StopWords

    @cache
    def readable(language: str) -> bool:
        try:
            StopWords(language).tokenizer("")
        except (ImportError, FileNotFoundError):  # a segmenter that is not installed, a language it does not know
            return False
        return True

    def run(raw: bytes, example: Example) -> str:
        html = decode(raw)
        language = _language(example, html)
        text: str = fulltext(html, language=language if readable(language) else ENGLISH)
        return text

    return run


@dataclass(frozen=True)
class _Peer:
    package: str
    module: str
    load: Callable[[], Run]
    loggers: tuple[str, ...] = ()


_PEERS = {
    "boilerpy3": _Peer("boilerpy3", "boilerpy3", _boilerpy3, ("boilerpy3",)),
    "justext": _Peer("justext", "justext", _justext),
    "newspaper4k": _Peer("newspaper4k", "newspaper", _newspaper, ("newspaper",)),
    "readability-lxml": _Peer("readability-lxml", "readability", _readability, ("readability",)),
    "resiliparse": _Peer("resiliparse", "resiliparse", _resiliparse),
    "trafilatura": _Peer("trafilatura", "trafilatura", _trafilatura, ("trafilatura", "htmldate")),
}
