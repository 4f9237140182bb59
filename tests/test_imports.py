"""Imports go one way: each room may use only what stands below it."""

from __future__ import annotations

import ast
import tomllib
from pathlib import Path

import pytest

import duramen

ROOT = Path(duramen.__file__).parent

# From the bottom up. Packages in one list do not import each other.
LAYERS = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text("utf-8"))["tool"]["duramen"]["layers"]
LEVEL = {room: level for level, rooms in enumerate(LAYERS) for room in rooms}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or not path.stem.startswith("__"))


def room(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def imported(path: Path) -> set[str]:
    """The rooms of duramen that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {room(name.name) for name in node.names if name.name.startswith("duramen.")}
        elif isinstance(node, ast.ImportFrom) and node.module == "duramen":
            found |= {name.name for name in node.names if name.name in LEVEL}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("duramen."):
            found.add(room(str(node.module)))
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_room_imports_only_what_stands_below_it(path: Path) -> None:
    here = path.relative_to(ROOT).parts[0].removesuffix(".py")
    assert here in LEVEL, f"say where {here} stands"
    above = {other for other in imported(path) - {here} if LEVEL[other] >= LEVEL[here]}
    assert not above


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_imports_are_not_used(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]


def test_importing_duramen_loads_nothing_heavy() -> None:
    import subprocess
    import sys

    heavy = (
        "numpy",
        "matplotlib",
        "lxml",
        "trafilatura",
        "rich",
        "duramen.evaluation",
        "duramen.cli",
        "duramen.net.fetch",
    )
    code = f"import sys, duramen; print([name for name in {heavy!r} if name in sys.modules])"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert shown.strip() == "[]"
