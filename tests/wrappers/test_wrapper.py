"""Applying a wrapper, or a set of wrappers, to pages."""

from __future__ import annotations

from dataclasses import replace

from tests.wrappers.sample_site import TOPICS, html, page, second_template, site

import duramen
from duramen.dom.page import Page
from duramen.dom.tree_queries import ignore_hidden
from duramen.wrappers import KeepOptions, Wrapper, WrapperSet, learn
from duramen.wrappers.wrapper import RegionSelector


def test_a_wrapper_finds_the_article_on_a_page_it_has_not_seen() -> None:
    wrapper = duramen.learn(site(5))
    content = wrapper.extract(page(7))
    assert content.text.startswith("All about the railway today")
    assert content.text.count("The railway has its") == 16
    assert "Read also" not in content.text
    assert "Copyright" not in content.text


def test_comments_and_captions_are_kept_on_demand() -> None:
    caption = "<figure><figcaption>Seen by {0}.</figcaption></figure>"
    extra = caption + "<div id=comments><p>I like {0}s, says a reader.</p></div>"
    pages = [page(n, inside=extra.format(TOPICS[n][0])) for n in range(5)]
    wrapper = learn(pages[:4])
    assert "says a reader" not in wrapper.extract(pages[4]).text
    assert "Seen by violin" not in wrapper.extract(pages[4]).text
    everything = replace(wrapper, keep=KeepOptions(captions=True, comments=True))
    assert "says a reader" in everything.extract(pages[4]).text
    assert "Seen by violin" in everything.extract(pages[4]).text


def test_a_redesigned_page_does_not_fit_and_the_reason_explains_it() -> None:
    wrapper = learn(site(4))
    redesigned = Page.parse(html(5).replace('id="main" class="story"', 'id="x"'))
    content = wrapper.extract(redesigned, mode="exact")
    assert not content
    assert "does not fit the wrapper" in content.reason
    assert not wrapper.fits(redesigned)


def test_a_region_without_text_does_not_fit() -> None:
    assert not learn(site(4)).extract(
        Page.parse('<div id="main" class="story"><img src=x></div><p>Text.'), mode="exact"
    )


def test_a_page_with_text_only_at_unknown_paths_does_not_fit() -> None:
    shop = Page.parse('<div id="main" class="story"><table class="prices"><tr><td>Nails 3.50</td></tr></table></div>')
    assert not learn(site(4)).extract(shop, mode="exact")


def test_a_fallback_method_is_used_if_the_page_does_not_fit() -> None:
    redesigned = Page.parse(html(5).replace('id="main" class="story"', 'id="x"'))
    content = learn(site(4)).extract(redesigned, fallback=duramen.methods.get("mss-simple"))
    assert "The glacier has its" in content.text
    assert content.method == "mss-simple"
    assert content.reason.startswith("the page does not fit the wrapper")


def test_a_method_may_be_restricted_to_what_the_wrapper_keeps() -> None:
    wrapper, method = learn(site(4)), duramen.methods.get("mss-simple")
    lone = page(6)
    content = wrapper.extract(lone, within=method)
    own, other = wrapper(lone), method(lone)
    nodes = {node for span in content.spans for node in span}
    assert nodes == {n for span in own.spans for n in span} & {n for span in other.spans for n in span}
    assert "mss-simple" in content.reason
    assert "Read also" not in content.text


def test_hidden_text_that_a_method_reads_is_kept_within_a_wrapper() -> None:
    start, *others = html(6).split("The beekeeper has its honey", 1)
    hidden = Page.parse(f"{start}The beekeeper has <b hidden>seen it all</b> its honey{others[0]}")

    def unveiling(given: Page) -> duramen.Content:
        return duramen.Content(replace(given, tree=ignore_hidden(given.tree)), "all", "", (range(len(given.tree)),))

    wrapper = learn(site(4))
    assert "seen it all" not in wrapper.extract(hidden).text
    assert "seen it all" in wrapper.extract(hidden, within=unveiling).text


def test_a_method_that_finds_nothing_in_the_region_changes_nothing() -> None:
    wrapper = learn(site(4))
    nothing = lambda page: duramen.Content(page, "none", "nothing")  # noqa: E731
    assert wrapper.extract(page(6), within=nothing).text == wrapper.extract(page(6)).text


def test_repr_shows_site_pages_xpath_fields_and_confidence() -> None:
    wrapper = Wrapper(
        "a.example", (RegionSelector("//p", "//p", (1,), 3),), fields=(("authors", "//b"), ("tags", "//i"))
    )
    assert repr(wrapper) == "Wrapper(site='a.example', pages=0, xpath='//p', fields='authors, tags', confidence=1.0)"


def test_the_overview_for_notebooks_is_escaped() -> None:
    overview = Wrapper("<b>.example", (RegionSelector("//p[. < 3]", "//p", (1,), 3),))._repr_html_()
    assert "<td>&lt;b&gt;.example</td>" in overview
    assert "<td>//p[. &lt; 3]</td>" in overview


def test_a_wrapper_set_uses_the_wrapper_that_the_page_fits_best() -> None:
    news, blog = learn(site(4)), learn([second_template(n) for n in range(4)])
    wrappers = WrapperSet((news, blog))
    assert wrappers.choose_wrapper(page(6)) is news
    assert wrappers.choose_wrapper(Page.parse(second_template(6))) is blog
    assert wrappers.choose_wrapper(Page.parse("<p>Neither of them</p>")) is news
    assert wrappers.extract(second_template(8)).text.count("The telescope") == 9
