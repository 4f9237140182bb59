"""The model of the default extractor: a dictionary of names, and ensembles of trees."""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.methods import model_file as archive
from duramen.methods.auto import columns
from duramen.methods.auto import context_features as context
from duramen.methods.auto import page_type as facts
from duramen.methods.auto import threshold as readings
from duramen.methods.auto.forest import Ensemble, joined, totals

VERSION = 5
WIDTH = columns.COUNT + context.COUNT
"""How many numbers a block has in all."""
PAGE_WIDTH = readings.COUNT + facts.COUNT
"""And how many a page."""

_KIND = "duramen auto model"
_PARTS = ("root", "feature", "threshold", "left", "right", "value")


@dataclass(frozen=True, eq=False)
class AutoModel:
    """What `methods.auto` reads."""

    dictionary: Mapping[str, int] = field(repr=False)
    look: Ensemble = field(repr=False)
    """The local classifier: a block by itself."""
    decide: Ensemble = field(repr=False)
    """The one that knows what the first look says of the other blocks."""
    types: Mapping[str, Ensemble] = field(repr=False)
    """For each type of page, whether it is one."""
    calibration: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0, 1.0), (0.0, 1.0))
    """The expected F1, and the F1 that was found on pages of sites the model had not seen."""
    card: Mapping[str, Any] = field(default_factory=dict)
    weights: array[int] = field(default_factory=lambda: array("q"), repr=False)
    """What each word of the dictionary adds to the others on a way (`duramen.methods.auto.path_weights`), in their order."""

    def confidence(self, expected: float) -> float:
        """The F1 that pages with this expected F1 really had."""
        known, found = self.calibration
        place = bisect_right(known, expected)
        if place in (0, len(known)):
            return found[max(place - 1, 0)]
        low, high = known[place - 1 : place + 1]
        return found[place - 1] + (found[place] - found[place - 1]) * (expected - low) / (high - low)

    def page_types(self, row: array[float]) -> dict[str, float]:
        """For each type of page how much speaks for it in a row of `readings.describe_page` and, behind it, one of
        `facts.read_facts`: the logarithm of the odds, as if half of all pages were of that type."""
        if not self.types:
            return {}
        trees, sizes = self._all_types
        return dict(zip(self.types, totals(trees, row, sizes), strict=True))

    @cached_property
    def _all_types(self) -> tuple[Ensemble, array[int]]:
        """The trees of all types, and how many each type has."""
        return joined(list(self.types.values())), array("q", map(len, self.types.values()))

    def save(self, path: Path) -> None:
        """Write the file; a run that is stopped leaves the old one."""
        arrays: dict[str, NDArray[Any]] = {
            "names": np.frombuffer("\n".join(self.dictionary).encode(), np.uint8),
            "scores": np.array(list(self.dictionary.values()), np.int16),
            "weights": np.array(self.weights, np.int16),
            "types": np.frombuffer("\n".join(self.types).encode(), np.uint8),
            "calibration": np.array(self.calibration),
        }
        ensembles = {"look": self.look, "decide": self.decide}
        ensembles |= {f"type{number}": ensemble for number, ensemble in enumerate(self.types.values())}
        for name, ensemble in ensembles.items():
            for part in _PARTS:
                arrays[f"{name}_{part}"] = getattr(ensemble, part)
        archive.write(path, _KIND, VERSION, self.card, arrays)

    @classmethod
    def load(cls, path: Path) -> AutoModel:
        """Read a model. `InputError` says what is wrong with a file that is none, damaged, or of another version."""
        arrays, card = archive.read(path, _KIND, VERSION, f"make one with  duramen train auto SET -o {path}")
        try:
            names, types = (
                arrays[part].tobytes().decode().split("\n") if arrays[part].size else [] for part in ("names", "types")
            )
            expected, found = arrays["calibration"].astype(np.float64)
            if not expected.size or not np.all(np.isfinite(arrays["calibration"])):
                raise ValueError("a calibration with what is no number")
            return cls(
                dict(zip(names, arrays["scores"].tolist(), strict=True)),
                _ensemble(arrays, "look", columns.COUNT),
                _ensemble(arrays, "decide", WIDTH),
                {name: _ensemble(arrays, f"type{number}", PAGE_WIDTH) for number, name in enumerate(types)},
                (tuple(expected.tolist()), tuple(found.tolist())),
                card,
                _weights(arrays["weights"], len(names)),
            )
        except archive.DAMAGE as error:
            raise archive.damaged(path) from error


def _weights(numbers: NDArray[Any], words: int) -> array[int]:
    if numbers.shape not in ((0,), (words,)):
        raise ValueError("weights of other words")
    return array("q", numbers.tolist())


def _ensemble(arrays: archive.Arrays, name: str, width: int) -> Ensemble:
    """An ensemble whose every step leads on to a later node or a leaf: one that could run in circles is refused."""
    integers = {
        part: np.ascontiguousarray(arrays[f"{name}_{part}"], np.int32) for part in ("root", "feature", "left", "right")
    }
    threshold, value = (np.ascontiguousarray(arrays[f"{name}_{part}"], np.float64) for part in ("threshold", "value"))
    parts: list[NDArray[Any]] = [*integers.values(), threshold, value]
    if any(numbers.ndim != 1 for numbers in parts):
        raise ValueError("a tree that is no list of numbers")
    count = len(integers["feature"])
    places = np.arange(count)
    for part in ("left", "right"):
        child = integers[part]
        inner = child >= 0
        if len(child) != count or np.any(child[inner] <= places[inner]):
            raise ValueError("a tree that leads back")
    for child in (integers["root"], integers["left"], integers["right"]):
        if np.any(child >= count) or np.any(-1 - child >= len(value)):
            raise ValueError("a tree that leads nowhere")
    if len(threshold) != count or np.any(integers["feature"] < 0) or np.any(integers["feature"] >= width):
        raise ValueError("a tree that asks for what is not there")
    if not (np.all(np.isfinite(threshold)) and np.all(np.isfinite(value))):
        raise ValueError("a tree with what is no number")
    return Ensemble(threshold=threshold, value=value, **integers)


load = archive.loader(AutoModel.load, "auto.npz")
"""The model in a file, or without one the model that duramen ships."""
