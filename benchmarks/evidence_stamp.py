"""The stamp of a generated document: when, from what code and how it was made, and whether it is stale.

A stamp is the first lines of a document:

    > Made on 2026-11-18 from 1a2b3c4 by `python benchmarks/econ_paper.py DATA`: every page. duramen 0.1.0, …
    > Machine ratio 1.3. Fingerprint `econ 0f1e2d3c4b5a6978`.

The *fingerprint* is a hash of the sources of the modules that the document measures: those named by its part, all
modules of duramen that they import, and so on, without comments and docstrings, and of the model files. If it differs
from that of the present code the document is older than what it measures. Then it must say so in its first line:

    > **Stale since 2026-11-18**: the code that it measures has changed.

The *machine ratio* is the time of a fixed piece of work divided by its time on the reference machine, which is recorded
with its date in benchmarks/reference_machine.json by `python benchmarks/evidence_stamp.py`, on a machine without other
work.
"""

from __future__ import annotations

import ast
import json
import platform
import re
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from time import process_time

ROOT = Path(__file__).resolve().parents[1]
SOURCES = ROOT / "src"
BENCHMARKS = ROOT / "benchmarks"
PACKAGES = ("duramen", "selectolax", "numpy", "lightgbm", "trafilatura", "boilerpy3")
REFERENCE = BENCHMARKS / "reference_machine.json"

_STALE = re.compile(r"^> \*\*Stale since (\d{4}-\d{2}-\d{2})\*\*.*\n(?:>\n)?", re.MULTILINE)
_STAMP = re.compile(r"^> Made on .*\n(?:> .*\n)*\n?", re.MULTILINE)
_FINGERPRINT = re.compile(r"Fingerprint `(\S+) ([0-9a-f]+)`")


def make_fingerprint(modules: Sequence[str], models: Sequence[str] = (), without: Sequence[str] = ()) -> str:
    """Hash the sources of modules and of all that they import; `without` names packages that have no part in it."""
    digest = blake2b(digest_size=8)
    for name in sorted(find_closure(modules, without)):
        digest.update(f"{name}\0{read_code(_find_source(name))}\0".encode())
    for model in sorted(models):
        digest.update((SOURCES / "duramen" / "models" / model).read_bytes())
    return digest.hexdigest()


def find_closure(modules: Iterable[str], without: Sequence[str] = ()) -> set[str]:
    """Return the modules, and all modules of duramen and of this folder that they import, directly or not."""
    waiting, found = [*modules], set[str]()
    while waiting:
        name = waiting.pop()
        if name in found or any(name == other or name.startswith(f"{other}.") for other in without):
            continue
        found.add(name)
        waiting += _find_imports(name)
    return found


@cache
def read_code(path: Path) -> str:
    """Return a source without comments, docstrings and layout.

    Sources in Cython (`.pyx`) are returned as they are.
    """
    source = path.read_text("utf-8")
    if path.suffix == ".pyx":
        return source
    lines = source.splitlines(keepends=True)
    for node in ast.walk(_parse(path)):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            lines[node.lineno - 1 : node.end_lineno] = [""] * ((node.end_lineno or node.lineno) - node.lineno + 1)
    return " ".join("".join(_strip_comment(line) if "#" in line else line for line in lines).split())


def _strip_comment(line: str) -> str:
    """Return a line up to the sign of a comment that is in no string of the line."""
    quote = ""
    for place, sign in enumerate(line):
        if quote:
            if sign == quote and line[place - 1] != "\\":
                quote = ""
        elif sign in "\"'":
            quote = sign
        elif sign == "#":
            return line[:place]
    return line


@cache
def _parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def _find_source(name: str) -> Path:
    parts = Path(*name.split("."))
    choices = [folder / parts for folder in (SOURCES, BENCHMARKS)]
    for path in (
        choice
        for base in choices
        for choice in (base.with_suffix(".py"), base / "__init__.py", base.with_suffix(".pyx"))
    ):
        if path.is_file():
            return path
    raise FileNotFoundError(f"there is no module {name}")


def _exists(name: str) -> bool:
    try:
        _find_source(name)
    except FileNotFoundError:
        return False
    return True


@cache
def _find_imports(name: str) -> list[str]:
    """Return the modules that a module imports, also inside functions, but not for type checkers alone."""
    names: list[str] = []
    if _find_source(name).suffix == ".pyx":
        return names
    waiting: list[ast.AST] = [_parse(_find_source(name))]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            waiting += node.orelse
            continue
        waiting += (child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt | ast.excepthandler))
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.append(node.module)
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return [each for each in names if (each.startswith("duramen.") or "." not in each) and _exists(each)]


@dataclass(frozen=True)
class Stamp:
    """What a stamp says of the code."""

    part: str
    fingerprint: str


def read_stamp(text: str) -> Stamp | None:
    """Return the stamp of a document; None if it has none."""
    match = _FINGERPRINT.search(text)
    return Stamp(match[1], match[2]) if match else None


def read_stale(text: str) -> str | None:
    """Return since when a document says that it is stale."""
    match = _STALE.match(text)
    return match[1] if match else None


def mark_stale(text: str, today: str | None = None) -> str:
    """Return a document that says it is stale; unchanged if it says so already."""
    if read_stale(text):
        return text
    today = today or datetime.now(UTC).date().isoformat()
    line = (
        f"> **Stale since {today}**: the code that it measures has changed, or was not recorded, since it was made.\n"
    )
    return f"{line}>\n{text}" if _STAMP.match(text) else f"{line}\n{text}"


def put_stamp(text: str, part: str, fingerprint: str, command: str, pages: str) -> str:
    """Return a document with a new stamp in place of an old one."""
    text = _STAMP.sub("", _STALE.sub("", text, count=1), count=1).lstrip("\n")
    versions = ", ".join(f"{name} {number}" for name in PACKAGES if (number := _find_version(name)))
    lines = [
        f"> Made on {datetime.now(UTC).date().isoformat()} from {find_commit()} by `{command}`: {pages}.",
        f"> {versions}, Python {platform.python_version()}, {platform.system()} {platform.machine()}.",
        f"> Machine ratio {measure_machine():.2f}. Fingerprint `{part} {fingerprint}`.",
    ]
    return "\n".join(lines) + f"\n\n{text}"


def find_commit() -> str:
    """Return the commit of the code, with a plus sign if files have changed since."""
    try:
        commit = _run_git("rev-parse", "--short", "HEAD")
        return commit + ("+" if _run_git("status", "--porcelain", "--", "src", "benchmarks") else "")
    except (OSError, subprocess.CalledProcessError):
        return "an unknown commit"


def _run_git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _find_version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def measure_machine() -> float:
    """Return the time of a fixed piece of work, relative to the reference machine."""
    seconds: float = json.loads(REFERENCE.read_text("utf-8"))["seconds"]
    return _measure_work(5) / seconds


def record_reference() -> None:
    """Measure this machine, and record it as the reference."""
    facts = {
        "seconds": round(_measure_work(20), 4),
        "date": datetime.now(UTC).date().isoformat(),
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}",
        "work": "evidence_stamp._work: 300,000 strings in a dictionary, sorted by value; best of 20, processor time",
    }
    REFERENCE.write_text(json.dumps(facts, indent=1) + "\n", "utf-8")


def _measure_work(rounds: int) -> float:
    return min(_work() for _ in range(rounds))


def _work() -> float:
    started = process_time()
    numbers = {str(number): number * number % 1013 for number in range(300_000)}
    sorted(numbers, key=numbers.__getitem__)
    return process_time() - started


if __name__ == "__main__":
    record_reference()
