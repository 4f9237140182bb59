"""The outputs of written pages and sites, compared exactly with files.

A difference is a change of behavior. If it is wanted, run `python -m tests.write_expected` and read `git diff`.
"""

from __future__ import annotations

from difflib import unified_diff
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.expected_outputs import (
    cases,
    make_outputs,
    make_site_outputs,
    output_names,
    read_expected,
    settings,
    site_output_names,
    sites,
)

from duramen.evaluation.score import normalize_text

LONGEST = 60
"""The number of lines of a difference that are shown."""


@cache
def outputs_of_case(folder: Path) -> dict[str, str]:
    return make_outputs(folder)


@cache
def outputs_of_site(folder: Path) -> dict[str, str]:
    return make_site_outputs(folder)


def pairs(names: dict[Path, list[str]]) -> list[Any]:
    """A parameter for each output of each folder."""
    return [pytest.param(folder, name, id=f"{folder.name}/{name}") for folder, each in names.items() for name in each]


@pytest.mark.parametrize(("folder", "name"), pairs({folder: output_names(folder) for folder in cases()}))
def test_page(folder: Path, name: str) -> None:
    check(folder, name, outputs_of_case(folder)[name])


@pytest.mark.parametrize(("folder", "name"), pairs({folder: site_output_names(folder) for folder in sites()}))
def test_site(folder: Path, name: str) -> None:
    check(folder, name, outputs_of_site(folder)[name])


@pytest.mark.parametrize("folder", [*cases(), *sites()], ids=lambda folder: folder.name)
def test_no_file_is_left_over(folder: Path) -> None:
    names = output_names(folder) if (folder / "page.html").exists() else site_output_names(folder)
    assert sorted(path.name for path in (folder / "expected").iterdir()) == sorted(names)


MARKED = [folder for folder in cases() if {"must", "must_not"} & settings(folder).keys()]


@pytest.mark.parametrize("folder", MARKED, ids=lambda folder: folder.name)
def test_marked_texts_are_kept_or_left_out(folder: Path) -> None:
    text = normalize_text(outputs_of_case(folder)["text.txt"])
    marks = settings(folder)
    assert [snippet for snippet in marks.get("must", ()) if normalize_text(snippet) not in text] == []
    assert [snippet for snippet in marks.get("must_not", ()) if normalize_text(snippet) in text] == []


def check(folder: Path, name: str, made: str) -> None:
    """Fail with a difference by lines where an output is not as expected."""
    expected = read_expected(folder, name)
    if made == expected:
        return
    lines = list(
        unified_diff(
            expected.splitlines(),
            made.splitlines(),
            f"{folder.name}/expected/{name}",
            "the output now",
            lineterm="",
            n=2,
        )
    )
    more = [f"… and {len(lines) - LONGEST} more lines"] if len(lines) > LONGEST else []
    shown = "\n".join([*lines[:LONGEST], *more]) or f"only line ends differ: {expected!r:.300} and {made!r:.300}"
    pytest.fail(
        f"{name} of {folder.name} is not as expected.\n{shown}\n"
        f"If the change is wanted: python -m tests.write_expected {folder.name}",
        pytrace=False,
    )
