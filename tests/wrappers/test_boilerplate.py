"""Blocks of text in a region."""

from __future__ import annotations

from tests.hostile.work import count_lines

from duramen.dom.tree import Tree
from duramen.wrappers.boilerplate import Boilerplate, count_blocks, find_text_blocks
from duramen.wrappers.tag_paths import BoxPaths


def test_a_block_is_the_text_of_one_paragraph_with_its_linked_words() -> None:
    tree = Tree.parse("<p>An <b>old</b> <a href=/o>oak</a></p><li><a href=/e>elm trees</a>")
    first, second = find_text_blocks(tree)
    assert (first.text, first.words, first.linked_words, first.is_mostly_links) == ("an old oak", 3, 1, False)
    assert (second.text, second.is_mostly_links) == ("elm trees", True)


def test_the_words_of_long_blocks_without_links_are_not_read() -> None:
    tree = Tree.parse("<p>A long paragraph about an oak</p><p>Short</p>")
    assert [block.text for block in find_text_blocks(tree, max_chars=10)] == ["", "short"]


def test_the_blocks_of_a_region_begin_and_end_inside_it() -> None:
    tree = Tree.parse("<p>Before <span>an oak <b>and</b> an elm</span> after</p><p>Next</p>")
    region = tree.tag.index("span")
    (block,) = find_text_blocks(tree, region)
    assert region <= block.first < block.last < tree.end[region]


def test_marks_without_a_word_and_hidden_text_are_no_blocks() -> None:
    tree = Tree.parse("<p>|</p><p hidden>Hidden</p><p>Oak</p>")
    assert [block.text for block in find_text_blocks(tree)] == ["oak"]


def test_a_block_counts_once_for_a_path_that_several_elements_around_it_have() -> None:
    tree = Tree.parse("<main><div class=a><div class=a><p>one two</p></div><p>three four</p></div><p>five</p></main>")
    region = tree.find_all("main")[0]
    blocks = find_text_blocks(tree, region)
    counted = count_blocks([(tree, region, blocks)], [blocks])
    assert {path: (counts.blocks, counts.words) for path, counts in counted.paths.items()} == {
        "div.a": (2, 4),
        "div.a/p": (2, 4),
        "/p": (1, 1),
    }


def test_blocks_below_hundreds_of_levels_are_counted_in_one_pass() -> None:
    def count(levels: int) -> int:
        tree = Tree.parse("<main>" + "<div>" * levels + "<p>oak wood</p>" * 300)
        region = tree.find_all("main")[0]
        blocks = find_text_blocks(tree, region)
        return count_lines(lambda: count_blocks([(tree, region, blocks)], [blocks]))

    assert count(400) < count(10) + 400 * 100  # with a walk from each block it is 120,000 more


def test_a_text_in_several_regions_of_a_page_stands_on_one_page() -> None:
    trees = [Tree.parse(f"<main><p>Add to cart</p><p>{name}</p></main>" * 3) for name in ("oak", "elm")]
    regions = [(tree, region, find_text_blocks(tree, region)) for tree in trees for region in tree.find_all("main")]
    counted = count_blocks(regions, [find_text_blocks(tree) for tree in trees])
    assert counted.pages == 2
    assert counted.texts == {"add to cart": (2, 0)}  # on no page once


def test_counts_of_a_file_that_cannot_be_are_no_error() -> None:
    tree = Tree.parse("<main><p>Add to cart</p></main>")
    region = tree.find_all("main")[0]
    blocks = find_text_blocks(tree, region)
    counted = Boilerplate(5, {}, {"add to cart": (30, 30)})
    assert counted.find_boilerplate(blocks, BoxPaths(tree, region)) == blocks
