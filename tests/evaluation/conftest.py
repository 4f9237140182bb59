from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ARTICLE = (
    "The oak stands in the middle of the yard, and nobody remembers who planted it. In autumn its leaves cover the "
    "roof of the shed, the well, and the bench beside the door. Children climb it, cats sleep in it, and the owner "
    "has counted four hundred rings in a branch that fell in the storm of last winter."
)

MENU = "Home News Sport Weather Contact"


def page_of(text: str, title: str = "The oak in the yard") -> str:
    paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
    return (
        f"<!doctype html><html lang='en'><head><meta charset='utf-8'><title>{title}</title></head><body>"
        f"<nav><ul>{''.join(f'<li><a href=/>{word}</a></li>' for word in MENU.split())}</ul></nav>"
        f"<article><h1>{title}</h1>{paragraphs}</article><footer>All rights reserved</footer></body></html>"
    )


@pytest.fixture
def make_set(tmp_path: Path) -> Callable[..., Path]:
    """Write a set: a folder with a manifest and a page for every row, which needs an `id` only."""

    def make(rows: list[dict[str, Any]], name: str = "trees") -> Path:
        folder = tmp_path / name
        (folder / "html").mkdir(parents=True)
        lines = []
        for row in rows:
            row = {"text": ARTICLE, **row}
            html = row.pop("page", None) or page_of(row["text"] or "")
            (folder / "html" / f"{row['id']}.html.gz").write_bytes(gzip.compress(html.encode()))
            lines.append(json.dumps(row, ensure_ascii=False) + "\n")
        (folder / "manifest.jsonl").write_text("".join(lines), "utf-8")
        return folder

    return make
