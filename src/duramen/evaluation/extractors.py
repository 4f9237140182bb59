"""What is measured: anything that turns the bytes of a page into the text of its content."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from duramen import __version__
from duramen.dom.page import Page
from duramen.evaluation.sets import Example

if TYPE_CHECKING:
    from duramen.methods import Method


@dataclass(frozen=True)
class Extractor:
    """A name for the leaderboard and the work itself, from raw bytes to text.

    `run` is given the example too, for what a reader of the page would know besides it: its address, its language.
    It must not look at the gold.
    """

    name: str
    run: Callable[[bytes, Example], str]
    version: str = ""


def of_method(method: Method, lay: Callable[[Page], Page] | None = None) -> Extractor:
    """One of our methods: decoding, parsing, extracting, and writing the text; `lay` comes after the parsing."""

    def run(raw: bytes, example: Example) -> str:
        page = Page.parse(raw, url=example.url)
        return method(page if lay is None else lay(page)).text

    return Extractor(method.name, run, __version__)
