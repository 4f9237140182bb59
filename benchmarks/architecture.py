"""Write the layers of the package, from `[tool.duramen]` in pyproject.toml, into docs/design.md and a picture.

    python benchmarks/architecture.py             # write
    python benchmarks/architecture.py --check     # exit status 1 if the document or the picture is out of date

The purpose of a package is the first line of its docstring, so that the document cannot disagree with the code.
"""

from __future__ import annotations

import argparse
import ast
import sys
import tomllib
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src" / "duramen"
DOCUMENT = ROOT / "docs" / "design.md"
PICTURE = ROOT / "docs" / "pictures" / "layers.svg"
BEGIN, END = "<!-- layers: begin -->", "<!-- layers: end -->"

WIDTH, LAYER_HEIGHT, GAP, MARGIN = 760, 40, 10, 12


def read_layers() -> list[list[str]]:
    """Return the packages of each layer, the lowest layer first."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    layers: list[list[str]] = settings["tool"]["duramen"]["layers"]
    return layers


def describe(package: str) -> str:
    """Return the first line of the docstring of a package or module."""
    path = SOURCES / package
    path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    return docstring.partition("\n")[0].rstrip(".")


def write_table(layers: list[list[str]]) -> str:
    rows = ["| layer | package | purpose |", "|---:|---|---|"]
    for number, packages in reversed(list(enumerate(layers, 1))):
        for package in packages:
            name = f"`{package}/`" if (SOURCES / package).is_dir() else f"`{package}.py`"
            rows.append(f"| {number} | {name} | {describe(package)} |")
    return "\n".join(rows)


def draw_picture(layers: list[list[str]]) -> str:
    """Return an SVG picture: a row of boxes for each layer, the highest on top."""
    height = 2 * MARGIN + len(layers) * (LAYER_HEIGHT + GAP) - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}"'
        ' font-family="sans-serif" font-size="15">',
        "<title>The layers of duramen; each imports only from layers below it</title>",
        f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
    ]
    for row, packages in enumerate(reversed(layers)):
        y = MARGIN + row * (LAYER_HEIGHT + GAP)
        box_width = (WIDTH - 2 * MARGIN - GAP * (len(packages) - 1)) / len(packages)
        for column, package in enumerate(packages):
            x = MARGIN + column * (box_width + GAP)
            parts.append(
                f'<rect x="{x:.1f}" y="{y}" width="{box_width:.1f}" height="{LAYER_HEIGHT}" rx="6"'
                ' fill="#f3eee6" stroke="#8a5a2b"/>'
                f'<text x="{x + box_width / 2:.1f}" y="{y + LAYER_HEIGHT / 2 + 5}" text-anchor="middle"'
                f' fill="#33230f">{escape(package)}</text>'
            )
    return "\n".join([*parts, "</svg>", ""])


def make_files() -> dict[Path, str]:
    """Return the content that the document and the picture should have."""
    layers = read_layers()
    document = DOCUMENT.read_text("utf-8")
    before, _, rest = document.partition(BEGIN)
    _, _, after = rest.partition(END)
    return {DOCUMENT: f"{before}{BEGIN}\n{write_table(layers)}\n{END}{after}", PICTURE: draw_picture(layers)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    stale = [path for path, text in make_files().items() if not path.exists() or path.read_text("utf-8") != text]
    for path in stale:
        if arguments.check:
            print(f"{path.relative_to(ROOT)} is out of date: run python benchmarks/architecture.py")
        else:
            path.write_text(make_files()[path], "utf-8")
    return 1 if stale and arguments.check else 0


if __name__ == "__main__":
    sys.exit(main())
