"""The style of the pictures: small, plain, the same bytes for the same numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK, MAIN, QUIET = "#3b3b3b", "#7a3b12", "#9a9a9a"


def axes_of(across: str, up: str, panels: int = 1) -> tuple[Figure, list[Axes]]:
    """Return a figure and its panels, side by side."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6 if panels == 1 else 4.2 * panels, 3.6), layout="constrained")
    FigureCanvasAgg(figure)
    all_axes = []
    for number in range(panels):
        axes = figure.add_subplot(1, panels, number + 1)
        axes.set_xlabel(across)
        if not number:
            axes.set_ylabel(up)
        axes.grid(color="#dddddd", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines[["top", "right"]].set_visible(False)
        all_axes.append(axes)
    return figure, all_axes


def save(figure: Figure, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110, metadata={"Software": None})
