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
