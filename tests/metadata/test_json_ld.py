from __future__ import annotations

import pytest
from tests.metadata.metadata_pages import HEADLINE, json_ld, metadata, names

from duramen.metadata.json_repair import loads

AUTHOR = '"author": {"@type": "Person", "name": "Jane Doe", "url": "https://wood.example/jane"}'


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '<!-- {"a": 1} -->',
        '//<![CDATA[\n{"a": 1}\n//]]>',
        '{"a": 1,}',
        '{"a": 1};',
        "{&quot;a&quot;: 1}",
    ],
)
def test_broken_json_is_mended_where_that_is_safe(text: str) -> None:
    assert loads(text) == [{"a": 1}]


def test_strings_are_left_as_they_are() -> None:
    assert loads('{"a": "one,] two", "b": "it\\\'s",}') == [{"a": "one,] two", "b": "it\\'s"}]
    assert loads('{"a": "one\ntwo"}') == [{"a": "one\ntwo"}]


def test_two_objects_in_a_row_are_two() -> None:
    assert loads('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("text", ["", "{", '{"a": ', "no json", '{"a" 1}', "[1, 2"])
def test_what_cannot_be_mended_is_nothing(text: str) -> None:
    assert loads(text) == []


def test_authors_are_found_by_reference_in_a_graph() -> None:
    post = '{"@type": "BlogPosting", "author": {"@id": "#jane"}}'
    person = '{"@type": "Person", "@id": "#jane", "name": "Jane Doe"}'
    assert names(metadata(json_ld(f'{{"@graph": [{post}, {person}]}}'))) == ["Jane Doe"]


def test_a_list_at_the_top_is_read() -> None:
    assert names(metadata(json_ld(f'[{{"@type": "WebSite"}}, {{"@type": "Article", {AUTHOR}}}]'))) == ["Jane Doe"]


def test_the_profile_of_an_author_is_kept() -> None:
    (author,) = metadata(json_ld(f'{{"@type": "Article", {AUTHOR}}}'), "<p>By Jane Doe</p>").authors
    assert (author.kind, author.url) == ("person", "https://wood.example/jane")


def test_the_articles_of_a_list_do_not_speak_for_the_page() -> None:
    listed = (
        f'{{"@type": "ItemList", "itemListElement": [{{"@type": "Article", {AUTHOR}, "datePublished": "2024-03-05"}}]}}'
    )
    read = metadata(json_ld(listed))
    assert (read.authors, read.published) == ((), None)


def test_of_several_articles_the_one_of_this_page_speaks() -> None:
    own = f'{{"@type": "Article", "headline": "{HEADLINE}", {AUTHOR}}}'
    other = '{"@type": "Article", "headline": "Elms", "author": "John Roe"}'
    assert names(metadata(json_ld(f"[{other}, {own}]"))) == ["Jane Doe"]
