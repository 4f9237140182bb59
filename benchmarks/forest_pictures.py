"""Draw figures 4 to 7, with a panel for each set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.evaluation.metrics.agreement import Agreement
from duramen.evaluation.results import CHART_PERCENTILES, percentile
from forest_experiments import ELSE, ScoreCurve, ScoreTable
from mss_pictures import INK, MAIN, QUIET, axes_of, save

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

_BOX = "#d9c7a8"
_STYLES = {
    "forest, tf-idf": (MAIN, "o-"),
    "forest, feed": ("#c98a3c", "s-"),
    "paper's form, tf-idf": ("#2f5d62", "o-"),
    "paper's form, feed": ("#6a9a9e", "s-"),
    "paper's form, tf-idf, training pages": ("#2f5d62", "o:"),
    "coverage": (QUIET, "^-"),
    "sigfeed": (QUIET, "v-"),
    "boilerpy3": (INK, ":"),
}
_ELSE = (MAIN, "o--")


def legend(figure: Figure, handles: Iterable[Artist], labels: Iterable[str], columns: int) -> None:
    """Draw one legend for all panels, below them."""
    figure.legend(
        handles=list(handles),
        labels=list(labels),
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize="small",
    )


def draw_boxes(tables: Sequence[ScoreTable], path: Path) -> None:
    """Figure 4: how the F1 of each method is spread over the pages; whiskers at the 9th and 91st percentile."""
    names = max((list(table.unseen) for table in tables), key=len)
    figure, panels = axes_of("F1 of a page", "", panels=len(tables))
    figure.set_size_inches(4.0 * len(tables) + 1.2, 0.34 * len(names) + 1.2)
    for number, (axes, table) in enumerate(zip(panels, tables, strict=True)):
        boxes = []
        places = []
        for place, name in enumerate(names):
            if name in table.unseen:
                values = sorted(score.f1 for score in table.unseen[name])
                spread = [percentile(values, share) for share in CHART_PERCENTILES]
                boxes.append(dict(zip(("whislo", "q1", "med", "q3", "whishi"), spread, strict=True), fliers=[]))
                places.append(place)
        axes.bxp(
            boxes,
            positions=places,
            orientation="horizontal",
            widths=0.6,
            showfliers=False,
            patch_artist=True,
            boxprops={"facecolor": _BOX, "edgecolor": INK},
            medianprops={"color": MAIN, "linewidth": 2},
            whiskerprops={"color": INK},
            capprops={"color": INK},
        )
        axes.set_yticks(range(len(names)), names if not number else [""] * len(names))
        axes.set_ylim(len(names) - 0.4, -0.6)
        axes.set_xlim(-0.02, 1.02)
        axes.set_title(table.sites.name, fontsize="medium")
    save(figure, path)


def draw_curves(
    curves: dict[str, dict[str, ScoreCurve]], across: str, path: Path, *, logarithmic: bool = False
) -> None:
    """Figures 5 and 6: F1 against a number."""
    figure, panels = axes_of(across, "F1 of word 2-grams", panels=len(curves))
    figure.set_size_inches(4.2 * len(curves), 4.4)
    shown: dict[str, Line2D] = {}
    for axes, (where, named) in zip(panels, curves.items(), strict=True):
        for name, points in named.items():
            color, style = _ELSE if name.startswith(ELSE) else _STYLES[name]
            (line,) = axes.plot(*zip(*points, strict=True), style, color=color, markersize=3.5, linewidth=1.3)
            shown.setdefault(name, line)
        if logarithmic:
            axes.set_xscale("log")
        numbers = sorted({number for points in named.values() for number, _ in points})
        ticks = [number for number in numbers if not logarithmic or number in (1, 2, 5, 10, 20, 50)]
        axes.set_xticks(ticks, [str(number) for number in ticks])
        axes.minorticks_off()
        axes.set_ylim(0.38, 1.01)  # below that, differences do not matter
        axes.set_title(where, fontsize="medium")
    legend(figure, shown.values(), shown, columns=4)
    save(figure, path)


def draw_measures(results: dict[str, dict[str, Agreement]], path: Path) -> None:
    """Figure 7: precision, recall and F1 by J, U and J × U; a panel for each set and source of signifiers."""
    figure, panels = axes_of("", "mean over the pages", panels=len(results))
    figure.set_size_inches(2.9 * len(results) + 0.6, 3.4)
    colors = ("#d9c7a8", "#9a9a9a", MAIN)
    for axes, (where, measures) in zip(panels, results.items(), strict=True):
        for at, (part, color) in enumerate(zip(("precision", "recall", "F1"), colors, strict=True)):
            heights = [agreement[at] for agreement in measures.values()]
            axes.bar([place + 0.27 * (at - 1) for place in range(len(heights))], heights, 0.25, color=color, label=part)
        axes.set_xticks(range(len(measures)), list(measures))
        axes.set_ylim(0, 1.02)
        axes.set_title(where, fontsize="medium")
    handles, labels = panels[0].get_legend_handles_labels()
    legend(figure, handles, labels, columns=3)
    save(figure, path)
