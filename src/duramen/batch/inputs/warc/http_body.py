"""Body of an archived HTTP response, without its transfer and content encodings.

Archives are not always true to their headers: some keep the header `Content-Encoding: gzip` of a body that they have
decoded. So a body that cannot be decoded is used as it is, and an incomplete one is decoded as far as possible.
"""

from __future__ import annotations

import zlib
from io import BytesIO

from duramen.batch.inputs.io import read_at_most

_GZIP, _ZLIB, _RAW_DEFLATE = 31, 15, -15  # values of zlib's `wbits`


def decode_body(body: bytes, transfer_encoding: str | None, content_encoding: str | None, max_bytes: int) -> bytes:
    """Decode a body, up to one byte more than `max_bytes`."""
    if transfer_encoding and "chunked" in transfer_encoding.lower():
        body = _join_chunks(body)
    for name in reversed((content_encoding or "").lower().replace(" ", "").split(",")):
        body = _decode(body, name, max_bytes)
    return body[: max_bytes + 1]


def _join_chunks(body: bytes) -> bytes:
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


def _decode(body: bytes, encoding: str, max_bytes: int) -> bytes:
    match encoding:
        case "gzip" | "x-gzip":
            return _inflate(body, _GZIP, max_bytes) or body
        case "deflate":
            return _inflate(body, _ZLIB, max_bytes) or _inflate(body, _RAW_DEFLATE, max_bytes) or body
        case "br":
            return _decode_brotli(body, max_bytes)
        case "zstd":
            return _decode_zstandard(body, max_bytes)
    return body


def _inflate(body: bytes, wbits: int, max_bytes: int) -> bytes:
    try:
        return zlib.decompressobj(wbits).decompress(body, max_bytes + 1)
    except zlib.error:
        return b""


def _decode_brotli(body: bytes, max_bytes: int) -> bytes:
    from fastwarc.stream_io import BrotliReader

    try:
        return read_at_most(BrotliReader(BytesIO(body)), max_bytes) or body
    except OSError:
        return body


def _decode_zstandard(body: bytes, max_bytes: int) -> bytes:
    from fastwarc.stream_io import ZstdReader

    try:
        return read_at_most(ZstdReader(BytesIO(body)), max_bytes) or body
    except OSError:
        return body
