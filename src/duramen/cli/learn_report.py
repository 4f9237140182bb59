"""The report of `duramen learn`: the chosen element, the runners-up, and with --explain the whole comparison.

The table is that of figure 3 of Oita and Senellart (2012): the level of an element, its identifying clue, its
positions in depth-first order, and the number n of pages that have it; and its relevance, by which elements are ranked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.progress import count_pages, escape_controls, say

if TYPE_CHECKING:
    from duramen.wrappers import LearnResult, SamplePage, Wrapper
    from duramen.wrappers.wrapper import RankedPattern

_MAX_RUNNERS_UP = 3
_MAX_ROWS = 20
_MAX_POSITIONS = 6
_MAX_CLUE_CHARS = 70
_LEFT_ALIGNED_COLUMNS = {0, 2, 3}


def print_report(
    learned: LearnResult,
    pages: Sequence[SamplePage],
    output: Path | None,
    *,
    in_one_file: bool = False,
    explain: bool,
    put: Callable[[str], None],
) -> None:
    """Print the report line by line with `put`; each wrapper is compared with `auto` on its pages."""
    from duramen.cli.learn import number_file
    from duramen.site_model.comparison import compare_with_auto

    for number, wrapper in enumerate(learned.wrappers):
        if number:
            put("")
        if output is None:
            name = f"template {number + 1}"
        elif in_one_file:
            name = f"{output}, wrapper {number + 1}" if number else str(output)
        else:
            name = str(number_file(output, number))
        for line in describe_wrapper(wrapper, name):
            put(escape_controls(line))
        known = {page.name for page in wrapper.pages}
        compared = [(page.name or "", page.page) for page in pages if page.name in known]
        for line in compare_with_auto(wrapper, compared).describe() if compared else ():
            put(escape_controls(f"  auto       {line}"))
        if explain:
            put("")
            for line in make_table(wrapper):
                put(escape_controls(line))
    if learned.strays:
        put("")
    for stray in learned.strays:
        put(escape_controls(f"left out  {stray.name}: {stray.reason}"))


def describe_wrapper(wrapper: Wrapper, name: str) -> list[str]:
    """Describe what was learned in a few lines."""
    site = f" of {wrapper.site}" if wrapper.site else ""
    lines = [f"{name}: learned from {count_pages(len(wrapper.pages))}{site}"]
    lines += [f"  region     {place.xpath}  ({count_pages(place.pages)})" for place in wrapper.regions]
    lines += [f"  headline   {expression}" for expression in wrapper.headlines]
    lines += [f"  lead       {expression}" for expression in wrapper.leads]
    lines += [f"  {name:<10} {expression}" for name, expression in wrapper.fields]
    lines.append(f"  support    {wrapper.support:.0%} of the pages; confidence {wrapper.confidence:.2f}")
    lines += [f"  note       {note}" for note in wrapper.notes]
    rows = wrapper.candidates
    if rows:
        lines.append(f"  chosen     {_describe_row(rows[0])}")
    lines += [f"  runner-up  {_describe_row(row)}" for row in rows[1 : 1 + _MAX_RUNNERS_UP]]
    return lines + ([f"  learned    {wrapper.learned}"] if wrapper.learned else [])


def make_table(wrapper: Wrapper) -> list[str]:
    """Write the table of figure 3, the XPath as the paper builds it, and the signifiers of each page."""
    rows = wrapper.candidates[:_MAX_ROWS]
    ranks = {id(row): rank for rank, row in enumerate(rows, 1)}
    cells = [("", "l", "identifying clue", "dfs", "n", "relevance", "rank")]
    for row in sorted(rows, key=lambda row: (row.level, ranks[id(row)])):
        rank = ranks[id(row)]
        cells.append(
            (
                "*" if rank == 1 else "",
                str(row.level),
                _shorten(row.clue),
                _format_positions(row.dfs),
                str(row.n),
                _format_number(row.relevance),
                str(rank),
            )
        )
    lines = _align(cells)
    if len(wrapper.candidates) > len(rows):
        lines.append(f"and {len(wrapper.candidates) - len(rows)} less relevant ones")
    lines += ["", f"relevance: {_describe_relevance(wrapper)}", f"the paper's expression: {wrapper.paper_xpath}", ""]
    lines.append(f"signifiers ({wrapper.settings.signifiers}, at most {wrapper.settings.k}):")
    lines += [f"  {page.name}: {', '.join(page.signifiers) or 'none'}" for page in wrapper.pages]
    return lines


def _describe_relevance(wrapper: Wrapper) -> str:
    settings = wrapper.settings
    if wrapper.learner in ("sigfeed", "description"):
        return "the number of pages whose region it is"
    measure = {"ju": "J × U", "j": "J", "u": "U", "coverage": "coverage"}[settings.measure]
    factors = [f"{measure}, added up over the pages"]
    factors += ["n"] if settings.frequency else []
    factors += ["l"] if settings.level else []
    return " × ".join(factors)


def warn_of_old_files(learned: LearnResult, output: Path | None) -> None:
    """Name wrapper files of an earlier run that this one did not write: a user may take them for new ones."""
    from duramen.cli.learn import number_file

    number = len(learned.wrappers)
    while output is not None and (path := number_file(output, number)).exists():
        templates = "was 1 template" if number == 1 else f"were {number} templates"
        say(f"{path} is from an earlier run: this time there {templates}")
        number += 1


def _describe_row(row: RankedPattern) -> str:
    return f"{_shorten(row.clue)} on level {row.level}, {count_pages(row.n)}, relevance {_format_number(row.relevance)}"


def _format_number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _shorten(clue: str) -> str:
    return clue if len(clue) <= _MAX_CLUE_CHARS else f"{clue[: _MAX_CLUE_CHARS - 1]}…"


def _format_positions(dfs: Sequence[int]) -> str:
    return ", ".join(map(str, dfs[:_MAX_POSITIONS])) + (", …" if len(dfs) > _MAX_POSITIONS else "")


def _align(cells: Sequence[Sequence[str]]) -> list[str]:
    """Align columns: texts to the left, numbers to the right."""
    widths = [max(map(len, texts)) for texts in zip(*cells, strict=True)]
    lines = []
    for row in cells:
        aligned = (
            cell.ljust(width) if column in _LEFT_ALIGNED_COLUMNS else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(aligned).rstrip())
    return lines
