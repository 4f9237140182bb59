"""Pages made of pages: thinned ones keep what they say, grafted ones are trees with the labels in their places."""

from __future__ import annotations

import random

import pytest

from duramen import language
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.tree import TEXT, Tree
from duramen.methods.auto.page_type import read_facts
from duramen.training.auto import augment
from duramen.training.auto.augment import (
    Branch,
    age,
    clip,
    find_branch,
    find_passage,
    graft,
    list_content_blocks,
    stray,
    thin,
)
from duramen.training.auto.dataset import BlockLabels, label_blocks

PARAGRAPHS = [
    f"Paragraph number {number} tells of the {tree}, at some length."
    for number, tree in enumerate("oak ash elm yew fir birch beech larch alder hazel".split())
]
ARTICLE = (
    "<title>t</title><nav><a href=/>Home</a></nav><div id=in><h1>Trees</h1>"
    + "".join(f"<p>{text.replace('tells', '<b>tells</b>')}</p>" for text in PARAGRAPHS)
    + "</div><footer class=foot>All rights reserved.<p>Imprint</p></footer>"
)
THREAD = (
    "<nav>Forum</nav><ul class=posts>" + "".join(f"<li class=post>Post <i>{n}</i></li>" for n in range(8)) + "</ul>"
)


def read(html: str, gold: str) -> tuple[Tree, Blocks, BlockLabels, list[int]]:
    tree = Tree.parse(html)
    blocks = find_blocks(tree)
    labels = label_blocks(blocks, language.words(gold))
    return tree, blocks, labels, list_content_blocks(blocks, labels)


@pytest.fixture
def article() -> tuple[Tree, Blocks, BlockLabels, list[int]]:
    return read(ARTICLE, "\n".join(PARAGRAPHS))


@pytest.fixture
def posts() -> Branch:
    tree, blocks, _, content = read(THREAD, " ".join(f"Post {n}" for n in range(8)))
    branch = find_branch(tree, blocks, content)
    assert branch is not None
    return branch


def check(tree: Tree) -> None:
    """What is true of every tree."""
    assert {len(each) for each in (tree.tag, tree.parent, tree.end, tree.text, tree.attributes)} == {len(tree)}
    assert tree.parent[0] == -1
    assert tree.end[0] == len(tree)
    for node in range(1, len(tree)):
        parent = tree.parent[node]
        assert 0 <= parent < node < tree.end[node] <= tree.end[parent]
        assert tree.tag[parent] != TEXT
    for node in range(len(tree)):
        children = list(tree.children(node))
        assert [tree.parent[child] for child in children] == [node] * len(children)


def test_labels_are_the_words_that_the_gold_has(article: tuple[Tree, Blocks, BlockLabels, list[int]]) -> None:
    _, blocks, labels, content = article
    assert [blocks.text[block] for block in content] == PARAGRAPHS
    assert labels[blocks.first[0]] == (0, 1)
    assert labels[blocks.first[content[0]]] == (10, 10)


@pytest.mark.parametrize("seed", range(12))
def test_thinning_keeps_the_given_share(article: tuple[Tree, Blocks, BlockLabels, list[int]], seed: int) -> None:
    tree, blocks, _, content = article
    thinned, left = thin(tree, blocks, content, random.Random(seed), max_share=0.5)
    check(thinned)
    assert 2 <= len(left) <= 5
    assert left in (content[: len(left)], content[-len(left) :])
    others = [text for block, text in enumerate(blocks.text) if block not in content]
    texts = find_blocks(thinned).text
    assert [text for text in texts if text in PARAGRAPHS] == [blocks.text[block] for block in left]
    assert [text for text in texts if text not in PARAGRAPHS] == others


def test_thinning_does_not_change_the_page(article: tuple[Tree, Blocks, BlockLabels, list[int]]) -> None:
    tree, blocks, _, content = article
    before = list(tree.text)
    thinned, _ = thin(tree, blocks, content, random.Random(1), max_share=0.5)
    assert tree.text == before != thinned.text


def test_both_ends_are_kept_by_chance(article: tuple[Tree, Blocks, BlockLabels, list[int]]) -> None:
    tree, blocks, _, content = article
    firsts = [thin(tree, blocks, content, random.Random(seed), max_share=0.5)[1][0] == content[0] for seed in range(40)]
    assert 20 < sum(firsts) < 40


@pytest.mark.parametrize("seed", range(20))
def test_clipping_leaves_the_first_words(article: tuple[Tree, Blocks, BlockLabels, list[int]], seed: int) -> None:
    tree, blocks, labels, content = article
    clipped, left, clipped_labels = clip(tree, blocks, content, random.Random(seed), labels)
    check(clipped)
    after = find_blocks(clipped)
    clipped_words = language.words(
        " ".join(text for text, first in zip(after.text, after.first, strict=True) if clipped_labels[first][0])
    )
    assert clipped_words == language.words(" ".join(PARAGRAPHS))[: len(clipped_words)]
    assert augment.MIN_CLIPPED_WORDS <= len(clipped_words) <= augment.MAX_CLIPPED_WORDS
    assert left == content[: len(left)]
    assert [clipped_labels[blocks.first[block]] for block in left[:-1]] == [(10, 10)] * (len(left) - 1)
    assert sum(clipped_labels[blocks.first[block]][0] for block in left) == len(clipped_words)
    assert [text for text in after.text if text in blocks.text[-2:]] == blocks.text[-2:]


