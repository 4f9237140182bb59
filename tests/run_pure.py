"""Run a program with the Python source of all compiled modules: `python -m tests.run_pure [-m] PROGRAM ARGUMENTS`."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

PACKAGE = find_spec("duramen")  # found, but not imported: that would import the extensions
assert PACKAGE is not None
assert PACKAGE.origin is not None
ROOT = Path(PACKAGE.origin).parents[1]
COMPILED_MODULES: tuple[str, ...] = runpy.run_path(str(ROOT / "duramen" / "build_info.py"))["COMPILED_MODULES"]


class SourceFinder(MetaPathFinder):
    """Finds the `.py` file of each compiled module, before Python finds the extension."""

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        if name not in COMPILED_MODULES:
            return None
        source = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        if not source.exists():  # a module that is an extension only
            raise ModuleNotFoundError(f"{name} is hidden", name=name)
        return spec_from_file_location(name, source)


def hide_extensions() -> None:
    """Make later imports of compiled modules load their source."""
    loaded = [name for name in COMPILED_MODULES if name in sys.modules]
    if loaded:
        raise RuntimeError(f"imported too early: {', '.join(loaded)}")
    sys.meta_path.insert(0, SourceFinder())


if __name__ == "__main__":
    hide_extensions()
    del sys.argv[0]
    if sys.argv[0] == "-m":
        del sys.argv[0]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        runpy.run_path(sys.argv[0], run_name="__main__")
