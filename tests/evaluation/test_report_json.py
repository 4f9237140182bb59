"""The results as JSON."""

from __future__ import annotations

import json

import pytest

from duramen.evaluation import Extractor, evaluate, read_set
from duramen.evaluation.report_json import dumps, results_to_dict

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


def test_json_has_it_all(results):
    found = json.loads(dumps(results))
    assert [row["method"] for row in found["leaderboard"]] == ["all", "half", "fails"]
    assert found["leaderboard"][0]["words"] == {"precision": 1.0, "recall": 1.0, "f1": 1.0}
    assert found["by_site"]["trees/s"]["all"]["pages"] == 2
    assert set(found["by_type"]) == {"article", "forum"}
    assert set(found["by_lang"]) == {"en", "?"}
    assert set(found["by_set"]) == {"trees"}
    assert len(found["pages"]) == 6
    assert [failure["error"] for failure in found["failures"]] == ["IndexError: list index out of range"] * 2
    assert found["partial"] is False


def test_the_json_text_is_the_object(results):
    assert json.loads(dumps(results)) == json.loads(json.dumps(results_to_dict(results)))
