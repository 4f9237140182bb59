"""Fields: rows have the same columns, with holes; columns have names, kinds and expressions that read them."""

from __future__ import annotations

import csv
import io
import json
from xml.etree import ElementTree

import pytest
from tests.data_records.written_lists import ABOUT, page, shop, tile

import duramen
from duramen import xpath
from duramen.data_records.fields import Value
from duramen.data_records.formats import FORMATS, harmless, write
from duramen.data_records.kinds import kind_of
from duramen.data_records.naming import plain
from duramen.data_records.table import Table
from duramen.data_records.wrapper import RecordsWrapper
from duramen.errors import UsageError


def test_rows_have_the_same_columns_and_holes_where_a_field_is_missing() -> None:
    table = duramen.records(shop(), url="https://shop.example/chairs")
    assert table.names == ["title", "title_link", "image", "price", "about"]
    assert [row["price"] for row in table.rows[:3]] == ["$19.50", "$29.50", None]
    assert table.rows[0]["title_link"] == "https://shop.example/chair/1"


def test_every_column_is_what_its_expression_gives() -> None:
    table = duramen.records(shop())
    tree = table.page.tree
    for one in table.fields:
        if one.source in ("text", "prose"):
            nodes = xpath.select(tree, one.xpath, table.records[0][0])
            assert " ".join(tree.text[nodes[0] + 1].split()) in str(table.rows[0][one.name])
        else:
            assert xpath.strings(tree, one.xpath, table.records[0][0]) == [table.rows[0][one.name]]


def test_kinds_are_told_by_what_is_there() -> None:
    kinds = {one.name: one.kind for one in duramen.records(shop()).fields}
    assert kinds == {"title": "text", "title_link": "link", "image": "image", "price": "price", "about": "text"}


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
def test_values_have_a_kind(values: list[str], kind: str) -> None:
    assert kind_of(values) == kind


def test_names_come_from_header_cells() -> None:
    rows = "".join(f"<tr><td><a href=/{n}>Chair of oak number {n}</a></td><td>{n}0</td></tr>" for n in range(1, 9))
    table = duramen.records(page(f"<table><tr><th>Product name</th><th>Height (cm)</th></tr>{rows}</table>"))
    assert table.names == ["product_name", "product_name_link", "height_cm"]


def test_names_come_from_microdata_and_labels() -> None:
    more = "<b itemprop='brand'>Maker {n}</b><p><span>Wood:</span><em class='x1'>Oak {n}</em></p>"
    table = duramen.records(page("<ul>" + "".join(tile(n, more=more.format(n=n)) for n in range(8)) + "</ul>"))
    assert {"brand", "wood"} <= set(table.names)
    assert (table.rows[3]["brand"], table.rows[3]["wood"]) == ("Maker 3", "Oak 3")


def test_a_list_inside_a_record_stays_together() -> None:
    more = [f"<ul class='tags'>{''.join(f'<li>tag {t}</li>' for t in range(n % 4))}</ul>" for n in range(9)]
    table = duramen.records(page("<div>" + "".join(tile(n, tag="div", more=more[n]) for n in range(9)) + "</div>"))
    assert [row["tags"] for row in table.rows[:3]] == [None, ["tag 0"], ["tag 0", "tag 1"]]


def test_what_all_records_say_is_no_column() -> None:
    table = duramen.records(page("<ul>" + "".join(tile(n, more="<button>Buy</button>") for n in range(8)) + "</ul>"))
    assert not [row for row in table.rows if "Buy" in row.values()]


def test_posts_have_user_date_and_text() -> None:
    posts = "".join(
        f"<div class='post'><a class='username' href='/member/{n}'>Jo{n}</a><span class='when'>1{n} May 2024</span>"
        f"<div class='body'><p>{'Heartwood is dead. ' * (n + 3)}</p>"
        f"<p>It holds the tree up, number {n}.</p></div></div>"
        for n in range(8)
    )
    table = duramen.records(page(f"<div id='thread'>{posts}</div>"))
    assert {"user", "date", "text"} <= set(table.names)
    assert table.rows[2]["user"] == "Jo2"
    assert table.rows[2]["date"] == "12 May 2024"
    assert str(table.rows[2]["text"]).endswith("\nIt holds the tree up, number 2.")


def test_runs_are_read_by_their_elements() -> None:
    parts = "".join(f"<dt><a href='/{n}'>Chair {n}</a></dt><dd>{'Oak and paper cord. ' * 4} {n}</dd>" for n in range(8))
    table = duramen.records(page(f"<dl>{parts}</dl>"))
    assert [one.xpath for one in table.fields] == ["./dt/a", "./dt/a/@href", "./dd"]
    assert table.rows[3]["link"] == "/3"


