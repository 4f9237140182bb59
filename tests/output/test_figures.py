"""Images between kept nodes, and their captions."""

from __future__ import annotations

import pytest
from tests.output.made_pages import EVERYTHING, kept, page

from duramen.output import add_media, write_markdown

FIGURES = [
    "<figure><img src=oak.png alt=Oak><figcaption>An oak.</figcaption></figure>",
    "<figure><a href=big.png><img src=oak.png alt=Oak></a><figcaption>An oak.</figcaption></figure>",
    "<div class='wp-caption alignnone'><img src=oak.png alt=Oak><p class=wp-caption-text>An oak.</p></div>",
    "<figure><img src=data:x data-src=oak.png alt=Oak><noscript><img src=oak.png></noscript>"
    "<figcaption>An oak.</figcaption></figure>",
]


@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_between_kept_words_is_written_with_its_caption(figure: str) -> None:
    tree = page(f"<div><p>one</p>{figure}<p>two</p></div>")
    written = write_markdown(tree, add_media(tree, kept(tree, "one", "two"), EVERYTHING), EVERYTHING)
    assert written.count("oak.png") == 1
    assert written.index("one") < written.index("oak.png") < written.index("An oak.") < written.index("two")


@pytest.mark.parametrize(
    "around",
    [
        "<aside>{}</aside>",
        "<div><a href=/x>A teaser</a>{}</div>",
        "<nav>{}</nav>",
    ],
)
def test_an_image_of_another_part_of_the_page_is_not_added(around: str) -> None:
    tree = page(f"<div><p>one</p>{around.format('<img src=oak.png alt=Oak>')}<p>two</p></div>")
    spans = kept(tree, "one", "two")
    assert add_media(tree, spans, EVERYTHING) == spans
