"""From candidate records to final records: rows of tiles, outliers, advertisements."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from tests.data_records.pages import (
    ABOUT,
    find_list,
    make_page,
    make_tile,
    record_texts,
)

from duramen import records
from duramen.data_records import refinement
from duramen.data_records.record_segmentation import Record, total_weight
from duramen.data_records.refinement import drop_outliers
from duramen.data_records.subtrees import SubtreeWeights, similarity
from duramen.dom.tree import Tree


def test_a_grid_is_split_into_its_tiles() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>{make_tile(3 * row + n, tag='div')}</td>" for n in range(3)) + "</tr>"
        for row in range(4)
    )
    table = find_list(f"<table>{rows}</table>")
    assert len(table) == 12


@pytest.mark.parametrize("last", ["{}", "{}<div></div><div></div>", "<div>{}</div>"])
@pytest.mark.parametrize("count", [7, 10, 13])
def test_the_last_row_of_a_grid_may_have_a_single_tile(count: int, last: str) -> None:
    cells = [make_tile(n, tag="div", more="<p>Made to order.</p>") for n in range(count)]
    rows = ["".join(cells[n : n + 3]) for n in range(0, count - 1, 3)]
    table = find_list("".join(f"<div>{row}</div>" for row in [*rows, last.format(cells[-1])]))
    assert [text.split()[1] for text in record_texts(table)] == [str(n) for n in range(count)]


def test_a_data_table_is_not_a_grid_of_tiles() -> None:
    rows = "".join(
        f"<tr><td><a href=/c/{n}>Chair number {n} of oak</a></td><td>{n}0 cm</td><td>{ABOUT.format(n=n)}</td></tr>"
        for n in range(9)
    )
    assert len(find_list(f"<table><tr><th>Name<th>Height<th>About</tr>{rows}</table>")) == 9


def test_headers_and_pagers_are_dropped() -> None:
    items = "".join(map(make_tile, range(8)))
    table = find_list(
        f"<ul><li class='head'>8 chairs found</li>{items}<li class='pager'><a href=/2>Next page</a></li></ul>"
    )
    assert len(table) == 8


def test_a_run_that_continues_into_something_else_is_cut() -> None:
    rows = [f"<h3><a href='/{n}'>Chair {n}</a></h3><p>{ABOUT.format(n=n)}</p>" for n in range(10)]
    rows[4] += f"<form><b>Search</b> <i>again</i> {'<input>' * 5}</form><table><tr><td>{'Sponsored. ' * 60}</table>"
    table = find_list(f"<div>{''.join(rows)}</div>")
    tags = table.page.tree.tag
    assert [[tags[top] for top in record] for record in table.records] == [["h3", "p"]] * 10


def test_cutting_a_long_run_weighs_each_node_a_few_times_only(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = 0

    def count_weighed(weights: SubtreeWeights, records: Iterable[Record]) -> int:
        nonlocal weighed
        known = list(records)
        weighed += sum(map(len, known))
        return total_weight(weights, known)

    monkeypatch.setattr(refinement, "total_weight", count_weighed)
    rows = [f"<h3><a href='/{n}'>Chair {n}</a></h3><p>{ABOUT.format(n=n) * 2}</p>" for n in range(200)]
    rows[70] += "<b>x</b>" * 1000
    table = find_list(f"<div>{''.join(rows)}</div>")
    assert [len(record) for record in table.records] == [2] * 200
    assert weighed < 20 * len(table.page.tree)


ADVERTS = [
    "<li class='ad'><ins class='adsbygoogle'>Sponsored: buy a sofa!</ins></li>",
    "<li><div><ins class='adsbygoogle'>Sponsored: buy a sofa!</ins></div></li>",
    "<li id='ad-7' class='item'><h3><a href='/out'>A sofa</a></h3><img src='/sofa.png'><p class='about'>Soft.</p></li>",
]


@pytest.mark.parametrize("advert", ADVERTS)
def test_an_element_named_as_an_advertisement_is_neither_a_record_nor_part_of_one(advert: str) -> None:
    table = find_list("<ul>" + "".join((advert if n % 4 == 3 else "") + make_tile(n) for n in range(1, 11)) + "</ul>")
    tree = table.page.tree
    assert [[tree.attributes[top] for top in record] for record in table.records] == [[{"class": "item"}]] * 10


@pytest.mark.parametrize("name", ["no-ads", "address", "added", "shadow with-ad"])
def test_names_that_only_resemble_advertisements_are_ignored(name: str) -> None:
    rows = [make_tile(n).replace("'item'", f"'item {name}'", int(n % 4 == 3)) for n in range(1, 11)]
    assert len(find_list(f"<ul>{''.join(rows)}</ul>")) == 10


def test_if_all_records_are_named_as_advertisements_they_are_kept() -> None:
    rows = "".join(make_tile(n).replace("'item'", "'classified-ad'") for n in range(1, 9))
    assert len(find_list(f"<ul>{rows}</ul>")) == 8


def test_a_short_first_record_like_one_in_the_middle_is_kept() -> None:
    short = "<li><h3><a href='/{n}'>Chair {n}</a></h3><p>Sold.</p></li>"
    long = "<li><h3><a href='/{n}'>Chair {n}</a></h3><p>" + ABOUT[:50] + "</p><i>Kept</i></li>"
    rows = [short if n in (0, 4) else long for n in range(10)]
    assert len(find_list("<ol>" + "".join(row.format(n=n) for n, row in enumerate(rows)) + "</ol>")) == 10


def test_a_header_row_of_plain_cells_without_links_is_dropped() -> None:
    rows = "".join(
        f"<tr><td><a href='/{n}'>Chair number {n}</a></td><td>12/0{n}/2024</td><td>1{n} kg</td></tr>" for n in range(9)
    )
    table = find_list(f"<table><tr><td><b>Name of the chair</b></td><td>Date</td><td>Weight</td></tr>{rows}</table>")
    assert len(table) == 9


def test_records_without_links_are_kept_if_others_have_none_either() -> None:
    rows = "".join(
        f"<tr><td>{'<a href=/x>' if n % 2 else '<b>'}Chair number {n}</td><td>{ABOUT.format(n=n)}</td></tr>"
        for n in range(9)
    )
    assert len(find_list(f"<table>{rows}</table>")) == 9


def test_records_at_the_ends_are_compared_with_distinct_signatures_only(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared = 0

    def count_compared(one: dict[Any, float], other: dict[Any, float]) -> float:
        nonlocal compared
        compared += 1
        return similarity(one, other)

    monkeypatch.setattr("duramen.data_records.refinement.similarity", count_compared)
    light = "<p><a href=/>A title that is</a><b>and says less</b><i>!</i></p>"
    heavy = "<p><a href=/>A title that is long enough</a><b>and what it says of many things at some length</b></p>"
    tree = Tree.parse("<div>" + light * 60 + heavy * 300 + light + heavy * 3 + "</div>")
    drop_outliers(SubtreeWeights.of(tree), tuple((node,) for node in tree.find_all("p")))
    assert 0 < compared <= 2 * 60


def test_a_list_of_mostly_empty_links_is_no_main_list() -> None:
    # Empty links are children of a list, and have no signature: the median fit of this list is 0.
    table = records(b"<a><a><a><a><aa>a<a>s")
    assert not table
    assert "no main list" in table.reason


def test_a_record_with_the_label_of_an_advertisement_is_dropped() -> None:
    tiles = "".join(make_tile(n, more="<span>Sponsored</span>" if n in (1, 5) else "") for n in range(1, 11))
    titles = [row["title"] for row in find_list(f"<ul>{tiles}</ul>").rows]
    assert len(titles) == 8
    every = "".join(make_tile(n, more="<span>Sponsored</span>") for n in range(1, 11))
    assert len(find_list(f"<ul>{every}</ul>")) == 10


def test_a_carousel_between_the_records_is_no_record() -> None:
    carousel = (
        "<li class='swiper-container'>" + "".join(f"<a href=/s/{n}>Slide {n} of ten</a>" for n in range(9)) + "</li>"
    )
    tiles = "".join(make_tile(n) + (carousel if n == 5 else "") for n in range(1, 11))
    assert len(find_list(f"<ul>{tiles}</ul>")) == 10


def test_copies_of_slides_are_dropped() -> None:
    def slide(number: int, name: str) -> str:
        return make_tile(number).replace("<li", f"<li class='slick-slide {name}'", 1)

    slides = "".join(slide(n, "slick-cloned" if n in (1, 12) else "") for n in range(1, 13))
    assert len(find_list(f"<ul>{slides}</ul>")) == 10


def test_a_carousel_is_not_preferred_to_the_list() -> None:
    slides = "".join(
        f"<div><a href=/r/{n}>Recommended chair number {n} with arms and a seat</a> of the best wood, € {n}00.00</div>"
        for n in range(14)
    )
    tiles = "".join(make_tile(n) for n in range(1, 9))
    page = f"<main><ul>{tiles}</ul></main><div class='product-carousel'>{slides}</div>"
    assert records(make_page(page)).rows[0]["title"] == find_list(f"<ul>{tiles}</ul>").rows[0]["title"]
