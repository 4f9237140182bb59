"""Running, timing, adding up."""

from __future__ import annotations

import os
import time

import pytest

from duramen.errors import MissingExtraError, UsageError
from duramen.evaluation import Extractor, evaluate, get_extractor, peers, read_set
from duramen.evaluation.metrics.agreement import EconVerdict
from duramen.evaluation.results import percentile
from duramen.evaluation.run import score_pages_in_processes

PERFECT = Extractor("perfect", lambda raw, example: example.text, "1.0")
EMPTY = Extractor("empty", lambda raw, example: "")


def broken(raw, example):
    if example.id == "b":
        raise ValueError("no leaves")
    return example.text


def end_process(raw, example):
    if example.id == "b":
        os._exit(7)
    return example.text


def test_the_gold_itself_has_full_marks(make_set):
    (row,) = evaluate(
        read_set(make_set([{"id": "a", "must": ["OAK"], "must_not": ["sport"]}])), [PERFECT]
    ).leaderboard()
    assert row.words.f1 == row.bigrams.f1 == row.shingles.f1 == row.best.f1 == row.cleaneval == row.correct == 1
    assert (row.must, row.must_not, row.failures, row.version) == (1, 0, 0, "1.0")


def test_an_empty_text_scores_nothing(make_set):
    (row,) = evaluate(read_set(make_set([{"id": "a", "must": ["OAK"]}])), [EMPTY]).leaderboard()
    assert row.words.f1 == row.bigrams.f1 == row.shingles.f1 == row.best.f1 == row.cleaneval == row.must == 0
    assert row.missed == 1


def test_a_failure_scores_nothing_and_is_kept(make_set):
    results = evaluate(read_set(make_set([{"id": "a"}, {"id": "b"}])), [Extractor("broken", broken)])
    (row,) = results.leaderboard()
    assert (row.pages, row.failures, row.words.f1) == (2, 1, 0.5)
    (failure,) = results.failures
    assert (failure.example.id, failure.error, failure.score.verdict) == (
        "b",
        "ValueError: no leaves",
        EconVerdict.MISSED,
    )


def test_a_page_that_cannot_be_read_is_no_extractors_fault(make_set):
    folder = make_set([{"id": "a"}, {"id": "b"}])
    (folder / "html" / "a.html.gz").unlink()
    results = evaluate(read_set(folder), [PERFECT])
    (unread,) = results.unreadable
    assert unread.unreadable is not None
    assert "'a'" in unread.unreadable
    assert (results.pages, results.leaderboard()[0].pages) == (1, 1)


def test_in_processes_a_page_that_ends_its_process_costs_only_itself_and_the_order_is_kept(make_set):
    examples = list(read_set(make_set([{"id": name} for name in "abcdef"])))
    runs = list(score_pages_in_processes(examples, [Extractor("deadly", end_process)], 2))
    assert [run.example.id for run in runs] == list("abcdef")
    assert [run.unreadable for run in runs if run.unreadable] == ["the page 'b': its process ended with status 7"]
    assert all(run.scores[0].score.words.f1 == 1 for run in runs if run.unreadable is None)


def test_pages_without_gold_are_left_out(make_set):
    assert evaluate(read_set(make_set([{"id": "a", "text": None}, {"id": "b"}])), [PERFECT]).pages == 1


def test_the_time_is_the_extractors_own(make_set):
    def slow(raw, example):
        started = time.process_time()
        while time.process_time() < started + 0.02:
            pass
        return ""

    results = evaluate(read_set(make_set([{"id": "a"}])), [Extractor("slow", slow), PERFECT])
    rows = {row.extractor: row for row in results.leaderboard()}
    assert rows["slow"].milliseconds >= 20 > rows["perfect"].milliseconds
    assert rows["slow"].times_parse == pytest.approx(rows["slow"].milliseconds / results.parse_milliseconds)


def test_without_time_nothing_is_timed_or_run_twice(make_set):
    seen = []
    watch = Extractor("watch", lambda raw, example: seen.append(example.id) or "")
    results = evaluate(read_set(make_set([{"id": "a"}, {"id": "b"}])), [watch], timed=False)
    assert seen == ["a", "b"]
    assert results.leaderboard()[0].milliseconds is results.parse_milliseconds is None


def test_each_page_starts_with_another_extractor(make_set):
    seen = []
    both = [Extractor(name, lambda raw, example, name=name: seen.append(name) or "") for name in "xy"]
    evaluate(read_set(make_set([{"id": "a"}, {"id": "b"}])), both, timed=False)
    assert seen == ["x", "y", "y", "x"]


def test_extractors_get_the_same_bytes(make_set):
    seen = []
    both = [Extractor(name, lambda raw, example: seen.append(raw) or "") for name in "xy"]
    (example,) = read_set(make_set([{"id": "a"}]))
    evaluate([example], both, timed=False)
    assert seen == [example.read()] * 2


def test_groups_have_their_own_rows(make_set):
    rows = [{"id": "a", "type": "article"}, {"id": "b", "type": "forum"}, {"id": "c"}]
    results = evaluate(read_set(make_set(rows)), [Extractor("broken", broken)])
    assert {name: rows[0].words.f1 for name, rows in results.by(lambda example: example.type).items()} == {
        "?": 1,
        "article": 1,
        "forum": 0,
    }


@pytest.mark.parametrize(("share", "value"), [(0, 1.0), (0.5, 2.5), (0.25, 1.75), (1, 4.0)])
def test_percentiles_are_interpolated(share, value):
    assert percentile([1.0, 2.0, 3.0, 4.0], share) == value


def test_the_percentile_of_one_value_is_that_value():
    assert percentile([0.3], 0.91) == 0.3


def test_a_method_and_its_name_are_the_same(make_set):
    from duramen import methods

    found = evaluate(read_set(make_set([{"id": "a"}])), [methods.DEFAULT, methods.get(methods.DEFAULT)])
    assert [extractor.name for extractor in found.extractors] == [methods.DEFAULT] * 2


def test_for_an_unknown_name_the_nearest_is_suggested():
    with pytest.raises(UsageError, match="did you mean 'trafilatura'"):
        get_extractor("trafilature")


def test_a_missing_peer_is_named_with_its_extra(monkeypatch):
    monkeypatch.setattr(peers, "find_spec", lambda module: None)
    with pytest.raises(MissingExtraError, match=r"needs trafilatura.*duramen\[peers\]"):
        get_extractor("trafilatura")
    assert peers.missing() == peers.names()