def test_some_pages_are_clipped_to_a_line_and_some_to_a_few_paragraphs(
    article: tuple[Tree, Blocks, BlockLabels, list[int]],
) -> None:
    tree, blocks, labels, content = article
    sizes = [len(clip(tree, blocks, content, random.Random(seed), labels)[1]) for seed in range(60)]
    assert min(sizes) == 1
    assert max(sizes) > 6


def test_scripts_without_spaces_are_clipped_too() -> None:
    lines = ["心材是树干中央的部分颜色较深也较干燥不再输送水分" * 3, "边材在外面颜色较浅仍然活着" * 3]
    tree, blocks, labels, content = read("".join(f"<p>{line}</p>" for line in lines), "\n".join(lines))
    for seed in range(10):
        clipped, left, clipped_labels = clip(tree, blocks, content, random.Random(seed), labels)
        text = "".join(find_blocks(clipped).text)
        assert "".join(lines).startswith(text)
        assert len(text) == sum(clipped_labels[blocks.first[block]][1] for block in left) <= augment.MAX_CLIPPED_WORDS


@pytest.mark.parametrize("unseen", ["<script>{}</script>", "<span hidden>{}</span>", "<style>{}</style>"])
def test_invisible_text_is_neither_clipped_nor_counted(unseen: str) -> None:
    inside = unseen.format(" ".join("abcdefghijklmnopqrstuvw") * 3)
    html = "".join(f"<p>Heartwood is {inside} the dead middle of {tree}.</p>" for tree in ("oak", "ash", "elm"))
    gold = " ".join(f"Heartwood is the dead middle of {tree}." for tree in ("oak", "ash", "elm"))
    tree, blocks, labels, content = read(html, gold)
    for seed in range(20):
        clipped, left, clipped_labels = clip(tree, blocks, content, random.Random(seed), labels)
        after = find_blocks(clipped)
        sizes = [language.count_words(text) for text in after.text]
        assert [clipped_labels[first] for first in after.first] == [(size, size) for size in sizes]
        assert len(left) == len(after)
        assert sum(sizes) >= augment.MIN_CLIPPED_WORDS


def test_clipping_does_not_change_the_page(article: tuple[Tree, Blocks, BlockLabels, list[int]]) -> None:
    tree, blocks, labels, content = article
    before = list(tree.text), dict(labels)
    clip(tree, blocks, content, random.Random(1), labels)
    assert (tree.text, labels) == before


def test_a_passage_is_a_long_paragraph() -> None:
    long = "Heartwood is the dead middle of a trunk, " * 4
    tree, blocks, _, content = read(f"<h1>Wood</h1><p>Short.</p><p>{long}</p>", f"Short. {long}")
    passage = find_passage(tree, blocks, content)
    assert passage is not None
    assert tree.tag[passage.node] == "p"
    assert tree.text[passage.node + 1] == long


def test_short_paragraphs_are_no_passage(article: tuple[Tree, Blocks, BlockLabels, list[int]]) -> None:
    tree, blocks, _, content = article
    assert find_passage(tree, blocks, content) is None


def test_the_branch_is_what_holds_the_middle_of_the_content(posts: Branch) -> None:
    assert posts.tree.tag[posts.node] == "ul"


def test_a_whole_page_is_no_branch() -> None:
    tree, blocks, _, content = read("".join(f"<p>{text}</p>" for text in PARAGRAPHS), "\n".join(PARAGRAPHS))
    assert find_branch(tree, blocks, content) is None


def test_a_graft_is_right_after_the_content(
    article: tuple[Tree, Blocks, BlockLabels, list[int]], posts: Branch
) -> None:
    tree, blocks, labels, content = article
    grown, _ = graft(tree, blocks, content, posts, labels)
    check(grown)
    size = posts.tree.end[posts.node] - posts.node
    assert len(grown) == len(tree) + size
    place = grown.tag.index("ul")
    assert grown.attributes[place]["class"] == "posts"
    assert grown.parent[place] == tree.body
    assert grown.attributes[place - 1] == {}
    assert grown.attributes[grown.tag.index("footer")]["class"] == "foot"
    texts = find_blocks(grown).text
    assert texts == [*blocks.text[:12], *(f"Post {n}" for n in range(8)), *blocks.text[12:]]


