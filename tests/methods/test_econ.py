"""ECON, sentence by sentence of its paper."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

import duramen
from duramen import methods
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.econ import Econ

Kept = Callable[..., list[str]]
PAGES = Path(__file__).parents[1] / "pages"


@pytest.mark.parametrize("lang", ["zh", "en", "fr", "de", "it", "ja", "pt", "ru", "es", "ar"])
def test_the_ten_languages_of_the_paper(lang: str) -> None:
    case = PAGES / f"news-{lang}"
    assert (
        duramen.extract(case / "page.html", method="econ").text
        == (case / "expected" / "text-econ.txt").read_text("utf-8").strip()
    )


def test_it_climbs_while_punctuation_grows(kept: Kept) -> None:
    html = "<div><p>One, two, three, four.</p><p>Five.</p></div><ul><li>menu</li></ul>"
    assert kept("econ", html) == ["One, two, three, four.", "Five."]


def test_it_stops_below_the_first_parent_that_adds_no_punctuation(kept: Kept) -> None:
    html = "<div id=outer><div id=inner><p>One, two.</p><p>Three.</p></div><span>noise</span></div><p>Far, away.</p>"
    assert kept("econ", html) == ["One, two.", "Three."]


def test_adjacent_big_nodes_are_joined_before_the_longest_is_chosen(kept: Kept) -> None:
    short = "".join(f"<p>Piece {i}, short.</p>" for i in range(9))
    noise = "<div><i>One long sentence of noise, longer than every single piece of the real text.</i></div>"
    assert kept("econ", f"<div id=n>{noise}</div><table><tr><td>{short}</td></tr></table>")[0] == "Piece 0, short."


def test_a_set_without_punctuation_is_pruned(kept: Kept) -> None:
    html = "<div><p>One, two.</p><ul><li><b>related</b></li></ul><p>Three, four.</p></div>"
    assert kept("econ", html) == ["One, two.", "Three, four."]


def test_a_bold_word_without_a_comma_stays_in_its_sentence(kept: Kept) -> None:
    assert kept("econ", "<p>Plain, <b>bold</b> and <a href=x>linked</a>.</p>") == [
        "Plain,",
        "bold",
        "and",
        "linked",
        ".",
    ]


def test_a_heading_between_paragraphs_belongs_to_their_set(kept: Kept) -> None:
    assert kept("econ", "<div><p>One, two.</p><h2>Heading</h2><p>Three.</p></div>") == [
        "One, two.",
        "Heading",
        "Three.",
    ]


def test_cells_and_divs_with_text_of_their_own_are_big_nodes(kept: Kept) -> None:
    html = "<table><tr><td>menu</td></tr><tr><td>First, second.<br>Third, fourth.</td></tr></table>"
    assert kept("econ", html) == ["First, second.", "Third, fourth."]


def test_a_stray_word_does_not_join_the_whole_page(kept: Kept) -> None:
    html = (
        "<body>x<section><div><p>One, two, three.</p><p>Four, five.</p></div><div>a b c</div></section><div>d, e.</div>"
    )
    assert "a b c" not in kept("econ", html)


def test_periods_and_commas_in_numbers_do_not_count() -> None:
    content = duramen.extract("<div>1,234.56</div><div>7.5 8.25</div>", method="econ")
    assert not content
    assert "neither period nor comma" in content.reason


def test_paragraphs_wrapped_one_by_one_are_found_together(kept: Kept) -> None:
    html = "".join(f"<div class=w><div><p>Paragraph {i}, with a comma.</p></div></div>" for i in range(3))
    html = f"<article>{html}</article><footer><a href=x>menu</a></footer>"
    assert len(kept("econ", html)) == 3
    assert len(kept(Econ(skip_wrappers=False), html)) == 1


def test_the_page_is_not_changed() -> None:
    page = duramen.Page.parse("<div><p>One, two.</p><ul><li><b>related</b></li></ul></div>")
    before = list(page.tree.tag), list(page.tree.text)
    duramen.extract(page, method="econ")
    assert (page.tree.tag, page.tree.text) == before


# The letter of the paper


def strict(html: str) -> str:
    return methods.get("econ", reading="paper")(Page.parse(html)).text


def test_by_the_letter_a_bold_word_without_a_comma_is_pruned() -> None:
    html = "<div><p>The <b>old</b> oak fell, and lay.</p><p>It was late, and dark.</p></div>"
    assert "old" in Econ()(Page.parse(html)).text
    assert "old" not in strict(html)
    assert "oak fell" in strict(html)


def test_by_the_letter_a_stray_word_makes_the_page_one_passage() -> None:
    html = (
        "<body>stray<div id=a><p>The article, in short.</p><p>Its end, too.</p></div>"
        "<ul><li><a href=a>Home</a></li></ul><div>x</div></body>"
    )
    assert "stray" in strict(html)


def test_by_the_letter_a_paragraph_in_a_div_of_its_own_is_the_content() -> None:
    html = "".join(f"<div><p>Paragraph {i}, in a box of its own, is here.</p></div>" for i in range(3))
    html = f"<div>{html}</div>"
    assert strict(html) == "Paragraph 0, in a box of its own, is here."
    assert "Paragraph 2" in Econ()(Page.parse(html)).text


def test_steps_of_backtracking_are_counted() -> None:
    tree = Page.parse("<div><div><p>One, two, three.</p><p>Four.</p></div><div><p>Five.</p></div></div>").tree
    found = Econ().find(tree)
    assert found is not None
    assert (tree.tag[found.snippet], found.steps, found.marks) == ("p", 2, 5)


def test_there_are_two_readings() -> None:
    with pytest.raises(UsageError, match="practical, paper"):
        methods.get("econ", reading="loose")
