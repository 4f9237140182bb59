"""The box chart."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from duramen.errors import UsageError
from duramen.evaluation import Extractor, evaluate, read_set
from duramen.evaluation.chart import draw_chart

HALF = Extractor("half", lambda raw, example: example.text[: len(example.text) // 2])

ALL = Extractor("all", lambda raw, example: example.text)

FAILS = Extractor("fails", lambda raw, example: [][1])


@pytest.fixture
def results(make_set):
    rows = [
        {"id": "a", "site": "s", "type": "article", "lang": "en"},
        {"id": "b", "site": "s", "type": "forum", "must": ["oak"]},
    ]
    return evaluate(read_set(make_set(rows)), [HALF, ALL, FAILS])


def test_the_picture_is_a_png(results, tmp_path):
    draw_chart(results.leaderboard(), "title", tmp_path / "f1.png")
    assert (tmp_path / "f1.png").read_bytes().startswith(b"\x89PNG")


def test_the_picture_is_an_svg_when_its_name_ends_so(results, tmp_path):
    draw_chart(results.leaderboard(), "title", tmp_path / "f1.svg")
    first = (tmp_path / "f1.svg").read_bytes()
    assert ElementTree.fromstring(first).tag.endswith("svg")
    draw_chart(results.leaderboard(), "title", tmp_path / "f1.svg")
    assert (tmp_path / "f1.svg").read_bytes() == first


def test_another_kind_of_picture_is_refused(tmp_path):
    with pytest.raises(UsageError, match=r"must have a name that ends in \.png or \.svg"):
        draw_chart([], "title", tmp_path / "f1.gif")
