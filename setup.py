"""Compile the twins of modules; the rest of the build is described in pyproject.toml.

`duramen.compiled` tells the idea. A twin is made of the module's own source and the types in the `.pxd` file beside it,
or of the `.pyx` file beside it. What Cython reads is a copy, named as the twin is and with the checksum of the module's
source at its end, the modules whose twins it calls as C calls, and the checksums of those whose tuples it reads by
place: a `.pxd` file that no module stands beside declares them for all. Where there is no C compiler, or it fails,
duramen is installed without the twin.
"""

import os
import re
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
        for ext in self.extensions:  # all of them: Cython reads of one what another calls
            self.lay(ext)
        for types in DECLARED:
            Path(self.build_temp, "duramen", "compiled", f"{name_of(types)}.pxd").write_bytes(types.read_bytes())
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

    def lay(self, ext: Extension) -> None:
        """Write what Cython reads of a module, and of what others may call in its twin."""
        source, beside = (Path(name) for name in (*ext.sources, *ext.depends))
        copy, types = self.copy_of(ext), beside.with_suffix(".pxd")
        copy.parent.mkdir(parents=True, exist_ok=True)
        for package in (copy.parent, copy.parent.parent):
            (package / "__init__.py").touch()
        written = (beside if beside.suffix == ".pyx" else source).read_bytes()
        declared = types.read_bytes() if types.exists() else b""
        called = [MODULES[name.decode()] for name in CALLS.findall(written + declared) if name.decode() in MODULES]
        shapes = {name: crc32(path.read_bytes()) for name, path in shapes_of(written + declared)}
        # A twin is marked by nothing: what C calls cannot be.
        told = b"\nCHECKSUM_OF_SOURCE = %d\nCALLED_IN_C = %a\nSHAPES = %a\n"
        told %= (crc32(source.read_bytes()), called, shapes)
        copy.write_bytes(written.replace(b"\n@faster\n", b"\n\n") + told)
        if declared:
            copy.with_suffix(".pxd").write_bytes(declared)

    def copy_of(self, ext: Extension) -> Path:
        return Path(self.build_temp, *ext.name.split(".")).with_suffix(Path(*ext.depends).suffix.replace("pxd", "py"))

    def in_c(self, ext: Extension) -> str:
        """Have Cython write the twin of a module in C."""
        from Cython.Build import cythonize

        named = Extension(ext.name, [str(self.copy_of(ext))])
        return cythonize(named, compiler_directives=DIRECTIVES, force=True, quiet=True)[0].sources[0]


def is_written(beside: Path) -> bool:
    """Whether a twin is written by hand, and not of the module's source; then what it declares is no other twin."""
    return beside.with_suffix(".pyx").exists()


def name_of(beside: Path) -> str:
    return "_".join(beside.relative_to(SOURCES).with_suffix("").parts)


def shapes_of(written: bytes) -> list[tuple[str, Path]]:
    """The modules whose classes a twin reads in C by what is declared of them, and their sources."""
    types = [path.read_bytes() for path in DECLARED if name_of(path).encode() in CALLS.findall(written)]
    names = sorted({name.decode() for declared in types for name in SHAPED.findall(declared)})
    return [(name, SOURCES.parent.joinpath(*name.split(".")).with_suffix(".py")) for name in names]


def twin(beside: Path) -> Extension:
    name = name_of(beside)
    source = beside.with_suffix(".py")
    options = OPTIONS + DENSE if name.startswith(ONCE_A_PAGE) else OPTIONS
    return Extension(
        f"duramen.compiled.{name}", [str(source)], depends=[str(beside)], extra_compile_args=options, optional=True
    )


DECLARED = [path for path in SOURCES.rglob("*.pxd") if not path.with_suffix(".py").exists()]
"""Types that several twins share: no module stands beside them."""
TYPED = [path for path in SOURCES.rglob("*.pxd") if path not in DECLARED and not is_written(path)]
TWINS = sorted([*TYPED, *SOURCES.rglob("*.pyx")])
MODULES = {name_of(path): ".".join(("duramen", *path.relative_to(SOURCES).with_suffix("").parts)) for path in TWINS}
SHAPED = re.compile(rb"ctypedef class ([\w.]+)\.\w+ ")
CALLS = re.compile(rb"^(?:from|cimport) duramen\.compiled\.(\w+) ", re.MULTILINE)

setup(ext_modules=[twin(beside) for beside in TWINS], cmdclass={"build_ext": Build})
