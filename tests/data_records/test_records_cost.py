"""What records cost on pages made to be expensive: twice the page, about twice the work. Work is counted, not timed."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any

import pytest
from tests.data_records.written_lists import page

import duramen
from duramen.data_records.formats import as_text
from duramen.data_records.lines import lines_of, pick_lines
from duramen.data_records.odd import without_odd
from duramen.data_records.outline import Outline
from duramen.data_records.shape import Centre, _nearness, likeness
from duramen.data_records.table import Table
from duramen.dom.tree import Tree
from duramen.xpath import Index

MOST = 2.5
"""Times the work for twice the page: 2 and what does not grow evenly; a loop in a loop makes 4 of it."""
RECORDS = 6


def work(run: Callable[[], object]) -> int:
    """The lines of Python that are run, each time through a loop counted."""
    count = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


def name(number: int) -> str:
    """A name that looks like a person's, another one for each number."""
    return "name-" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def listed(record: Callable[[int], str], records: int = RECORDS) -> str:
    return page("<div>" + "".join(f"<div class=item>{record(n)}</div>" for n in range(records)) + "</div>")


def classes(size: int) -> str:
    return listed(lambda n: "".join(f"<span class={name(k)}>{n} of {k}</span>" for k in range(size)))


def tags(size: int) -> str:
    return listed(lambda n: "".join(f"<x-{name(k)}><b class=b>{n} of {k}</b></x-{name(k)}>" for k in range(size)))


def cells(size: int) -> str:
    rows = ("".join(f"<td class={name(k)}>{n} of {k}</td>" for k in range(size)) for n in range(RECORDS))
    return page("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")


def tokens(size: int) -> str:
    many = " ".join(map(name, range(20 * size)))
    return listed(lambda n: f"<a href=/{n}>Chair {n}</a><span class='{many}'>{n} of many</span>")


def runs(size: int) -> str:
    terms = (f"<dt><a href=/{n}>Term {n}</a></dt><dd class=is>It is {n}.</dd>" for n in range(4 * size))
    return page("<dl>" + "".join(terms) + "</dl>")


def breaks(size: int) -> str:
    return listed(lambda n: f"<p class=lines>{''.join(f'{n} of {k}<br>' for k in range(size))}</p><a href=/{n}>{n}</a>")


def wrapped(size: int) -> str:
    within = "".join(f"<i class=i>{k}</i>" for k in range(10 * size))
    return listed(lambda n: f"{'<div>' * 40}{within}{'</div>' * 40}")


def own_names(size: int) -> str:
    return listed(lambda n: f"<h3 class={name(n)}><a href=/{n}>Chair {n}</a></h3><p>Of wood {n}.</p>", 6 * size)


@pytest.mark.parametrize("made", [classes, tags, cells, tokens, runs, breaks, wrapped, own_names])
def test_twice_the_page_is_twice_the_work(made: Callable[[int], str]) -> None:
    def tabulated(parsed: duramen.Page) -> None:
        table = duramen.records_all(parsed)[0]
        assert table.rows
        assert table.xpath
        assert table.record_xpath

    pages = [duramen.Page.parse(made(size)) for size in (60, 120)]
    tabulated(duramen.Page.parse(made(60)))  # what is kept between pages is so for both
    small, large = (work(partial(tabulated, one)) for one in pages)
    assert large < MOST * small


def test_a_wide_cell_is_cut_in_one_pass() -> None:
    def told(letters: int) -> Table:
        return duramen.records(listed(lambda n: f"<a href=/{n}>{n}</a><p class=about>{'oak' * letters} {n}</p>"))

    small, large = (work(partial(as_text, told(size))) for size in (500, 1000))
    assert large < MOST * small


def test_of_the_records_at_the_ends_each_is_compared_with_what_differs_in_the_middle(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    def counted(one: dict[Any, float], other: dict[Any, float]) -> float:
        nonlocal compared
        compared += 1
        return likeness(one, other)

    monkeypatch.setattr("duramen.data_records.odd.likeness", counted)
    light = "<p><a href=/>A title that is</a><b>and says less</b><i>!</i></p>"
    heavy = "<p><a href=/>A title that is long enough</a><b>and what it says of many things at some length</b></p>"
    tree = Tree.parse("<div>" + light * 60 + heavy * 300 + light + heavy * 3 + "</div>")
    without_odd(Outline.of(tree), tuple((node,) for node in tree.find_all("p")))
    assert 0 < compared <= 2 * 60


class Asked(dict[Any, float]):
    """A shape that may be asked for a key, and not be walked through."""

    def items(self) -> Any:
        raise AssertionError("all keys of the centre were looked at")


def test_the_centre_of_many_shapes_is_not_walked_through_for_each() -> None:
    shapes: list[dict[int | str, float]] = [{n: 1.0, n + 1: 0.25 * n, ".item": 0.5} for n in range(9)]
    centre = Centre.of(shapes)
    for shape in [*shapes, {}, {"other": 1.0}]:
        assert centre.likeness(shape) == pytest.approx(likeness(shape, centre.shape))
        assert _nearness(shape, Asked(centre.shape), centre.whole) == pytest.approx(likeness(shape, centre.shape))


def test_what_begins_alike_is_looked_up_once() -> None:
    tree = Tree.parse("<div>" + "".join(f"<p class={name(n)}><b>x</b><i>y</i></p>" for n in range(50)) + "</div>")
    index = Index(tree, small=0)
    div = tree.find_all("div")[0]
    first = work(lambda: index.select("./p/b", div))
    assert work(lambda: index.select("./p/i", div)) < first
    assert work(lambda: index.select("./p/i", div)) < first / 10
    assert index.select("./p/i", div) == tree.find_all("i")


def test_lines_begin_where_they_are_first_found() -> None:
    tree = Tree.parse("<div>a<br>By: b</div><div>c<br>By: d<br></div><div>e<br>By: f</div>")
    nodes = tree.find_all("div")
    picked = pick_lines(tree, [(node,) for node in nodes], tree.find_all("br"))
    assert [(tree.text[start], pick.label) for start, pick in picked] == [("a", ""), ("By: b", "By:")]
    assert lines_of(tree, nodes[1]) == ["c", "By: d"]
