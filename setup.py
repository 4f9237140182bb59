"""Compile the modules that `duramen.build_info` lists; the rest of the build is described in pyproject.toml.

Each is compiled in place by Cython: from the `.pyx` file where there is one, else from the `.py` file with the types of
the `.pxd` file beside it. Where there is no C compiler, or it fails, duramen is installed as plain Python.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

MODULES = runpy.run_path("src/duramen/build_info.py")["COMPILED_MODULES"]

# Types stand in the .pxd files alone: an annotation never changes what a compiled function accepts.
DIRECTIVES = {"annotation_typing": False, "freethreading_compatible": True, "language_level": 3}

# Without symbols for a debugger an extension has a fifth of the size; -O3 compiles longer and gains 0.5 %.
OPTIONS = ["-O2", "-g0"] if os.name == "posix" else []


class BuildOptional(build_ext):
    """Build what can be built, and say at the end what was."""

    def build_extensions(self) -> None:
        self.parallel = os.cpu_count()
        super().build_extensions()
        missing = [ext.name for ext in self.extensions if not Path(self.get_ext_fullpath(ext.name)).exists()]
        if missing:
            print(f"duramen: not compiled: {', '.join(missing)}; the same code runs in Python, several times slower")
        else:
            print("duramen: the fast path was built")


def source_of(module: str) -> str:
    path = Path("src", *module.split("."))
    return str(path.with_suffix(".pyx" if path.with_suffix(".pyx").exists() else ".py"))


def extensions() -> list[Extension]:
    try:
        from Cython.Build import cythonize
    except ImportError:
        print("duramen: Cython is missing; the same code runs in Python, several times slower")
        return []
    wanted = [Extension(name, [source_of(name)], extra_compile_args=OPTIONS, optional=True) for name in MODULES]
    return cythonize(wanted, compiler_directives=DIRECTIVES, build_dir="build/cython", quiet=True)


setup(ext_modules=extensions(), cmdclass={"build_ext": BuildOptional})
