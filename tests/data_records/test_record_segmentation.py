"""Splitting the children of an element into records."""

from __future__ import annotations

import pytest
from tests.data_records.pages import (
    ABOUT,
    find_list,
    make_tile,
    record_texts,
)


def test_terms_and_their_descriptions_are_one_record() -> None:
    table = find_list(
        "<dl>" + "".join(f"<dt><a href=/{n}>Chair {n}</a><dd>{ABOUT.format(n=n)}" for n in range(9)) + "</dl>"
    )
    assert len(table) == 9
    assert all(text.startswith("Chair") and text.endswith("years.") for text in record_texts(table))


@pytest.mark.parametrize("repeated", [1, 4])
@pytest.mark.parametrize("term", ["<a href=/{n}>Chair {n}</a>", "Chair {n}"])
def test_a_term_and_its_description_are_one_record_whatever_the_length(term: str, repeated: int) -> None:
    terms = "".join(f"<dt>{term.format(n=n)}<dd>{ABOUT.format(n=n) * repeated}" for n in range(9))
    assert [text[:7] for text in record_texts(find_list(f"<dl>{terms}</dl>"))] == [f"Chair {n}" for n in range(9)]


def test_terms_that_share_a_description_are_one_record() -> None:
    terms = "".join(f"<dt>Chair {n}<dt>Seat {n}<dd>{ABOUT.format(n=n)}<dd>Since 19{n}0." for n in range(9))
    assert len(find_list(f"<dl>{terms}</dl>")) == 9


def test_a_term_above_many_descriptions_is_a_heading() -> None:
    described = "".join(f"<dd><a href=/{n}>Chair {n}</a><p>{ABOUT.format(n=n)}</p></dd>" for n in range(6))
    assert len(find_list(f"<dl><dt>Chairs</dt>{described}<dt>More chairs</dt>{described}</dl>")) == 12


def test_rows_of_a_title_a_summary_and_a_spacer_are_one_record() -> None:
    rows = "".join(
        f"<tr class='head'><td>{n}.</td><td><a href=/{n}>Chair number {n}</a></td></tr>"
        f"<tr><td colspan=2>{ABOUT.format(n=n)}</td></tr><tr class='space'><td></td></tr>"
        for n in range(1, 9)
    )
    table = find_list(f"<table>{rows}</table>")
    assert len(table) == 8
    assert record_texts(table)[2].startswith("3. Chair number 3 A chair")


def test_headings_and_the_paragraphs_under_them_are_one_record() -> None:
    about = [f"<p>{ABOUT.format(n=n)}</p><p>Since 19{n}0.</p>" for n in range(8)]
    parts = "".join(f"<h3><a href=/{n}>Chair {n}</a></h3>{about[n]}" for n in range(8))
    table = find_list(f"<div>{parts}</div>")
    assert len(table) == 8
    assert all("Chair" in text and "Since" in text for text in record_texts(table))


def test_every_other_row_does_not_start_a_run() -> None:
    rows = "".join(f"<div class='row {'odd' if n % 2 else 'even'}'>{make_tile(n, tag='div')}</div>" for n in range(10))
    assert len(find_list(f"<div>{rows}</div>")) == 10


def test_a_short_list_item_is_a_record_of_its_own() -> None:
    rows = [f"<li><h3><a href='/{n}'>Chair {n}</a></h3>{'' if n == 4 else ABOUT.format(n=n)}</li>" for n in range(10)]
    assert all(len(record) == 1 for record in find_list(f"<ol>{''.join(rows)}</ol>").records)


def test_runs_begin_with_the_title_even_if_only_the_next_element_has_a_class() -> None:
    rows = "".join(
        f"<p><b><a href='/{n}'>Chair {n}</a></b> of {['oak', 'ash', 'elm'][n % 3]}</p>"
        f"<p class='excerpt'>{ABOUT.format(n=n)}</p>"
        for n in range(24)
    )
    table = find_list(f"<div><h2>Chairs</h2><p>Some were found.</p>{rows}</div>")
    tree = table.page.tree
    assert len(table) == 24
    assert all(len(record) == 2 and tree.attributes[record[1]] == {"class": "excerpt"} for record in table.records)
