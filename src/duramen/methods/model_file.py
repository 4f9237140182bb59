"""Read and write model files: NumPy archives with a kind, a version and a model card.

An archive has no pickled objects. The card is JSON: what the model was trained on, when, and its scores.
"""

from __future__ import annotations

import json
import math
import zipfile
import zlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from importlib import resources
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO, TypeVar

import numpy as np
from numpy.typing import NDArray

from duramen.errors import InputError
from duramen.files import write_atomically

Arrays = Mapping[str, NDArray[Any]]

# Raised by NumPy and zipfile for a file that is not an archive or is damaged; RuntimeError if a bit says "encrypted".
DAMAGED_FILE_ERRORS = (
    *(EOFError, ValueError, KeyError, TypeError, AttributeError, IndexError, RuntimeError, OverflowError, MemoryError),
    *(zipfile.BadZipFile, zlib.error, TokenError),
)

_HEADER_READERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}

MAX_BYTES = 1 << 30
"""The size of all arrays of a model. Those that are shipped have a few megabytes."""


def write(path: Path, kind: str, version: int, card: Mapping[str, Any], arrays: Arrays) -> None:
    """Write a model atomically: an interrupted run leaves the old file unchanged."""
    contents = {
        "kind": np.array(kind),
        "version": np.array(version),
        "card": np.array(json.dumps(card, ensure_ascii=False)),
        **arrays,
    }
    if path.exists() and not path.is_file():
        raise InputError(f"{path}: not a file: give another name for the model")
    try:
        path.resolve().parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, lambda file: np.savez_compressed(file, allow_pickle=False, **contents))
    except OSError as error:
        why = (error.strerror or str(error)).lower()
        raise InputError(f"{path}: the model cannot be written: {why}") from error


def read(path: Path, kind: str, version: int, remedy: str) -> tuple[Arrays, dict[str, Any]]:
    """Return the arrays of a model file and its card.

    Raises `InputError` if the file is missing, damaged, no model of this kind or of another version. `remedy` is part
    of the message for a missing file: how to make one.
    """
    try:
        # Opened here because NumPy does not close its own handle if the file is not an archive.
        with path.open("rb") as file:
            _check_sizes(file)
            with np.load(file, allow_pickle=False) as archive:
                arrays = {name: archive[name] for name in archive.files}
        if str(arrays["kind"]) != kind:
            raise ValueError("another kind of archive")
        file_version = int(arrays["version"])
        card = json.loads(str(arrays["card"]))
        if not isinstance(card, dict):
            raise ValueError("no card")
    except FileNotFoundError:
        raise InputError(f"{path}: no such model; {remedy}") from None
    except OSError as error:
        if error.errno is not None:
            raise InputError(f"{path}: the model cannot be read: {(error.strerror or str(error)).lower()}") from error
        raise make_damaged_error(path) from error
    except DAMAGED_FILE_ERRORS as error:
        raise make_damaged_error(path) from error
    if file_version != version:
        raise InputError(
            f"{path}: a model of version {file_version}, and this duramen reads version {version}: train it again"
        )
    return arrays, card


def _check_sizes(file: BinaryIO) -> None:
    """Raise `ValueError` for an archive whose arrays would need too much memory, before any is read."""
    size = 0
    with zipfile.ZipFile(file) as archive:
        for member in archive.infolist():
            with archive.open(member) as array:
                shape, _, dtype = _HEADER_READERS[np.lib.format.read_magic(array)](array)
            claimed = math.prod(shape) * dtype.itemsize
            size += claimed
            if not 0 <= claimed <= member.file_size or size > MAX_BYTES:
                raise ValueError(f"{member.filename} claims {claimed:,} bytes")
    file.seek(0)


def make_damaged_error(path: Path) -> InputError:
    """Return the error for a file that is not a model, or a damaged one."""
    return InputError(f"{path}: not a model of duramen, or a damaged one: train it again")


Model = TypeVar("Model")


def make_cached_loader(read: Callable[[Path], Model], shipped_name: str) -> Callable[..., Model]:
    """Return a function that loads the model of a file, and reads the file again only if it has changed.

    Without a path it loads the model that is installed with duramen under `shipped_name`.
    """

    @lru_cache(maxsize=8)
    def load_cached(path: str, modified_ns: int) -> Model:
        if path:
            return read(Path(path))
        with resources.as_file(resources.files("duramen") / "models" / shipped_name) as file:
            return read(file)

    def load(path: str = "") -> Model:
        if not path:
            return load_cached("", 0)
        try:
            modified_ns = Path(path).stat().st_mtime_ns
        except OSError:
            modified_ns = 0  # `read` raises the error with its message
        return load_cached(str(Path(path).resolve()), modified_ns)

    return load
