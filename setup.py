"""Compile the modules that `duramen.build_info` lists; pyproject.toml describes the rest of the build.

Cython compiles each module in place, from its `.pyx` file, or from its `.py` file and the types in the `.pxd` file
beside it. A module without either file is not compiled. Without Cython or a C compiler duramen is installed as plain
Python. The last line of the build says what was compiled (`pip install -v` shows it). If
something was not, a terminal shows that line in any case.
"""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

SOURCE = Path("src")
MODULES = runpy.run_path(str(SOURCE / "duramen" / "build_info.py"))["COMPILED_MODULES"]

SHARED = "duramen._cython_arrays"

# Types are declared in .pxd files only: an annotation does not change what a compiled function accepts.
DIRECTIVES = {"annotation_typing": False, "freethreading_compatible": True, "language_level": 3}

# Without debug symbols an extension has a fifth of the size. -O3 takes longer to compile and gains 0.5 %.
OPTIONS = ["-O2", "-g0", "-Wno-sign-compare"] if os.name == "posix" else []


class BuildOptional(build_ext):
    """Compile what can be compiled, several modules at a time, and say at the end what was."""

    has_compiler = True

    def build_extensions(self) -> None:
        self.parallel = self.parallel or os.cpu_count()
        self.has_compiler = self.can_compile()
        if not self.has_compiler:
            self.extensions = []  # one line at the end instead of an error for each module
        super().build_extensions()

    def can_compile(self) -> bool:
        """Compile a file that only includes Python's header."""
        with TemporaryDirectory() as folder:
            source = Path(folder, "check.c")
            source.write_text("#include <Python.h>\n")
            try:
                self.compiler.compile([str(source)], output_dir=folder)
            except CompileError:
                return False
        return True

    def run(self) -> None:
        super().run()
        built = {ext.name for ext in self.extensions if Path(self.get_ext_fullpath(ext.name)).exists()}
        missing = [name for name in MODULES if find_source(name) and name not in built]
        print(self.describe(missing))
        if missing:
            tell_terminal(self.describe(missing))

    def describe(self, missing: list[str]) -> str:
        """Say in one line whether the fast path was built."""
        if not missing:
            return "duramen: all modules of the fast path were compiled."
        slow = "installed as plain Python, which is many times slower"
        if "Cython" not in sys.modules:
            return f"duramen: {slow}: Cython is missing."
        if not self.has_compiler:
            return f"duramen: {slow}: no C compiler works here, or the headers of Python are missing."
        return f"duramen: not compiled, see the errors above, and many times slower: {', '.join(missing)}."


def tell_terminal(line: str) -> None:
    """Write a line to the terminal, if there is one: pip hides what a successful build prints."""
    try:
        with open("CON" if os.name == "nt" else "/dev/tty", "w", encoding="utf-8") as terminal:
            terminal.write(f"\n{line}\n")
    except OSError:
        return


def find_source(module: str) -> Path | None:
    """Return the file that Cython compiles; None if the module has no types."""
    path = SOURCE.joinpath(*module.split("."))
    if path.with_suffix(".pyx").exists():
        return path.with_suffix(".pyx")
    return path.with_suffix(".py") if path.with_suffix(".pxd").exists() else None


def extensions() -> list[Extension]:
    """Translate the modules to C, into build/cython. A module that Cython refuses is left out."""
    try:
        from Cython.Build import cythonize
    except ImportError:
        return []
    wanted = [
        Extension(name, [str(source)], extra_compile_args=OPTIONS) for name in MODULES if (source := find_source(name))
    ]
    # What Cython needs for arrays is compiled once, and not into each module: a third of the time is saved.
    wanted.append(Extension(SHARED, [], extra_compile_args=OPTIONS))
    translated: list[Extension] = cythonize(
        wanted,
        build_dir="build/cython",
        compiler_directives=DIRECTIVES,
        exclude_failures=True,
        nthreads=os.cpu_count() or 1,
        quiet=True,
        shared_utility_qualified_name=SHARED,
    )
    for extension in translated:  # new objects: Cython does not copy this attribute
        extension.optional = True  # a module that the compiler refuses is left out
    return translated


if __name__ == "__main__":  # Cython starts processes that import this file where they cannot be forked
    setup(ext_modules=extensions(), cmdclass={"build_ext": BuildOptional})
