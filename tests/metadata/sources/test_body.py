"""The source `body`."""

from __future__ import annotations

from datetime import date
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import ARTICLE, HEADLINE, PARTS, TEXT, metadata, names

from duramen.dom.class_names import COMMENT_HEADING_WORDS, name_words
from duramen.dom.lexbor import UNSURE
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.dom.visibility import find_visible_texts
from duramen.metadata import Metadata
from duramen.metadata.sources import body
from duramen.metadata.sources.body import Body, NodeRanges

ELEMENTS: Final = [
    *("<div class=comments>", "<div id=Related>", "<p class='postMeta author'>", "<p class=Автор>", "<a rel=author>"),
    *("<span class=bYline>", "<i itemprop=author>", "<b data-date=1>", "<div hidden>", "<nav>", "<noscript>", "<h3>"),
    *(
        "<footer>",
        "<article>",
        "</div>",
        "</p>",
        "</nav>",
        "</h3>",
        "text ",
        " ",
        "\n",
        "3 comments",
        "<svg>",
        "</svg>",
    ),
    "<img class=avatar alt=Ann>",
    f"<p class='{'x ' * 160}author'>",
]


@given(st.lists(st.sampled_from(ELEMENTS), max_size=14).map("".join))
def test_flags_follow_words_and_attributes(source: str) -> None:
    tree = Tree.parse(source)
    flagged = body.find_flagged(tree)
    flags_of = dict(zip(flagged.nodes, flagged.flags, strict=True))
    for node in range(tree.body + 1, len(tree)):
        own = tree.attributes[node]
        words = name_words(own.get("class"), own.get("id"))
        expected = body.word_flags(words)
        for name in own:
            expected |= body.attribute_flag(name)
        assert flags_of.get(node, 0) & ~UNSURE == expected
        if "author" in (own.get("rel") or "").lower().split():
            assert flags_of[node] & UNSURE
    assert Body(tree).visible_text_nodes == find_visible_texts(tree)
    plain = Tree(tree.tag, tree.parent, tree.end, tree.text, list(tree.attributes))
    assert body.find_flagged(plain) == flagged


@given(
    st.lists(
        st.sampled_from(["3 ", "Comments", "replies", "myComments", "Kommentare", "é", "re", " ", "-"]), max_size=4
    )
)
def test_a_heading_announces_comments_by_its_words(pieces: list[str]) -> None:
    text = " ".join("".join(pieces).split())
    tree = Tree.parse(f"<h3>{text}</h3>")
    is_said = len(text) <= 30 and not COMMENT_HEADING_WORDS.isdisjoint(name_words(text, None))
    assert body._announces_comments(tree, tree.body + 1) == is_said


