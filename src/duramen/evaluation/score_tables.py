"""Tables of scores as aligned text and as Markdown, and the JSON of a report; shared by all kinds of scores."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from duramen.evaluation.sets import Example


class WithExample(Protocol):
    """A result about one page of a set."""

    @property
    def example(self) -> Example: ...


def list_sets(runs: Iterable[WithExample]) -> list[str]:
    """Return the names of the sets that the pages are from, in order."""
    return list(dict.fromkeys(run.example.set for run in runs))


def align_columns(rows: Sequence[Sequence[str]], left_columns: int = 1) -> list[str]:
    """Return a line for each row: the first columns aligned to the left, the others, numbers, to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            cell.ljust(width) if column < left_columns else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def make_markdown_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Make a table in GitHub's Markdown, with numbers aligned to the right."""
    lines = [head, ["---", *("---:" for _ in head[1:])], *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def format_report(summary: Mapping[str, Any], pages: Iterable[Mapping[str, Any]]) -> str:
    """Write a report as JSON: the summary, then the pages, one on a line."""
    lines = ",\n".join(json.dumps(page, ensure_ascii=False) for page in pages)
    head = json.dumps(summary, ensure_ascii=False, indent=1).removesuffix("\n}")
    return f'{head},\n "pages": [\n{lines}\n]}}\n'
