"""URLs in normal form, and names of sites."""

from __future__ import annotations

from urllib.parse import urljoin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.urls import find_site_name, join_url, normalize_url, resolve_safe_url


@pytest.mark.parametrize(
    "url",
    [
        "http://example.org/a/b?x=1&y=2",
        "https://example.org:443/a/b/?y=2&x=1",
        "http://EXAMPLE.org:80/a/b?x=1&y=2#top",
        "https://example.org/a/b?utm_source=rss&x=1&y=2&fbclid=z",
        "https://example.org/%61/b?x=1&y=2&from=feed",
    ],
)
def test_equivalent_urls_are_equal(url: str) -> None:
    assert normalize_url(url) == ("example.org", "/a/b", "x=1&y=2")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://a.org/x", "https://a.org/X"),
        ("https://a.org/x", "https://a.org:8080/x"),
        ("https://a.org/x?id=1", "https://a.org/x?id=2"),
        ("https://a.org/x%2Fy", "https://a.org/x/y"),
    ],
)
def test_different_urls_differ(one: str, other: str) -> None:
    assert normalize_url(one) != normalize_url(other)


def test_letters_of_all_scripts_are_escaped_alike() -> None:
    assert normalize_url("https://bücher.org/ä%c3%a4") == normalize_url("https://xn--bcher-kva.org/%C3%A4ä")


@pytest.mark.parametrize("url", ["http://[broken", "http://a:port/", "mailto:a@b.c", f"http://{'ü' * 99}.org"])
def test_strings_that_are_no_urls_give_none(url: str) -> None:
    assert normalize_url(url) is None


@given(st.text(max_size=30).map("http://".__add__) | st.text(max_size=30))
def test_any_string_is_accepted(url: str) -> None:
    normalized = normalize_url(url)
    assert normalized is None or normalized == normalize_url(url.strip() + "#x")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://www.example.org/a", "example.org"),
        ("https://news.example.co.uk/", "example.co.uk"),
        ("http://127.0.0.1:8000/", "127.0.0.1"),
        ("http://[broken", None),
        (None, None),
    ],
)
def test_the_name_of_a_site_is_the_end_of_its_host(url: str | None, name: str | None) -> None:
    assert find_site_name(url) == name


def test_a_url_that_cannot_be_joined_gives_none() -> None:
    assert join_url("https://example.org/a/", " b ") == "https://example.org/a/b"
    assert join_url("https://example.org/", "http://[broken") is None


@pytest.mark.parametrize(
    "url",
    [
        "https://www.a\ufffdb.example/c",
        "//a|b.example/",
        "http://<b>.example",
        "HTTP://a^b/",
        "https://e\u061bample/a",  # letters of both directions
        "https://exa\xb8ple/",  # a space and a cedilla, once normalized
        "https://a\u2028b.example/",
        "https://a\x80b.example/",
        "https://b.\u0ffff.example/",
        "https://b.\xc2\u2026example/",  # three dots, once normalized
    ],
)
def test_a_url_with_an_impossible_host_is_not_written(url: str) -> None:
    assert resolve_safe_url(url, "https://site.example/") is None


@pytest.mark.parametrize("url", ["https:/a\ufffd/b.example", "https:\\\\a\ufffd/b.example", "https:a\ufffd/b"])
def test_browsers_read_a_host_after_any_number_of_slashes(url: str) -> None:
    assert resolve_safe_url(url, None) is None


@pytest.mark.parametrize(
    "url",
    [
        "https://a.example/\ufffd|^",
        "/a|b",
        "https://a.example?q=<b>",
        "mailto:a|b@c.example",
        "https://bücher.example/",
        "https://例え.example:80/",
        "https://مثال.example/",
        "https://💩.example/",
        "https://ü@a.example/",
    ],
)
def test_such_characters_elsewhere_are_no_fault_of_the_host(url: str) -> None:
    assert resolve_safe_url(url, "https://site.example/")


@given(
    st.sampled_from(
        """http://a.example http://a.example/b/../c/./d;p?q=1 https://u:p@a.example:8/x;y/z#f file:///a/b //host/a/b
        /a/b a/b mailto:a@b http://a.example//b//c http://a.example/b/.. http:a/b http:/a ?a #a
        data:text/html,a s3://a/b""".split()
    )
    | st.just(""),
    st.text("aZ0./?#:;&=%-_~+@é \\[", max_size=9),
)
def test_urls_are_joined_as_the_standard_library_joins_them(base: str, url: str) -> None:
    try:
        joined = urljoin(base, url.strip())
    except ValueError:
        joined = None
    assert join_url(base, url) == joined
