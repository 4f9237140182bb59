"""Write the results of `auto_choices` as Markdown, with a picture."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from duramen import __version__
from mss_pictures import INK, MAIN, QUIET, axes_of, save

PARTS = 10

Scores = Mapping[str, float]

_PREFACE = """\
# Choices of the default extractor

`python benchmarks/auto_choices.py DATA`, duramen {version}: {pages:,} pages of wcxb-dev, news-world-dev, chinese-dev
and forums-dev, each scored by models that have not seen its site. F1 is that of words by position, mean over pages.

## The local classifier

All classifiers get the same features of each block; blocks are then chosen by the default strategy. The time is
processor time of the classifier alone for one page; naive Bayes and the linear model run in NumPy.
"""

_STRATEGIES = """
## The strategy that chooses blocks

With the probabilities of the trees after two passes. The last two rows are upper bounds: of all cut-offs, and of all
choices of blocks.
"""

_CONFIDENCE = """
## Confidence and F1

Pages sorted by `content.confidence` and cut into tenths; the confidence was calibrated on other sites.

![F1 by confidence]({picture})

| tenth | confidence | F1 | F1 below .5, % of the pages |
|---:|---:|---:|---:|
"""


def write(
    path: Path,
    pictures: Path,
    *,
    pages: int,
    classifiers: Mapping[str, tuple[Scores, float]],
    strategies: Mapping[str, Scores],
    confidences: Sequence[tuple[float, float]],
) -> None:
    """Write the document and its picture."""
    kinds = sorted(kind for kind in next(iter(strategies.values())) if kind != "all")
    text = _PREFACE.format(version=__version__, pages=pages)
    text += _head("classifier", ["all", *kinds, "µs/page"])
    for name, (scores, time) in classifiers.items():
        text += _row(name, [*(_share(scores[kind]) for kind in ("all", *kinds)), f"{time:.0f}"])
    text += _STRATEGIES + _head("strategy", ["all", *kinds])
    for name, scores in strategies.items():
        text += _row(name, [_share(scores[kind]) for kind in ("all", *kinds)])
    picture = pictures / "auto-confidence.png"
    text += _CONFIDENCE.format(picture=os.path.relpath(picture, path.parent))
    parts = np.array_split(np.array(sorted(confidences)), PARTS)
    for number, part in enumerate(parts, 1):
        confidence, f1 = part.mean(0)
        text += f"| {number} | {_share(confidence)} | {_share(f1)} | {100 * (part[:, 1] < 0.5).mean():.0f} |\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    _draw(parts, picture)


def _draw(parts: Sequence[np.ndarray[tuple[int, ...], np.dtype[np.float64]]], path: Path) -> None:
    figure, (axes,) = axes_of("confidence, mean of a tenth of the pages", "F1")
    means = np.array([part.mean(0) for part in parts])
    low, high = (np.array([np.quantile(part[:, 1], share) for part in parts]) for share in (0.25, 0.75))
    axes.plot([0, 1], [0, 1], color=QUIET, linewidth=0.8, linestyle=":")
    axes.fill_between(means[:, 0], low, high, color=MAIN, alpha=0.15, linewidth=0)
    axes.plot(means[:, 0], means[:, 1], "o-", color=MAIN, markersize=4)
    start = max(0.0, float(min(means.min(), low.min())) - 0.05)
    axes.set_xlim(start, 1.0)
    axes.set_ylim(start, 1.0)
    axes.annotate("half of the pages", (means[1, 0], high[1]), color=INK, fontsize="small", va="bottom")
    save(figure, path)


def _head(first: str, others: Sequence[str]) -> str:
    return f"\n| {first} | {' | '.join(others)} |\n|---|{'---:|' * len(others)}\n"


def _row(name: str, cells: Sequence[str]) -> str:
    return f"| {name} | {' | '.join(cells)} |\n"


def _share(value: float) -> str:
    return f"{value:.3f}".lstrip("0") if value < 1 else "1"