def test_csv_is_a_line_of_names_and_a_line_for_each_record() -> None:
    table = duramen.records(shop())
    lines = list(csv.reader(io.StringIO(write(table, "csv"))))
    assert lines[0] == table.names
    assert [len(line) for line in lines] == [5] * 9


@pytest.mark.parametrize("text", ["=HYPERLINK(1)", "+cmd|' /C calc'!A0", "-2+3+cmd", "@SUM(A1)", "\t=1"])
def test_what_a_spreadsheet_would_run_is_quoted(text: str) -> None:
    assert harmless(text) == f"'{text}"


@pytest.mark.parametrize("text", ["-5", "+3.2", "-12,50 €", "plain", "a=b", ""])
def test_what_it_would_not_run_is_left_alone(text: str) -> None:
    assert harmless(text) == text


def test_json_and_xml_hold_all_rows() -> None:
    table = duramen.records(shop())
    assert json.loads(write(table, "json"))["rows"] == table.rows
    assert [json.loads(line) for line in write(table, "jsonl").splitlines()] == table.rows
    assert len(ElementTree.fromstring(write(table, "xml")).findall("record/field")) == 5 * 8 - 2


def test_a_table_to_look_at_keeps_to_its_width() -> None:
    table = duramen.records(shop())
    assert max(map(len, write(table, "table", width=60).splitlines()[:10])) <= 60


def test_an_empty_table_can_be_written_in_every_format() -> None:
    table = duramen.records("<p>nothing</p>")
    for format in FORMATS:
        write(table, format)
    with pytest.raises(UsageError, match="unknown format"):
        write(table, "pdf")


@pytest.mark.parametrize(
    ("text", "name"), [("ratingValue", "rating_value"), ("Price (EUR):", "price_eur"), ("card__title", "card_title")]
)
def test_names_are_plain(text: str, name: str) -> None:
    assert plain(text) == name


def test_a_list_of_thousands_of_records_is_read_to_its_end() -> None:
    items = "".join(f"<li class='i'><a href='/{n}'>Item number {n}</a> <i class='p'>${n}</i></li>" for n in range(3000))
    table = duramen.records(page(f"<ul>{items}</ul>"))
    assert len(table) == 3000
    assert table.rows[-1]["price"] == "$2999"


def test_records_without_any_field_in_common_make_no_columns() -> None:
    items = "".join(
        f"<li><a href='#'>{'<b>' * 50}</a>{''.join(f'<u class=a{n}b{m}></u>' for m in range(9))}</li>"
        for n in range(50)
    )
    assert duramen.records(page(f"<ul>{items}</ul>")).fields == ()


def test_a_field_in_two_frames_is_one_column() -> None:
    def member(n: int) -> str:
        frame = "with-picture" if n % 2 else "without-picture"
        return f"<div class='{frame}'><a class='maker' href='/m/{n}'>Maker {n}</a></div>"

    rows = "".join(f"<li><h3>Chair {n}</h3>{member(n)}<p>{ABOUT.format(n=n)}</p></li>" for n in range(8))
    table = duramen.records(page(f"<ul>{rows}</ul>"))
    assert [row["maker"] for row in table.rows] == [f"Maker {n}" for n in range(8)]
    assert table.names.count("maker") == 1
    assert not any(name.startswith("maker_2") for name in table.names)


