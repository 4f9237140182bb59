"""The source `json_repair`."""

from __future__ import annotations

import json
import sys
from time import process_time

import pytest

from duramen.metadata.sources import json_repair
from duramen.metadata.sources.json_repair import load_json_values


@pytest.mark.parametrize(
    "text",
    [
        '{"a": 1}',
        '<!-- {"a": 1} -->',
        '//<![CDATA[\n{"a": 1}\n//]]>',
        '{"a": 1,}',
        '{"a": 1};',
        "{&quot;a&quot;: 1}",
    ],
)
def test_broken_json_is_repaired(text: str) -> None:
    assert load_json_values(text) == [{"a": 1}]


def test_strings_are_not_changed() -> None:
    assert load_json_values('{"a": "one,] two", "b": "it\\\'s",}') == [{"a": "one,] two", "b": "it\\'s"}]
    assert load_json_values('{"a": "one\ntwo"}') == [{"a": "one\ntwo"}]


def test_two_objects_in_a_row_are_two() -> None:
    assert load_json_values('{"a": 1}\n{"b": 2}') == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("text", ["", "{", '{"a": ', "no json", '{"a" 1}', "[1, 2"])
def test_unrepairable_json_gives_nothing(text: str) -> None:
    assert load_json_values(text) == []


@pytest.mark.parametrize("digits", [17, 4300, 4301])
def test_a_number_that_python_refuses_makes_the_json_unreadable(digits: int) -> None:
    is_refused = digits > sys.get_int_max_str_digits() > 0
    assert (load_json_values(f'{{"x": {"9" * digits}}}') == []) == is_refused


@pytest.mark.parametrize("inner", ["\\n", '\\"', "a", "\\u0041", '","', '","x":"', '"', "\\"])
def test_long_strings_are_read_in_linear_time(inner: str) -> None:
    text = f'{{"x": "{inner * (1_000_000 // len(inner))}"}}'
    start = process_time()
    values = load_json_values(text)
    assert process_time() - start < 5
    assert not values or values == [json.loads(text)]


@pytest.mark.parametrize("deep", [1, 199, 200, 201, 5000])
@pytest.mark.parametrize("mark", ["", "é", "中"])
def test_json_nested_too_deep_is_not_read(deep: int, mark: str) -> None:
    nested = "[" * deep + f'"{mark}"' + "]" * deep
    assert bool(json_repair.load_json_values(nested)) == (deep <= 200)
    assert json_repair.load_json_values("[" + "{}," * 300 + f'"{mark}"]')
