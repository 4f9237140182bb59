"""Finding the lists of a page, also by the boxes of a rendered page."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.data_records.pages import (
    ABOUT,
    MENU,
    find_list,
    make_article,
    make_page,
    make_shop,
    make_tile,
)

import duramen
from duramen.data_records.page_context import ListContext
from duramen.data_records.regions import find_regions, is_main
from duramen.dom.tree import TEXT, Box, Tree


def test_the_product_list_is_found_and_not_the_menu() -> None:
    table = duramen.records(make_shop())
    assert table.xpath == "//ul[@id='chairs']"
    assert len(table) == 8
    assert is_main(find_regions(table.page.tree)[0])


def test_an_article_has_no_main_list_and_the_reason_explains_it() -> None:
    table = duramen.records(make_article())
    assert not table
    assert table.reason.startswith("no main list")
    assert (table.rows, table.xpath) == ([], None)


ENTRIES = [
    "<article itemscope itemtype='http://schema.org/Product'><h2 itemprop=name>Chair {n}</h2><p>{about}</p></article>",
    "<div><h2>Chair {n}</h2><p>{about}</p><span>EUR {n}9</span></div>",
    "<section><h2>Chair {n}</h2><p>{about}</p><time>{n} May 2024</time></section>",
]


@pytest.mark.parametrize("entry", ENTRIES)
def test_entries_need_neither_links_nor_images(entry: str) -> None:
    assert len(find_list("<div>" + "".join(entry.format(n=n, about=ABOUT[:40]) for n in range(1, 9)) + "</div>")) == 8


def test_chapters_that_mention_prices_and_dates_are_not_entries() -> None:
    told = "In May 2024 it was sold for EUR 90 at an auction, which is more than anybody had thought of before."
    assert not find_list(
        "<div>" + "".join(f"<section><h2>Chair {n}</h2><p>{told}</p></section>" for n in range(8)) + "</div>"
    )


@pytest.mark.parametrize("html", ["", "one word", "<p>a</p>", MENU, "<ul><li>a</ul>"])
def test_a_page_without_repetition_has_no_list(html: str) -> None:
    assert not duramen.records(html)


def test_several_regions_are_ranked_by_confidence() -> None:
    tables = duramen.records_all(make_shop())
    assert len(tables) > 1
    assert tables[0].xpath == "//ul[@id='chairs']"
    others = [table.confidence for table in tables[1:]]
    assert others == sorted(others, reverse=True)


def test_a_class_that_mentions_a_sidebar_beside_the_list_is_ignored() -> None:
    items = "<ul>" + "".join(map(make_tile, range(8))) + "</ul>"
    more = f"<div>{'About the shop and its chairs. ' * 90}</div>"
    beside, inside = (
        find_regions(Tree.parse(make_page(f"<div class='{name}'>{items}</div>{more}")), 1)[0].confidence
        for name in ("body--withSidebar", "sidebar")
    )
    assert beside > 2 * inside


def test_a_large_menu_is_not_the_main_list() -> None:
    menu = "".join(f"<li><h3><a href='/{n}'>Chairs {n}</a></h3><p>{ABOUT.format(n=n)}</p></li>" for n in range(9))
    text = f"<p>{'The heartwood of an oak carries no water, but it holds the tree. ' * 10}</p>"
    assert not duramen.records(f"<body><nav><ul>{menu}</ul></nav><main>{text}</main></body>")


PIECES = ["<ul>", "</ul>", "<li>", "<div class=a>", "</div>", "<table>", "<tr>", "<td>", "<a href=/x>", "</a>", "<p>"]


@settings(max_examples=60, deadline=None)  # machines are busy
@given(st.lists(st.sampled_from([*PIECES, "some words ", "<img src=y>", "<br>", "<dt>", "<dd>"]), max_size=80))
def test_records_never_overlap_and_are_in_document_order(pieces: list[str]) -> None:
    for table in duramen.records_all("".join(pieces)):
        tree = table.page.tree
        last = -1
        for record in table.records:
            for top in record:
                assert top >= last
                last = tree.end[top]
        assert all(set(row) == set(table.names) for row in table.rows)
        assert 0 <= table.confidence <= 1


def test_the_final_records_are_found_by_an_explicit_stage() -> None:
    items = "".join(make_tile(n).replace(" class='item'", "") for n in range(8))
    pager = "<li><a href=/2>Next page</a></li>"
    region = find_regions(Tree.parse(make_page(f"<ul>{items}{pager}</ul>")), 1)[0]
    assert len(region.candidates.records) == 9
    assert len(region.refine().records) == 8
    assert region.description == "8 records in a ul: each li"
    assert region.short_description == "a list in a ul: each li"


def test_a_list_without_boxes_loses_to_a_list_on_the_screen() -> None:
    hidden = "".join(f"<p><a href=/{n}>Chair {n}</a><br>{ABOUT.format(n=n) * 2}</p>" for n in range(9))
    html = make_page(
        f"<div id='drawer'>{hidden}</div><h2>Chairs</h2><ul id='shown'>{''.join(map(make_tile, range(9)))}</ul>"
    )
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


def set_boxes(tree: Tree, tops: list[int], height: float) -> None:
    """Give every element the box of a line, except the tops, and the body, which is 10,000 high."""
    line: Box = (0.0, 0.0, 1000.0, 20.0)
    tree.box = [None if tag == TEXT else line for tag in tree.tag]
    for top in tops:
        tree.box[top] = (0.0, 0.0, 1000.0, height)
    tree.box[tree.body] = (0.0, 0.0, 1000.0, 10_000.0)


def test_a_list_of_large_images_is_the_main_list_by_its_area() -> None:
    tiles = "".join(f"<li><a href='/{n}'><img src='/{n}.png'>Chair {n}</a></li>" for n in range(8))
    tree = Tree.parse(make_page(f"<ul>{tiles}</ul><div>{'About the shop and its chairs. ' * 80}</div>"))
    best = find_regions(tree, 1)[0]
    assert not is_main(best)
    set_boxes(tree, [record[0] for record in best.refine().records], 1000.0)
    assert is_main(find_regions(tree, 1)[0])


def test_a_list_that_covers_little_area_has_a_lower_confidence() -> None:
    tree = Tree.parse(make_article())
    before = find_regions(tree, 1)[0]
    set_boxes(tree, [record[0] for record in before.refine().records], 40.0)
    assert find_regions(tree, 1)[0].confidence < before.confidence


@pytest.mark.parametrize(("tag", "is_list"), [("div", True), ("nav", False)])
def test_a_list_with_the_main_content_may_be_called_a_menu(tag: str, is_list: bool) -> None:
    items = "".join(f"<p><a href='/{n}.pdf'>Rules about chairs, part {n}, as amended</a></p>" for n in range(20))
    other = f"<div>{'The office is open on weekdays. ' * 40}</div>"
    tree = Tree.parse(f"<main>{other}<{tag} class='sidebar'>{items}</{tag}></main>")
    box = tree.parent[tree.find_all("p")[0]]
    context = ListContext(article_log_odds=-1, content=[range(box, tree.end[box])])
    assert is_main(find_regions(tree, 1, context)[0]) == is_list
