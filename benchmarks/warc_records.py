"""Make records of WARC files from pages, for the benchmarks that need a crawl."""

from __future__ import annotations


def make_warc_record(url: str, body: bytes, number: int = 0) -> bytes:
    """Return a response record: an HTTP response without a charset, so the encoding is detected as for files."""
    response = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body
    headers = {
        "WARC-Type": "response",
        "WARC-Record-ID": f"<urn:uuid:00000000-0000-4000-8000-{number:012}>",
        "WARC-Target-URI": url,
        "WARC-Date": "2026-01-01T00:00:00Z",
        "Content-Type": "application/http; msgtype=response",
        "Content-Length": str(len(response)),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"WARC/1.0\r\n{lines}\r\n".encode() + response + b"\r\n\r\n"
