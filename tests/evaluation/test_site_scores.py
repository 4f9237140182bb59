"""Scores of what other pages of a site add."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.wrappers.sample_site import TOPICS, html, prose

from duramen.evaluation.sets import read_set
from duramen.evaluation.site_scores import (
    AUTO,
    FUSED,
    PEER,
    SITE,
    WRAPPER,
    SiteResults,
    SiteRun,
    draw_site_chart,
    dumps,
    loads,
    make_site_table,
    score_sites,
    summarize,
)


@pytest.fixture
def ring(tmp_path: Path) -> Path:
    folder = tmp_path / "ring"
    (folder / "html").mkdir(parents=True)
    lines = []
    for topic in range(5):
        name = TOPICS[topic][0]
        (folder / "html" / f"{name}.html.gz").write_bytes(gzip.compress(html(topic).encode()))
        text = f"All about the {name} today {prose(topic, 16)}"
        lines.append(json.dumps({"id": name, "site": "ring", "text": text}))
    lines.append(
        json.dumps({"id": "alone", "site": "alone", "text": "One page.", "html": f"html/{TOPICS[0][0]}.html.gz"})
    )
    (folder / "manifest.jsonl").write_text("\n".join(lines))
    return folder


def test_each_page_is_scored_once_after_learning_from_others(ring: Path) -> None:
    results = SiteResults()
    peer: Callable[..., str] = lambda raw, example: ""  # noqa: E731
    assert list(score_sites(read_set(ring), [1, 3, 9], peer, results)) == ["ring", "alone"]
    rows = summarize(results)
    assert [(row.count, row.sites, row.pages) for row in rows] == [(1, 1, 5), (3, 1, 5)]  # no site has ten pages
    for row in rows:
        assert row.f1[SITE] >= row.f1[AUTO] - 0.005
        assert row.f1[FUSED] >= row.f1[AUTO] - 0.005
        assert row.f1[WRAPPER] > 0.9
        assert row.f1[PEER] == 0.0
    table = make_site_table(rows)
    assert "| ring | 3 | 1 | 5 |" in table
    assert loads(dumps(results)) == results


def test_a_missing_page_is_reported(ring: Path) -> None:
    (ring / "html" / "violin.html.gz").unlink()
    results = SiteResults()
    list(score_sites(read_set(ring), [1], None, results))
    assert len(results.unreadable) == 1
    assert summarize(results)[0].pages == 4


def test_sites_that_lose_are_listed_and_intervals_hold_the_mean(tmp_path: Path) -> None:
    results = SiteResults()
    for site, gain in (("a", 0.1), ("b", -0.2), ("c", 0.05)):
        for method, f1 in ((AUTO, 0.8), (SITE, 0.8 + gain), (FUSED, 0.8)):
            results.runs.append(SiteRun("s", site, site, 2, method, f1, 1.0 if method == AUTO else 1.5))
    [row] = summarize(results)
    assert row.gains[SITE].worse == ("b",)
    assert row.gains[SITE].low < row.gains[SITE].mean < row.gains[SITE].high
    assert row.gains[SITE].time == pytest.approx(1.5)
    assert row.gains[FUSED].worse == ()
    pytest.importorskip("matplotlib")
    draw_site_chart([row], tmp_path / "sites.svg")
    assert (tmp_path / "sites.svg").stat().st_size > 1000
