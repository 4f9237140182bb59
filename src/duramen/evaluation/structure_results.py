"""Results of `duramen evaluate --structure`: means with intervals, the worst pages, tables and JSON.

Intervals are 95 % percentile intervals of a bootstrap: the sites of a set, not its pages, are drawn with replacement,
because pages of one site share a template and its errors.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Final

import numpy as np

from duramen import __version__
from duramen.evaluation.leaderboard import NO_VALUE
from duramen.evaluation.score_tables import align_columns, format_report, list_sets, make_markdown_table
from duramen.evaluation.structure import KINDS, OVERALL, StructureRun

BOOTSTRAP_SAMPLES: Final = 1000

_SEED: Final = 20
_PERCENTILES: Final = (2.5, 97.5)
_DIGITS: Final = 5


@dataclass(frozen=True)
class KindSummary:
    """The mean score of one kind of part."""

    kind: str
    pages: int
    """Pages whose reference has the kind."""
    mean: float
    low: float
    high: float
    added: int
    """Pages on which the extractor wrote the kind, but the reference does not have it."""


@dataclass
class StructureResults:
    """The scores of all pages, and the pages that could not be read."""

    runs: list[StructureRun] = field(default_factory=list)
    unreadable: list[str] = field(default_factory=list)
    partial: bool = False

    @property
    def sets(self) -> list[str]:
        return list_sets(self.runs)

    def summaries(self, set_name: str) -> dict[str, dict[str, KindSummary]]:
        """Return the summaries of each extractor by kind, the best overall score first."""
        runs = [run for run in self.runs if run.example.set == set_name]
        by_name = {
            name: {kind: summary for kind in KINDS if (summary := _summarize(kind, runs, name))}
            for name in dict.fromkeys(run.extractor for run in runs)
        }
        return dict(sorted(by_name.items(), key=lambda item: -_get_overall(item[1])))

    def worst(self, extractor: str, kind: str, count: int) -> list[StructureRun]:
        """Return the pages with the lowest scores of a kind, without those that are right."""
        runs = [run for run in self.runs if run.extractor == extractor and run.score.values.get(kind, 1.0) < 1.0]
        return sorted(runs, key=lambda run: run.score.values[kind])[:count]


def compute_interval(values: Sequence[float], groups: Sequence[str]) -> tuple[float, float]:
    """Return the 95 % interval of the mean of values, with groups of values drawn together."""
    _, group_of_value = np.unique(np.array(groups), return_inverse=True)
    sums = np.bincount(group_of_value, weights=values)
    counts = np.bincount(group_of_value)
    size = len(counts)
    drawn = np.random.default_rng(_SEED).multinomial(size, np.full(size, 1 / size), BOOTSTRAP_SAMPLES)
    low, high = np.percentile((drawn @ sums) / (drawn @ counts), _PERCENTILES)
    return float(low), float(high)


def make_structure_table(results: StructureResults) -> str:
    """Make aligned text with a table for every set: a row for each kind, a column for each extractor."""
    parts = []
    for name in results.sets:
        head, rows = _make_cells(results.summaries(name))
        title = f"{name} ({_count_pages(results, name)} pages)"
        parts.append("\n".join([title, *align_columns([head, *rows])]))
    return "\n\n".join(parts)


def make_structure_markdown(results: StructureResults) -> str:
    """Make a Markdown section for every set."""
    parts = []
    for name in results.sets:
        table = make_markdown_table(*_make_cells(results.summaries(name)))
        parts.append(f"## {name} ({_count_pages(results, name)} pages)\n\n{table}")
    return "\n\n".join(parts) + "\n"


def make_worst_list(results: StructureResults, count: int) -> str:
    """List the pages with the lowest scores, for each extractor and kind."""
    lines = []
    for extractor in dict.fromkeys(run.extractor for run in results.runs):
        for kind in KINDS:
            worst = results.worst(extractor, kind, count)
            if worst:
                lines.append(f"{extractor}, {kind}:")
                lines += [f"  {run.score.values[kind]:.3f}  {run.example.set}/{run.example.id}" for run in worst]
    return "\n".join(lines)


def dumps(results: StructureResults) -> str:
    """Write everything as JSON, with one line for each page."""
    rows = {
        name: {
            extractor: [_round(asdict(summary)) for summary in summaries.values()]
            for extractor, summaries in results.summaries(name).items()
        }
        for name in results.sets
    }
    pages = [
        {
            "set": run.example.set,
            "id": run.example.id,
            "site": run.example.site,
            "method": run.extractor,
            "scores": _round(dict(run.score.values)),
            "added": run.score.added,
            "error": run.error,
        }
        for run in results.runs
    ]
    summary = {"duramen": __version__, "partial": results.partial, "unreadable": results.unreadable, "sets": rows}
    return format_report(summary, pages)


def _summarize(kind: str, runs: Sequence[StructureRun], extractor: str) -> KindSummary | None:
    """Return the summary of a kind; None if no reference has it."""
    own = [run for run in runs if run.extractor == extractor]
    scored = [run for run in own if kind in run.score.values]
    if not scored:
        return None
    values = [run.score.values[kind] for run in scored]
    interval = compute_interval(values, [run.example.site for run in scored])
    added = sum(kind in run.score.added for run in own)
    return KindSummary(kind, len(scored), sum(values) / len(values), *interval, added)


def _make_cells(summaries: dict[str, dict[str, KindSummary]]) -> tuple[list[str], list[list[str]]]:
    rows = []
    for kind in KINDS:
        by_extractor = [kinds.get(kind) for kinds in summaries.values()]
        pages = next((str(summary.pages) for summary in by_extractor if summary), None)
        if pages:
            rows.append([kind, pages, *map(_format_summary, by_extractor)])
    return ["kind", "pages", *summaries], rows


def _format_summary(summary: KindSummary | None) -> str:
    return NO_VALUE if summary is None else f"{summary.mean:.3f} ({summary.low:.2f}–{summary.high:.2f})"


def _get_overall(summaries: dict[str, KindSummary]) -> float:
    return summaries[OVERALL].mean if OVERALL in summaries else 0.0


def _count_pages(results: StructureResults, name: str) -> int:
    return len({run.example.id for run in results.runs if run.example.set == name})


def _round(row: dict[str, object]) -> dict[str, object]:
    return {name: round(value, _DIGITS) if isinstance(value, float) else value for name, value in row.items()}
