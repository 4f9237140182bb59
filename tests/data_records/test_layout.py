"""Features from the boxes of a rendered page."""

from __future__ import annotations

from tests.data_records.pages import (
    ABOUT,
    make_article,
    make_page,
    make_tile,
)

from duramen.data_records.regions import find_regions, is_main
from duramen.dom.tree import TEXT, Box, Tree


def test_a_list_without_boxes_loses_to_a_list_on_the_screen() -> None:
    hidden = "".join(f"<p><a href=/{n}>Chair {n}</a><br>{ABOUT.format(n=n) * 2}</p>" for n in range(9))
    html = make_page(
        f"<div id='drawer'>{hidden}</div><h2>Chairs</h2><ul id='shown'>{''.join(map(make_tile, range(9)))}</ul>"
    )
    tree = Tree.parse(html)

    def first() -> str | None:
        return tree.attributes[find_regions(tree, 1)[0].node].get("id")

    assert first() == "drawer"
    drawer = next(node for node in range(len(tree)) if tree.attributes[node].get("id") == "drawer")
    box: Box = (0.0, 0.0, 1000.0, 50.0)
    tree.box = [
        None if tree.tag[node] == TEXT or drawer <= node < tree.end[drawer] else box for node in range(len(tree))
    ]
    assert first() == "shown"


def set_boxes(tree: Tree, tops: list[int], height: float) -> None:
    """Give every element the box of a line, except the tops, and the body, which is 10,000 high."""
    line: Box = (0.0, 0.0, 1000.0, 20.0)
    tree.box = [None if tag == TEXT else line for tag in tree.tag]
    for top in tops:
        tree.box[top] = (0.0, 0.0, 1000.0, height)
    tree.box[tree.body] = (0.0, 0.0, 1000.0, 10_000.0)


def test_a_list_of_large_images_is_the_main_list_by_its_area() -> None:
    tiles = "".join(f"<li><a href='/{n}'><img src='/{n}.png'>Chair {n}</a></li>" for n in range(8))
    tree = Tree.parse(make_page(f"<ul>{tiles}</ul><div>{'About the shop and its chairs. ' * 80}</div>"))
    best = find_regions(tree, 1)[0]
    assert not is_main(best)
    set_boxes(tree, [record[0] for record in best.refine().records], 1000.0)
    assert is_main(find_regions(tree, 1)[0])


def test_a_list_that_covers_little_area_has_a_lower_confidence() -> None:
    tree = Tree.parse(make_article())
    before = find_regions(tree, 1)[0]
    set_boxes(tree, [record[0] for record in before.refine().records], 40.0)
    assert find_regions(tree, 1)[0].confidence < before.confidence
