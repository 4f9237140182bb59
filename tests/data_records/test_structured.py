"""Structured data beside the visible records."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.data_records.pages import make_page, make_tile, rows_by_wrapper

import duramen
from duramen.data_records import structured
from duramen.data_records.script_state import read_json
from duramen.data_records.structured import flatten_item


def make_data_page(script: str) -> str:
    tiles = "".join(make_tile(n, price=False) for n in range(8))
    return make_page(f"<ul>{tiles}</ul>").replace("</body>", f"{script}</body>")


def json_ld(items: list[dict[str, Any]]) -> str:
    members = [{"@type": "ListItem", "position": n, "item": item} for n, item in enumerate(items)]
    return f"<script type=application/ld+json>{json.dumps({'@type': 'ItemList', 'itemListElement': members})}</script>"


def product(n: int) -> dict[str, Any]:
    offer = {
        "price": f"{n}9.50",
        "priceCurrency": "EUR",
        "availability": "https://schema.org/InStock" if n % 2 else "x/OutOfStock",
    }
    return {"@type": "Product", "name": f"Chair {n}", "offers": offer, "brand": {"name": f"Maker {n}"}}


def test_json_ld_completes_the_table() -> None:
    table = duramen.records(make_data_page(json_ld([product(n) for n in reversed(range(8))])))
    row = table.rows[3]
    assert (row["title"], row["price"], row["currency"], row["brand"]) == ("Chair 3", 39.5, "EUR", "Maker 3")
    assert row["availability"] == "InStock"
    sources = {column.name: column.source for column in table.columns}
    assert (sources["price"], sources["title"]) == ("json-ld", "prose")
    assert rows_by_wrapper(table) == table.rows


def test_the_state_of_scripts_completes_the_table() -> None:
    items = [{"slug": f"/chair/{n}", "salePrice": n + 0.5, "rating": 4.1, "internalFlag": n} for n in range(8)]
    state = json.dumps({"props": {"pages": [{"items": items}]}, "names": [f"Chair {n}" for n in range(8)]})
    table = duramen.records(make_data_page(f"<script>window.__STATE__ = {state};</script>"))
    assert table.rows[2]["price"] == 2.5
    assert next(column for column in table.columns if column.name == "price").source == "state"
    assert "internal_flag" not in table.names


def test_values_on_the_screen_are_not_replaced_but_named() -> None:
    tiles = "".join(make_tile(n, price=False, more=f"<i class=q7>Maker {n}</i>") for n in range(8))
    page = make_page(f"<ul>{tiles}</ul>").replace("</body>", json_ld([product(n) for n in range(8)]) + "</body>")
    table = duramen.records(page)
    assert table.rows[2]["brand"] == "Maker 2"
    assert next(column for column in table.columns if column.name == "brand").source in ("text", "prose")


def test_other_lists_and_damaged_json_change_nothing() -> None:
    plain = duramen.records(make_data_page("")).rows
    others = json_ld([{"@type": "Product", "name": f"Lamp {n}", "offers": {"price": n}} for n in range(8)])
    for script in (
        others,
        "<script type=application/ld+json>{'a': [</script>",
        f"<script>x=['Chair 1',{'[' * 9000}</script>",
    ):
        assert duramen.records(make_data_page(script)).rows == plain


def test_json_is_read_within_bounds() -> None:
    assert read_json('{"a":' * 100_000) is None
    assert read_json("var data = [1, 2];more") == [1, 2]
    deep: dict[str, Any] = {"z": 1}
    for _ in range(50):
        deep = {"a": deep, "b": 2}
    assert flatten_item(deep) == {"b": "2", "a.b": "2", "a.a.b": "2", "a.a.a.b": "2"}


def test_a_list_longer_than_the_limit_fills_the_records_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(structured, "MAX_ITEMS", 2)
    items = [{"@type": "Product", "name": f"Chair {n}", "sku": f"C-{n}"} for n in range(8)]
    table = duramen.records(make_data_page(f"<script type=application/ld+json>{json.dumps(items)}</script>"))
    assert [row["sku"] for row in table.rows] == ["C-0", "C-1", *[None] * 6]
    assert "only the first 2 of 8 items of its JSON were read" in table.reason


def test_a_list_within_the_limit_has_no_note() -> None:
    assert "JSON" not in duramen.records(make_data_page(json_ld([product(n) for n in range(8)]))).reason
