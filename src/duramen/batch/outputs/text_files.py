"""One text or Markdown file per page, in folders like those of the input.

The rows go to an index, with the name of the file instead of the text. The name depends only on the source, the
position and the URL of the row, so that a split that is processed twice writes the same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

from duramen.dom.urls import make_file_path
from duramen.files import write_atomically

FILE_SUFFIXES = {"text": ".txt", "markdown": ".md", "html": ".html"}
"""By format of the text."""
_SUFFIXES = tuple(FILE_SUFFIXES.values())
_MAX_FOLDERS = 8
_MANY_PAGES = re.compile(r"\.(?:warc|jsonl|ndjson|parquet)(?:\.gz|\.zst)?$", re.IGNORECASE)
_MAX_NAME_BYTES = 120  # file systems allow 255


def write_text_files(lines: Iterable[bytes], folder: Path, root: str) -> Iterator[bytes]:
    """Write the texts of rows below a folder, and give the lines of the index."""
    for line in lines:
        row = json.loads(line)
        text = row.pop("text")
        row["file"] = None
        if text:
            name = choose_file_name(row["source"], row["position"], root, FILE_SUFFIXES[row["format"]], row["url"])
            _write_text(folder / name, text)
            row["file"] = str(name)
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def choose_file_name(source: str, position: int, root: str, suffix: str, url: str | None = None) -> PurePosixPath:
    """Return the path of a text file: that of its source below `root`.

    In a file of many pages it goes on with host and path of the page's URL, and with the position, because a URL may
    occur twice.
    """
    if source == url:  # a page that was named on the command line
        parts = list(make_file_path(source).parts)
    else:
        parts = _find_parts(source, root)
        if position or _MANY_PAGES.search(source):
            parts += _make_page_parts(url, position) if url else [f"{position:012}"]
    parts[-1] += suffix
    return PurePosixPath(*parts)


def _make_page_parts(url: str, position: int) -> list[str]:
    *folders, name = make_file_path(url).parts
    # No folder has the name that a file may have, and no path is longer than a file system allows.
    folders = [f"{part}_" if part.endswith(_SUFFIXES) else part for part in folders[:_MAX_FOLDERS]]
    return [*folders, f"{name}-{position}"]


def _find_parts(source: str, root: str) -> list[str]:
    with suppress(ValueError):  # on another drive
        relative = os.path.relpath(source, root or ".")
        source = relative if not relative.startswith("..") else source
    parts = [_make_safe(part) for part in source.replace(os.sep, "/").split("/") if part not in ("", ".", "..")]
    return parts or ["page"]


def _make_safe(part: str) -> str:
    safe = re.sub(r"[^\w.,+@=()\[\] -]", "_", part).strip() or "_"
    if safe == part and len(part.encode()) <= _MAX_NAME_BYTES:
        return part
    # A hash keeps names apart that become equal by the replacement.
    digest = hashlib.sha256(part.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{safe.encode()[:_MAX_NAME_BYTES].decode('utf-8', 'ignore')}-{digest}"


def _write_text(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = (text if text.endswith("\n") else f"{text}\n").encode()
    # A split that is repeated after a crash writes the same temporary file, so that none is left.
    temporary_name = f".{hashlib.sha256(path.name.encode()).hexdigest()[:16]}.part"
    # Not synced: the shard of the index is synced later.
    write_atomically(path, lambda file: file.write(data), sync=False, temporary_name=temporary_name)
