"""Titles: what the page is called, apart from the site it stands on.

`<title>` and `og:title` tend to hold the name of the site, before or after the title and a mark. A part between marks
that is the site's name, by its own word or by its address, is taken off.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from duramen.metadata.strings import key

_IN_MARKS = re.compile(r"[-|–—·•:»«/~<>\\›｜_]")
_PERMALINK: Final = "¶#§\uf0c1"
# What a template puts before a title: a label, how much is new, a mark.
_PREFIX = re.compile(r"(?:title\s*:\s*|\(\d{1,2}\+?\)\s+|[/|»•·>-]+\s+)(?=\w)", re.IGNORECASE)
_PREFIX_STARTS: Final = "tT(/|»•·>-"
_HOME: Final = frozenset(
    (
        "home",
        "homepage",
        "home page",
        "main page",
        "index",
        "welcome",
        "startseite",
        "accueil",
        "inicio",
        "главная",
        "首页",
    )
)
"""What a page of a site is called that has no name of its own."""
OF_PARTS: Final = frozenset(
    "menu;main menu;navigation;search;newsletter;newsletters;comments;share;share this;advertisement;sign in;log in"
    ";subscribe;follow us;related;related articles;related news;related posts;related stories;most read;most popular"
    ";相关新闻;相关阅读;相關新聞;热门新闻;推荐阅读;评论;похожие новости;читайте также;комментарии;powiązane"
    ";czytaj także;najczęściej czytane;σχετικά άρθρα;διαβάστε επίσης;σχόλια".split(";")
)
"""What parts of a page are called in their headings, which name no page."""
_LABELS: Final = frozenset(
    ("view topic", "view thread", "view single post", "thema anzeigen", "voir le sujet", "ver tema", "zobacz temat")
)
"""What the programs of forums put before the name of a thread."""
_LONGEST_LABEL: Final = 20


class Part(NamedTuple):
    start: int
    end: int
    mark: str
    """What stands between this part and the next; '' after the last."""


@lru_cache(maxsize=128)  # a page says its title in many places, most of them alike
def parts(title: str) -> Sequence[Part]:
    """The parts of a title between its marks."""
    return _parts(title)


def _parts(title: str) -> list[Part]:
    found: list[Part] = []
    start = seen = 0
    # A mark is looked for where one of its characters stands: with the spaces before it, then by itself.
    while (at := _next_mark(title, seen)) >= 0:
        first = at
        while first > seen and title[first - 1].isspace():
            first -= 1
        end = _end_of_mark(title, first, at)
        if end < 0:
            first, end = at, _end_of_joint(title, at)
        if end < 0:
            seen = at + 1
            continue
        if first > start:
            found.append(Part(start, first, title[first:end].strip()))
        start = seen = end
    if start < len(title):
        found.append(Part(start, len(title), ""))
    return found


def _end_of_mark(title: str, first: int, at: int) -> int:
    """Where a mark ends, with the spaces behind it, that begins here, with those before it; -1 where there is none."""
    end = at
    while end < len(title) and title[end] in "|–—-·•:»«/~<>\\":
        end += 1
    after = _after_spaces(title, end)
    if first < at < end < after:
        return after
    return _after_spaces(title, at + 1) if title[at] in "|»›｜" else -1


def _end_of_joint(title: str, at: int) -> int:
    """Where a colon ends, with the spaces that have to stand behind it, or what stands beside Chinese characters."""
    after = at + 1
    if title[at] == ":":
        end = _after_spaces(title, after)
        return end if end > after else -1
    if title[at] not in "-_":
        return -1
    is_beside = (after < len(title) and _is_han(title[after])) or (at > 0 and _is_han(title[at - 1]))
    return after if is_beside else -1


def _is_han(character: str) -> bool:
    return "一" <= character <= "鿿"


def _after_spaces(title: str, place: int) -> int:
    while place < len(title) and title[place].isspace():
        place += 1
    return place


def _next_mark(title: str, start: int) -> int:
    """Where the next character stands that marks have; -1 where there is none."""
    found = _IN_MARKS.search(title, start)
    return -1 if found is None else found.start()


def may_be_cut(title: str) -> bool:
    """Whether a title has a character that marks have; without one it is a single part."""
    return _next_mark(title, 0) >= 0


def first_part(title: str) -> str:
    """What stands before the first mark; the title itself where there is none."""
    cut = parts(title)
    return title[cut[0].start : cut[0].end] if len(cut) > 1 else title


@lru_cache(maxsize=128)
def without_site(title: str, names: tuple[str, ...], brand: str) -> str:
    """The title without the name of the site at its ends; the title itself if nothing else is left."""
    cut = parts(title)
    if len(cut) < 2:
        return title
    first, last = 0, len(cut)
    for place in range(last - 1):
        if _is_one_of(_LABELS, title, cut[place]):
            first = place + 1
    if last - first > 1 and cut[first].mark[:1] != ":" and _is_one_of(_HOME, title, cut[first]):
        first += 1
    if last - first > 1 and cut[last - 2].mark[:1] != ":" and _is_one_of(_HOME, title, cut[last - 1]):
        last -= 1
    while last - first > 1 and is_site(title[cut[last - 1].start : cut[last - 1].end], names, brand):
        last -= 1
    while last - first > 1 and is_site(title[cut[first].start : cut[first].end], names, brand):
        first += 1
    return title if last - first == len(cut) else title[cut[first].start : cut[last - 1].end]


def _is_one_of(labels: frozenset[str], title: str, part: Part) -> bool:
    start, end = part.start, part.end
    return end - start <= _LONGEST_LABEL and key(title[start:end]) in labels


def without_prefix(title: str) -> str:
    """The title without what a template puts before it: "Title: Oaks", "(3) Oaks", "/ Oaks"."""
    if title[:1] not in _PREFIX_STARTS or not (found := _PREFIX.match(title)):
        return title
    return title[found.end() :]


def is_site(part: str, names: Sequence[str], brand: str) -> bool:
    """Whether a part of a title is the name of the site."""
    return says_site(key(part), names, brand)


def says_site(said: str, names: Sequence[str], brand: str) -> bool:
    """Whether a key is that of the name of the site."""
    if not said:
        return True
    joined, words = said.replace(" ", ""), said.count(" ") + 1
    for name in names:
        other: str = key(name)
        if other.replace(" ", "") == joined:
            return True
    if len(brand) < 2:
        return False
    if joined == brand or (len(joined) >= 3 and brand.startswith(joined)):
        return True
    if 1 < words == len(brand) and "".join([word[0] for word in said.split()]) == brand:
        return True
    return len(brand) >= 3 and brand in joined and words <= _MOST_WORDS


_MOST_WORDS: Final = 5
"""Of a site's name."""


def without_permalink(text: str) -> str:
    """The text of a heading without the sign of its own link."""
    return text.rstrip(_PERMALINK).rstrip() if text[-1:] in _PERMALINK else text


def likeness(one: str, other: str) -> float:
    """How many of their words two titles share, from 0 to 1."""
    first, second = key(one).split(), key(other).split()
    left: dict[str, int] = {}
    for word in second:
        left[word] = left.get(word, 0) + 1
    shared = 0
    for word in first:
        count = left.get(word, 0)
        if count:
            left[word] = count - 1
            shared += 1
    both = len(first) + len(second)
    return 2 * shared / both if both else 0.0
