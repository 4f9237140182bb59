"""Which element holds the main list, and what its records are."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data_records.written_lists import ABOUT, MENU, article, page, shop, tile

import duramen
from duramen.data_records.finding import find_regions, is_main
from duramen.data_records.table import Table
from duramen.dom.tree import TEXT, Box, Tree


def found(body: str) -> Table:
    return duramen.records(page(body))


def texts(table: Table) -> list[str]:
    tree = table.page.tree
    return [
        " ".join(" ".join(tree.text[node] for top in record for node in range(top, tree.end[top])).split())
        for record in table.records
    ]


def test_the_list_is_found_and_the_menu_is_not() -> None:
    table = duramen.records(shop())
    assert table.xpath == "//ul[@id='chairs']"
    assert len(table) == 8
    assert is_main(find_regions(table.page.tree)[0])


def test_an_article_has_no_main_list_and_says_so() -> None:
    table = duramen.records(article())
    assert not table
    assert table.reason.startswith("no main list")
    assert (table.rows, table.xpath) == ([], None)


ENTRIES = [
    "<article itemscope itemtype='http://schema.org/Product'><h2 itemprop=name>Chair {n}</h2><p>{about}</p></article>",
    "<div><h2>Chair {n}</h2><p>{about}</p><span>EUR {n}9</span></div>",
    "<section><h2>Chair {n}</h2><p>{about}</p><time>{n} May 2024</time></section>",
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_entries_need_neither_links_nor_pictures(entry: str) -> None:
    assert len(found("<div>" + "".join(entry.format(n=n, about=ABOUT[:40]) for n in range(1, 9)) + "</div>")) == 8


def test_chapters_that_tell_of_prices_and_days_are_no_entries() -> None:
    told = "In May 2024 it was sold for EUR 90 at an auction, which is more than anybody had thought of before."
    assert not found(
        "<div>" + "".join(f"<section><h2>Chair {n}</h2><p>{told}</p></section>" for n in range(8)) + "</div>"
    )


@pytest.mark.parametrize("html", ["", "one word", "<p>a</p>", MENU, "<ul><li>a</ul>"])
def test_a_page_with_nothing_repeated_has_none(html: str) -> None:
    assert not duramen.records(html)


def test_terms_and_their_descriptions_are_one_record() -> None:
    table = found(
        "<dl>" + "".join(f"<dt><a href=/{n}>Chair {n}</a><dd>{ABOUT.format(n=n)}" for n in range(9)) + "</dl>"
    )
    assert len(table) == 9
    assert all(text.startswith("Chair") and text.endswith("years.") for text in texts(table))


@pytest.mark.parametrize("repeated", [1, 4])
@pytest.mark.parametrize("term", ["<a href=/{n}>Chair {n}</a>", "Chair {n}"])
def test_a_term_belongs_to_its_description_however_long_that_is(term: str, repeated: int) -> None:
    terms = "".join(f"<dt>{term.format(n=n)}<dd>{ABOUT.format(n=n) * repeated}" for n in range(9))
    assert [text[:7] for text in texts(found(f"<dl>{terms}</dl>"))] == [f"Chair {n}" for n in range(9)]


def test_terms_that_share_a_description_are_one_record() -> None:
    terms = "".join(f"<dt>Chair {n}<dt>Seat {n}<dd>{ABOUT.format(n=n)}<dd>Since 19{n}0." for n in range(9))
    assert len(found(f"<dl>{terms}</dl>")) == 9


def test_a_term_above_many_descriptions_is_a_heading() -> None:
    described = "".join(f"<dd><a href=/{n}>Chair {n}</a><p>{ABOUT.format(n=n)}</p></dd>" for n in range(6))
    assert len(found(f"<dl><dt>Chairs</dt>{described}<dt>More chairs</dt>{described}</dl>")) == 12


def test_rows_of_a_title_a_summary_and_a_spacer_are_one_record() -> None:
    rows = "".join(
        f"<tr class='head'><td>{n}.</td><td><a href=/{n}>Chair number {n}</a></td></tr>"
        f"<tr><td colspan=2>{ABOUT.format(n=n)}</td></tr><tr class='space'><td></td></tr>"
        for n in range(1, 9)
    )
    table = found(f"<table>{rows}</table>")
    assert len(table) == 8
    assert texts(table)[2].startswith("3. Chair number 3 A chair")


def test_headings_and_the_paragraphs_under_them_are_one_record() -> None:
    about = [f"<p>{ABOUT.format(n=n)}</p><p>Since 19{n}0.</p>" for n in range(8)]
    parts = "".join(f"<h3><a href=/{n}>Chair {n}</a></h3>{about[n]}" for n in range(8))
    table = found(f"<div>{parts}</div>")
    assert len(table) == 8
    assert all("Chair" in text and "Since" in text for text in texts(table))


def test_a_grid_gives_its_cells() -> None:
    rows = "".join(
        "<tr>" + "".join(f"<td>{tile(3 * row + n, tag='div')}</td>" for n in range(3)) + "</tr>" for row in range(4)
    )
    table = found(f"<table>{rows}</table>")
    assert len(table) == 12


@pytest.mark.parametrize("last", ["{}", "{}<div></div><div></div>", "<div>{}</div>"])
@pytest.mark.parametrize("count", [7, 10, 13])
def test_the_last_row_of_a_grid_may_hold_one_cell(count: int, last: str) -> None:
    cells = [tile(n, tag="div", more="<p>Made to order.</p>") for n in range(count)]
    rows = ["".join(cells[n : n + 3]) for n in range(0, count - 1, 3)]
    table = found("".join(f"<div>{row}</div>" for row in [*rows, last.format(cells[-1])]))
    assert [text.split()[1] for text in texts(table)] == [str(n) for n in range(count)]


def test_the_cells_of_a_table_are_no_grid() -> None:
    rows = "".join(
        f"<tr><td><a href=/c/{n}>Chair number {n} of oak</a></td><td>{n}0 cm</td><td>{ABOUT.format(n=n)}</td></tr>"
        for n in range(9)
    )
    assert len(found(f"<table><tr><th>Name<th>Height<th>About</tr>{rows}</table>")) == 9


def test_a_list_that_goes_on_in_another_container_is_one() -> None:
    first, rest = "".join(map(tile, range(3))), "".join(map(tile, range(3, 12)))
    table = found(f"<section><ul>{first}</ul></section><div class='fold'></div><section><ul>{rest}</ul></section>")
    assert len(table) == 12


def test_what_stands_under_a_heading_of_its_own_is_another_list() -> None:
    first, rest = "".join(map(tile, range(9))), "".join(map(tile, range(20, 22)))
    table = found(
        f"<section><ul>{first}</ul></section><section><h2>Customers also bought</h2><ul>{rest}</ul></section>"
    )
    assert len(table) == 9


def test_headers_and_pagers_are_no_records() -> None:
    items = "".join(map(tile, range(8)))
    table = found(
        f"<ul><li class='head'>8 chairs found</li>{items}<li class='pager'><a href=/2>Next page</a></li></ul>"
    )
    assert len(table) == 8


def test_every_other_row_is_no_head() -> None:
    rows = "".join(f"<div class='row {'odd' if n % 2 else 'even'}'>{tile(n, tag='div')}</div>" for n in range(10))
    assert len(found(f"<div>{rows}</div>")) == 10


def test_several_regions_are_ranked() -> None:
    tables = duramen.records_all(shop())
    assert len(tables) > 1
    assert tables[0].xpath == "//ul[@id='chairs']"
    others = [table.confidence for table in tables[1:]]
    assert others == sorted(others, reverse=True)


def test_boxes_tell_what_is_not_on_the_screen() -> None:
    hidden = "".join(f"<p><a href=/{n}>Chair {n}</a><br>{ABOUT.format(n=n) * 2}</p>" for n in range(9))
    html = page(f"<div id='drawer'>{hidden}</div><h2>Chairs</h2><ul id='shown'>{''.join(map(tile, range(9)))}</ul>")
    tree = Tree.parse(html)

    def first() -> str | None:
        return tree.attributes[find_regions(tree, 1)[0].node].get("id")

    assert first() == "drawer"
    drawer = next(node for node in range(len(tree)) if tree.attributes[node].get("id") == "drawer")
    box: Box = (0.0, 0.0, 1000.0, 50.0)
    tree.box = [
        None if tree.tag[node] == TEXT or drawer <= node < tree.end[drawer] else box for node in range(len(tree))
    ]
    assert first() == "shown"


def test_a_thread_begins_with_its_opening_post() -> None:
    def post(n: int, tag: str) -> str:
        return (
            f"<{tag} class='post p{n}'><div class='head'><a class='avatar' href='/u/{n}'>U{n}</a>"
            f"<b class='author'>User {n}</b><time class='posted' datetime='2024-01-0{n + 1}'>day {n}</time></div>"
            f"<div class='message'>"
            f"<span class='words'>{ABOUT.format(n=n)}</span></div>"
            f"<div class='tools'><i class='like'>Like</i></div></{tag}>"
        )

    replies = "".join(post(n, "li") for n in range(1, 8))
    table = found(f"<div id='question'>{post(0, 'article')}</div><p>7 replies</p><ol>{replies}</ol>")
    assert len(table) == 8
    assert table.rows[0]["user"] == "User 0"


def test_an_opening_post_may_be_known_by_few_names_if_it_is_made_like_the_others() -> None:
    def post(n: int, name: str) -> str:
        said = ABOUT.format(n=n)
        return (
            f"<div class={name}><a class=user href=/u/{n}>user{n}</a> <i>{n} May</i><div class=said>{said}</div></div>"
        )

    replies = "".join(post(n, "reply") for n in range(1, 8))
    table = found(f"<h1>Chairs</h1>{post(0, 'first')}<div>{replies}</div>")
    assert [row["user"] for row in table.rows] == [f"user{n}" for n in range(8)]
    told = f"<a class=user href=/u/0>user0</a> <div class=said><p>{ABOUT}</p><ul><li>Oak<li>Ash</ul></div>"
    assert (
        len(found(f"<h1>Chairs</h1><div class=intro>{told}<h2>Rules</h2><p>Be nice.</p></div><div>{replies}</div>"))
        == 7
    )


PIECES = ["<ul>", "</ul>", "<li>", "<div class=a>", "</div>", "<table>", "<tr>", "<td>", "<a href=/x>", "</a>", "<p>"]


@settings(max_examples=60, deadline=None)  # machines are busy
@given(st.lists(st.sampled_from([*PIECES, "some words ", "<img src=y>", "<br>", "<dt>", "<dd>"]), max_size=80))
def test_records_are_apart_and_in_order_whatever_the_page(pieces: list[str]) -> None:
    for table in duramen.records_all("".join(pieces)):
        tree = table.page.tree
        last = -1
        for record in table.records:
            for top in record:
                assert top >= last
                last = tree.end[top]
        assert all(set(row) == set(table.names) for row in table.rows)
        assert 0 <= table.confidence <= 1
