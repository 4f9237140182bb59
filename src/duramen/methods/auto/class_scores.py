# cython: boundscheck=False, wraparound=False
# Every index is a name that was counted, or a slot within the mask of the table.
"""Hints: what the names that authors gave to elements say of the text in them.

`class`, `id`, `role` and `itemprop` are written for style sheets and scripts, but by people: `sidebar`, `post-content`,
`articleBody`. Each word of such a name has a score in a dictionary that is part of the model: how much more of the text
below elements that bear it is content than of text elsewhere, as a logarithm of odds, learnt over sites. The words are
looked up, never matched: a name is cut at hyphens, underscores and capitals; one of which the dictionary knows no part
is tried by its beginning, so that `commentlist` finds `comment`.

Tags have a score of their own, under `<p>` and so on.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from duramen.dom.tree import Attributes, Tree

Dictionary = Mapping[str, int]

MOST_NAMES = 8
"""Of a longer class attribute the rest is style, not meaning."""
_SHORTEST, _LONGEST = 4, 9
"""How long a beginning is tried."""

_ATTRIBUTES = "class", "id", "role", "itemprop"
_capitals = re.compile("(?<=[a-z])(?=[A-Z])")

Score = tuple[float, int, int, bool]
"""Of an element: the mean of its words' scores, the lowest, the highest and whether there was any."""

NONE: Score = 0.0, 0, 0, False

_COMPILED = False
_SEED, _PRIME = 0xCBF29CE484222325, 0x100000001B3  # of a hash, which is FNV-1a
_MISSING = -1
_MAYBE = 1 << 17  # bits
_COMMENT = "omment"
_OMMENT, _SIX = 0x6F6D6D656E74, 0xFFFFFFFFFFFF  # the same as a number, and six letters

_Sum = tuple[int, int, int, int]
"""Of a name: the sum of its words' scores, how many were known, the lowest and the highest."""


def names(attributes: Attributes) -> list[str]:
    """The names of an element."""
    return _names(attributes.get("class"), attributes.get("id"), attributes.get("role"), attributes.get("itemprop"))


def words(name: str) -> list[str]:
    """The words of a name: the whole of it, and its parts."""
    return _words(name)


def score(names: list[str], dictionary: Dictionary) -> Score:
    """What the names of an element say together."""
    return _score(names, dictionary, {})


@dataclass(eq=False)
class Names:
    """The names of the elements of a page. Elements with the very same names share a number."""

    which: array[int]
    """Of each element the number of its names."""
    said: array[float]
    """Of names the four numbers of a score; none at all of what is said of the whole page: it tells nothing apart."""
    first: array[int]
    """The first word of the class, as a number; 0 where there is none."""
    role: list[str | None]
    commented: array[int]
    """Whether the class or the id speaks of comments."""
    ends: array[int]
    """Names n have the words from `ends[n]` to `ends[n + 1]`, by their numbers in the dictionary;
    those of the whole page have none."""
    words: array[int]


def read_names(tree: Tree, nodes: array[int], dictionary: Dictionary) -> Names:
    """The names of these elements, and what a dictionary says of them. Pages repeat names: each is looked up once."""
    names, which = tree.attribute_combinations(_ATTRIBUTES, nodes)
    whole = 0
    for place in range(min(len(nodes), 2)):
        if tree.tag[nodes[place]] in ("html", "body"):
            names.append(names[which[place]])
            which[place] = len(names) - 1
            whole += 1
    count = len(names)
    said, first, commented = _numbers("d", 4 * count), _numbers("q", count), _numbers("q", count)
    ends, told = _numbers("q", count + 1), _Told()
    roles = _read(names, dictionary, said, first, commented, told, ends, len(names) - whole)
    said[4 * (count - whole) :] = _numbers("d", 4 * whole)
    return Names(which, said, first, roles, commented, ends, told.words())


def numbers_of(words: list[str], dictionary: Dictionary) -> list[int]:
    """The numbers of words in a dictionary, −1 for those that it has not."""
    order = _order(dictionary)
    return [order.get(word, _MISSING) for word in words]


def _numbers(kind: str, count: int) -> array[Any]:
    return array(kind, (0,)) * count


def _names(name: str | None, identity: str | None, role: str | None, itemprop: str | None) -> list[str]:
    found: list[str] = name.split()[:MOST_NAMES] if name else []
    if identity:
        found += identity.split()[:MOST_NAMES]
    if role:
        found.append("role=" + role)
    if itemprop:
        found.append("prop=" + itemprop)
    return found


