"""Addresses of images, also of those that a script loads later."""

from __future__ import annotations

import pytest

from duramen.dom.images import find_image_url, is_content_image


@pytest.mark.parametrize(
    "attributes",
    [
        {"src": "oak.png"},
        {"src": "elm.png", "data-src": "oak.png"},
        {"src": "data:image/gif;base64,R0", "data-src": "oak.png"},
        {"src": "/images/placeholder.png", "data-original": "oak.png"},
        {"data-lazy-src": "elm.png", "srcset": "oak.png 1x"},
        {"srcset": "elm.png 1x, oak.png 2x"},
    ],
)
def test_the_address_of_an_image_is_found(attributes: dict[str, str | None]) -> None:
    assert find_image_url(attributes, "https://example.org/") == "https://example.org/oak.png"


@pytest.mark.parametrize("attributes", [{}, {"src": None}, {"src": "data:image/gif;base64,R0"}])
def test_an_image_without_an_address_has_none(attributes: dict[str, str | None]) -> None:
    assert find_image_url(attributes, "https://example.org/") is None


def test_any_data_attribute_may_name_the_file_of_a_placeholder() -> None:
    attributes = {
        "src": "data:image/gif;base64,R0",
        "data-path": "a/oak.png",
        "data-loader": "https://i.org/oak.png?w=1",
    }
    assert find_image_url(attributes, "https://example.org/") == "https://i.org/oak.png?w=1"
    assert find_image_url({**attributes, "src": "elm.png"}, "https://example.org/") == "https://example.org/elm.png"
    assert find_image_url({"src": "data:,", "data-config": '{"file": "oak.png"}'}, None) is None


@pytest.mark.parametrize(
    ("attributes", "url", "expected"),
    [
        ({}, "https://example.org/icon-height.svg", False),
        ({"alt": "An icon of the 15th century"}, "https://example.org/icon.jpg", True),
        ({}, "https://example.org/most-iconic-shows.jpg", True),
        ({"alt": "Ann"}, "https://cdn-avatars.example.org/1.png", False),
    ],
)
def test_icons_and_avatars_are_no_content(attributes: dict[str, str | None], url: str, expected: bool) -> None:
    assert is_content_image(attributes, url) is expected
