"""Score what other pages of a site add to `auto`: a site model, a wrapper fused with it, XPaths alone, and a peer.

Each page is scored after learning from n other pages of its site, split as in `learning.split_site`. A site takes part
with n pages if it has more than n; so the rows of different n have different pages, and every row has `auto` on its own
pages. Intervals are those of `structure_results`: sites are drawn, not pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Final

from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation.chart import check_chart
from duramen.evaluation.learned_wrappers import make_sample_page, split_site
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.score_tables import make_markdown_table
from duramen.evaluation.sets import Example
from duramen.evaluation.structure_results import compute_interval
from duramen.language import words
from duramen.methods.auto.method import Auto
from duramen.site_model import SiteModel
from duramen.wrappers import Wrapper, learn

AUTO, SITE, FUSED, WRAPPER, PEER = METHODS = ("auto", "site", "fused", "wrapper", "trafilatura")
"""`auto` alone; with a site model; with a site model and a wrapper (`wrapper.extract`); the wrapper's XPaths alone."""
DEFAULT_COUNTS: Final = (1, 2, 3, 5, 9)
WORSE: Final = 0.05
"""A site that loses more is listed."""


@dataclass(frozen=True)
class SiteRun:
    """The word F1 of one page by one method, after learning from `count` pages."""

    set: str
    site: str
    id: str
    count: int
    method: str
    f1: float
    ms: float = 0.0


@dataclass
class SiteResults:
    """All scores, and the pages that could not be read."""

    runs: list[SiteRun] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    partial: bool = False


@dataclass(frozen=True)
class Gain:
    """What a method gains over `auto`."""

    mean: float
    low: float
    high: float
    worse: tuple[str, ...]
    """Sites that lose more than `WORSE`."""
    time: float
    """In parts of the time of `auto`, over all pages; 0 if it was not measured."""


@dataclass(frozen=True)
class SiteSummary:
    """One row of the table: a set and a number of pages."""

    set: str
    count: int
    sites: int
    pages: int
    f1: dict[str, float]
    gains: dict[str, Gain]
    """Of `site` and `fused`."""


PeerRun = Callable[[bytes, Example], str]


def score_sites(
    examples: Sequence[Example], counts: Sequence[int], peer: PeerRun | None, results: SiteResults
) -> Iterator[str]:
    """Score the sites with more than one page, one after the other; yield the name of each."""
    sites: dict[tuple[str, str], list[Example]] = {}
    for example in examples:
        sites.setdefault((example.set, example.site), []).append(example)
    for (_, site), pages in sites.items():
        _score_site(pages, counts, peer, results)
        yield site


def _score_site(pages: Sequence[Example], counts: Sequence[int], peer: PeerRun | None, results: SiteResults) -> None:
    readable = []
    for example in {example.id: example for example in reversed(pages)}.values():  # some sets have a page twice
        try:
            example.read()
            readable.append(example)
        except InputError as error:
            results.unreadable.append(str(error))
    counts = [count for count in counts if count < len(readable)]
    if not counts:
        return
    samples = {example.id: make_sample_page(example) for example in readable}
    sketches = {id: SiteModel().sketch(sample.page) for id, sample in samples.items()}
    alone = {example.id: _run(example, AUTO, 0, lambda page: Auto()(page).text) for example in readable}
    if peer is not None:
        peer_f1 = {example.id: score_text(example, _call_peer(peer, example)) for example in readable}
    for count in counts:
        for split in split_site(readable, count):
            model = SiteModel(split.training[0].site)
            for example in split.training:
                model.add_sketch(sketches[example.id])
            try:
                learned = learn([samples[example.id] for example in split.training])
                wrapper: Wrapper | None = replace(learned, site_model=model.to_json())
            except InputError:  # nothing can be learned from these pages
                wrapper = None
            for example in split.test:
                auto = alone[example.id]
                results.runs.append(SiteRun(example.set, example.site, example.id, count, AUTO, auto.f1, auto.ms))
                results.runs.append(_run(example, SITE, count, partial(_extract_text, model)))
                results.runs.append(_run(example, FUSED, count, partial(_extract_text, wrapper or model)))
                text = wrapper.extract(samples[example.id].page, mode="exact").text if wrapper else ""
                row = (example.set, example.site, example.id, count)
                results.runs.append(SiteRun(*row, WRAPPER, score_text(example, text)))
                if peer is not None:
                    results.runs.append(SiteRun(*row, PEER, peer_f1[example.id]))


def _extract_text(extractor: SiteModel | Wrapper, page: Page) -> str:
    return extractor.extract(page).text


def _run(example: Example, method: str, count: int, extract: Callable[[Page], str]) -> SiteRun:
    raw = example.read()
    start = process_time()
    text = extract(Page.parse(raw, url=example.url))
    ms = 1000.0 * (process_time() - start)
    return SiteRun(example.set, example.site, example.id, count, method, score_text(example, text), ms)


