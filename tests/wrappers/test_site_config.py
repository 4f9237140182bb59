"""Site rules of the ftr-site-config format as wrappers."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.wrappers.sample_site import page

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.wrappers.site_config import find_rule_files, parse_rules, read_rules

RULES = """\
# Rules of an invented site.
title: //h1
body: //div[@id='main']   # the story
body: //article
author: //span[@class='by']
date: //time/@datetime
strip: //div[@class='share']
strip_id_or_class: promo
single_page_link: //a[@rel='all']
replace_string(<b>): <i>
prune: no
prune: no
test_url: https://ring.example/a
nonsense
"""


def test_rules_become_a_wrapper() -> None:
    rules = parse_rules(RULES, "ring.example")
    assert rules.wrapper is not None
    assert [region.xpath for region in rules.wrapper.regions] == ["//div[@id='main']", "//article"]
    assert rules.wrapper.headlines == ("//h1",)
    assert rules.wrapper.fields == (("authors", "//span[@class='by']"), ("published", "//time"))
    assert rules.wrapper.site == "ring.example"
    content = rules.wrapper.extract(
        page(5, inside="<div class=share>Tell a friend</div><p class=big-promo>Buy the book</p><p>The end.</p>")
    )
    assert content.text.startswith("All about the glacier today")
    assert content.text.endswith("The end.")
    assert "Tell a friend" not in content.text
    assert "Buy the book" not in content.text


def test_lines_that_are_not_used_are_listed() -> None:
    notes = parse_rules(RULES, "ring.example").notes
    assert not any("(date)" in note for note in notes)
    assert "line 14 is not used: it is not a name, a colon and a value" in notes
    assert "single_page_link is not used (1 line)" in notes
    assert "prune is not used (2 lines)" in notes
    assert "replace_string is not used (1 line)" in notes
    assert not any("test_url" in note for note in notes)


def test_fields_of_attributes_and_texts_are_read_from_their_element() -> None:
    rules = parse_rules(
        "body: //article\n"
        "author: //meta[@name='by']/@content\n"
        "author: //span[@class='by']/text()\n"
        "author: //a[@rel='author']/@title\n"
        "date: //meta[@name='day']/@content\n"
        "date: //a/@datetime | //b/@datetime\n",
        "x.example",
    )
    assert rules.wrapper is not None
    assert rules.wrapper.fields == (
        ("authors", "//meta[@name='by'] | //span[@class='by']"),
        ("published", "//meta[@name='day']"),
    )
    assert rules.notes == (
        "line 4 (author) is not used: it selects a string, and a wrapper needs an element",
        "line 6 (date) is not used: it selects a string, and a wrapper needs an element",
    )
    head = "<head><meta name=by content='Ida Moor'><meta name=day content='2024-05-06'></head>"
    body = "<body><article><p>The ice has gone back by forty meters.</p></article></body>"
    metadata = rules.wrapper.extract(Page.parse(f"<html>{head}{body}</html>")).metadata
    assert [author.name for author in metadata.authors] == ["Ida Moor"]
    assert str(metadata.published) == "2024-05-06"


def test_unknown_xpaths_are_listed_and_the_rest_is_used() -> None:
    rules = parse_rules("body: id('x')/following::p\nbody: //main\n", "x.example")
    assert rules.wrapper is not None
    assert rules.wrapper.xpath == "//main"
    assert rules.notes[0].startswith("line 1 (body) is not used: XPath")


def test_a_hash_in_quotation_marks_is_no_comment() -> None:
    rules = parse_rules("body: //a[@href='# top'] # here\n", "x.example")
    assert rules.wrapper is not None
    assert rules.wrapper.xpath == "//a[@href='# top']"


def test_rules_without_a_body_give_no_wrapper() -> None:
    rules = parse_rules("title: //h1\n", "x.example")
    assert rules.wrapper is None
    assert rules.notes == ("no rule names the body: there is no wrapper",)


def test_files_are_found_and_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no site rules in this folder"):
        find_rule_files(tmp_path)
    file = tmp_path / ".ring.example.txt"
    file.write_text(RULES)
    assert find_rule_files(tmp_path) == [file]
    assert read_rules(file).host == "ring.example"
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(InputError, match="not text in UTF-8"):
        read_rules(tmp_path / "binary.txt")
    with pytest.raises(InputError, match="no such file"):
        read_rules(tmp_path / "none.txt")
