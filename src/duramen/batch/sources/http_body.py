"""The body of a recorded HTTP response as a browser would see it: without its transfer and content encodings.

Archives are not always true to their own headers: some keep the header `Content-Encoding: gzip` of a body that they
have unpacked. What cannot be undone is therefore taken as it is; what is cut off is undone as far as it goes.
"""

from __future__ import annotations

import zlib
from io import BytesIO

from duramen.batch.opening import read_at_most

_GZIP, _ZLIB, _RAW = 31, 15, -15  # what zlib calls them: its wbits


def decoded(body: bytes, transfer: str | None, encoding: str | None, max_bytes: int) -> bytes:
    """The body, one byte more than `max_bytes` at most."""
    if transfer and "chunked" in transfer.lower():
        body = _dechunked(body)
    for name in reversed((encoding or "").lower().replace(" ", "").split(",")):
        body = _undone(body, name, max_bytes)
    return body[: max_bytes + 1]


def _dechunked(body: bytes) -> bytes:
    parts: list[bytes] = []
    position = 0
    while (end := body.find(b"\n", position)) >= 0:
        try:
            length = int(body[position:end].split(b";")[0].strip(), 16)
        except ValueError:
            return body if not parts else b"".join(parts)
        if length <= 0:
            break
        parts.append(body[end + 1 : end + 1 + length])
        position = end + 1 + length + 2
    return b"".join(parts) if parts else body


def _undone(body: bytes, name: str, max_bytes: int) -> bytes:
    match name:
        case "gzip" | "x-gzip":
            return _inflated(body, _GZIP, max_bytes) or body
        case "deflate":
            return _inflated(body, _ZLIB, max_bytes) or _inflated(body, _RAW, max_bytes) or body
        case "br":
            return _unbrotlied(body, max_bytes)
        case "zstd":
            return _unzstandarded(body, max_bytes)
    return body


def _inflated(body: bytes, kind: int, max_bytes: int) -> bytes:
    unpacking = zlib.decompressobj(kind)
    try:
        return unpacking.decompress(body, max_bytes + 1)
    except zlib.error:
        return b""


def _unbrotlied(body: bytes, max_bytes: int) -> bytes:
    from fastwarc.stream_io import BrotliReader

    try:
        return read_at_most(BrotliReader(BytesIO(body)), max_bytes) or body
    except OSError:
        return body


def _unzstandarded(body: bytes, max_bytes: int) -> bytes:
    from fastwarc.stream_io import ZstdReader

    try:
        return read_at_most(ZstdReader(BytesIO(body)), max_bytes) or body
    except OSError:
        return body
