"""Which records and columns a table keeps: variants, copies, placeholders, and boxes between the records."""

from __future__ import annotations

import pytest
from tests.data_records.pages import ABOUT, make_page
from tests.data_records.test_scraper_cases import read, title

import duramen


def test_a_title_in_two_template_variants_is_one_column() -> None:
    def make_item(n: int) -> str:
        link = f"<div class=result><a href=https://wood.example/{n}><h3>Chair number {n}</h3></a></div>"
        return f"<div><div>{link}</div></div>" if n % 3 else f"<section><div><div>{link}</div></div></section>"

    table = read(make_item)
    assert [row["title"] for row in table.rows] == [f"Chair number {n}" for n in range(20)]
    assert [row["url"] for row in table.rows] == [f"https://wood.example/{n}" for n in range(20)]


@pytest.mark.parametrize("copy", ["/c/{n}#reviews", "http://wood.example:80/c/{n}"])
def test_other_links_to_the_page_of_the_record_are_no_columns(copy: str) -> None:
    table = read(
        lambda n: f"<a href={copy.format(n=n)}><img src=/i/{n}.png></a>{title(n)}<b class=price>${n + 50}</b>",
        url="http://wood.example/",
    )
    assert table.names == ["title", "url", "image", "price", "currency", "snippet"]
    assert table.rows[1]["url"] == "http://wood.example/c/1"


def test_a_button_that_links_to_reviews_counts_them_and_is_not_the_url() -> None:
    table = read(lambda n: f"{title(n)}<div><a href=/c/{n}#customerReviews><span>{n + 3},{n + 100}</span></a></div>")
    assert table.rows[1]["reviews"] == 4101
    assert table.rows[1]["url"] == "/c/1"


def test_badges_are_no_column() -> None:
    table = read(lambda n: f"<img src=/i/{n}.png class=photo>{title(n)}<img src=/badge-{n % 3}.png>")
    assert [name for name in table.names if name.startswith("image")] == ["image"]


def test_placeholders_of_a_script_are_no_records() -> None:
    items = "".join(f"<li class=item>{title(n)}<p>{ABOUT.format(n=n)}</p></li>" for n in range(6))
    empty = "".join(f"<li class=item><a href=/c/{n}><p>Loading...</p></a></li>" for n in range(6, 30))
    table = duramen.records(make_page(f"<h1>Chairs</h1><ul>{items}{empty}</ul>"))
    assert [row["title"] for row in table.rows] == [f"Chair number {n}" for n in range(6)]


def test_a_box_between_the_records_is_no_record() -> None:
    def make_item(n: int) -> str:
        if n == 4:
            return "<section><ul><li>Latest news<li>Weather<li>Traffic</ul><form><input></form></section>"
        return f"<div class=result>{title(n)}<p>{ABOUT.format(n=n)}</p></div>"

    items = "".join(f"<div>{make_item(n)}</div>" for n in range(12))
    table = duramen.records(make_page(f"<h1>Chairs</h1><div>{items}</div>"))
    assert [row["title"] for row in table.rows] == [f"Chair number {n}" for n in range(12) if n != 4]


def test_lines_of_a_directory_have_a_number_a_name_and_a_link() -> None:
    lines = "".join(
        f"<p><a name={n}></a><a href=/opinions/{n}.pdf>21{n:02}</a> <b>Oak v. Elm and Company {n}</b> 10/{n + 1}/2023"
        f" {ABOUT.format(n=n)}</p>"
        for n in range(12)
    )
    table = duramen.records(make_page(f"<h1>Opinions</h1><div>{lines}</div>"))
    assert table.rows[3]["title"] == "Oak v. Elm and Company 3"
    assert table.rows[3]["url"] == "/opinions/3.pdf"
    assert table.rows[3]["number"] == 2103


def test_words_of_a_query_that_are_bold_are_no_title() -> None:
    table = read(lambda n: f"{title(n)}<p><b>Oak</b> is what chair {n} is made of, <b>oak</b> and nothing else.</p>")
    assert {row["title"] for row in table.rows} == {f"Chair number {n}" for n in range(20)}


