"""Reading of files: local or remote (by fsspec), compressed or not, with a size limit."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any, BinaryIO, Protocol, cast

from duramen.errors import InputError, MissingExtraError

_REMOTE_PATH = re.compile(r"[a-z][a-z0-9+.-]+://", re.IGNORECASE)
_READ_BYTES = 1 << 18
_ZSTANDARD_READ_BYTES = 1 << 17
_GZIP_MAGIC = b"\x1f\x8b"


class Readable(Protocol):
    """An object with a `read` method."""

    def read(self, size: int, /) -> bytes: ...


def is_remote(path: str) -> bool:
    """True for a path that fsspec opens: s3://, gs:// and so on."""
    return _REMOTE_PATH.match(path) is not None


def open_binary(path: str) -> BinaryIO:
    """Open a file for reading. Raises an `InputError` that names the file and the reason."""
    if is_remote(path):
        return _open_remote(path)
    try:
        return open(path, "rb")
    except OSError as error:
        raise InputError(f"{path}: {_describe_os_error(error)}") from error


def file_size(path: str) -> int | None:
    """Return the size of a file in bytes; None if it is unknown."""
    if is_remote(path):
        with open_binary(path) as file:
            return file.seek(0, os.SEEK_END)
    try:
        return os.stat(path).st_size
    except OSError:
        return None  # opening the file will report the reason


@contextmanager
def open_decompressed(path: str) -> Iterator[BinaryIO]:
    """Open a file for reading and decompress gzip and Zstandard, by the suffix of its name."""
    with open_binary(path) as file:
        if path.lower().endswith(".gz"):
            with gzip.GzipFile(fileobj=file) as decompressed:
                yield cast(BinaryIO, decompressed)
        elif path.lower().endswith(".zst"):
            import_zstandard()  # report a missing library here, not in the middle of a read
            yield cast(BinaryIO, io.BufferedReader(ZstandardFile(file)))
        else:
            yield file


def describe_damage(error: Exception) -> str | None:
    """Describe an error of compressed data; None for an error of another kind."""
    if isinstance(error, EOFError):
        return "it ends too early"
    if isinstance(error, gzip.BadGzipFile | zlib.error) or type(error).__name__ == "ZstdError":
        return f"its compressed data is damaged ({error})"
    return None


def read_page(path: str, max_bytes: int) -> bytes:
    """Read a page, compressed with gzip or not, up to one byte more than `max_bytes`.

    Raises an `InputError` if it cannot be read.
    """
    try:
        with open_binary(path) as file:
            if not file.peek(2).startswith(_GZIP_MAGIC) if hasattr(file, "peek") else not path.endswith(".gz"):
                return read_at_most(file, max_bytes)
            with gzip.GzipFile(fileobj=file) as decompressed:
                return read_at_most(decompressed, max_bytes)
    except (EOFError, zlib.error, OSError) as error:
        raise InputError(describe_damage(error) or _describe_os_error(cast(OSError, error))) from error


def read_at_most(file: Readable, max_bytes: int) -> bytes:
    """Read a file up to one byte more than allowed, which shows that it is too large."""
    data = bytearray()
    while len(data) <= max_bytes and (chunk := file.read(min(_READ_BYTES, max_bytes + 1 - len(data)))):
        data += chunk
    return bytes(data)


def get_filesystem(path: str) -> tuple[Any, str]:
    """Return the fsspec file system of a remote path, and the path within it."""
    protocol = path.partition("://")[0].lower()
    try:
        import fsspec
    except ImportError as error:
        raise MissingExtraError("fsspec", "ray") from error
    try:
        filesystem_and_path: tuple[Any, str] = fsspec.core.url_to_fs(path)
    except ImportError as error:
        extra = {"s3": "s3", "s3a": "s3", "gs": "gs", "gcs": "gs"}.get(protocol)
        if extra is not None:
            raise MissingExtraError({"s3": "s3fs", "gs": "gcsfs"}[extra], extra) from error
        raise InputError(f"{path}: {error}") from error
    except ValueError as error:
        raise InputError(f"{path}: fsspec does not support {protocol}:// ({error})") from error
    return filesystem_and_path


def _open_remote(path: str) -> BinaryIO:
    filesystem, name = get_filesystem(path)
    try:
        return cast(BinaryIO, filesystem.open(name, "rb"))
    except OSError as error:
        raise InputError(f"{path}: {_describe_os_error(error)}") from error


def _describe_os_error(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


class ZstandardFile(io.RawIOBase):
    """The decompressed content of a Zstandard file.

    A file that ends within a frame raises `EOFError`, as gzip does. The reader of the `zstandard` package takes it for
    the end of the file, and half a crawl for a whole one.
    """

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._frame: Any = None
        self._rest = b""  # compressed bytes after the end of a frame
        self._buffer = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._buffer:
            chunk = self._rest or self._file.read(_ZSTANDARD_READ_BYTES)
            self._rest = b""
            if not chunk:
                if self._frame is not None:
                    raise EOFError("the file ends within a Zstandard frame")
                return 0
            if self._frame is None:
                self._frame = import_zstandard().ZstdDecompressor().decompressobj()
            self._buffer = memoryview(self._frame.decompress(chunk))
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        length = min(len(buffer), len(self._buffer))
        buffer[:length] = self._buffer[:length]
        self._buffer = self._buffer[length:]
        return length


def import_zstandard() -> ModuleType:
    """Import the `zstandard` package."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("zstandard", "zst") from error
    return zstandard


def import_arrow(module: str) -> Any:
    """Import a module of pyarrow."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtraError("pyarrow", "parquet") from error
