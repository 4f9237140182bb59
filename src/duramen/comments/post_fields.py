"""Author, date and text of the posts of a thread, read by comparison of the posts with each other.

All posts of a page come from one template. So a text node has the same slot in every post: the tags between it and the
next element with a class. The slot that holds a date in most posts is that of the posting date, and the slot that
holds a short text in most posts, which is often a link and differs between posts, is that of the author. The text of a
post is in the slots of which the method kept the larger part: so a quote that the method lost in one post is there
again, and a line of a profile that it kept in one post is not.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from duramen.comments.comment_fields import clean_name
from duramen.comments.timestamps import is_edit_note, may_mention_date
from duramen.dom.blocks import Blocks
from duramen.dom.class_names import AUTHOR, CONTROL, DATE, PLAIN, find_part_role
from duramen.dom.date_forms import MAX_DATE_LINE_WORDS, find_date
from duramen.dom.tag_sets import INLINE_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import find_invisible_tags

_MAX_SLOT_LEVELS: Final = 6
"""Elements above a text node that its slot names."""
_MAX_ROLE_LEVELS: Final = 3
"""Elements above a text node whose names tell what it is."""
_MAX_PROPERTY_LEVELS: Final = 8
"""Elements above a text node whose schema.org properties are read."""
_MAX_FILLER_WORDS: Final = 4
"""So many words beside author and date are no text: "says", "wrote on"."""
_MIN_REPEATS: Final = 3
"""A line of so many posts, and of half of them, belongs to the page."""
_MIN_TEXT_SHARE: Final = 0.5
"""Share of the words in a slot that the method must have kept for the slot to hold text."""
_MAX_MACHINE_DATE_LEVELS: Final = 2
_MACHINE_DATE_ATTRIBUTES: Final = ("datetime", "title", "content")
_match_iso_date = re.compile(r"\s*\d{4}-\d\d-\d\d").match
_LAST_PART = re.compile(r"[^/=?]+/?\Z")
_MAX_ADDRESS_CHARS: Final = 300
_DIGITS = re.compile(r"\d+")
_find_year = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)").search
_match_number = re.compile(r"[#+-]?\d{1,6}\.?").fullmatch
_has_clock = re.compile(r"\d[:.h][0-5]\d").search

# Weights of what tells the slot of the date or of the author, beside the share of the posts that have it.
_CLOCK_WEIGHT: Final = 0.5
_MARK_WEIGHT: Final = 1.0
_VARIETY_WEIGHT: Final = 0.5
_LINK_WEIGHT: Final = 0.6
_NEAR_DATE_WEIGHT: Final = 0.4
_MIN_SLOT_SHARE: Final = 0.4
"""Share of the posts that must have something in a slot."""

Slot = tuple[str, ...]


class PostPiece(NamedTuple):
    """A text node of a post, or a `<time>` without text."""

    node: int
    block: int
    slot: Slot
    text: str
    words: int
    role: int
    href: str | None
    """Address of the link around the text."""
    follows_edit_note: bool
    """Whether a text such as "edited by" comes before it in its line."""


@dataclass(frozen=True)
class PostFields:
    """What was read of one post."""

    author: str | None
    stamp: str | None
    machine_date: str | None
    spans: tuple[range, ...]
    all_spans: tuple[range, ...]


@dataclass
class _SlotCounts:
    """What the posts have in one slot: its first value in each post."""

    posts: set[int] = field(default_factory=set)
    values: set[str] = field(default_factory=set)
    clocks: int = 0
    marks: int = 0
    addresses: set[str] = field(default_factory=set)
    links: int = 0
    near_dates: int = 0
    years: dict[int, int] = field(default_factory=dict)
    """Year of the date in each post that has one."""


class PostReader:
    """Reads the posts of one page; `own_blocks` are the blocks of each post, outside posts inside it."""

    def __init__(
        self, blocks: Blocks, kept: Sequence[int], tops: Sequence[int], own_blocks: Sequence[Sequence[int]]
    ) -> None:
        self.blocks = blocks
        self.tree = blocks.tree
        self.kept = kept
        self.own_blocks = own_blocks
        self.invisible = find_invisible_tags(self.tree)
        self.empty_times = find_empty_times(blocks)
        self.roles: dict[int, int] = {}
        self.stems: dict[str, str] = {}
        self.pieces = [
            [piece for block in own for piece in self._read_pieces(block, top)]
            for top, own in zip(tops, own_blocks, strict=True)
        ]
        self.date_slots = self._rank_date_slots()
        self.date_blocks = self._find_date_blocks()
        self.author_slots = self._rank_author_slots()
        self.profile_folders = self._find_profile_folders()
        self.text_slot_of = {
            block: self._find_slot(blocks.node[blocks.owner[block]], top)[0][-2:]
            for top, own in zip(tops, own_blocks, strict=True)
            for block in own
        }
        self.text_slots = self._find_text_slots()
        lines = Counter(line for own in own_blocks for line in {self._normalize_line(block) for block in own})
        self.repeated_lines = {
            line for line, count in lines.items() if count >= _MIN_REPEATS and 2 * count >= len(own_blocks)
        }

    def read(self, index: int) -> PostFields:
        """Read the post with this index."""
        pieces = self.pieces[index]
        dates = [piece for piece in pieces if self._is_date(piece)]
        dated = next((piece for piece in dates if piece.slot in self.date_slots[:1]), None)
        if dated is None:
            dated = next((piece for piece in dates if piece.role == DATE), None)
        named = self._choose_name(pieces)
        fields = {piece.node for piece in (dated, named) if piece is not None}
        fields.update(piece.node for piece in dates if piece.slot in self.date_slots[:1])
        lines: list[list[PostPiece]] = []
        for block, members in _group_by_block(pieces):
            rest = [piece for piece in members if piece.node not in fields]
            if self._normalize_line(block) in self.repeated_lines:
                continue
            if len(rest) < len(members) and sum(piece.words for piece in rest) <= _MAX_FILLER_WORDS:
                continue
            if self.text_slot_of[block] in self.text_slots:
                lines.append(rest)
        # The number of the post, or of the votes for it.
        if len(lines) > 1 and _is_number(lines[0]):
            del lines[0]
        if len(lines) > 1 and _is_number(lines[-1]):
            del lines[-1]
        return PostFields(
            clean_name(named.text) if named else None,
            find_posting_date(dated.text, dated.words) if dated else None,
            find_machine_date(self.tree, dated.node) if dated else self._find_empty_time(index),
            _join_pieces(pieces, {piece.node for line in lines for piece in line}),
            _join_pieces(pieces, {piece.node for piece in pieces}),
        )

    def _normalize_line(self, block: int) -> str:
        """Return a line; a short one without its numbers: "Post 3", "4 likes"."""
        text = self.blocks.text[block]
        return text if self.blocks.words[block] > _MAX_FILLER_WORDS else _DIGITS.sub("#", text)

    def _choose_name(self, pieces: Sequence[PostPiece]) -> PostPiece | None:
        """Return the author: in the usual slot, or with a link like those of the other authors, or by its names."""
        names = [piece for piece in pieces if self._is_name(piece)]
        declared = next((piece for piece in names if self._is_declared_author(piece)), None)
        if declared is not None:
            return declared
        in_slot = next((piece for piece in names if piece.slot in self.author_slots[:1]), None)
        if in_slot is not None:
            return in_slot
        linked = next(
            (piece for piece in names if piece.href and _find_folder(piece.href) in self.profile_folders), None
        )
        return linked or next((piece for piece in names if piece.role == AUTHOR), None)

    def _is_declared_author(self, piece: PostPiece) -> bool:
        """Return whether schema.org markup declares a text to be the author, or the name of the author."""
        node, is_name = piece.node, False
        for level in range(_MAX_PROPERTY_LEVELS):
            if level >= _MAX_ROLE_LEVELS and not is_name:
                break  # the element of the author may hold rank and badges as well
            node = self.tree.parent[node]
            item_property = self.tree.attributes[node].get("itemprop")
            if item_property == "author":
                return True
            is_name = is_name or item_property == "name"
            if node == 0 or item_property not in (None, "name", "url"):
                break  # another property, such as the author's title
        return False

    def _find_profile_folders(self) -> set[str]:
        """Return the common beginnings of the addresses of authors' profiles."""
        folders = Counter(
            _find_folder(piece.href)
            for pieces in self.pieces
            for piece in pieces
            if piece.href and piece.slot in self.author_slots[:1]
        )
        return {folder for folder, count in folders.items() if 2 * count >= folders.total()}

    def _read_pieces(self, block: int, top: int) -> Iterator[PostPiece]:
        tree, node, last = self.tree, self.blocks.first[block], self.blocks.last[block]
        follows_edit_note = False
        while node <= last:
            tag = tree.tag[node]
            if tag == TEXT:
                parts = tree.text[node].split()
                if parts:
                    text = " ".join(parts)
                    slot, href = self._find_slot(tree.parent[node], top)
                    role = self._find_role(node, top)
                    yield PostPiece(node, block, slot, text, len(parts), role, href, follows_edit_note)
                    follows_edit_note = follows_edit_note or is_edit_note(text)
            elif tag in self.invisible or node in tree.hidden:
                node = tree.end[node]
                continue
            node += 1

    def _find_slot(self, node: int, top: int) -> tuple[Slot, str | None]:
        """Return the slot of an element, and the address of the link around it."""
        tree = self.tree
        slot: list[str] = []
        # Names of moderators are often in bold or in a color: elements in a link make no other slot.
        link = self._find_link(node, top)
        node = node if link is None else link
        for _ in range(_MAX_SLOT_LEVELS):
            if node <= top:
                break
            slot.append(tree.tag[node])
            if stem := self._find_stem(tree.attributes[node].get("class") or ""):
                slot = [stem] if INLINE_TAGS.issuperset(slot) else [*slot, stem]
                break
            node = tree.parent[node]
        return tuple(slot), None if link is None else tree.attributes[link].get("href")

    def _find_link(self, node: int, top: int) -> int | None:
        tree = self.tree
        for _ in range(_MAX_SLOT_LEVELS):
            if node <= top or tree.tag[node] not in INLINE_TAGS:
                break
            if tree.tag[node] == "a":
                return node
            node = tree.parent[node]
        return None

    def _find_stem(self, classes: str) -> str:
        stem = self.stems.get(classes)
        if stem is None:
            stem = self.stems[classes] = _DIGITS.sub("#", next(iter(classes.split()), ""))
        return stem

    def _find_role(self, node: int, top: int) -> int:
        for _ in range(_MAX_ROLE_LEVELS):
            node = self.tree.parent[node]
            if node <= top:
                break
            role = self.roles.get(node)
            if role is None:
                role = self.roles[node] = find_part_role(self.tree.tag[node], self.tree.attributes[node])
            if role != PLAIN:
                return role
        return PLAIN

    def _is_date(self, piece: PostPiece) -> bool:
        """Return whether a piece may be a posting date."""
        if piece.follows_edit_note or is_edit_note(piece.text) or find_posting_date(piece.text, piece.words) is None:
            return False
        if not self.kept[piece.block] or piece.role == DATE:
            return True
        is_known_form = find_date(piece.text) is not None
        return not may_mention_date(piece.text) if is_known_form else piece.words <= _MAX_FILLER_WORDS

    def _is_name(self, piece: PostPiece) -> bool:
        """Return whether a piece may be the name of an author."""
        if piece.role in (CONTROL, DATE) or piece.follows_edit_note:
            return False
        if is_edit_note(piece.text) or find_posting_date(piece.text, piece.words) is not None:
            return False
        if self.kept[piece.block] and piece.block not in self.date_blocks and piece.role != AUTHOR:
            if piece.href is None or piece.words != self.blocks.words[piece.block]:
                return False
        return clean_name(piece.text) is not None

    def _rank_date_slots(self) -> list[Slot]:
        slots: dict[Slot, _SlotCounts] = {}
        for index, pieces in enumerate(self.pieces):
            for piece in pieces:
                if self._is_date(piece):
                    counts = slots.setdefault(piece.slot, _SlotCounts())
                    if index not in counts.posts:
                        counts.posts.add(index)
                        value = find_machine_date(self.tree, piece.node) or piece.text
                        counts.values.add(value)
                        counts.clocks += _has_clock(value) is not None
                        counts.marks += piece.role == DATE
                        if year := _find_year(value):
                            counts.years[index] = int(year[0])
        ranked = self._rank(slots)
        # Members join before they post. Forums show both days in the same form.
        posting = max(
            ranked, key=lambda slot: _count_later_years(slots[slot].years, slots[ranked[0]].years), default=None
        )
        return sorted(ranked, key=lambda slot: slot != posting)

    def _find_date_blocks(self) -> set[int]:
        """Return the blocks with the posting dates."""
        best = self.date_slots[:1]
        return {
            piece.block for pieces in self.pieces for piece in pieces if piece.slot in best and self._is_date(piece)
        }

    def _rank_author_slots(self) -> list[Slot]:
        slots: dict[Slot, _SlotCounts] = {}
        for index, pieces in enumerate(self.pieces):
            for piece in pieces:
                if self._is_name(piece):
                    counts = slots.setdefault(piece.slot, _SlotCounts())
                    if index not in counts.posts:
                        counts.posts.add(index)
                        counts.values.add(piece.text)
                        counts.marks += piece.role == AUTHOR
                        if piece.href is not None and not piece.href.startswith("#"):
                            counts.links += 1
                            counts.addresses.add(piece.href)
                        counts.near_dates += piece.block in self.date_blocks
        # The same name in all posts links to the same profile, and the same button to another address in each post.
        authors = {
            slot: counts
            for slot, counts in slots.items()
            if counts.marks or len(counts.values) > 1 or len(counts.addresses) == 1
        }
        return self._rank(authors)

    def _rank(self, slots: dict[Slot, _SlotCounts]) -> list[Slot]:
        """Return the slots that enough posts have, the most likely first."""

        def rate(counts: _SlotCounts) -> float:
            evidence = (
                _CLOCK_WEIGHT * counts.clocks
                + _MARK_WEIGHT * counts.marks
                + _LINK_WEIGHT * counts.links
                + _NEAR_DATE_WEIGHT * counts.near_dates
                + _VARIETY_WEIGHT * len(counts.values)
            )
            return (len(counts.posts) + evidence) * len(counts.posts)

        common = [slot for slot, counts in slots.items() if len(counts.posts) >= _MIN_SLOT_SHARE * len(self.pieces)]
        return sorted(common, key=lambda slot: (len(slots[slot].values) == 1, -rate(slots[slot])))

    def _find_text_slots(self) -> set[Slot]:
        """Return the slots of blocks of which the method kept the larger part."""
        all_words: Counter[Slot] = Counter()
        kept_words: Counter[Slot] = Counter()
        for block, slot in self.text_slot_of.items():
            all_words[slot] += self.blocks.words[block]
            kept_words[slot] += self.kept[block]
        return {slot for slot, count in kept_words.items() if count and count >= _MIN_TEXT_SHARE * all_words[slot]}

    def _find_empty_time(self, index: int) -> str | None:
        """Return the date of a `<time>` without text in a post."""
        return next((self.empty_times[block] for block in self.own_blocks[index] if block in self.empty_times), None)


