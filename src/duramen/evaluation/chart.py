"""Draw the box chart of FOREST's figure 4: the distribution of F1 over pages, for each extractor.

Whiskers are at the 9th and the 91st percentile, the box is from the first to the third quartile, a line marks the
median. A mean hides whether an extractor fails a little on all pages or completely on some; the boxes show it.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from textwrap import fill

from duramen.errors import MissingExtraError, UsageError
from duramen.evaluation.results import Summary

EXTRA = "evaluation"
CHART_SUFFIXES = (".png", ".svg")

_LINE_COLOR, _BOX_COLOR, _MEDIAN_COLOR = "#3b3b3b", "#d9c7a8", "#7a3b12"


def check_chart(path: Path) -> None:
    """Raise the error that `draw_chart` would raise, before a long run and not after it."""
    if path.suffix.lower() not in CHART_SUFFIXES:
        raise UsageError(f"the picture {path} must have a name that ends in {' or '.join(CHART_SUFFIXES)}")
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError:
        raise MissingExtraError("matplotlib", EXTRA) from None


def draw_chart(rows: Sequence[Summary], title: str, path: Path) -> None:
    """Draw the rows from left to right into a PNG or SVG file."""
    check_chart(path)
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(max(4.5, 1.2 + 0.62 * len(rows)), 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    boxes = [
        dict(zip(("whislo", "q1", "med", "q3", "whishi"), row.spread, strict=True), label=row.extractor, fliers=[])
        for row in rows
    ]
    axes.bxp(
        boxes,
        widths=0.55,
        showfliers=False,
        patch_artist=True,
        boxprops={"facecolor": _BOX_COLOR, "edgecolor": _LINE_COLOR},
        medianprops={"color": _MEDIAN_COLOR, "linewidth": 2},
        whiskerprops={"color": _LINE_COLOR},
        capprops={"color": _LINE_COLOR},
    )
    axes.set_ylim(-0.02, 1.02)
    axes.set_ylabel("word F1 of a page")
    axes.set_title(fill(title, int(11 * figure.get_figwidth())), fontsize="medium")
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    for label in axes.get_xticklabels():
        label.set(rotation=40, ha="right", rotation_mode="anchor")
    # The same results give the same bytes: no date, and no random ids in an SVG file.
    metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
    with matplotlib.rc_context({"svg.hashsalt": "duramen"}):
        figure.savefig(path, dpi=150, metadata=metadata)
