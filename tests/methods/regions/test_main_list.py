"""Which list of a page is its main list."""

from __future__ import annotations

import duramen
from duramen import methods
from duramen.data_records.page_context import ListContext
from duramen.data_records.regions import find_regions, is_main, may_have_main_list
from duramen.dom.tree import Tree
from duramen.methods.regions.main_list import MainRegion, find_other_regions

CHAIRS = "".join(
    f"<li><h3><a href=/{n}>Chair {n}</a></h3><p>€ {n}5.00</p><p>Made of oak by hand, glued without nails.</p></li>"
    for n in range(8)
)
MENU = "".join(f"<li><a href=/menu/{n}>Department number {n}</a></li>" for n in range(60))
SENTENCE = "Oak is hard and heavy, and it takes many years until a plank of it is dry enough for a chair. "
ARTICLE = (
    "<article><h1>How a chair is made</h1><p>By Ann Wood, 3 May 2024</p>"
    + "".join(f"<p>{SENTENCE * 4}</p>" for _ in range(20))
    + "</article>"
)
COMMENTS = "".join(
    f"<li class=comment><b>User {n}</b> <time>{n + 1} May 2024</time><p>{SENTENCE}</p></li>" for n in range(12)
)


def test_the_paragraphs_and_comments_of_an_article_are_no_main_list() -> None:
    html = f"<title>How a chair is made</title><main>{ARTICLE}<section id=comments><ol>{COMMENTS}</ol></section></main>"
    table = duramen.records(html)
    assert not table
    assert "no main list" in table.reason
    assert duramen.records_all(html)


def test_a_short_list_in_the_main_content_is_preferred_to_a_longer_menu() -> None:
    short = "".join(
        f"<tr><td>1{n} May 2024</td><td>24-{n}07</td><td><a href=/{n}.pdf>Oak and others v. Elm</a></td></tr>"
        for n in range(4)
    )
    tree = Tree.parse(f"<ul>{MENU}</ul><div><h1>Opinions</h1><table>{short}</table></div>")
    start, table = tree.tag.index("div"), tree.tag.index("tbody")
    assert find_regions(tree, 1)[0].node == tree.tag.index("ul")
    in_content = find_regions(tree, 1, ListContext(-1.0, (range(start, tree.end[start]),)))[0]
    assert in_content.node == table
    assert is_main(in_content)
    in_article = find_regions(tree, 1, ListContext(2.0, (range(start, tree.end[start]),)))[0]
    assert in_article.confidence < in_content.confidence


def test_no_list_is_the_main_list_of_a_sure_article() -> None:
    assert may_have_main_list(ListContext(1.0))
    assert not may_have_main_list(ListContext(4.0))


def test_a_hidden_list_is_the_main_list_of_a_page_without_another() -> None:
    page = duramen.Page.parse(
        f"<title>Chairs</title><body><h1>Chairs</h1><p>Loading, please wait a moment until all chairs are shown here."
        f"</p><nav><a href=/>Home</a> <a href=/help>Help</a></nav><div style='display:none'><ul>{CHAIRS}</ul></div>"
    )
    table = duramen.records(page)
    assert len(table) == 8
    assert table.rows[0]["title"] == "Chair 0"
    assert methods.get("region")(page).node == page.tree.tag.index("ul")


def test_a_hidden_list_beside_a_visible_one_stays_hidden() -> None:
    page = f"<h1>Chairs</h1><ul id=shown>{CHAIRS}</ul><div style='display:none'><ul id=menu>{MENU * 4}</ul></div>"
    table = duramen.records(page)
    assert table.node is not None
    assert table.page.tree.attributes[table.node].get("id") == "shown"


def test_two_similar_records_are_a_list_and_two_different_ones_are_not() -> None:
    about = "Made of oak by hand, glued without nails, oiled three times, and good for a hundred years in any house."
    two = "".join(
        f"<div class=hit><h3><a href=/{n}>Chair {n}</a></h3><p>€ {n}5.00</p><p>{about}</p></div>" for n in range(2)
    )
    assert len(duramen.records(f"<title>Search results</title><div id=hits>{two}</div>")) == 2
    different = f"<div><h3>Chairs</h3><p>{about}</p></div><div><form><input></form><a href=/>Home</a> {about}</div>"
    assert not duramen.records(f"<title>Search results</title><div id=hits>{different}</div>")


def test_where_the_first_list_is_none_the_others_are_tried() -> None:
    chairs = "".join(f"<div><h3><a href=/c/{n}>Chair {n} of oak</a></h3><b>${n}.50</b></div>" for n in range(9))
    letters = "".join(f"<tr><td>Letter {n} of the guild of joiners</td><td>19{n}0</td></tr>" for n in range(9))
    page = duramen.Page.parse(f"<main><div>{chairs}</div><table>{letters}</table></main>".encode())
    first = find_regions(page.tree)[0]
    context = ListContext(-2.0, (), False)
    others = find_other_regions(MainRegion(page, first, "", context))
    assert others
    assert all(other.node != first.node for other in others)
    assert find_other_regions(MainRegion(page, first, "", ListContext(1.0, (), False))) == []
    assert find_other_regions(MainRegion(page, None, "", context)) == []
