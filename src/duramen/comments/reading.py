"""From the elements of a comment to its author, its date and its text.

A comment is cut into pieces, which are text nodes. What a piece is, its element's name tells (`roles.py`), or its form:
a date is known as one, a short line of links is for pushing, and what stands in the same words under most comments
("Reply", "Like") was not said by any of them. The rest is the text.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from duramen.comments import roles
from duramen.comments.partition import Unit
from duramen.comments.place import Place
from duramen.comments.stamps import (
    MOST_WORDS,
    SIGNATURES,
    find_stamp,
    is_change,
    is_clock,
    is_sentence,
    is_weekday,
    may_be_said,
)
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import invisible

_LONGEST_NAME: Final = 8
"""Words."""
_LONGEST_LINE: Final = 300
"""Letters in which a name, and the word after it, must stand."""
_FEW: Final = 4
"""So many words beside an author, a date or a button make no sentence: "says", "on", "at"."""
_SAME: Final = 3
"""A line that so many comments have, and half of them, is the page's."""

_VERBS = re.compile(
    r"[\s,:.…|>»–—-]*\b(?:says?|said|wrote|writes|schrieb|schreibt|sagt|sagte|dit|a écrit|dijo|escribió|dice|scrive"
    r"|ha scritto|disse|escreveu|pisze|napisał\(?a?\)?|пишет|говорит|написал|λέει|yazdı|schreef|zegt"
    r"|commented|responded|replied|posted)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_EDGES: Final = " \t\n\r\xa0:,;|·•-–—»>«<[](){}#.…/\\\"'“”"
_PREPOSITION = re.compile(r"[\s,|-]+(?:at|on|am|um|le|el|il|op|à|a las|em)$", re.IGNORECASE)
_TIMES: Final = frozenset(("time", "abbr", "span", "a"))
_ISO = re.compile(r"\s*\d{4}-\d\d-\d\d")
_is_sentence = re.compile(r"[^\W\d_]+\W+[^\W\d_].*[^\s.…][.!?。！？]\Z").match
_LETTER = re.compile(r"[^\W\d_]")
_number = re.compile(r"\d+")


@dataclass(frozen=True)
class Piece:
    """A text node of a comment."""

    node: int
    text: str
    words: int
    role: int
    stamp: str | None
    linked: bool


@dataclass(frozen=True)
class Reading:
    """What was read of one comment."""

    author: str | None
    stamp: str | None
    moment: str | None
    """The same for machines, from a `<time>` or its like."""
    spans: tuple[range, ...]
    free: int
    """How many words of its text stand in no link, unless it is called its text."""
    whole: tuple[range, ...]


class Reader:
    """Reads the comments of one place."""

    def __init__(self, place: Place, units: Sequence[Unit]) -> None:
        self.place = place
        self.tree: Tree = place.blocks.tree
        self.unseen = invisible(self.tree)
        self.own = list(_own_blocks(place, units))
        self.units = units
        self.roles: dict[int, tuple[int, bool]] = {}
        counts: Counter[str] = Counter()
        for own in self.own:
            counts.update({self._line(block) for block in own})
        self.repeated = {text for text, count in counts.items() if count >= _SAME and 2 * count >= len(units)}

    def read(self, index: int) -> Reading:
        """Author, date and nodes of the unit at this place of the list."""
        blocks = self.place.blocks
        self.roles = self._tops(index)
        author = stamp = guess = None
        free = 0
        body: list[int] = []
        whole: list[int] = []
        for block in self.own[index]:
            pieces = list(self._pieces(block))
            spoken = self.place.spoken[block]
            pieces = [_undated(piece) for piece in pieces] if spoken else _with_one_date(pieces)
            if not pieces:
                continue
            whole += [piece.node for piece in pieces]
            if self._line(block) in self.repeated:
                continue
            elsewhere = blocks.words[block] == blocks.linked[block]  # a link may stand around all of the comment
            kept = _text_of(pieces, blocks.words[block], blocks.linked[block])
            kept_nodes = {piece.node for piece in kept}
            if author is None:
                author = _author(pieces)
            if (stamp is None or is_clock(stamp)) and any(piece.stamp for piece in pieces):
                stamped = [piece for piece in pieces if piece.stamp and piece.node not in kept_nodes]
                if stamped:
                    # The day and the time of day may be apart: "3 May" "at" "10:16".
                    stamp = " ".join(piece.stamp or "" for piece in stamped[:2])
                    if author is None:
                        guess = _signer(pieces, stamped[0])
            body += [piece.node for piece in kept]
            free += sum(
                piece.words
                for piece in kept
                if (piece.role == roles.BODY or not (piece.linked or elsewhere)) and _LETTER.search(piece.text)
            )
        moment = self._moment(whole) or self._silent_moment(index, whole)
        if author is None:
            author = guess
        if author is None:
            author, body = self._first_line(index, body)
        return Reading(author, stamp, moment, _ranges(body), free, _ranges(whole))

    def _line(self, block: int) -> str:
        """A short line without its numbers, unless they are a date: "+9 / -2" is the same under every comment."""
        text = self.place.blocks.text[block]
        if self.place.stamped[block] or self.place.blocks.words[block] > MOST_WORDS:
            return text
        return _number.sub("#", text)

    def _tops(self, index: int) -> dict[int, tuple[int, bool]]:
        """Where to stop when asking the elements around a piece: above the comment, names speak of other things."""
        unit, blocks = self.units[index], self.place.blocks
        node = blocks.node[unit.element]
        if (blocks.start[unit.element], blocks.stop[unit.element]) != (unit.start, unit.stop):
            return {self.tree.parent[node]: (roles.PLAIN, False)} | {
                blocks.node[part]: (roles.PLAIN, False) for part in (unit.element,)
            }
        return {node: (roles.PLAIN, False)}

    def _pieces(self, block: int) -> Iterator[Piece]:
        blocks, tree = self.place.blocks, self.tree
        node = blocks.first[block]
        while node <= blocks.last[block]:
            tag = tree.tag[node]
            if tag == TEXT:
                text = " ".join(tree.text[node].split())
                if text:
                    role, linked = self._role(tree.parent[node])
                    words = len(text.split())
                    stamp = find_stamp(text) if role != roles.BODY or words <= MOST_WORDS else None
                    if role == roles.AUTHOR and words == 1:
                        stamp = None  # the name "3dPrint.at"
                    if role == roles.STAMP and stamp is None and words <= MOST_WORDS and _LETTER.search(text):
                        stamp = text if tree.tag[tree.parent[node]] == "time" else None
                    if stamp is None and is_clock(text):
                        stamp = text.strip(" @-–|,")
                    yield Piece(node, text, words, role, stamp, linked)
            elif tag in self.unseen or node in tree.hidden:
                node = tree.end[node]
                continue
            node += 1

    def _role(self, node: int) -> tuple[int, bool]:
        known, way = self.roles, []
        while node not in known and node >= 0:
            way.append(node)
            node = self.tree.parent[node]
        found, linked = known.get(node, (roles.PLAIN, False))
        for node in reversed(way):
            tag = self.tree.tag[node]
            found = roles.role(tag, self.tree.attributes[node]) or found
            linked = linked or tag == "a"
            known[node] = found, linked
        return found, linked

    def _moment(self, nodes: Sequence[int]) -> str | None:
        """What a `<time>` among the nodes, or an `<abbr>` as microformats use it, says to machines."""
        tree = self.tree
        for node in nodes:
            holder = tree.parent[node]
            if tree.tag[holder] in _TIMES:
                own = tree.attributes[holder]
                value = own.get("datetime") or own.get("title")
                if value and _ISO.match(value):
                    return value
        return None

    def _silent_moment(self, index: int, nodes: Sequence[int]) -> str | None:
        """What a `<time>` says that shows nothing; of the comment itself, not of those inside it."""
        tree, blocks, unit = self.tree, self.place.blocks, self.units[index]
        if not nodes:
            return None
        is_element = (blocks.start[unit.element], blocks.stop[unit.element]) == (unit.start, unit.stop)
        start, stop = nodes[0], tree.end[nodes[-1]]
        if is_element:
            start, stop = blocks.node[unit.element], tree.end[blocks.node[unit.element]]
        if index + 1 < len(self.units) and (inside := self.units[index + 1]).start < unit.stop:
            stop = min(stop, blocks.node[inside.element], blocks.first[inside.start])
        for node in range(start, stop):
            if tree.tag[node] == "time" and tree.end[node] == node + 1:
                value = tree.attributes[node].get("datetime")
                if value and _ISO.match(value):
                    return value
        return None

    def _first_line(self, index: int, body: list[int]) -> tuple[str | None, list[int]]:
        """A short first line, above the text, is the name of who wrote it."""
        blocks = self.place.blocks
        own = [block for block in self.own[index] if body and blocks.last[block] >= body[0]]
        if len(own) > 1 and blocks.words[own[0]] <= _FEW and body[-1] > blocks.last[own[0]]:
            name = clean_name(blocks.text[own[0]])
            if name:
                return name, [node for node in body if node > blocks.last[own[0]]]
        return None, body


def _with_one_date(pieces: list[Piece]) -> list[Piece]:
    """In the line of a date, a date among words is spoken of."""
    dated = [piece for piece in pieces if piece.stamp]
    said = {piece.node for piece in dated if piece.role in (roles.PLAIN, roles.BODY) and may_be_said(piece.text)}
    if not said or len(said) == len(dated):
        return pieces
    return [_undated(piece) if piece.node in said else piece for piece in pieces]


def _undated(piece: Piece) -> Piece:
    """What has a date and is no date: part of what is said, unless it tells when the comment was changed."""
    if not piece.stamp:
        return piece
    changed = is_change(piece.text) and not is_sentence(piece.text)
    return replace(piece, stamp=None, role=roles.CONTROL if changed else piece.role)


def _text_of(pieces: Sequence[Piece], words: int, linked: int) -> list[Piece]:
    """Of the pieces of a line those that were said."""
    plain = [piece for piece in pieces if _is_plain(piece)]
    size = sum(piece.words for piece in plain if _LETTER.search(piece.text))
    if any(piece.role == roles.BODY for piece in plain):
        few = 0
    elif len(plain) < len(pieces):
        few = _FEW
    else:
        few = _FEW if words == linked else 0
    if size <= few and not any(_is_sentence(piece.text) for piece in plain if not piece.linked):
        return [piece for piece in plain if piece.role == roles.BODY and len(plain) == len(pieces)]
    if len(plain) == len(pieces):
        return plain
    last = max(at for at, piece in enumerate(pieces) if not _is_plain(piece))
    lead = sum(piece.words for piece in pieces[:last] if _is_plain(piece))
    return [piece for piece in pieces[last + 1 :] if _is_plain(piece)] if lead <= MOST_WORDS else plain


def _is_plain(piece: Piece) -> bool:
    return piece.stamp is None and piece.role in (roles.PLAIN, roles.BODY)


def _author(pieces: Sequence[Piece]) -> str | None:
    for piece in pieces:
        if piece.role == roles.AUTHOR:
            name = clean_name(piece.text[: piece.text.find(piece.stamp)] if piece.stamp else piece.text)
            if name:
                return name
    return None


def _signer(pieces: Sequence[Piece], stamp: Piece) -> str | None:
    """The name in the line of a date: in a link, or between "posted by" and the date."""
    for piece in pieces:
        if piece.linked and not piece.stamp and piece.role != roles.CONTROL and (name := clean_name(piece.text)):
            return name
    for piece in pieces:
        if piece.role in (roles.PLAIN, roles.STAMP) and piece.words <= MOST_WORDS:
            text = piece.text[: piece.text.find(piece.stamp)] if piece.stamp else piece.text
            if name := clean_name(text):
                return name
        if piece is stamp:
            break
    return None


def clean_name(text: str) -> str | None:
    """A name without "by" and "says"; None where there is none."""
    text = " ".join(text.split())
    if len(text) > _LONGEST_LINE:
        # Who speaks is told at the beginning, and the expressions look ahead from every letter.
        text = text[:_LONGEST_LINE]
        if not _VERBS.search(text):
            return None
    lower = text.lower()
    for begin in SIGNATURES:
        if lower.startswith(begin):
            text = text[len(begin) :]
            break
    text = _VERBS.sub("", text)
    text = _PREPOSITION.sub("", text.strip(_EDGES)).strip(_EDGES)
    if "://" in text or text.startswith("www."):
        return None
    if not _LETTER.search(text) or len(text.split()) > _LONGEST_NAME or text.lower() in _NO_NAMES or is_weekday(text):
        return None
    return text


_NO_NAMES: Final = frozenset(
    "on at by am um le el il reply permalink link says said comment comments posted anonymous-user # the and von par"
    " por profile".split()
)


def _own_blocks(place: Place, units: Sequence[Unit]) -> Iterator[list[int]]:
    """Of each unit the blocks that stand in no unit inside it, nor in a form."""
    owner = [-1] * len(place.blocks)
    for index, unit in enumerate(units):  # those inside come later
        owner[unit.start : unit.stop] = [index] * (unit.stop - unit.start)
    found: list[list[int]] = [[] for _ in units]
    for block, index in enumerate(owner):
        if index >= 0 and not place.left_out[block]:
            found[index].append(block)
    yield from found


def _ranges(nodes: Sequence[int]) -> tuple[range, ...]:
    """Nodes as spans, each of neighbours."""
    spans: list[range] = []
    for node in nodes:
        if spans and spans[-1].stop == node:
            spans[-1] = range(spans[-1].start, node + 1)
        else:
            spans.append(range(node, node + 1))
    return tuple(spans)
