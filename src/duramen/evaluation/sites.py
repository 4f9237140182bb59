"""Score what other pages of a site add: `auto` alone, fused with a site model, an exact wrapper, and a peer.

Each page is scored after learning from n other pages of its site, split as in `learning.split_site`. A site takes part
with n pages if it has more than n; so the rows of different n have different pages, and every row has `auto` on its own
pages. Intervals are those of `structure_results`: sites are drawn, not pages.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from time import process_time
from typing import Final

from duramen.dom.page import Page
from duramen.errors import DuramenError, InputError
from duramen.evaluation.chart import check_chart
from duramen.evaluation.leaderboard import make_markdown_table
from duramen.evaluation.learned_wrappers import make_sample_page, split_site
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.sets import Example
from duramen.evaluation.structure_results import compute_interval
from duramen.language import words
from duramen.methods.auto.method import Auto
from duramen.site_model import SiteModel
from duramen.wrappers import Wrapper, learn

AUTO, FUSED, WRAPPER, PEER = METHODS = ("auto", "site", "wrapper", "trafilatura")
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
class SiteSummary:
    """One row of the table: a set and a number of pages."""

    set: str
    count: int
    sites: int
    pages: int
    f1: dict[str, float]
    gain: float
    """Of the site model over `auto`."""
    low: float
    high: float
    worse: tuple[str, ...]
    """Sites that lose more than `WORSE`."""
    time: float
    """The time of the site model in parts of that of `auto`, over all pages."""


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
        peer_f1 = {example.id: _score_text(example, _call_peer(peer, example)) for example in readable}
    for count in counts:
        for split in split_site(readable, count):
            model = SiteModel(split.training[0].site)
            for example in split.training:
                model.add_sketch(sketches[example.id])
            try:
                wrapper: Wrapper | None = learn([samples[example.id] for example in split.training])
            except InputError:  # nothing can be learnt from these pages
                wrapper = None
            for example in split.test:
                auto = alone[example.id]
                results.runs.append(SiteRun(example.set, example.site, example.id, count, AUTO, auto.f1, auto.ms))
                results.runs.append(_run(example, FUSED, count, lambda page, model=model: model.extract(page).text))
                text = wrapper.extract(samples[example.id].page).text if wrapper else ""
                row = (example.set, example.site, example.id, count)
                results.runs.append(SiteRun(*row, WRAPPER, _score_text(example, text)))
                if peer is not None:
                    results.runs.append(SiteRun(*row, PEER, peer_f1[example.id]))


def _run(example: Example, method: str, count: int, extract: Callable[[Page], str]) -> SiteRun:
    raw = example.read()
    start = process_time()
    text = extract(Page.parse(raw, url=example.url))
    ms = 1000.0 * (process_time() - start)
    return SiteRun(example.set, example.site, example.id, count, method, _score_text(example, text), ms)


def _call_peer(peer: PeerRun, example: Example) -> str:
    try:
        return peer(example.read(), example)
    except DuramenError:
        raise
    except Exception:  # any error of a peer counts as an empty text, as on the leaderboard
        return ""


def _score_text(example: Example, text: str) -> float:
    return word_agreement(Counter(words(example.text or "")), Counter(words(text))).f1


def summarize(results: SiteResults) -> list[SiteSummary]:
    """Return a row for each set and number of pages."""
    rows = []
    keys = sorted(
        {(run.set, run.count) for run in results.runs},
        key=lambda key: ([run.set for run in results.runs].index(key[0]), key[1]),
    )
    for set_name, count in keys:
        runs = [run for run in results.runs if (run.set, run.count) == (set_name, count)]
        by_method = {method: {run.id: run for run in runs if run.method == method} for method in METHODS}
        f1 = {
            method: sum(run.f1 for run in of_method.values()) / len(of_method)
            for method, of_method in by_method.items()
            if of_method
        }
        ids = list(by_method[AUTO])
        gains = [by_method[FUSED][id].f1 - by_method[AUTO][id].f1 for id in ids]
        groups = [by_method[AUTO][id].site for id in ids]
        by_site: dict[str, list[float]] = {}
        for site, gain in zip(groups, gains, strict=True):
            by_site.setdefault(site, []).append(gain)
        low, high = compute_interval(gains, groups)
        times = [sum(run.ms for run in by_method[method].values()) for method in (FUSED, AUTO)]
        rows.append(
            SiteSummary(
                set_name,
                count,
                len(by_site),
                len(ids),
                f1,
                sum(gains) / len(gains),
                low,
                high,
                tuple(site for site, values in by_site.items() if sum(values) / len(values) < -WORSE),
                times[0] / times[1] if times[1] else 0.0,
            )
        )
    return rows


def make_site_table(rows: Sequence[SiteSummary], *, timed: bool = True) -> str:
    """Return the table as Markdown."""
    methods = [method for method in METHODS if any(method in row.f1 for row in rows)]
    head = ["set", "pages learnt from", "sites", "pages", *methods, "site − auto", "95 %", f"worse by > {WORSE:.2f}"]
    cells = [
        [
            row.set,
            str(row.count),
            str(row.sites),
            str(row.pages),
            *(f"{row.f1[method]:.4f}" if method in row.f1 else "–" for method in methods),
            f"{row.gain:+.4f}",
            f"{row.low:+.4f} … {row.high:+.4f}",
            f"{len(row.worse)}" + (f": {', '.join(row.worse)}" if row.worse else ""),
        ]
        + ([f"{row.time:.2f}"] if timed else [])
        for row in rows
    ]
    return make_markdown_table(head + (["time ÷ auto"] if timed else []), cells)


def dumps(results: SiteResults) -> str:
    """Return all scores as JSON."""
    return json.dumps({"runs": [asdict(run) for run in results.runs], "unreadable": results.unreadable}, indent=1)


def draw_site_chart(rows: Sequence[SiteSummary], path: Path) -> None:
    """Draw F1 against the number of pages, a panel for each set."""
    check_chart(path)
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    sets = list(dict.fromkeys(row.set for row in rows))
    figure = Figure(figsize=(3.4 * len(sets) + 0.4, 3.4), layout="constrained")
    FigureCanvasAgg(figure)
    styles = {AUTO: ("#3b3b3b", "--"), FUSED: ("#7a3b12", "-"), WRAPPER: ("#b08d57", "-"), PEER: ("#8a8a8a", ":")}
    for at, name in enumerate(sets):
        axes = figure.add_subplot(1, len(sets), at + 1)
        here = [row for row in rows if row.set == name]
        for method, (color, style) in styles.items():
            points = [(row.count, row.f1[method]) for row in here if method in row.f1]
            if points:
                axes.plot(*zip(*points, strict=True), style, color=color, marker="o", markersize=3, label=method)
        axes.set_title(name, fontsize="medium")
        axes.set_xlabel("pages learnt from")
        axes.set_xticks([row.count for row in here])
        axes.grid(axis="y", color="#dddddd", linewidth=0.6)
        if not at:
            axes.set_ylabel("word F1")
            axes.legend(fontsize="small")
    figure.savefig(path, dpi=120, metadata={"Date": None} if path.suffix == ".svg" else None)
