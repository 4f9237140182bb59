"""Write the figures that hand-written documents quote from the results.

    python benchmarks/figures.py            # write them; `make evidence` does this at its end

A figure is a Markdown link to a generated document. Its title names the cell:

- the section, without the brackets at the end of its heading;
- the row, by one of its cells, or by several with & between them;
- the column, by its head or by its number from 1 on;
- in a cell like `94.7 / 94.4 / 93.1`, the number of the part.

    [93.1](../results/mss.md "News sites > mss-supervised > short: P / R / F1 > 3")
    [81.8](../results/forest-choices.md "Refined > all & 2 > U")
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
DOCUMENTS = ("papers.md", "methods/*.md")

_FIGURE = re.compile(r'\[(?P<figure>[^\[\]]*)\]\((?P<target>[^()\s"]+\.md) "(?P<place>[^"]+ > [^"]+ > [^"]+)"\)')
_NUMBER = re.compile(r"[-+−]?\d*\.?\d+")


def read_figure(document: str, place: str) -> str:
    """Return the number in a cell of a generated document.

    Raise `LookupError` if there is no such cell.
    """
    section, row, column, *part = place.split(" > ")
    for cells, head in _read_rows(document, section):
        if {*row.split(" & ")} <= {*cells}:
            index = head.index(column) if column in head else int(column) - 1 if column.isdecimal() else len(cells)
            values = cells[index].split(" / ") if 0 <= index < len(cells) else []
            value = values[int(part[0]) - 1] if part and int(part[0]) <= len(values) else "" if part else cells[index]
            if number := _NUMBER.match(value):
                return number[0]
    raise LookupError(place)


def _read_rows(document: str, section: str) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the rows of the tables of a section, each with the head of its table."""
    is_inside, head = False, list[str]()
    for line in document.splitlines():
        if line.startswith("#"):
            is_inside = line.lstrip("#").partition(" (")[0].strip() == section
        elif not line.startswith("|"):
            head = []
        elif is_inside:
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            if head:
                yield cells, head
            head = head or cells


def fill(path: Path) -> str:
    """Return a document with its figures as the generated documents have them."""

    def replace(match: re.Match[str]) -> str:
        try:
            figure = read_figure((path.parent / match["target"]).read_text("utf-8"), match["place"])
        except (LookupError, OSError) as error:
            raise SystemExit(f'{path}: {match["target"]} has no figure "{match["place"]}"') from error
        return f'[{figure}]({match["target"]} "{match["place"]}")'

    return _FIGURE.sub(replace, path.read_text("utf-8"))


def list_documents(docs: Path = DOCS) -> list[Path]:
    return sorted(path for pattern in DOCUMENTS for path in docs.glob(pattern))


def main() -> int:
    for path in list_documents():
        text = fill(path)
        if text != path.read_text("utf-8"):
            path.write_text(text, "utf-8")
            print(path, file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
