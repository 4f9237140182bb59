"""Packages import only packages of lower layers, and `import duramen` stays cheap."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

import duramen

ROOT = Path(duramen.__file__).parent

# From the bottom up. Packages of one layer do not import each other.
LAYERS = tomllib.loads((ROOT.parents[1] / "pyproject.toml").read_text("utf-8"))["tool"]["duramen"]["layers"]
LAYER_OF = {package: layer for layer, packages in enumerate(LAYERS) for package in packages}
MODULES = sorted(path for path in ROOT.rglob("*.py") if path.parent != ROOT or not path.stem.startswith("__"))

# Imports of a higher layer, inside a function: methods of a class for users that call what is built on it.
ALLOWED = {("dom/element.py", "xpath"), ("wrappers/wrapper.py", "site_model")}


def package_of(module: str) -> str:
    return module.split(".")[1] if "." in module else ""


def find_imported_packages(path: Path) -> Iterator[str]:
    """Yield the packages of duramen that a file imports, at its top or inside a function."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (package_of(name.name) for name in node.names if name.name.startswith("duramen."))
        elif isinstance(node, ast.ImportFrom) and node.module == "duramen":
            yield from (name.name for name in node.names if name.name in LAYER_OF)
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("duramen."):
            yield package_of(str(node.module))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_lower_layers(path: Path) -> None:
    name = path.relative_to(ROOT).as_posix()
    package = name.split("/")[0].removesuffix(".py")
    assert package in LAYER_OF, f"add {package} to the layers in pyproject.toml"
    imported = set(find_imported_packages(path)) - {package}
    assert not [other for other in imported if LAYER_OF[other] >= LAYER_OF[package] and (name, other) not in ALLOWED]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_relative_imports_are_not_used(path: Path) -> None:
    nodes = ast.walk(ast.parse(path.read_text("utf-8")))
    assert not [node for node in nodes if isinstance(node, ast.ImportFrom) and node.level]


def test_importing_duramen_loads_nothing_heavy() -> None:
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
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert printed.strip() == "[]"


def test_the_design_document_shows_the_layers_of_the_project_file() -> None:
    import subprocess
    import sys

    script = ROOT.parents[1] / "benchmarks" / "architecture.py"
    checked = subprocess.run([sys.executable, str(script), "--check"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout
