"""Segmentation of comments: data records where they fit the dates, otherwise names and structure."""

from __future__ import annotations

from tests.comments.comment_pages import MOVABLE_TYPE, WORDPRESS, page

from duramen.comments.comment_segmentation import find_record_lists, find_segments
from duramen.comments.container import CommentContainer, find_containers, find_evidence
from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree

ITEMS = "".join(
    f"<div><p><b>{name}</b>, {day} May 2012</p><p>{name} has an oak that is older than the house.</p></div>"
    for day, name in enumerate(("Ann", "Ben", "Cy"), 3)
)


def container_of(comments: str) -> CommentContainer:
    tree = Tree.parse(page(comments))
    return next(find_containers(find_blocks(tree), find_evidence(tree)))


def test_a_list_of_similar_elements_is_segmented_into_records() -> None:
    container = container_of(f"<div id=comments><h3>Three thoughts</h3>{ITEMS}</div>")
    assert find_segments(container) in list(find_record_lists(container, 2))


def test_a_list_below_a_heading_is_segmented_into_records() -> None:
    container = container_of(f"<div><h3>Comments</h3>{ITEMS}</div>")
    assert find_segments(container) in list(find_record_lists(container, 2))


def test_nested_replies_are_not_found_as_records() -> None:
    container = container_of(WORDPRESS)
    assert len(find_segments(container)) == 3
    assert find_segments(container) not in list(find_record_lists(container, 2))


def test_runs_of_siblings_are_divided_by_their_dates() -> None:
    container = container_of(MOVABLE_TYPE)
    assert len(find_segments(container)) == 2
    assert find_segments(container) not in list(find_record_lists(container, 2))


def test_lists_outside_the_container_are_ignored() -> None:
    container = container_of(f"<div id=comments><h3>Three thoughts</h3>{ITEMS}</div><ul>{'<li>An oak.' * 9}</ul>")
    first = container.blocks.start[container.elements[0]]
    stop = container.blocks.stop[container.elements[0]]
    assert all(
        first <= segment.start < segment.stop <= stop
        for segments in find_record_lists(container, 2)
        for segment in segments
    )
