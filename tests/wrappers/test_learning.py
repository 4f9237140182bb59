"""From pages of a site to its wrapper, and what cannot be learnt from."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wrappers.invented import TOPICS, html, page, prose, site

import duramen
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.wrappers import PAPER, Item, Parts, SamplePage, learn, learn_all, update
from duramen.wrappers.clustering import path_sets, templates
from duramen.wrappers.learning import ONE_PAGE
from duramen.wrappers.wrapper_file import dumps, loads

SHARE = '<div class="share"><a href="/f">Share this</a> <a href="/t">Tweet this</a></div>'
RELATED = '<ul class="see"><li><a href="/{0}1">A story of {0}</a></li><li><a href="/{0}2">Two more of {0}</a></li></ul>'


def test_a_wrapper_finds_the_article_on_a_page_it_has_not_seen() -> None:
    wrapper = duramen.learn(site(5))
    content = wrapper.extract(page(7))
    assert content.text.startswith("All about the railway today")
    assert content.text.count("The railway has its") == 16
    assert "Read also" not in content.text
    assert "Copyright" not in content.text


def test_it_says_where_how_sure_and_from_what() -> None:
    wrapper = learn(site(5))
    assert wrapper.xpath == "//div[@id='main']"
    assert wrapper.paper_xpath.startswith("//div[contains(@class,'story') and contains(@id,'main') and (@dfs='")
    assert wrapper.headlines == ("//h1",)
    assert (wrapper.support, len(wrapper.pages)) == (1.0, 5)
    assert 0.9 < wrapper.confidence <= 1.0
    assert "heartwood" in wrapper.pages[0].signifiers
    assert wrapper.candidates[0].clue == "//div[@class='story' and @id='main']"
    assert wrapper.candidates[0].relevance > wrapper.candidates[1].relevance


def test_the_papers_form_keeps_the_region_as_it_stands() -> None:
    wrapper = learn(site(5, inside=SHARE), PAPER)
    assert wrapper.headlines == ()
    text = wrapper.extract(page(6, inside=SHARE)).text
    assert "Share this" in text
    assert "All about" not in text


def test_what_repeats_inside_the_region_and_lists_of_links_go() -> None:
    pages = [page(n, inside=SHARE + RELATED.format(TOPICS[n][0]) + "<p>Sign up for our letter.</p>") for n in range(6)]
    text = learn(pages[:5]).extract(pages[5]).text
    assert text.count("The glacier has its") == 16
    for gone in ("Share this", "A story of", "Sign up"):
        assert gone not in text


def test_new_words_stay_where_on_other_pages_the_sites_own_lines_stood() -> None:
    pages = [page(n, inside="<div class=notes><p>Follow us on the radio.</p></div>") for n in range(5)]
    other = page(6, inside="<div class=notes><p>A note about this hive alone.</p></div>")
    assert "A note about this hive alone." in learn(pages).extract(other).text


def test_a_heading_that_some_articles_share_stays() -> None:
    own = "<h2>On {0}</h2><p>{1}</p><h2>Of {0}</h2><h2>{2}</h2>"
    pages = [
        page(n, inside=own.format(TOPICS[n][0], prose(n, 2, 40), "Summary" if n % 2 else "What is left"))
        for n in range(6)
    ]
    assert "Summary" in learn(pages[:5]).extract(pages[5]).text


def test_comments_and_captions_are_kept_on_demand() -> None:
    caption = "<figure><figcaption>Seen by {0}.</figcaption></figure>"
    extra = caption + "<div id=comments><p>I like {0}s, says a reader.</p></div>"
    pages = [page(n, inside=extra.format(TOPICS[n][0])) for n in range(5)]
    wrapper = learn(pages[:4])
    assert "says a reader" not in wrapper.extract(pages[4]).text
    assert "Seen by violin" not in wrapper.extract(pages[4]).text
    everything = replace(wrapper, parts=Parts(captions=True, comments=True))
    assert "says a reader" in everything.extract(pages[4]).text
    assert "Seen by violin" in everything.extract(pages[4]).text


def test_a_lead_between_headline_and_body_is_kept_and_a_byline_is_not() -> None:
    before = "<p class=deck>{0} and its {1}, {2}, {3}: {0} {1}.</p><p class=by>By Jane Roe, staff writer number {4}</p>"
    pages = []
    for n in range(6):
        name, listed = TOPICS[n]
        words = listed.split()
        pages.append(page(n, before=before.format(name, words[1], words[5], words[7], n)))
    text = learn(pages[:5]).extract(pages[5]).text
    assert "glacier and its crevasse" in text
    assert "Jane Roe" not in text


def test_pages_of_another_make_get_a_region_of_their_own() -> None:
    wrapper = learn([*site(9), page(9, main='<div id="feature">')])
    assert [(place.xpath, place.pages) for place in wrapper.regions] == [
        ("//div[@id='main']", 9),
        ("//div[@id='feature']", 1),
    ]
    assert wrapper.extract(page(8, main='<div id="feature">')).text.count("The telescope has its") == 16


def test_a_redesigned_page_does_not_fit_and_the_content_says_so() -> None:
    wrapper = learn(site(4))
    redesigned = Page.parse(html(5).replace('id="main" class="story"', 'id="x"'))
    content = wrapper.extract(redesigned)
    assert not content
    assert "does not fit the wrapper" in content.reason
    assert not wrapper.fits(redesigned)


def test_an_element_of_that_name_without_text_does_not_fit() -> None:
    assert not learn(site(4)).extract(Page.parse('<div id="main" class="story"><img src=x></div><p>Text.'))


def test_text_where_none_stood_in_the_sample_does_not_fit() -> None:
    shop = Page.parse('<div id="main" class="story"><table class="prices"><tr><td>Nails 3.50</td></tr></table></div>')
    assert not learn(site(4)).extract(shop)


def test_a_method_may_stand_in_where_a_page_does_not_fit() -> None:
    redesigned = Page.parse(html(5).replace('id="main" class="story"', 'id="x"'))
    content = learn(site(4)).extract(redesigned, fallback=duramen.methods.get("mss-simple"))
    assert "The glacier has its" in content.text
    assert content.method == "mss-simple"
    assert content.reason.startswith("the page does not fit the wrapper")


def test_a_method_may_be_restricted_to_what_the_wrapper_keeps() -> None:
    wrapper, method = learn(site(4)), duramen.methods.get("mss-simple")
    lone = page(6)
    content = wrapper.extract(lone, within=method)
    own, other = wrapper.extract(lone), method(lone)
    nodes = {node for span in content.spans for node in span}
    assert nodes == {n for span in own.spans for n in span} & {n for span in other.spans for n in span}
    assert "mss-simple" in content.reason
    assert "Read also" not in content.text


def test_what_a_method_read_though_it_is_hidden_is_kept_within_a_wrapper() -> None:
    start, *others = html(6).split("The beekeeper has its honey", 1)
    hidden = Page.parse(f"{start}The beekeeper has <b hidden>seen it all</b> its honey{others[0]}")

    def unveiling(given: Page) -> duramen.Content:
        return duramen.Content(replace(given, tree=given.tree.ignoring_hidden()), "all", "", (range(len(given.tree)),))

    wrapper = learn(site(4))
    assert "seen it all" not in wrapper.extract(hidden).text
    assert "seen it all" in wrapper.extract(hidden, within=unveiling).text


def test_a_method_that_finds_nothing_in_the_region_changes_nothing() -> None:
    wrapper = learn(site(4))
    nothing = lambda page: duramen.Content(page, "none", "nothing")  # noqa: E731
    assert wrapper.extract(page(6), within=nothing).text == wrapper.extract(page(6)).text


def test_html_may_be_given_as_text_and_bytes() -> None:
    wrapper = learn([html(0), html(1).encode(), page(2)])
    assert "violin" in wrapper.extract(html(4)).text


def test_one_page_is_enough_and_the_notes_say_what_was_missing() -> None:
    wrapper = learn([page(0)])
    assert wrapper.notes == (ONE_PAGE,)
    assert wrapper.xpath == "//div[@id='main']"


def test_signifiers_may_come_from_a_feed() -> None:
    pages = [SamplePage(page(n), Item(TOPICS[n][0], TOPICS[n][1])) for n in range(4)]
    assert learn(pages, signifiers="feed").xpath == "//div[@id='main']"
    half = [*pages, SamplePage(page(4))]
    assert "1 of 5 pages have no signifiers (feed)" in learn(half, signifiers="feed").notes


@pytest.mark.parametrize(
    ("pages", "message"),
    [
        ([], "there is no page to learn from"),
        ([page(0)] * 3, "the 3 pages are all the same"),
        (
            [Page.parse(html(0), "http://a.test/1"), Page.parse(html(1), "http://b.test/1")],
            "different sites: a.test, b.test",
        ),
        (
            [page(0), Page.parse("<main><section class=q><article><p>Other words</p></article></section></main>")],
            "no tag paths in common",
        ),
        ([Page.parse("<p>.</p>"), Page.parse("<p>,</p>")], "none of the pages holds a signifier"),
    ],
    ids=["none", "identical", "two hosts", "two makes", "no words"],
)
def test_what_cannot_be_learnt_from_is_said(pages: list[Page], message: str) -> None:
    with pytest.raises(InputError, match=message):
        learn(pages)


def test_subdomains_are_of_one_site() -> None:
    pages = [Page.parse(html(n), f"http://{host}.ring.co.uk/{n}") for n, host in enumerate(["www", "blog", "news"])]
    assert learn(pages).site == "ring.co.uk"


def test_copies_among_the_pages_are_left_out() -> None:
    wrapper = learn([page(0), page(0), page(1), page(2)])
    assert len(wrapper.pages) == 3
    assert wrapper.notes == ("left out 1 of 4 pages: they repeat another",)


def test_an_unknown_source_of_signifiers_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown signifiers"):
        learn(site(2), signifiers="gut feeling")


def second_template(topic: int) -> str:
    items = "".join(
        f"<section class=entry><blockquote>{prose(topic, 3, 9 * i)}</blockquote></section>" for i in range(3)
    )
    return (
        f"<html lang=en><title>{topic}</title><header class=top><em>Blog</em></header><main class=posts>{items}</main>"
    )


def test_templates_are_told_apart_and_strays_named() -> None:
    pages = [
        *(SamplePage(page(n), name=f"news-{n}") for n in range(4)),
        *(SamplePage(Page.parse(second_template(n)), name=f"blog-{n}") for n in (4, 5, 6)),
        SamplePage(Page.parse("<table class=odd><tr><td>Nothing like it</table>"), name="odd.html"),
    ]
    learnt = learn_all([pages[i] for i in (0, 4, 1, 7, 2, 5, 3, 6)])
    assert [[source.name for source in wrapper.pages] for wrapper in learnt.wrappers] == [
        ["news-0", "news-1", "news-2", "news-3"],
        ["blog-4", "blog-5", "blog-6"],
    ]
    assert [stray.name for stray in learnt.strays] == ["odd.html"]
    assert "of its tag paths with the nearest template" in learnt.strays[0].reason
    assert learnt.extract(second_template(8)).text.count("The telescope") == 9
    assert "violin" in learnt.extract(html(4)).text


def test_pages_none_of_which_are_alike_teach_nothing() -> None:
    odd = [Page.parse(f"<{tag} class={tag}><{tag}>some words {tag}") for tag in ("main", "section", "table", "ul")]
    with pytest.raises(InputError, match="no two of the 4 pages share a template"):
        learn_all(odd)


def test_templates_do_not_depend_on_the_order_of_the_pages() -> None:
    trees = [*(one.tree for one in site(3)), *(Page.parse(second_template(n)).tree for n in range(3))]
    groups = {frozenset(one.pages) for one in templates(path_sets(trees))}
    backwards = {frozenset(5 - at for at in one.pages) for one in templates(path_sets(trees[::-1]))}
    assert groups == backwards == {frozenset({0, 1, 2}), frozenset({3, 4, 5})}


def test_learning_is_deterministic() -> None:
    assert learn(site(5)) == learn(site(5))


TAGS = (
    "<div id=a1>|<div class='x y'>|</div>|<p>|<table><td>|</table>|<a href=x>|</a>|<h1>|<ul class=comment><li>|<svg><a>"
)
WORDS = 'oak bark. |lava ash, |<title>Oak</title>|汉字，|<o:p>|<b id="q\'">'
soup = st.lists(st.sampled_from(f"{TAGS}|{WORDS}".split("|")), max_size=30).map("".join)


@settings(deadline=None)
@given(pages=st.lists(soup, min_size=1, max_size=4))
def test_any_pages_end_in_a_wrapper_or_in_a_sentence(pages: list[str]) -> None:
    try:
        wrapper = learn(pages)
    except InputError:
        return
    for source in pages:
        assert wrapper.extract(source).reason
    with suppress(InputError):
        assert update(loads(dumps(wrapper)), [*pages, "<div id=a1><p>new words"]).regions


def test_many_nested_and_wide_pages_are_learnt_from_in_time() -> None:
    deep = ["<div class=a>" * 3000 + f"<p>deep {word} {word}</p>" for word in ("oak", "lava")]
    wide = ["".join(f"<p>wide {word} {i}</p>" for i in range(4000)) for word in ("oak", "lava")]
    assert learn(deep).extract(deep[0])
    assert learn(wide).extract(wide[1])