@given(st.lists(st.integers(0, 40), max_size=8, unique=True), st.lists(st.integers(0, 45), max_size=20))
def test_drop_contained_keeps_nodes_outside_all_ranges(edges: list[int], nodes: list[int]) -> None:
    edges = sorted(edges[: len(edges) // 2 * 2])
    ranges = NodeRanges(edges[::2], edges[1::2])
    nodes = sorted(nodes)
    assert ranges.drop_contained(nodes) == [node for node in nodes if not ranges.contain(node)]


@given(st.lists(st.sampled_from(PARTS), max_size=16), st.integers(0, 16))
def test_a_restricted_body_gives_the_same_own_nodes(parts: list[str], at: int) -> None:
    tree = Tree.parse("".join([*parts[:at], "<h1>Old oaks</h1>", *parts[at:]]))
    nodes = [node for node in tree.find_all("img") if node > tree.body]
    whole = Body(tree, tree.find_all("h1")[0])
    part = whole.restrict_to(nodes, with_nodes=True)
    for include_side in (True, False):
        assert part.own_nodes(nodes, include_side=include_side) == whole.own_nodes(nodes, include_side=include_side)
    assert set(part.flagged.nodes) <= set(whole.flagged.nodes)


@pytest.mark.parametrize(
    "part",
    [
        "<section id=comments><article><time datetime=2024-05-05>then</time></article></section>",
        '<div class="u-comment h-cite"><a class="p-author h-card">Bob Roe</a><time class=dt-published '
        "datetime=2024-05-05>then</time></div>",
        "<div itemscope itemtype=https://schema.org/Comment><b itemprop=author>Bob Roe</b>"
        "<time itemprop=dateCreated datetime=2024-05-05>then</time></div>",
        "<div itemprop=comment itemscope itemtype=https://schema.org/UserComments><b itemprop=creator>Bob Roe</b>"
        "<time itemprop=commentTime datetime=2024-05-05>5 May 2024</time></div>",
        '<div typeof="sioc:Post sioct:Comment"><i property="dc:date dc:created" content="2024-05-05">then</i>'
        '<b property="dc:creator">Bob Roe</b></div>',
        "<div itemscope itemtype=https://schema.org/Event>"
        "<time itemprop=startDate datetime=2024-05-05>5 May 2024</time></div>",
    ],
    ids=["section", "h-cite", "microdata", "user comments", "rdfa", "event"],
)
def test_date_and_author_of_a_part_are_ignored(part: str) -> None:
    found = metadata(ARTICLE, TEXT + part)
    assert (found.published, names(found)) == (None, [])


@pytest.mark.parametrize("part", ["<nav>{}</nav>", "<aside>{}</aside>", "<div class=sidebar>{}</div>", "<div>{}</div>"])
@pytest.mark.parametrize("include_side", [True, False])
def test_elements_around_a_link_decide_its_part(part: str, include_side: bool) -> None:
    link = "<p><a rel=tag href=/c>cloud</a></p>"
    page = Page.parse(f"<h1>{HEADLINE}</h1>{TEXT}{part.format(link)}<footer>{link}</footer>")
    body = Body(page.tree, page.tree.find_all("h1")[0])
    links = page.tree.find_all("a")
    assert body.restrict_to(links).own_nodes(links, include_side=include_side) == body.own_nodes(
        links, include_side=include_side
    )


@pytest.mark.parametrize(
    "body",
    [
        '<footer class="footer">© 2024-03-05 The Forester</footer>',
        '<div class="comments"><p>By Jane Doe</p><time datetime="2024-03-05">then</time></div>',
        '<div class="related"><p class="byline">Jane Doe</p><time datetime="2024-03-05">then</time></div>',
        "<nav><time datetime='2024-03-05'></time></nav>",
    ],
    ids=["copyright", "comments", "related", "menu"],
)
def test_foreign_parts_give_no_author_or_date(body: str) -> None:
    page = Page.parse(f"<h1>Of oaks and of their slow fall</h1><p>Text of the page.</p>{'<p>More.</p>' * 40}{body}")
    read = Metadata.read(page)
    assert (read.authors, read.published) == ((), None)


@pytest.mark.parametrize("part", ['id="comments"', 'class="related"', 'class="article-comments"'])
def test_long_comments_after_the_text_are_foreign(part: str) -> None:
    post = "<div class=c><b>Jane Doe</b> <span>2024-01-07</span><p>Ours fell in a storm.</p></div>"
    text = f"<p>{'Oaks fall slowly, and then all at once. ' * 4}</p>"
    top = "<h1>Of oaks and of their slow fall</h1>"
    page = f"<article>{top}{text}</article><div {part}>{post * 9}</div>"
    read = Metadata.read(Page.parse(page))
    assert (read.authors, read.published) == ((), None)
    described = '{"@type": "NewsArticle", "datePublished": "2024-03-05"}'
    described = f'<script type="application/ld+json">{described}</script>'
    assert Metadata.read(Page.parse(described + page)).published == date(2024, 3, 5)


def test_text_below_a_comment_heading_is_foreign() -> None:
    post = "<div class=c><b>Jane Doe</b> <span>2024-01-07</span><p>Ours fell in a storm.</p></div>"
    text = f"<p>{'Oaks fall slowly, and then all at once. ' * 4}</p>"
    page = f"<h1>Of oaks and of their slow fall</h1>{text}<h3>3 comments</h3>{post * 3}"
    assert Metadata.read(Page.parse(page)).published is None
    assert Metadata.read(Page.parse(page.replace("comments", "oaks"))).published == date(2024, 1, 7)


def test_a_foreign_class_around_the_only_text_is_ignored() -> None:
    page = "<h1>Of oaks and of their slow fall</h1><div class=comments-open><p>March 5, 2024</p><p>Text.</p></div>"
    assert Metadata.read(Page.parse(page)).published == date(2024, 3, 5)
