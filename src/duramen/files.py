"""Crash-safe file operations: atomic writes, syncs, and locks between processes."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import IO, BinaryIO

from duramen.errors import UsageError

TEMPORARY_FILES = ".duramen-*.part"
"""Pattern of the temporary files of atomic writes. The dot hides them from readers of `part-*`."""


def make_temporary_name() -> str:
    """Make a name that matches `TEMPORARY_FILES` and that no other file has."""
    return f".duramen-{os.urandom(6).hex()}.part"  # short: the name of the final file may have the maximum length


def write_atomically(
    path: Path, write: Callable[[BinaryIO], object], *, sync: bool = True, temporary_name: str | None = None
) -> None:
    """Write a file that appears under its name only when all of it is written.

    `write` fills a temporary file beside `path`, which is then renamed. Readers see the old file or the new one, never
    a part. With `sync`, the file is on disk before it gets its name. A symbolic link stays and its target is replaced.
    Devices and pipes cannot be replaced: they are written directly. An `OSError` names `path`.

    With a `temporary_name` of its own, a file that a killed process has left is overwritten by the next one. Then there
    must be one writer at a time.
    """
    try:
        target = Path(os.path.realpath(path))
        if target.exists() and not target.is_file() and not target.is_dir():
            with target.open("wb") as file:
                write(file)
        else:
            _replace_file(target, write, sync, temporary_name or make_temporary_name())
    except OSError as error:
        error.filename, error.filename2 = str(path), None  # failed writes name no file, failed renames two
        raise


def _replace_file(path: Path, write: Callable[[BinaryIO], object], sync: bool, temporary_name: str) -> None:
    temporary = path.with_name(temporary_name)
    try:
        with temporary.open("wb") as file:
            write(file)
            if sync:
                file.flush()
                os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:  # Ctrl-C included
        with suppress(OSError):  # report the first error, not this one
            temporary.unlink()
        raise
    if sync:
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
