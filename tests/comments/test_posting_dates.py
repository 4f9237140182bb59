"""Posting dates and dates that a comment mentions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations

import pytest
from tests.comments.comment_pages import page

from duramen.comments import Comment, find_comments
from duramen.dom.tree import Tree

AUTHORS = ("Ann Alder", "Ben Birch", "Cy Cedar")
DAYS = ("2024-05-04", "2024-05-05", "2024-05-06")
SHOWN = ("May 4, 2024 at 9:00 am", "May 5, 2024 at 10:30 am", "May 6, 2024 at 8:15 pm")
OTHERS = ("It does, and for the same reason.", "Ours lost all of them in the first storm.")
SPOKEN = (
    "I played under it as a child many years ago.",
    "I planted it on 3 May 2011.",
    "Seen it 5 years ago and loved it.",
    "Vor 5 Jahren stand hier noch eine.",
    "Wir haben sie vor 5 Jahren gesehen.",
    "Я видел его 5 лет назад.",
    "Il y a 5 ans, elle était plus petite.",
    "Je l'ai vu il y a 5 ans.",
    "Il y a un chêne dans notre jardin.",
    "5年前に見ました。",
    "我5年前见过它。",
    "We met there at 10:30 am every day",
)
Texts = Sequence[str]


def wordpress(texts: Texts, *, article: bool, nested: bool, mark: str = "time") -> str:
    """The list of a WordPress theme: with HTML5 (an `<article>` each) or without, and replies in `ul.children`."""

    def item(at: int, replies: str = "") -> str:
        date = {
            "time": f'<time datetime="{DAYS[at]}T09:00:00+00:00">{SHOWN[at]}</time>',
            "class": f'<span class="comment-date">{SHOWN[at]}</span>',
            "nothing": SHOWN[at],
        }[mark]
        depth = 2 if nested and at == 1 else 1
        said = (
            f'<div class="comment-author vcard"><b class="fn">{AUTHORS[at]}</b> <span class="says">says:</span></div>'
            f'<div class="comment-metadata"><a href="#comment-{at}">{date}</a></div>'
            f'<div class="comment-content"><p>{texts[at]}</p></div>'
            '<div class="reply"><a class="comment-reply-link" href="#">Reply</a></div>'
        )
        if article:
            said = f'<article id="div-comment-{at}" class="comment-body">{said}</article>'
        return f'<li id="comment-{at}" class="comment even depth-{depth}">{said}{replies}</li>'

    reply = f'<ul class="children">{item(1)}</ul>'
    items = item(0, reply) + item(2) if nested else item(0) + item(1) + item(2)
    return f'<div id="comments"><h2>3 thoughts</h2><ol class="comment-list">{items}</ol></div>'


def bare_wordpress(texts: Texts) -> str:
    """An old theme: the text stands in the item itself, and so do the replies."""

    def item(at: int, replies: str = "") -> str:
        return (
            f'<li class="comment" id="comment-{at}"><cite class="fn">{AUTHORS[at]}</cite> Says:'
            f'<small class="commentmetadata"><a href="#">{SHOWN[at]}</a></small><p>{texts[at]}</p>{replies}</li>'
        )

    nested = f'<ul class="children">{item(1)}</ul>'
    return f'<h3 id="comments">3 Responses</h3><ol class="commentlist">{item(0, nested)}{item(2)}</ol>'


def blogger(texts: Texts) -> str:
    """The list of Blogger before threads: three elements a comment, none around them."""
    items = "".join(
        f'<dt class="comment-author" id="c{at}"><a href="/{at}">{AUTHORS[at]}</a> said...</dt>'
        f'<dd class="comment-body"><p>{texts[at]}</p></dd>'
        f'<dd class="comment-footer"><span class="comment-timestamp"><a href="#c{at}">{SHOWN[at]}</a></span></dd>'
        for at in range(3)
    )
    return f'<div class="comments" id="comments"><h4>3 comments:</h4><dl id="comments-block">{items}</dl></div>'


def threaded_blogger(texts: Texts) -> str:
    """The list of Blogger since: replies in a list of their own within the comment."""

    def item(at: int, replies: str = "") -> str:
        return (
            f'<li class="comment" id="c{at}"><div class="avatar-image-container"><img src="a.png"></div>'
            f'<div class="comment-block"><div class="comment-header"><cite class="user"><a href="/{at}">{AUTHORS[at]}'
            f'</a></cite><span class="datetime secondary-text"><a href="#c{at}">{SHOWN[at]}</a></span></div>'
            f'<p class="comment-content">{texts[at]}</p><span class="comment-actions"><a>Reply</a></span></div>'
            f'<div class="comment-replies">{replies}</div></li>'
        )

    nested = f'<div class="comment-thread inline-thread"><ol class="thread-chrome"><div>{item(1)}</div></ol></div>'
    return (
        '<section class="comments threaded" id="comments"><h3>3 comments:</h3><div id="comment-holder">'
        f'<div class="comment-thread toplevel-thread"><ol>{item(0, nested)}{item(2)}</ol></div></div></section>'
    )


def disqus(texts: Texts) -> str:
    """As Disqus writes it: nested lists of posts, with the author in the head and the date in a link."""

    def item(at: int, replies: str = "") -> str:
        return (
            f'<li class="post" id="post-{at}"><div class="post-content"><header class="post-header">'
            f'<span class="post-byline"><span class="author publisher-anchor-color"><a href="/{at}">{AUTHORS[at]}</a>'
            f'</span></span><span class="post-meta"><a class="time-ago" href="#" title="{SHOWN[at]}">{at + 2} days ago'
            f'</a></span></header><div class="post-message"><p>{texts[at]}</p></div></div>'
            f'<ul class="children">{replies}</ul></li>'
        )

    return f'<div id="disqus_thread"><ul id="post-list" class="post-list">{item(0, item(1))}{item(2)}</ul></div>'


def phpbb(texts: Texts) -> str:
    """As in phpBB: a `div` each, one after the other, with who and when in one line."""
    items = "".join(
        f'<div id="p{at}" class="post bg{at % 2 + 1}"><div class="postbody"><h3><a href="#p{at}">Re: The oak</a></h3>'
        f'<p class="author">by <strong><a href="/{at}">{AUTHORS[at]}</a></strong> » {SHOWN[at]}</p>'
        f'<div class="content">{texts[at]}</div></div></div>'
        for at in range(3)
    )
    return f'<div id="comments">{items}</div>'


def nested_lists(texts: Texts) -> str:
    """Lists within items, and nothing has a name but the whole."""

    def item(at: int, replies: str = "") -> str:
        return f"<li><b>{AUTHORS[at]}</b> <i>{SHOWN[at]}</i><p>{texts[at]}</p>{replies}</li>"

    return f"<div class=comments><ul>{item(0, f'<ul>{item(1)}</ul>')}{item(2)}</ul></div>"


def nameless(texts: Texts) -> str:
    """Called comments as a whole, and nothing else has a name."""
    items = "".join(f"<div><b>{AUTHORS[at]}</b> <i>{SHOWN[at]}</i><p>{texts[at]}</p></div>" for at in range(3))
    return f"<div class=comments><h3>3 comments</h3>{items}</div>"


SHAPES: dict[str, tuple[Callable[[Texts], str], bool]] = {
    "WordPress": (lambda texts: wordpress(texts, article=True, nested=False), False),
    "WordPress, nested": (lambda texts: wordpress(texts, article=True, nested=True), True),
    "WordPress without articles": (lambda texts: wordpress(texts, article=False, nested=False), False),
    "WordPress without articles, nested": (lambda texts: wordpress(texts, article=False, nested=True), True),
    "WordPress, classed": (lambda texts: wordpress(texts, article=False, nested=True, mark="class"), True),
    "WordPress, dates in links": (lambda texts: wordpress(texts, article=False, nested=True, mark="nothing"), True),
    "WordPress, old": (bare_wordpress, True),
    "Blogger": (blogger, False),
    "Blogger, threaded": (threaded_blogger, True),
    "Disqus": (disqus, True),
    "phpBB": (phpbb, False),
    "nameless": (nameless, False),
    "nameless, nested": (nested_lists, True),
}


def find(html: str) -> list[Comment]:
    return find_comments(Tree.parse(page(html)))


def check(found: list[Comment], texts: Texts, *, nested: bool) -> None:
    assert [(comment.author, comment.text) for comment in found] == list(zip(AUTHORS, texts, strict=True))
    expected = [(0, None), (1, 0), (0, None)] if nested else [(0, None)] * 3
    assert [(comment.depth, comment.parent) for comment in found] == expected
    if found[0].stamp == "2 days ago":
        assert [comment.stamp for comment in found] == ["2 days ago", "3 days ago", "4 days ago"]
    else:
        assert [comment.stamp for comment in found] == list(SHOWN)
        assert [str(comment.date)[:10] for comment in found] == list(DAYS)


@pytest.mark.parametrize("spoken", SPOKEN)
@pytest.mark.parametrize("shape", SHAPES)
def test_a_date_in_a_sentence_belongs_to_the_text(shape: str, spoken: str) -> None:
    write, nested = SHAPES[shape]
    for texts in sorted(set(permutations((spoken, *OTHERS)))):
        check(find(write(texts)), texts, nested=nested)


@pytest.mark.parametrize("shape", SHAPES)
def test_every_comment_can_mention_a_date(shape: str) -> None:
    write, nested = SHAPES[shape]
    for first in range(len(SPOKEN)):
        texts = [SPOKEN[(first + more) % len(SPOKEN)] for more in range(3)]
        check(find(write(texts)), texts, nested=nested)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_comment_can_mention_several_dates(shape: str) -> None:
    write, nested = SHAPES[shape]
    texts = (f"{SPOKEN[1]} {SPOKEN[2]}", *OTHERS)
    check(find(write(texts)), texts, nested=nested)


def test_paragraphs_that_mention_dates_are_kept() -> None:
    texts = ("</p><p>".join(SPOKEN[:3]), *OTHERS)
    found = find(wordpress(texts, article=False, nested=True))
    assert found[0].text.split("\n\n") == list(SPOKEN[:3])
    assert [comment.author for comment in found] == list(AUTHORS)


def test_a_date_in_the_line_of_another_is_mentioned() -> None:
    items = "".join(
        f"<li class=comment><b class=author>{author}</b> <i>{shown}</i> {text}</li>"
        for author, shown, text in zip(AUTHORS, SHOWN, (SPOKEN[1], *OTHERS), strict=True)
    )
    check(find(f"<ul id=comments>{items}</ul>"), (SPOKEN[1], *OTHERS), nested=False)


def test_comments_without_dates_get_none_from_their_text() -> None:
    items = "".join(
        f"<li class=comment><b class=author>{author}</b><p>{text}</p></li>"
        for author, text in zip(AUTHORS, (SPOKEN[1], *OTHERS), strict=True)
    )
    found = find(f"<ul class=comments>{items}</ul>")
    assert [(comment.author, comment.stamp, comment.text) for comment in found] == [
        (author, None, text) for author, text in zip(AUTHORS, (SPOKEN[1], *OTHERS), strict=True)
    ]


def test_posting_dates_in_sentences_are_found() -> None:
    items = "".join(
        f"<li class=comment><p>{author} wrote this on {shown}.</p><p>{text}</p></li>"
        for author, shown, text in zip(AUTHORS, SHOWN, ("The hedge in our garden does the same.", *OTHERS), strict=True)
    )
    found = find(f"<ul id=comments>{items}</ul>")
    assert [str(comment.date) for comment in found] == list(DAYS)
    assert found[1].text == OTHERS[0]


@pytest.mark.parametrize("text", SPOKEN[:3])
def test_a_single_comment_that_mentions_a_date_is_found(text: str) -> None:
    said = f"<cite class=fn>{AUTHORS[0]}</cite> <i>{SHOWN[0]}</i><p>{text}</p>"
    (found,) = find(f"<div id=comments><ol><li class=comment>{said}</li></ol></div>")
    assert (found.author, found.stamp, found.text) == (AUTHORS[0], SHOWN[0], text)


def test_a_text_that_is_only_a_date_is_kept() -> None:
    texts = ("When did it fall?", "3 May 2011", "In the storm, then.")
    check(find(wordpress(texts, article=False, nested=True)), texts, nested=True)


@pytest.mark.parametrize("comments", [1, 3])
def test_the_time_of_an_edit_is_not_the_posting_date(comments: int) -> None:
    texts = ("The hedge in our garden does the same.", *OTHERS)
    edited = '<div>Edited <time datetime="2024-05-09">May 9, 2024</time></div><div class="reply">'
    html = wordpress(texts, article=False, nested=True).replace('<div class="reply">', edited, comments)
    check(find(html), texts, nested=True)


@pytest.mark.parametrize("beside", [f"{SHOWN[0]}</a>", f"{AUTHORS[0]}</b>"])
def test_the_time_of_an_edit_can_be_beside_the_date_or_the_name(beside: str) -> None:
    texts = ("The hedge in our garden does the same.", *OTHERS)
    edited = f"{beside} <small>(last edited May 9, 2024 12:59PM)</small>"
    html = wordpress(texts, article=True, nested=False, mark="nothing").replace(beside, edited)
    check(find(html), texts, nested=False)


def test_the_date_of_an_edit_is_better_than_none() -> None:
    items = "".join(
        f"<li class=comment><b class=author>{author}</b><p>Updated {shown}</p><p>{text}</p></li>"
        for author, shown, text in zip(AUTHORS, SHOWN, ("The hedge in our garden does the same.", *OTHERS), strict=True)
    )
    assert [comment.stamp for comment in find(f"<ul id=comments>{items}</ul>")] == list(SHOWN)


def test_a_name_is_no_date() -> None:
    texts = ("The hedge in our garden does the same.", *OTHERS)
    html = wordpress(texts, article=False, nested=True, mark="nothing").replace(AUTHORS[0], "3dPrint.at")
    assert [(comment.author, comment.stamp) for comment in find(html)] == [
        ("3dPrint.at", SHOWN[0]),
        (AUTHORS[1], SHOWN[1]),
        (AUTHORS[2], SHOWN[2]),
    ]


def test_a_time_of_day_is_used_only_without_a_date() -> None:
    said = "<p>My time:</p><p>1:45:28</p><p>It was a long way to the oak.</p>"
    html = f"<li class=comment><b class=author>Ann</b>{said}<p>Posted by: Ann at {SHOWN[0]}</p></li>"
    (found,) = find(f"<ul id=comments>{html}</ul>")
    assert found.stamp == SHOWN[0]
