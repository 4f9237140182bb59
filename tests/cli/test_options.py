"""Options that several verbs share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from duramen.cli.options import integer_from, number_between, parse_delay, parse_names, parse_seconds, parse_size
from duramen.methods import registry

if TYPE_CHECKING:
    from tests.cli.conftest import Run

MODULE = """
from dataclasses import dataclass

from duramen.content import Content
from duramen.methods.econ import Econ
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class Shout(Econ):
    name = "shout"
    summary = "what econ finds"
"""


@pytest.fixture
def my_methods(folder: Path) -> Iterator[None]:
    """A module in the current folder that registers the method `shout`."""
    (folder / "my_methods.py").write_text(MODULE, "utf-8")
    search_path = list(sys.path)
    yield
    sys.path[:] = search_path
    sys.modules.pop("my_methods", None)
    registry._METHODS.pop("shout", None)


@pytest.mark.usefixtures("my_methods")
def test_extract_imports_methods_of_the_user(page: Path, run: Run) -> None:
    assert run("extract", page, "--method", "shout").status == 2
    outcome = run("extract", page, "--import", "my_methods", "--method", "shout")
    assert outcome.status == 0
    assert "The heartwood of oak" in outcome.out


@pytest.mark.usefixtures("my_methods")
def test_imported_methods_are_listed(run: Run) -> None:
    rows = json.loads(run("methods", "--import", "my_methods", "--format", "json").out)
    assert "shout" in [row["name"] for row in rows]


@pytest.mark.usefixtures("my_methods")
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_evaluate_imports_methods_in_every_process(jobs: str, run: Run, make_set: Callable[..., Path]) -> None:
    options = ["--import", "my_methods", "--method", "shout", "--no-picture", "--jobs", jobs]
    outcome = run("evaluate", make_set([{"id": "a"}, {"id": "b"}]), *options)
    assert outcome.status == 0
    assert outcome.out.split("\n")[1].startswith("shout")


@pytest.mark.usefixtures("my_methods")
def test_run_imports_methods(pages: Path, run: Run) -> None:
    outcome = run("run", pages, "-o", "out.jsonl", "--import", "my_methods", "--method", "shout", "--quiet")
    assert outcome.status == 0
    assert len(Path("out.jsonl").read_text("utf-8").splitlines()) == 3


@pytest.mark.usefixtures("my_methods")
def test_a_fallback_may_be_imported(pages: Path, run: Run) -> None:
    assert run("learn", pages, "-o", "site.json", "--import", "my_methods").status == 0
    options = ["--wrapper", "site.json", "--import", "my_methods", "--fallback", "shout"]
    assert run("extract", "pages/ash.html", *options).status == 0


@pytest.mark.parametrize("verb", ["extract", "evaluate", "learn"])
def test_a_module_that_cannot_be_imported_is_wrong_usage(verb: str, page: Path, run: Run) -> None:
    output = ["-o", "site.json"] if verb == "learn" else []
    outcome = run(verb, page, "--import", "no_such_module", *output)
    assert outcome.status == 2
    assert "the module no_such_module cannot be imported" in outcome.err


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (integer_from(0), "0", 0),
        (number_between(0, 1), "0.5", 0.5),
        (parse_names, "a, b,", ["a", "b"]),
        (parse_seconds, "1.5", 1.5),
        (parse_delay, "0", 0.0),
        (parse_size, "10k", 10_000),
        (parse_size, "2GB", 2_000_000_000),
    ],
)
def test_values_are_parsed(parse: Callable[[str], object], text: str, value: object) -> None:
    assert parse(text) == value


@pytest.mark.parametrize(
    ("parse", "text"),
    [
        (integer_from(1), "0"),
        (integer_from(1), "1.5"),
        (number_between(0, 1), "2"),
        (number_between(0, 1), "nan"),
        (parse_names, " , "),
        (parse_seconds, "0"),
        (parse_delay, "-1"),
        (parse_delay, "inf"),
        (parse_size, "0"),
        (parse_size, "ten"),
    ],
)
def test_wrong_values_are_refused(parse: Callable[[str], object], text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError):
        parse(text)
