"""An ensemble of decision trees, as flat arrays.

Each inner node compares one number of a row with a threshold and goes left where it is not larger; leaves hold values;
the score of a row is the sum of one leaf of every tree, added in the order of the trees, so that it is the same to the
last bit however it is computed. Compiled it is a loop; in plain Python NumPy takes all rows through all trees at once.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from duramen.compiled import faster

if TYPE_CHECKING:
    from numpy.typing import NDArray

_COMPILED = __name__.startswith("duramen.compiled.")


@dataclass(frozen=True, eq=False)
class Ensemble:
    """Trees one after another. A child below 0 is a leaf: −1 is the first value, −2 the second."""

    root: NDArray[Any] = field(repr=False)
    """Where each tree begins; as a child, it may be a leaf."""
    feature: NDArray[Any] = field(repr=False)
    threshold: NDArray[Any] = field(repr=False)
    left: NDArray[Any] = field(repr=False)
    right: NDArray[Any] = field(repr=False)
    value: NDArray[Any] = field(repr=False)

    def __len__(self) -> int:
        return len(self.root)


@faster
def sums(ensemble: Ensemble, rows: array[float], width: int) -> array[float]:
    """The score of each row; the rows stand one after another, each `width` numbers long."""
    out = array("d", bytes(len(rows) // width * 8))
    if _COMPILED and len(out):
        _add(
            rows,
            width,
            ensemble.root,
            ensemble.feature,
            ensemble.threshold,
            ensemble.left,
            ensemble.right,
            ensemble.value,
            out,
        )
        return out
    return _add_all(ensemble, rows, width) if len(out) else out


def _add(
    rows: Any, width: int, root: Any, feature: Any, threshold: Any, left: Any, right: Any, value: Any, out: Any
) -> None:
    """Row by row, tree by tree."""
    for row in range(len(out)):
        at = row * width
        total = 0.0
        for tree in range(len(root)):
            node = root[tree]
            while node >= 0:
                node = left[node] if rows[at + feature[node]] <= threshold[node] else right[node]
            total += value[-1 - node]
        out[row] = total


def _add_all(ensemble: Ensemble, rows: array[float], width: int) -> array[float]:
    """The same for all rows and trees at once."""
    import numpy as np

    table = np.frombuffer(rows, np.float64).reshape(-1, width)
    numbers = np.arange(len(table))[:, None]
    nodes = np.tile(ensemble.root, (len(table), 1))
    while True:
        inner = nodes >= 0
        if not inner.any():
            break
        here = np.where(inner, nodes, 0)
        goes_left = table[numbers, ensemble.feature[here]] <= ensemble.threshold[here]
        nodes = np.where(inner, np.where(goes_left, ensemble.left[here], ensemble.right[here]), nodes)
    total = np.zeros(len(table))
    for values in ensemble.value[-1 - nodes].T:
        total += values
    return array("d", total.tobytes())
