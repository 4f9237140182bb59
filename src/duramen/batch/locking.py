"""One writer at a time: a file that is locked as long as somebody works in its folder, and free when he is killed."""

from __future__ import annotations

from pathlib import Path
from typing import IO

from duramen.errors import UsageError


def locked(path: Path, taken: str) -> IO[bytes]:
    """The file, made and locked until it is closed; `taken` is what to say to the second who wants it."""
    file = path.open("ab")
    try:
        import fcntl
    except ImportError:  # Windows: two runs in one folder are the user's own affair
        return file
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise UsageError(taken) from None
    except OSError:  # file systems without locks
        return file
    return file
