"""What elements are called: the words of their classes and ids."""

from __future__ import annotations

from array import array

import pytest

from duramen.metadata.called import called, name_words
from duramen.tree import Tree

NAMES = [
    ("postMeta entry-date", None, {"post", "meta", "entry", "date"}),
    (None, "sideBar_2", {"side", "bar", "2"}),
    ("автор-имя", "By line", {"автор", "имя", "by", "line"}),
    ("", None, set()),
    ("a\nb\tc", "d", {"a", "b", "c", "d"}),
    ("HTMLBody x", None, {"htmlbody", "x"}),
]


@pytest.mark.parametrize(("classes", "name", "words"), NAMES)
def test_the_words_of_a_name(classes: str | None, name: str | None, words: set[str]) -> None:
    assert name_words(classes, name) == words


@pytest.mark.parametrize("ascii_only", [True, False])
def test_all_names_of_a_page_are_read_at_once(ascii_only: bool) -> None:
    names = [each for each in NAMES if not ascii_only or "".join(filter(None, each[:2])).isascii()]
    page = "".join(
        "<p"
        + (f' class="{classes}"' if classes is not None else "")
        + (f' id="{name}"' if name is not None else "")
        + ">x</p>"
        for classes, name, _ in names * 2
    )
    tree = Tree.parse(f"<body>{page}")
    elements = array("q", [node for node, tag in enumerate(tree.tag) if tag == "p"])
    found = called(tree, elements)
    assert [found.words[number] for number in found.which] == [words for *_, words in names * 2]
    assert len(found.words) == len(found.names) == len(names), "each is read once"


def test_a_name_is_read_no_further_than_a_name_goes() -> None:
    assert "end" not in name_words(f"{'x ' * 200}end", None)