def _call_peer(peer: PeerRun, example: Example) -> str:
    try:
        return peer(example.read(), example)
    except DuramenError:
        raise
    except Exception:  # any error of a peer counts as an empty text, as on the leaderboard
        return ""


def score_text(example: Example, text: str) -> float:
    """Return the word F1 of a text against the reference of a page."""
    return word_agreement(Counter(words(example.text or "")), Counter(words(text))).f1


def summarize(results: SiteResults) -> list[SiteSummary]:
    """Return a row for each set and number of pages."""
    groups: dict[tuple[str, int], dict[str, dict[str, SiteRun]]] = {}
    for run in results.runs:
        groups.setdefault((run.set, run.count), {}).setdefault(run.method, {})[run.id] = run
    order = list(dict.fromkeys(run.set for run in results.runs))
    rows = []
    for (set_name, count), by_method in sorted(groups.items(), key=lambda item: (order.index(item[0][0]), item[0][1])):
        alone = by_method[AUTO]
        rows.append(
            SiteSummary(
                set_name,
                count,
                len({run.site for run in alone.values()}),
                len(alone),
                {method: sum(run.f1 for run in runs.values()) / len(runs) for method, runs in by_method.items()},
                {method: _measure_gain(alone, by_method[method]) for method in (SITE, FUSED)},
            )
        )
    return rows


def _measure_gain(alone: dict[str, SiteRun], runs: dict[str, SiteRun]) -> Gain:
    gains = [runs[id].f1 - run.f1 for id, run in alone.items()]
    sites = [run.site for run in alone.values()]
    by_site: dict[str, list[float]] = {}
    for site, gain in zip(sites, gains, strict=True):
        by_site.setdefault(site, []).append(gain)
    low, high = compute_interval(gains, sites)
    worse = tuple(site for site, values in by_site.items() if sum(values) / len(values) < -WORSE)
    time = sum(run.ms for run in alone.values())
    return Gain(sum(gains) / len(gains), low, high, worse, sum(run.ms for run in runs.values()) / time if time else 0.0)


def make_site_table(rows: Sequence[SiteSummary], *, timed: bool = True) -> str:
    """Return the table as Markdown."""
    methods = [method for method in METHODS if any(method in row.f1 for row in rows)]
    head = ["set", "pages learned from", "sites", "pages", *methods]
    for method in (SITE, FUSED):
        head += [f"{method} − auto (95 %)", f"worse by > {WORSE:.2f}"] + (["time ÷ auto"] if timed else [])
    cells = []
    for row in rows:
        line = [row.set, str(row.count), str(row.sites), str(row.pages)]
        line += [f"{row.f1[method]:.4f}" if method in row.f1 else "–" for method in methods]
        for gain in row.gains.values():
            line.append(f"{gain.mean:+.4f} ({gain.low:+.4f} … {gain.high:+.4f})")
            line.append(f"{len(gain.worse)}" + (f": {', '.join(gain.worse)}" if gain.worse else ""))
            line += [f"{gain.time:.2f}"] if timed else []
        cells.append(line)
    return make_markdown_table(head, cells)


def dumps(results: SiteResults) -> str:
    """Return all scores as JSON."""
    return json.dumps({"runs": [asdict(run) for run in results.runs], "unreadable": results.unreadable}, indent=1)


def loads(text: str) -> SiteResults:
    """Read what `dumps` returned."""
    values = json.loads(text)
    return SiteResults([SiteRun(**run) for run in values["runs"]], values["unreadable"])


def draw_site_chart(rows: Sequence[SiteSummary], path: Path) -> None:
    """Draw F1 against the number of pages, a panel for each set."""
    check_chart(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sets = list(dict.fromkeys(row.set for row in rows))
    figure = Figure(figsize=(3.4 * len(sets) + 0.4, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    styles = {
        AUTO: ("#3b3b3b", "--"),
        SITE: ("#c0703a", "-"),
        FUSED: ("#7a3b12", "-"),
        WRAPPER: ("#b0a07a", "-"),
        PEER: ("#8a8a8a", ":"),
    }
    for at, name in enumerate(sets):
        axes = figure.add_subplot(1, len(sets), at + 1)
        here = [row for row in rows if row.set == name]
        for method, (color, style) in styles.items():
            points = [(row.count, row.f1[method]) for row in here if method in row.f1]
            if points:
                axes.plot(*zip(*points, strict=True), style, color=color, marker="o", markersize=3, label=method)
        axes.set_title(name, fontsize="medium")
        axes.set_xlabel("pages learned from")
        axes.set_xticks([row.count for row in here])
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
        if not at:
            axes.set_ylabel("word F1")
            axes.legend(fontsize="small")
    figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else None)