def _words(name: str) -> list[str]:
    lower = name.lower()
    found = [lower]
    if lower != name:
        lower = _capitals.sub("-", name).lower()
    if "-" in lower or "_" in lower:
        found += [part for part in lower.replace("_", "-").split("-") if len(part) > 1]
    return found


def _sum(name: str, dictionary: Dictionary) -> _Sum:
    total = count = lowest = highest = 0
    known = None
    found = _words(name)
    for word in found:
        known = dictionary.get(word)
        if known is not None:
            value = known
            total += value
            count += 1
            if value < lowest:
                lowest = value
            elif value > highest:
                highest = value
    if not count:
        word = found[0]
        for length in range(min(len(word) - 1, _LONGEST), _SHORTEST - 1, -1):
            known = dictionary.get(word[:length])
            if known is not None:
                value = known
                return value, 1, min(value, 0), max(value, 0)
    return total, count, lowest, highest


def _score(names: list[str], dictionary: Dictionary, sums: dict[str, _Sum]) -> Score:
    total = count = lowest = highest = 0
    for name in names:
        known = sums.get(name)
        if known is None:
            known = sums[name] = _sum(name, dictionary)
        each, many, low, high = known
        total += each
        count += many
        if low < lowest:
            lowest = low
        if high > highest:
            highest = high
    return (total / count, lowest, highest, True) if count else NONE


def _read(
    names: list[tuple[str | None, ...]],
    dictionary: Dictionary,
    said: array[float],
    first: array[int],
    commented: array[int],
    told: _Told,
    ends: array[int],
    telling: int,
) -> list[str | None]:
    """Fill the numbers; the roles. Of the names the first so many tell of a part of the page."""
    sums: dict[str, _Sum] = {}
    words: dict[str, int] = {"": 0}
    roles: list[str | None] = []
    table = _table(dictionary) if _COMPILED else None
    numbers = _order(dictionary)
    for place, (name, identity, role, itemprop) in enumerate(names):
        roles.append(role)
        if name is not None:
            word = _first(name)
            number = words.get(word, -1)
            if number < 0:
                number = words[word] = len(words)
            first[place] = number
        at = 4 * place
        told.forget()
        if table is not None and _is_plain(name) and _is_plain(identity) and _is_one(role) and _is_one(itemprop):
            if name is not None:
                told.read(name, table)
            if identity is not None:
                told.read(identity, table)
            commented[place] = told.is_commented
            if role:
                told.read("role=" + role, table)
            if itemprop:
                told.read("prop=" + itemprop, table)
            if told.count:
                said[at] = told.total / told.count
                said[at + 1], said[at + 2], said[at + 3] = told.lowest, told.highest, 1
        else:
            if (name is not None and _COMMENT in name) or (identity is not None and _COMMENT in identity):
                commented[place] = 1
            each = _names(name, identity, role, itemprop)
            own = _score(each, dictionary, sums)
            said[at], said[at + 1], said[at + 2], said[at + 3] = own
            for one in each:
                for word in _words(one):
                    if word in numbers:
                        told.note(numbers[word])
        if place >= telling:
            told.size = ends[place]
        ends[place + 1] = told.size
    return roles


_ordered: tuple[Dictionary, dict[str, int]] = {}, {}


def _order(dictionary: Dictionary) -> dict[str, int]:
    """The numbers of its words: those of one dictionary are kept, since most callers have one model."""
    global _ordered
    kept = _ordered
    if kept[0] is not dictionary:
        kept = _ordered = dictionary, {word: number for number, word in enumerate(dictionary)}
    return kept[1]


def _first(name: str) -> str:
    """The first word of a class."""
    if not _COMPILED:
        words = name.split(None, 1)
        return words[0] if words else ""
    start = -1
    for at, character in enumerate(name):
        if not character.isspace():
            if start < 0:
                start = at
        elif start >= 0:
            return name[start:at]
    return name[start:] if start >= 0 else ""


def _is_plain(value: str | None) -> bool:
    return value is None or value.isascii()


def _is_one(value: str | None) -> bool:
    """Whether a value is plain, and has no white space."""
    if value is not None:
        for character in value:
            if ord(character) > 127 or character.isspace():
                return False
    return True


