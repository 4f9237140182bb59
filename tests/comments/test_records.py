"""The record methods part the list of comments where they stand; names and structure do elsewhere."""

from __future__ import annotations

from tests.comments.comment_pages import MOVABLE_TYPE, WORDPRESS, page

from duramen.comments.place import Place, find_places
from duramen.comments.records import record_lists
from duramen.comments.signs import find_signs
from duramen.comments.units import find_units
from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree

ITEMS = "".join(
    f"<div><p><b>{name}</b>, {day} May 2012</p><p>{name} has an oak that is older than the house.</p></div>"
    for day, name in enumerate(("Ann", "Ben", "Cy"), 3)
)


def place_of(comments: str) -> Place:
    tree = Tree.parse(page(comments))
    return next(find_places(find_blocks(tree), find_signs(tree)))


def test_a_list_of_like_elements_is_parted_by_the_record_methods() -> None:
    place = place_of(f"<div id=comments><h3>Three thoughts</h3>{ITEMS}</div>")
    assert find_units(place) in list(record_lists(place, 2))


def test_a_list_that_a_heading_announces_is_parted_so_too() -> None:
    place = place_of(f"<div><h3>Comments</h3>{ITEMS}</div>")
    assert find_units(place) in list(record_lists(place, 2))


def test_replies_inside_comments_are_beyond_them() -> None:
    place = place_of(WORDPRESS)
    assert len(find_units(place)) == 3
    assert find_units(place) not in list(record_lists(place, 2))


def test_records_that_are_runs_of_siblings_are_parted_by_their_dates() -> None:
    place = place_of(MOVABLE_TYPE)
    assert len(find_units(place)) == 2
    assert find_units(place) not in list(record_lists(place, 2))


def test_lists_outside_the_place_are_not_looked_at() -> None:
    place = place_of(f"<div id=comments><h3>Three thoughts</h3>{ITEMS}</div><ul>{'<li>An oak.' * 9}</ul>")
    first = place.blocks.start[place.inside[0]]
    stop = place.blocks.stop[place.inside[0]]
    assert all(first <= unit.start < unit.stop <= stop for units in record_lists(place, 2) for unit in units)
