"""The methods, found by name.

A method is a frozen dataclass whose fields are its parameters, callable on a Page, with a name, a line of summary and
a paper. Adding one is adding a file to this folder: what stands in it under `@register` is on the command line, on the
leaderboard and in the conformance tests.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache

from duramen.errors import UsageError
from duramen.methods.method import Method, registered

__all__ = ["DEFAULT", "Method", "get", "names"]

DEFAULT = "mss-simple"
"""The method used when none is named."""


def names() -> list[str]:
    """The names of all methods, sorted."""
    return sorted(_all())


def get(name: str) -> Method:
    """The method of that name, with its paper's parameters."""
    methods = _all()
    if name not in methods:
        near = difflib.get_close_matches(name, methods, n=1)
        hint = f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(names())}"
        raise UsageError(f"unknown method {name!r}: {hint}")
    return methods[name]()


@cache
def _all() -> dict[str, type[Method]]:
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return registered()
