"""Adding pages to a wrapper, compared with learning from all pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wrappers.sample_site import TOPICS, page, site

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.wrappers import SamplePage, Wrapper, learn, update

SHARE = "<div class=share><p>Tell your friends.</p><a href=/f>Share this</a></div>"


def named(topics: range, **parts: str) -> list[SamplePage]:
    return [SamplePage(page(n, **parts), name=f"page-{n}") for n in topics]


def test_an_update_with_pages_of_the_same_structure_equals_learning_from_all() -> None:
    first, rest = named(range(4), inside=SHARE), named(range(4, 8), inside=SHARE)
    updated, anew = update(learn(first), rest), learn(first + rest)
    assert updated.regions == anew.regions
    assert updated.headlines == anew.headlines
    assert updated.support == anew.support
    assert updated.boilerplate == anew.boilerplate
    assert [source.name for source in updated.pages] == [source.name for source in anew.pages]
    assert dict(updated.terms).items() <= dict(anew.terms).items()
    other = page(9, inside=SHARE)
    assert updated.extract(other).text == anew.extract(other).text


def test_an_update_adds_to_the_counts_of_candidates() -> None:
    updated = update(learn(named(range(4))), named(range(4, 8)))
    best = updated.candidates[0]
    assert best.clue == "//div[@class='story' and @id='main']"
    assert best.n == 8
    assert best.relevance == pytest.approx(best.value * 8 * 2)


def test_pages_of_another_structure_add_a_region_after_the_old_ones() -> None:
    updated = update(learn(named(range(4))), named(range(4, 7), main='<div id="feature">'))
    assert [place.xpath for place in updated.regions] == ["//div[@id='main']", "//div[@id='feature']"]
    assert updated.extract(page(8, main='<div id="feature">')).text.count("The telescope has its") == 16
    assert updated.extract(page(8)).text.count("The telescope has its") == 16


def test_a_page_without_a_region_is_named_in_the_notes() -> None:
    other = SamplePage(Page.parse("<table><tr><td>the of and</td></tr></table>"), name="other")
    updated = update(learn(named(range(4))), [other])
    assert updated.support == 0.8
    assert updated.notes == ("other does not fit, and no region was found on it",)


def test_terms_of_one_new_page_are_weighed_against_the_pages_seen_before() -> None:
    updated = update(learn(site(4)), [page(5)])
    assert "glacier" in updated.pages[-1].signifiers
    assert updated.pages[-1].name == "page 5"


def test_a_text_seen_once_before_and_once_now_is_not_counted_as_repeated() -> None:
    note = "<p>Only now and then this line appears.</p>"
    first = [*named(range(3)), *named(range(3, 4), inside=note)]
    second = [*named(range(4, 5), inside=note), *named(range(5, 7))]
    line = "only now and then this line appears"
    assert line not in update(learn(first), second).boilerplate.texts
    assert line in learn(first + second).boilerplate.texts


def test_a_saved_wrapper_can_be_updated(tmp_path: Path) -> None:
    wrapper = learn(named(range(4)))
    wrapper.save(tmp_path / "site.json")
    fresh, loaded = (update(one, named(range(4, 6))) for one in (wrapper, Wrapper.load(tmp_path / "site.json")))
    assert loaded.regions == fresh.regions
    assert loaded.boilerplate == fresh.boilerplate


def test_an_update_without_new_pages_raises_an_error() -> None:
    wrapper = learn(named(range(4)))
    with pytest.raises(InputError, match="learned from these pages already"):
        update(wrapper, named(range(2)))
    with pytest.raises(InputError, match="no page to learn from"):
        update(wrapper, [])


def test_all_topics_differ() -> None:
    assert len({name for name, _ in TOPICS}) == len(TOPICS)
