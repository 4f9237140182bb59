"""From candidate records to final records: rows of tiles."""

from __future__ import annotations

import pytest
from tests.data_records.pages import (
    ABOUT,
    find_list,
    make_tile,
    record_texts,
)


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
