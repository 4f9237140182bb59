"""Zstandard undone while it is read, frame after frame; an end within a frame raises `EOFError`, as of gzip.

The library's own reader takes such an end for the end of the file, and half a crawl for a whole one.
"""

from __future__ import annotations

import io
from types import ModuleType
from typing import Any, BinaryIO

from duramen.errors import MissingExtraError

_CHUNK = 1 << 17


class ZstandardFile(io.RawIOBase):
    """What a packed file holds."""

    def __init__(self, packed: BinaryIO) -> None:
        self._packed = packed
        self._frame: Any = None
        self._rest = b""  # of the packed bytes, those behind the end of a frame
        self._held = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any, /) -> int:
        while not self._held:
            chunk = self._rest or self._packed.read(_CHUNK)
            self._rest = b""
            if not chunk:
                if self._frame is not None:
                    raise EOFError("the file ends within a Zstandard frame")
                return 0
            if self._frame is None:
                self._frame = library().ZstdDecompressor().decompressobj()
            self._held = memoryview(self._frame.decompress(chunk))
            if self._frame.eof:
                self._rest, self._frame = self._frame.unused_data, None
        length = min(len(buffer), len(self._held))
        buffer[:length] = self._held[:length]
        self._held = self._held[length:]
        return length


def library() -> ModuleType:
    """The `zstandard` package."""
    try:
        import zstandard
    except ImportError as error:
        raise MissingExtraError("zstandard", "zst") from error
    return zstandard
