"""Comments in the output formats: after the content, under a heading or in a field of their own."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.comments.comment_pages import WORDPRESS, page

import duramen
from duramen.cli import main
from duramen.comments import Comment, add_comments
from duramen.content import FORMATS

THREE = [
    Comment("Ann", "3 May 2012", "I like *oaks*.\n\n1. Yes\nI do <b>."),
    Comment(None, "4 May 2012", "Me too", depth=1, parent=0),
    Comment("Cy", None, "No", depth=0),
]


@pytest.fixture
def content() -> duramen.Content:
    return duramen.extract(page(WORDPRESS))


@pytest.mark.parametrize("format", FORMATS)
def test_comments_are_omitted_by_default(content: duramen.Content, format: str) -> None:
    assert "overrated" not in content.to(format)
    assert "overrated" in content.to(format, comments=True)


@pytest.mark.parametrize("format", FORMATS)
def test_comments_kept_as_content_are_written_once(format: str) -> None:
    said = "Ours lost all of its leaves in the first storm of the year, number"
    posts = "".join(f"<div><b>Bob Birch</b> <span>2024-01-0{i}</span><p>{said} {i}.</p></div>" for i in range(1, 4))
    text = "<p>Oak trees grow slowly, and their heartwood, which is dark, lasts for centuries out of the rain.</p>" * 6
    kept = duramen.extract(f"<article><h1>Of oaks</h1>{text}</article><h3>Comments</h3>{posts}", method="econ")
    assert said in kept.text
    assert kept.to(format, comments=True).count(said) == 3


def test_text_has_a_heading_and_indented_replies() -> None:
    assert add_comments("The oak.", "text", THREE) == (
        "The oak.\n\nComments\n\nAnn, 3 May 2012\nI like *oaks*.\n\n1. Yes\nI do <b>."
        "\n\n    4 May 2012\n    Me too\n\nCy\nNo"
    )


def test_markdown_has_quoted_replies_and_escaped_text() -> None:
    assert add_comments("The oak.", "markdown", THREE) == (
        "The oak.\n\n## Comments\n\n**Ann, 3 May 2012**\n\nI like \\*oaks\\*.\n\n1\\. Yes\\\nI do \\<b>."
        "\n\n> **4 May 2012**\n>\n> Me too\n\n**Cy**\n\nNo"
    )


def test_html_has_nested_articles_for_replies() -> None:
    html = add_comments("<p>The oak.</p>", "html", THREE)
    section = ElementTree.fromstring(html.partition("\n\n")[2].replace("<br>", "<br/>"))
    assert [article.findtext("header") for article in section.findall("article")] == ["Ann, 3 May 2012", "Cy"]
    assert section.findtext("article/article/p") == "Me too"


def test_json_has_a_list_of_comments(content: duramen.Content) -> None:
    written = json.loads(content.to("json", comments=True))
    assert [comment["author"] for comment in written["comments"]] == ["Ann Alder", "Ben", "Cy"]
    assert written["comments"][1] == {
        "author": "Ben",
        "date": "2012-11-12",
        "stamp": "November 12, 2012 at 11:02 am",
        "depth": 1,
        "parent": 0,
        "text": "How old is the house?",
    }
    assert written["text"] == content.text


def test_xml_has_comments_beside_the_body(content: duramen.Content) -> None:
    document = ElementTree.fromstring(content.to("xml", comments=True))
    assert [child.tag for child in document][-1] == "comments"
    ben = document.findall("comments/comment")[1]
    assert (ben.get("author"), ben.get("parent"), ben.findtext("p")) == ("Ben", "0", "How old is the house?")


def test_a_page_without_comments_has_an_empty_field_and_no_heading() -> None:
    content = duramen.extract(page(""))
    assert content.comments == []
    assert content.to("text", comments=True) == content.text
    assert json.loads(content.to("json", comments=True))["comments"] == []
    assert ElementTree.fromstring(content.to("xml", comments=True)).find("comments") is not None


def test_extreme_nesting_does_not_grow_the_lines() -> None:
    deep = [Comment("Ann", None, "so", depth=depth, parent=depth - 1 if depth else None) for depth in range(2_000)]
    assert len(add_comments("", "markdown", deep)) < 250_000
    assert add_comments("", "html", deep).count("</article>") == 2_000


def test_illegal_xml_characters_are_removed() -> None:
    assert "\x01" not in add_comments("<document />", "xml", [Comment("A\x01nn", None, "a\x01b")])


def test_the_command_line_adds_comments_on_request(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "page.html"
    path.write_text(page(WORDPRESS), encoding="utf-8")
    assert main(["extract", str(path)]) == 0
    assert "overrated" not in capsys.readouterr().out
    assert main(["extract", str(path), "--comments"]) == 0
    assert "\nComments\n\nAnn Alder, November 12, 2012 at 10:31 am\nI have an oak, too." in capsys.readouterr().out