def find_empty_times(blocks: Blocks) -> dict[int, str]:
    """Return the dates of `<time>` elements without text, by the block beside each.

    This is the block after it if it is in the same element, or else the block before it.
    """
    tree = blocks.tree
    dates: dict[int, str] = {}
    for node in tree.find_all("time"):
        value = tree.attributes[node].get("datetime")
        if value and tree.end[node] == node + 1 and len(blocks):
            block = bisect_right(blocks.first, node)
            if block and (block == len(blocks) or blocks.first[block] >= tree.end[tree.parent[node]]):
                block -= 1
            dates.setdefault(block, value.strip())
    return dates


def _count_later_years(years: dict[int, int], others: dict[int, int]) -> int:
    """Count the posts with a later year in one slot than in another; 0 if it is not later in most, or ever earlier."""
    later = sum(index in others and year > others[index] for index, year in years.items())
    earlier = sum(index in others and year < others[index] for index, year in years.items())
    return later if 2 * later > len(others) and not earlier else 0


def find_posting_date(text: str, words: int) -> str | None:
    """Return the part of a text of so many words that is a date; None where there is none."""
    if words > MAX_DATE_LINE_WORDS:
        return None
    return find_date(text)


def _find_folder(href: str) -> str:
    """Return an address without its last part: `/members/` for `/members/ann.12/`."""
    return _LAST_PART.sub("", href[:_MAX_ADDRESS_CHARS])


