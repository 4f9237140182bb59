"""Score metadata: titles, authors and dates against the reference of a set.

What counts as right:

- a title with the words of the reference in the same order; case and punctuation do not matter;
- the same authors as in the reference, all of them and no others, in any order; "By", roles and degrees, which some
  references keep ("Jane Doe, MD"), are ignored on both sides;
- the day of the reference, or the month if it has no day.

The annotators cut titles at other places and write some names differently, so *near* answers are counted too: a title
whose words have an F1 of at least 0.7 with the reference, names that contain those of the reference or are contained in
them. A *false* answer is one on a page without a reference.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Final, NamedTuple, TypeVar

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.dates import as_date
from duramen.dom.page import Page
from duramen.dom.text import word_key
from duramen.errors import InputError, MissingExtraError
from duramen.evaluation import peers
from duramen.evaluation.score_tables import align_columns
from duramen.evaluation.sets import Example
from duramen.metadata import Metadata
from duramen.metadata.author_names import parse_names
from duramen.metadata.title import title_similarity

FIELDS: Final = ("title", "author", "date")
_MIN_NEAR_TITLE_F1: Final = 0.7

T = TypeVar("T")


class MetadataAnswer(NamedTuple):
    """The metadata that a reader finds on a page; None where it finds nothing."""

    title: str | None = None
    author: str | None = None
    """The names, separated by semicolons."""
    date: str | None = None
    """In ISO 8601."""


@dataclass(frozen=True)
class MetadataReader:
    """A function that reads metadata, and its name."""

    name: str
    read: Callable[[bytes, Example], MetadataAnswer]


@dataclass
class FieldTally:
    """The counts of one field, on pages with a reference and on pages without."""

    pages: int = 0
    right: int = 0
    near: int = 0
    silent: int = 0
    without: int = 0
    false: int = 0

    def add(self, field: str, reference: str | None, answer: str | None) -> None:
        """Count the answer for one page."""
        if reference:
            self.pages += 1
            self.right += is_right(field, reference, answer)
            self.near += is_near(field, reference, answer)
            self.silent += not answer
        else:
            self.without += 1
            self.false += bool(answer)


@dataclass
class ReaderScores:
    """The counts of one reader on all pages."""

    name: str
    fields: dict[str, FieldTally]
    milliseconds: float = 0.0

    @property
    def false(self) -> int:
        return sum(tally.false for tally in self.fields.values())


@dataclass
class MetadataReport:
    """The scores of all readers on the same pages."""

    scores: list[ReaderScores]
    pages: int = 0
    parse_milliseconds: float = 0.0
    unreadable: int = 0


def is_right(field: str, reference: str, answer: str | None) -> bool:
    """Return whether an answer agrees with the reference."""
    if not answer:
        return False
    match field:
        case "title":
            return word_key(reference) == word_key(answer)
        case "author":
            return split_people(reference) == split_people(answer)
    return answer[: len(reference)] == reference[:10]


def is_near(field: str, reference: str, answer: str | None) -> bool:
    """Return whether an answer agrees with the reference, or nearly so."""
    if not answer:
        return False
    if field == "title":
        return title_similarity(reference, answer) >= _MIN_NEAR_TITLE_F1
    if field == "author":
        expected, given = word_key(reference), word_key(answer)
        if not expected or not given:
            return False
        return expected in given or given in expected or split_people(reference) == split_people(answer)
    return is_right(field, reference, answer)


def split_people(text: str) -> frozenset[str]:
    """Return the names in a string, normalized; the whole string if it has no recognizable names."""
    return frozenset(word_key(name) for name in parse_names(text, is_name=True)) or frozenset((word_key(text),))


def make_duramen_reader() -> MetadataReader:
    """Return our reader, which decodes and parses the bytes too."""

    def read(raw: bytes, example: Example) -> MetadataAnswer:
        metadata = Metadata.read(Page.parse(raw, url=example.url))
        published = metadata.published
        return MetadataAnswer(
            metadata.title,
            "; ".join(author.name for author in metadata.authors) or None,
            as_date(published).isoformat() if published else None,
        )

    return MetadataReader("duramen", read)


def make_trafilatura_reader() -> MetadataReader:
    """Return trafilatura's reader with its defaults; it gets the URL of the page. Raises `MissingExtraError`."""
    peers.get("trafilatura")  # raises the error if it is missing, and turns its log off
    from trafilatura.metadata import extract_metadata
    from trafilatura.settings import set_date_params
    from trafilatura.utils import load_html

    parameters = set_date_params()

    def read(raw: bytes, example: Example) -> MetadataAnswer:
        tree = load_html(raw)
        if tree is None:
            return MetadataAnswer()
        document = extract_metadata(tree, example.url, parameters)
        return MetadataAnswer(document.title, document.author, document.date)

    return MetadataReader("trafilatura", read)


