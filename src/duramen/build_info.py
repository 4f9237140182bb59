"""The list of compiled modules, and whether this installation has them compiled.

`setup.py` reads the list from here; nothing else in the package depends on compilation. Cython compiles a module in
place, with the types of the `.pxd` file beside it: the extension has the module's own name, so that Python imports it
before the `.py` file. Without a compiler the `.py` file runs. `dom._lexbor` is written in Cython; `dom.lexbor` does
the same in Python.
"""

from __future__ import annotations

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec

COMPILED_MODULES = (
    "duramen.dom._lexbor",
    "duramen.dom.blocks",
    "duramen.methods.auto.class_scores",
    "duramen.methods.auto.context_features",
    "duramen.methods.auto.features",
    "duramen.methods.auto.boosted_trees",
    "duramen.methods.auto.page_type",
    "duramen.methods.auto.threshold",
    "duramen.output.build",
    "duramen.output.collect",
)


def describe_build() -> str:
    """Return "compiled", "partly compiled" or "pure Python", as `duramen --version` prints it."""
    specs = [find_spec(name) for name in COMPILED_MODULES]
    compiled = [spec is not None and str(spec.origin).endswith(tuple(EXTENSION_SUFFIXES)) for spec in specs]
    if all(compiled):
        return "compiled"
    return "partly compiled" if any(compiled) else "pure Python"


def explain_build() -> str:
    """Return a line break and a sentence for the user if this installation is slow; '' if it is not."""
    if describe_build() == "compiled":
        return ""
    return (
        "\nNot everything is compiled: extraction is many times slower. Install a C compiler and the headers of"
        " Python (Debian, Ubuntu: apt install gcc python3-dev), then install duramen again."
    )
