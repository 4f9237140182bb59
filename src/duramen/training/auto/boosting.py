"""Train boosted trees by LightGBM, and flatten them: inference needs no LightGBM."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen.errors import MissingExtraError
from duramen.methods.auto.boosted_trees import TREE_ARRAYS, BoostedTrees


@dataclass(frozen=True)
class BoostingSettings:
    """Parameters of LightGBM."""

    trees: int = 60
    leaves: int = 31
    depth: int = 7
    """Maximum depth: every row takes that many steps."""
    rate: float = 0.1
    min_leaf_rows: int = 100
    feature_share: float = 0.6
    """Share of the features that each tree sees."""
    row_share: float = 0.7
    """Share of the rows that each tree sees."""
    l2: float = 5.0
    seed: int = 1

    def for_seed_index(self, index: int) -> BoostingSettings:
        """Return the same settings with the seed of the given index."""
        return replace(self, seed=derive_seed(self.seed, index))

    def with_fewer_rounds(self) -> BoostingSettings:
        """Return half as many trees with twice the learning rate: nearly as good, and twice as fast."""
        return replace(self, trees=max(1, self.trees // 2), rate=2 * self.rate)


def derive_seed(seed: int, index: int) -> int:
    """Return the seed of an index: the first is the seed itself, and no other is that of the next training."""
    return crc32(f"{seed} voice {index}".encode()) & 0x7FFFFFFF if index else seed


def require_lightgbm() -> Any:
    """Return the library, or raise an error with the command that installs it."""
    try:
        import lightgbm
    except ImportError as error:
        raise MissingExtraError("lightgbm", "training") from error
    return lightgbm


def train_booster(
    rows: Sequence[NDArray[Any]],
    labels: Sequence[NDArray[Any]],
    weights: Sequence[NDArray[Any]],
    settings: BoostingSettings,
) -> Any:
    """Train trees that predict the labels, which are shares between 0 and 1, from the rows."""
    lightgbm = require_lightgbm()
    data = lightgbm.Dataset(np.vstack(rows), np.concatenate(labels), weight=np.concatenate(weights))
    parameters = {
        "objective": "cross_entropy",
        "num_leaves": settings.leaves,
        "max_depth": settings.depth,
        "learning_rate": settings.rate,
        "min_data_in_leaf": settings.min_leaf_rows,
        "feature_fraction": settings.feature_share,
        "bagging_fraction": settings.row_share,
        "bagging_freq": 1,
        "lambda_l2": settings.l2,
        "seed": settings.seed,
        "deterministic": True,
        "force_row_wise": True,
        "verbose": -1,
    }
    return lightgbm.train(parameters, data, settings.trees)


def flatten(booster: Any) -> BoostedTrees:
    """Return the trees of a booster as flat arrays, each node before its children."""
    parts: dict[str, list[float]] = {part: [] for part in TREE_ARRAYS}
    for tree in booster.dump_model()["tree_info"]:
        parts["root"].append(_flatten_tree(tree["tree_structure"], parts))
    return BoostedTrees(
        **{
            part: np.array(numbers, np.float64 if part in ("threshold", "value") else np.int32)
            for part, numbers in parts.items()
        }
    )


def _flatten_tree(structure: dict[str, Any], parts: dict[str, list[float]]) -> int:
    """Append a tree and return its root. The recursion is no deeper than the tree has leaves."""
    if "split_feature" not in structure:
        parts["value"].append(structure["leaf_value"])
        return -len(parts["value"])
    if structure["decision_type"] != "<=":
        raise ValueError(f"cannot flatten a tree with the decision {structure['decision_type']!r}")
    node = len(parts["feature"])
    parts["feature"].append(structure["split_feature"])
    parts["threshold"].append(structure["threshold"])
    for side in ("left", "right"):
        parts[side].append(0)
    for side in ("left", "right"):
        parts[side][node] = _flatten_tree(structure[f"{side}_child"], parts)
    return node


def average(boosters: Sequence[Any]) -> BoostedTrees:
    """Return the trees of several boosters as one ensemble, whose score is the mean of theirs."""
    joined = concatenate([flatten(booster) for booster in boosters])
    return replace(joined, value=joined.value / len(boosters))


def concatenate(ensembles: Sequence[BoostedTrees]) -> BoostedTrees:
    """Return the trees of several ensembles, one after another."""
    parts: dict[str, list[Any]] = {name: [] for name in TREE_ARRAYS}
    nodes = leaves = 0
    for trees in ensembles:
        for name in ("root", "left", "right"):
            child = getattr(trees, name)
            parts[name].append(np.where(child >= 0, child + nodes, child - leaves).astype(np.int32))
        for name in ("feature", "threshold", "value"):
            parts[name].append(getattr(trees, name))
        nodes, leaves = nodes + len(trees.feature), leaves + len(trees.value)
    return BoostedTrees(**{name: np.concatenate(arrays) for name, arrays in parts.items()})
