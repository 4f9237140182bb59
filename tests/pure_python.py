"""Load the Python source of a module that may be compiled, so that tests can compare the two."""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType


def is_compiled(name: str) -> bool:
    """Return whether the module that Python imports under this name is an extension."""
    return not str(import_module(name).__file__).endswith(".py")


@cache
def load_pure(name: str) -> ModuleType:
    """Return the module made from its `.py` file; the modules it imports are those that Python imports."""
    compiled = import_module(name)
    source = Path(str(compiled.__file__)).parent / f"{name.rpartition('.')[2]}.py"
    spec = spec_from_loader(name, SourceFileLoader(name, str(source)))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module  # dataclasses look their module up while they are made
    try:
        spec.loader.exec_module(module)
    finally:
        sys.modules[name] = compiled
    return module
