"""The file of an mss model: written whole or not at all, read or refused in one sentence."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import duramen
from duramen.dom.tree import Tree
from duramen.errors import InputError
from duramen.methods.mss import model as mss
from duramen.methods.mss.model import MssModel, NgramTable, hash_ngrams
from duramen.methods.mss.tokens import tokenize


def make_model(card: dict[str, Any] | None = None) -> MssModel:
    def table(*rows: tuple[int, float]) -> NgramTable:
        return NgramTable(
            np.array([key for key, _ in rows], np.uint32), np.array([value for _, value in rows], np.float16)
        )

    tables = {
        0: table((4, -1.0)),
        1: table((3, 0.5), (2**32 - 1, -2.0)),
        2: table((7, 1.25)),
        3: table((1, -0.25), (2, 3.5), (9, 0.125)),
    }
    return MssModel(-0.75, tables, table((5, 1.5)), table((2, 0.875)), card or {"pages": 3, "credit": "WCXB — CC BY"})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.npz"


def arrays_of(path: Path) -> dict[str, np.ndarray]:
    with np.load(path, allow_pickle=False) as archive:
        return {name: archive[name] for name in archive.files}


def refusal(path: Path) -> str:
    """What is message of a file that is no good: one line that begins with its name."""
    with pytest.raises(InputError) as caught:
        MssModel.load(path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert "\n" not in message
    return message.removeprefix(f"{path}: ")


def test_a_loaded_model_equals_the_saved_one(path: Path) -> None:
    model = make_model()
    model.save(path)
    again = MssModel.load(path)
    assert again.prior == model.prior
    assert again.card == model.card
    pairs = [(model.tables[order], again.tables[order]) for order in mss.ORDERS]
    pairs += [(model.open_tags, again.open_tags), (model.importance, again.importance)]
    for before, after in pairs:
        assert before.keys.tolist() == after.keys.tolist()
        assert before.values.tolist() == after.values.tolist()


def test_the_file_has_the_given_name(tmp_path: Path) -> None:
    make_model().save(tmp_path / "model")
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_missing_folders_are_made(tmp_path: Path) -> None:
    make_model().save(tmp_path / "a" / "b" / "model.npz")
    assert MssModel.load(tmp_path / "a" / "b" / "model.npz").prior == -0.75


def test_a_new_model_replaces_an_old_one(path: Path) -> None:
    make_model({"number": 1}).save(path)
    make_model({"number": 2}).save(path)
    assert MssModel.load(path).card == {"number": 2}


def test_the_file_has_no_pickled_objects(path: Path) -> None:
    make_model().save(path)
    assert all(array.dtype.kind in "Uifu" for array in arrays_of(path).values())


def test_the_error_for_a_missing_file_explains_how_to_make_one(path: Path) -> None:
    assert refusal(path) == f"no such model; make one with  duramen train mss SET -o {path}"


def test_a_folder_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path)


@pytest.mark.parametrize("content", [b"", b"PK", b"<!doctype html><p>Hello", b"\x00" * 1000, b"\x80\x04K\x01."])
def test_a_file_that_is_no_archive_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def test_a_bare_array_is_refused(path: Path) -> None:
    with path.open("wb") as file:
        np.save(file, np.arange(3))
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def test_another_archive_is_refused(path: Path) -> None:
    np.savez(path, weights=np.arange(3))
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def test_another_kind_of_model_is_refused(path: Path) -> None:
    make_model().save(path)
    np.savez(path, **{**arrays_of(path), "kind": np.array("something else")})
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def test_another_version_raises_an_error(path: Path) -> None:
    make_model().save(path)
    np.savez(path, **{**arrays_of(path), "version": np.array(99)})
    assert refusal(path) == f"a model of version 99, and this duramen reads version {mss.VERSION}: train it again"


def test_a_pickle_inside_is_refused_and_not_run(path: Path, tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return os.mkdir, (str(tmp_path / "sprung"),)

    make_model().save(path)
    np.savez(path, allow_pickle=True, **{**arrays_of(path), "card": np.array(Trap(), dtype=object)})
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    "name", ["kind", "version", "prior", "card", "ngrams1_keys", "ngrams3_values", "open_tags_keys"]
)
def test_a_part_that_is_missing_is_refused(path: Path, name: str) -> None:
    make_model().save(path)
    np.savez(path, **{key: array for key, array in arrays_of(path).items() if key != name})
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


@pytest.mark.parametrize(
    "keys", [np.array([2, 1, 9], np.uint32), np.array([1, 1, 9], np.uint32), np.array([1, 2], np.uint32)]
)
def test_a_table_out_of_order_or_of_two_lengths_is_refused(path: Path, keys: np.ndarray) -> None:
    make_model().save(path)
    np.savez(path, **{**arrays_of(path), "ngrams3_keys": keys})
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def test_a_card_that_is_no_json_is_refused(path: Path) -> None:
    make_model().save(path)
    np.savez(path, **{**arrays_of(path), "card": np.array("{")})
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


def model_bytes() -> bytes:
    """A model with tables large enough that most of the file is theirs."""
    keys = np.arange(300, dtype=np.uint32) * 7919
    table = NgramTable(keys, np.linspace(-3, 3, 300).astype(np.float16))
    file = io.BytesIO()
    names = [*(f"ngrams{order}" for order in mss.ORDERS), "open_tags", "importance"]
    named = {f"{name}_{part}": getattr(table, part) for name in names for part in ("keys", "values")}
    np.savez_compressed(
        file, kind=np.array("duramen mss model"), version=np.array(1), prior=np.array(0.5), card=np.array("{}"), **named
    )
    return file.getvalue()


MODEL_BYTES = model_bytes()


@given(length=st.integers(0, len(MODEL_BYTES) - 1))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_truncated_file_is_refused(path: Path, length: int) -> None:
    path.write_bytes(MODEL_BYTES[:length])
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


@given(place=st.integers(0, len(MODEL_BYTES) - 1), value=st.integers(0, 255))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
def test_a_damaged_byte_is_refused_or_has_no_effect(path: Path, place: int, value: int) -> None:
    path.write_bytes(MODEL_BYTES[:place] + bytes([value]) + MODEL_BYTES[place + 1 :])
    try:
        model = MssModel.load(path)
    except InputError as error:
        assert re.match(f"{re.escape(str(path))}: .*train it again$", str(error))  # noqa: PT017 - either is right
    else:
        assert set(model.tables) == set(mss.ORDERS)


def test_an_encrypted_archive_is_refused(path: Path) -> None:
    data = bytearray(MODEL_BYTES)
    flags = data.index(b"PK\x01\x02") + 8  # in the list of entries at the end
    data[flags] |= 1
    data[6] |= 1
    path.write_bytes(data)
    assert refusal(path) == "not a model of duramen, or a damaged one: train it again"


@pytest.mark.parametrize(
    ("number", "message"),
    [(errno.ENOSPC, "no space left on device"), (errno.EACCES, "permission denied"), (errno.EROFS, "read-only")],
)
def test_a_write_that_fails_leaves_the_old_model(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, message: str
) -> None:
    make_model({"number": 1}).save(path)

    def fail(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(np, "savez_compressed", fail)
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: the model cannot be written: {message}"):
        make_model({"number": 2}).save(path)
    assert [entry.name for entry in path.parent.iterdir()] == ["model.npz"]
    assert MssModel.load(path).card == {"number": 1}


def test_a_folder_without_permission_raises_an_error(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", fail)
    with pytest.raises(InputError, match="the model cannot be written: permission denied"):
        make_model().save(path)
    assert not path.exists()


def test_a_file_in_place_of_a_folder_raises_an_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    with pytest.raises(InputError, match="the model cannot be written: "):
        make_model().save(tmp_path / "taken" / "model.npz")
    assert (tmp_path / "taken").read_text() == "a file"


def test_an_interrupted_write_leaves_no_files(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(file: Any, **arrays: Any) -> None:
        file.write(b"half of it")
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "savez_compressed", stop)
    with pytest.raises(KeyboardInterrupt):
        make_model().save(path)
    assert not list(path.parent.iterdir())


def test_the_hash_of_an_ngram_depends_on_the_order_of_its_tokens() -> None:
    terms = np.array([1, 2, 3, 1, 2, 4], np.uint32)
    singles, pairs, triples = (hash_ngrams(terms, order).tolist() for order in (1, 2, 3))
    assert singles[0] == singles[3]
    assert pairs[0] == pairs[3]
    assert triples[0] != triples[3]
    assert len({*singles, *pairs, *triples}) == 4 + 5 + 6


def test_the_log_odds_of_unseen_ngrams_are_0() -> None:
    values, seen = make_model().tables[3].look_up(np.array([0, 2, 10], np.uint32))
    assert values.tolist() == [0.0, 3.5, 0.0]
    assert seen.tolist() == [False, True, False]


def test_an_empty_table_has_no_keys() -> None:
    values, seen = NgramTable.empty().look_up(np.array([1, 2], np.uint32))
    assert values.tolist() == [0.0, 0.0]
    assert not seen.any()


def test_log_odds_are_the_sum_of_prior_trigram_and_open_tag() -> None:
    tokens = tokenize(Tree.parse("<p>one two</p>"))
    trigram = hash_ngrams(tokens.terms, 3)[2]
    table = NgramTable(np.array([trigram], np.uint32), np.array([2.0], np.float16))
    tag = NgramTable(np.array([tokens.open_tags[2]], np.uint32), np.array([0.5], np.float16))
    model = MssModel(-1.0, {3: table}, tag)
    odds, seen = model.log_odds(tokens, 3, open_tag=False)
    assert (odds[2], odds[0]) == (1.0, -1.0)
    assert seen.tolist() == [index == 2 for index in range(len(tokens))]
    assert model.log_odds(tokens, 3, open_tag=True)[0][2] == 1.5


def test_the_installed_model_is_small_and_has_a_card() -> None:
    path = Path(duramen.__file__).parent / "models" / "mss.npz"
    assert path.stat().st_size < 3_000_000
    card = mss.load().card
    assert [each["credit"] for each in card["sets"]] == ["WCXB v1.0, CC BY 4.0"]
    assert card["scores"]["methods"]["mss-supervised"]["f1"] > 0.9
    assert "word F1" in card["pruning"]["mss-supervised"]
    assert json.dumps(card)
    assert zipfile.ZipFile(path).testzip() is None


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "model.npz"
    make_model(card={"pages": 1}).save(path)
    assert mss.load(str(path)).card == {"pages": 1}
    make_model(card={"pages": 2}).save(path)
    os.utime(path, ns=(1, 1))
    assert mss.load(str(path)).card == {"pages": 2}


def test_a_pipe_is_not_replaced(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a file"):
        make_model().save(tmp_path / "pipe")


def test_the_target_of_a_link_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link.npz").symlink_to(tmp_path / "model.npz")
    make_model().save(tmp_path / "link.npz")
    assert (tmp_path / "link.npz").is_symlink()
    assert MssModel.load(tmp_path / "model.npz").prior == -0.75
