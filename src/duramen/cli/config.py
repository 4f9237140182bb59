"""Defaults of options from a file: `duramen.toml`, or `[tool.duramen.defaults]` in `pyproject.toml`.

A table has the name of a verb, a key the name of an option without its hyphens:

    [extract]
    format = "markdown"
    links = false

The file is that of the current folder, or of the nearest folder above it; `duramen.toml` is used before
`pyproject.toml`. The command line overrides the file, the file overrides the built-in defaults.
"""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from duramen.errors import UsageError

OPTION = "--config"
NO_FILE = "none"
FILE_NAME = "duramen.toml"
PROJECT_FILE = "pyproject.toml"
PROJECT_TABLE = ("tool", "duramen", "defaults")

COMMAND_LINE_ONLY = frozenset(
    ("help", "config", "debug", "output", "import", "overwrite", "allow-private", "ignore-robots")
)
"""A file in a folder of strangers must not load code, delete files or open the local network."""


@dataclass(frozen=True)
class Config:
    """The tables of a file, by the name of the verb."""

    path: Path
    tables: Mapping[str, Any]

    def apply(self, verb: str, parser: argparse.ArgumentParser, verbs: Sequence[str]) -> None:
        """Make the values of a verb's table the defaults of its parser, and list them in its help."""
        self._check_names(self.tables, verbs, "verb")
        shown = self._apply_table(verb, self.tables.get(verb, {}), parser)
        if shown:
            parser.epilog = f"{parser.epilog or ''}\ndefaults from {self.path}: {' '.join(shown)}\n"

    def _apply_table(self, name: str, table: Any, parser: argparse.ArgumentParser) -> list[str]:
        if not isinstance(table, dict):
            raise UsageError(f"{self.path}: [{name}] is not a table of options")
        if (parts := find_subparsers(parser)) is not None:
            self._check_names(table, parts.choices, f"part of {name}")
            return [
                text for part, inner in table.items() for text in self._apply_table(part, inner, parts.choices[part])
            ]
        options = list_options(parser)
        self._check_names(table, options, f"option of {name}")
        shown = []
        for key, value in table.items():
            action = options[key]
            if key in COMMAND_LINE_ONLY:
                raise UsageError(f"{self.path}: {key} can only be given on the command line")
            parser.set_defaults(**{action.dest: self._convert(name, key, value, action)})
            shown.append(_show(key, value))
        return shown

    def _check_names(self, names: Mapping[str, Any], known: Sequence[str] | Mapping[str, Any], kind: str) -> None:
        for name in names:
            if name not in known:
                near = get_close_matches(name, known, n=1)
                hint = f"did you mean {near[0]!r}?" if near else f"choose from {', '.join(known)}"
                raise UsageError(f"{self.path}: no {kind} is named {name!r}: {hint}")

    def _convert(self, name: str, key: str, value: object, action: argparse.Action) -> object:
        where = f"{self.path}: {key} of [{name}]"
        if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
            if not isinstance(value, bool):
                raise UsageError(f"{where} is true or false, not {value!r}")
            return value
        if isinstance(action, argparse._AppendAction):
            if not isinstance(value, list):
                raise UsageError(f"{where} is a list of strings, not {value!r}")
            return [_convert_one(where, item, action) for item in value]
        if isinstance(value, list):  # an option that takes names with commas between them
            value = ",".join(map(str, value))
        return _convert_one(where, value, action)


def load_config(arguments: Sequence[str], known: Collection[str] = ()) -> Config | None:
    """Return the file that `--config` names, or the nearest one; None if there is none.

    `known` are the names of verbs and options: they are refused in [tool.duramen], one table too high.
    """
    named = _find_named(arguments)
    if named == NO_FILE:
        return None
    if named is not None:
        path = Path(named)
        if not path.is_file():
            raise UsageError(f"{OPTION}: there is no file {named}")
        return Config(path, _read_tables(path, known) or {})
    folder = Path.cwd()
    for parent in (folder, *folder.parents):
        for name in (FILE_NAME, PROJECT_FILE):
            path = parent / name
            if path.is_file() and (tables := _read_tables(path, known)) is not None:
                return Config(path.relative_to(folder) if parent == folder else path, tables)
    return None


def list_options(parser: argparse.ArgumentParser) -> dict[str, argparse.Action]:
    """Return the options of a parser by their long names, without the hyphens."""
    return {
        name[2:]: action
        for action in parser._actions
        for name in action.option_strings
        if name.startswith("--") and not name.startswith("--no-")
    }


def find_subparsers(parser: argparse.ArgumentParser) -> argparse._SubParsersAction[argparse.ArgumentParser] | None:
    """Return the parts of a verb, such as `mss` and `auto` of `train`."""
    return next((action for action in parser._actions if isinstance(action, argparse._SubParsersAction)), None)


def _find_named(arguments: Sequence[str]) -> str | None:
    for number, argument in enumerate(arguments):
        if argument == OPTION and number + 1 < len(arguments):
            return arguments[number + 1]
        if argument.startswith(f"{OPTION}="):
            return argument.partition("=")[2]
    return None


def _read_tables(path: Path, known: Collection[str]) -> dict[str, Any] | None:
    """Return the tables of verbs; None if a pyproject.toml has none."""
    try:
        tables: Any = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        if path.name == PROJECT_FILE:
            return None  # its other readers report what is wrong with it
        raise UsageError(f"{path} cannot be read: {error}") from error
    if path.name == PROJECT_FILE:
        *above, last = PROJECT_TABLE
        for name in above:
            tables = tables.get(name) if isinstance(tables, dict) else None
        if not isinstance(tables, dict):
            return None
        if misplaced := next((name for name in tables if name in known), None):
            right, wrong = ".".join(PROJECT_TABLE), ".".join(above)
            raise UsageError(f"{path}: {misplaced} of [{wrong}] is not read: defaults of options are in [{right}.VERB]")
        tables = tables.get(last)
    return tables if isinstance(tables, dict) else None


def _convert_one(where: str, value: object, action: argparse.Action) -> object:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise UsageError(f"{where} is a string or a number, not {value!r}")
    try:
        converted = action.type(str(value)) if callable(action.type) else str(value)
    except (argparse.ArgumentTypeError, ValueError) as error:
        raise UsageError(f"{where}: {error}") from error
    if action.choices is not None and converted not in action.choices:
        raise UsageError(f"{where} is {value!r}: choose from {', '.join(map(str, action.choices))}")
    return converted


def _show(key: str, value: object) -> str:
    if isinstance(value, bool):
        return f"--{key}" if value else f"--no-{key}"
    return f"--{key} {','.join(map(str, value)) if isinstance(value, list) else value}"
