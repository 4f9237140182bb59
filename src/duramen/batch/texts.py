"""A file of text or Markdown for each page, in folders like those the pages came from.

The rows go beside, into an index, with the file's name in place of the text. The name follows from the row's source and
position alone, so that a piece that is done twice writes the same files.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath

ENDINGS = {"text": ".txt", "markdown": ".md", "html": ".html"}
_LONGEST = 120  # characters: at most 480 bytes in theory, below the 255 that file systems take in practice


def write_texts(lines: Iterable[bytes], folder: Path, root: str) -> Iterator[bytes]:
    """Write the texts of rows below a folder; the lines of the index come back."""
    for line in lines:
        row = json.loads(line)
        text = row.pop("text")
        row["file"] = None
        if text:
            name = name_of(row["source"], row["position"], root, ENDINGS[row["format"]])
            _write(folder / name, text)
            row["file"] = str(name)
        yield json.dumps(row, ensure_ascii=False).encode() + b"\n"


def name_of(source: str, position: int, root: str, ending: str) -> PurePosixPath:
    """The file's path: that of the source below `root`; and, in a source of many pages, the position."""
    with suppress(ValueError):  # on another drive
        below = os.path.relpath(source, root or ".")
        source = below if not below.startswith("..") else source
    parts = [_safe(part) for part in source.replace(os.sep, "/").split("/") if part not in ("", ".", "..")] or ["page"]
    if position:
        parts.append(f"{position:012}")
    parts[-1] += ending
    return PurePosixPath(*parts)


def _safe(part: str) -> str:
    safe = re.sub(r"[^\w.,+@=()\[\] -]", "_", part).strip() or "_"
    if safe == part and len(part.encode()) <= _LONGEST:
        return part
    # What had to be changed could meet another that was changed to the same.
    mark = hashlib.sha256(part.encode("utf-8", "surrogateescape")).hexdigest()[:8]
    return f"{safe.encode()[:_LONGEST].decode('utf-8', 'ignore')}-{mark}"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(f".{hashlib.sha256(path.name.encode()).hexdigest()[:16]}.part")
    aside.write_text(text if text.endswith("\n") else f"{text}\n", encoding="utf-8")
    os.replace(aside, path)
