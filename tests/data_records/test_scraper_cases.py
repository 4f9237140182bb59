"""Values and names that a scraper expects: one small page for each case."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from tests.data_records.pages import ABOUT, make_page

import duramen
from duramen.data_records.column_evidence import ColumnEvidence
from duramen.data_records.regions import find_regions
from duramen.data_records.table import tabulate


def read(item: Callable[[int], str], count: int = 20, head: str = "", url: str | None = None) -> duramen.Table:
    """The table of a list with these items."""
    items = "".join(f"<li class=item>{item(n)}<p class=about>{ABOUT.format(n=n)}</p></li>" for n in range(count))
    return duramen.records(make_page(f"{head}<h1>Chairs</h1><ul>{items}</ul>"), url=url)


def title(n: int) -> str:
    return f"<h3><a href=/c/{n}>Chair number {n}</a></h3>"


def test_a_sale_price_of_few_records_is_kept() -> None:
    table = read(
        lambda n: title(n) + f"<b class=price>${n + 50}.00</b>" + (f"<i class=sale>${n + 10}.00</i>" * (n < 2))
    )
    assert [row["sale_price"] for row in table.rows[:3]] == [10.0, 11.0, None]


def test_cells_are_not_split_and_a_headed_column_with_equal_cells_is_kept() -> None:
    rows = "".join(
        f"<tr><td><a href=/{n}>Case {n} <i>v.</i> State</a></td>"
        f"<td>{n} Oak <b>Street</b>, Kellin</td><td>open</td></tr>"
        for n in range(12)
    )
    table = duramen.records(make_page(f"<table><tr><th>Case</th><th>Address</th><th>Status</th></tr>{rows}</table>"))
    assert table.rows[1] == {
        "case": "Case 1 v. State",
        "case_link": "/1",
        "address": "1 Oak Street, Kellin",
        "status": "open",
    }


def test_lazy_images_have_their_address() -> None:
    table = read(lambda n: title(n) + f"<img src=data:image/gif;base64,R0lGOD data-src=/i/{n}.jpg>")
    assert table.rows[3]["image"] == "/i/3.jpg"


def test_links_in_old_formatting_are_found_and_absolute() -> None:
    table = read(
        lambda n: f"<font size=2><a href=c{n}.html><font color=red>Chair number {n}</font></a></font>",
        url="https://wood.example/shop/",
    )
    assert (table.rows[2]["title"], table.rows[2]["url"]) == ("Chair number 2", "https://wood.example/shop/c2.html")


@pytest.mark.parametrize(
    ("price", "expected"),
    [
        ("<b>$10</b><sup>.99</sup>", {"price": 10.99, "currency": "USD"}),
        ("<span>$</span><span>10</span><sup>99</sup>", {"price": 10.99, "currency": "USD"}),
        ("€ 10 – € 25", {"price": 10.0, "highest_price": 25.0, "currency": "EUR"}),
        ("<del>£30.00</del> <ins>£20.00</ins>", {"price": 20.0, "old_price": 30.0, "currency": "GBP"}),
    ],
)
def test_prices_are_numbers(price: str, expected: dict[str, object]) -> None:
    table = read(lambda n: f"{title(n)}<div class=price>{price.replace('10', str(10 + n))}</div>")
    assert {name: table.rows[0].get(name) for name in expected} == expected


def test_words_of_the_interface_are_no_column() -> None:
    table = read(
        lambda n: title(n) + f"<a href=/cart?add={n}>Add to basket</a> <button>Share</button> <a href=#>Edit</a>"
    )
    assert table.names == ["title", "url", "snippet"]


@pytest.mark.parametrize(
    "name", ["dark_2", "yb_z", "group-hover:text-gold-darker", "typo-body", "col-md-4", "css-1x2y3z"]
)
def test_classes_of_style_name_nothing(name: str) -> None:
    table = read(lambda n: title(n) + f"<span class='{name}'>Oak {n % 3} and ash</span>")
    assert table.names == ["title", "url", "snippet", "text"]


def test_labels_and_words_of_classes_name_columns() -> None:
    table = read(lambda n: title(n) + f"<p>Wood: oak {n % 4}</p><span class=card__seller>Maker {n}</span>")
    assert {"wood", "seller"} <= set(table.names)


def test_the_state_of_scripts_completes_columns() -> None:
    products = [{"name": f"Chair number {n}", "sku": f"K-{n}", "price": f"{n}.5"} for n in range(20)]
    state = json.dumps({"props": {"pageProps": {"products": products}}})
    for script in (
        f"<script id=__NEXT_DATA__ type=application/json>{state}</script>",
        f"<script>window.__NUXT__ = {state};</script>",
        f"<script>window.__APOLLO_STATE__ = {json.dumps({f'Product:{n}': p for n, p in enumerate(products)})}</script>",
    ):
        table = read(title, head=script)
        assert (table.rows[4]["sku"], table.rows[4]["price"]) == ("K-4", 4.5)
        assert {column.source for column in table.columns if column.name == "sku"} == {"state"}


def test_json_ld_completes_columns() -> None:
    items = [
        {"@type": "ListItem", "position": n, "item": {"@type": "Product", "name": f"Chair number {n}", "sku": f"K-{n}"}}
        for n in range(20)
    ]
    data = json.dumps({"@type": "ItemList", "itemListElement": items})
    table = read(title, head=f"<script type=application/ld+json>{data}</script>")
    assert table.rows[7]["sku"] == "K-7"
    assert {column.source for column in table.columns if column.name == "sku"} == {"json-ld"}


def test_sections_of_an_article_with_links_in_sentences_are_no_list() -> None:
    sections = "".join(
        f"<section><h2>Part {n} of the essay</h2>"
        + f"<p>In those years the river was low, and the <a href=/x/{n}>old mill</a> stood still for months at a time. "
        f"Nobody in the village could say when it had begun, nor who had closed the sluice in the end.</p>"
        * 3
        + "</section>"
        for n in range(6)
    )
    page = f"<title>The mill</title><article><h1>The mill</h1><p>By Ann Oak</p>{sections}</article>"
    assert not duramen.records(f"<html><body>{page}</body></html>")


def test_posts_have_user_date_and_text_and_at_most_eight_columns() -> None:
    posts = "".join(
        f"<div class=post id=p{n}><div class=left><a class=username href=/members/u{n}>user{n}</a>"
        f"<em>Senior member</em>"
        f"<span>Joined: May 20{10 + n}</span><span>Posts: {n * 31}</span><span>Likes: {n * 7}</span></div>"
        f"<div class=right><span class=date>2024-03-{10 + n} 12:{10 + n}</span>"
        f"<a href=#edit>Edit</a><a href=#q>Quote</a>"
        f"<div class=body>{ABOUT.format(n=n)} I would ask the owner number {n} what he did with the legs.</div>"
        f"<div class=signature>Wood is good, {n} times</div><a href=/report?p={n}>Report</a></div></div>"
        for n in range(10)
    )
    table = duramen.records(make_page(f"<h1>Which glue?</h1><div id=posts>{posts}</div>"))
    assert {"user", "date", "text"} <= set(table.names)
    assert len(table.names) <= 8
    assert (table.rows[2]["user"], table.rows[2]["date"]) == ("user2", "2024-03-12T12:12")


def test_hidden_keys_are_no_part_of_a_cell() -> None:
    rows = "".join(
        f"<tr><td><a href=/{n}>Contract for chairs {n}</a></td>"
        f"<td><span style='display:none'>202603{n + 10}</span>2026-03-{n + 10}</td></tr>"
        for n in range(12)
    )
    table = duramen.records(make_page(f"<table><tr><th>Contract</th><th>Signed</th></tr>{rows}</table>"))
    assert table.rows[1]["signed"] == "2026-03-11"


def test_a_button_with_a_number_is_no_title() -> None:
    def item(n: int) -> str:
        name = f"<div><a href=/c/{n}>{chr(65 + n)} stool</a></div>"
        return f"<a class=go href=/c/{n}>Compare the {n + 3} offers of shops</a>{name}"

    assert read(item).rows[1]["title"] == "B stool"


def test_parts_of_a_page_without_common_values_are_no_table() -> None:
    tags = ("h2", "h3", "p", "blockquote", "pre", "address", "figure", "dl", "ul", "table")
    parts = "".join(
        f"<section><{tag} class=c{n}>{ABOUT.format(n=n) * 3}</{tag}></section>" for n, tag in enumerate(tags)
    )
    page = duramen.Page.parse(make_page(parts))
    regions = find_regions(page.tree)
    assert not tabulate(page, regions[0])
    assert all(duramen.records_all(page))


def test_a_title_and_a_link_to_the_same_page_are_one_record() -> None:
    items = "".join(
        f"<div class=result><div class=body><b>Review:</b><h2><a href=/r/{n}>Review of chair {n}</a></h2></div>"
        f"<div class=text><p class=in>This review is posted in <a href=/reviews>Reviews of chairs</a></p>"
        f"<p class=snippet>{ABOUT.format(n=n)}<br><a href=/r/{n}>Read entire review</a></p></div></div>"
        for n in range(10)
    )
    table = duramen.records(make_page(f"<div class=results>{items}</div>"))
    assert len(table) == 10
    assert next(column.name for column in table.columns if column.role == "title") == "review"
    assert table.rows[1]["review"] == "Review of chair 1"


def test_words_of_a_query_are_part_of_the_title() -> None:
    table = read(
        lambda n: (
            f"<a href=/c/{n}><em>{chr(65 + n) * 3} chair of <font class=k>oak</font> and <b class=hl>ash</b></em>"
            f"<i class=promo>Buy {n} chairs now</i></a>"
        )
    )
    assert table.rows[1]["title"] == "BBB chair of oak and ash"
    assert not {"oak", "ash"} & set(table.rows[1].values())


def test_the_linked_text_is_the_title_and_not_what_is_beside_it() -> None:
    rows = "".join(
        f"<tr><td class=primary_photo><a href=/m/{n}><img src=/i/{n}.jpg></a></td>"
        f"<td class=result_text><a href=/m/{n}>The history of oak {n}</a> (19{n + 10}) {'(TV Movie)' * (n % 3 > 0)}"
        f"{'<br><small>- Season 6</small>' * (n % 4 == 0)}</td></tr>"
        for n in range(12)
    )
    assert duramen.records(make_page(f"<table>{rows}</table>")).rows[1]["title"] == "The history of oak 1"


def test_values_that_differ_in_numbers_may_have_a_plural() -> None:
    offers = ColumnEvidence((), "text", "text", texts=("1 offer from", "4 offers from", "15 offers from"))
    assert offers.differs_in_numbers
    names = ColumnEvidence((), "text", "text", texts=("Chair 1", "Table 2", "Stool 3"))
    assert not names.differs_in_numbers


def test_prices_and_bare_amounts_are_one_column_of_prices() -> None:
    table = read(lambda n: title(n) + f"<span class=p>{'$' * (n % 2)}{n + 20}.99</span>")
    assert [row["price"] for row in table.rows[:2]] == [20.99, 21.99]


def test_the_sign_of_the_yuan_is_that_of_the_yen() -> None:
    items = "".join(
        f"<li><h3><a href=/{n}>橡木书桌型号{n}</a></h3><div class=price><em>￥</em><i>{n + 199}.00</i></div>"
        f"<p>实木书桌，手工上油，非常耐用，编号{n}，适合家庭和办公室使用。</p></li>"
        for n in range(9)
    )
    chinese = duramen.records(make_page(f"<ul>{items}</ul>"))
    assert (chinese.rows[1]["price"], chinese.rows[1]["currency"]) == (200.0, "CNY")
    japanese = duramen.records(make_page(f"<ul>{items.replace('型号', 'の')}</ul>"))
    assert japanese.rows[1]["currency"] == "JPY"


def test_a_headed_column_with_one_value_is_kept() -> None:
    rows = "".join(f"<tr><td>State v. Number {n}<td>24-{1000 + n}<td>{'Note' * (n == 3)}</tr>" for n in range(9))
    table = duramen.records(make_page(f"<table><tr><th>Case name<th>Docket<th>Remarks</tr>{rows}</table>"))
    assert [row["remarks"] for row in table.rows[2:4]] == [None, "Note"]


def test_opinions_with_a_judge_a_date_and_a_summary_are_no_posts() -> None:
    rows = "".join(
        f"<tr><td><a class=link-color href=/op/{n}.pdf>Ann Number{n} v. Lumber Mill</a><br>M2025-0{n}<br>"
        f"Authoring Judge: Judge Number {n}<br><p>{ABOUT.format(n=n)}</p></td><td>0{n + 1}/15/24</td></tr>"
        for n in range(9)
    )
    table = duramen.records(make_page(f"<table>{rows}</table>"))
    assert next(column.name for column in table.columns if column.role == "title") == "title"
    assert "user" not in table.names
    assert "color" not in table.names


def test_salaries_of_json_ld_are_a_column() -> None:
    jobs = [
        {
            "@type": "JobPosting",
            "title": f"Chair number {n}",
            "url": f"/c/{n}",
            "baseSalary": {"@type": "MonetaryAmount", "currency": "NOK", "value": {"value": 30000 + n}},
        }
        for n in range(20)
    ]
    script = f"<script type='application/ld+json'>{json.dumps({'@type': 'ItemList', 'itemListElement': jobs})}</script>"
    table = read(title, head=script, url="https://a.example/")
    assert table.rows[2]["salary"] == 30002
    assert next(column.source for column in table.columns if column.name == "salary") == "json-ld"


@pytest.mark.parametrize(
    "name", ["a-size-small", "duration-300", "link-color", "text-size", "transition duration-150", "text-end"]
)
def test_classes_of_measures_in_style_sheets_name_nothing(name: str) -> None:
    table = read(lambda n: title(n) + f"<span class='{name}'>Kind {n}</span>")
    assert table.names == ["title", "url", "snippet", "text"]
