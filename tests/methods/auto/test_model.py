"""The model of the default extractor: its file, its probabilities, what is refused."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duramen
from duramen.errors import InputError
from duramen.methods.auto import features, page_type
from duramen.methods.auto import model as auto
from duramen.methods.auto.boosted_trees import BoostedTrees
from duramen.methods.auto.model import BLOCK_FEATURES, AutoModel, load
from duramen.methods.mss.model import MssModel, NgramTable

PARTS = ("root", "feature", "threshold", "left", "right", "value")


def stump(feature: int, threshold: float, low: float, high: float) -> BoostedTrees:
    """One tree of one question, and one that is a leaf."""
    return BoostedTrees(
        root=np.array([0, -3], np.int32),
        feature=np.array([feature], np.int32),
        threshold=np.array([threshold]),
        left=np.array([-1], np.int32),
        right=np.array([-2], np.int32),
        value=np.array([low, high, 0.25]),
    )


def make_model(**changes: Any) -> AutoModel:
    model = AutoModel(
        {"<p>": 9, "комментарий": -20, "post": 300},
        stump(0, 10.5, -2.0, 2.0),
        stump(BLOCK_FEATURES - 1, 0.5, -3.0, 3.0),
        {"article": stump(0, 0.5, -1.0, 1.0), "list": stump(1, 0.5, 1.0, -1.0)},
        ((0.2, 0.6, 0.9), (0.1, 0.5, 0.95)),
        {"pages": 3, "credit": "WCXB — CC BY"},
        [16, -900, 7],
    )
    return dataclasses.replace(model, **changes)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.npz"


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def damage(path: Path, **changes: Any) -> None:
    """The file of a good model, with other arrays in place of some."""
    make_model().save(path)
    arrays = arrays_of(path)
    unknown = set(changes) - set(arrays)
    assert not unknown
    np.savez(path, **{**arrays, **{name: np.asarray(value) for name, value in changes.items()}})


def refusal(path: Path) -> str:
    """What is said of a file that is no good: one line that begins with its name."""
    with pytest.raises(InputError) as caught:
        AutoModel.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


DAMAGED = "not a model of duramen, or a damaged one: train it again"


def test_a_loaded_model_equals_the_saved_one(path: Path) -> None:
    model = make_model()
    model.save(path)
    again = AutoModel.load(path)
    assert again.dictionary == model.dictionary
    assert again.path_weights == model.path_weights
    assert list(again.types) == list(model.types)
    assert again.calibration == model.calibration
    assert again.card == model.card
    pairs = [(model.first, again.first), (model.second, again.second)]
    pairs += [(model.types[name], again.types[name]) for name in model.types]
    for before, after in pairs:
        for part in PARTS:
            assert getattr(before, part).tolist() == getattr(after, part).tolist()
            assert getattr(before, part).dtype == getattr(after, part).dtype


def test_a_model_may_know_no_names_and_no_types(path: Path) -> None:
    make_model(dictionary={}, path_weights=[], types={}).save(path)
    again = AutoModel.load(path)
    assert again.dictionary == {}
    assert again.types == {}
    assert again.score_types(np.zeros(page_type.COUNT)) == {}


def test_the_file_contains_no_pickle(path: Path) -> None:
    make_model().save(path)
    assert not [name for name, found in arrays_of(path).items() if found.dtype.hasobject]


def test_a_run_that_is_stopped_leaves_the_old_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"old")

    def stop(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr("numpy.savez_compressed", stop)
    with pytest.raises(KeyboardInterrupt):
        make_model().save(path)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in path.parent.iterdir()] == ["model.npz"]


def test_the_error_for_a_missing_file_explains_how_to_make_one(path: Path) -> None:
    assert refusal(path) == f"no such model; make one with  duramen train auto SET -o {path}"


@pytest.mark.parametrize("data", [b"", b"PK\x03\x04", b"no archive at all", b"\x93NUMPY\x01\x00 and so on"])
def test_a_file_that_is_not_an_archive_is_reported(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert refusal(path) == DAMAGED


def test_a_truncated_file_is_reported(path: Path) -> None:
    make_model().save(path)
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    assert refusal(path) == DAMAGED


def test_a_model_of_another_family_is_reported(path: Path) -> None:
    MssModel(0.0, {order: NgramTable.empty() for order in range(4)}, NgramTable.empty()).save(path)
    assert refusal(path) == DAMAGED


def test_a_model_of_a_later_version_is_reported(path: Path) -> None:
    damage(path, version=auto.VERSION + 1)
    assert refusal(path) == (
        f"a model of version {auto.VERSION + 1}, and this duramen reads version {auto.VERSION}: train it again"
    )


def test_a_file_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "the model cannot be read: is a directory"


@pytest.mark.parametrize(
    "name", ["names", "scores", "weights", "types", "calibration", "look_root", "decide_value", "type1_left"]
)
def test_a_part_that_is_missing_is_reported(path: Path, name: str) -> None:
    make_model().save(path)
    np.savez(path, **{each: found for each, found in arrays_of(path).items() if each != name})
    assert refusal(path) == DAMAGED


@pytest.mark.parametrize(
    "changes",
    [
        {"look_left": [0]},  # to itself: round and round
        {"decide_right": [0]},
        {"type0_left": [0]},
        {"look_feature": [0, 1], "look_threshold": [0.5, 0.5], "look_left": [1, 0], "look_right": [-1, -1]},
        {"look_left": [7]},
        {"look_left": [-9]},
        {"look_root": [0, 1]},
        {"look_root": [0, -4]},
        {"look_feature": [-1]},
        {"look_feature": [features.COUNT]},
        {"decide_feature": [BLOCK_FEATURES]},
        {"type1_feature": [page_type.COUNT]},
        {"look_left": [-1, -1]},
        {"look_threshold": [0.5, 0.5]},
        {"look_threshold": [math.nan]},
        {"look_value": [1.0, math.inf, 0.0]},
        {"look_value": ["a", "b", "c"]},
        {"look_root": [[0, -3]]},
        {"look_value": [[1.0], [2.0], [3.0]]},
        {"look_value": 1.0},
        {"scores": [1, 2]},
        {"weights": [1, 2]},
        {"names": [255, 254]},
        {"calibration": [0.5, 0.5, 0.5]},
        {"calibration": [[], []]},
        {"calibration": [[0.0, math.nan], [0.0, 1.0]]},
        {"card": "[]"},
        {"card": "{"},
        {"kind": "duramen mss model"},
    ],
    ids=str,
)
def test_commands_that_cannot_run_are_refused(path: Path, changes: dict[str, Any]) -> None:
    dtypes = {"names": np.uint8}
    damage(path, **{name: np.array(value, dtypes.get(name)) for name, value in changes.items()})
    assert refusal(path) == DAMAGED


def test_questions_up_to_the_last_number_are_allowed(path: Path) -> None:
    damage(path, look_feature=[features.COUNT - 1], type1_feature=[page_type.COUNT - 1])
    assert len(AutoModel.load(path).first) == 2


@settings(max_examples=40)
@given(st.data())
def test_a_flipped_bit_is_reported_or_has_no_effect(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    path = tmp_path_factory.getbasetemp() / "flipped.npz"
    make_model().save(path)
    raw = bytearray(path.read_bytes())
    raw[data.draw(st.integers(0, len(raw) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    path.write_bytes(raw)
    with contextlib.suppress(InputError):
        model = AutoModel.load(path)
        assert list(model.first.score(np.zeros((features.COUNT, 1)))) == [-1.75]


def test_confidence_is_interpolated_between_calibration_points() -> None:
    model = make_model()
    assert model.confidence(0.6) == 0.5
    assert model.confidence(0.4) == pytest.approx(0.3)
    assert (model.confidence(0.0), model.confidence(1.0)) == (0.1, 0.95)


def test_the_type_of_a_page_is_the_likeliest() -> None:
    row = np.zeros(page_type.COUNT)
    row[0], row[1] = 1.0, 1.0
    types = make_model().score_types(row)
    assert types["list"] < types["article"]
    row[0], row[1] = 0.0, 0.0
    types = make_model().score_types(row)
    assert types["article"] < types["list"]


def test_a_file_is_read_once_until_it_changes(path: Path) -> None:
    make_model().save(path)
    first = load(str(path))
    assert load(str(path)) is first
    make_model(dictionary={"other": 1}, path_weights=[2]).save(path)
    os.utime(path, ns=(1, 1))
    assert load(str(path)).dictionary == {"other": 1}


def test_the_shipped_model_has_a_card() -> None:
    if not (Path(duramen.__file__).parent / "models" / "auto.npz").is_file():
        pytest.skip("the model is not trained yet")
    model = load()
    assert load() is model
    assert {"algorithm", "date", "sets", "pages", "scores", "parameters"} <= set(model.card)
    assert json.loads(json.dumps(model.card)) == model.card
    assert "article" in model.types
    expected, found = model.calibration
    assert list(expected) == sorted(expected)
    assert list(found) == sorted(found)