def get_metadata_readers(*, with_peers: bool) -> tuple[list[MetadataReader], str | None]:
    """Return our reader and trafilatura's; if that is not installed, print a message."""
    readers = [make_duramen_reader()]
    if not with_peers:
        return readers, None
    try:
        return [*readers, make_trafilatura_reader()], None
    except MissingExtraError as error:
        return readers, f"without trafilatura: {error}"


def find_reference_fields(examples: Sequence[Example]) -> list[str]:
    """Return the fields for which the examples have a reference."""
    return [field for field in FIELDS if any(example.fields.get(field) for example in examples)]


def score_metadata(
    examples: Sequence[Example], readers: Sequence[MetadataReader], fields: Sequence[str], advance: Callable[[], None]
) -> MetadataReport:
    """Run the readers on the pages. Times are processor times from bytes to metadata."""
    report = MetadataReport(
        [ReaderScores(reader.name, {field: FieldTally() for field in fields}) for reader in readers]
    )
    for example, raw in _read_pages(examples, report):
        report.parse_milliseconds += _time(partial(LexborHTMLParser, raw))[1]
        report.pages += 1
        for reader, scores in zip(readers, report.scores, strict=True):
            answer, milliseconds = _time(partial(reader.read, raw, example))
            scores.milliseconds += milliseconds
            for field, tally in scores.fields.items():
                reference = example.fields.get(field)
                tally.add(field, reference if isinstance(reference, str) else None, getattr(answer, field))
        advance()
    return report


def make_metadata_table(report: MetadataReport, *, timed: bool) -> str:
    """Make the table for a terminal."""
    lines = align_columns(_make_cells(report, timed=timed), left_columns=2)
    if timed:
        lines.append(f"a bare parse by Lexbor: {report.parse_milliseconds / max(report.pages, 1):.2f} ms a page")
    return "\n".join(lines)


def make_metadata_markdown(report: MetadataReport, sets: Sequence[str]) -> str:
    """Make the Markdown page, without times."""
    head, *body = _make_cells(report, timed=False)
    lines = [
        "# Scores of metadata",
        "",
        f"By `duramen evaluate {' '.join(sets)} --metadata --write-scores FILE`, on {report.pages} pages. What is"
        " *right*, *near* and *false* is in [metadata.md](metadata.md).",
        "",
        f"| {' | '.join(head)} |",
        f"|{'---|' * 2}{'---:|' * (len(head) - 2)}",
        *(f"| {' | '.join(row)} |" for row in body),
    ]
    return "\n".join(lines) + "\n"


def _make_cells(report: MetadataReport, *, timed: bool) -> list[list[str]]:
    """Return the rows of the table: one for each reader and field."""
    cells = [["", "field", "pages", "right", "near", "silent", "without", "false", *(["ms a page"] if timed else [])]]
    for scores in report.scores:
        time = f"{scores.milliseconds / max(report.pages, 1):.1f}"
        for number, (field, tally) in enumerate(scores.fields.items()):
            pages = max(tally.pages, 1)
            row = [scores.name if number == 0 else "", field, str(tally.pages)]
            row += [f"{count / pages:.3f}" for count in (tally.right, tally.near, tally.silent)]
            row += [str(tally.without), str(tally.false)]
            if timed:
                row.append(time if number == 0 else "")
            cells.append(row)
    return cells


def _read_pages(examples: Iterable[Example], report: MetadataReport) -> Iterator[tuple[Example, bytes]]:
    for example in examples:
        try:
            yield example, example.read()
        except InputError:
            report.unreadable += 1


def _time(work: Callable[[], T]) -> tuple[T, float]:
    start = process_time()
    result = work()
    return result, (process_time() - start) * 1000
