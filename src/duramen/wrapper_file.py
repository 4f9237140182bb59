"""Files of wrappers: read and write their JSON, and check its values.

A wrapper of a site (`wrappers/wrapper_json.py`) and a wrapper of records (`data_records/records_wrapper.py`) are JSON
objects with a `format` and a `version`. Loading executes nothing, and a file with another content raises `InputError`
with one sentence.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from duramen import xpath
from duramen.errors import InputError, UsageError
from duramen.files import write_atomically

_MAX_REASON_CHARS: Final = 200


def write_wrapper_text(path: str | Path, text: str) -> None:
    """Write a wrapper file atomically."""
    try:
        write_atomically(Path(path), lambda file: file.write(text.encode("utf-8")))
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error


def read_wrapper_text(path: str | Path) -> str:
    """Read the text of a wrapper file."""
    try:
        return Path(path).read_text("utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} is no wrapper: it is not text in UTF-8") from error


def find_format(text: str) -> object:
    """Return the `format` value of a JSON object, None if there is none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):  # ValueError: not JSON, or a number of more than 4,300 digits
        return None
    return values.get("format") if isinstance(values, dict) else None


def parse_wrapper_json(text: str, expected_format: str, max_version: int, name: str) -> dict[str, Any]:
    """Parse a JSON object of this format; error messages call the text `name`.

    A later version is refused: it may have values that this version would ignore.
    """
    try:
        values = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{name} is no wrapper: it is not JSON") from error
    if not isinstance(values, dict) or values.get("format") != expected_format:
        raise InputError(f"{name} is no wrapper: it does not say that its format is {expected_format!r}")
    version = values.get("version")
    if isinstance(version, int) and version > max_version:
        raise InputError(
            f"{name} was written by a later version of duramen (format {str(version)[:20]}; "
            f"this one reads {max_version}): update duramen"
        )
    return values


@contextmanager
def damage_named(name: str) -> Iterator[None]:
    """Turn the errors of reading wrong values into one `InputError` that names the file."""
    try:
        yield
    except KeyError as error:
        raise InputError(f"{name} is damaged: it has no {error.args[0]!r}") from error
    # OverflowError: int() of Infinity; UsageError: an unknown measure, or an XPath that is not valid.
    except (TypeError, ValueError, AttributeError, OverflowError, UsageError) as error:
        raise InputError(f"{name} is damaged: {str(error)[:_MAX_REASON_CHARS]}") from error
    except RecursionError as error:  # while a value was written for a message
        raise InputError(f"{name} is damaged: a value is nested too deep") from error


def check_string(value: Any) -> str:
    """Return the value if it is a string."""
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a string")
    return value


def check_optional_string(value: Any) -> str | None:
    """Return the value if it is a string or None."""
    return None if value is None else check_string(value)


def check_xpath(value: Any) -> str:
    """Return the value if it is an XPath expression."""
    return xpath.compile(check_string(value)).source


def check_bool(name: str, value: Any) -> None:
    """Raise `ValueError` if the value is not true or false."""
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {value!r}, and neither true nor false")
