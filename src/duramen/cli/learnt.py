"""What `duramen learn` says of its wrappers: what was chosen, what came next, and on request the whole comparison.

The table is that of Oita and Senellart's figure 3: the level of an element, its identifying clue, the dfs positions at
which it was seen, and the number n of pages that have it; with its relevance, by which it was chosen or not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.progress import printable

if TYPE_CHECKING:
    from duramen.wrappers import Learnt, Wrapper
    from duramen.wrappers.wrapper import Row

_RUNNERS_UP = 3
_ROWS = 20
_POSITIONS = 6
_CLUE = 70

Put = Callable[[str], None]


def tell(learnt: Learnt, output: Path | None, *, explain: bool, put: Put) -> None:
    """The report, line by line."""
    from duramen.cli.learn import numbered

    for number, wrapper in enumerate(learnt.wrappers):
        if number:
            put("")
        name = str(numbered(output, number)) if output is not None else f"template {number + 1}"
        for line in describe(wrapper, name):
            put(printable(line))
        if explain:
            put("")
            for line in table(wrapper):
                put(printable(line))
    if learnt.strays:
        put("")
    for stray in learnt.strays:
        put(printable(f"left out  {stray.name}: {stray.reason}"))


def describe(wrapper: Wrapper, name: str) -> list[str]:
    """What was learnt, in a few lines."""
    site = f" of {wrapper.site}" if wrapper.site else ""
    lines = [f"{name}: learnt from {_pages(len(wrapper.pages))}{site}"]
    lines += [f"  region     {place.xpath}  ({_pages(place.pages)})" for place in wrapper.regions]
    lines += [f"  headline   {expression}" for expression in wrapper.headlines]
    lines += [f"  lead       {expression}" for expression in wrapper.leads]
    lines += [f"  {name:<10} {expression}" for name, expression in wrapper.fields]
    lines.append(f"  support    {wrapper.support:.0%} of the pages; confidence {wrapper.confidence:.2f}")
    lines += [f"  note       {note}" for note in wrapper.notes]
    rows = wrapper.candidates
    if rows:
        lines.append(f"  chosen     {_row(rows[0])}")
    lines += [f"  runner-up  {_row(row)}" for row in rows[1 : 1 + _RUNNERS_UP]]
    return lines


def table(wrapper: Wrapper) -> list[str]:
    """The table of figure 3, the paper's own expression, and the signifiers."""
    rows = wrapper.candidates[:_ROWS]
    ranks = {id(row): rank for rank, row in enumerate(rows, 1)}
    cells = [("", "l", "identifying clue", "dfs", "n", "relevance", "rank")]
    for row in sorted(rows, key=lambda row: (row.level, ranks[id(row)])):
        rank = ranks[id(row)]
        cells.append(
            (
                "*" if rank == 1 else "",
                str(row.level),
                _cut(row.clue),
                _positions(row.dfs),
                str(row.n),
                _number(row.relevance),
                str(rank),
            )
        )
    lines = _aligned(cells)
    if len(wrapper.candidates) > len(rows):
        lines.append(f"and {len(wrapper.candidates) - len(rows)} less relevant")
    lines += ["", f"relevance: {_formula(wrapper)}", f"the paper's expression: {wrapper.paper_xpath}", ""]
    lines.append(f"signifiers ({wrapper.settings.signifiers}, at most {wrapper.settings.k}):")
    lines += [f"  {page.name}: {', '.join(page.signifiers) or 'none'}" for page in wrapper.pages]
    return lines


def _formula(wrapper: Wrapper) -> str:
    settings = wrapper.settings
    if wrapper.learner in ("sigfeed", "description"):
        return "the number of pages whose region it is"
    measure = {"ju": "J × U", "j": "J", "u": "U", "coverage": "coverage"}[settings.measure]
    factors = [f"{measure}, added up over the pages"]
    factors += ["n"] if settings.frequency else []
    factors += ["l"] if settings.level else []
    return " × ".join(factors)


def say_nothing_new(learnt: Learnt, output: Path | None, say: Put) -> None:
    """Files of an earlier run that this one did not write: they are easily taken for its own."""
    from duramen.cli.learn import numbered

    number = len(learnt.wrappers)
    while output is not None and (path := numbered(output, number)).exists():
        found = "was 1 template" if number == 1 else f"were {number} templates"
        say(f"{path} is of an earlier run: this time there {found}")
        number += 1


def _row(row: Row) -> str:
    return f"{_cut(row.clue)} on level {row.level}, {_pages(row.n)}, relevance {_number(row.relevance)}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def _cut(clue: str) -> str:
    return clue if len(clue) <= _CLUE else f"{clue[: _CLUE - 1]}…"


def _positions(dfs: Sequence[int]) -> str:
    return ", ".join(map(str, dfs[:_POSITIONS])) + (", …" if len(dfs) > _POSITIONS else "")


def _aligned(cells: Sequence[Sequence[str]]) -> list[str]:
    """Texts to the left, numbers to the right."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    left = {0, 2, 3}
    lines = []
    for row in cells:
        aligned = (
            cell.ljust(width) if at in left else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        lines.append("  ".join(aligned).rstrip())
    return lines


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"
