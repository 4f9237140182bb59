"""The file of a model: a NumPy archive without pickled objects, with its kind, its version and a card in JSON.

The card says what the model was trained on, when, and how it scored.
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from tokenize import TokenError
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from duramen.errors import InputError

Arrays = Mapping[str, NDArray[Any]]

# What NumPy and zipfile raise on what is no archive, or is a damaged one; RuntimeError is a bit that says "encrypted".
DAMAGE = (
    *(EOFError, ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError),
    *(zipfile.BadZipFile, zlib.error, TokenError),
)


def write(path: Path, kind: str, version: int, card: Mapping[str, Any], arrays: Arrays) -> None:
    """Write the file aside, then put it in its place: a run that is stopped leaves the old one."""
    whole = {
        "kind": np.array(kind),
        "version": np.array(version),
        "card": np.array(json.dumps(card, ensure_ascii=False)),
        **arrays,
    }
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a file: name another one for the model")
    named, path = path, path.resolve()  # of a link, the file that it leads to is replaced, not the link
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
        try:
            with os.fdopen(handle, "wb") as file:
                np.savez_compressed(file, allow_pickle=False, **whole)
                file.flush()
                os.fsync(file.fileno())
            Path(aside).chmod(_usual_mode())
            Path(aside).replace(path)
        except BaseException:
            Path(aside).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{named}: the model cannot be written: {(error.strerror or str(error)).lower()}") from error


def read(path: Path, kind: str, version: int, remedy: str) -> tuple[Arrays, dict[str, Any]]:
    """The arrays of a file and its card. `InputError` says what is wrong with one that is none, damaged, or of another
    version; `remedy` says how to get a right one."""
    try:
        # Opened here: NumPy leaves its own handle open on a file that is no archive.
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        if str(arrays["kind"]) != kind:
            raise ValueError("another kind of archive")
        found = int(arrays["version"])
        card = json.loads(str(arrays["card"]))
        if not isinstance(card, dict):
            raise ValueError("no card")
    except FileNotFoundError:
        raise InputError(f"{path}: no such model; {remedy}") from None
    except OSError as error:
        if error.errno is not None:
            raise InputError(f"{path}: the model cannot be read: {(error.strerror or str(error)).lower()}") from error
        raise damaged(path) from error
    except DAMAGE as error:
        raise damaged(path) from error
    if found != version:
        raise InputError(
            f"{path}: a model of version {found}, and this duramen reads version {version}: train it again"
        )
    return arrays, card


def damaged(path: Path) -> InputError:
    """What to say of a file that no model can be made of."""
    return InputError(f"{path}: not a model of duramen, or a damaged one: train it again")


Model = TypeVar("Model")


def loader(read: Callable[[Path], Model], shipped: str) -> Callable[..., Model]:
    """A function that gives the model in a file, read again only when the file has changed.

    Without a file it gives the one of the name `shipped` that comes with duramen.
    """

    @lru_cache(maxsize=8)
    def known(path: str, changed: int) -> Model:
        if path:
            return read(Path(path))
        with resources.as_file(resources.files("duramen") / "models" / shipped) as file:
            return read(file)

    def load(path: str = "") -> Model:
        if not path:
            return known("", 0)
        try:
            changed = Path(path).stat().st_mtime_ns
        except OSError:
            changed = 0  # the error is said when it is read
        return known(str(Path(path).resolve()), changed)

    return load


def _usual_mode() -> int:
    """The permissions of a new file: a temporary one is readable by its owner alone."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
