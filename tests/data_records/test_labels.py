"""Labels, kinds and lines distinguish values."""

from __future__ import annotations

import pytest
from tests.data_records.pages import (
    ABOUT,
    make_page,
    rows_by_wrapper,
)

import duramen
from duramen.data_records.labels import find_line_filters
from duramen.data_records.values import read_lines
from duramen.dom.tree import Tree


def jobs(each: str, frame: str) -> str:
    """Jobs, some without a salary, some without the label "Remote"."""
    shown = []
    for n in range(9):
        said = {
            "Salary": f"$2{n}000" if n % 3 else "",
            "Location": f"{n} Wood Street",
            "Remote": "Yes" if n % 4 > 1 else "",
        }
        parts = "".join(each.format(label=label, value=value) for label, value in said.items() if value)
        shown.append(f"<div class=job><h3><a href=/j/{n}>Job {n}</a></h3>{frame.format(parts)}</div>")
    return make_page(f"<div class=jobs>{''.join(shown)}</div>")


@pytest.mark.parametrize(
    ("each", "frame"),
    [
        ("<dt>{label}</dt><dd>{value}</dd>", "<dl>{}</dl>"),
        ("<p><strong>{label}:</strong> {value}</p>", "{}"),
        ("<p>{label}: {value}</p>", "{}"),
        ("<li><span>{label}:</span> <em>{value}</em></li>", "<ul>{}</ul>"),
        ("<tr><th>{label}<td>{value}", "<table>{}</table>"),
    ],
)
def test_labels_distinguish_columns_and_name_them(each: str, frame: str) -> None:
    table = duramen.records(jobs(each, frame))
    assert set(table.names) == {"title", "url", "salary", "currency", "location", "remote"}
    assert [row["salary"] for row in table.rows[:3]] == [None, 21000.0, 22000.0]
    assert [row["location"] for row in table.rows[:2]] == ["0 Wood Street", "1 Wood Street"]
    assert [row["remote"] for row in table.rows[:3]] == [None, None, "Yes"]
    assert rows_by_wrapper(table) == table.rows


def test_a_colon_in_some_titles_is_not_a_label() -> None:
    rows = "".join(
        f"<li><h3><a href=/{n}>{'News: ' if n % 2 else ''}Chair {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<ul>{rows}</ul>"))
    assert [row["title"] for row in table.rows[:2]] == ["Chair 0", "News: Chair 1"]


def test_a_title_keeps_the_text_before_its_colon() -> None:
    posts = "".join(f"<li><h3><a href=/{n}>Re: chair {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>" for n in range(8))
    assert duramen.records(make_page(f"<ul>{posts}</ul>")).rows[1]["title"] == "Re: chair 1"


def test_elements_without_names_are_distinguished_by_kind() -> None:
    rows = "".join(
        f"<li><a href=/{n}>Item {n}</a>{f'<span>{n}.50 EUR</span>' if n % 2 else ''}<span>{n + 1} March 2024</span>"
        f"<span>{'In stock' if n % 3 else 'Sold out'}</span><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<ul>{rows}</ul>"))
    assert [row["price"] for row in table.rows[:2]] == [None, 1.5]
    assert [row["date"] for row in table.rows[:2]] == ["2024-03-01", "2024-03-02"]
    assert table.rows[1]["availability"] == "In stock"
    assert rows_by_wrapper(table) == table.rows


def test_lines_are_columns() -> None:
    cells = [f"<td><a href=/p/{n}><img src=/{n}.jpg></a><br><b>Bowl {n}</b><br>$ {n}.00</td>" for n in range(9)]
    rows = "".join(f"<tr>{''.join(cells[n : n + 3])}</tr>" for n in range(0, 9, 3))
    table = duramen.records(make_page(f"<table>{rows}</table>"))
    assert table.rows[4] == {"title": "Bowl 4", "url": "/p/4", "image": "/4.jpg", "price": 4.0, "currency": "USD"}
    assert rows_by_wrapper(table) == table.rows


def test_lines_with_and_without_labels_are_distinguished() -> None:
    items = "".join(
        f"<div class=it><a href=/{n}><b>Firm {n}</b></a><br>{n} Wood Street<br>{f'Fax: 555-{n}<br>' if n % 2 else ''}"
        f"<i>Phone: 444-{n}</i></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div class=l>{items}</div>"))
    assert [(row["text"], row["fax"], row["phone"]) for row in table.rows[:2]] == [
        ("0 Wood Street", None, "444-0"),
        ("1 Wood Street", "555-1", "444-1"),
    ]
    assert rows_by_wrapper(table) == table.rows


def test_prose_with_line_breaks_is_one_value() -> None:
    posts = "".join(
        f"<div class=post><a class=user href=/u/{n}>Jo{n}</a><i class=when>1{n} May 2024</i>"
        f"<div class=body>{ABOUT.format(n=n)}<br><br>{ABOUT.format(n=n + 20)}</div></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div>{posts}</div>"))
    assert table.rows[1]["text"] == f"{ABOUT.format(n=1)}\n{ABOUT.format(n=21)}"


def test_a_line_filter_knows_the_node_of_its_first_line() -> None:
    tree = Tree.parse("<div>a<br>By: b</div><div>c<br>By: d<br></div><div>e<br>By: f</div>")
    nodes = tree.find_all("div")
    filters = find_line_filters(tree, [(node,) for node in nodes], tree.find_all("br"))
    assert [(tree.text[start], line_filter.label) for start, line_filter in filters] == [("a", ""), ("By: b", "By:")]
    assert read_lines(tree, nodes[1]) == ["c", "By: d"]
