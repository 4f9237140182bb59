"""A sample: terms, places, own words, language."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wrappers.invented import html, site

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.dom.visibility import text_nodes
from duramen.language import words
from duramen.wrappers import Sample
from duramen.wrappers.blocks import texts_in
from duramen.wrappers.languages import likeliest
from duramen.wrappers.parts import comment_nodes
from duramen.wrappers.patterns import pattern_of
from duramen.wrappers.steps import BoxPaths, TagPaths, step_of, tolerant_form


def leaves(source: str, **options: bool):  # type: ignore[no-untyped-def]
    return Sample.of([Page.parse(source)], **options).pages[0]


def test_dfs_counts_elements_in_order_without_scripts_and_their_like() -> None:
    page = leaves(
        "<html><head><script>x</script></head><body><noscript><p>no</p></noscript><div><p>a</p>b<i>c</i></div>"
    )
    places = {page.tree.tag[node]: page.dfs[node] for node in range(len(page.tree)) if page.tree.tag[node] != "#text"}
    assert (places["html"], places["head"], places["body"]) == (0, 1, 2)
    assert (places["div"], places["i"]) == (3, 5)


def test_terms_before_makes_the_terms_of_a_subtree_a_difference() -> None:
    page = leaves("<html lang=en><div><p>oak ash</p><p>elm</p></div><p>pine")
    div = page.tree.tag.index("div")
    assert page.terms_before[page.tree.end[div]] - page.terms_before[div] == 3


def test_words_in_lists_of_links_and_in_comments_are_not_the_pages_own() -> None:
    source = (
        "<html lang=en><p>An oak stands <a href=/x>here</a> for many years, and nobody cuts it.</p>"
        "<ul><li>Elm: <a href=/y>birch willow poplar</a></ul><div class=comments-area><p>Larch!</div>"
    )
    assert {"oak", "birch", "elm", "larch"} <= set(leaves(source).frequencies)
    own = set(leaves(source, own_words=True).frequencies)
    assert "oak" in own
    assert not {"birch", "elm", "larch"} & own


def test_what_is_called_comments_and_is_most_of_the_page_is_none() -> None:
    tree = Tree.parse("<div class=comments-open><p>The whole of the article stands in here.</div><p>Foot")
    assert not comment_nodes(tree)


@pytest.mark.parametrize(
    ("value", "wanted"), [("post wrapper-02", "post"), ("post-17", "post-"), ("2012", ""), ("  a b", "a"), ("", "")]
)
def test_tolerant_form_is_the_first_token_without_digits(value: str, wanted: str) -> None:
    assert tolerant_form(value) == wanted


def test_a_step_reads_like_css() -> None:
    assert step_of("div", {"id": "post-12", "class": "story big"}) == "div#post-.story"
    assert step_of("p", {"class": None}) == "p"


def test_an_element_without_telling_attributes_goes_by_its_position() -> None:
    assert pattern_of(3, "p", {"style": "x", "onclick": "y", "id": "12"}, 98).type == "//p[@dfs=98]"
    assert pattern_of(3, "div", {"class": "a-1 b"}, 98).type == "//div[@class='a-']"
    assert pattern_of(3, "div", {"class": "a-1 b"}, 98, tolerant=False).type == "//div[@class='a-1 b']"
    assert pattern_of(1, "body", {}, 5).type == "//body"


def test_paths_start_at_the_nearest_element_with_a_name() -> None:
    tree = Tree.parse("<div id=main><p>a</p><ul class=related><li><b>b</b></ul></div>")
    paths = BoxPaths(tree, tree.tag.index("div"))
    assert paths[tree.tag.index("p")] == "/p"
    assert paths[tree.tag.index("b")] == "ul.related/li/b"
    assert paths[0] == ""


def test_the_same_tag_path_has_the_same_number_on_all_pages() -> None:
    paths = TagPaths()
    first, second = (paths.of(Tree.parse(f"<div id=a-{n}><p class='x y{n}'>text")) for n in (1, 2))
    assert first == second
    assert len(set(first) - {-1}) == 5


def test_a_language_that_no_page_names_is_told_by_its_stop_words() -> None:
    assert Sample.of(site(2, lang="")).lang == "en"
    assert Sample.of([Page.parse(html(0, lang=' lang="de-AT"'))]).lang == "de"
    assert likeliest(words("Das Haus ist nicht im Garten, und wir sind mit der Bahn gekommen")) == "de"
    assert likeliest(words("В доме не было никого, когда мы пришли и все ушли")) == "ru"
    assert likeliest(["qwx", "zzk"]) is None
    assert likeliest([]) is None


@given(st.integers(0, 10_000))
def test_texts_in_an_element_are_those_of_the_page_that_stand_there(seed: int) -> None:
    tags = ["div", "p", "script", "noscript", "div hidden", "span", "select", "p style='display:none'", "b"]
    shuffled = random.Random(seed)
    html = ""
    for number in range(40):
        name = shuffled.choice(tags)
        html += f"<{name}>word {number}" + (f"</{name.split()[0]}>" * shuffled.randint(0, 1))
    tree = Tree.parse(html)
    everywhere = text_nodes(tree)
    for node in range(len(tree)):
        assert texts_in(tree, node) == [text for text in everywhere if node <= text < tree.end[node]]
