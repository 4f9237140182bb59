"""Author, date and text of each comment.

A comment is a sequence of pieces, which are text nodes. The names of the elements around a piece tell what it is
(`dom.class_names`), or its form does: a date is recognized as one, a short line of links consists of buttons, and a
line that most comments share ("Reply", "Like") belongs to the page. The rest is the text.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import Final, NamedTuple

from duramen.comments.comment_segmentation import CommentSegment
from duramen.comments.container import CommentContainer
from duramen.comments.timestamps import (
    SIGNATURE_PREFIXES,
    is_dated_sentence,
    is_edit_note,
    may_mention_date,
)
from duramen.dom.class_names import AUTHOR, BODY, CONTROL, DATE, PLAIN, find_part_role
from duramen.dom.date_forms import MAX_DATE_LINE_CHARS, MAX_DATE_LINE_WORDS, find_date, is_clock, is_day_name
from duramen.dom.tree import TEXT
from duramen.dom.visibility import find_invisible_tags

_MAX_NAME_WORDS: Final = 8
_MAX_NAME_LINE_CHARS: Final = 300
"""Characters in which a name and the verb after it must stand."""
_MAX_FILLER_WORDS: Final = 4
"""So many words beside an author, a date or a button are no sentence: "says", "on", "at"."""
_MIN_REPEATS: Final = 3
"""A line of so many comments, and of half of them, belongs to the page."""

_VERB_OF_SPEECH = re.compile(
    r"(?<![\s,:.…|>»–—-])[\s,:.…|>»–—-]*+\b"
    r"(?:says?|said|wrote|writes|schrieb|schreibt|sagt|sagte|dit|a écrit|dijo|escribió|dice|scrive"
    r"|ha scritto|disse|escreveu|pisze|napisał\(?a?\)?|пишет|говорит|написал|λέει|yazdı|schreef|zegt"
    r"|commented|responded|replied|posted)\b.*$",
    re.IGNORECASE | re.DOTALL,
)
_NAME_EDGES: Final = " \t\n\r\xa0:,;|·•-–—»>«<[](){}#.…/\\\"'“”"
_PREPOSITION = re.compile(r"(?<![\s,|-])[\s,|-]++(?:at|on|am|um|le|el|il|op|à|a las|em)$", re.IGNORECASE)
_NOT_NAMES: Final = frozenset(
    "on at by am um le el il reply permalink link says said comment comments posted anonymous-user # the and von par"
    " por profile".split()
)
_DATE_TAGS: Final = frozenset(("time", "abbr", "span", "a"))
_match_iso_date = re.compile(r"\s*\d{4}-\d\d-\d\d").match
_is_sentence = re.compile(r"[^\W\d_]+\W+[^\W\d_].*[^\s.…][.!?。！？]\Z").match
_find_letter = re.compile(r"[^\W\d_]").search
_DIGITS = re.compile(r"\d+")

_PartRole = tuple[int, bool]
"""Role of an element in a comment (`dom.class_names`), and whether it is in a link."""
_TOP: Final[_PartRole] = (PLAIN, False)


class TextPiece(NamedTuple):
    """A text node of a comment."""

    node: int
    text: str
    words: int
    role: int
    date: str | None
    is_linked: bool


class CommentFields(NamedTuple):
    """What was read of one comment."""

    author: str | None
    date: str | None
    machine_date: str | None
    spans: tuple[range, ...]
    """Nodes of the text."""
    free_words: int
    """Words of the text outside links, or in an element with the name of the text."""
    all_spans: tuple[range, ...]


class FieldReader:
    """Reads the comments of one container."""

    def __init__(self, container: CommentContainer, segments: Sequence[CommentSegment]) -> None:
        self.container = container
        self.segments = segments
        self.tree = container.blocks.tree
        self.invisible = find_invisible_tags(self.tree)
        self.own_blocks = find_own_blocks(container, segments)
        self.own_roles: dict[int, int] = {}
        self.machine_dates: dict[int, str] = {}
        self._read_elements()
        self.empty_times = [node for node in self.tree.find_all("time") if self.tree.end[node] == node + 1]
        self.roles: dict[int, _PartRole] = {}
        self.lines = {block: self._normalize_line(block) for own in self.own_blocks for block in own}
        counts: Counter[str] = Counter()
        for own in self.own_blocks:
            counts.update({self.lines[block] for block in own})
        self.repeated_lines = {
            line for line, count in counts.items() if count >= _MIN_REPEATS and 2 * count >= len(segments)
        }

    def _read_elements(self) -> None:
        """Read the roles and machine-readable dates of all elements around the texts of the comments, at once."""
        tree, blocks = self.tree, self.container.blocks
        nodes: set[int] = set()
        for segment, own in zip(self.segments, self.own_blocks, strict=True):
            top = tree.parent[blocks.node[segment.element]]
            for block in own:
                for node in range(blocks.first[block], blocks.last[block] + 1):
                    if tree.tag[node] == TEXT:
                        node = tree.parent[node]
                        while node > top and node not in nodes:
                            nodes.add(node)
                            node = tree.parent[node]
        ordered = sorted(nodes)
        for node, attributes in zip(ordered, tree.read_attributes(ordered), strict=True):
            tag = tree.tag[node]
            self.own_roles[node] = find_part_role(tag, attributes)
            if attributes and tag in _DATE_TAGS:
                # A `<time>`, or an `<abbr>` as in microformats.
                value = attributes.get("datetime") or attributes.get("title")
                if value and _match_iso_date(value):
                    self.machine_dates[node] = value

    def read(self, index: int) -> CommentFields:
        """Read the comment with this index."""
        blocks = self.container.blocks
        self.roles = self._find_top_elements(index)
        author = date = guessed_author = None
        free_words = 0
        text_nodes: list[int] = []
        all_nodes: list[int] = []
        for block in self.own_blocks[index]:
            pieces = self._read_pieces(block)
            if self.container.has_mentioned_date[block]:
                pieces = [_without_date(piece) for piece in pieces]
            else:
                pieces = _keep_posting_date(pieces)
            if not pieces:
                continue
            all_nodes += [piece.node for piece in pieces]
            if self.lines[block] in self.repeated_lines:
                continue
            words, linked_words = blocks.words[block], blocks.linked[block]
            kept = _select_text(pieces, words, linked_words)
            if author is None:
                author = _find_author(pieces)
            if date is None or is_clock(date):
                kept_nodes = {piece.node for piece in kept}
                dated = [piece for piece in pieces if piece.date and piece.node not in kept_nodes]
                if dated:
                    # Day and time of day may be apart: "3 May" "at" "10:16".
                    date = " ".join(piece.date or "" for piece in dated[:2])
                    if author is None:
                        guessed_author = _guess_author(pieces, dated[0])
            text_nodes += [piece.node for piece in kept]
            all_linked = words == linked_words  # a link may enclose the whole comment
            free_words += sum(
                piece.words
                for piece in kept
                if (piece.role == BODY or not (piece.is_linked or all_linked)) and _has_letter(piece.text)
            )
        machine_date = self._find_machine_date(all_nodes) or self._find_empty_time(index, all_nodes)
        if author is None:
            author = guessed_author
        if author is None:
            author, text_nodes = self._split_first_line(index, text_nodes)
        return CommentFields(author, date, machine_date, _join_ranges(text_nodes), free_words, _join_ranges(all_nodes))

    def _normalize_line(self, block: int) -> str:
        """Return a line; a short one without its numbers, unless they are a date: "+9 / -2" is the same everywhere."""
        text = self.container.blocks.text[block]
        if self.container.has_posting_date[block] or self.container.blocks.words[block] > MAX_DATE_LINE_WORDS:
            return text
        return _DIGITS.sub("#", text)

    def _is_element(self, segment: CommentSegment) -> bool:
        """Return whether a comment has an element of its own."""
        blocks = self.container.blocks
        return (blocks.start[segment.element], blocks.stop[segment.element]) == (segment.start, segment.stop)

    def _find_top_elements(self, index: int) -> dict[int, _PartRole]:
        """Return the elements at which the search for roles stops: names above the comment mean other things."""
        segment = self.segments[index]
        node = self.container.blocks.node[segment.element]
        return {node: _TOP} if self._is_element(segment) else {self.tree.parent[node]: _TOP, node: _TOP}

    def _read_pieces(self, block: int) -> list[TextPiece]:
        tree = self.tree
        tags, texts, hidden, unseen = tree.tag, tree.text, tree.hidden, self.invisible
        node, last = self.container.blocks.first[block], self.container.blocks.last[block]
        roles, parents = self.roles, tree.parent
        pieces: list[TextPiece] = []
        while node <= last:
            tag = tags[node]
            if tag == TEXT:
                parts = texts[node].split()
                if parts:
                    parent = parents[node]
                    role, is_linked = roles[parent] if parent in roles else self._find_role(parent)
                    pieces.append(self._read_piece(node, " ".join(parts), len(parts), role, is_linked))
            elif tag in unseen or node in hidden:
                node = tree.end[node]
                continue
            node += 1
        return pieces

    def _read_piece(self, node: int, text: str, words: int, role: int, is_linked: bool) -> TextPiece:
        is_short = len(text) <= MAX_DATE_LINE_CHARS
        date = find_date(text) if is_short and (role != BODY or words <= MAX_DATE_LINE_WORDS) else None
        if role == AUTHOR and words == 1:
            date = None  # the name "3dPrint.at"
        if date is None:
            if role == DATE and words <= MAX_DATE_LINE_WORDS and self.tree.tag[self.tree.parent[node]] == "time":
                date = text if _has_letter(text) else None
            if date is None and is_short and is_clock(text):
                date = text.strip(" @-–|,")
        return TextPiece(node, text, words, role, date, is_linked)

    def _find_role(self, node: int) -> _PartRole:
        known = self.roles
        parents, tags = self.tree.parent, self.tree.tag
        path = []
        while node not in known and node >= 0:
            path.append(node)
            node = parents[node]
        role, is_linked = known.get(node, _TOP)
        for node in reversed(path):
            own_role = self.own_roles.get(node)
            if own_role is None:
                own_role = find_part_role(tags[node], self.tree.attributes[node])
            role = own_role or role
            is_linked = is_linked or tags[node] == "a"
            known[node] = role, is_linked
        return role, is_linked

    def _find_machine_date(self, nodes: Sequence[int]) -> str | None:
        """Return the machine-readable date of the first element around a text that has one."""
        if not self.machine_dates:
            return None
        parents = self.tree.parent
        return next((date for node in nodes if (date := self.machine_dates.get(parents[node]))), None)

    def _find_empty_time(self, index: int, nodes: Sequence[int]) -> str | None:
        """Return the date of a `<time>` without text, in the comment itself and not in a reply inside it."""
        tree, blocks, segment = self.tree, self.container.blocks, self.segments[index]
        if not nodes or not self.empty_times:
            return None
        start, stop = nodes[0], tree.end[nodes[-1]]
        if self._is_element(segment):
            start, stop = blocks.node[segment.element], tree.end[blocks.node[segment.element]]
        if index + 1 < len(self.segments) and (reply := self.segments[index + 1]).start < segment.stop:
            stop = min(stop, blocks.node[reply.element], blocks.first[reply.start])
        for node in self.empty_times[bisect_left(self.empty_times, start) :]:
            if node >= stop:
                break
            value = tree.attributes[node].get("datetime")
            if value and _match_iso_date(value):
                return value
        return None

    def _split_first_line(self, index: int, nodes: list[int]) -> tuple[str | None, list[int]]:
        """Take a short first line above the text as the author; return it and the rest of the nodes."""
        blocks = self.container.blocks
        own = [block for block in self.own_blocks[index] if nodes and blocks.last[block] >= nodes[0]]
        if len(own) > 1 and blocks.words[own[0]] <= _MAX_FILLER_WORDS and nodes[-1] > blocks.last[own[0]]:
            name = clean_name(blocks.text[own[0]])
            if name:
                return name, [node for node in nodes if node > blocks.last[own[0]]]
        return None, nodes


def _keep_posting_date(pieces: list[TextPiece]) -> list[TextPiece]:
    """Drop dates among words from the line of a posting date: they are mentioned."""
    dated = [piece for piece in pieces if piece.date]
    if not dated:
        return pieces
    mentioned = {piece.node for piece in dated if piece.role in (PLAIN, BODY) and may_mention_date(piece.text)}
    if not mentioned or len(mentioned) == len(dated):
        return pieces
    return [_without_date(piece) if piece.node in mentioned else piece for piece in pieces]


def _without_date(piece: TextPiece) -> TextPiece:
    """Return the piece as text without a date, or as a control if it tells when the comment was edited."""
    if not piece.date:
        return piece
    is_note = is_edit_note(piece.text) and not is_dated_sentence(piece.text)
    return piece._replace(date=None, role=CONTROL if is_note else piece.role)


def _select_text(pieces: Sequence[TextPiece], words: int, linked_words: int) -> list[TextPiece]:
    """Return the pieces of a line that belong to the text of the comment."""
    plain = [piece for piece in pieces if _is_plain(piece)]
    size = sum(piece.words for piece in plain if _has_letter(piece.text))
    if any(piece.role == BODY for piece in plain):
        max_filler = 0
    elif len(plain) < len(pieces):
        max_filler = _MAX_FILLER_WORDS
    else:
        max_filler = _MAX_FILLER_WORDS if words == linked_words else 0
    if size <= max_filler and not any(_is_sentence(piece.text) for piece in plain if not piece.is_linked):
        return [piece for piece in plain if piece.role == BODY and len(plain) == len(pieces)]
    if len(plain) == len(pieces):
        return plain
    last = max(index for index, piece in enumerate(pieces) if not _is_plain(piece))
    words_before = sum(piece.words for piece in pieces[:last] if _is_plain(piece))
    if words_before > MAX_DATE_LINE_WORDS:
        return plain
    return [piece for piece in pieces[last + 1 :] if _is_plain(piece)]


def _has_letter(text: str) -> bool:
    return text[:1].isalpha() or _find_letter(text) is not None


def _is_plain(piece: TextPiece) -> bool:
    return piece.date is None and piece.role in (PLAIN, BODY)


def _find_author(pieces: Sequence[TextPiece]) -> str | None:
    for piece in pieces:
        if piece.role == AUTHOR and (name := clean_name(_text_before_date(piece))):
            return name
    return None


def _guess_author(pieces: Sequence[TextPiece], dated: TextPiece) -> str | None:
    """Return the name in the line of a date: in a link, or between "posted by" and the date."""
    for piece in pieces:
        if piece.is_linked and not piece.date and piece.role != CONTROL and (name := clean_name(piece.text)):
            return name
    for piece in pieces:
        if piece.role in (PLAIN, DATE) and piece.words <= MAX_DATE_LINE_WORDS:
            if name := clean_name(_text_before_date(piece)):
                return name
        if piece is dated:
            break
    return None


def _text_before_date(piece: TextPiece) -> str:
    return piece.text[: piece.text.find(piece.date)] if piece.date else piece.text


def clean_name(text: str) -> str | None:
    """Return a name without "by" and "says"; None where the text is no name."""
    text = " ".join(text.split())
    if len(text) > _MAX_NAME_LINE_CHARS:
        # The name is at the beginning, and the expressions look ahead from every letter.
        text = text[:_MAX_NAME_LINE_CHARS]
        if not _VERB_OF_SPEECH.search(text):
            return None
    lower = text.lower()
    for prefix in SIGNATURE_PREFIXES:
        if lower.startswith(prefix):
            text = text[len(prefix) :]
            break
    text = _VERB_OF_SPEECH.sub("", text)
    text = _PREPOSITION.sub("", text.strip(_NAME_EDGES)).strip(_NAME_EDGES)
    if "://" in text or text.startswith("www."):
        return None
    if not _has_letter(text) or len(text.split()) > _MAX_NAME_WORDS or text.lower() in _NOT_NAMES or is_day_name(text):
        return None
    return text


def find_own_blocks(container: CommentContainer, segments: Sequence[CommentSegment]) -> list[list[int]]:
    """Return for each segment its blocks outside forms and outside the segments inside it."""
    segment_of = [-1] * len(container.blocks)
    for index, segment in enumerate(segments):  # inner segments come later
        segment_of[segment.start : segment.stop] = [index] * (segment.stop - segment.start)
    own_blocks: list[list[int]] = [[] for _ in segments]
    for block, index in enumerate(segment_of):
        if index >= 0 and not container.excluded[block]:
            own_blocks[index].append(block)
    return own_blocks


def _join_ranges(nodes: Sequence[int]) -> tuple[range, ...]:
    """Join neighboring nodes to ranges."""
    spans: list[range] = []
    for node in nodes:
        if spans and spans[-1].stop == node:
            spans[-1] = range(spans[-1].start, node + 1)
        else:
            spans.append(range(node, node + 1))
    return tuple(spans)
