"""How much of what a page says of itself is found: title, author and date against a set's gold.

What counts as right:

- a title whose words are the gold's, in the same order, whatever the case and the marks between them;
- authors that are the gold's, all of them and nobody else, whatever the order; "By", roles and degrees, which some gold
  keeps ("Jane Doe, MD"), are set aside on both sides;
- the day that the gold names, or the month where it names no day.

Gold is written by people who cut titles at other places and name some authors otherwise, so a *near* answer is counted
beside the right ones: a title that shares seven tenths of its words with the gold's (their F1), names that hold the
gold's or are held by them. A *false* answer is one on a page that has none by the gold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Final, NamedTuple, TypeVar

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.page import Page
from duramen.errors import InputError, MissingExtraError
from duramen.evaluation import peers
from duramen.evaluation.sets import Example
from duramen.metadata import Metadata
from duramen.metadata.dates import day_of
from duramen.metadata.names import names
from duramen.metadata.strings import key
from duramen.metadata.titles import likeness

FIELDS: Final = ("title", "author", "date")
_NEAR: Final = 0.7

T = TypeVar("T")


class Answer(NamedTuple):
    """What an extractor says of a page; None where it says nothing."""

    title: str | None = None
    author: str | None = None
    """The names, with semicolons between."""
    date: str | None = None
    """In ISO 8601."""


@dataclass(frozen=True)
class Reader:
    """Something that reads metadata, by its name."""

    name: str
    read: Callable[[bytes, Example], Answer]


@dataclass
class Tally:
    """What came of one field: on pages with gold, and on those without."""

    pages: int = 0
    right: int = 0
    near: int = 0
    silent: int = 0
    without: int = 0
    false: int = 0

    def add(self, field: str, gold: str | None, said: str | None) -> None:
        if gold:
            self.pages += 1
            self.right += is_right(field, gold, said)
            self.near += is_near(field, gold, said)
            self.silent += not said
        else:
            self.without += 1
            self.false += bool(said)


@dataclass
class Scores:
    """One reader on all pages."""

    name: str
    fields: dict[str, Tally]
    milliseconds: float = 0.0

    @property
    def false(self) -> int:
        return sum(tally.false for tally in self.fields.values())


@dataclass
class Report:
    """All readers on the same pages in the same run."""

    scores: list[Scores]
    pages: int = 0
    parse_milliseconds: float = 0.0
    unreadable: int = 0


def is_right(field: str, gold: str, said: str | None) -> bool:
    """Whether an answer is the gold's."""
    if not said:
        return False
    match field:
        case "title":
            return key(gold) == key(said)
        case "author":
            return people(gold) == people(said)
    return said[: len(gold)] == gold[:10]


def is_near(field: str, gold: str, said: str | None) -> bool:
    """Whether an answer is the gold's or nearly so."""
    if not said:
        return False
    if field == "title":
        return likeness(gold, said) >= _NEAR
    if field == "author":
        one, other = key(gold), key(said)
        return bool(one and other) and (one in other or other in one or people(gold) == people(said))
    return is_right(field, gold, said)


def people(said: str) -> frozenset[str]:
    """The names in a string as keys; the string itself where there is no telling names."""
    return frozenset(key(name) for name in names(said, is_name=True)) or frozenset((key(said),))


def duramen_reader() -> Reader:
    """Ours: from bytes, decoding and parsing included."""

    def read(raw: bytes, example: Example) -> Answer:
        metadata = Metadata.read(Page.parse(raw, url=example.url))
        published = metadata.published
        return Answer(
            metadata.title,
            "; ".join(author.name for author in metadata.authors) or None,
            day_of(published).isoformat() if published else None,
        )

    return Reader("duramen", read)


def trafilatura_reader() -> Reader:
    """trafilatura's metadata with its own defaults, told the page's address. Raises `MissingExtraError`."""
    peers.get("trafilatura")  # says what is missing, and quietens it
    from trafilatura.metadata import extract_metadata
    from trafilatura.settings import set_date_params
    from trafilatura.utils import load_html

    parameters = set_date_params()

    def read(raw: bytes, example: Example) -> Answer:
        tree = load_html(raw)
        if tree is None:
            return Answer()
        found = extract_metadata(tree, example.url, parameters)
        return Answer(found.title, found.author, found.date)

    return Reader("trafilatura", read)


def readers(*, with_peers: bool) -> tuple[list[Reader], str | None]:
    """Ours, and trafilatura's beside it; a sentence where that is not installed."""
    found = [duramen_reader()]
    if not with_peers:
        return found, None
    try:
        return [*found, trafilatura_reader()], None
    except MissingExtraError as error:
        return found, f"without trafilatura: {error}"


def gold_fields(examples: Sequence[Example]) -> list[str]:
    """The fields that a set has gold for."""
    return [field for field in FIELDS if any(example.fields.get(field) for example in examples)]


def score_metadata(
    examples: Sequence[Example], chosen: Sequence[Reader], fields: Sequence[str], advance: Callable[[], None]
) -> Report:
    """Run the readers over the pages; times are the processor's, from bytes to metadata."""
    report = Report([Scores(reader.name, {field: Tally() for field in fields}) for reader in chosen])
    for example, raw in _read(examples, report):
        report.parse_milliseconds += _timed(partial(LexborHTMLParser, raw))[1]
        report.pages += 1
        for reader, scores in zip(chosen, report.scores, strict=True):
            answer, milliseconds = _timed(partial(reader.read, raw, example))
            scores.milliseconds += milliseconds
            for field, tally in scores.fields.items():
                gold = example.fields.get(field)
                tally.add(field, gold if isinstance(gold, str) else None, getattr(answer, field))
        advance()
    return report


def _read(examples: Iterable[Example], report: Report) -> Iterator[tuple[Example, bytes]]:
    for example in examples:
        try:
            yield example, example.read()
        except InputError:
            report.unreadable += 1


def _timed(work: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    result = work()
    return result, (process_time() - start) * 1000
