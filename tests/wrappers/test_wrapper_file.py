"""Wrappers on disk."""

from __future__ import annotations

import json
import pickle
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.wrappers.invented import page, site

from duramen.errors import InputError
from duramen.methods import Method
from duramen.wrappers import Wrapper, learn
from duramen.wrappers.wrapper_file import dumps, loads

WRAPPER = learn(site(4))


def test_what_is_saved_is_what_is_loaded(tmp_path: Path) -> None:
    WRAPPER.save(tmp_path / "site.json")
    loaded = Wrapper.load(tmp_path / "site.json")
    assert loaded.extract(page(6)).text == WRAPPER.extract(page(6)).text
    assert dumps(loaded) == dumps(WRAPPER)
    assert loaded.regions == WRAPPER.regions
    assert loaded.boilerplate == WRAPPER.boilerplate


def test_the_file_is_plain_json_that_reads_well() -> None:
    found = json.loads(dumps(WRAPPER))
    assert (found["format"], found["version"]) == ("duramen wrapper", 1)
    assert found["xpath"] == "//div[@id='main']"
    assert found["regions"][0]["paper"] == WRAPPER.paper_xpath
    assert max(map(len, dumps(WRAPPER).splitlines())) < 1000


def test_a_wrapper_is_a_method_and_goes_to_a_worker() -> None:
    assert isinstance(WRAPPER, Method)
    assert pickle.loads(pickle.dumps(WRAPPER))(page(5)).text == WRAPPER(page(5)).text


def changed(**values: object) -> str:
    return json.dumps(json.loads(dumps(WRAPPER)) | values)


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
        (changed(confidence=7), "this is damaged: 7 is not a share"),
        (changed(settings={"kk": 1}), "this is damaged"),
        (changed(settings={"k": "ten"}), "this is damaged: k is 'ten', and not a number from 1 up"),
        (changed(settings={"signifiers": "omens"}), "this is damaged: it knows no signifiers 'omens'"),
        (changed(settings={"level": "no"}), "this is damaged: level is 'no', and neither true nor false"),
        (changed(parts={"headline": "no"}), "this is damaged: headline is 'no', and neither true nor false"),
        (changed(regions=[]), "this is damaged: it names no region"),
        (changed(regions=[{"xpath": "//p", "clue": "", "dfs": [float("inf")], "pages": 1}]), "this is damaged: "),
        (changed(boilerplate={"pages": 1, "paths": {"p": [1]}, "texts": {}}), "are not 6 counts"),
        ('{"format": "duramen wrapper", "version": 1}', "this is damaged: it has no 'boilerplate'"),
        ("[" * 100_000, "it is not JSON"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        loads(text)


def test_a_file_that_cannot_be_read_is_said(tmp_path: Path) -> None:
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


@given(key=st.sampled_from(sorted(json.loads(dumps(WRAPPER)))), value=json_values)
def test_any_other_value_is_either_read_or_refused_in_a_sentence(key: str, value: object) -> None:
    with suppress(InputError):  # any other exception fails the test
        assert loads(changed(**{key: value})).extract(page(4)).reason
