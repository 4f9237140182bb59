"""The source `url`."""

from __future__ import annotations

from datetime import date
from typing import Final
from urllib.parse import unquote, urlsplit

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import metadata

from duramen.dom.dates import parse_date
from duramen.dom.urls import is_forum_url, split_host_and_path


def test_the_url_gives_a_date() -> None:
    assert metadata(url="https://news.example/2024/03/05/oaks.html").published == date(2024, 3, 5)
    assert metadata(url="https://news.example/2024/March/5/oaks").published == date(2024, 3, 5)
    assert metadata(url="https://news.example/2024/feb/31/oaks").published is None


_PARTS: Final = [*"ab /?#%@:[].-_é\t\n\\&=~", "//", "http", "https://", "www.", "W.Example", "%C3%A9", "2024", "/05/"]


@given(st.lists(st.sampled_from(_PARTS), max_size=10).map("".join), st.sampled_from(["", "https://", "http://w.de"]))
@example("www.Wood.example/a//b;c?d=[e]#f", "https://")
@example("user@wood.example:80/a", "http://")
@example("[broken/a", "http://")
@example("wood.example", "https://")
@example("wood.example?a", "https://")
@example("wood.example/a\n", "https://")
@example("/a b", "https://wood.example")
def test_urls_are_split_like_urlsplit(rest: str, start: str) -> None:
    try:
        parts = urlsplit(start + rest)
        host, path = (parts.hostname or "").removeprefix("www."), unquote(parts.path) or ("/" if parts.netloc else "")
    except ValueError:
        host = path = ""
    assert split_host_and_path(start + rest) == (host, path)


@pytest.mark.parametrize("url", ["//www.FORUM.example/", "https://a.example/Show\u017fhread", "/viewTOPIC"])
def test_a_forum_url_may_be_written_in_any_case(url: str) -> None:
    assert is_forum_url(url) == ("\u017f" not in url)


@pytest.mark.parametrize(
    ("value", "read"),
    [
        ("2024-03-05T10:30:15.250Z", "2024-03-05T10:30:15+00:00"),
        ("2024-03-05T10:30:15", "2024-03-05"),
        ("2024-03-05T10:30:15-0600", "2024-03-05T10:30:15-06:00"),
        ("2024-03-05T10:61:00Z", "2024-03-05"),
        ("2024-03-05 in the morning", "2024-03-05"),
    ],
)
def test_a_date_in_a_url_path_or_attribute(value: str, read: str) -> None:
    found = parse_date(value)
    assert (found and found.isoformat()) == read
