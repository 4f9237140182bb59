"""Lists chosen by example."""

from __future__ import annotations

from tests.data_records.pages import make_page, make_tile

import duramen

PAGE = make_page(
    "<ul>" + "".join(map(make_tile, range(1, 9))) + "</ul>"
    "<div class=team>" + "".join(f"<div class=m><h4>Jo{n}</h4><p>Desk {n}</p></div>" for n in range(5)) + "</div>"
)


def test_the_list_that_holds_the_examples_is_chosen() -> None:
    assert "snippet" in duramen.records(PAGE).names
    table = duramen.records(PAGE, like=["Desk 3"])
    assert len(table) == 5
    assert "Desk 3" in table.rows[3].values()
    assert next(iter(table.rows[3].values())) == "Desk 3"


def test_examples_order_and_name_columns() -> None:
    assert duramen.records(PAGE, like=["$39.50", "Chair 2"]).names[:2] == ["price", "title"]
    table = duramen.records(PAGE, like={"cost": "$39.50", "product": "Chair 3"})
    assert table.names[:2] == ["cost", "product"]
    assert table.rows[2]["cost"] == 39.5
    assert duramen.RecordsWrapper.of(table).extract(table.page).rows == table.rows


def test_an_address_is_an_example() -> None:
    assert duramen.records(PAGE, like=["/chair/4"]).names[0] == "url"


def test_a_text_that_no_list_holds() -> None:
    table = duramen.records(PAGE, like=["Sofa"])
    assert not table
    assert table.reason == "no list of the page holds 'Sofa'"


def test_two_values_of_one_column_move_no_other_column() -> None:
    tiles = "".join(
        f"<li><p>A stool like chair {n} is number {n}</p><h3><a href=/{n}>Chair {n}</a></h3><b>${n}.00</b></li>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"), like=["Chair 2", "Chair 5", "$3.00"])
    assert table.names[:2] == ["title", "price"]


def test_a_given_name_is_not_given_twice() -> None:
    tiles = "".join(
        f"<li><h3><a href=/{n}>Chair {n}</a></h3><b class=p>${n}.00</b><i>Oak {n}</i><u>Ash {n * 2}</u></li>"
        for n in range(8)
    )
    plain = duramen.records(make_page(f"<ul>{tiles}</ul>"))
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"), like={plain.names[-1]: "Chair 2"})
    assert len(set(table.names)) == len(table.names) == len(plain.names)


def test_a_value_without_a_space_before_the_next_one_is_an_example() -> None:
    items = "".join(
        f"<li><a href=/{n}>Chair {n}</a><span>${n + 10}<sup>.99</sup></span><span>{n}.5 stars</span></li>"
        for n in range(8)
    )
    table = duramen.records(f"<main><ul>{items}</ul></main>", like=["12.99"])
    assert table.rows[2][table.names[0]] == 12.99
