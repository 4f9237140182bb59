"""Records of a list outside the element that holds most of them."""

from __future__ import annotations

from tests.data_records.pages import (
    ABOUT,
    find_list,
    make_tile,
)

from duramen.data_records.records_wrapper import RecordsWrapper


def test_a_list_that_continues_in_another_container_is_one_list() -> None:
    first, rest = "".join(map(make_tile, range(3))), "".join(map(make_tile, range(3, 12)))
    table = find_list(f"<section><ul>{first}</ul></section><div class='fold'></div><section><ul>{rest}</ul></section>")
    assert len(table) == 12


def test_records_under_another_heading_are_another_list() -> None:
    first, rest = "".join(map(make_tile, range(9))), "".join(map(make_tile, range(20, 22)))
    table = find_list(
        f"<section><ul>{first}</ul></section><section><h2>Customers also bought</h2><ul>{rest}</ul></section>"
    )
    assert len(table) == 9


def test_a_continuation_is_similar_to_one_of_the_records() -> None:
    def card(n: int, kind: str, extra: str = "") -> str:
        return make_tile(n, tag="div", more=extra).replace("class='item'", f"class='{kind} item'")

    choice = "<div><a href='/o'>Options</a></div><p><b>Order</b> now</p><ul><li>New</li></ul>"
    first = "".join(card(n, "first") for n in range(3))
    rest = "".join(card(n, "rest", choice if n % 4 else "") for n in range(3, 15))
    table = find_list(f"<section><div>{first}</div></section><section><div>{rest}</div></section>")
    assert len(table) == 15


def titled(n: int, *, tag: str = "p") -> str:
    return f"<{tag}><b><a href='/{n}'>Chair {n}</a></b><br>{ABOUT.format(n=n)}<br><small>/{n}</small></{tag}>"


def test_a_child_with_another_tag_and_the_same_structure_is_a_record() -> None:
    rows = "".join(titled(n) if n not in (3, 6) else f"<blockquote>{titled(n)}</blockquote>" for n in range(9))
    assert len(find_list(f"<div>{rows}</div>")) == 9


def test_boxes_of_one_list_may_differ_as_much_as_the_records_in_them() -> None:
    def row(n: int, about: str) -> str:
        name = f"<p><b>Chair number {n}</b> <i>of oak</i></p>"
        return f"<tr><td width=60><a href='/{n}'>go to it</a></td><td>{name}{about}</td></tr>"

    plain = "".join(row(n, f"<br>{ABOUT.format(n=n)}" if n % 2 else "") for n in range(6))
    told = "".join(row(n, f"<br>{ABOUT.format(n=n)}") for n in range(6, 9))
    table = find_list(f"<div><h3>Old</h3><table>{plain}</table><h3>New</h3><table>{told}</table></div>")
    assert len(table) == 9


def test_the_first_post_of_a_thread_is_a_record() -> None:
    def post(n: int, tag: str) -> str:
        return (
            f"<{tag} class='post p{n}'><div class='head'><a class='avatar' href='/u/{n}'>U{n}</a>"
            f"<b class='author'>User {n}</b><time class='posted' datetime='2024-01-0{n + 1}'>day {n}</time></div>"
            f"<div class='message'>"
            f"<span class='words'>{ABOUT.format(n=n)}</span></div>"
            f"<div class='tools'><i class='like'>Like</i></div></{tag}>"
        )

    replies = "".join(post(n, "li") for n in range(1, 8))
    table = find_list(f"<div id='question'>{post(0, 'article')}</div><p>7 replies</p><ol>{replies}</ol>")
    assert len(table) == 8
    assert table.rows[0]["user"] == "User 0"


def test_a_first_post_with_few_common_classes_must_have_the_structure_of_a_reply() -> None:
    def post(n: int, name: str) -> str:
        said = ABOUT.format(n=n)
        return (
            f"<div class={name}><a class=user href=/u/{n}>user{n}</a> <i>{n} May</i><div class=said>{said}</div></div>"
        )

    replies = "".join(post(n, "reply") for n in range(1, 8))
    table = find_list(f"<h1>Chairs</h1>{post(0, 'first')}<div>{replies}</div>")
    assert [row["user"] for row in table.rows] == [f"user{n}" for n in range(8)]
    told = f"<a class=user href=/u/0>user0</a> <div class=said><p>{ABOUT}</p><ul><li>Oak<li>Ash</ul></div>"
    assert (
        len(find_list(f"<h1>Chairs</h1><div class=intro>{told}<h2>Rules</h2><p>Be nice.</p></div><div>{replies}</div>"))
        == 7
    )


def comment(n: int, answers: str = "", *, frame: str = "ul") -> str:
    head = f"<div class='head'><a href='/u/{n}'>user{n}</a> <i>{n} May</i></div>"
    below = f"<{frame}>{answers}</{frame}>" if answers else ""
    return f"<li class='comment c{n}'>{head}<div class='said'>{ABOUT.format(n=n)}</div>{below}</li>"


def test_replies_inside_a_comment_are_separate_records() -> None:
    first = comment(1, comment(2, comment(3)) + comment(4), frame="ol")
    table = find_list(f"<ul>{first}{comment(5)}{comment(6, comment(7))}{comment(8)}</ul>")
    tree = table.page.tree
    assert [row["user"] for row in table.rows] == [f"user{n}" for n in range(1, 9)]
    assert {tuple(tree.attributes[top]["class"] for top in record) for record in table.records} == {("head", "said")}
    again = RecordsWrapper.of(table).extract(table.page)
    assert again.rows == table.rows


def test_replies_are_found_if_every_comment_has_some() -> None:
    rows = "".join(comment(n, comment(n + 1, comment(n + 2))) for n in (1, 4, 7))
    assert [row["user"] for row in find_list(f"<ul>{rows}</ul>").rows] == [f"user{n}" for n in range(1, 10)]


def test_unclosed_items_that_contain_each_other_are_records() -> None:
    items = [f"<li><a href='/{n}'>Chair number {n}</a> of solid wood" for n in range(20)]
    table = find_list("<ul>" + "<ul>".join(items[:6]) + "<ul>" + "</li>".join(items[6:]))
    assert [row["url"] for row in table.rows] == [f"/{n}" for n in range(20)]


def test_the_category_item_around_a_list_is_not_a_record() -> None:
    items = "".join(f"<li><a href='/{n}'>Chair number {n}</a> of solid wood</li>" for n in range(20))
    assert len(find_list(f"<ul><li><a href='/all'>All our chairs</a> of solid wood<ul>{items}</ul></li></ul>")) == 20


def test_a_list_inside_a_record_stays_there_even_if_its_items_have_the_same_class() -> None:
    made = "<ul><li class='item'>Oak</li><li class='item'>Ash</li></ul>"
    assert len(find_list("<ul>" + "".join(make_tile(n, more=made) for n in range(1, 9)) + "</ul>")) == 8


def test_a_wrapper_around_a_record_is_not_a_record() -> None:
    rows = "".join(f"<div class='item'>{make_tile(n, tag='div')}</div>" for n in range(1, 9))
    assert len(find_list(f"<div>{rows}</div>")) == 8
