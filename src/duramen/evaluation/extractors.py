"""Extractors: everything that turns the bytes of a page into the text of its content, looked up by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

from duramen import __version__
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.evaluation.sets import Example

if TYPE_CHECKING:
    from duramen.methods import Method


@dataclass(frozen=True)
class Extractor:
    """A name for the leaderboard, and a function from raw bytes to text.

    `run` also gets the example, for what a reader of the page would know besides it: its URL, its language. It must
    not look at the reference text.
    """

    name: str
    run: Callable[[bytes, Example], str]
    version: str = ""


def get_extractor(which: str | Method | Extractor, prepare: Callable[[Page], Page] | None = None) -> Extractor:
    """Return the method or the peer of this name; a method wins over a peer of the same name.

    `prepare` may add to a page what a method needs besides, such as boxes.
    """
    if isinstance(which, Extractor):
        return which
    if not isinstance(which, str):
        return make_method_extractor(which, prepare)
    from duramen import methods
    from duramen.evaluation import peers

    if which.partition(":")[0] in methods.names():
        # `which` may have parameters: mss-simple:tag_score=-2
        return replace(make_method_extractor(methods.get(which), prepare), name=which)
    if which in peers.names():
        return peers.get(which)
    names = [*methods.names(), *peers.names()]
    near = get_close_matches(which, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(names)}"
    raise UsageError(f"there is no method or peer {which!r}: {hint}")


def make_method_extractor(method: Method, prepare: Callable[[Page], Page] | None = None) -> Extractor:
    """Make an extractor of a method: decode, parse, `prepare`, extract, and write the text."""

    def run(raw: bytes, example: Example) -> str:
        page = Page.parse(raw, url=example.url)
        return method(page if prepare is None else prepare(page)).text

    return Extractor(method.name, run, __version__)
