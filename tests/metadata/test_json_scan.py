"""JSON read sparingly gives what Python's decoder gives of the names asked for, and refuses what it refuses."""

from __future__ import annotations

import json
import sys
from random import Random
from time import process_time
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from duramen.metadata import elsewhere, json_ld
from duramen.metadata.json_scan import Scanner, brackets, whole

NAMES = frozenset(("name", "url", "@id", "@graph"))
PIECES = [*'{}[]":,\\ \n\t-+.eE01289unrtbf/', '"name"', '"url":', '"x":', "null", "true", "false", "NaN", "-Infinity"]
PIECES += ["\\u0041", "\\ud83d\\ude00", "\\ud800", "\ud800", "é", "中", "\U0001f600", "\0", '"a\\"b"', "9" * 20]

keys = st.sampled_from([*sorted(NAMES), "x", "nam", "é", ""]) | st.text(max_size=5)
anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=5),
    max_leaves=20,
)


def read(scan: Any, text: str) -> Any:
    try:
        return scan(text, 0)
    except (ValueError, StopIteration):
        return None


def asked(value: Any) -> Any:
    """What is asked for of a value."""
    if isinstance(value, dict):
        return {name: asked(inner) for name, inner in value.items() if name in NAMES}
    return [asked(inner) for inner in value] if isinstance(value, list) else value


def check(text: str) -> None:
    found, known = read(Scanner(NAMES).scan, text), read(whole, text)
    if known is None:
        assert found is None
    else:
        assert found is not None
        assert found[1] == known[1]
        assert repr(asked(found[0])) == repr(asked(known[0]))  # a number that is none is not equal to itself


@given(anything, st.booleans(), st.sampled_from([None, 1]))
def test_what_is_asked_for_is_read(value: Any, is_ascii: bool, indent: int | None) -> None:
    check(json.dumps(value, ensure_ascii=is_ascii, indent=indent))


@given(anything, st.integers(0, 200), st.integers(0, 3), st.sampled_from(["", *PIECES]), st.booleans())
@example({"x": "\n"}, 8, 1, "q", True)
@example({"x": 1}, 7, 0, "0", True)
@example({"x": [1]}, 8, 0, ",", True)
def test_a_text_is_refused_where_the_decoder_refuses_it(
    value: Any, place: int, length: int, piece: str, is_ascii: bool
) -> None:
    text = json.dumps(value, ensure_ascii=is_ascii)
    place %= len(text)
    check(text[:place] + piece + text[place + length :])


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join), st.sampled_from(['{"x": ', '{"url": ', "[", ""]))
@example('"\\u00e9"}', '{"x": ')
@example('"\\u00g9"}', '{"x": ')
@example('"\\u00e', '{"x": ')
@example('"\\', '{"x": ')
@example("01}", '{"x": ')
@example("1.}", '{"x": ')
@example("-1}", '{"x": ')
@example("1e5}", '{"x": ')
@example("1,}", '{"x": ')
@example('1, "name": 1, "name": 2}', '{"x": ')
@example('1, "n\\u0061me": 1}', '{"x": ')
@example("]", "[")
@example("1 2]", "[")
@example('"a" "b"]', "[")
@example("NaN}", '{"x": ')
@example("nul}", '{"x": ')
def test_whatever_stands_there(rest: str, start: str) -> None:
    check(start + rest)


@pytest.mark.parametrize("opening", ["[", '{"x":', '{"name":', '{"name":['])
def test_nesting_is_looked_into_as_deep_as_descriptions_go(opening: str) -> None:
    closing = "".join({"[": "]", "{": "}"}[letter] for letter in reversed(opening) if letter in "[{")
    for levels in (99, 100, 101, 199, 200, 201):
        check(opening * levels + '"a"' + closing * levels)
        check(opening * levels + '"a"' + closing * (levels - 1))


@given(st.text(st.characters() | st.sampled_from("{[]}\u5b7b"), max_size=99), st.sampled_from([1, 3, 400]))
def test_brackets_are_counted(text: str, times: int) -> None:
    known = times * (text.count("{") + text.count("["))
    assert brackets(text * times) == known if text.isascii() else brackets(text * times) >= known


@pytest.mark.parametrize("digits", [17, 18, 19, 4300, 4301])
@pytest.mark.parametrize("name", ["x", "name"])
def test_a_number_that_python_will_not_read_is_refused(digits: int, name: str) -> None:
    check(f'{{"{name}": {"9" * digits}}}')
    assert (read(Scanner(NAMES).scan, f'{{"{name}": {"9" * digits}}}') is None) == (
        digits > sys.get_int_max_str_digits() > 0
    )


@pytest.mark.parametrize("inner", ["\\n", '\\"', "a", '"', "\\", "\\u0041", '","', '","x":"'])
@pytest.mark.parametrize("name", ["x", "name"])
def test_long_strings_take_no_longer_than_they_are_long(inner: str, name: str) -> None:
    text = f'{{"{name}": "{inner * (1_000_000 // len(inner))}"}}'
    start = process_time()
    check(text)
    assert process_time() - start < 5


class Asked(dict[str, Any]):
    """An object that gives something for every name, and keeps what it was asked for."""

    def __init__(self, random: Random, names: set[str], depth: int = 3) -> None:
        self.random, self.names, self.depth = random, names, depth

    def get(self, name: str, default: Any = None) -> Any:
        self.names.add(name)
        inner = Asked(self.random, self.names, self.depth - 1)
        said = [None, "", "Words", "WebPage", "BreadcrumbList", *([inner, [inner, inner]] if self.depth else [])]
        return self.random.choice(said)

    def __getitem__(self, name: str) -> Any:
        return self.get(name)

    def __contains__(self, name: object) -> bool:
        self.names.add(str(name))
        return self.random.random() < 0.5


def test_every_name_that_is_looked_at_is_asked_for() -> None:
    names: set[str] = set()
    fields = [*json_ld._NAMED, "site", "author", "type", "title"]
    for seed in range(500):
        random = Random(seed)
        things: list[json_ld.Thing] = []
        json_ld._add_things(Asked(random, names), 1, things)
        elsewhere.crumbs([*things, things[0]._replace(type=elsewhere._LIST)])
        works = [thing._replace(kind="article") for thing in things[:3]]
        known = json_ld.JsonLd([], things)
        json_ld._own(known, "https://wood.example/", "Words")
        json_ld._same_page(works, "https://wood.example/", "Words")
        for field in fields:
            json_ld._claims(known, [*works, *things], field)
    assert names == json_ld.ASKED
