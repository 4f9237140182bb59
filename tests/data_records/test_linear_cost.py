"""Cost on hostile pages: twice the page takes about twice the work. Work is counted, not timed."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from tests.data_records.pages import make_page
from tests.hostile.work import MAX_GROWTH, count_lines

import duramen
from duramen.data_records.export import table_to_text
from duramen.data_records.table import Table
from duramen.dom.tree import Tree
from duramen.xpath import Index

RECORDS = 6


def make_name(number: int) -> str:
    """A stable-looking name, another one for each number."""
    return "name-" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def make_list(record: Callable[[int], str], records: int = RECORDS) -> str:
    return make_page("<div>" + "".join(f"<div class=item>{record(n)}</div>" for n in range(records)) + "</div>")


def classes(size: int) -> str:
    return make_list(lambda n: "".join(f"<span class={make_name(k)}>{n} of {k}</span>" for k in range(size)))


def tags(size: int) -> str:
    return make_list(
        lambda n: "".join(f"<x-{make_name(k)}><b class=b>{n} of {k}</b></x-{make_name(k)}>" for k in range(size))
    )


def cells(size: int) -> str:
    rows = ("".join(f"<td class={make_name(k)}>{n} of {k}</td>" for k in range(size)) for n in range(RECORDS))
    return make_page("<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>")


def tokens(size: int) -> str:
    many = " ".join(map(make_name, range(20 * size)))
    return make_list(lambda n: f"<a href=/{n}>Chair {n}</a><span class='{many}'>{n} of many</span>")


def runs(size: int) -> str:
    terms = (f"<dt><a href=/{n}>Term {n}</a></dt><dd class=is>It is {n}.</dd>" for n in range(4 * size))
    return make_page("<dl>" + "".join(terms) + "</dl>")


def breaks(size: int) -> str:
    return make_list(
        lambda n: f"<p class=lines>{''.join(f'{n} of {k}<br>' for k in range(size))}</p><a href=/{n}>{n}</a>"
    )


def wrapped(size: int) -> str:
    within = "".join(f"<i class=i>{k}</i>" for k in range(10 * size))
    return make_list(lambda n: f"{'<div>' * 40}{within}{'</div>' * 40}")


def own_names(size: int) -> str:
    return make_list(lambda n: f"<h3 class={make_name(n)}><a href=/{n}>Chair {n}</a></h3><p>Of wood {n}.</p>", 6 * size)


def spans(size: int) -> str:
    rows = (f"<tr><td rowspan=65534><a href=/{n}>Chair {n}</a></td><td>€ {n}</td></tr>" for n in range(2 * size))
    return make_page("<table>" + "".join(rows) + "</table>")


def nested_items(size: int) -> str:
    depth = 10
    within = "<ul><li class=item>An answer to it <a href=/>here</a>" * depth + "</li></ul>" * depth
    items = (
        f"<li class=item><a href=/{n}>Question {n}</a> about the wood of a chair{within}</li>" for n in range(size)
    )
    return make_page("<ul>" + "".join(items) + "</ul>")


def nested_sections(size: int) -> str:
    links = "".join(f"<p><a href=/{n}>A chair with the number {n}</a></p>" for n in range(4))
    within = "<div>" * 20 + links + "</div>" * 20
    sections = (f"<section><h3>Shop {n}</h3>{within}</section>" for n in range(size // 2))
    return make_page("<div>" + "".join(sections) + "</div>")


MADE = [classes, tags, cells, tokens, runs, breaks, wrapped, own_names, spans, nested_items, nested_sections]


@pytest.mark.parametrize("made", MADE)
def test_twice_the_page_takes_twice_the_work(made: Callable[[int], str]) -> None:
    def tabulate(parsed: duramen.Page) -> None:
        table = duramen.records_all(parsed)[0]
        assert table.rows
        assert table.xpath
        assert table.record_xpath

    pages = [duramen.Page.parse(made(size)) for size in (60, 120)]
    tabulate(duramen.Page.parse(made(60)))  # what is kept between pages is so for both
    small, large = (count_lines(partial(tabulate, one)) for one in pages)
    assert large < MAX_GROWTH * small


def test_a_wide_cell_is_shortened_in_one_pass() -> None:
    def make_table(letters: int) -> Table:
        return duramen.records(make_list(lambda n: f"<a href=/{n}>{n}</a><p class=about>{'oak' * letters} {n}</p>"))

    small, large = (count_lines(partial(table_to_text, make_table(size))) for size in (500, 1000))
    assert large < MAX_GROWTH * small


def test_a_common_beginning_of_paths_is_looked_up_once() -> None:
    tree = Tree.parse("<div>" + "".join(f"<p class={make_name(n)}><b>x</b><i>y</i></p>" for n in range(50)) + "</div>")
    index = Index(tree, min_nodes=0)
    div = tree.find_all("div")[0]
    first = count_lines(lambda: index.select("./p/b", div))
    assert count_lines(lambda: index.select("./p/i", div)) < first
    assert count_lines(lambda: index.select("./p/i", div)) < first / 10
    assert index.select("./p/i", div) == tree.find_all("i")
