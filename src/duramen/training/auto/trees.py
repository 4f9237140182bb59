"""Boosted trees by LightGBM, written down as flat arrays: what it learns with is not needed to run what it learnt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.errors import MissingExtraError
from duramen.methods.auto.forest import Ensemble, joined


@dataclass(frozen=True)
class Growth:
    """How the trees are grown."""

    trees: int = 60
    leaves: int = 31
    depth: int = 7
    """Steps from the root to a leaf, at most: every row takes that many."""
    rate: float = 0.1
    fewest_rows: int = 100
    """Rows that a leaf must have."""
    features: float = 0.6
    """Shares of the numbers and of the rows that each tree is shown."""
    rows: float = 0.7
    smoothing: float = 5.0
    seed: int = 1

    def of_voice(self, voice: int) -> Growth:
        """The same with other chances."""
        return replace(self, seed=seed_of(self.seed, voice))

    def hasty(self) -> Growth:
        """Half as many trees in twice as large steps: nearly as good, for half the time to ask them."""
        return replace(self, trees=max(1, self.trees // 2), rate=2 * self.rate)


def seed_of(seed: int, voice: int) -> int:
    """The seed of a voice: the first has the seed itself, and no other that of the next training."""
    return crc32(f"{seed} voice {voice}".encode()) & 0x7FFFFFFF if voice else seed


def require_lightgbm() -> Any:
    """The library, or an error that says how to get it."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtraError("lightgbm", "training") from error
    return lightgbm


def grow(
    rows: Sequence[NDArray[Any]], labels: Sequence[NDArray[Any]], weights: Sequence[NDArray[Any]], growth: Growth
) -> Any:
    """An ensemble that tells the labels, which are shares between 0 and 1, from the rows."""
    lightgbm = require_lightgbm()
    data = lightgbm.Dataset(np.vstack(rows), np.concatenate(labels), weight=np.concatenate(weights))
    settings = {
        "objective": "cross_entropy",
        "num_leaves": growth.leaves,
        "max_depth": growth.depth,
        "learning_rate": growth.rate,
        "min_data_in_leaf": growth.fewest_rows,
        "feature_fraction": growth.features,
        "bagging_fraction": growth.rows,
        "bagging_freq": 1,
        "lambda_l2": growth.smoothing,
        "seed": growth.seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    return lightgbm.train(settings, data, growth.trees)


def flatten(booster: Any) -> Ensemble:
    """The trees of a booster as flat arrays, each node before those it leads to."""
    parts: dict[str, list[float]] = {part: [] for part in ("root", "feature", "threshold", "left", "right", "value")}
    for tree in booster.dump_model()["tree_info"]:
        parts["root"].append(_flatten(tree["tree_structure"], parts))
    return Ensemble(
        **{
            part: np.array(numbers, np.float64 if part in ("threshold", "value") else np.int32)
            for part, numbers in parts.items()
        }
    )


def together(voices: Sequence[Any]) -> Ensemble:
    """The trees of several boosters as one ensemble, which says the mean of what they say."""
    found = joined([flatten(booster) for booster in voices])
    return replace(found, value=found.value / len(voices))


def _flatten(structure: dict[str, Any], parts: dict[str, list[float]]) -> int:
    """Write a tree down, and tell where it begins. Calls itself no deeper than a tree has leaves."""
    if "split_feature" not in structure:
        parts["value"].append(structure["leaf_value"])
        return -len(parts["value"])
    if structure["decision_type"] != "<=":
        raise ValueError(f"a tree that decides by {structure['decision_type']!r}")
    node = len(parts["feature"])
    parts["feature"].append(structure["split_feature"])
    parts["threshold"].append(structure["threshold"])
    for side in ("left", "right"):
        parts[side].append(0)
    for side in ("left", "right"):
        parts[side][node] = _flatten(structure[f"{side}_child"], parts)
    return node
