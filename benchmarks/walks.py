"""Trace how many modules a call passes through, and how often it crosses from one into another.

    python benchmarks/walks.py               # a Markdown table
    python benchmarks/walks.py --modules     # and the modules of each walk, in the order in which they are entered

The walks are those a new reader would follow: `extract().text`, `metadata.title`, `records().rows`, `learn`,
`wrapper.extract` and `duramen run`. Only calls of Python functions are seen, so compiled modules are hidden while this
runs: the figures are those of the sources. Modules that are only imported, and never called, do not count.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import FrameType
from typing import Any

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCES = Path(__file__).parents[1] / "src" / "duramen"


class SourceFinder(MetaPathFinder):
    """Find the `.py` file of a module of duramen even if there is a compiled extension."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if not name.startswith("duramen."):
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is None or spec.origin is None or spec.origin.endswith(".py"):
            return spec
        source = Path(spec.origin).parent / f"{name.rpartition('.')[2]}.py"
        if not source.exists():
            return None  # an extension without a source: its importer has a fallback
        return spec_from_file_location(name, source, loader=SourceFileLoader(name, str(source)))


@dataclass
class Walk:
    """The modules and functions that a traced call passes through."""

    modules: dict[str, None] = field(default_factory=dict)
    functions: set[tuple[str, str]] = field(default_factory=set)
    crossings: int = 0

    def trace(self, call: Callable[[], object]) -> None:
        threading.setprofile(self._on_event)  # for threads that the call starts
        sys.setprofile(self._on_event)
        try:
            call()
        finally:
            sys.setprofile(None)
            threading.setprofile(None)

    def _on_event(self, frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        callee = _module_of(frame)
        if not callee or frame.f_code.co_name in ("<module>", "<lambda>"):
            return
        self.modules.setdefault(callee)
        self.functions.add((callee, frame.f_code.co_qualname))
        caller = _module_of(frame.f_back) if frame.f_back else ""
        self.crossings += bool(caller) and caller != callee

    @property
    def lines(self) -> int:
        """The lines of all modules of the walk."""
        return sum(len(_path(module).read_text("utf-8").splitlines()) for module in self.modules)


def _module_of(frame: FrameType) -> str:
    name = str(frame.f_globals.get("__name__", ""))
    return name if name.startswith("duramen.") else ""


def _path(module: str) -> Path:
    path = SOURCES.joinpath(*module.split(".")[1:])
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def make_walks() -> dict[str, Callable[[], object]]:
    """Return the calls to trace; their inputs are prepared before."""
    import duramen
    from duramen.cli import main

    page = (EXAMPLES / "page.html").read_bytes()
    shop = (EXAMPLES / "shop" / "page-1.html").read_bytes()
    site = [duramen.Page.parse(path.read_bytes()) for path in sorted((EXAMPLES / "site").glob("*.html"))]
    unseen = duramen.Page.parse((EXAMPLES / "willow.html").read_bytes())
    wrapper = duramen.learn(site)
    content = duramen.extract(page)
    folder = tempfile.mkdtemp()
    return {
        "`extract(html).text`": lambda: duramen.extract(page).text,
        "`content.metadata.title`": lambda: content.metadata.title,
        "`records(html).rows`": lambda: duramen.records(shop).rows,
        "`learn(pages)`": lambda: duramen.learn(site),
        "`wrapper.extract(page).text`": lambda: wrapper.extract(unseen).text,
        "`duramen run` (parent process)": lambda: main(
            ["run", str(EXAMPLES / "site"), "-o", f"{folder}/rows.jsonl", "--quiet"]
        ),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--modules", action="store_true", help="print the modules of each walk, too")
    arguments = parser.parse_args()
    sys.meta_path.insert(0, SourceFinder())

    print("| walk | modules | lines in them | functions | calls between modules |\n|---|---:|---:|---:|---:|")
    listing = []
    for name, call in make_walks().items():
        walk = Walk()
        walk.trace(call)
        print(f"| {name} | {len(walk.modules)} | {walk.lines:,} | {len(walk.functions)} | {walk.crossings:,} |")
        listing.append(f"\n{name}: " + ", ".join(module.removeprefix("duramen.") for module in walk.modules))
    if arguments.modules:
        print("\n".join(listing))
    return 0


if __name__ == "__main__":
    sys.exit(main())
