"""CoreEx, by its formula."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import duramen
from duramen.methods.coreex import CoreEx

Kept = Callable[..., list[str]]


def test_links_beside_the_text_are_left_out(kept: Kept) -> None:
    html = "<div><p>a b c d e f g h</p><ul><li><a>x</a></li><li><a>y</a></li></ul><p>i j k l</p></div>"
    assert kept("coreex", html) == ["a b c d e f g h", "i j k l"]


def test_a_link_counts_as_one_word_and_one_link(kept: Kept) -> None:
    # 19 of 20 words are outside the link by this count; by the words it would be 19 of 25, below the threshold.
    long_link = "<p>" + "word " * 19 + "<a>a link of many many words</a></p>"
    html = f"<div>{long_link}<p>{'more ' * 30}</p></div>"
    assert "a link of many many words" in kept(CoreEx(weight_text=0.5), html)


def test_a_child_must_pass_the_threshold(kept: Kept) -> None:
    html = "<div><p>one two three <a>x</a></p><p>four five six seven</p></div>"  # 3 of 4 words outside links
    assert kept("coreex", html) == ["four five six seven"]
    assert kept(CoreEx(threshold=0.7, weight_text=1.0), html) == ["one two three", "x", "four five six seven"]


def test_the_score_weighs_share_of_text_and_share_of_page() -> None:
    # The set of the div: 50 words, one of them a link. The page: these, and a link of its own.
    html = f"<div><p>{'w ' * 19}<a>l</a></p><p>{'w ' * 30}</p></div><a>menu</a>"
    content = CoreEx(weight_ratio=0.9, weight_text=0.1)(duramen.Page.parse(html))
    assert content.confidence == pytest.approx(0.9 * 49 / 50 + 0.1 * 50 / 51)


def test_the_longest_of_pure_text_elements_wins(kept: Kept) -> None:
    assert kept("coreex", "<div><p>a b</p><p>c d</p></div><a>x</a><a>y</a>") == ["a b", "c d"]


def test_a_page_of_links_has_no_content() -> None:
    content = duramen.extract("<a>one</a><a>two</a>", method="coreex")
    assert not content
    assert content.reason == "no element has more than 0.9 of its words outside links"
