"""The methods, found by name.

A method is a frozen dataclass whose fields are its parameters, callable on a Page, with a name, a line of summary and
a paper. Adding one is adding a file to this folder: what stands in it under `@register` is on the command line, on the
leaderboard and in the conformance tests.

Parameters follow the name after colons: `mss-simple:tag_score=-2.5`.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import math
import pkgutil
from collections.abc import Iterable
from functools import cache

from duramen.errors import UsageError
from duramen.methods.method import Method, registered

__all__ = ["DEFAULT", "Method", "get", "names"]

DEFAULT = "auto"
"""The method used when none is named."""


def names() -> list[str]:
    """The names of all methods, sorted."""
    return sorted(_all())


def get(name: str) -> Method:
    """The method of that name, with its paper's parameters but for those named: `econ:skip_wrappers=no`."""
    name, *settings = name.split(":")
    method = _find(name)()
    changes: dict[str, object] = {}
    for setting in settings:
        parameter, _, value = setting.partition("=")
        changes[parameter] = _read(method, parameter, value)
    # Every method is a dataclass; the protocol cannot say so.
    return dataclasses.replace(method, **changes) if changes else method  # type: ignore[type-var]


def _find(name: str) -> type[Method]:
    """A method's class. Its own file alone is imported, if it is named after it: another may need heavy libraries."""
    file = name.replace("-", "_")
    if name not in registered() and any(module.name == file for module in pkgutil.iter_modules(__path__)):
        importlib.import_module(f"{__name__}.{file}")
    if name in registered():
        return registered()[name]
    if name not in _all():
        raise UsageError(f"unknown method {name!r}: {_hint(name, _all())}")
    return _all()[name]


def _read(method: Method, parameter: str, value: str) -> object:
    """The value of a parameter, of the type that its default has."""
    known = {field.name: getattr(method, field.name) for field in dataclasses.fields(method)}  # type: ignore[arg-type]
    if parameter not in known:
        raise UsageError(f"{method.name} has no parameter {parameter!r}: {_hint(parameter, known)}")
    default = known[parameter]
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[value.lower()]
        if isinstance(default, float):
            return _finite(float(value))
        if isinstance(default, int | str):
            return type(default)(value)
        if isinstance(default, frozenset):
            return frozenset(value.split("+"))
    except (KeyError, ValueError):
        pass  # said below, like a type that no text can give
    raise UsageError(f"{method.name}: {value!r} is no value for {parameter}, which is {default!r} by default")


def _finite(number: float) -> float:
    if not math.isfinite(number):
        raise ValueError("not a number to count with")
    return number


def _hint(name: str, known: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(known), n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(sorted(known)) or 'none'}"


@cache
def _all() -> dict[str, type[Method]]:
    for module in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{module.name}")
    return registered()
