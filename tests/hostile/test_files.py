"""Files from others: a model or a wrapper of any content is read, or refused in one sentence."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duramen
from duramen.errors import DuramenError, InputError
from duramen.methods.auto.model import AutoModel
from duramen.methods.mss.model import MssModel

TOPICS = [
    "lighthouse lamp sea keeper",
    "railway train bridge rail",
    "orchard apple tree fruit",
    "castle tower king wall",
]
PAGES = [
    f"<nav><a href=/>Home</a> <a href=/news>News</a></nav><div id=main><h1>All about the {topic.split()[0]}</h1>"
    f"<p class=text>{f'A {topic} stands where the {topic} was, and people came. ' * 8}</p></div><p>Imprint</p>"
    for topic in TOPICS
]
TABLE = "<ul>" + "".join(f"<li><a href=/{n}>Chair {n}</a><b class=price>{n} €</b></li>" for n in range(8)) + "</ul>"
DEEP = "[" * 900 + "]" * 900
VALUES = {
    "long number": "9" * 5_000,
    "large number": "9" * 4_000,
    "large float": "1e308",
    "NaN": "NaN",
    "Infinity": "-Infinity",
    "negative": "-1",
    "zero": "0",
    "null": "null",
    "true": "true",
    "text": '"\\ud800 text"',
    "digits": '"' + "9" * 5_000 + '"',
    "list": "[1, [2]]",
    "object": '{"a": {"b": null}}',
    "deep": DEEP,
    "deeper": "[" * 100_000,
}
MARK = "«here»"


def walk_places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    items = value.items() if isinstance(value, dict) else enumerate(value[:2]) if isinstance(value, list) else ()
    for key, inner in items:
        yield from walk_places(inner, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: str) -> str:
    """Return the JSON of a value with other JSON at a place."""
    if not path:
        return new
    changed = copy.deepcopy(value)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = MARK
    return json.dumps(changed).replace(json.dumps(MARK), new)


def check_loads(load: Callable[[Path], Any], use: Callable[[Any], object], wrapper: Any, path: Path, new: str) -> None:
    for place in walk_places(wrapper):
        path.write_text(put(wrapper, place, new), "utf-8")
        message = ""
        try:
            use(load(path))
        except InputError as error:
            message = str(error)
        except Exception as error:
            raise AssertionError(f"{place}: {error!r}") from error
        assert len(message) < 600, place
        assert "\n" not in message, place


@pytest.mark.parametrize("new", VALUES.values(), ids=VALUES)
def test_a_wrapper_file_is_read_or_refused_in_a_sentence(tmp_path: Path, new: str) -> None:
    path = tmp_path / "site.json"
    duramen.learn(PAGES).save(path)
    wrapper = json.loads(path.read_text("utf-8"))
    pages = [duramen.Page.parse(html) for html in (PAGES[0], TABLE)]
    check_loads(duramen.load_wrapper, lambda loaded: [loaded.extract(page).text for page in pages], wrapper, path, new)


@pytest.mark.parametrize("new", VALUES.values(), ids=VALUES)
def test_a_records_wrapper_file_is_read_or_refused_in_a_sentence(tmp_path: Path, new: str) -> None:
    path = tmp_path / "records.json"
    duramen.RecordsWrapper.of(duramen.records(TABLE)).save(path)
    wrapper = json.loads(path.read_text("utf-8"))
    page = duramen.Page.parse(TABLE)
    check_loads(duramen.load_wrapper, lambda loaded: loaded.extract(page).rows, wrapper, path, new)


def make_header(shape: str, dtype: str = "<f8") -> bytes:
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode()


ARRAYS = {
    "a petabyte": make_header("(125000000000000,)"),
    "more than there is": make_header("(10,)") + bytes(40),
    "a number of 30 digits": make_header(f"({10**30},)"),
    "less than nothing": make_header("(-1, -1)"),
    "huge text": make_header("()", "<U2000000000"),
    "objects": make_header("(1,)", "|O") + b"\x80\x04N.",
    "another version": b"\x93NUMPY\x09\x00" + bytes(200),
    "no array": b"nothing",
    "empty": b"",
}


@pytest.mark.parametrize("load", [AutoModel.load, MssModel.load])
@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
def test_an_array_that_claims_too_much_is_refused(load: Callable[[Path], object], array: bytes, tmp_path: Path) -> None:
    shipped = Path(str(duramen.__file__)).parent / "models" / ("auto.npz" if load == AutoModel.load else "mss.npz")
    with zipfile.ZipFile(shipped) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    path = tmp_path / "model.npz"
    for name in ("card.npy", "version.npy", sorted(members)[-1], "other.npy"):
        with zipfile.ZipFile(path, "w") as archive:
            for member, data in (members | {name: array}).items():
                archive.writestr(member, data)
        with pytest.raises(InputError, match=r"model\.npz: not a model of duramen, or a damaged one: train it again$"):
            load(path)


def test_an_archive_that_decompresses_to_gigabytes_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duramen.methods.model_file.MAX_BYTES", 1_000_000)
    file = io.BytesIO()
    np.savez_compressed(file, zeros=np.zeros(1_000_000))
    path = tmp_path / "model.npz"
    path.write_bytes(file.getvalue())
    assert path.stat().st_size < 20_000
    with pytest.raises(InputError, match="not a model"):
        AutoModel.load(path)


@pytest.mark.parametrize("card", ["[" * 100_000, "9" * 5_000, "NaN", "[]", '"x"'])
def test_a_card_that_is_no_object_is_refused(tmp_path: Path, card: str) -> None:
    path = tmp_path / "model.npz"
    np.savez(path, kind=np.array("duramen auto model"), version=np.array(5), card=np.array(card))
    with pytest.raises(DuramenError, match="not a model"):
        AutoModel.load(path)
