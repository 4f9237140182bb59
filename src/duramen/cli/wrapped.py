"""Wrappers from files as the method of `duramen extract`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.methods import Method
from duramen.wrappers import Wrapper, Wrappers


@dataclass(frozen=True)
class Wrapped:
    """The wrapper that a page fits best, with what is to happen where it fits none."""

    wrappers: Wrappers
    fallback: Method | None = None
    within: Method | None = None

    @classmethod
    def load(
        cls,
        names: Sequence[str],
        *,
        fallback: str | None = None,
        within: str | None = None,
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
    ) -> Wrapped:
        """Read the files, and those of a folder; `keep` and `drop` name parts, which the wrapper may have otherwise."""
        if both := set(keep) & set(drop):
            raise UsageError(f"--keep and --drop both name {', '.join(sorted(both))}")
        parts = dict.fromkeys(keep, True) | dict.fromkeys(drop, False)
        wrappers = [Wrapper.load(path) for name in names for path in _files(name)]
        changed = [replace(one, parts=replace(one.parts, **parts)) for one in wrappers]
        return cls(
            Wrappers(tuple(changed)),
            methods.get(fallback) if fallback else None,
            methods.get(within) if within else None,
        )

    def __call__(self, page: Page) -> Content:
        return self.wrappers.extract(page, fallback=self.fallback, within=self.within)


def _files(name: str) -> list[Path]:
    path = Path(name)
    if not path.is_dir():
        return [path]
    found = sorted(path.glob("*.json"))
    if not found:
        raise InputError(f"{name}: no wrappers in this folder (looked for .json)")
    return found