def test_the_number_of_a_case_is_no_title() -> None:
    initials = "ABCDEFGHIJKL"
    rows = "".join(
        f"<tr><td><a href=/{n}.pdf>25-8{n}-cv</a></td><td>0{n % 9 + 1}/03/2024</td><td>{initials[n]}lm v. Oak</td></tr>"
        for n in range(12)
    )
    table = duramen.records(make_page(f"<table><tr><th>Docket</th><th>Posted</th><th>Parties</th></tr>{rows}</table>"))
    assert [column.name for column in table.columns if column.role == "title"] == ["parties"]


@pytest.mark.parametrize(("label", "name"), [("Was:", "old_price"), ("De:", "old_price"), ("Now:", "price")])
def test_prices_are_recognized_by_their_labels(label: str, name: str) -> None:
    other = "Now:" if name == "old_price" else "Was:"
    table = read(lambda n: f"{title(n)}<p class=a>{label} ${n + 50}.00</p><p class=b>{other} ${n + 60}.00</p>")
    assert table.rows[2][name] == 52.0


def test_the_price_that_more_records_have_is_the_price() -> None:
    used = "<div><i class=used>${}.00</i> <i>({} used)</i></div>"
    table = read(
        lambda n: f"{title(n)}<div><b class=amount>${n + 50}.00</b></div>" + used.format(n + 20, n + 3) * (n % 3 > 0)
    )
    assert table.rows[2]["price"] == 52.0
    assert "old_price" not in table.names


def test_a_shipping_notice_is_no_author_and_a_number_with_a_point_is_no_address() -> None:
    table = read(lambda n: f"{title(n)}<p class=x>FREE shipping by Oak {n % 4}</p><p class=y>Sterne{n}von4.{n % 5}</p>")
    assert not {"author", "displayed_url"} & set(table.names)


def test_signs_between_the_values_of_a_list_are_no_values() -> None:
    wood = ["oak", "elm", "ash"]
    table = read(
        lambda n: (
            f"{title(n)}<p class=woods>"
            + "<i class=sep>|</i>".join(f"<i class=w>{one}</i>" for one in wood[n % 3 :])
            + "</p>"
        )
    )
    assert not any("|" in (cell or ()) for row in table.rows for cell in row.values() if isinstance(cell, list))


def test_the_links_of_posts_lead_to_no_profiles() -> None:
    posts = "".join(
        f"<article class=post><h4><a class=username href=/members/{n}/>Member{n}</a></h4>"
        f"<div class=userTitle>Member {n % 2}</div><time datetime=2024-02-{n + 10}T10:00:00>Feb {n + 10}</time>"
        f"<div class=text>{ABOUT.format(n=n)}</div></article>"
        for n in range(9)
    )
    table = duramen.records(make_page(f"<h1>Chairs</h1><div class=thread>{posts}</div>"))
    assert table.rows[2]["user"] == "Member2"
    assert "title" not in table.names
    assert not any(column.role == "url" for column in table.columns)


def test_a_sentence_on_a_button_is_no_name() -> None:
    table = read(lambda n: f"{title(n)}<a href=/write/{n}>Be the first to write something here</a>")
    assert "url" in table.names
    assert not any("be_the_first" in name for name in table.names)


def test_menus_in_another_language_are_no_columns() -> None:
    cache, related = "https://webcache.googleusercontent.com", "/search?q=related:"
    table = read(lambda n: f"{title(n)}<ul><li><a href={cache}/{n}>Kopija</a><li><a href={related}{n}>Panašūs</a></ul>")
    assert table.names == ["title", "url", "snippet"]


def test_a_date_is_written_once_and_a_time_of_day_is_no_date() -> None:
    table = read(
        lambda n: (
            f"{title(n)}<time datetime=2024-03-{n + 10}T10:{n + 10}:00>long ago</time><i class=day>2024-03-{n + 10}</i>"
            f"<i class=clock>{n % 12 + 1}:{n + 10} PM</i>"
        )
    )
    assert table.names == ["title", "url", "date", "snippet", "time"]
    assert table.rows[0]["date"] == "2024-03-10T10:10:00"


