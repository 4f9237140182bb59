"""Which modules are compiled, and whether they were.

`setup.py` reads the list from here; nothing else in the package depends on compilation. A module of the list is
compiled in place by Cython, with the types of the `.pxd` file beside it: the extension has the module's own name, so
Python imports it before the `.py` file. Where there is no compiler the `.py` file runs.
"""

from __future__ import annotations

from importlib.machinery import SOURCE_SUFFIXES
from importlib.util import find_spec

COMPILED_MODULES = (
    "duramen.dom.lexbor",
    "duramen.dom.blocks",
    "duramen.methods.auto.class_scores",
    "duramen.methods.auto.features",
    "duramen.methods.auto.context_features",
    "duramen.methods.auto.forest",
    "duramen.methods.auto.threshold",
    "duramen.output.blocks",
)


def describe_build() -> str:
    """Return "compiled", "partly compiled" or "pure Python", as `duramen --version` prints it."""
    specs = [find_spec(name) for name in COMPILED_MODULES]
    compiled = [not str(spec.origin).endswith(tuple(SOURCE_SUFFIXES)) for spec in specs if spec is not None]
    if all(compiled):
        return "compiled"
    return "partly compiled" if any(compiled) else "pure Python"
