"""Learning wrappers from pages."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.wrappers.sample_site import TOPICS, html, page, prose, second_template, site

from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.wrappers import PAPER_SETTINGS, LearnSettings, PageDescription, SamplePage, learn, learn_all, update
from duramen.wrappers.learning import ONE_PAGE_NOTE
from duramen.wrappers.wrapper_json import format_wrapper, parse_wrapper

SHARE = '<div class="share"><a href="/f">Share this</a> <a href="/t">Tweet this</a></div>'
RELATED = '<ul class="see"><li><a href="/{0}1">A story of {0}</a></li><li><a href="/{0}2">Two more of {0}</a></li></ul>'


def test_a_wrapper_has_xpath_confidence_and_source_pages() -> None:
    wrapper = learn(site(5))
    assert wrapper.xpath == "//div[@id='main']"
    assert wrapper.paper_xpath.startswith("//div[contains(@class,'story') and contains(@id,'main') and (@dfs='")
    assert wrapper.headlines == ("//h1",)
    assert (wrapper.support, len(wrapper.pages)) == (1.0, 5)
    assert 0.9 < wrapper.confidence <= 1.0
    assert "heartwood" in wrapper.pages[0].signifiers
    assert wrapper.candidates[0].clue == "//div[@class='story' and @id='main']"
    assert wrapper.candidates[0].relevance > wrapper.candidates[1].relevance


def test_the_paper_settings_keep_the_whole_region() -> None:
    wrapper = learn(site(5, inside=SHARE), settings=PAPER_SETTINGS)
    assert wrapper.headlines == ()
    text = wrapper.extract(page(6, inside=SHARE)).text
    assert "Share this" in text
    assert "All about" not in text


def test_repeated_text_and_lists_of_links_in_the_region_are_dropped() -> None:
    pages = [page(n, inside=SHARE + RELATED.format(TOPICS[n][0]) + "<p>Sign up for our letter.</p>") for n in range(6)]
    text = learn(pages[:5]).extract(pages[5]).text
    assert text.count("The glacier has its") == 16
    for gone in ("Share this", "A story of", "Sign up"):
        assert gone not in text


def test_new_words_are_kept_where_other_pages_have_boilerplate() -> None:
    pages = [page(n, inside="<div class=notes><p>Follow us on the radio.</p></div>") for n in range(5)]
    other = page(6, inside="<div class=notes><p>A note about this hive alone.</p></div>")
    assert "A note about this hive alone." in learn(pages).extract(other, mode="exact").text


def test_a_heading_that_some_articles_share_is_kept() -> None:
    own = "<h2>On {0}</h2><p>{1}</p><h2>Of {0}</h2><h2>{2}</h2>"
    pages = [
        page(n, inside=own.format(TOPICS[n][0], prose(n, 2, 40), "Summary" if n % 2 else "What is left"))
        for n in range(6)
    ]
    assert "Summary" in learn(pages[:5]).extract(pages[5], mode="exact").text


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


def test_pages_of_another_structure_get_their_own_region() -> None:
    wrapper = learn([*site(9), page(9, main='<div id="feature">')])
    assert [(place.xpath, place.pages) for place in wrapper.regions] == [
        ("//div[@id='main']", 9),
        ("//div[@id='feature']", 1),
    ]
    assert wrapper.extract(page(8, main='<div id="feature">')).text.count("The telescope has its") == 16


def test_pages_may_be_str_and_bytes() -> None:
    wrapper = learn([html(0), html(1).encode(), page(2)])
    assert "violin" in wrapper.extract(html(4)).text


def test_one_page_is_enough_and_gives_a_note() -> None:
    wrapper = learn([page(0)])
    assert wrapper.notes == (ONE_PAGE_NOTE,)
    assert wrapper.xpath == "//div[@id='main']"


def test_signifiers_may_come_from_a_feed() -> None:
    pages = [SamplePage(page(n), PageDescription(TOPICS[n][0], TOPICS[n][1])) for n in range(4)]
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
def test_pages_that_teach_nothing_raise_an_error(pages: list[Page], message: str) -> None:
    with pytest.raises(InputError, match=message):
        learn(pages)


def test_subdomains_are_of_one_site() -> None:
    pages = [Page.parse(html(n), f"http://{host}.ring.co.uk/{n}") for n, host in enumerate(["www", "blog", "news"])]
    assert learn(pages).site == "ring.co.uk"


def test_copies_of_pages_are_left_out() -> None:
    wrapper = learn([page(0), page(0), page(1), page(2)])
    assert len(wrapper.pages) == 3
    assert wrapper.notes == ("left out 1 of 4 pages: they repeat another",)


def test_an_unknown_source_of_signifiers_is_refused() -> None:
    with pytest.raises(UsageError, match="unknown signifiers"):
        learn(site(2), signifiers="gut feeling")


def test_each_template_gets_a_wrapper_and_stray_pages_are_listed() -> None:
    pages = [
        *(SamplePage(page(n), name=f"news-{n}") for n in range(4)),
        *(SamplePage(Page.parse(second_template(n)), name=f"blog-{n}") for n in (4, 5, 6)),
        SamplePage(Page.parse("<table class=odd><tr><td>Nothing like it</table>"), name="odd.html"),
    ]
    learned = learn_all([pages[i] for i in (0, 4, 1, 7, 2, 5, 3, 6)])
    assert [[source.name for source in wrapper.pages] for wrapper in learned.wrappers] == [
        ["news-0", "news-1", "news-2", "news-3"],
        ["blog-4", "blog-5", "blog-6"],
    ]
    assert [stray.name for stray in learned.strays] == ["odd.html"]
    assert "of its tag paths with the nearest template" in learned.strays[0].reason
    assert learned.extract(second_template(8)).text.count("The telescope") == 9
    assert "violin" in learned.extract(html(4)).text


def test_pages_without_a_common_template_raise_an_error() -> None:
    odd = [Page.parse(f"<{tag} class={tag}><{tag}>some words {tag}") for tag in ("main", "section", "table", "ul")]
    with pytest.raises(InputError, match="no two of the 4 pages share a template"):
        learn_all(odd)


def test_learning_is_deterministic() -> None:
    assert learn(site(5)) == learn(site(5))


TAGS = (
    "<div id=a1>|<div class='x y'>|</div>|<p>|<table><td>|</table>|<a href=x>|</a>|<h1>|<ul class=comment><li>|<svg><a>"
)
WORDS = 'oak bark. |lava ash, |<title>Oak</title>|汉字，|<o:p>|<b id="q\'">'
soup = st.lists(st.sampled_from(f"{TAGS}|{WORDS}".split("|")), max_size=30).map("".join)


@settings(deadline=None)
@given(pages=st.lists(soup, min_size=1, max_size=4))
def test_any_pages_give_a_wrapper_or_an_input_error(pages: list[str]) -> None:
    try:
        wrapper = learn(pages)
    except InputError:
        return
    for source in pages:
        assert wrapper.extract(source).reason
    with suppress(InputError):
        assert update(parse_wrapper(format_wrapper(wrapper)), [*pages, "<div id=a1><p>new words"]).regions


def test_deep_and_wide_pages_take_linear_time() -> None:
    deep = ["<div class=a>" * 3000 + f"<p>deep {word} {word}</p>" for word in ("oak", "lava")]
    wide = ["".join(f"<p>wide {word} {i}</p>" for i in range(4000)) for word in ("oak", "lava")]
    assert learn(deep).extract(deep[0])
    assert learn(wide).extract(wide[1])


def test_options_are_passed_one_by_one_or_as_settings() -> None:
    settings = LearnSettings(k=3, measure="ju")
    assert learn(site(3), settings=settings) == learn(site(3), k=3, measure="ju")
    with pytest.raises(UsageError, match="one by one or as settings, not both"):
        learn(site(3), settings=settings, k=5)
    with pytest.raises(UsageError, match="unknown measure 'jj'"):
        learn(site(3), measure="jj")
