"""Simple maximum subsequence segmentation, against a plain reading of the paper's figure 1."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from duramen.dom.page import Page
from duramen.dom.tag_sets import VOID_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.language import tokens
from duramen.methods.mss.simple import MssSimple, count_tokens

Kept = Callable[..., list[str]]


def test_words_and_symbols_are_counted() -> None:
    assert count_tokens("Well, it cost 1 euro!") == 7


def test_in_scripts_without_spaces_characters_are_words() -> None:
    assert count_tokens("你好，世界") == 5


@given(st.text())
@example("a_b c__d")
@example("co\xadop")
@example("tab\x1cbed")
def test_tokens_are_counted_as_the_other_mss_methods_split_them(text: str) -> None:
    assert count_tokens(text) == len(tokens(text))


def test_tags_between_paragraphs_lower_the_score(kept: Kept) -> None:
    html = f"<ul><li>a</li><li>b</li></ul><p>{'w ' * 20}</p><p>{'w ' * 10}</p><ul><li>c</li></ul>"
    assert kept("mss-simple", html) == [("w " * 20).strip(), ("w " * 10).strip()]


def test_a_lower_tag_score_splits_the_run(kept: Kept) -> None:
    html = f"<p>{'w ' * 20}</p><p>{'w ' * 10}</p>"
    assert kept(MssSimple(tag_score=-6), html) == [("w " * 20).strip()]


def test_scripts_and_styles_are_discarded(kept: Kept) -> None:
    html = f"<p>text of five words here</p><script>{'code ' * 100}</script><style>{'a ' * 100}</style>"
    assert kept("mss-simple", html) == ["text of five words here"]


def test_a_page_without_words_gives_a_reason() -> None:
    assert MssSimple()(Page.parse("<p> </p>")).reason == "the page has no words"


def by_the_figure(tree: Tree, tag_score: float) -> float:
    """The largest sum over the sequence of all tokens, opening and closing tags written out."""
    scores: list[float] = []
    closing: list[int] = []
    for node, tag in enumerate(tree.tag):
        while closing and tree.end[closing[-1]] <= node:
            closing.pop()
            scores.append(tag_score)
        if tag == TEXT:
            scores += [1.0] * len(re.findall(r"\w+|[^\w\s]", tree.text[node]))
        else:
            scores.append(tag_score)
            if tag not in VOID_TAGS:
                closing.append(node)
    best = total = 0.0
    for score in scores:
        total = max(0.0, total + score)
        best = max(best, total)
    return best


pieces = st.lists(
    st.sampled_from(["<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<br>", "word ", "two words, ", " "])
)


@given(pieces, st.sampled_from([-3.25, -0.5, -10.0]))
def test_the_sum_is_the_largest_there_is(parts: list[str], tag_score: float) -> None:
    page = Page.parse("".join(parts))
    content = MssSimple(tag_score=tag_score)(page)
    best = by_the_figure(page.tree, tag_score)
    assert bool(content) == (best > 0)
    if content:
        tokens = sum(count_tokens(page.tree.text[node]) for node in content.spans[0])
        assert content.confidence * tokens == pytest.approx(best)