class _Told:
    """What words say together, and their numbers."""

    def __init__(self) -> None:
        self.room = _numbers("q", 256)
        self.known = self.room
        self.size = 0
        self.forget()

    def forget(self) -> None:
        """Begin anew; the numbers stay."""
        self.total = self.count = self.lowest = self.highest = 0
        self.is_commented = False

    def words(self) -> array[int]:
        """The numbers that were noted."""
        return self.room[: self.size]

    def note(self, number: int) -> None:
        if self.size == len(self.known):
            self.room = self.room * 2
            self.known = self.room
        self.known[self.size] = number
        self.size += 1

    def read(self, value: str, table: _Table) -> None:
        """Add what the names of a value say: for the compiled twin alone, as is all that follows. There it is quicker
        to read names letter by letter, and to look words up by a hash that grows with them, than to make strings."""
        at = start = names = size = 0
        before = self.count
        whole = part = _SEED
        is_small = is_cut = False
        tail = 0  # the last letters
        for character in value:
            letter = ord(character)
            at += 1
            if letter <= 32 and character.isspace():
                if at - start > 1:
                    self.end(value, start, at - 1, whole, part if is_cut and size > 1 else 0, before, table)
                    names += 1
                    if names == MOST_NAMES:
                        self.is_commented = self.is_commented or _COMMENT in value
                        return
                    before = self.count
                    whole = part = _SEED
                    size = 0
                    is_small = is_cut = False
                start, tail = at, 0
                continue
            tail = (tail << 8 | letter) & _SIX
            if tail == _OMMENT:
                self.is_commented = True
            if 65 <= letter <= 90:
                letter += 32
                if is_small:
                    if size > 1:
                        self.find(part, table)
                    part, size, is_cut = _SEED, 0, True
                is_small = False
            else:
                is_small = 97 <= letter <= 122
            whole = (whole ^ letter) * _PRIME
            if letter == 45 or letter == 95:
                if size > 1:
                    self.find(part, table)
                part, size, is_cut = _SEED, 0, True
            else:
                part = (part ^ letter) * _PRIME
                size += 1
        if at > start:
            self.end(value, start, at, whole, part if is_cut and size > 1 else 0, before, table)

    def end(self, value: str, start: int, stop: int, whole: int, part: int, before: int, table: _Table) -> None:
        """A name ends: add the whole of it, and its last part; without any known word, its beginning."""
        self.find(whole, table)
        if part:
            self.find(part, table)
        if self.count == before:
            self.add(_beginning(value, start, stop, table), table)

    def find(self, told: int, table: _Table) -> None:
        """Add the word with this hash, and note it."""
        number = table.get(told)
        if number != _MISSING:
            self.add(number, table)
            self.note(number)

    def add(self, number: int, table: _Table) -> None:
        if number != _MISSING:
            value = table.scores[number]
            self.total += value
            self.count += 1
            if value < self.lowest:
                self.lowest = value
            elif value > self.highest:
                self.highest = value


class _Table:
    """A dictionary by the hashes of its words."""

    def __init__(self, dictionary: Dictionary) -> None:
        size = 16
        while 2 * size < 3 * len(dictionary):
            size *= 2
        self.dictionary = dictionary
        self.mask = size - 1
        # Of each hash a bit that says whether any word has one like it: most words that are asked are unknown.
        self.maybe = array("B", bytes(_MAYBE >> 3))
        self.hashes = array("Q", bytes(8 * size))
        self.numbers = array("q", bytes(8 * size))
        self.scores = array("q", dictionary.values())
        for number, word in enumerate(dictionary):
            if word.isascii():
                self.add(word, number)

    def add(self, word: str, number: int) -> None:
        told = _SEED
        for letter in word:
            told = (told ^ ord(letter)) * _PRIME
        self.maybe[(told >> 44 & (_MAYBE - 1)) >> 3] |= 1 << (told >> 44 & 7)
        slot = told & self.mask
        while self.hashes[slot]:
            slot = (slot + 1) & self.mask
        self.hashes[slot] = told
        self.numbers[slot] = number

    def get(self, told: int) -> int:
        """The number of the word with this hash."""
        if not self.maybe[(told >> 44 & (_MAYBE - 1)) >> 3] & 1 << (told >> 44 & 7):
            return _MISSING
        slot = told & self.mask
        while self.hashes[slot]:
            if self.hashes[slot] == told:
                return self.numbers[slot]
            slot = (slot + 1) & self.mask
        return _MISSING


_last: _Table | None = None


def _table(dictionary: Dictionary) -> _Table:
    """The table of a dictionary: one is kept, since most callers have one model."""
    global _last
    table = _last
    if table is None or table.dictionary is not dictionary:
        table = _last = _Table(dictionary)
    return table


def _beginning(value: str, start: int, stop: int, table: _Table) -> int:
    """The longest beginning of a name that is a word."""
    found = _MISSING
    told = _SEED
    for place in range(start, min(stop - 1, start + _LONGEST)):
        letter = ord(value[place])
        told = (told ^ (letter + 32 if 65 <= letter <= 90 else letter)) * _PRIME
        if place - start + 1 >= _SHORTEST:
            said = table.get(told)
            if said != _MISSING:
                found = said
    return found
