"""The longest cell or div."""

from __future__ import annotations

from collections.abc import Callable

import duramen

Kept = Callable[..., list[str]]


def test_the_cell_with_the_most_characters(kept: Kept) -> None:
    html = "<table><tr><td>short</td><td>a much longer cell</td></tr></table>"
    assert kept("longest-cell", html) == ["a much longer cell"]


def test_divs_compete_with_cells(kept: Kept) -> None:
    assert kept("longest-cell", "<table><td>short</td></table><div>a much longer div</div>") == ["a much longer div"]


def test_the_text_of_all_descendants_counts(kept: Kept) -> None:
    assert kept("longest-cell", "<div>a<div>bb</div></div><p>cccccc</p>") == ["a", "bb"]


def test_the_innermost_of_equal_elements_is_taken() -> None:
    assert duramen.extract("<div><div id=in>text</div></div>", method="longest-cell").xpath == (
        "/html[1]/body[1]/div[1]/div[1]"
    )


def test_without_cells_the_body_is_the_cell(kept: Kept) -> None:
    assert kept("longest-cell", "<p>a</p><p>b</p>") == ["a", "b"]


def test_characters_of_scripts_do_not_count(kept: Kept) -> None:
    assert kept("longest-cell", "<div><script>var long = 1234567890</script></div><div>text</div>") == ["text"]
