"""What is told of the body in fewer steps is told as it would be in all of them."""

from __future__ import annotations

import copy
import pickle
import re
import sys
from typing import Final

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from tests.metadata.metadata_pages import HEADLINE, TODAY

from duramen.dom.lexbor import UNSURE, told_by
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.dom.visibility import text_nodes
from duramen.metadata import (
    Metadata,
    agreement,
    body,
    bylines,
    described,
    marks,
    microformats,
    names,
    scripts,
    titles,
)
from duramen.metadata.body import Body, Ranges
from duramen.metadata.called import name_words
from duramen.metadata.claims import Claim
from duramen.metadata.head import Head

BY: Final = (
    "Originally written by,Posted by,published & edited by,Reported by,created by,AUTHORED BY,submitted by,reviewed by"
    ",story by,Article by,text by,words by,blog by,post by,started by,asked by,contributed by,guest post by"
    ",a guest post by,by,from:,author,about the author,words:,von,vom:,autorin,verfasst von,geschrieben von,par"
    ",auteures,écrit par,publié par,por,escrito por,publicado por,di,a cura di,scritto da,door,geschreven door,av,af"
    ",przez,napisała,opracowanie,opracował,oprac.,rozmawiał,tekst:,автор,текст:,подготовил,беседовали,корреспондент:"
    ",του Νίκου Παππά,συντάκτης,επιμέλεια:,γράφει ο,από τον,本报记者,作者,责任编辑,撰文,撰稿,文:,yazan,oleh"
).split(",")
"""All ways to begin a byline that `names.BY` knows."""
LINES: Final = st.lists(
    st.sampled_from([*BY, *"-|·– :.aK1ſıİ©", "Jane Doe", "2024", "Updated", "(c)", "All Rights", "更新", "edited"]),
    max_size=5,
)


@given(LINES.map("".join) | LINES.map(" ".join))
def test_a_line_is_asked_what_it_may_be_only(line: str) -> None:
    text = " ".join(line.split())
    if bylines._BYLINE.match(text) or bylines._ONLY_BY.match(text):
        assert names.may_begin_with_by(text)
    assert bylines._tells_change(text) == bool(bylines._CHANGED.search(text))
    assert bylines._has_rights(text) == any(word in text.lower() for word in bylines._RIGHTS)
    if text.isascii():
        assert not bylines._REPORTED.search(text)
    if bylines._NAME_AND_DATE.match(text) or bylines._YEAR.search(text):
        assert "19" in text or "20" in text


@pytest.mark.parametrize("by", BY)
def test_each_way_to_begin_a_byline_is_known(by: str) -> None:
    tabbed = by.replace(" ", "\t")
    for line in (f"{by} Jane Doe", f"— {by.title()} Jane Doe", f"-{by.upper()}", f"{tabbed}\tJane Doe"):
        if re.match(rf"[-— ]*(?:{names.BY})", line, re.IGNORECASE):
            assert names.may_begin_with_by(line)


@given(
    st.lists(st.sampled_from(["Jane", "DOE", "Roe", "By", "Ph", "x", "A", "É", " ", " ", "a" * 21, "-"]), max_size=7)
)
@example(["Jane", " ", "A" + "a" * 20])
@example(["Jane", " ", "A" + "a" * 21])
def test_a_plain_name_is_what_the_expression_matches(pieces: list[str]) -> None:
    value = "".join(pieces)
    assert names._is_shaped(value) == bool(names._PLAIN.fullmatch(value))
    if names.is_plain(value):
        assert names.names(value) == names.names(value, is_name=True) == names.names(value, is_one=True) == [value]


@given(st.text("ab -|:»_/", max_size=9))
def test_a_title_without_a_mark_is_one_part(title: str) -> None:
    if not titles.may_be_cut(title):
        assert len(titles.parts(title)) < 2
        assert titles.without_site(title, (title,), title) == title


@given(
    st.lists(
        st.sampled_from(["3 ", "Comments", "replies", "myComments", "Kommentare", "é", "re", " ", "-"]), max_size=4
    )
)
def test_a_heading_announces_comments_by_its_words(pieces: list[str]) -> None:
    text = " ".join("".join(pieces).split())
    tree = Tree.parse(f"<h3>{text}</h3>")
    is_said = len(text) <= 30 and not body._COMMENTS.isdisjoint(name_words(text, None))
    assert body._announces(tree, tree.body + 1) == is_said


