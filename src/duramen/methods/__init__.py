"""Find extraction methods by name.

A method is a frozen dataclass whose fields are its parameters. It is called with a Page and returns a Content. To add
one, write a module with a class under `@register` and add its name to `MODULES`: the command line, the leaderboard and
the conformance tests then include it.

Parameters follow the name after colons: `mss-simple:tag_score=-2.5`.
"""

from __future__ import annotations

import dataclasses
import difflib
import importlib
import math
from collections.abc import Iterable

from duramen.errors import UsageError
from duramen.methods.registry import Method, registered

__all__ = ["DEFAULT", "Method", "get", "import_modules", "names"]

DEFAULT = "auto"
"""The method that is used if no name is given."""

MODULES = {
    "auto": "auto.method",
    "coreex": "coreex",
    "coverage": "forest.baselines",
    "description": "forest.baselines",
    "econ": "econ",
    "forest": "forest.forest",
    "longest-cell": "longest_cell",
    "mss": "mss.variants",
    "mss-cleaneval": "mss.variants",
    "mss-hr": "mss.variants",
    "mss-semi": "mss.semi",
    "mss-simple": "mss.simple",
    "mss-supervised": "mss.supervised",
    "region": "regions.main_list",
    "rendered-region": "regions.rendered",
    "sigfeed": "forest.baselines",
    "tag-path": "regions.tag_path",
    "vips": "vips.method",
    "xpath-rank": "regions.xpath_rank",
}
"""The module of each method below this package. A module is imported when its method is first used."""


def names() -> list[str]:
    """Return the names of all methods, sorted."""
    return sorted({*MODULES, *registered()})


def get(name: str, **parameters: object) -> Method:
    """Return the method of that name; parameters that are not named keep their defaults: `econ:skip_wrappers=no`."""
    name, *settings = name.split(":")
    method = _find_class(name)()
    changes: dict[str, object] = {}
    for parameter, given in parameters.items():
        _check_parameter(method, parameter)
        changes[parameter] = given
    for setting in settings:
        parameter, _, value = setting.partition("=")
        changes[parameter] = _parse_value(method, parameter, value)
    # Every method is a dataclass; the protocol cannot say so.
    return dataclasses.replace(method, **changes) if changes else method  # type: ignore[type-var]


def _find_class(name: str) -> type[Method]:
    if name not in registered() and name in MODULES:
        importlib.import_module(f"{__name__}.{MODULES[name]}")
    if name not in registered():
        raise UsageError(f"unknown method {name!r}: {_suggest(name, names())}")
    return registered()[name]


def _parse_value(method: Method, parameter: str, value: str) -> object:
    """Convert the text of a parameter to the type of its default."""
    _check_parameter(method, parameter)
    default = getattr(method, parameter)
    try:
        if isinstance(default, bool):
            return {"yes": True, "true": True, "1": True, "no": False, "false": False, "0": False}[value.lower()]
        if isinstance(default, float):
            return _parse_finite(value)
        if isinstance(default, int | str):
            return type(default)(value)
        if isinstance(default, frozenset):
            return frozenset(value.split("+"))
    except (KeyError, ValueError):
        pass  # reported below, like a type that text cannot express
    raise UsageError(f"{method.name}: {value!r} is not a value for {parameter}; its default is {default!r}")


def _check_parameter(method: Method, parameter: str) -> None:
    parameters = [field.name for field in dataclasses.fields(method)]  # type: ignore[arg-type]
    if parameter not in parameters:
        raise UsageError(f"{method.name} has no parameter {parameter!r}: {_suggest(parameter, parameters)}")


def _parse_finite(value: str) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{value} is not finite")
    return number


def _suggest(name: str, choices: Iterable[str]) -> str:
    near = difflib.get_close_matches(name, list(choices), n=1)
    return f"did you mean {near[0]!r}?" if near else f"choose one of {', '.join(sorted(choices)) or 'none'}"


def import_modules(modules: Iterable[str]) -> None:
    """Import modules that register methods. Raises a `UsageError` for one that cannot be imported."""
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise UsageError(f"the module {module} cannot be imported: {error}") from error
