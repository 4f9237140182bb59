"""Reading sets, and saying what is wrong with them."""

from __future__ import annotations

import gzip
import json

import pytest

from duramen.errors import InputError, UsageError
from duramen.evaluation import choose, find_set, read_set
from duramen.evaluation.sets import DATA_VARIABLE, Example


@pytest.fixture(autouse=True)
def _no_data_folder(monkeypatch):
    monkeypatch.delenv(DATA_VARIABLE, raising=False)


def test_a_set_is_read_in_order_with_its_fields(make_set):
    rows = [
        {"id": "b", "site": "s", "type": "article", "lang": "en", "title": "T", "must": ["x"], "must_not": ["y"]},
        {"id": "a", "author": "Ann"},
    ]
    first, second = read_set(make_set(rows))
    assert (first.id, first.set, first.site, first.type, first.lang, first.title) == (
        "b",
        "trees",
        "s",
        "article",
        "en",
        "T",
    )
    assert (first.must, first.must_not) == (("x",), ("y",))
    assert (second.site, second.type, second.lang, second.url) == ("a", "?", "?", None)
    assert second.fields["author"] == "Ann"


def test_a_page_is_its_raw_bytes(make_set):
    folder = make_set([{"id": "a"}])
    (folder / "html" / "a.html.gz").write_bytes(gzip.compress(b"\xff\xfe raw"))
    assert read_set(folder)[0].read() == b"\xff\xfe raw"


def test_html_names_another_file(make_set):
    folder = make_set([{"id": "a", "html": "plain.html"}])
    (folder / "plain.html").write_bytes(b"<p>plain")
    assert read_set(folder)[0].read() == b"<p>plain"


def test_a_bare_name_is_found_in_the_data_folder(make_set, monkeypatch):
    folder = make_set([{"id": "a"}], name="oaks")
    monkeypatch.setenv(DATA_VARIABLE, str(folder.parent))
    assert find_set("oaks") == folder


def test_a_folder_of_that_name_that_is_no_set_does_not_hide_the_set(make_set, monkeypatch, tmp_path):
    folder = make_set([{"id": "a"}], name="data/oaks")
    (tmp_path / "oaks").mkdir()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(DATA_VARIABLE, str(folder.parent))
    assert find_set("oaks") == folder


def test_the_error_for_a_missing_set_names_the_unset_variable():
    with pytest.raises(UsageError, match=r"no set 'oaks'.*DURAMEN_DATA.*is not set"):
        find_set("oaks")


def test_a_missing_set_names_the_nearest(make_set, monkeypatch):
    monkeypatch.setenv(DATA_VARIABLE, str(make_set([{"id": "a"}], name="oaks").parent))
    with pytest.raises(UsageError, match="did you mean 'oaks'"):
        find_set("oak")


def test_a_folder_without_a_manifest_is_no_set(tmp_path):
    with pytest.raises(UsageError, match=r"no manifest\.jsonl"):
        read_set(tmp_path)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{broken", "line 2 of .* is not JSON"),
        ("[]", "line 2 of .* is not an object with an id"),
        ('{"site": "s"}', "line 2 of .* is not an object with an id"),
        ('{"id": "b", "text": 3}', "line 2 of .* 'text' is not a string"),
        ('{"id": "b", "must": "x"}', "line 2 of .* 'must' is not a list"),
    ],
)
def test_a_broken_line_is_named_with_its_number(make_set, line, message):
    folder = make_set([{"id": "a"}])
    with (folder / "manifest.jsonl").open("a") as manifest:
        manifest.write(line + "\n")
    with pytest.raises(InputError, match=message):
        read_set(folder)


def test_empty_lines_and_unusual_line_breaks_in_strings_are_accepted(make_set):
    folder = make_set([{"id": "a"}])
    with (folder / "manifest.jsonl").open("a", encoding="utf-8") as manifest:
        manifest.write("\n" + json.dumps({"id": "b", "text": "one\u2028two"}, ensure_ascii=False) + "\n\n")
    assert [example.text for example in read_set(folder)][1] == "one\u2028two"


def test_a_missing_page_is_named(make_set):
    folder = make_set([{"id": "a"}])
    (folder / "html" / "a.html.gz").unlink()
    with pytest.raises(InputError, match=r"the page 'a' of the set 'trees' has no file .*a\.html\.gz"):
        read_set(folder)[0].read()


@pytest.mark.parametrize("damage", [lambda raw: raw[:-9], lambda raw: b"no gzip", lambda raw: raw[:12] + b"\0" * 40])
def test_a_damaged_page_is_named(make_set, damage):
    folder = make_set([{"id": "a"}])
    path = folder / "html" / "a.html.gz"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=r"a\.html\.gz of the page 'a' cannot be read"):
        read_set(folder)[0].read()


def examples(tmp_path, *rows):
    return [
        Example(str(number), tmp_path, set=row[0], site=row[1], type=row[2], lang=row[3])
        for number, row in enumerate(rows)
    ]


def test_the_limit_keeps_whole_sites_of_each_set(tmp_path):
    rows = [("x", site, "article", "en") for site in "abab"] + [("y", "c", "article", "en")]
    assert [example.site for example in choose(examples(tmp_path, *rows), limit=1)] == ["a", "a", "c"]


def test_the_limit_counts_selected_sites(tmp_path):
    rows = [("x", "a", "forum", "en"), ("x", "b", "article", "en"), ("x", "c", "article", "en")]
    assert [example.site for example in choose(examples(tmp_path, *rows), types=["article"], limit=1)] == ["b"]


def test_sites_types_and_languages_choose(tmp_path):
    rows = [("x", "a", "forum", "en"), ("x", "a", "article", "de"), ("x", "b", "article", "en")]
    made = examples(tmp_path, *rows)
    assert [e.id for e in choose(made, sites=["a"])] == ["0", "1"]
    assert [e.id for e in choose(made, types=["article"])] == ["1", "2"]
    assert [e.id for e in choose(made, types=["article"], langs=["en"])] == ["2"]
