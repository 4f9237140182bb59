"""Names of columns."""

from __future__ import annotations

from tests.data_records.pages import (
    ABOUT,
    make_page,
    make_tile,
)

import duramen
from duramen.data_records.naming import ColumnEvidence
from duramen.data_records.values import do_most_pass


def test_names_come_from_header_cells() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>Chair of oak number {n}</a></td><td>{n}0</td></tr>" for n in range(1, 9))
    table = duramen.records(make_page(f"<table><tr><th>Product name</th><th>Height (cm)</th></tr>{rows}</table>"))
    assert table.names == ["product_name", "product_name_link", "height_cm"]


def test_names_come_from_microdata_and_labels() -> None:
    more = "<b itemprop='brand'>Maker {n}</b><p><span>Wood:</span><em class='x1'>Oak {n}</em></p>"
    table = duramen.records(
        make_page("<ul>" + "".join(make_tile(n, more=more.format(n=n)) for n in range(8)) + "</ul>")
    )
    assert {"brand", "wood"} <= set(table.names)
    assert (table.rows[3]["brand"], table.rows[3]["wood"]) == ("Maker 3", "Oak 3")


def test_columns_of_posts_are_named_user_date_and_text() -> None:
    posts = "".join(
        f"<div class='post'><a class='username' href='/member/{n}'>Jo{n}</a><span class='when'>1{n} May 2024</span>"
        f"<div class='body'><p>{'Heartwood is dead. ' * (n + 3)}</p>"
        f"<p>It holds the tree up, number {n}.</p></div></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div id='thread'>{posts}</div>"))
    assert {"user", "date", "text"} <= set(table.names)
    assert table.rows[2]["user"] == "Jo2"
    assert table.rows[2]["date"] == "2024-05-12"
    assert str(table.rows[2]["text"]).endswith("\nIt holds the tree up, number 2.")


def thread(user: str, *, joined: str = "") -> str:
    posts = "".join(
        f"<li><div class='meta-info'>{user.format(n=n)}{joined}"
        f"<a class='when' href='#p{n}'>2024-01-0{n + 1} 10:0{n}</a></div>"
        f"<div class='body'>{ABOUT.format(n=n)}</div></li>"
        for n in range(8)
    )
    return make_page(f"<ol>{posts}</ol>")


def test_a_user_is_recognized_by_the_nearest_class() -> None:
    table = duramen.records(thread("<b class='PostUser'>User {n}</b>"))
    assert table.rows[3]["user"] == "User 3"


def test_the_date_of_a_post_is_the_one_that_differs_between_posts() -> None:
    table = duramen.records(thread("<b class='user'>User {n}</b>", joined="<u class='since'>2011-05-06</u>"))
    assert table.rows[3]["date"] == "2024-01-04T10:03"


def test_facts_about_a_user_are_neither_the_user_nor_the_date_of_the_post() -> None:
    rows = "".join(
        f"<tr><td class=row1><b>Jo{n}</b><br>Joined: 0{n + 1} Jan 2005<br>Posts: {n}</td><td class=row1>"
        f"<span class=details>Posted: Mon Feb 0{n + 1}, 2010 8:04 pm</span><hr><span class=says>{ABOUT.format(n=n)}"
        f"</span></td></tr><tr><td><a href=#top>Top</a></td><td><img src=x.gif></td></tr><tr><td colspan=2></td></tr>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<table class=t><tr><th>Author</th><th>Message</th></tr>{rows}</table>"))
    assert table.rows[2]["user"] == "Jo2"
    assert table.rows[2]["date"] == "2010-02-03T20:04"
    assert table.rows[2]["joined"] == "2005-01-03"
    assert table.rows[2]["text"] == ABOUT.format(n=2)


def test_a_user_name_above_facts_about_the_user_is_the_user() -> None:
    posts = "".join(
        f"<div class=post><div class=author><a href=/u/{n}>Jo{n}</a><br>Joined: 0{n + 1}/2009<br>Posts: {n}</div>"
        f"<div class=date>March {n + 1}, 2015</div><div class=body>{ABOUT.format(n=n)}</div></div>"
        for n in range(8)
    )
    row = duramen.records(make_page(f"<h1>Which wood?</h1>{posts}")).rows[2]
    assert (row["user"], row["joined"], row["date"]) == ("Jo2", "03/2009", "2015-03-03")


def test_layout_classes_do_not_name_columns() -> None:
    items = "".join(
        f"<div class='p-4 rounded'><a class='block text-lg' href=/{n}>Shelf {n}</a><div class='font-bold'>${n}.99</div>"
        f"<div class='line-through'>${n}9.99</div><p class='mt-2 maker'>Maker {n}</p></div>"
        for n in range(8)
    )
    table = duramen.records(make_page(f"<div class='grid gap-4'>{items}</div>"))
    assert table.names == ["title", "url", "price", "currency", "old_price", "maker"]


def test_long_values_are_compared_by_their_beginning() -> None:
    seen: list[int] = []

    class Form:
        """A form that notes how much it is asked to read."""

        def search(self, text: str, start: int, end: int) -> None:
            seen.append(min(len(text), end) - start)

        def fullmatch(self, text: str) -> None:
            seen.append(len(text))

    for text in ("a" * 100_000, "b" * 100):
        column = ColumnEvidence((), "text", "text", texts=(text,))
        for whole in (False, True):
            assert not column.has_form(Form(), whole=whole)  # type: ignore[arg-type]
    assert seen == [500, 100, 100]


def test_values_are_read_until_the_form_is_decided() -> None:
    seen: list[str] = []

    def is_noted(value: str) -> bool:
        seen.append(value)
        return value == "x"

    assert not do_most_pass(is_noted, "x" * 8 + "o" * 12, 0.8)
    assert len(seen) == 13  # 8 of 20 pass; the fifth failure decides
    assert do_most_pass(is_noted, "xxxxx", 0.6)
    assert len(seen) == 13 + 3
    assert do_most_pass(is_noted, "", 0.6)
