"""FOREST and its baselines as methods: on one page, and learning from several."""

from __future__ import annotations

import pytest

from duramen import methods
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.forest.baselines import Description
from duramen.methods.forest.forest import Forest
from duramen.wrappers import PageDescription, SamplePage

WORDS = {
    "oak": "bark rings sapwood timber acorn carpenter",
    "lava": "crater ash magma basalt summit tremor",
    "dough": "yeast oven flour crust loaf butter",
    "hive": "honey queen swarm nectar wax drone",
}


def html(topic: str, description: str = "") -> str:
    words = WORDS[topic].split()
    text = "".join(f"<p>The {topic} has {one}, and the {topic} was never without {one}.</p>" for one in words)
    meta = f'<meta name="description" content="{description}">' if description else ""
    return (
        f"<html lang=en><head><title>{topic} news</title>{meta}</head><body><div id=nav><a href=/>Home</a></div>"
        f"<div id=story><h1>{topic} news</h1>{text}</div><div id=foot><p>All rights reserved.</p></div></body></html>"
    )


PAGES = [Page.parse(html(topic)) for topic in WORDS]

learners = pytest.mark.parametrize("name", ["forest", "coverage", "sigfeed", "description"])


@learners
def test_it_learns_a_wrapper_for_unseen_pages(name: str) -> None:
    pages = [
        SamplePage(page, PageDescription(f"{topic} news", html(topic).partition("<p>")[2].partition("</p>")[0]))
        for topic, page in zip(WORDS, PAGES, strict=True)
    ]
    method = methods.get(name)
    assert isinstance(method, Forest)
    wrapper = method.learn(pages[:3])
    assert "The hive has honey" in wrapper.extract(PAGES[3]).text
    assert "rights reserved" not in wrapper.extract(PAGES[3]).text


@learners
def test_with_one_page_the_reason_names_the_metadata(name: str) -> None:
    content = methods.get(name)(PAGES[0])
    assert "metadata" in content.reason
    assert content.method == name


@pytest.mark.parametrize("measure", ["ju", "j", "u"])
def test_the_measures_are_parameters(measure: str) -> None:
    method = methods.get(f"forest:measure={measure}:tolerant=no:level=no:refined=no:k=5")
    assert isinstance(method, Forest)
    assert method.settings.measure == measure
    assert method.learn(PAGES[:3]).regions


def test_wrong_parameters_raise_an_error_at_once() -> None:
    with pytest.raises(UsageError, match="unknown measure 'x'"):
        methods.get("forest:measure=x")


def test_sigfeed_takes_the_lowest_div_around_most_significant_text() -> None:
    page = Page.parse(
        "<html lang=en><title>oak</title><div id=outer><div id=a><p>oak</p><p>oak</p></div><div id=b>oak</div></div>"
    )
    content = methods.get("sigfeed")(page)
    assert content.node is not None
    assert page.tree.attributes[content.node]["id"] == "a"


def test_description_is_the_text_of_the_feed_item() -> None:
    content = Description().extract_item(PageDescription("Oaks & elms", "They <stand> still."))
    assert content.text == "Oaks & elms\n\nThey <stand> still."
    assert not Description().extract_item(PageDescription())


def test_description_finds_the_blocks_that_repeat_the_metadata() -> None:
    source = html("oak", "Old trees stand for hundreds of years.").replace("</h1>", "</h1><p>Old trees stand long.</p>")
    content = Description()(Page.parse(source))
    assert content.text == "oak news\n\nOld trees stand long."


def test_a_page_without_words_gives_an_empty_content_with_a_reason() -> None:
    content = methods.get("forest")(Page.parse("<div></div>"))
    assert not content
    assert "none of the pages holds a signifier" in content.reason


def test_several_templates_are_learned_at_once() -> None:
    method = methods.get("forest")
    assert isinstance(method, Forest)
    assert len(method.learn_all(PAGES).wrappers) == 1
