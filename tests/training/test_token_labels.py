"""A gold text laid over the tokens of its page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.tree import TEXT, Tree
from duramen.methods.mss.tokens import Tokens, tokenize
from duramen.training.token_labels import ArticleLabel, label

WORDS = "the oak stands in a yard and nobody remembers who has planted it there so long ago".split()


def tokens_of(html: str) -> Tokens:
    return tokenize(Tree.parse(html))


def text_of(tokens: Tokens, labeled: ArticleLabel) -> str:
    """What stands in the text nodes of a labeled block, clipped to it."""
    block = tokens.find_nodes(labeled.start, labeled.stop)
    assert block is not None
    texts = []
    for node in block.nodes:
        if tokens.tree.tag[node] == TEXT:
            start, stop = block.clips.get(node, (0, None))
            texts.append(tokens.tree.text[node][start:stop].strip())
    return "|".join(filter(None, texts))


def test_the_block_is_the_reference_text() -> None:
    tokens = tokens_of("<nav>Home News</nav><p>The old oak stands.</p><p>It is tall.</p><footer>All rights</footer>")
    labeled = label(tokens, "The old oak stands. It is tall.")
    assert labeled is not None
    assert text_of(tokens, labeled) == "The old oak stands.|It is tall."
    assert labeled.quality == 1.0


def test_the_block_counts_its_tags() -> None:
    labeled = label(tokens_of("<p>The old <b>oak</b> stands.</p><p>It is tall.</p>"), "The old oak stands. It is tall.")
    assert labeled is not None
    assert labeled.tags == 4  # <b>, </b>, </p>, <p>
    assert labeled.words == 9  # seven words and two full stops


def test_other_text_inside_the_article_lowers_the_quality() -> None:
    tokens = tokens_of("<p>one two three four five six</p><p>BUY NOW</p><p>seven eight nine ten</p>")
    labeled = label(tokens, "one two three four five six seven eight nine ten")
    assert labeled is not None
    assert text_of(tokens, labeled).startswith("one")
    assert text_of(tokens, labeled).endswith("ten")
    assert labeled.quality == pytest.approx(2 * 10 / (12 + 10))


def test_a_distant_part_of_the_reference_is_left_out() -> None:
    menu = "".join(f"<li>entry {number}" for number in range(30))
    tokens = tokens_of(f"<h1>oak tree</h1><ul>{menu}</ul><p>one two three four five six seven eight</p>")
    labeled = label(tokens, "oak tree one two three four five six seven eight")
    assert labeled is not None
    assert text_of(tokens, labeled) == "one two three four five six seven eight"
    assert labeled.quality == pytest.approx(2 * 8 / (8 + 10))


def test_a_block_may_begin_and_end_inside_a_text_node() -> None:
    tokens = tokens_of("<p>Reuters one two three four five six, read more</p>")
    labeled = label(tokens, "one two three four five six")
    assert labeled is not None
    assert text_of(tokens, labeled) == "one two three four five six,"


def test_symbols_that_open_and_close_belong_to_the_block() -> None:
    tokens = tokens_of("<p>menu</p><p>«One two three four?»</p><p>footer</p>")
    labeled = label(tokens, "One two three four")
    assert labeled is not None
    assert text_of(tokens, labeled) == "«One two three four?»"


def test_symbols_after_a_word_outside_do_not_belong_to_the_block() -> None:
    tokens = tokens_of("<p>(London) — one two three four five</p>")
    labeled = label(tokens, "one two three four five")
    assert labeled is not None
    assert text_of(tokens, labeled) == "one two three four five"


@pytest.mark.parametrize("gold", ["", "   ", "völlig andere Wörter", "?!"])
def test_a_page_without_words_of_the_reference_has_no_label(gold: str) -> None:
    assert label(tokens_of("<p>one two three</p>"), gold) is None


def test_a_page_without_words_has_no_label() -> None:
    assert label(tokens_of("<p><img></p>"), "one two three") is None


def test_characters_are_words_where_there_are_no_spaces() -> None:
    tokens = tokens_of("<nav>首页</nav><p>一棵橡树立在院子里。</p><footer>版权</footer>")
    labeled = label(tokens, "一棵橡树立在院子里。")
    assert labeled is not None
    assert text_of(tokens, labeled) == "一棵橡树立在院子里。"


def test_tokens_of_several_words_or_none_are_aligned() -> None:
    tokens = tokens_of("<p>menu</p><p>snake_case __init__ __ and some more words here</p><p>end</p>")
    labeled = label(tokens, "snake_case __init__ __ and some more words here")
    assert labeled is not None
    assert text_of(tokens, labeled) == "snake_case __init__ __ and some more words here"
    assert labeled.quality == 1.0


@given(
    before=st.lists(st.sampled_from(["Home", "Shop", "Login"]), max_size=5),
    paragraphs=st.lists(st.lists(st.sampled_from(WORDS), min_size=1, max_size=12), min_size=1, max_size=5),
    after=st.lists(st.sampled_from(["Terms", "Privacy", "Impressum"]), max_size=5),
)
def test_adjacent_paragraphs_are_labeled_completely(
    before: list[str], paragraphs: list[list[str]], after: list[str]
) -> None:
    html = "".join(f"<p>{' '.join(words)}</p>" for words in [before, *paragraphs, after])
    labeled = label(tokens_of(html), "\n".join(" ".join(words) for words in paragraphs))
    assert labeled is not None
    assert labeled.quality == 1.0
    assert text_of(tokens_of(html), labeled) == "|".join(" ".join(words) for words in paragraphs)


def test_a_good_block_has_no_flaw() -> None:
    assert ArticleLabel(0, 60, 1.0, tags=10).find_flaw() is None


def test_fewer_than_fifty_words_and_symbols_are_a_flaw() -> None:
    assert ArticleLabel(0, 59, 1.0, tags=10).find_flaw() == "fewer than 50 words and symbols"
    assert ArticleLabel(0, 59, 1.0, tags=10).find_flaw(fewest=49) is None


def test_more_than_a_fifth_of_tags_is_a_flaw() -> None:
    assert ArticleLabel(0, 100, 1.0, tags=20).find_flaw() is None
    assert ArticleLabel(0, 100, 1.0, tags=21).find_flaw() == "more than 20% tags"
    assert ArticleLabel(0, 100, 1.0, tags=21).find_flaw(most_tags=0.5) is None
