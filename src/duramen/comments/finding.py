"""The comments of a page: the place they stand in, the elements that are one each, and what each of them says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from textwrap import dedent
from typing import Final

from duramen.comments.comment import Comment
from duramen.comments.partition import Unit
from duramen.comments.place import Place, find_places
from duramen.comments.reading import Reader, Reading
from duramen.comments.signs import find_signs
from duramen.comments.threads import is_thread
from duramen.comments.units import find_units
from duramen.dom.blocks import find_blocks
from duramen.dom.tree import Tree
from duramen.language import words
from duramen.output import write_text

_SIGNED: Final = 0.6
_DATED: Final = 0.75
"""The share that must have a date for one without to be odd."""
_SEVERAL: Final = 3
_REMARK: Final = 6
_ENDS: Final = tuple(".!?…。！？")
"""Of several comments, one at least has as many words, or ends as a sentence does."""
_is_announced = re.compile(r"\W*(?:(?:ping|track)backs?\b|reblogged this on\b)", re.IGNORECASE).match
_ELLIPSIS = re.compile(r"\[(?:\.\.\.|…)\]")
_word = re.compile(r"\w").search
_ITEMS = frozenset(("li", "dd", "dt"))
_mark = re.compile(r"\A(?:- |\d+\. |    )")
_find_depth = re.compile(r"(?:^|[\s_-])(?:depth|level|indent|nest(?:ed|ing)?)[-_]?(\d{1,2})(?=\s|$)").search


def find_comments(tree: Tree, *, posts: Sequence[range] = (), address: str = "") -> list[Comment]:
    """What readers wrote under a page, in the order of the page; empty where there is nothing of the kind.

    The posts of a thread are no comments: they are the page. `posts` are the nodes that a method kept of a page that it
    took for a forum; `address` is the page's own.
    """
    signs = find_signs(tree)
    if not signs.promising and not signs.headings:
        return []
    for place in find_places(find_blocks(tree), signs):
        comments = _plausible(_read(place))
        # A heading is weaker than a name: most of what follows it must be signed and dated.
        signed = sum(1 for comment in comments if comment.author and comment.stamp)
        if comments and (not place.first or signed > _SIGNED * len(comments)):
            return [] if is_thread(place, comments, posts, address) else comments
    return []


def _plausible(comments: list[Comment]) -> list[Comment]:
    """None where nobody says anything: a list of names and dates is a directory, or a box of what is new elsewhere."""
    if len(comments) >= _SEVERAL and not any(_is_remark(comment.text) for comment in comments):
        return []
    return comments


def _is_remark(text: str) -> bool:
    return text.endswith(_ENDS) or len(words(text)) >= _REMARK


def _read(place: Place) -> list[Comment]:
    tree = place.blocks.tree
    units = find_units(place)
    reader = Reader(place, units)
    levels = _levels(tree, [place.blocks.node[unit.element] for unit in units], units)
    known: set[tuple[str | None, str | None, str]] = set()
    readings = [reader.read(index) for index in range(len(units))]
    notices = _notices(readings)
    comments: list[Comment] = []
    language = tree.attributes[0].get("lang")
    sure = False
    above: list[tuple[int, int]] = []  # levels and places in the list of what a reply may be one to
    for index, unit in enumerate(units):
        reading = readings[index]
        node = place.blocks.node[unit.element]
        said = reading.author, reading.stamp, _written(tree, reading.spans, node)
        # Tabs for "newest" and "best" show the same comments twice.
        if (
            not reading.free
            or _is_made_by_machine(said[0], said[2])
            or (reading.author or reading.stamp) is None
            or index in notices
            or said in known
        ):
            continue
        known.add(said)
        sure = sure or (reading.stamp or reading.moment) is not None or bool(comments)
        while above and above[-1][0] >= levels[index]:
            above.pop()
        parent = above[-1][1] if above else None
        above.append((levels[index], len(comments)))
        comments.append(
            Comment(*said, len(above) - 1, parent, node, reading.spans, reading.whole, reading.moment, language)
        )
    return comments if sure else []  # what one person said, nobody knows when, may be anything


def _notices(readings: Sequence[Reading]) -> list[int]:
    """The first one and the last, if they alone have no date: a legend, or what to know before writing."""
    speaking = [index for index, reading in enumerate(readings) if reading.free]
    dated = [readings[index].stamp is not None for index in speaking]
    if len(dated) <= _SEVERAL or sum(dated) < _DATED * len(dated):
        return []
    return [speaking[at] for at, beside in ((0, 1), (-1, -2)) if dated[beside] and not dated[at]]


def _is_made_by_machine(author: str | None, text: str) -> bool:
    """Whether it is what one blog tells another: a pingback, a trackback with a piece of the other page, a reblog."""
    return any(said is not None and (_is_announced(said) is not None or _is_excerpt(said)) for said in (text, author))


def _is_excerpt(text: str) -> bool:
    """Whether a text begins and ends in the middle: "[…] as the oak shows […]", with no word after that."""
    begin = _ELLIPSIS.match(text)
    if begin is None:
        return False
    last = _word(text[::-1])  # one look from the end, where an expression would look ahead from every ellipsis
    return _ELLIPSIS.search(text, max(begin.end(), len(text) - last.start() if last else 0)) is not None


def _written(tree: Tree, spans: Sequence[range], node: int) -> str:
    """The text of a comment; without the mark of the item or the indentation of the definition that it is itself."""
    text = write_text(tree, spans)
    if not spans:
        return text
    holder = tree.common_ancestor(spans[0].start, spans[-1].stop - 1)
    while holder > node and tree.tag[holder] not in _ITEMS:
        holder = tree.parent[holder]
    if holder <= node or tree.tag[holder] == "dd":
        text = dedent(_mark.sub(lambda found: " " * len(found[0]), text))
    return text.strip()


def _levels(tree: Tree, nodes: Sequence[int], units: Sequence[Unit]) -> list[int]:
    """How deep each comment is nested: by the comments around it, or by what its class says."""
    levels: list[int] = []
    around: list[Unit] = []
    for unit in units:
        while around and around[-1].stop <= unit.start:
            around.pop()
        levels.append(len(around))
        around.append(unit)
    if any(levels):
        return levels
    return [int(found[1]) if (found := _find_depth(tree.attributes[node].get("class") or "")) else 0 for node in nodes]
