"""Sets to train from, small enough to write: articles between a menu and a footer."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SENTENCES = [
    "The oak stands in the middle of the yard, and nobody remembers who planted it.",
    "In autumn its leaves cover the roof of the shed, the well, and the bench beside the door.",
    "Children climb it, cats sleep in it, and the owner has counted four hundred rings in a branch.",
    "When the storm of last winter had passed, half of the crown lay in the garden of the neighbour.",
    "He kept the wood, dried it for two years, and made a table of it, which now stands in the hall.",
]

TREES = "ash elm yew fir birch beech larch alder hazel maple pine lime".split()


def article(number: int) -> str:
    """A gold text: the sentences in an order of its own, and one that no other has."""
    turned = SENTENCES[number % 5 :] + SENTENCES[: number % 5]
    return "\n".join(
        [*turned, f"That was the story of our {TREES[number % 12]}, told once more by those who were there."]
    )


def page_of(text: str) -> str:
    menu = "".join(f"<li><a href='/{word}'>{word}</a></li>" for word in "Home News Sport Weather Contact".split())
    paragraphs = "".join(f"<p>{part}</p>" for part in text.split("\n"))
    return (
        "<!doctype html><html><head><meta charset=utf-8><title>Trees</title></head><body>"
        f"<nav><ul>{menu}</ul></nav><div><h1>Trees</h1>{paragraphs}</div>"
        "<footer><a href='/t'>Terms of use</a> <a href='/p'>Privacy policy</a> All rights reserved.</footer>"
        "</body></html>"
    )


MakeSet = Callable[..., Path]


@pytest.fixture
def make_set(tmp_path: Path) -> MakeSet:
    """Write a set. A row may have what a manifest has, and `page`, the HTML or bytes that are no page."""

    def make(rows: list[dict[str, Any]], name: str = "trees") -> Path:
        folder = tmp_path / name
        (folder / "html").mkdir(parents=True)
        lines = []
        for number, row in enumerate(rows):
            row = {"id": f"page{number}", "type": "article", "text": article(number), **row}
            page = row.pop("page", page_of(row["text"] or ""))
            if page is not None:
                data = page.encode() if isinstance(page, str) else page
                (folder / "html" / f"{row['id']}.html.gz").write_bytes(gzip.compress(data))
            lines.append(json.dumps(row) + "\n")
        (folder / "manifest.jsonl").write_text("".join(lines), "utf-8")
        return folder

    return make
