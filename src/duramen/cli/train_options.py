"""What all families of `duramen train` have in common."""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from typing import Any

from duramen.errors import UsageError


def add_options(parser: argparse.ArgumentParser) -> None:
    """Where the model goes, and what is shown."""
    option = parser.add_argument
    option("-o", "--output", metavar="FILE", help="where the model goes, such as model.npz")
    option("--show", metavar="FILE", help="print the card of a model, and train none")
    option("--quiet", action="store_true", help="no progress bar and no report")
    option(  # after the family as well as before it
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an unexpected error"
    )


def writable(name: str) -> Path:
    """The output's path, if a file can be made there: better said before the work than after it."""
    path = Path(name)
    if path.is_dir() or name.endswith(("/", os.sep)):
        raise UsageError(f"{name} is a folder, and a model is a file: give -o another name")
    from duramen.cli.outputs import check_folder

    check_folder(name)
    return path


def whole(least: int) -> Any:
    def read(value: str) -> int:
        if not value.isdecimal() or int(value) < least:
            raise argparse.ArgumentTypeError(f"{value!r} is not a whole number from {least} up")
        return int(value)

    return read
