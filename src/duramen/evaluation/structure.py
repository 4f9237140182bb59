"""Score the Markdown of extractors against the Markdown that a set gives for its pages.

Both are read into parts (`metrics.markdown_parts`), and a kind of part is scored on the pages whose reference has it:

- text, code, formulas, tables: edit similarity of all parts of the kind, joined;
- table structure: similarity of tables as trees (`metrics.table_structure`);
- headings, list items, links, images, footnotes, inline code: F1 of multisets.

The overall score of a page is the mean of text, code, formulas and tables, of those that the reference has. What an
extractor adds of a kind that the reference does not have lowers no score of its own (it lowers that of the text if it
should have been text), so the pages with such additions are counted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from statistics import fmean
from typing import Final

from duramen import __version__, methods
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.evaluation import markdown_peers
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.metrics.agreement import agreement_of_counts
from duramen.evaluation.metrics.edit_similarity import edit_similarity
from duramen.evaluation.metrics.markdown_parts import MarkdownParts, read_parts, write_table
from duramen.evaluation.metrics.table_structure import tables_similarity
from duramen.evaluation.run import run_extractor
from duramen.evaluation.sets import Example

OVERALL: Final = "overall"
TABLE_STRUCTURE: Final = "table structure"
OVERALL_KINDS: Final = ("text", "code", "formulas", "tables")
COUNTED_KINDS: Final = ("headings", "list items", "links", "images", "footnotes", "inline code")
KINDS: Final = (OVERALL, *OVERALL_KINDS, TABLE_STRUCTURE, *COUNTED_KINDS)


@dataclass(frozen=True)
class StructureScore:
    """The scores of one document."""

    values: dict[str, float]
    """The score of each kind that the reference has, and the overall score; from 0 to 1."""
    added: tuple[str, ...] = ()
    """The kinds that the document has, but not the reference."""


@dataclass(frozen=True)
class StructureRun:
    """The score of one extractor on one page. After an error it is that of an empty document."""

    extractor: str
    example: Example
    score: StructureScore
    error: str | None = None


def score_structure(reference: MarkdownParts, parts: MarkdownParts) -> StructureScore:
    """Score the parts of a document against those of the reference."""
    values: dict[str, float] = {}
    added: list[str] = []
    for kind in OVERALL_KINDS:
        expected, given = _join_parts(reference, kind), _join_parts(parts, kind)
        if expected:
            values[kind] = edit_similarity(expected, given)
        elif given:
            added.append(kind)
    if values:
        values = {OVERALL: fmean(values.values()), **values}
    if reference.tables:
        values[TABLE_STRUCTURE] = tables_similarity(reference.tables, parts.tables)
    for kind in COUNTED_KINDS:
        name = kind.replace(" ", "_")
        expected_counts, given_counts = getattr(reference, name), getattr(parts, name)
        if expected_counts:
            values[kind] = agreement_of_counts(expected_counts, given_counts).f1
        elif given_counts:
            added.append(kind)
    return StructureScore(values, tuple(added))


def get_markdown_extractor(which: str, prepare: Callable[[Page], Page] | None = None) -> Extractor:
    """Return the method or the peer of this name as an extractor that writes Markdown, with links and images."""
    if which in markdown_peers.names():
        return markdown_peers.get(which)
    if which.partition(":")[0] not in methods.names():
        known = [*methods.names(), *markdown_peers.names()]
        near = get_close_matches(which, known, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(known)}"
        raise UsageError(f"there is no method or peer {which!r} that writes Markdown: {hint}")
    method = methods.get(which)

    def run(raw: bytes, example: Example) -> str:
        page = Page.parse(raw, url=example.url)
        return method(page if prepare is None else prepare(page)).to("markdown", links=True, images=True)

    return Extractor(which, run, __version__)


def has_markdown(example: Example) -> bool:
    """Return whether a page has reference Markdown. Raises `InputError` if the field is not a string."""
    markdown = example.fields.get("markdown")
    if markdown is not None and not isinstance(markdown, str):
        raise InputError(f"the page {example.id!r} of the set {example.set!r}: the field 'markdown' is not a string")
    return bool(markdown and markdown.strip())


def score_structure_pages(
    examples: Iterable[Example], extractors: Sequence[Extractor]
) -> Iterator[list[StructureRun] | InputError]:
    """Score every extractor on each page; yields the error of a page that cannot be read."""
    for example in examples:
        try:
            raw = example.read()
        except InputError as error:
            yield error
            continue
        reference = read_parts(example.fields["markdown"], example.url)
        runs = []
        for extractor in extractors:
            markdown, _, failure = run_extractor(extractor, raw, example)
            score = score_structure(reference, read_parts(markdown, example.url))
            runs.append(StructureRun(extractor.name, example, score, failure))
        yield runs


def _join_parts(parts: MarkdownParts, kind: str) -> str:
    match kind:
        case "text":
            return parts.text
        case "code":
            return "\n\n".join(parts.code)
        case "formulas":
            return "\n".join(parts.formulas)
    return "\n\n".join(map(write_table, parts.tables))
