"""Learned XPaths select the same elements in Chromium, lxml and duramen on an unseen page."""

from __future__ import annotations

from pathlib import Path

import lxml.html
import pytest
from tests.xpath.test_against_browser import CHROMIUM, evaluate

from duramen import learn, xpath
from duramen.dom.page import Page
from duramen.dom.tree import TEXT
from duramen.wrappers import Wrapper

WORDS = {
    "oak": "bark rings sapwood timber acorn carpenter",
    "lava": "crater ash magma basalt summit tremor",
    "dough": "yeast oven flour crust loaf butter",
    "hive": "honey queen swarm nectar wax drone",
    "reef": "coral fish tide lagoon diver sponge",
}

# Around the article, {n} is another number on each page, {topic} its topic, {text} its paragraphs; then the selector.
TEMPLATES = {
    '<h1>News of the {topic}</h1><div id="story">{text}</div>': "//div[@id='story']",
    '<h1>News of the {topic}</h1><div class="post story  wide">{text}</div><div class="post">Elsewhere</div>': (
        "//div[contains(concat(' ', normalize-space(@class), ' '), ' story ')]"
    ),
    '<h1>News of the {topic}</h1><div itemprop="articleBody">{text}</div>': "//div[@itemprop='articleBody']",
    '<h2 class="head">News of the {topic}</h2><div id="entry-{n}">{text}</div>': "//div[starts-with(@id, 'entry-')]",
    "<table><tbody><tr><td>Menu</td><td><b>News of the {topic}</b></td></tr>"
    "<tr><td>Home</td><td>{text}</td></tr></tbody></table>": "/html/body/table//tr[2]/td[2]",
    '<div id="main"><h1>News of the {topic}</h1><p>By us</p><section>{text}</section></div>': "//section",
    '<h1>News of the {topic}</h1><div role="it\'s it">{text}</div>': '//div[@role="it\'s it"]',
}
AROUND = "Home and away, sport and weather, letters to us and from us, all that was said and much that was not. " * 4


templates = pytest.mark.parametrize("template", TEMPLATES, ids=list(TEMPLATES.values()))


def html(template: str, topic: str) -> str:
    number = 17 + 31 * list(WORDS).index(topic)
    listed = WORDS[topic].split()
    text = "".join(
        f"<p>The {topic} has {one}, and people who saw the {one} of the {topic} in morning light told their friends "
        f"about it for years, since few things look like the {one} of a {topic}.</p>"
        for one in listed
    )
    body = template.format(n=number, topic=topic, text=text)
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>News of the {topic} | Ring</title></head>'
        f'<body><div id="nav"><a href="/">Home</a></div>{body}<div id="foot"><p>{AROUND}</p></div></body></html>'
    )


def expressions(wrapper: Wrapper) -> list[str]:
    return [wrapper.xpath, *wrapper.headlines, *wrapper.leads]


def learned(template: str) -> tuple[Wrapper, str, list[list[int]]]:
    """A wrapper, an unseen page, and what each of the wrapper's expressions selects on it."""
    *sample, unseen = (html(template, topic) for topic in WORDS)
    wrapper = learn(sample)
    assert wrapper.xpath == TEMPLATES[template]
    tree = Page.parse(unseen).tree
    found = [xpath.select(tree, expression) for expression in expressions(wrapper)]
    assert "The reef has coral" in wrapper.extract(unseen).text
    assert all(found), "an expression that selects nothing tests little"
    return wrapper, unseen, found


@templates
def test_lxml_selects_the_same_elements(template: str) -> None:
    wrapper, unseen, found = learned(template)
    tree = Page.parse(unseen).tree
    places = [node for node in range(len(tree)) if tree.tag[node] != TEXT]
    document = lxml.html.document_fromstring(unseen)
    numbers = dict(zip(document.iter(), places, strict=True))
    selected = [[numbers[element] for element in document.xpath(one)] for one in expressions(wrapper)]
    assert selected == found


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: install Debian's package 'chromium'")
@templates
def test_chromium_selects_the_same_elements(template: str, tmp_path: Path) -> None:
    wrapper, unseen, found = learned(template)
    assert evaluate(unseen, expressions(wrapper), tmp_path) == found
