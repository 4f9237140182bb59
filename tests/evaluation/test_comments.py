"""Comments are scored against gold, and silence where there is none."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from duramen.cli import main
from duramen.comments import Comment
from duramen.errors import InputError
from duramen.evaluation import read_set
from duramen.evaluation.comments import (
    get_comment_finders,
    make_comments_table,
    score_comments,
    summarize_comments,
    write_comment,
)

ARTICLE = "<h1>Oak</h1><p>An article on oaks, of some length, so that there is something to have an opinion on.</p>"
COMMENT = "<div id=comments><div class=comment><b class=author>Ann</b> <i>3 May 2012</i><p>I say so.</p></div></div>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "html").mkdir()
    rows = [
        {"id": "found", "text": "x", "comments": "Ann 3 May 2012 I say so."},
        {"id": "missed", "text": "x", "comments": "Ben: never."},
        {"id": "silent", "text": "x"},
        {"id": "invented", "text": "x", "comments": ""},
    ]
    for row in rows:
        html = ARTICLE + (COMMENT if row["id"] in ("found", "invented") else "")
        (tmp_path / "html" / f"{row['id']}.html.gz").write_bytes(gzip.compress(html.encode()))
    (tmp_path / "manifest.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return tmp_path


def test_each_kind_of_page_counts_as_it_should(folder: Path) -> None:
    which = get_comment_finders()
    pages = [page for scored in score_comments(read_set(folder), which) for page in scored]
    found = summarize_comments(pages, "duramen")
    assert (found.pages_with, found.pages_without, found.silent) == (2, 2, 0.5)
    assert found.agreement == (0.5, 0.5, 0.5)
    assert "| duramen | 2 | 0.500 | 0.500 | 0.500 | 2 | 50.0% |" in make_comments_table([found])


def test_author_and_date_are_part_of_what_is_compared() -> None:
    assert write_comment(Comment("Ann", "3 May", "So.")) == "Ann\n3 May\nSo."
    assert write_comment(Comment(None, None, "So.")) == "So."


def test_gold_that_is_no_text_is_refused(folder: Path) -> None:
    (folder / "manifest.jsonl").write_text(json.dumps({"id": "found", "comments": ["a", "b"]}))
    with pytest.raises(InputError, match="'comments' is not a string"):
        list(score_comments(read_set(folder), get_comment_finders()))


def test_the_command_prints_and_writes_the_table(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scores = folder / "scores.md"
    assert main(["evaluate", str(folder), "--comments", "--write-scores", str(scores)]) == 0
    assert capsys.readouterr().out.strip() == scores.read_text().strip()
