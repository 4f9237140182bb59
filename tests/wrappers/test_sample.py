"""Reading a sample: terms, dfs positions, own words, language, signifiers."""

from __future__ import annotations

import pytest
from tests.wrappers.sample_site import html, page, site

from duramen import language
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import UsageError
from duramen.language import guess_language, words
from duramen.wrappers import PageDescription, Sample, SamplePage
from duramen.wrappers.sample import (
    LINKS,
    SIGNIFIER_SOURCES,
    BackgroundCounts,
    find_comment_nodes,
    find_signifiers,
    find_signifiers_of_one_page,
)
from duramen.wrappers.tag_paths import COMMENTS


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
    own = set(leaves(source, foreign=(LINKS, COMMENTS)).term_counts)
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


@pytest.mark.parametrize("source", SIGNIFIER_SOURCES)
def test_every_source_gives_a_list_for_each_page_with_weights_that_add_up(source: str) -> None:
    pages = [
        SamplePage(
            Page.parse(html(n), f"http://ring.test/{n}"), PageDescription(f"Oak {n}", "Bark and rings"), "oak bark"
        )
        for n in (0, 1)
    ]
    found = find_signifiers(Sample.read(pages), source)
    assert len(found) == 2
    for terms in found:
        assert not terms or sum(terms.values()) == pytest.approx(1.0)
        assert list(terms.values()) == sorted(terms.values(), reverse=True)


def test_tfidf_takes_what_is_frequent_here_and_rare_elsewhere() -> None:
    found = find_signifiers(Sample.read(site(), foreign=(LINKS, COMMENTS)), "tfidf", 3)
    assert [next(iter(terms)) for terms in found] == ["heartwood", "volcano", "bakeri", "lighthous", "violin"]
    assert all(len(terms) == 3 for terms in found)
    assert not any("ring" in terms for terms in found[1:])  # the site's name is on every page


def test_the_feed_gives_title_and_description() -> None:
    sample = Sample.read([SamplePage(page(0), PageDescription("Old oaks", "Bark, bark.")), SamplePage(page(1))], "en")
    first, second = find_signifiers(sample, "feed")
    assert list(first) == ["bark", "oak"]
    assert first["bark"] == pytest.approx(2 / 3)
    assert second == {}


def test_metadata_leaves_out_terms_of_every_page() -> None:
    found = find_signifiers(Sample.read(site(3)), "metadata")
    assert list(found[1]) == ["volcano"]
    keywords = Page.parse("<html lang=en><meta name=keywords content='lava, ash'><p>Lava</p>")
    assert set(find_signifiers(Sample.read([keywords]), "metadata")[0]) == {"lava", "ash"}


def test_anchors_are_the_links_to_the_page_on_the_other_pages() -> None:
    pages = [
        Page.parse('<html lang="en"><a href="/b#top">lava flows</a> <a href="/a">home</a>', "http://ring.test/a"),
        Page.parse('<html lang="en"><a href="https://ring.test/a/">oak bark</a>', "http://ring.test/b"),
    ]
    found = find_signifiers(Sample.read(pages), "anchors")
    assert [set(terms) for terms in found] == [{"oak", "bark"}, {"lava", "flow"}]


def test_a_query_is_the_same_for_every_page_and_still_counts() -> None:
    sample = Sample.read([SamplePage(page(0), query="oak trees"), SamplePage(page(1), query="oak trees")])
    assert find_signifiers(sample, "query")[1] == {"oak": 0.5, "tree": 0.5}


def test_signifiers_are_found_in_any_language() -> None:
    pages = [Page.parse(f'<html lang="{lang}"><p>{text}</p>') for lang, text in (("ru", "Леса и леса"), ("ru", "Море"))]
    assert [list(terms) for terms in find_signifiers(Sample.read(pages), "tfidf")] == [["лес"], ["мор"]]
    pages = [Page.parse(f'<html lang="zh"><p>{text}</p>') for text in ("东京东京", "北海")]
    assert "东京" in find_signifiers(Sample.read(pages), "tfidf")[0]


def test_signifiers_of_one_page_are_metadata_terms_then_frequent_terms() -> None:
    lone = Page.parse("<html lang=en><title>Oak</title><p>bark bark oak moss</p>")
    assert set(find_signifiers_of_one_page(Sample.read([lone]), 2)[0]) == {"oak", "bark"}
    assert set(find_signifiers_of_one_page(Sample.read([lone]), 1)[0]) == {"oak"}


def test_pages_seen_before_change_the_weights() -> None:
    lone = Sample.read([Page.parse("<html lang=en><p>oak bark</p>")])
    assert list(find_signifiers(lone, "tfidf", 1, BackgroundCounts(4, {"bark": 4}))[0]) == ["oak"]


def test_unknown_sources_and_counts_raise_an_error() -> None:
    with pytest.raises(UsageError, match="did you mean 'tfidf'"):
        find_signifiers(Sample.read(site(2)), "tfidff")
    with pytest.raises(UsageError, match="one signifier or more, not 0"):
        find_signifiers(Sample.read(site(2)), "tfidf", 0)


def test_lists_of_links_and_comments_are_foreign_one_by_one() -> None:
    source = (
        "<div><p>The oak is old.</p><ul><li><a href=/b>Related beech story</a></li></ul>"
        "<div class=comments><p>I prefer willows.</p></div><p>It stands in the yard for long, and will stand.</p></div>"
    )
    pages = [SamplePage(Page.parse(source))]

    def terms(foreign: tuple[str, ...]) -> set[str]:
        return set(Sample.read(pages, "en", foreign=foreign).pages[0].term_counts)

    assert {"beech", "willow"} <= terms(())
    assert terms(()) & {"beech", "willow"} - terms((LINKS,)) == {"beech"}
    assert terms(()) & {"beech", "willow"} - terms((COMMENTS,)) == {"willow"}


def test_pairs_of_the_feed_item_must_be_on_the_page() -> None:
    item = PageDescription("Ancient oak falls", "The mayor of the town is sad")
    page = Page.parse("<p>The ancient oak is gone.</p><p>A mayor came.</p><p>The town council met.</p>")
    sample = Sample.read([SamplePage(page, item)], "en")
    (plain,) = find_signifiers(sample, "feed")
    (pairs,) = find_signifiers(sample, "feed-bigrams")
    assert "mayor" in plain
    assert set(pairs) == {*language.terms("ancient oak", "en")}
