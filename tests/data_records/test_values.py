"""Kinds of values."""

from __future__ import annotations

import pytest

from duramen.data_records.values import kind_of_values


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        (["$1.50", "20 €", "1.299,00 EUR"], "price"),
        (["2024-01-31", "3 May 2020", "Dec 11, 2002", "2 days ago"], "date"),
        (["12", "1,024", "#3", "(41)", "4.5"], "number"),
        (["oak", "12 chairs of oak", "beech"], "text"),
        ([], "text"),
    ],
)
def test_the_kind_of_most_values_is_found(values: list[str], kind: str) -> None:
    assert kind_of_values(values) == kind
