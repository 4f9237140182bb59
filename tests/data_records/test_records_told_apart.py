"""Which parts of a list are records: at its ends, in other tags, in other boxes; and what boxes tell of it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from tests.data_records.written_lists import ABOUT, article, page, tile

import duramen
from duramen.data_records import odd, partition
from duramen.data_records.finding import find_regions, is_main
from duramen.data_records.outline import Outline
from duramen.data_records.partition import Record
from duramen.data_records.table import Table
from duramen.data_records.wrapper import RecordsWrapper
from duramen.dom.tree import TEXT, Box, Tree


def found(body: str) -> Table:
    return duramen.records(page(body))


def titled(n: int, *, tag: str = "p") -> str:
    return f"<{tag}><b><a href='/{n}'>Chair {n}</a></b><br>{ABOUT.format(n=n)}<br><small>/{n}</small></{tag}>"


def test_a_run_that_goes_on_into_something_else_is_cut() -> None:
    rows = [f"<h3><a href='/{n}'>Chair {n}</a></h3><p>{ABOUT.format(n=n)}</p>" for n in range(10)]
    rows[4] += f"<form><b>Search</b> <i>again</i> {'<input>' * 5}</form><table><tr><td>{'Sponsored. ' * 60}</table>"
    table = found(f"<div>{''.join(rows)}</div>")
    tags = table.page.tree.tag
    assert [[tags[top] for top in record] for record in table.records] == [["h3", "p"]] * 10


def test_a_long_run_is_cut_without_weighing_all_of_it_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = 0

    def weigh(outline: Outline, records: Iterable[Record]) -> int:
        nonlocal weighed
        known = list(records)
        weighed += sum(map(len, known))
        return partition.weigh(outline, known)

    monkeypatch.setattr(odd, "weigh", weigh)
    rows = [f"<h3><a href='/{n}'>Chair {n}</a></h3><p>{ABOUT.format(n=n) * 2}</p>" for n in range(200)]
    rows[70] += "<b>x</b>" * 1000
    table = found(f"<div>{''.join(rows)}</div>")
    assert [len(record) for record in table.records] == [2] * 200
    assert weighed < 20 * len(table.page.tree)


ADVERTS = [
    "<li class='ad'><ins class='adsbygoogle'>Sponsored: buy a sofa!</ins></li>",
    "<li><div><ins class='adsbygoogle'>Sponsored: buy a sofa!</ins></div></li>",
    "<li id='ad-7' class='item'><h3><a href='/out'>A sofa</a></h3><img src='/sofa.png'><p class='about'>Soft.</p></li>",
]


@pytest.mark.parametrize("advert", ADVERTS)
def test_what_is_called_an_advertisement_is_neither_a_record_nor_a_part_of_one(advert: str) -> None:
    table = found("<ul>" + "".join((advert if n % 4 == 3 else "") + tile(n) for n in range(1, 11)) + "</ul>")
    tree = table.page.tree
    assert [[tree.attributes[top] for top in record] for record in table.records] == [[{"class": "item"}]] * 10


@pytest.mark.parametrize("name", ["no-ads", "address", "added", "shadow with-ad"])
def test_names_that_only_sound_like_advertisements_are_none(name: str) -> None:
    rows = [tile(n).replace("'item'", f"'item {name}'", int(n % 4 == 3)) for n in range(1, 11)]
    assert len(found(f"<ul>{''.join(rows)}</ul>")) == 10


def test_where_all_records_are_called_advertisements_they_are_what_is_looked_for() -> None:
    rows = "".join(tile(n).replace("'item'", "'classified-ad'") for n in range(1, 9))
    assert len(found(f"<ul>{rows}</ul>")) == 8


def comment(n: int, answers: str = "", *, frame: str = "ul") -> str:
    head = f"<div class='head'><a href='/u/{n}'>user{n}</a> <i>{n} May</i></div>"
    below = f"<{frame}>{answers}</{frame}>" if answers else ""
    return f"<li class='comment c{n}'>{head}<div class='said'>{ABOUT.format(n=n)}</div>{below}</li>"


def test_the_answers_in_a_comment_are_records_of_their_own() -> None:
    first = comment(1, comment(2, comment(3)) + comment(4), frame="ol")
    table = found(f"<ul>{first}{comment(5)}{comment(6, comment(7))}{comment(8)}</ul>")
    tree = table.page.tree
    assert [row["user"] for row in table.rows] == [f"user{n}" for n in range(1, 9)]
    assert {tuple(tree.attributes[top]["class"] for top in record) for record in table.records} == {("head", "said")}
    again = RecordsWrapper.of(table).extract(table.page)
    assert again.rows == table.rows


def test_answers_are_found_though_no_comment_is_without_them() -> None:
    rows = "".join(comment(n, comment(n + 1, comment(n + 2))) for n in (1, 4, 7))
    assert [row["user"] for row in found(f"<ul>{rows}</ul>").rows] == [f"user{n}" for n in range(1, 10)]


def test_items_that_stand_one_in_the_other_are_records_like_the_rest() -> None:
    items = [f"<li><a href='/{n}'>Chair number {n}</a> of solid wood" for n in range(20)]
    table = found("<ul>" + "<ul>".join(items[:6]) + "<ul>" + "</li>".join(items[6:]))
    assert [row["link"] for row in table.rows] == [f"/{n}" for n in range(20)]


def test_the_category_of_a_list_is_none_of_its_items() -> None:
    items = "".join(f"<li><a href='/{n}'>Chair number {n}</a> of solid wood</li>" for n in range(20))
    assert len(found(f"<ul><li><a href='/all'>All our chairs</a> of solid wood<ul>{items}</ul></li></ul>")) == 20


def test_a_list_in_a_record_stays_there_though_its_items_bear_the_same_name() -> None:
    made = "<ul><li class='item'>Oak</li><li class='item'>Ash</li></ul>"
    assert len(found("<ul>" + "".join(tile(n, more=made) for n in range(1, 9)) + "</ul>")) == 8


def test_a_frame_around_a_record_is_no_record() -> None:
    rows = "".join(f"<div class='item'>{tile(n, tag='div')}</div>" for n in range(1, 9))
    assert len(found(f"<div>{rows}</div>")) == 8


def test_a_short_first_record_that_has_its_like_in_the_middle_is_one() -> None:
    short = "<li><h3><a href='/{n}'>Chair {n}</a></h3><p>Sold.</p></li>"
    long = "<li><h3><a href='/{n}'>Chair {n}</a></h3><p>" + ABOUT[:50] + "</p><i>BoxCache</i></li>"
    rows = [short if n in (0, 4) else long for n in range(10)]
    assert len(found("<ol>" + "".join(row.format(n=n) for n, row in enumerate(rows)) + "</ol>")) == 10


def test_short_items_of_a_list_are_no_part_of_the_item_before_them() -> None:
    rows = [f"<li><h3><a href='/{n}'>Chair {n}</a></h3>{'' if n == 4 else ABOUT.format(n=n)}</li>" for n in range(10)]
    assert all(len(record) == 1 for record in found(f"<ol>{''.join(rows)}</ol>").records)


def test_a_row_of_headings_in_plain_cells_leads_nowhere_and_is_no_record() -> None:
    rows = "".join(
        f"<tr><td><a href='/{n}'>Chair number {n}</a></td><td>12/0{n}/2024</td><td>1{n} kg</td></tr>" for n in range(9)
    )
    table = found(f"<table><tr><td><b>Name of the chair</b></td><td>Date</td><td>Weight</td></tr>{rows}</table>")
    assert len(table) == 9


def test_records_without_links_stay_where_others_between_have_none() -> None:
    rows = "".join(
        f"<tr><td>{'<a href=/x>' if n % 2 else '<b>'}Chair number {n}</td><td>{ABOUT.format(n=n)}</td></tr>"
        for n in range(9)
    )
    assert len(found(f"<table>{rows}</table>")) == 9


def test_a_record_in_another_tag_is_a_record() -> None:
    rows = "".join(titled(n) if n not in (3, 6) else f"<blockquote>{titled(n)}</blockquote>" for n in range(9))
    assert len(found(f"<div>{rows}</div>")) == 9


def test_records_begin_with_their_titles_though_only_what_follows_has_a_class() -> None:
    rows = "".join(
        f"<p><b><a href='/{n}'>Chair {n}</a></b> of {['oak', 'ash', 'elm'][n % 3]}</p>"
        f"<p class='excerpt'>{ABOUT.format(n=n)}</p>"
        for n in range(24)
    )
    table = found(f"<div><h2>Chairs</h2><p>Some were found.</p>{rows}</div>")
    tree = table.page.tree
    assert len(table) == 24
    assert all(len(record) == 2 and tree.attributes[record[1]] == {"class": "excerpt"} for record in table.records)


def test_boxes_whose_records_differ_among_themselves_may_differ_as_much() -> None:
    def row(n: int, about: str) -> str:
        name = f"<p><b>Chair number {n}</b> <i>of oak</i></p>"
        return f"<tr><td width=60><a href='/{n}'>go to it</a></td><td>{name}{about}</td></tr>"

    plain = "".join(row(n, f"<br>{ABOUT.format(n=n)}" if n % 2 else "") for n in range(6))
    told = "".join(row(n, f"<br>{ABOUT.format(n=n)}") for n in range(6, 9))
    table = found(f"<div><h3>Old</h3><table>{plain}</table><h3>New</h3><table>{told}</table></div>")
    assert len(table) == 9


def test_a_sister_is_like_one_of_the_records() -> None:
    def card(n: int, kind: str, extra: str = "") -> str:
        return tile(n, tag="div", more=extra).replace("class='item'", f"class='{kind} item'")

    choice = "<div><a href='/o'>Options</a></div><p><b>Order</b> now</p><ul><li>New</li></ul>"
    first = "".join(card(n, "first") for n in range(3))
    rest = "".join(card(n, "rest", choice if n % 4 else "") for n in range(3, 15))
    table = found(f"<section><div>{first}</div></section><section><div>{rest}</div></section>")
    assert len(table) == 15


def test_a_list_beside_which_stands_a_side_column_is_not_in_one() -> None:
    items = "<ul>" + "".join(map(tile, range(8))) + "</ul>"
    more = f"<div>{'About the shop and its chairs. ' * 90}</div>"
    beside, inside = (
        find_regions(Tree.parse(page(f"<div class='{name}'>{items}</div>{more}")), 1)[0].confidence
        for name in ("body--withSidebar", "sidebar")
    )
    assert beside > 2 * inside


def test_a_menu_is_no_main_list_however_large_it_is() -> None:
    menu = "".join(f"<li><h3><a href='/{n}'>Chairs {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>" for n in range(9))
    text = f"<p>{'The heartwood of an oak carries no water, but it holds the tree. ' * 10}</p>"
    assert not duramen.records(f"<body><nav><ul>{menu}</ul></nav><main>{text}</main></body>")


def laid_out(tree: Tree, tops: list[int], height: float) -> None:
    """Every element is as large as a line, but for the tops, and the page, which is 10,000 high."""
    line: Box = (0.0, 0.0, 1000.0, 20.0)
    tree.box = [None if tag == TEXT else line for tag in tree.tag]
    for top in tops:
        tree.box[top] = (0.0, 0.0, 1000.0, height)
    tree.box[tree.body] = (0.0, 0.0, 1000.0, 10_000.0)


def test_a_list_of_large_pictures_is_the_main_one_by_its_area() -> None:
    tiles = "".join(f"<li><a href='/{n}'><img src='/{n}.png'>Chair {n}</a></li>" for n in range(8))
    tree = Tree.parse(page(f"<ul>{tiles}</ul><div>{'About the shop and its chairs. ' * 80}</div>"))
    best = find_regions(tree, 1)[0]
    assert not is_main(best)
    laid_out(tree, [record[0] for record in best.records], 1000.0)
    assert is_main(find_regions(tree, 1)[0])


def test_an_article_is_no_list_the_less_so_the_less_of_the_page_it_covers() -> None:
    tree = Tree.parse(article())
    before = find_regions(tree, 1)[0]
    laid_out(tree, [record[0] for record in before.records], 40.0)
    assert find_regions(tree, 1)[0].confidence < before.confidence