@pytest.mark.parametrize("seed", range(12))
def test_inserted_text_is_apart_from_the_content(posts: Branch, seed: int) -> None:
    html = (
        "<div id=top><ul><li>Home<li>News</ul></div><div id=story><h1>Trees</h1>"
        + "".join(f"<p>{text}</p>" for text in PARAGRAPHS)
        + "<p>Tags</p></div><p>Beside</p><aside><div>About</div></aside>"
    )
    tree, blocks, labels, content = read(html, "\n".join(PARAGRAPHS))
    grown, moved = stray(tree, blocks, content, posts, labels, random.Random(seed))
    check(grown)
    after = find_blocks(grown)
    assert [text for text in after.text if not text.startswith("Post ")] == blocks.text
    place = after.text.index("Post 0")
    assert after.text[place : place + 8] == [f"Post {n}" for n in range(8)]
    assert after.text[place - 1] in ("News", "About")  # behind the list, not in it
    assert sum(moved[first][0] for first in after.first if first in moved) == 100


def test_nothing_is_inserted_apart_if_all_is_beside_the_content(posts: Branch) -> None:
    html = "<p>Menu</p>" + "".join(f"<p>{text}</p>" for text in PARAGRAPHS) + "<p>Imprint</p>"
    tree, blocks, labels, content = read(html, "\n".join(PARAGRAPHS))
    assert stray(tree, blocks, content, posts, labels, random.Random(1)) == (tree, labels)


def test_a_graft_moves_the_labels(article: tuple[Tree, Blocks, BlockLabels, list[int]], posts: Branch) -> None:
    tree, blocks, labels, content = article
    grown, moved = graft(tree, blocks, content, posts, labels)
    after = find_blocks(grown)
    labels_by_text = {after.text[block]: moved.get(first) for block, first in enumerate(after.first)}
    assert labels_by_text == {
        **{text: labels[first] for text, first in zip(blocks.text, blocks.first, strict=True)},
        **{f"Post {n}": None for n in range(8)},
    }


def test_a_graft_leaves_both_trees_as_they_were(
    article: tuple[Tree, Blocks, BlockLabels, list[int]], posts: Branch
) -> None:
    tree, blocks, labels, content = article
    before = list(tree.end), list(tree.parent), dict(labels), list(posts.tree.end)
    graft(tree, blocks, content, posts, labels)
    assert (tree.end, tree.parent, labels, posts.tree.end) == before


def test_scattered_content_is_grafted_after_its_last_part(posts: Branch) -> None:
    html = "".join(f"<section><p>{text}</p></section>" for text in PARAGRAPHS) + "<footer>end</footer>"
    tree, blocks, labels, content = read(html, "\n".join(PARAGRAPHS))
    grown, _ = graft(tree, blocks, content, posts, labels)
    check(grown)
    place = grown.tag.index("ul")
    assert grown.tag[grown.parent[place]] == "body"
    assert find_blocks(grown).text[9:11] == [PARAGRAPHS[9], "Post 0"]


def test_text_right_in_the_body_takes_no_graft(posts: Branch) -> None:
    tree, blocks, labels, content = read("<br><br>".join(PARAGRAPHS), "\n".join(PARAGRAPHS))
    assert graft(tree, blocks, content, posts, labels) == (tree, labels)


@pytest.mark.parametrize("seed", range(6))
def test_a_thinned_page_can_be_grafted(
    article: tuple[Tree, Blocks, BlockLabels, list[int]], posts: Branch, seed: int
) -> None:
    tree, blocks, labels, content = article
    thinned, left = thin(tree, blocks, content, random.Random(seed), max_share=0.7)
    grown, moved = graft(thinned, blocks, left, posts, labels)
    check(grown)
    after = find_blocks(grown)
    hits = sum(moved[first][0] for first in after.first if first in moved)
    assert hits == sum(labels[blocks.first[block]][0] for block in left)


def test_an_aged_page_has_plain_elements_and_no_roles() -> None:
    tree = Tree.parse("<main role=main class=wide><article itemprop=articleBody><p id=lead>One</p></article></main>")
    aged = age(tree)
    assert aged.tag[-5:] == ["body", "div", "div", "p", TEXT]
    assert [dict(own) for own in aged.attributes[-4:]] == [{"class": "wide"}, {}, {"id": "lead"}, {}]
    assert aged.text == tree.text
    assert "main" in tree.tag


def test_an_aged_page_does_not_declare_its_type() -> None:
    kind = "<meta property=og:type content=product><meta name=author content=A>"
    tree = Tree.parse(f'{kind}<script type=application/ld+json>{{"@type":"Product"}}</script><p>Text')
    assert any(read_facts(tree, 0, None))
    assert not any(read_facts(age(tree), 0, None))
    assert [own.get("name") for own in age(tree).attributes if own] == [None, "author"]


def test_hidden_elements_stay_hidden_on_an_aged_page() -> None:
    menu = "<nav><button aria-controls=m>Menu</button><div id=m hidden>menu</div></nav>"
    tree = Tree.parse(f"{menu}<p>Text</p><div role=tabpanel hidden>tab</div>")
    assert [tree.text[node + 1] for node in age(tree).hidden] == ["menu"]
