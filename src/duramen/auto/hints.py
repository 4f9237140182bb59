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

from duramen.compiled import faster
from duramen.tree import Attributes, Tree

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

_Sum = tuple[int, int, int, int]
"""Of a name: the sum of its words' scores, how many were known, the lowest and the highest."""


@faster
def names(attributes: Attributes) -> list[str]:
    """The names of an element."""
    return _names(attributes.get("class"), attributes.get("id"), attributes.get("role"), attributes.get("itemprop"))


@faster
def words(name: str) -> list[str]:
    """The words of a name: the whole of it, and its parts."""
    return _words(name)


@faster
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


@faster
def read_names(tree: Tree, nodes: array[int], dictionary: Dictionary) -> Names:
    """The names of these elements, and what a dictionary says of them. Pages repeat names: each is looked up once."""
    names, which = tree.combinations_of(_ATTRIBUTES, nodes)
    whole = 0
    for place in range(min(len(nodes), 2)):
        if tree.tag[nodes[place]] in ("html", "body"):
            names.append(names[which[place]])
            which[place] = len(names) - 1
            whole += 1
    count = len(names)
    said, first, commented = _numbers("d", 4 * count), _numbers("q", count), _numbers("q", count)
    words, ends = array("q"), array("q", (0,))
    roles = _read(names, dictionary, said, first, commented, words, ends, len(names) - whole)
    said[4 * (count - whole) :] = _numbers("d", 4 * whole)
    return Names(which, said, first, roles, commented, ends, words)


@faster
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
    known: array[int],
    ends: array[int],
    telling: int,
) -> list[str | None]:
    """Fill the numbers; the roles. Of the names the first so many tell of a part of the page."""
    sums: dict[str, _Sum] = {}
    words: dict[str, int] = {"": 0}
    roles: list[str | None] = []
    table = _table(dictionary) if _COMPILED else None
    numbers = _order(dictionary)
    told = _Told(known)
    for place, (name, identity, role, itemprop) in enumerate(names):
        roles.append(role)
        if name is not None:
            word = _first(name)
            number = words.get(word, -1)
            if number < 0:
                number = words[word] = len(words)
            first[place] = number
        if (name is not None and "omment" in name) or (identity is not None and "omment" in identity):
            commented[place] = 1
        at = 4 * place
        if table is not None and role is None and itemprop is None and _is_plain(name) and _is_plain(identity):
            told.forget()
            if name is not None:
                told.read(name, table)
            if identity is not None:
                told.read(identity, table)
            if told.count:
                said[at] = told.total / told.count
                said[at + 1], said[at + 2], said[at + 3] = told.lowest, told.highest, 1
        else:
            each = _names(name, identity, role, itemprop)
            own = _score(each, dictionary, sums)
            said[at], said[at + 1], said[at + 2], said[at + 3] = own
            for one in each:
                known.extend([numbers[word] for word in _words(one) if word in numbers])
        if place >= telling:
            del known[ends[place] :]
        ends.append(len(known))
    return roles


_ordered: tuple[Dictionary, dict[str, int]] = {}, {}


def _order(dictionary: Dictionary) -> dict[str, int]:
    """The numbers of its words: those of one dictionary are kept, since most callers have one model."""
    global _ordered
    kept = _ordered
    if kept[0] is not dictionary:
        kept = _ordered = dictionary, {word: number for number, word in enumerate(dictionary)}
    return kept[1]


def _first(name: str | None) -> str:
    """The first word of a class."""
    words = name.split(None, 1) if name else None
    return words[0] if words else ""


def _is_plain(value: str | None) -> bool:
    return value is None or value.isascii()


# What follows is for the compiled twin alone, and does what is done above: there it is quicker to read names letter by
# letter, and to look words up by a hash that grows with them, than to make strings of the words.

_COMPILED = __name__.startswith("duramen.compiled.")
_SEED, _PRIME = 0xCBF29CE484222325, 0x100000001B3  # of the hash, which is FNV-1a
_MISSING = -1
_MAYBE = 1 << 17


class _Table:
    """A dictionary by the hashes of its words."""

    def __init__(self, dictionary: Dictionary) -> None:
        size = 16
        while 2 * size < 3 * len(dictionary):
            size *= 2
        self.dictionary = dictionary
        self.mask = size - 1
        self.maybe = array(
            "B", bytes(_MAYBE)
        )  # whether any word has such a hash: most words that are asked are unknown
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
        self.maybe[told >> 44 & (_MAYBE - 1)] = 1
        slot = told & self.mask
        while self.hashes[slot]:
            slot = (slot + 1) & self.mask
        self.hashes[slot] = told
        self.numbers[slot] = number

    def get(self, told: int) -> int:
        """The number of the word with this hash."""
        if not self.maybe[told >> 44 & (_MAYBE - 1)]:
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


class _Told:
    """What words say together."""

    def __init__(self, known: array[int]) -> None:
        self.known = known
        self.total = self.count = self.lowest = self.highest = 0

    def forget(self) -> None:
        """Begin anew."""
        self.total = self.count = self.lowest = self.highest = 0

    def read(self, value: str, table: _Table) -> None:
        """Add what the names of a value say."""
        at = start = names = size = 0
        before = self.count
        whole = part = _SEED
        is_small = is_cut = False
        for character in value + " ":
            letter = ord(character)
            at += 1
            if letter <= 32 and character.isspace():
                if at - start > 1:
                    self.find(whole, table)
                    if is_cut and size > 1:
                        self.find(part, table)
                    if self.count == before:
                        self.add(_beginning(value, start, at - 1, table), table)
                    names += 1
                    if names == MOST_NAMES:
                        return
                    before = self.count
                    whole = part = _SEED
                    size = 0
                    is_small = is_cut = False
                start = at
                continue
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

    def find(self, told: int, table: _Table) -> None:
        """Add the word with this hash, and note it."""
        number = table.get(told)
        if number != _MISSING:
            self.add(number, table)
            self.known.append(number)

    def add(self, number: int, table: _Table) -> None:
        if number != _MISSING:
            value = table.scores[number]
            self.total += value
            self.count += 1
            if value < self.lowest:
                self.lowest = value
            elif value > self.highest:
                self.highest = value


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
