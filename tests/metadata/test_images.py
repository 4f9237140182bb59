"""Images and captions."""

from __future__ import annotations

import pytest
from tests.metadata.metadata_pages import TODAY, metadata

from duramen.dom.page import Page
from duramen.metadata import Metadata


@pytest.mark.parametrize("tag", ["html", "body"])
def test_the_root_or_body_may_have_a_caption(tag: str) -> None:
    page = Page.parse(f"<{tag} class='no wp-Caption'><p><img src=/a.png><p class=a-caption>Oaks", "https://a.example/")
    assert [image.caption for image in Metadata.read(page, TODAY).images] == ["Oaks"]


def test_placeholders_and_tracking_pixels_are_no_images() -> None:
    images = (
        '<img src="javascript:void(0)"><img src="/dot.gif" width="1" height="1"><img src="/oak.png" width="1">'
        '<img src="about:blank" data-src="/late.png">'
    )
    assert [image.url for image in metadata(body=images).images] == [
        "https://wood.example/oak.png",
        "https://wood.example/late.png",
    ]


def test_images_in_one_container_share_its_caption() -> None:
    frame = '<div class="wp-caption"><img class="caption" src="a.jpg"><img src="b.jpg"><p class="caption">Oaks'
    pictures = Metadata.read(Page.parse(frame, "https://wood.example/")).images
    assert [picture.caption for picture in pictures] == ["Oaks", "Oaks"]


def test_images_have_their_captions() -> None:
    body = (
        '<figure><img src="a.jpg" alt="An oak"><figcaption>The <b>oak</b> in May</figcaption></figure><img src="b.png">'
    )
    first, second = metadata(body=body, url="https://wood.example/").images
    assert (first.url, first.caption, first.alt) == ("https://wood.example/a.jpg", "The oak in May", "An oak")
    assert (second.url, second.caption) == ("https://wood.example/b.png", None)


def test_the_largest_image_of_srcset_is_named() -> None:
    pictures = metadata("", '<img srcset="/a.jpg 1x, /b.jpg 2x" alt="Oak"><img srcset="">').images
    assert [(one.url, one.alt) for one in pictures] == [("https://wood.example/b.jpg", "Oak")]
