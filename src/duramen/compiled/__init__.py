"""The inner loops compiled, where a C compiler was at hand when duramen was installed.

A module beside which a `.pxd` file stands (`visibility.py`, `visibility.pxd`) is compiled by Cython into a twin of it
in this package, from the very same source: the `.pxd` adds types and nothing else. A few twins are written by
hand, in a `.pyx` file: `walk.pyx` asks the parser in ways that Python cannot. A function of such a module that others
call, or a class, is marked:

    @faster
    def arrays(html: bytes, most: int) -> Arrays: ...

and stands for its twin from then on; or for itself where there is no twin, where `DURAMEN_PURE=1` is set, and where the
source has changed since it was compiled, which the checksum in the twin tells. Either way the result is the same.

What a twin's `.pxd` declares as `cpdef` the others may call as C calls, where theirs names it:

    from duramen.compiled.metadata_strings cimport key, tidy

The source imports it as ever. Such a twin is used only where those that it calls are.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar
from zlib import crc32

Function = TypeVar("Function", bound=Callable[..., Any])

marked: dict[str, tuple[Callable[..., Any], Callable[..., Any] | None]] = {}
"""The functions marked so far, by their full names: each as Python runs it, and its twin where there is one."""

_CAN_BE_RENAMED: Final = 1 << 9  # Python's `Py_TPFLAGS_HEAPTYPE`, which a class has that is written as in Python

_PURE = os.environ.get("DURAMEN_PURE", "") not in ("", "0")


def faster(function: Function) -> Function:
    """The compiled twin of a function; the function itself where there is none, or where it is not wanted."""
    if function.__module__.startswith(__name__):  # it is a twin
        return function
    module = _twin(function.__module__)
    twin: Function | None = None if module is None else getattr(module, function.__name__)
    marked[f"{function.__module__}.{function.__name__}"] = function, twin
    if twin is None or _PURE:
        return function
    if isinstance(twin, type) and twin.__flags__ & _CAN_BE_RENAMED:
        twin.__module__ = function.__module__  # where it is found, by whoever unpickles one
    return twin


@cache
def _twin(module: str) -> ModuleType | None:
    """The twin of a module that is imported; None where it, or one that it calls, is not there or of another source."""
    try:
        found = import_module(f"{__name__}.{module.removeprefix('duramen.').replace('.', '_')}")
    except (ImportError, AttributeError, TypeError):  # not compiled, for another Python, or beside other twins
        return None
    # What is older than these names calls none in C, and reads no other module's tuples.
    sources = {module: found.CHECKSUM_OF_SOURCE, **getattr(found, "SHAPES", {})}
    are_current = all(_is_of(import_module(name), checksum) for name, checksum in sources.items())
    called = getattr(found, "CALLED_IN_C", ())
    return found if are_current and all(_twin(name) is not None for name in called) else None


def _is_of(module: ModuleType, checksum: int) -> bool:
    """Whether this is the checksum of a module's source, as far as there is one."""
    source = Path(module.__file__ or "")
    return not source.is_file() or crc32(source.read_bytes()) == checksum


def in_use() -> str:
    """What runs, as `duramen --version` tells it."""
    twins = [twin is not None and not _PURE for _, twin in marked.values()]
    if not any(twins):
        return "pure Python"
    return "compiled" if all(twins) else "partly compiled"
