"""Names of fields in classes, and noise."""

from __future__ import annotations

import pytest
from tests.data_records.pages import ABOUT, make_page, make_tile

import duramen
from duramen.data_records.field_words import find_field_name, name_of_property
from duramen.data_records.noise import are_action_urls, is_interface_text


@pytest.mark.parametrize(
    ("token", "name"),
    [
        ("card__title", "title"),
        ("product-img", "image"),
        ("priceOld", "old_price"),
        ("views-field-field-county", "county"),
        ("address-street", "address_street"),
        ("price-wrapper", "price"),
        ("vote-count-post", "vote_count"),
    ],
)
def test_words_of_fields(token: str, name: str) -> None:
    assert find_field_name(token) == name


@pytest.mark.parametrize(
    "token",
    [
        "dark_2",
        "yb_z",
        "group_hover_text_gold_darker",
        "typo_body",
        "color-fg-muted",
        "size-4",
        "views-field",
        "css-1db",
    ],
)
def test_words_of_style_name_nothing(token: str) -> None:
    assert find_field_name(token) == ""


def test_properties_of_schema_org() -> None:
    assert [name_of_property(name) for name in ("ratingValue", "name", "cookTime")] == ["rating", "title", "cook_time"]


def test_interface_texts_and_links() -> None:
    assert is_interface_text("+ More")
    assert is_interface_text("Add to cart")
    assert not is_interface_text("Ladder-back chair")
    assert are_action_urls(["/login?to=1", "/cart/add?2", "/posting.php?mode=quote"])
    assert not are_action_urls(["/chairs/1", "/chairs/2"])


def test_buttons_and_their_links_are_no_columns() -> None:
    buttons = "<a href='/cart/{n}'>{word}</a><a href='/reply?to={n}'>Reply</a>"
    tiles = "".join(
        make_tile(n, more=buttons.format(n=n, word="Add to cart" if n % 2 else "Sold out soon")) for n in range(8)
    )
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"))
    assert not any("Reply" in row.values() for row in table.rows)
    assert not any(str(value).startswith("/reply") for row in table.rows for value in row.values())


def test_threads_have_at_most_eight_columns() -> None:
    extra = "".join(f"<span class=k{k}>fact {k} of {{n}}</span>" for k in range(20))
    posts = "".join(
        f"<div class=post><a class=username href=/member/{n}>Jo{n}</a><span class=when>1{n} May 2024</span>"
        f"<div class=body>{ABOUT.format(n=n)}</div>{extra.format(n=n)}<a href=/edit/{n}>Edit</a></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div>{posts}</div>"))
    assert {"user", "date", "text"} <= set(table.names)
    assert len(table.names) <= 8


def test_a_word_after_a_number_names_the_column_and_the_value_is_a_number() -> None:
    tiles = "".join(make_tile(n, more=f"<span>{n} view{'s' if n != 1 else ''}</span>") for n in range(8))
    table = duramen.records(make_page(f"<ul>{tiles}</ul>"))
    assert [row["views"] for row in table.rows[:3]] == [0, 1, 2]


def test_numbers_of_a_list_are_no_dates() -> None:
    tiles = "".join(make_tile(n, more=f"<b>{n}.</b>") for n in range(8, 16))
    assert "date" not in duramen.records(make_page(f"<ul>{tiles}</ul>")).names


def test_the_largest_linked_text_is_the_title() -> None:
    items = "".join(
        f"<div class='x{n % 2}'><span>Oak</span><a class='yb_z' href=/t/{n}>A table of oak, number {n}</a>"
        f"<a href=/t/{n}><img data-src=/i/{n}.jpg src=/wait.gif></a><i class=dark_2>Room {n}</i></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div>{items}</div>"))
    assert table.names[:3] == ["title", "url", "image"]
    assert table.rows[3]["title"] == "A table of oak, number 3"
    assert table.rows[3]["image"] == "/i/3.jpg"
    assert table.columns[2].xpath.endswith("/@data-src")


def test_cells_under_a_header_stay_whole_and_constant_columns_are_kept() -> None:
    rows = "".join(
        f"<tr><td><a href=/{n}>Case <b class=c>{n}</b></a> of <i class=k>court</i></td><td>Civil</td><td>{n}</td></tr>"
        for n in range(8)
    )
    head = "<tr><th>Case name</th><th>Division</th><th>Pages</th></tr>"
    table = duramen.records(make_page(f"<table>{head}{rows}</table>"))
    assert table.names == ["case_name", "case_name_link", "division", "pages"]
    assert table.rows[2] == {"case_name": "Case 2 of court", "case_name_link": "/2", "division": "Civil", "pages": 2}
    assert table.columns[0].role == "title"


def test_links_are_absolute_if_the_page_tells_its_address() -> None:
    html = make_page("<ul>" + "".join(map(make_tile, range(8))) + "</ul>")
    canonical = html.replace("<head>", "<head><link rel=canonical href=https://a.example/list>")
    assert duramen.records(canonical).rows[1]["url"] == "https://a.example/chair/1"
    graph = html.replace("<head>", "<head><meta property=og:url content=https://b.example/list>")
    assert duramen.records(graph).rows[1]["url"] == "https://b.example/chair/1"


def test_a_link_in_formatting_elements_in_prose_is_found() -> None:
    items = "".join(
        f"<p><font><a href=/r/{n}><font>Result {n}</font></a></font> {ABOUT.format(n=n)}</p>" for n in range(8)
    )
    table = duramen.records(make_page(f"<div>{items}</div>"))
    assert (table.rows[3]["title"], table.rows[3]["url"]) == ("Result 3", "/r/3")


def test_two_pages_of_one_template_have_the_same_columns() -> None:
    pages = [
        make_page("<ul>" + "".join(make_tile(n, price=n % 3 > 0) for n in numbers) + "</ul>")
        for numbers in (range(1, 9), range(30, 36))
    ]
    first, second = map(duramen.records, pages)
    assert first.names == second.names
