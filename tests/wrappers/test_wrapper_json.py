"""Saving and loading wrappers as JSON."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wrappers.sample_site import page, site

from duramen.errors import InputError
from duramen.methods import Method
from duramen.wrappers import KeepOptions, Wrapper, WrapperSet, learn, load_wrapper
from duramen.wrappers.wrapper_json import format_wrapper, parse_wrapper

WRAPPER = learn(site(4))


def test_a_loaded_wrapper_equals_the_saved_one(tmp_path: Path) -> None:
    WRAPPER.save(tmp_path / "site.json")
    loaded = Wrapper.load(tmp_path / "site.json")
    assert loaded.extract(page(6)).text == WRAPPER.extract(page(6)).text
    assert format_wrapper(loaded) == format_wrapper(WRAPPER)
    assert loaded.regions == WRAPPER.regions
    assert loaded.boilerplate == WRAPPER.boilerplate


def test_the_file_is_plain_json_with_short_lines() -> None:
    found = json.loads(format_wrapper(WRAPPER))
    assert (found["format"], found["version"]) == ("duramen wrapper", 1)
    assert found["xpath"] == "//div[@id='main']"
    assert found["regions"][0]["paper"] == WRAPPER.paper_xpath
    assert max(map(len, format_wrapper(WRAPPER).splitlines())) < 1000


def test_a_wrapper_is_a_method_and_can_be_pickled() -> None:
    assert isinstance(WRAPPER, Method)
    assert pickle.loads(pickle.dumps(WRAPPER))(page(5)).text == WRAPPER(page(5)).text


def changed(**values: object) -> str:
    return json.dumps(json.loads(format_wrapper(WRAPPER)) | values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is no wrapper: it is not JSON"),
        ("[1, 2]", "this is no wrapper: it does not say"),
        ('{"name": "package"}', "this is no wrapper: it does not say"),
        (changed(version=2), "written by a later version of duramen .format 2; this one reads 1."),
        (changed(version="one"), "this is damaged: its version is 'one'"),
        (changed(regions=None), "this is damaged"),
        (changed(regions=[{"xpath": "//div[", "clue": "", "dfs": [], "pages": 1}]), "this is damaged: XPath"),
        (changed(confidence=7), "this is damaged: 7 is not between 0 and 1"),
        (changed(settings={"kk": 1}), "this is damaged"),
        (changed(settings={"k": "ten"}), "this is damaged: k is 'ten', and not a number from 1 up"),
        (changed(settings={"signifiers": "omens"}), "this is damaged: it names unknown signifiers 'omens'"),
        (changed(settings={"level": "no"}), "this is damaged: level is 'no', and neither true nor false"),
        (changed(parts={"headline": "no"}), "this is damaged: headline is 'no', and neither true nor false"),
        (changed(regions=[]), "this is damaged: it names no region"),
        (changed(regions=[{"xpath": "//p", "clue": "", "dfs": [float("inf")], "pages": 1}]), "this is damaged: "),
        (changed(boilerplate={"pages": 1, "paths": {"p": [1]}, "texts": {}}), "are not 6 counts"),
        ('{"format": "duramen wrapper", "version": 1}', "this is damaged: it has no 'boilerplate'"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_a_bad_file_raises_one_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_wrapper(text)


def test_a_file_that_cannot_be_read_raises_an_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        Wrapper.load(tmp_path / "none.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not text in UTF-8"):
        Wrapper.load(tmp_path / "binary.json")
    with pytest.raises(InputError, match="no such file"):
        WRAPPER.save(tmp_path / "none" / "site.json")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)


@given(key=st.sampled_from(sorted(json.loads(format_wrapper(WRAPPER)))), value=json_values)
def test_any_changed_value_is_read_or_raises_an_input_error(key: str, value: object) -> None:
    with suppress(InputError):  # any other exception fails the test
        assert parse_wrapper(changed(**{key: value})).extract(page(4)).reason


def test_the_file_does_not_depend_on_the_hash_seed() -> None:
    code = "from tests.wrappers.test_wrapper_json import WRAPPER, format_wrapper; print(format_wrapper(WRAPPER))"
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            cwd=Path(__file__).parents[2],
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1


def test_a_version_1_file_of_an_earlier_release_is_read() -> None:
    wrapper = parse_wrapper(
        """{"format": "duramen wrapper", "version": 1, "site": "ring.example", "xpath": "//div[@id='main']",
        "regions": [{"xpath": "//div[@id='main']", "clue": "//div[contains(@id,'main')]", "dfs": [7], "pages": 2,
                     "paper": "//div[contains(@id,'main') and (@dfs='7')]"}],
        "headlines": ["//h1"], "leads": [], "support": 1.0, "confidence": 0.9, "notes": [], "lang": "en",
        "settings": {"signifiers": "tfidf", "k": 10, "measure": "u", "tolerant": true, "frequency": true,
                     "level": true, "refined": true, "lang": null},
        "parts": {"headline": true, "leads": true, "captions": false, "comments": false, "repeats": false},
        "pages": [{"name": "a", "signifiers": ["oak"]}],
        "candidates": [{"level": 2, "clue": "//div[@id='main']", "dfs": [7], "n": 2, "value": 3.5, "relevance": 14.0}],
        "boilerplate": {"pages": 2, "paths": {"/p": [8, 160, 160, 8, 160, 160]}, "texts": {"all rights": [2, 2]}},
        "terms": {"oak": 2}}"""
    )
    assert wrapper.keep == KeepOptions()
    assert wrapper.boilerplate.paths["/p"].fresh_words == 160
    assert wrapper.extract(page(3)).text.startswith("All about the lighthouse today")


def test_load_wrapper_reads_wrappers_and_sets_by_their_format(tmp_path: Path) -> None:
    WRAPPER.save(tmp_path / "one.json")
    WrapperSet((WRAPPER, WRAPPER)).save(tmp_path / "set.json")
    assert load_wrapper(tmp_path / "one.json") == Wrapper.load(tmp_path / "one.json")
    loaded = load_wrapper(tmp_path / "set.json")
    assert isinstance(loaded, WrapperSet)
    assert loaded.wrappers == (Wrapper.load(tmp_path / "one.json"),) * 2
    with pytest.raises(InputError, match=r"set\.json is no wrapper: it does not say"):
        Wrapper.load(tmp_path / "set.json")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "is no wrapper: it does not say that its format is 'duramen wrapper'"),
        ('{"format": "duramen wrapper set", "version": 2}', "written by a later version"),
        ('{"format": "duramen wrapper set", "version": 1, "wrappers": []}', "it has no list of wrappers"),
        ('{"format": "duramen wrapper set", "version": 1, "wrappers": [{}]}', "it has no 'version'"),
    ],
)
def test_a_file_that_is_neither_is_refused(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "w.json").write_text(text)
    with pytest.raises(InputError, match=message):
        load_wrapper(tmp_path / "w.json")