def find_machine_date(tree: Tree, node: int) -> str | None:
    """Return the date for machines of a `<time>`, or of the elements next above a text."""
    if tree.tag[node] == TEXT:
        node = tree.parent[node]
    for _ in range(_MAX_MACHINE_DATE_LEVELS):
        if node < 0:
            break
        attributes = tree.attributes[node]
        for name in _MACHINE_DATE_ATTRIBUTES:
            value = attributes.get(name)
            if value and _match_iso_date(value):
                return value.strip()
        node = tree.parent[node]
    return None


def _is_number(line: Sequence[PostPiece]) -> bool:
    return len(line) == 1 and _match_number(line[0].text) is not None


def _group_by_block(pieces: Sequence[PostPiece]) -> Iterator[tuple[int, list[PostPiece]]]:
    members: list[PostPiece] = []
    for piece in pieces:
        if members and piece.block != members[0].block:
            yield members[0].block, members
            members = []
        members.append(piece)
    if members:
        yield members[0].block, members


def _join_pieces(pieces: Sequence[PostPiece], chosen: set[int]) -> tuple[range, ...]:
    """Return the ranges of the chosen pieces, and of what is between them where no other text is: images, tables."""
    spans: list[range] = []
    before: PostPiece | None = None
    for piece in pieces:
        if piece.node in chosen:
            if before is not None and before.node in chosen and piece.block - before.block <= 1:
                spans[-1] = range(spans[-1].start, piece.node + 1)
            else:
                spans.append(range(piece.node, piece.node + 1))
        before = piece
    return tuple(spans)
