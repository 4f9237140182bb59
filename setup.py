"""Compile the twins of modules; the rest of the build is described in pyproject.toml.

`duramen.compiled` tells the idea. A twin is made of the module's own source and the types in the `.pxd` file beside it,
or of the `.pyx` file beside it. What Cython reads is a copy, named as the twin is and with the checksum of the module's
source at its end. Where there is no C compiler, or it fails, duramen is installed without the twin.
"""

import os
import sys
from pathlib import Path
from threading import Lock
from zlib import crc32

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.errors import CompileError

SOURCES = Path("src/duramen")

# Types stand in the .pxd files alone: no annotation makes the twin refuse, or round, what its source takes.
DIRECTIVES = {"annotation_typing": False, "freethreading_compatible": True, "language_level": 3}

# Without symbols for a debugger a twin is a fifth of the size; -O3 takes a third longer to compile and gains 0.5 %.
OPTIONS = ["-O2", "-g0"] if os.name == "posix" else []
if sys.platform == "linux":  # a call into Python is one jump, not two: the second is in memory that nothing else uses
    OPTIONS.append("-fno-plt")

# What runs once a page waits for its code to come from memory: there no room is left to put loops where they run best.
DENSE = [f"-falign-{what}=1" for what in ("jumps", "labels", "loops")] if sys.platform == "linux" else []
ONCE_A_PAGE = "metadata_"

ONE_AT_A_TIME = Lock()


class Build(build_ext):
    def build_extensions(self) -> None:
        self.parallel = os.cpu_count()
        super().build_extensions()
        missing = [ext.name for ext in self.extensions if not Path(self.get_ext_fullpath(ext.name)).exists()]
        if missing:
            print(f"duramen: no C compiler, or it failed: Python runs the sources of {', '.join(missing)}")

    def build_extension(self, ext: Extension) -> None:
        try:
            with ONE_AT_A_TIME:  # Cython is not made for threads; the C compiler runs in processes of its own
                ext.sources = [self.in_c(ext)]
        except Exception as error:  # Cython fails, or is not there: setuptools goes on, the extensions are optional
            raise CompileError(f"Cython: {error}") from error
        super().build_extension(ext)

    def in_c(self, ext: Extension) -> str:
        """Have Cython write the twin of a module in C."""
        from Cython.Build import cythonize

        source, beside = (Path(name) for name in (*ext.sources, *ext.depends))
        written = beside if beside.suffix == ".pyx" else source
        copy = Path(self.build_temp, *ext.name.split(".")).with_suffix(written.suffix)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_bytes(written.read_bytes() + b"\nCHECKSUM_OF_SOURCE = %d\n" % crc32(source.read_bytes()))
        if beside is not written:
            copy.with_suffix(".pxd").write_bytes(beside.read_bytes())
        for package in (copy.parent, copy.parent.parent):
            (package / "__init__.py").touch()
        named = Extension(ext.name, [str(copy)])
        return cythonize(named, compiler_directives=DIRECTIVES, force=True, quiet=True)[0].sources[0]


def twin(beside: Path) -> Extension:
    name = "_".join(beside.relative_to(SOURCES).with_suffix("").parts)
    source = beside.with_suffix(".py")
    options = OPTIONS + DENSE if name.startswith(ONCE_A_PAGE) else OPTIONS
    return Extension(
        f"duramen.compiled.{name}", [str(source)], depends=[str(beside)], extra_compile_args=options, optional=True
    )


TWINS = sorted([*SOURCES.rglob("*.pxd"), *SOURCES.rglob("*.pyx")])

setup(ext_modules=[twin(beside) for beside in TWINS], cmdclass={"build_ext": Build})