def test_a_name_within_a_link_or_in_all_of_what_it_holds_is_one_column() -> None:
    def maker(n: int) -> str:
        return f"<span class='master'>Maker {n}</span>" if n % 3 else f"Maker {n}"

    rows = "".join(
        f"<li><h3>Chair {n}</h3><a class='maker' href='/m/{n}'>{maker(n)}</a><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(page(f"<ul>{rows}</ul>"))
    assert [row["maker"] for row in table.rows] == [f"Maker {n}" for n in range(8)]
    assert "master" not in table.names


def thread(user: str, *, joined: str = "") -> str:
    posts = "".join(
        f"<li><div class='meta-info'>{user.format(n=n)}{joined}"
        f"<a class='when' href='#p{n}'>2024-01-0{n + 1} 10:0{n}</a></div>"
        f"<div class='body'>{ABOUT.format(n=n)}</div></li>"
        for n in range(8)
    )
    return page(f"<ol>{posts}</ol>")


def test_a_user_is_known_by_the_nearest_name() -> None:
    table = duramen.records(thread("<b class='PostUser'>User {n}</b>"))
    assert table.rows[3]["user"] == "User 3"


def test_the_date_of_a_post_is_the_one_that_no_other_post_has() -> None:
    table = duramen.records(thread("<b class='user'>User {n}</b>", joined="<u class='since'>2011-05-06</u>"))
    assert table.rows[3]["date"] == "2024-01-04 10:03"


def jobs(each: str, frame: str) -> str:
    """Jobs of which some lack a salary and some do not say whether they are remote."""
    shown = []
    for n in range(9):
        said = {
            "Salary": f"$2{n}000" if n % 3 else "",
            "Location": f"{n} Wood Street",
            "Remote": "Yes" if n % 4 > 1 else "",
        }
        parts = "".join(each.format(label=label, value=value) for label, value in said.items() if value)
        shown.append(f"<div class=job><h3><a href=/j/{n}>Job {n}</a></h3>{frame.format(parts)}</div>")
    return page(f"<div class=jobs>{''.join(shown)}</div>")


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
def test_labels_tell_fields_apart_and_name_them(each: str, frame: str) -> None:
    table = duramen.records(jobs(each, frame))
    assert set(table.names) == {"title", "title_link", "salary", "location", "remote"}
    assert [row["salary"] for row in table.rows[:3]] == [None, "$21000", "$22000"]
    assert [row["location"] for row in table.rows[:2]] == ["0 Wood Street", "1 Wood Street"]
    assert [row["remote"] for row in table.rows[:3]] == [None, None, "Yes"]
    assert again(table) == table.rows


def test_a_colon_in_some_titles_is_no_label() -> None:
    rows = "".join(
        f"<li><h3><a href=/{n}>{'News: ' if n % 2 else ''}Chair {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(page(f"<ul>{rows}</ul>"))
    assert [row["title"] for row in table.rows[:2]] == ["Chair 0", "News: Chair 1"]


def test_what_has_no_name_is_told_apart_by_what_it_is() -> None:
    rows = "".join(
        f"<li><a href=/{n}>Item {n}</a>{f'<span>{n}.50 EUR</span>' if n % 2 else ''}<span>{n + 1} March 2024</span>"
        f"<span>{'In stock' if n % 3 else 'Sold out'}</span><p>{ABOUT.format(n=n)}</p></li>"
        for n in range(8)
    )
    table = duramen.records(page(f"<ul>{rows}</ul>"))
    assert [row["price"] for row in table.rows[:2]] == [None, "1.50 EUR"]
    assert [row["date"] for row in table.rows[:2]] == ["1 March 2024", "2 March 2024"]
    assert "In stock" in table.rows[1].values()
    assert again(table) == table.rows


def test_the_expression_of_a_run_gives_no_neighbour() -> None:
    parts = "".join(
        f"<h3><a href=/{n}>Tree {n}</a></h3><p>A tree that grows tall in {n} places.</p>"
        f"<p class=meta>Posted 2024-01-1{n}</p>"
        for n in range(8)
    )
    table = duramen.records(page(f"<div id=res>{parts}</div>"))
    assert [one.xpath for one in table.fields if one.name == "text"] == ["./p[not(@class)]"]
    assert json.loads(write(table, "json"))["record"] == "./h3"


def again(table: Table) -> list[dict[str, Value]]:
    """The rows that the wrapper of a table gives on the same page."""
    return RecordsWrapper.loads(RecordsWrapper.of(table).dumps()).extract(table.page).rows


def test_lines_are_fields() -> None:
    cells = [f"<td><a href=/p/{n}><img src=/{n}.jpg></a><br><b>Bowl {n}</b><br>$ {n}.00</td>" for n in range(9)]
    rows = "".join(f"<tr>{''.join(cells[n : n + 3])}</tr>" for n in range(0, 9, 3))
    table = duramen.records(page(f"<table>{rows}</table>"))
    assert table.rows[4] == {"link": "/p/4", "image": "/4.jpg", "text": "Bowl 4", "price": "$ 4.00"}
    assert again(table) == table.rows


def test_lines_with_and_without_labels_are_told_apart() -> None:
    items = "".join(
        f"<div class=it><a href=/{n}><b>Firm {n}</b></a><br>{n} Wood Street<br>{f'Fax: 555-{n}<br>' if n % 2 else ''}"
        f"<i>Phone: 444-{n}</i></div>"
        for n in range(8)
    )
    table = duramen.records(page(f"<div class=l>{items}</div>"))
    assert [(row["text_2"], row["fax"], row["phone"]) for row in table.rows[:2]] == [
        ("0 Wood Street", None, "444-0"),
        ("1 Wood Street", "555-1", "444-1"),
    ]
    assert again(table) == table.rows


def test_writing_with_broken_lines_stays_whole() -> None:
    posts = "".join(
        f"<div class=post><a class=user href=/u/{n}>Jo{n}</a><i class=when>1{n} May 2024</i>"
        f"<div class=body>{ABOUT.format(n=n)}<br><br>{ABOUT.format(n=n + 20)}</div></div>"
        for n in range(8)
    )
    table = duramen.records(page(f"<div>{posts}</div>"))
    assert table.rows[1]["text"] == f"{ABOUT.format(n=1)}\n{ABOUT.format(n=21)}"


def test_what_is_said_of_a_user_is_neither_his_name_nor_the_date_of_his_post() -> None:
    rows = "".join(
        f"<tr><td class=row1><b>Jo{n}</b><br>Joined: 0{n + 1} Jan 2005<br>Posts: {n}</td><td class=row1>"
        f"<span class=details>Posted: Mon Feb 0{n + 1}, 2010 8:04 pm</span><hr><span class=says>{ABOUT.format(n=n)}"
        f"</span></td></tr><tr><td><a href=#top>Top</a></td><td><img src=x.gif></td></tr><tr><td colspan=2></td></tr>"
        for n in range(8)
    )
    table = duramen.records(page(f"<table class=t><tr><th>Author</th><th>Message</th></tr>{rows}</table>"))
    assert table.rows[2]["user"] == "Jo2"
    assert table.rows[2]["date"] == "Mon Feb 03, 2010 8:04 pm"
    assert table.rows[2]["joined"] == "03 Jan 2005"
    assert table.rows[2]["text"] == ABOUT.format(n=2)


def test_a_user_stands_above_what_is_said_of_him() -> None:
    posts = "".join(
        f"<div class=post><div class=author><a href=/u/{n}>Jo{n}</a><br>Joined: 0{n + 1}/2009<br>Posts: {n}</div>"
        f"<div class=date>March {n + 1}, 2015</div><div class=body>{ABOUT.format(n=n)}</div></div>"
        for n in range(8)
    )
    row = duramen.records(page(f"<h1>Which wood?</h1>{posts}")).rows[2]
    assert (row["user"], row["joined"], row["date"]) == ("Jo2", "03/2009", "March 3, 2015")


def test_a_cell_that_spans_rows_stands_in_each_of_them() -> None:
    rows = "".join(
        f"<tr><td rowspan=2>Line {n}</td><td>Oak {n}</td><td>Ash {n}</td></tr><tr><td>Elm {n}</td><td>Fir {n}</td></tr>"
        for n in range(5)
    )
    head = "<thead><tr><th>Train</th><th>From</th><th>To</th></tr></thead>"
    table = duramen.records(page(f"<table>{head}<tbody>{rows}</tbody></table>"))
    assert table.rows[3] == {"train": "Line 1", "from": "Elm 1", "to": "Fir 1"}
    assert again(table) == table.rows


def test_header_cells_name_the_columns_of_runs_of_rows() -> None:
    rows = "".join(
        f"<tr><td><a href=/{n}>Board {n}</a></td><td>${n}.50</td><td>199{n}</td></tr>"
        f"<tr><td colspan=3>A fine board, planed and dried for {n} years.</td></tr><tr><td colspan=3></td></tr>"
        for n in range(8)
    )
    table = duramen.records(page(f"<table><tr><th>Name</th><th>Price</th><th>Year</th></tr>{rows}</table>"))
    assert table.names == ["name", "name_link", "price", "year", "text"]


def test_what_a_thing_is_says_more_than_how_it_looks() -> None:
    items = "".join(
        f"<div class='p-4 rounded'><a class='block text-lg' href=/{n}>Shelf {n}</a><div class='font-bold'>${n}.99</div>"
        f"<div class='line-through'>${n}9.99</div><p class='mt-2 maker'>Maker {n}</p></div>"
        for n in range(8)
    )
    table = duramen.records(page(f"<div class='grid gap-4'>{items}</div>"))
    assert table.names == ["text", "link", "price", "price_2", "maker"]


def test_a_title_keeps_what_stands_before_its_colon() -> None:
    posts = "".join(f"<li><h3><a href=/{n}>Re: chair {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>" for n in range(8))
    assert duramen.records(page(f"<ul>{posts}</ul>")).rows[1]["title"] == "Re: chair 1"


def test_a_field_that_the_first_record_lacks_stands_where_the_others_have_it() -> None:
    table = duramen.records(shop(range(3, 11)))
    assert table.rows[0]["price"] is None
    assert table.names == ["title", "title_link", "image", "price", "about"]
