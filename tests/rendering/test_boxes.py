"""Boxes kept in a file come back as they were, and only to their own page."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom.page import Page
from duramen.dom.tree import Box, Style
from duramen.errors import BoxesError
from duramen.rendering.boxes import Boxes, fingerprint

PAGE = Page.parse("<div id=a>one<p>two</div>")


def boxes(page: Page = PAGE, unplaced: int = 0) -> Boxes:
    box: list[Box | None] = [(1.0, 2.5, 3.0, float(node)) if node % 2 else None for node in range(len(page.tree))]
    return Boxes(fingerprint(page.tree), tuple(box), (1280, 1024), "Chromium/1", unplaced)


def test_boxes_are_saved_and_read_unchanged(tmp_path: Path) -> None:
    boxes().save(tmp_path / "page.boxes.json")
    assert Boxes.load(tmp_path / "page.boxes.json") == boxes()


def test_styles_are_saved_and_read_unchanged() -> None:
    look = Style(16.5, 700, "rgb(0, 0, 255)")
    styled = replace(boxes(), style=tuple(look if box else None for box in boxes().box))
    assert Boxes.loads(styled.dumps()) == styled
    assert styled.on(PAGE).tree.style == list(styled.style)
    assert boxes().on(PAGE).tree.style is None


@pytest.mark.parametrize("styles", [None, [["16", 400, ""]], []], ids=["missing", "no number", "too few"])
def test_damaged_styles_are_refused(styles: object) -> None:
    look = Style(16.0, 400, "")
    saved = json.loads(replace(boxes(), style=tuple(look if box else None for box in boxes().box)).dumps())
    with pytest.raises(BoxesError, match="damaged boxes"):
        Boxes.loads(json.dumps(saved | {"styles": styles}))


sides = st.floats(-1e9, 1e9).map(lambda side: round(side, 2))


@given(st.lists(st.none() | st.tuples(sides, sides, sides, sides), max_size=20), st.integers(0, 10**6))
def test_any_boxes_are_saved_and_read_unchanged(boxes: list[Box | None], unplaced: int) -> None:
    kept = Boxes("0", tuple(boxes), (1, 1), "x", unplaced)
    assert Boxes.loads(kept.dumps()) == kept


def test_they_are_laid_over_their_page(tmp_path: Path) -> None:
    page = boxes().on(PAGE)
    assert page.tree.box == list(boxes().box)
    assert page.tree.tag == PAGE.tree.tag
    assert PAGE.tree.box is None


@pytest.mark.parametrize(
    "html",
    ["<div id=a>one<p>TWO</div>", "<div id=a>one<b>two</div>", "<div id=a>one</div><p>two", "", "<p>x" * 100],
    ids=["text", "tag", "shape", "empty", "longer"],
)
def test_another_page_does_not_get_them(html: str) -> None:
    with pytest.raises(BoxesError, match="another page"):
        boxes().on(Page.parse(html))


def test_the_note_has_the_number_of_moved_elements() -> None:
    assert boxes().note is None
    assert boxes(unplaced=1).note == "1 element has no box, because Chromium's tree differs from ours there"
    assert (boxes(unplaced=3).note or "").startswith("3 elements have no box")


def changed(**changes: object) -> str:
    return json.dumps(json.loads(boxes().dumps()) | changes)


DAMAGED = {
    "": "not JSON",
    "{": "not JSON",
    "[" * 100_000: "not JSON",
    "[]": "make one with duramen render",
    '{"kind": "wrapper"}': "make one with duramen render",
    changed(version=3): "version 3",
    changed(tree=3): "fingerprint",
    changed(nodes=-1): "fingerprint",
    changed(nodes=10**12): "fingerprint",
    changed(viewport=[1]): "viewport",
    changed(boxes=None): "a field is missing",
    changed(boxes=[[1, 2, 3]]): "not a node and its box",
    changed(boxes=[[99, 1, 1, 1, 1]]): "not a node and its box",
    changed(boxes=[[2, 1, 1, 1, 1], [1, 1, 1, 1, 1]]): "not a node and its box",
    changed(boxes=[[1, 1, 1, 1, "1"]]): "has no box",
    changed(boxes=[[1, 1, 1, 1, float("nan")]]): "has no box",
}


@pytest.mark.parametrize(("text", "message"), DAMAGED.items(), ids=range(len(DAMAGED)))
def test_a_damaged_file_is_refused_in_a_sentence(text: str, message: str, tmp_path: Path) -> None:
    path = tmp_path / "page.boxes.json"
    path.write_text(text)
    with pytest.raises(BoxesError, match=message) as error:
        Boxes.load(path)
    assert str(error.value).startswith(str(path))
    assert len(str(error.value)) < 400


@pytest.mark.parametrize("content", [None, b"\xff\xfe"], ids=["missing", "not UTF-8"])
def test_an_unreadable_file_is_reported(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "page.boxes.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BoxesError, match="cannot be read"):
        Boxes.load(path)
