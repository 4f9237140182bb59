"""The model of the default extractor: a dictionary of class names, and boosted trees."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.methods import model_file
from duramen.methods.auto import context_features, features, page_type
from duramen.methods.auto.boosted_trees import TREE_ARRAYS, BoostedTrees, Floats, join_trees
from duramen.methods.auto.class_scores import ClassScorer

VERSION = 5
BLOCK_FEATURES = features.COUNT + context_features.COUNT
"""Features of a block, with those of its context."""

_KIND = "duramen auto model"
# Names in the file: "look" is the first classifier, "decide" the second.


@dataclass(frozen=True, eq=False)
class AutoModel:
    """What `duramen train auto` writes and the default extractor reads."""

    dictionary: Mapping[str, int] = field(repr=False)
    """Scores of words of class names."""
    first: BoostedTrees = field(repr=False)
    """The classifier of a block by its own features."""
    second: BoostedTrees = field(repr=False)
    """The classifier that also gets the context features."""
    types: Mapping[str, BoostedTrees] = field(repr=False)
    """For each type of page, whether a page is of that type."""
    calibration: tuple[tuple[float, ...], tuple[float, ...]] = ((0.0, 1.0), (0.0, 1.0))
    """Expected F1, and the F1 found, on pages of sites that the model had not seen."""
    card: Mapping[str, Any] = field(default_factory=dict)
    path_weights: Sequence[int] = field(default=(), repr=False)
    """Weights of the words of the dictionary, in their order (`class_scores`)."""

    @cached_property
    def scorer(self) -> ClassScorer:
        return ClassScorer(self.dictionary, self.path_weights)

    def confidence(self, expected_f1: float) -> float:
        """Return the F1 that pages with this expected F1 really had."""
        expected, measured = self.calibration
        place = bisect_right(expected, expected_f1)
        if place in (0, len(expected)):
            return measured[max(place - 1, 0)]
        low, high = expected[place - 1 : place + 1]
        slope = (measured[place] - measured[place - 1]) * (expected_f1 - low) / (high - low)
        return measured[place - 1] + slope

    def score_types(self, page: Floats) -> dict[str, float]:
        """Return the log odds of each type for the features of a page, as if half of all pages were of that type."""
        trees, type_of_tree = self._joined_types
        return dict(zip(self.types, trees.score_parts(page, type_of_tree, len(self.types)), strict=True))

    @cached_property
    def _joined_types(self) -> tuple[BoostedTrees, NDArray[np.int32]]:
        """The trees of all types, to be scored in one call, and the number of each tree's type."""
        sizes = [len(trees) for trees in self.types.values()]
        return join_trees(self.types.values()), np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    def save(self, path: Path) -> None:
        """Write the file atomically."""
        arrays: dict[str, NDArray[Any]] = {
            "names": np.frombuffer("\n".join(self.dictionary).encode(), np.uint8),
            "scores": np.array(list(self.dictionary.values()), np.int16),
            "weights": np.array(self.path_weights, np.int16),
            "types": np.frombuffer("\n".join(self.types).encode(), np.uint8),
            "calibration": np.array(self.calibration),
        }
        forests = {"look": self.first, "decide": self.second}
        forests |= {f"type{number}": trees for number, trees in enumerate(self.types.values())}
        for name, trees in forests.items():
            for array_name in TREE_ARRAYS:
                arrays[f"{name}_{array_name}"] = getattr(trees, array_name)
        model_file.write(path, _KIND, VERSION, self.card, arrays)

    @classmethod
    def load(cls, path: Path) -> AutoModel:
        """Read a model. `InputError` says what is wrong with a file that is none, damaged, or of another version."""
        arrays, card = model_file.read(path, _KIND, VERSION, f"make one with  duramen train auto SET -o {path}")
        try:
            words, types = _read_lines(arrays["names"]), _read_lines(arrays["types"])
            expected, measured = arrays["calibration"].astype(np.float64)
            if not expected.size or not np.all(np.isfinite(arrays["calibration"])):
                raise ValueError("the calibration has a value that is not finite")
            if arrays["weights"].shape not in ((0,), (len(words),)):
                raise ValueError("path weights and dictionary differ in length")
            return cls(
                dict(zip(words, arrays["scores"].tolist(), strict=True)),
                _read_trees(arrays, "look", features.COUNT),
                _read_trees(arrays, "decide", BLOCK_FEATURES),
                {name: _read_trees(arrays, f"type{number}", page_type.COUNT) for number, name in enumerate(types)},
                (tuple(expected.tolist()), tuple(measured.tolist())),
                card,
                arrays["weights"].tolist(),
            )
        except model_file.DAMAGED_FILE_ERRORS as error:
            raise model_file.make_damaged_error(path) from error


def _read_lines(text: NDArray[Any]) -> list[str]:
    return text.tobytes().decode().split("\n") if text.size else []


def _read_trees(arrays: model_file.Arrays, name: str, feature_count: int) -> BoostedTrees:
    """Read trees, and refuse those with cycles or numbers out of range: inference does not check them."""
    integers = {
        part: np.ascontiguousarray(arrays[f"{name}_{part}"], np.int32) for part in ("root", "feature", "left", "right")
    }
    threshold, value = (np.ascontiguousarray(arrays[f"{name}_{part}"], np.float64) for part in ("threshold", "value"))
    parts: list[NDArray[Any]] = [*integers.values(), threshold, value]
    if any(numbers.ndim != 1 for numbers in parts):
        raise ValueError("an array of a tree has more than one dimension")
    count = len(integers["feature"])
    nodes = np.arange(count)
    for side in ("left", "right"):
        child = integers[side]
        is_inner = child >= 0
        if len(child) != count or np.any(child[is_inner] <= nodes[is_inner]):
            raise ValueError("a child does not come after its parent")
    for child in (integers["root"], integers["left"], integers["right"]):
        if np.any(child >= count) or np.any(-1 - child >= len(value)):
            raise ValueError("a child is out of range")
    if len(threshold) != count or np.any(integers["feature"] < 0) or np.any(integers["feature"] >= feature_count):
        raise ValueError("a feature is out of range")
    if not (np.all(np.isfinite(threshold)) and np.all(np.isfinite(value))):
        raise ValueError("a threshold or value is not finite")
    return BoostedTrees(threshold=threshold, value=value, **integers)


load = model_file.make_cached_loader(AutoModel.load, "auto.npz")
"""Load the model in a file, or the shipped one without a file."""