SCRIPTS: Final = st.lists(
    st.sampled_from(
        [
            *('"date"', "'date'", '\\"author\\"', ":", ' : "2024-05-03"', '"', "'", "中", "\n", "{", "}", ' "Ann Oak"'),
            *('"author":{"name":"Ann Oak","date":"2024-01-02"}', "'created_at':'2023-01-01T00:00'", '"pubDate'),
            '"username":"ann"',
        ]
    ),
    max_size=8,
).map("".join)


@given(SCRIPTS)
@example('"author":"date":"2024-05-03"')
@example("""{"author": 'date': "2024-01-01", 'author': "Ann Oak"}""")
def test_scripts_claim_what_the_expressions_find(text: str) -> None:
    told: dict[str, list[tuple[str, str]]] = {"published": [], "author": []}
    for field, found in told.items():
        patterns = [pattern for each in scripts._PATTERNS.values() for name, pattern in each if name == field]
        matches = [match for pattern in patterns for match in pattern.finditer(text)]
        for match in sorted(matches, key=re.Match.start):
            name = match[1].lower().replace("_", "")
            if name not in [one for _, one in found]:
                found.append((match[2], name))
    claims = scripts.read_scripts(Head(Tree.parse(f"<script>{text}</script>")))
    for field, found in told.items():
        assert [claim.of for claim in claims[field]] == [name for _, name in found]