def test_a_mark_for_a_missing_value_does_not_make_dates_texts() -> None:
    table = read(lambda n: title(n) + f"<p class=day>{'NA' if n % 2 else f'Oct {n + 1:02}, 2020'}</p>")
    assert [row["date"] for row in table.rows[:2]] == ["2020-10-01", "NA"]


def test_opinions_with_labels_are_no_posts() -> None:
    table = read(
        lambda n: (
            f"<p>Oak v. Elm {n}<br>Docket No.: 2024{n:04}<br>Filing Date: 2/{n + 1}/2025<br>Case Type: Appeal {n % 4}"
            f"<br>Author: Judge{n % 3}<br></p>"
        )
    )
    assert not any(column.role == "user" for column in table.columns)
    assert {"docket_no", "case_type", "author"} <= set(table.names)


def test_a_label_before_the_lowest_price_names_no_column() -> None:
    table = read(lambda n: f"{title(n)}<p class=a>A partir de: <b>R$ {n + 50},00</b></p>")
    assert (table.rows[2]["price"], table.rows[2]["currency"]) == (52.0, "BRL")


def test_a_heading_with_a_user_and_a_date_is_two_columns() -> None:
    posts = "".join(
        f"<li class=message><h3 class=userText>Cooper{n}<em class=userTitle>Novice</em>"
        f"<small><span>12.03.2020, 1{n}:29</span></small></h3><blockquote>{ABOUT.format(n=n)}</blockquote></li>"
        for n in range(9)
    )
    table = duramen.records(make_page(f"<h1>Chairs</h1><ol>{posts}</ol>"))
    assert (table.rows[2]["user"], table.rows[2]["date"]) == ("Cooper2", "2020-03-12T12:29")


def test_the_price_of_all_records_is_the_price_beside_a_saving_of_few() -> None:
    table = read(
        lambda n: (
            f"{title(n)}<div class=cost><b class=main>£{n + 50}.99</b></div>"
            + f"<i class=savePrice>Save £{n + 1}</i>" * (n < 5)
        )
    )
    assert table.rows[2]["price"] == 52.99


def test_the_class_of_a_summary_does_not_name_its_numbers() -> None:
    table = read(
        lambda n: f"<p class=card--summary>{n + 53}</p>{title(n)}<time class=when>asked {'' if n else 'then'}</time>"
    )
    assert "snippet_2" not in table.names
    assert not any(column.role == "date" for column in table.columns)


def test_the_text_of_posts_is_what_most_of_them_have() -> None:
    posts = "".join(
        f"<article class=post><h4><a class=username href=/members/{n}/>Member{n}</a></h4>"
        f"<time datetime=2024-02-{n + 10}T10:00:00>Feb {n + 10}</time><div class=body>{ABOUT.format(n=n)}</div>"
        + "<pre class=listing>oak elm ash</pre>".replace("oak", "oak " * 400) * (n == 3)
        + "</article>"
        for n in range(9)
    )
    table = duramen.records(make_page(f"<h1>Chairs</h1><div class=thread>{posts}</div>"))
    assert all(row["text"].startswith("A chair") for row in table.rows)


def test_a_number_of_reviews_in_a_language_is_no_title() -> None:
    table = read(
        lambda n: f"<a href=/app/{n}>({n},786 English Reviews)</a><p class=name>Game of wood {'abc'[n % 3]}</p>"
    )
    assert table.rows[3]["reviews"] == 3786
    assert table.rows[3]["title"] == "Game of wood a"


def test_records_that_are_properties_themselves_are_read() -> None:
    items = "".join(f"<li itemprop=offers>Chair {n}, of solid wood and paper cord</li>" for n in range(9))
    table = duramen.records(make_page(f"<h1>Chairs</h1><ul itemscope>{items}</ul>"))
    assert len(table) == 9
