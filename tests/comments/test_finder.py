"""Comments are found in all kinds of markup, and nothing else is taken for one."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.comments.comment_pages import ARTICLE, MICRODATA, MOVABLE_TYPE, SHAPES, WORDPRESS, page

from duramen.comments import Comment, find_comments
from duramen.dom.tree import Tree


def find(html: str) -> list[Comment]:
    return find_comments(Tree.parse(html))


@pytest.mark.parametrize("name", SHAPES)
def test_author_and_text_are_found_in_every_kind_of_markup(name: str) -> None:
    found = find(page(SHAPES[name], "de" if name == "German" else "en"))
    assert found[0].author == "Ann Alder"
    assert found[-1].author in ("Anonymous", "Ben", "Cy")
    expected = ("Ich habe auch eine Eiche.", "Eichen werden überschätzt.")
    if name != "German":
        expected = ("I have an oak, too.", "Oaks are overrated.")
    assert expected[0] in found[0].text
    assert found[-1].text == expected[1]
    assert all(comment.stamp for comment in found)


def test_dates_are_kept_as_shown_and_parsed() -> None:
    found = find(page(WORDPRESS))
    assert found[0].stamp == "November 12, 2012 at 10:31 am"
    assert str(found[0].date) == "2012-11-12"


def test_a_machine_readable_date_has_priority() -> None:
    found = find(page(MICRODATA))
    assert found[0].stamp == "two days ago"
    assert found[0].date is not None
    assert found[0].date.isoformat() == "2024-05-03T10:00:00+02:00"


def test_a_relative_date_is_kept_and_not_parsed() -> None:
    html = "<div id=comments><div class=comment><b class=author>Ann</b> <i>3 hours ago</i><p>I say so.</p></div></div>"
    (found,) = find(page(html))
    assert (found.stamp, found.date) == ("3 hours ago", None)


def test_a_date_that_is_only_machine_readable_is_parsed() -> None:
    def said(day: int, text: str) -> str:
        silent = f"<time itemprop=dateCreated datetime='2024-05-0{day}'></time>"
        return f"<li class=comment><b class=author>Ann {'A' * day}</b>{silent}<p>{text}</p>"

    nested = f"{said(1, 'I have an oak, too.')}<ul>{said(2, 'How old is it?')}</ul>{said(3, 'As old as the house.')}"
    found = find(page(f"<div id=comments><ul>{nested}</ul></div>"))
    assert [str(comment.date) for comment in found] == ["2024-05-01", "2024-05-02", "2024-05-03"]


def test_dates_in_the_future_are_ignored() -> None:
    said = "<b class=author>Ann</b> <i>2199-01-07</i><p>I say so.</p>"
    (found,) = find(page(f"<div id=comments><div class=comment>{said}</div></div>"))
    assert (found.stamp, found.date) == ("2199-01-07", None)


def test_replies_have_their_parent() -> None:
    found = find(page(WORDPRESS))
    assert [(comment.author, comment.depth, comment.parent) for comment in found] == [
        ("Ann Alder", 0, None),
        ("Ben", 1, 0),
        ("Cy", 0, None),
    ]


def test_a_class_can_give_the_depth() -> None:
    items = "".join(
        f"<div class='comment depth-{depth}'><b class=author>{name}</b> <i>3 May 2012</i><p>{name} says so.</p></div>"
        for name, depth in (("Ann", 1), ("Ben", 2), ("Cy", 3), ("Dee", 2), ("Eve", 1))
    )
    found = find(page(f"<div id=comments>{items}</div>"))
    assert [(comment.depth, comment.parent) for comment in found] == [(0, None), (1, 0), (2, 1), (1, 0), (0, None)]


def test_lists_in_a_comment_keep_their_signs_and_its_own_item_does_not() -> None:
    html = (
        "<ol class=commentlist><li class=comment><cite>Ann</cite> <i>3 May 2012</i><p>Two:<ul><li>oak<li>elm</ul></ol>"
    )
    (found,) = find(page(html))
    assert found.text == "Two:\n- oak\n- elm"


def test_buttons_badges_and_the_form_are_not_text() -> None:
    text = " ".join(comment.text for comment in find(page(WORDPRESS)))
    assert "Reply" not in text
    assert "says" not in text
    assert "email" not in text


def test_a_line_under_every_comment_is_not_text() -> None:
    items = "".join(
        f"<li class=comment><b class=author>{name}</b><i>3 May 2012</i><p>{name} it is.</p>"
        "<p>Was this of help?</p></li>"
        for name in ("Ann", "Ben", "Cy")
    )
    found = find(page(f"<ul id=comments>{items}</ul>"))
    assert [comment.text for comment in found] == ["Ann it is.", "Ben it is.", "Cy it is."]


def test_numbers_do_not_make_a_repeated_line_different() -> None:
    items = "".join(
        f"<li class=comment><b class=author>{name}</b><i>{votes} May 2012</i><p>{name} it is.</p>"
        f"<p>Votes so far: {votes} for, {2 * votes} against</p></li>"
        for votes, name in enumerate(("Ann", "Ben", "Cy"), 3)
    )
    found = find(page(f"<ul id=comments>{items}</ul>"))
    assert [(comment.stamp, comment.text) for comment in found] == [
        ("3 May 2012", "Ann it is."),
        ("4 May 2012", "Ben it is."),
        ("5 May 2012", "Cy it is."),
    ]


@pytest.mark.parametrize("at", [0, 4])
def test_a_legend_beside_dated_comments_is_no_comment(at: int) -> None:
    items = [
        f"<li class=comment><b class=author>{name}</b> <i>3 May 2012</i><p>{name} it is.</p></li>"
        for name in ("Ann", "Ben", "Cy", "Dee")
    ]
    items.insert(at, "<li class=comment><b class=author>Staff</b><p>What the signs mean.</p></li>")
    found = find(page(f"<ul id=comments>{''.join(items)}</ul>"))
    assert [comment.author for comment in found] == ["Ann", "Ben", "Cy", "Dee"]


def test_a_day_of_the_week_is_not_an_author() -> None:
    html = (
        "<div class=comment><p>Ann</p><p>I say so, and so it is.</p><p>Thursday, January 12, 2012 at 8:57 AM</p></div>"
    )
    (found,) = find(page(f"<div id=comments>{html}</div>"))
    assert found.author == "Ann"


def test_a_date_is_found_after_long_indentation() -> None:
    html = f"<div class=comment><b class=author>Ann</b> <p>{' ' * 200}2mo{' ' * 200}</p><p>I say so.</p></div>"
    (found,) = find(page(f"<div id=comments>{html}</div>"))
    assert found.stamp == "2mo"


def test_a_comment_shown_in_two_tabs_is_one_comment() -> None:
    item = "<li class=comment><b class=author>Ann</b> <i>3 May 2012</i><p>I say so.</p></li>"
    assert len(find(page(f"<ul class=commentlist>{item}</ul><ul class=commentlist>{item}</ul>"))) == 1


def test_a_single_comment_is_found() -> None:
    html = "<div id=comments><ul><li id=comment-7><cite>Ann</cite> <i>3 May 2012</i><p>So be it.</p></ul></div>"
    assert [comment.text for comment in find(page(html))] == ["So be it."]


def test_comments_without_names_are_found_after_their_heading() -> None:
    found = find(page(MOVABLE_TYPE))
    assert [(comment.author, comment.stamp) for comment in found] == [
        ("Ann Alder", "October 28, 2012 02:30 PM"),
        ("Ben", "October 28, 2012 04:59 PM"),
    ]


def test_the_nodes_of_a_comment_are_in_order_and_in_the_tree() -> None:
    tree = Tree.parse(page(WORDPRESS))
    for comment in find_comments(tree):
        assert tree.tag[comment.node] == "li"
        nodes = [node for span in comment.all_spans for node in span]
        assert nodes == sorted(set(nodes))
        assert {node for span in comment.spans for node in span} <= set(nodes)


COMMENT = "<b class=author>Ann</b> <i>3 May 2012</i><p>I say so.</p>"
NONE = {
    "no comments": "",
    "a form": f"<div id=comments><form id=commentform>{COMMENT}<textarea></textarea></form></div>",
    "a number": "<span class=comment-count>3 comments</span>",
    "closed": "<div id=comments><p class=nocomments>Comments were closed on 3 May 2012.</p></div>",
    "recent comments": f"<div class=widget_recent_comments><ul><li class=comment>{COMMENT}</ul></div>",
    "pingbacks": f"<div id=comments><ol><li class='pingback comment'>{COMMENT}</ol></div>",
    "a trackback": "<div class=comment><b class=author>A blog</b> 3 May 2012<p>[...] oaks [...]</div>",
    "a login": "<div class=article-comments><form class=comment><b class=author>New?</b><p>Join us.</form></div>",
    "a byline": "<div class=bylineComments><p>By Ann</p><p>7:09AM GMT 15 Dec 2011</p></div>",
    "videos": "<div class=comments><ul><li>4:14 <a href=/1>Elms fall</a><li>2:52 <a href=/2>Elms rise</a></ul></div>",
    "commentary": f"<div class=commentary>{COMMENT}</div>",
    "a plea": "<div id=comments><div class=comment><h4>Share</h4><p>Need help with your oak?</p></div></div>",
    "hot comments": "<h3>Hot comments</h3><ul>"
    + "".join(
        f"<li><a href=/{i}><b>Paper {i}</b> <i>{i} hours ago</i><p>Oak {i} falls in a storm</p></a>" for i in (1, 2, 3)
    )
    + "</ul>",
    "a directory": "<div class=comments>"
    + "".join(
        f"<div class=entry><p><a href=/{i}>Oaks of {i}</a><p>{i} May 2012<p>Ann Alder, forester</div>"
        for i in (1, 2, 3)
    )
    + "</div>",
    "teasers": "<h2>More</h2><ul><li><a href=/1>Elms</a> 3 May 2012<p>On elms.<li><a href=/2>Ash</a> 4 May 2012</ul>",
}


@pytest.mark.parametrize("html", NONE.values(), ids=NONE.keys())
def test_pages_without_comments_have_none(html: str) -> None:
    assert find(page(html)) == []


def test_an_article_in_an_element_called_comments_is_no_comment() -> None:
    assert find(f"<div class=comments-open>{ARTICLE}<p class=byline>By Ann, 3 May 2012</p></div>") == []


POSTS = "".join(
    f"<div class=post><b class=author>{name}</b> <i>3 May 2012</i><p>{name} says this and that of oaks.</p></div>"
    for name in ("Ann", "Ben", "Cy")
)


def test_posts_of_a_declared_thread_are_no_comments() -> None:
    html = "<div itemscope itemtype=https://schema.org/DiscussionForumPosting><h1>Oaks?</h1>{}</div>".format(
        POSTS.replace("class=post", "class=post itemprop=comment")
    )
    assert find(html) == []


def test_posts_in_an_element_called_forum_are_no_comments() -> None:
    posts = POSTS.replace("class=post", "class=comment")
    assert find(page(f"<div class=forum-thread>{posts}</div>")) == []
    assert len(find(page(f"<div class=blog-thread>{posts}</div>"))) == 3


def test_replies_with_the_markup_of_the_opening_post_are_no_comments() -> None:
    opening, *replies = POSTS.replace("</div>", "</div>|").split("|")[:3]
    html = f"<h1>Oaks?</h1>{opening}<div id=comments>{''.join(replies)}</div>"
    assert find(html) == []


@pytest.mark.parametrize(
    "address",
    [
        "https://forum.example.org/1",
        "http://oakforums.example/x",
        "https://a.example/viewtopic.php?t=1",
        "//b.example/Thread/9",
    ],
)
def test_posts_at_a_forum_url_are_no_comments(address: str) -> None:
    assert find_comments(Tree.parse(page(WORDPRESS)), url=address) == []


@pytest.mark.parametrize("address", ["", "https://blog.example.org/forums-are-dead", "http://[oak", "oak.html"])
def test_other_urls_do_not_matter(address: str) -> None:
    assert len(find_comments(Tree.parse(page(WORDPRESS)), url=address)) == 3


def test_posts_that_a_method_kept_on_a_forum_page_are_no_comments() -> None:
    tree = Tree.parse(f"<h1>Oaks?</h1><div class=comments>{POSTS}</div>")
    assert len(find_comments(tree)) == 3
    assert find_comments(tree, posts=[range(len(tree))]) == []


def test_results_do_not_depend_on_the_order_of_sets() -> None:
    items = f"<div class='d a'>{COMMENT}</div><div class=b><b class=author>Ben</b> <p>I say no.</p></div>"
    html = page(f"<div id=comments>{items}</div>")
    code = (
        f"from duramen.comments import *; from duramen.dom.tree import Tree; print(find_comments(Tree.parse({html!r})))"
    )
    shown = {
        subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in "123"
    }
    assert len(shown) == 1


def test_a_pickled_tree_gives_the_same_comments() -> None:
    tree = Tree.parse(page(WORDPRESS))
    assert find_comments(pickle.loads(pickle.dumps(tree))) == find_comments(tree)


HOSTILE = {
    "empty": "",
    "deep": "<div class=comment>3 May 2012 " * 100_000 + "text",
    "wide": "<div id=comments>" + "<p class=comment>3 May 2012 <b>Ann</b> said" * 20_000,
    "headings": "<h2>Comments</h2>3 May 2012" * 5_000,
    "pieces": "<div class=comment>3 May 2012" + "<b>a</b> c " * 50_000,
    "surrogate": "<div class=comment><b class=author>half \ud83c</b> 3 May 2012<p>a pair \ud83c here</div>",
    "long name": f"<div class='{'comment-' * 20_000}'>3 May 2012<p>text</div>",
}


@pytest.mark.parametrize("html", HOSTILE.values(), ids=HOSTILE.keys())
def test_every_page_gives_a_list(html: str) -> None:
    for comment in find(html):
        assert comment.text


soup = st.lists(
    st.sampled_from(["<div class=comment>", "</div>", "<li id=comment-1>", "<dl id=comments>", "<dt>", "<dd>", "</dl>"])
    | st.sampled_from(
        ["<b class=author>Ann</b>", "3 May 2012 ", "words and more ", "<p>", "<h2>Comments</h2>", "<time>"]
    )
    | st.sampled_from(["<form><textarea>", "</form>", "<a href=x>link</a>", "<ul class=children>", "</ul>", "汉字，"]),
    max_size=50,
)


@settings(max_examples=150)
@given(parts=soup)
def test_comments_of_tag_soup_are_in_order_and_have_valid_parents(parts: list[str]) -> None:
    found = find("".join(parts))
    for index, comment in enumerate(found):
        assert comment.text
        assert comment.author or comment.stamp
        if comment.parent is None:
            assert comment.depth == 0
        else:
            assert comment.parent < index
            assert comment.depth == found[comment.parent].depth + 1


def test_a_single_comment_must_have_a_date() -> None:
    def under(*comments: str) -> str:
        each = (f"<div class=comment><cite class=author>Ann Alder</cite>{said}</div>" for said in comments)
        return page(f"<div class=comments>{''.join(each)}</div>")

    said, date = "<p class=body>I have an oak, too.</p>", "<span class=date>November 12, 2012 at 10:31 am</span>"
    assert find(under(said)) == []
    assert len(find(under(date + said))) == 1
    assert len(find(under(said, "<p class=body>Oaks are overrated.</p>"))) == 2