PIECES: Final = [
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


@given(st.lists(st.sampled_from(PIECES), max_size=14).map("".join))
def test_the_marks_of_an_element_are_what_its_attributes_tell(source: str) -> None:
    tree = Tree.parse(source)
    found = marks.read_marks(tree)
    told = dict(zip(found.nodes, found.tells, strict=True))
    for node in range(tree.body + 1, len(tree)):
        own = tree.attributes[node]
        words = name_words(own.get("class"), own.get("id"))
        expected = sum(meaning for meaning, wanted in marks._MEANINGS if not words.isdisjoint(wanted))
        for name in own:
            expected |= marks._tells(name)
        assert told.get(node, 0) & ~UNSURE == expected
        if "author" in (own.get("rel") or "").lower().split():
            assert told[node] & UNSURE
    assert Body(tree).readable == text_nodes(tree)
    plain = Tree(tree.tag, tree.parent, tree.end, tree.text, list(tree.attributes))
    assert marks.read_marks(plain) == found


@given(st.lists(st.integers(0, 40), max_size=8, unique=True), st.lists(st.integers(0, 45), max_size=20))
def test_what_is_outside_of_ranges_is_in_none(edges: list[int], nodes: list[int]) -> None:
    edges = sorted(edges[: len(edges) // 2 * 2])
    ranges = Ranges(edges[::2], edges[1::2])
    nodes = sorted(nodes)
    assert body._outside(ranges.starts, ranges.stops, nodes) == [node for node in nodes if not ranges.holds(node)]


@given(st.lists(st.sampled_from([*"/aé?", "author", "USERS", "by", "//", "login", "ſtaff", "team-x", "x"]), max_size=7))
def test_the_address_of_a_profile_has_one_of_its_words(pieces: list[str]) -> None:
    href = "".join(pieces)
    if microformats._PROFILE.search(href):
        assert told_by(href, microformats._PROFILES.words)


@given(
    st.lists(
        st.sampled_from(["photo", "Picture ", "of ", "Ann", "ımage ", "Avatar for ", "profile picture of "]), max_size=4
    )
)
def test_a_picture_of_somebody_begins_as_such(pieces: list[str]) -> None:
    said = "".join(pieces)
    if microformats._PICTURE_OF.match(said):
        assert said[0] in microformats._PICTURE_STARTS or not said.isascii()


@pytest.mark.parametrize("name", ["Ann Oak", "Ann Oak, Ben Elm", "ann", "By Ann Oak"])
@pytest.mark.parametrize("other", ["Ann Oak", "Ben Elm"])
def test_authors_agree_in_fewer_steps_as_in_all(name: str, other: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page.parse(
        f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1><meta name=author content='{name}'>"
        f"<meta property=article:author content='{other}'><meta property=og:title content='{HEADLINE}'>"
        "<meta name=date content=2024-05-03><meta property=article:published_time content=2024-05-03>"
    )
    quick = Metadata.read(page, TODAY).as_dict()
    running = sys.modules[agreement.agreed_authors.__module__]  # the twin, where there is one
    monkeypatch.setattr(running, "is_plain", lambda value: False)
    monkeypatch.setattr(running, "may_be_cut", lambda title: True)
    assert Metadata.read(page, TODAY).as_dict() == quick
    assert agreement._say_the_same([Claim("a", "meta"), Claim("a", "rel")])


@pytest.mark.parametrize("tag", ["html", "body"])
def test_a_caption_may_be_the_pages_own(tag: str) -> None:
    page = Page.parse(f"<{tag} class='no wp-Caption'><p><img src=/a.png><p class=a-caption>Oaks", "https://a.example/")
    assert [image.caption for image in Metadata.read(page, TODAY).images] == ["Oaks"]


PARTS: Final = (
    "<h2>3 comments</h2>",
    "<h2>Oaks</h2>",
    "<h3>Leave a comment</h3>",
    "<img src=/a.png>",
    "<img src=/b.png class=advert>",
    "<div class=related>",
    "<div class='wp-caption comments'>",
    "<nav>",
    "<article>",
    "<article class=hentry>",
    "<aside>",
    "<main>",
    "<footer>",
    "<form>",
    "</div>",
    "</nav>",
    "</article>",
    "</aside>",
    "</footer>",
    "<p>" + "An oak that stands alone grows as wide as it is high. " * 3,
)


@given(st.lists(st.sampled_from(PARTS), max_size=16), st.integers(0, 16))
def test_the_body_around_images_tells_of_them_what_the_whole_tells(parts: list[str], at: int) -> None:
    tree = Tree.parse("".join([*parts[:at], "<h1>Old oaks</h1>", *parts[at:]]))
    nodes = [node for node in tree.find_all("img") if node > tree.body]
    whole = Body(tree, tree.find_all("h1")[0])
    part = whole.around(nodes, own=True)
    for also_beside in (True, False):
        assert part.own(nodes, also_beside=also_beside) == whole.own(nodes, also_beside=also_beside)
    assert set(part.marks.nodes) <= set(whole.marks.nodes)


@pytest.mark.parametrize("rel", ["tag", "TAG", "Category tAg", "nofollow tag", "tag\u00a0nofollow", "étag tag"])
def test_tags_are_told_however_their_relation_is_written(rel: str) -> None:
    page = Page.parse(f"<article><h1>{HEADLINE}</h1><a rel='{rel}' href=/oaks>Oaks</a></article>")
    found = Metadata.read(page, TODAY)
    assert (found.tags or found.categories) == ("Oaks",)


@pytest.mark.parametrize("rel", ["tags", "no-tag", "x-tag", "licensee", "stylesheet", ""])
def test_other_relations_tell_no_tags(rel: str) -> None:
    found = Metadata.read(Page.parse(f"<h1>{HEADLINE}</h1><a rel='{rel}' href=/oaks>Oaks</a>"), TODAY)
    assert not found.tags
    assert not found.licence


def test_what_was_read_can_be_copied_and_pickled() -> None:
    page = Page.parse(f"<html lang=en><title>{HEADLINE}</title><h1>{HEADLINE}</h1><p>By Jane Doe, 5 March 2024")
    found = Metadata.read(page, TODAY)
    told = found.as_dict()
    for other in (pickle.loads(pickle.dumps(found)), copy.deepcopy(found), copy.copy(found)):
        assert other.as_dict() == told
        assert other.sources.head.title == HEADLINE


def test_an_article_in_the_comments_does_not_say_that_the_page_is_no_list() -> None:
    entries = "".join(f"<div class=hentry><h3>{name}</h3><a rel=tag href=/{name}>{name}</a></div>" for name in "ab")
    for apart in ("<div class=related>{}</div>", "<h2>3 Comments</h2>{}"):
        last = apart.format("<div class=hentry><h3>Old oaks fall</h3><a rel=tag href=/c>c</a></div>")
        text = "<p>An oak that stands alone grows as wide as it is high, and one among others as high as they are."
        page = f"<title>Old oaks fall - Wood</title><h1>News</h1>{text}{entries}<section>{last}</section>"
        assert not {"a", "b"}.intersection(Metadata.read(Page.parse(page), TODAY).tags)


THINGS: Final = (
    *PARTS[:3],
    "<div class=related>",
    "<div class=hentry>",
    "<div class='h-entry'>",
    "<article>",
    "<article class=hentry>",
    "<div itemscope itemtype=https://schema.org/NewsArticle>",
    "<div itemscope itemtype=https://schema.org/Comment>",
    "<div itemprop=review itemscope>",
    "<h3>Old oaks fall</h3>",
    "<a rel=tag href=/a>a</a>",
    "</div>",
    "</article>",
    PARTS[-1],
)


@given(st.lists(st.sampled_from(THINGS), max_size=16), st.integers(0, 16))
@example(["<div class=hentry>", "<a rel=tag href=/a>a</a>", "</div>", *THINGS[4:5], "<a rel=tag href=/a>a</a>"], 0)
@example(["<article class=hentry>", "</article>", "<div class=hentry>", "<a rel=tag href=/a>a</a>"], 1)
@example(["<div class=hentry>", "<h3>Old oaks fall</h3>", "</div>", "<div class=hentry>", THINGS[12]], 0)
def test_the_things_around_tags_are_told_apart_as_those_of_the_whole_body(parts: list[str], at: int) -> None:
    tree = Tree.parse("".join([*parts[:at], "<h1>News</h1>", *parts[at:]]))
    headline, title = tree.find_all("h1")[0], "Old oaks fall - Wood"
    nodes = [node for node in tree.find_all("a") if node > tree.body]
    whole = Body(tree, headline)
    around = whole.around(nodes)
    works, _ = described._works_and_others(whole)
    if all(any(work <= node < tree.end[work] for node in (*nodes, headline)) for work in works):
        there, here = described.other_things(whole, title), described.other_things(around, title)
        own = set(whole.own(nodes)) & set(around.own(nodes))
        assert [node for node in own if there.holds(node)] == [node for node in own if here.holds(node)]


def test_an_article_around_the_headline_tells_that_its_page_is_no_list() -> None:
    tagged = "<a rel=tag href=/{0}>{0}</a>"
    related = "".join(f"<div class=hentry><h3>{name}</h3>{tagged.format(name)}</div>" for name in "ab")
    page = f"<title>{HEADLINE}</title><article class=hentry><h1>{HEADLINE}</h1></article>{related}"
    found = Metadata.read(Page.parse(page), TODAY)
    assert found.tags == ("a", "b")
    assert "of_others" not in vars(found.sources)  # it is told by the articles around the tags and the headline
    listed = Metadata.read(Page.parse(page.replace("<article class=hentry>", "<article>")), TODAY)
    assert listed.tags == ()


def test_what_the_caller_gives_need_not_be_text() -> None:
    class Address(str):
        pass

    for told in (b"en-US", 5, None, ""):
        page = Page.parse(
            "<title>Oaks</title>", Address("https://wood.example/oaks"), headers={"Content-Language": told}
        )
        found = Metadata.read(page, TODAY)
        assert found.language is None
        assert found.title == "Oaks"


def test_a_script_that_is_called_json_and_is_none_is_read_as_the_program_that_it_is() -> None:
    script = '<script type="application/ld+json">var page = {"datePublished": "2024-05-17", "n": 1}</script>'
    found = Metadata.read(Page.parse(f"<title>{HEADLINE}</title><h1>{HEADLINE}</h1>{script}"), TODAY).how("published")
    assert found is not None
    assert (found.value.isoformat(), found.source) == ("2024-05-17", "script")


def test_what_is_asked_first_does_not_matter() -> None:
    page = Page.parse(
        f"<html lang=en><title>{HEADLINE} | Wood</title><h1>Oaks</h1><article class=hentry><h2>{HEADLINE}</h2>"
        "<p>By Jane Doe, 5 March 2024<a rel=tag href=/a>Oaks</a><img src=/a.png></article>"
        "<div class=comments><a rel=tag href=/b>Elms</a><img src=/b.png></div>",
        "https://wood.example/2024/03/05/oaks",
    )
    told = Metadata.read(page, TODAY).as_dict()
    for first in ("images", "tags", "published", "licence", "modified", "page_type"):
        found = Metadata.read(page, TODAY)
        found.how(first)
        assert found.as_dict() == told
