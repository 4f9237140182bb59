"""Crash-safe file operations: atomic writes, syncs, and locks between processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import IO, BinaryIO

from duramen.errors import UsageError


def write_atomically(path: Path, write: Callable[[BinaryIO], object]) -> None:
    """Write a file that appears under its name only when all of it is on disk.

    `write` fills a temporary file beside `path`, which is synced and then renamed. Readers see the old file or the
    new one, never a part. An `OSError` names `path`.
    """
    temporary = path.with_name(f"{path.name}.{os.urandom(4).hex()}.part")
    try:
        with open(temporary, "wb") as file:
            write(file)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        if isinstance(error, OSError) and error.filename is None:  # failed writes do not carry the file name
            error.filename = str(path)
        with suppress(OSError):  # report the first error, not this one
            temporary.unlink()
        raise
    sync_folder(path.parent)


def write_all(file: RawIOBase, data: bytes) -> None:
    """Write all bytes to an unbuffered file, which may accept fewer per call."""
    view = memoryview(data)
    while view:
        view = view[file.write(view) or 0 :]


def sync_folder(folder: Path) -> None:
    """Flush the directory entries of a folder to disk, where the system supports it."""
    with suppress(OSError, AttributeError):
        descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def lock_file(path: Path, message: str) -> IO[bytes]:
    """Create and lock a file until it is closed or the process ends.

    Raises a `UsageError` with `message` when another process holds the lock.
    """
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:  # Windows: concurrent runs in one folder are not detected
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UsageError(message) from None
    except OSError:  # file systems without locks
        return file
    return file
