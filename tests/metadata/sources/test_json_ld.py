"""The source `json_ld`."""

from __future__ import annotations

from random import Random
from typing import Any

from tests.metadata.metadata_pages import HEADLINE, json_ld, metadata, names

from duramen.metadata.sources import json_ld as json_ld_source
from duramen.metadata.sources.links import BREADCRUMB_TYPE, find_breadcrumb_names

AUTHOR = '"author": {"@type": "Person", "name": "Jane Doe", "url": "https://wood.example/jane"}'


def test_authors_are_resolved_by_reference() -> None:
    post = '{"@type": "BlogPosting", "author": {"@id": "#jane"}}'
    person = '{"@type": "Person", "@id": "#jane", "name": "Jane Doe"}'
    assert names(metadata(json_ld(f'{{"@graph": [{post}, {person}]}}'))) == ["Jane Doe"]


def test_a_list_at_the_top_is_read() -> None:
    assert names(metadata(json_ld(f'[{{"@type": "WebSite"}}, {{"@type": "Article", {AUTHOR}}}]'))) == ["Jane Doe"]


def test_the_profile_of_an_author_is_kept() -> None:
    (author,) = metadata(json_ld(f'{{"@type": "Article", {AUTHOR}}}'), "<p>By Jane Doe</p>").authors
    assert (author.kind, author.url) == ("person", "https://wood.example/jane")


def test_articles_of_a_list_do_not_describe_the_page() -> None:
    listed = (
        f'{{"@type": "ItemList", "itemListElement": [{{"@type": "Article", {AUTHOR}, "datePublished": "2024-03-05"}}]}}'
    )
    read = metadata(json_ld(listed))
    assert (read.authors, read.published) == ((), None)


def test_of_several_articles_the_one_with_the_title_describes_the_page() -> None:
    own = f'{{"@type": "Article", "headline": "{HEADLINE}", {AUTHOR}}}'
    other = '{"@type": "Article", "headline": "Elms", "author": "John Roe"}'
    assert names(metadata(json_ld(f"[{other}, {own}]"))) == ["Jane Doe"]


class Asked(dict[str, Any]):
    """An object that gives something for every name, and keeps what it was asked for."""

    def __init__(self, random: Random, names: set[str], depth: int = 3) -> None:
        self.random, self.names, self.depth = random, names, depth

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        inner = Asked(self.random, self.names, self.depth - 1)
        values = [None, "", "Words", "WebPage", "BreadcrumbList", *([inner, [inner, inner]] if self.depth else [])]
        return self.random.choice(values)

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        self.names.add(str(name))
        return self.random.random() < 0.5


def test_every_property_that_is_read_is_listed() -> None:
    names: set[str] = set()
    fields = [*json_ld_source._FIELD_PROPERTIES, "site", "author", "type", "title"]
    for seed in range(500):
        random = Random(seed)
        things = json_ld_source.find_things(Asked(random, names), 1)
        find_breadcrumb_names([*things, things[0]._replace(type=BREADCRUMB_TYPE)])
        works = [thing._replace(kind="article") for thing in things[:3]]
        json_ld = json_ld_source.JsonLd([], things)
        json_ld_source._select_things_of_page(things, "https://wood.example/", "Words")
        json_ld_source._select_works_of_page(works, "https://wood.example/", "Words")
        for thing in (*works, *things):
            for field in fields:
                json_ld_source._claims(json_ld, thing, field)
    assert names == json_ld_source.PROPERTY_NAMES
