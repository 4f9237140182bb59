"""Tables are compared as trees, and texts by edits, with bounded work."""

from __future__ import annotations

from time import process_time

import pytest

from duramen.evaluation.metrics import edit_similarity as edits
from duramen.evaluation.metrics import table_structure
from duramen.evaluation.metrics.edit_similarity import edit_similarity
from duramen.evaluation.metrics.markdown_parts import Cell, Table
from duramen.evaluation.metrics.table_structure import match_tables, table_similarity, tables_similarity


def make_table(*rows: str) -> Table:
    return tuple(tuple(Cell(cell) for cell in row.split()) for row in rows)


TABLE = make_table("a b c", "d e f", "g h i")  # 13 nodes: the table, 3 rows, 9 cells


@pytest.mark.parametrize(
    ("other", "distance"),
    [
        (TABLE, 0),
        (make_table("a b c", "g h i"), 4),  # a row and its cells
        (make_table("a b c", "d f", "g h i"), 1),
        (make_table("a b c", "d xy f", "g h i"), 1),  # another text
        (make_table("a b c", "d ex f", "g h i"), 0.5),
        (((Cell("a"), Cell("b", 2)), *TABLE[1:]), 2),  # another span, and a cell less
        ((), 12),
    ],
)
def test_the_distance_counts_nodes(other: Table, distance: float) -> None:
    assert table_similarity(TABLE, other) == pytest.approx(1 - distance / 13)
    assert table_similarity(other, TABLE) == pytest.approx(1 - distance / 13)


def test_tables_are_matched_by_similarity() -> None:
    other = make_table("x y", "z w")
    assert match_tables([TABLE, other], [other, TABLE]) == [(0, 1), (1, 0)]
    assert tables_similarity([TABLE, other], [other, TABLE]) == 1
    assert tables_similarity([TABLE], [TABLE, other]) == 0.5
    assert tables_similarity([TABLE], []) == 0
    assert tables_similarity([], []) == 1


def test_many_tables_are_matched_in_their_order() -> None:
    tables = [make_table(str(number)) for number in range(60)]
    assert match_tables(tables, tables[::-1][:55]) == [(i, i) for i in range(55)]


def test_the_bounded_distance_is_near_the_complete_one(monkeypatch: pytest.MonkeyPatch) -> None:
    first = make_table(*(f"{i} {i * 7 % 5} x{i}" for i in range(40)))
    second = (*first[:10], *make_table("new row here"), *first[10:20], *make_table("21 changed x"), *first[22:])
    complete = table_similarity(first, second)
    monkeypatch.setattr(table_structure, "MAX_CELL_PAIRS", 0)
    assert 0.9 < table_similarity(first, second) <= complete < 1


def test_huge_tables_take_bounded_time() -> None:
    first = tuple(tuple(Cell(f"{i * j % 97} text") for j in range(20)) for i in range(6000))
    second = tuple(tuple(Cell(f"{i * j % 89} text") for j in range(20)) for i in range(7000))
    wide = (tuple(Cell(str(i)) for i in range(20_000)),)
    start = process_time()
    assert 0 < table_similarity(first, second) < 1
    assert table_similarity(wide, (wide[0][::-1],)) < 0.5
    assert process_time() - start < 5


def test_edit_similarity() -> None:
    assert edit_similarity("", "") == 1
    assert edit_similarity("abc", "") == 0
    assert edit_similarity("abcd", "abxd") == 0.75
    assert edit_similarity("ab", "abcd") == 0.5


def test_what_is_behind_the_bound_counts_as_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(edits, "MAX_CHARS", 4)
    assert edit_similarity("abcdef", "abcdef") == pytest.approx(4 / 6)
    assert edit_similarity("abcd", "abcdefgh") == 0.5
    assert edit_similarity("abcd", "abcd") == 1
