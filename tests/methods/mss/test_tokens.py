"""Section 5.2 of the paper: tags, words, symbols, and the open tag."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen import language
from duramen.dom.tree import Tree
from duramen.methods.mss.tokens import NO_TAG, NUMBER, UNKNOWN_END, UNKNOWN_TAG, WORD, hash_term, tokenize


def hashes(*terms: str) -> list[int]:
    return [hash_term(term) for term in terms]


def body(html: str) -> list[int]:
    """The tokens between <body> and </body>."""
    terms = tokenize(Tree.parse(html)).terms.tolist()
    return terms[terms.index(hash_term("<body>")) + 1 : terms.index(hash_term("</body>"))]


def open_tags(html: str) -> list[int]:
    tokens = tokenize(Tree.parse(html))
    terms = tokens.terms.tolist()
    return tokens.open_tags.tolist()[terms.index(hash_term("<body>")) + 1 : terms.index(hash_term("</body>"))]


def test_tags_words_and_symbols() -> None:
    assert body("<p>Trees, grown.</p>") == hashes("<p>", "tree", ",", "grown", ".", "</p>")


def test_words_are_stemmed_and_numbers_are_one() -> None:
    assert body("relational 42 1986") == [hash_term("relat"), NUMBER, NUMBER]


def test_uncommon_tags_are_unknown() -> None:
    assert body("<newselement>a</newselement>") == [UNKNOWN_TAG, hash_term("a"), UNKNOWN_END]


def test_scripts_and_styles_are_discarded_except_their_tags() -> None:
    assert body("a<script>var c</script>b") == hashes("a", "<script>", "</script>", "b")


def test_void_elements_have_one_tag() -> None:
    assert body("a<br>b") == hashes("a", "<br>", "b")


def test_the_open_tag_is_the_most_recent_one_not_closed() -> None:
    assert open_tags("<div>a<b>c</b>d</div>") == hashes("<div>", "<div>", "<b>", "<b>", "<div>", "<div>", "<body>")


def test_a_void_tag_stays_open_until_its_parent_is_closed() -> None:
    assert open_tags("<div>a<br>b</div>c") == hashes("<div>", "<div>", "<br>", "<br>", "<body>", "<body>")


def test_pairs_of_open_tags_differ_by_both_tags() -> None:
    tokens = tokenize(Tree.parse("<div><p>a</p>b</div><main><p>c</p></main><div><p>d<br>e</p></div>"))
    pairs = dict(zip(tokens.terms.tolist(), tokens.open_tag_pairs.tolist(), strict=True))
    a, b, c, d, e = (pairs[hash_term(letter)] for letter in "abcde")
    assert a == d
    assert len({a, b, c, e}) == 4


def test_at_the_end_nothing_is_open() -> None:
    assert tokenize(Tree.parse("a")).open_tags[-1] == NO_TAG


def test_characters_are_words_where_a_script_has_no_spaces() -> None:
    assert body("東京 x") == hashes("東", "京", "x")


def test_a_block_is_converted_back_to_nodes_and_characters() -> None:
    tree = Tree.parse("<p>One two, three.</p><p>Four five</p>")
    tokens = tokenize(tree)
    first = tokens.terms.tolist().index(hash_term("two"))
    last = tokens.terms.tolist().index(hash_term("four"))
    block = tokens.find_nodes(first, last + 1)
    assert block is not None
    assert [tree.text[node] for node in block.nodes if tree.text[node]] == ["One two, three.", "Four five"]
    assert [tree.text[node][slice(*clip)] for node, clip in sorted(block.clips.items())] == ["two, three.", "Four"]


def test_a_block_of_tags_has_no_text() -> None:
    assert tokenize(Tree.parse("<div></div>")).find_nodes(0, 4) is None


@given(st.text(alphabet=st.sampled_from("ab1 .,-_é東京'\u0301\u00ad"), max_size=40), st.data())
def test_any_block_of_a_text_is_cut_at_its_tokens(text: str, data: st.DataObject) -> None:
    tree = Tree.parse(f"<p>{text}</p>")
    tokens = tokenize(tree)
    words = language.tokens(text)
    if not words:
        return
    start = data.draw(st.integers(0, len(words) - 1))
    stop = data.draw(st.integers(start + 1, len(words)))
    offset = tokens.terms.tolist().index(hash_term("<p>")) + 1
    block = tokens.find_nodes(offset + start, offset + stop)
    assert block is not None
    node = block.nodes.start
    assert language.tokens(tree.text[node][slice(*block.clips.get(node, (None, None)))]) == words[start:stop]


@pytest.mark.parametrize("html", ["", "<div>" * 3000, "<br>" * 1000, "a" * 100_000])
def test_unusual_pages_have_tokens(html: str) -> None:
    tokens = tokenize(Tree.parse(html))
    assert len(tokens) == len(tokens.open_tags) == len(tokens.is_tag)


def test_in_shapes_all_words_are_equal() -> None:
    tokens = tokenize(Tree.parse("<p>Trees, 42 東!</p>"))
    first = tokens.terms.tolist().index(hash_term("<p>"))
    shapes = tokens.shapes.tolist()[first : first + 7]
    assert shapes == [hash_term("<p>"), WORD, hash_term(","), NUMBER, WORD, hash_term("!"), hash_term("</p>")]


def test_pages_in_two_languages_can_have_the_same_shape() -> None:
    english, russian = (tokenize(Tree.parse(f"<p>{text}</p>")) for text in ("The oak, old.", "Дуб стоит, старый."))
    assert english.shapes.tolist() == russian.shapes.tolist()
    assert english.terms.tolist() != russian.terms.tolist()
