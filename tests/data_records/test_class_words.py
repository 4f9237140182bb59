"""Words in class and id attributes."""

from __future__ import annotations

import pytest
from tests.data_records.pages import (
    make_page,
)

import duramen
from duramen.data_records.class_words import to_snake_case


@pytest.mark.parametrize(
    ("text", "name"), [("ratingValue", "rating_value"), ("Price (EUR):", "price_eur"), ("card__title", "card_title")]
)
def test_names_are_converted_to_snake_case(text: str, name: str) -> None:
    assert to_snake_case(text) == name


def test_layout_classes_do_not_name_columns() -> None:
    items = "".join(
        f"<div class='p-4 rounded'><a class='block text-lg' href=/{n}>Shelf {n}</a><div class='font-bold'>${n}.99</div>"
        f"<div class='line-through'>${n}9.99</div><p class='mt-2 maker'>Maker {n}</p></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div class='grid gap-4'>{items}</div>"))
    assert table.names == ["text", "link", "price", "price_2", "maker"]
