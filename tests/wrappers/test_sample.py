"""Reading a sample: terms, dfs positions, own words, language."""

from __future__ import annotations

from tests.wrappers.sample_site import html, site

from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.language import words
from duramen.wrappers import Sample
from duramen.wrappers.sample import find_comment_nodes, guess_language


def leaves(source: str, **options: bool):  # type: ignore[no-untyped-def]
    return Sample.read([Page.parse(source)], **options).pages[0]


def test_dfs_positions_count_elements_without_scripts_and_noscript() -> None:
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
    assert {"oak", "birch", "elm", "larch"} <= set(leaves(source).term_counts)
    own = set(leaves(source, own_words_only=True).term_counts)
    assert "oak" in own
    assert not {"birch", "elm", "larch"} & own


def test_comments_that_are_most_of_the_page_are_not_comments() -> None:
    tree = Tree.parse("<div class=comments-open><p>The whole of the article stands in here.</div><p>Foot")
    assert not find_comment_nodes(tree)


def test_an_undeclared_language_is_found_by_its_stop_words() -> None:
    assert Sample.read(site(2, lang="")).lang == "en"
    assert Sample.read([Page.parse(html(0, lang=' lang="de-AT"'))]).lang == "de"
    assert guess_language(words("Das Haus ist nicht im Garten, und wir sind mit der Bahn gekommen")) == "de"
    assert guess_language(words("В доме не было никого, когда мы пришли и все ушли")) == "ru"
    assert guess_language(["qwx", "zzk"]) is None
    assert guess_language([]) is None
