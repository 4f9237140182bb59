"""Aligning the values of records into columns."""

from __future__ import annotations

from tests.data_records.pages import (
    make_page,
    make_shop,
    make_tile,
)

import duramen


def test_a_list_inside_a_record_is_one_column() -> None:
    more = [f"<ul class='tags'>{''.join(f'<li>tag {t}</li>' for t in range(n % 4))}</ul>" for n in range(9)]
    table = duramen.records(
        make_page("<div>" + "".join(make_tile(n, tag="div", more=more[n]) for n in range(9)) + "</div>")
    )
    assert [row["tags"] for row in table.rows[:3]] == [None, ["tag 0"], ["tag 0", "tag 1"]]


def test_a_column_that_the_first_record_lacks_keeps_its_position() -> None:
    table = duramen.records(make_shop(range(3, 11)))
    assert table.rows[0]["price"] is None
    assert table.names == ["title", "url", "image", "price", "currency", "snippet"]


def test_records_without_common_fields_have_no_columns() -> None:
    items = "".join(
        f"<li><a href='#'>{'<b>' * 50}</a>{''.join(f'<u class=a{n}b{m}></u>' for m in range(9))}</li>"
        for n in range(50)
    )
    assert duramen.records(make_page(f"<ul>{items}</ul>")).columns == ()
