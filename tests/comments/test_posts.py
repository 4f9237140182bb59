"""Posts of threads are found in all kinds of markup, each with author, date and text; articles have none."""

from __future__ import annotations

import pytest
from tests.comments.comment_pages import ARTICLE, WORDPRESS
from tests.comments.comment_pages import page as blog_page
from tests.comments.post_pages import (
    AUTHORS,
    DATES,
    DISCOURSE,
    EMPTY_TIMES,
    PHPBB,
    STACK_EXCHANGE,
    TEXTS,
    THREADS,
    XENFORO,
    page,
)
from tests.hostile.work import count_lines

from duramen.comments.posts import Post, find_posts
from duramen.dom.tree import TEXT, Tree
from duramen.output import write_texts


def keep(tree: Tree, *texts: str) -> list[range]:
    """The text nodes that begin like one of the texts, as a method would keep them."""
    return [
        range(node, node + 1)
        for node, tag in enumerate(tree.tag)
        if tag == TEXT and any(tree.text[node].strip().startswith(text[:40]) for text in texts)
    ]


def find(html: str, url: str = "", texts: tuple[str, ...] = TEXTS) -> tuple[list[Post], list[str]]:
    tree = Tree.parse(html)
    posts = find_posts(tree, keep(tree, *texts), url)
    return posts, write_texts(tree, [post.spans for post in posts])


@pytest.mark.parametrize("name", THREADS)
def test_author_and_text_are_found_in_every_kind_of_markup(name: str) -> None:
    posts, texts = find(THREADS[name])
    assert [post.author for post in posts] == list(AUTHORS)
    assert [text.splitlines()[0] for text in texts] == list(TEXTS)


@pytest.mark.parametrize("name", THREADS)
def test_dates_are_kept_as_shown(name: str) -> None:
    posts, _ = find(THREADS[name])
    assert posts[0].stamp == DATES[name]


def test_dates_for_machines_are_read() -> None:
    assert find(DISCOURSE)[0][0].machine_date == "2020-05-03T10:22:41Z"
    assert find(EMPTY_TIMES)[0][3].machine_date == "2011-05-06T09:00:00Z"


def test_the_day_of_joining_is_no_posting_date() -> None:
    posts, texts = find(PHPBB)
    assert [post.stamp for post in posts] == [f"May 0{day}, 2014 7:0{day - 2} pm" for day in range(3, 7)]
    assert not any("Joined" in text or "Plant more" in text for text in texts)


def test_a_mention_of_another_user_stays_in_the_text() -> None:
    _, texts = find(XENFORO, texts=(*TEXTS, "I asked", "Dora", "about it"))
    assert all(text.endswith("I asked Dora about it, and she agrees.") for text in texts)


def test_a_question_is_the_first_post_with_its_author_and_not_its_editor() -> None:
    posts, texts = find(STACK_EXCHANGE)
    assert [(post.author, post.stamp) for post in posts] == [
        ("ann_alder", "May 3, 2016 at 11:18"),
        ("Ben Birch", "May 4, 2016 at 12:00"),
        ("cy_cedar", "May 5, 2016 at 12:00"),
    ]
    assert texts[1:] == [TEXTS[1], TEXTS[2]]


def test_nested_replies_do_not_hold_each_other() -> None:
    posts, _ = find(THREADS["Reddit"])
    nodes = [node for post in posts for span in post.all_spans for node in span]
    assert len(nodes) == len(set(nodes))


def test_text_that_the_method_lost_in_one_post_is_found_again() -> None:
    tree = Tree.parse(PHPBB)
    posts = find_posts(tree, keep(tree, TEXTS[0], TEXTS[1], TEXTS[3]))
    assert write_texts(tree, [post.spans for post in posts]) == list(TEXTS)


def test_a_line_of_a_profile_that_the_method_kept_in_one_post_is_no_text() -> None:
    tree = Tree.parse(PHPBB)
    joined = next(node for node, text in enumerate(tree.text) if "Joined" in text)
    spans = sorted([*keep(tree, *TEXTS), range(joined, joined + 2)], key=lambda span: span.start)
    posts = find_posts(tree, spans)
    assert write_texts(tree, [post.spans for post in posts]) == list(TEXTS)


def test_images_between_the_lines_of_a_post_are_in_its_spans() -> None:
    tree = Tree.parse(PHPBB.replace("? What", "?").replace(" I water it", "<br><img src=oak.png><br>I water it"))
    image = tree.find_all("img")[0]
    posts = find_posts(tree, keep(tree, *TEXTS, "I water it"))
    assert any(image in span for span in posts[0].spans)


def test_an_article_with_comments_has_no_posts() -> None:
    tree = Tree.parse(blog_page(WORDPRESS))
    words = ("Paragraph", "I have an oak", "It is older", "How old", "Oaks are")
    assert find_posts(tree, keep(tree, *words), "https://blog.example/oak") == []


def test_a_page_that_declares_a_thread_may_have_a_long_opening_post() -> None:
    tree = Tree.parse(blog_page(WORDPRESS).replace("<h1>", "<p>By Dora, 3 May 2012</p><h1>"))
    spans = keep(tree, "Paragraph", "I have an oak", "It is older", "How old", "Oaks are")
    posts = find_posts(tree, spans, "https://trees.example/forum/viewtopic.php?t=7")
    assert [post.author for post in posts][1:] == ["Ann Alder", "Ben", "Cy"]


@pytest.mark.parametrize("html", ["", "<p>Oak", page(ARTICLE), page("<p>3 May 2012</p>" * 9)])
def test_pages_without_posts_give_none(html: str) -> None:
    tree = Tree.parse(html)
    assert find_posts(tree, [range(len(tree))]) == []
    assert find_posts(tree, []) == []


@pytest.mark.parametrize(
    "part",
    [
        '<div class=post><a href=/u/a>Ann</a> <time datetime="2020-01-01">3 May 2012</time><p>Oaks are old.</p>',
        "<tr><td>Ann, 3 May 2012<tr><td>Oaks are old.",
        '<div class=post><time datetime="x"></time>Oaks are old.</div>',
        "<li><b>1/1/1/1/1/1</b> edited by Ann 3 May 2012",
    ],
)
def test_work_grows_with_the_length_of_the_page(part: str) -> None:
    def measure(count: int) -> int:
        tree = Tree.parse("<table>" * part.startswith("<tr") + part * count)
        spans = [range(tree.body, len(tree))]
        return count_lines(lambda: find_posts(tree, spans))

    measure(10)  # what is cached between pages is so for both
    assert measure(800) < 6 * measure(200) + 2_000
