"""Words of class and id attributes."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen.dom import class_names
from duramen.dom.class_names import name_words
from duramen.dom.lexbor import UNSURE
from duramen.dom.tree import Tree
from duramen.dom.visibility import find_visible_texts
from duramen.metadata import class_words
from duramen.metadata.sources.body import Body

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
def test_flags_follow_words_and_attributes(source: str) -> None:
    tree = Tree.parse(source)
    found = class_words.find_flagged(tree)
    told = dict(zip(found.nodes, found.flags, strict=True))
    for node in range(tree.body + 1, len(tree)):
        own = tree.attributes[node]
        words = name_words(own.get("class"), own.get("id"))
        expected = class_words.word_flags(words)
        for name in own:
            expected |= class_words.attribute_flag(name)
        assert told.get(node, 0) & ~UNSURE == expected
        if "author" in (own.get("rel") or "").lower().split():
            assert told[node] & UNSURE
    assert Body(tree).visible_text_nodes == find_visible_texts(tree)
    plain = Tree(tree.tag, tree.parent, tree.end, tree.text, list(tree.attributes))
    assert class_words.find_flagged(plain) == found


NAMES = [
    ("postMeta entry-date", None, {"post", "meta", "entry", "date"}),
    (None, "sideBar_2", {"side", "bar", "2"}),
    ("автор-имя", "By line", {"автор", "имя", "by", "line"}),
    ("", None, set()),
    ("a\nb\tc", "d", {"a", "b", "c", "d"}),
    ("HTMLBody x", None, {"htmlbody", "x"}),
]


@pytest.mark.parametrize(("classes", "name", "words"), NAMES)
def test_words_of_class_and_id(classes: str | None, name: str | None, words: set[str]) -> None:
    assert name_words(classes, name) == words


@given(st.lists(st.sampled_from([*"aZé-_ 0.中", "ab", "Cd", "\u0130"]), max_size=12).map("".join))
def test_name_words_follow_the_expressions(both: str) -> None:
    found = class_names._WORD.findall(class_names._CAMEL_CASE.sub(" ", both).lower())
    assert name_words(both, None) == name_words(None, both) == frozenset(found)


def test_long_names_are_cut() -> None:
    assert "end" not in name_words(f"{'x ' * 200}end", None)
