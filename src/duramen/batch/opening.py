"""Files as bytes: here or, by fsspec, elsewhere; packed or not; never more of them than was asked for."""

from __future__ import annotations

import gzip
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO, Protocol, cast

from duramen.batch.zstandard_file import ZstandardFile, library
from duramen.errors import InputError, MissingExtraError

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_CHUNK = 1 << 18
_GZIP_MAGIC = b"\x1f\x8b"


class Readable(Protocol):
    """What bytes can be read from."""

    def read(self, size: int, /) -> bytes: ...


def is_elsewhere(path: str) -> bool:
    """Whether a path is one that fsspec opens: s3://, gs:// and their like."""
    return _ELSEWHERE.match(path) is not None


def open_binary(path: str) -> BinaryIO:
    """A file to read, or an `InputError` that names it and says why not."""
    if is_elsewhere(path):
        return _open_elsewhere(path)
    try:
        return open(path, "rb")
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from error


def file_size(path: str) -> int | None:
    """In bytes; None where that cannot be told."""
    if is_elsewhere(path):
        with open_binary(path) as file:
            return file.seek(0, os.SEEK_END)
    try:
        return os.stat(path).st_size
    except OSError:
        return None  # opening it will say why


@contextmanager
def open_unpacked(path: str) -> Iterator[BinaryIO]:
    """A file to read with gzip and Zstandard, known by the name, undone."""
    with open_binary(path) as file:
        if path.lower().endswith(".gz"):
            with gzip.GzipFile(fileobj=file) as unpacked:
                yield cast(BinaryIO, unpacked)
        elif path.lower().endswith(".zst"):
            library()  # said here, not in the middle of a read
            yield cast(BinaryIO, io.BufferedReader(ZstandardFile(file)))
        else:
            yield file


def damaged(error: Exception) -> str | None:
    """What is wrong with packed data, if that is what the error speaks of."""
    if isinstance(error, EOFError):
        return "it ends too early"
    if isinstance(error, gzip.BadGzipFile | zlib.error) or type(error).__name__ == "ZstdError":
        return f"its packed data is damaged ({error})"
    return None


def read_page(path: str, max_bytes: int) -> bytes:
    """A page, unpacked where it is gzipped; an `InputError` where it is too large or cannot be read."""
    try:
        with open_binary(path) as file:
            if not file.peek(2).startswith(_GZIP_MAGIC) if hasattr(file, "peek") else not path.endswith(".gz"):
                return read_at_most(file, max_bytes)
            with gzip.GzipFile(fileobj=file) as unpacked:
                return read_at_most(unpacked, max_bytes)
    except (EOFError, zlib.error, OSError) as error:
        what = damaged(error)
        raise InputError(what or _why(cast(OSError, error))) from error


def read_at_most(file: Readable, max_bytes: int) -> bytes:
    """All of the file, but one byte more than allowed at most: enough to know that it is too large."""
    data = bytearray()
    while len(data) <= max_bytes and (chunk := file.read(min(_CHUNK, max_bytes + 1 - len(data)))):
        data += chunk
    return bytes(data)


def filesystem(path: str) -> tuple[Any, str]:
    """What fsspec opens such a path with, and the path as that names it."""
    protocol = path.partition("://")[0].lower()
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtraError("fsspec", "ray") from error
    try:
        found: tuple[Any, str] = fsspec.core.url_to_fs(path)
    except ImportError as error:
        extra = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs"}.get(protocol)
        if extra is not None:
            raise MissingExtraError({"s3": "s3fs", "gs": "gcsfs"}[extra], extra) from error
        raise InputError(f"{path}: {error}") from error
    except ValueError as error:
        raise InputError(f"{path}: fsspec knows no {protocol}:// ({error})") from error
    return found


def _open_elsewhere(path: str) -> BinaryIO:
    system, name = filesystem(path)
    try:
        return cast(BinaryIO, system.open(name, "rb"))
    except OSError as error:
        raise InputError(f"{path}: {_why(error)}") from error


def _why(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
