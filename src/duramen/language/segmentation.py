"""Split text into words or tokens, in every script.

Where a script writes spaces, a word is a run of letters, digits and the marks that combine with them. Where it
writes none (Han, kana, Thai, Lao, Khmer, Myanmar and their kin) finding words takes a dictionary, so each character
with its marks is a word of its own: good enough to count, and to compare one text with another. Hangul has spaces,
and Tibetan parts its syllables with a point, so both are read like Latin.

`\\w` alone will not do: it leaves out combining marks, and cuts हिन्दी into three and a decomposed "é" from its accent.
Words are lower-cased, not case-folded: stemmers and lists of stop words are written in lower case, with ß and ς.

A text pays only for the characters it has. Measured in nanoseconds a word, on texts of 10,000 words: ASCII 27, Western
European 55, Cyrillic, Polish and Korean 200, Hindi and Arabic 280; Chinese, Japanese and Thai 110 to 150 a character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

# Western text goes through one byte a character, which is three to six times as fast as a regular expression. A word
# character stays, in lower case; everything else is a space. A soft hyphen is no character at all and is deleted.
_SOFT_HYPHEN = "\xad"
_DELETED = _SOFT_HYPHEN.encode("latin-1")
_LATIN_WORDS = bytes(ord(chr(i).lower()) if chr(i).isalnum() else ord(" ") for i in range(256))

# Finds what does not fit there: anything but Latin-1 and the punctuation and symbols that encoding turns into "?".
_find_beyond_latin = re.compile(
    "[^\0-\xff\u2000-\u200b\u200e-\u205e\u20a0-\u20bf\u2190-\u245f\u2500-\u2775\u2794-\u2bff"
    "\ufe0f\ufeff\U0001f300-\U0001faff]"
).search

# Finds what `\w+` would cut wrongly: anything but letters, digits and symbols that stand alone. U+0130 (İ) is out
# because its lower case is an i and a combining dot, U+200C and U+200D because they join letters.
_find_beyond_plain = re.compile(
    "[^\0-\u012f\u0131-\u02ff\u0370-\u0482\u048a-\u0590\u10a0-\u10ff\u1e00-\u1eff\u2000-\u200b\u200e-\u20cf"
    "\u2100-\u2bff\uac00-\ud7a3\ufeff\U0001f300-\U0001faff]"
).search
_find_plain = re.compile(r"\w+").findall
_find_tokens = re.compile(r"\w+|[^\w\s]").findall

# Blocks with combining marks; which characters of them are marks is asked of `unicodedata`. Beyond the first plane
# only Adlam and the variation selectors of Han are looked at: the other scripts there have no pages to speak of.
_MARKED = (
    *((0x0300, 0x1E00), (0x20D0, 0x2100), (0x2CE0, 0x2E00), (0x3020, 0x30A0), (0xA660, 0xAC00), (0xFB1E, 0xFE30)),
    *((0x1E944, 0x1E94B), (0xE0100, 0xE01F0)),
)
_JOINERS = "\u200c\u200d"

# Blocks of scripts without spaces, save Han, which is too large to ask about and stands in `_HAN`, with room for the
# ideographs that later versions of Unicode add.
_UNSPACED = (
    *((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x1950, 0x19E0), (0x1A20, 0x1AB0)),
    *((0x3005, 0x3200), (0xA000, 0xA4D0), (0xA9E0, 0xAA00), (0xAA60, 0xAAE0), (0xFF66, 0xFFA0), (0x1B000, 0x1B170)),
)
_HAN = "〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"


def words(text: str) -> list[str]:
    """The words of a text in order, in lower case; a character is a word where the script has no spaces.

    >>> words("Don't stop: naïve 2nd-hand 東京!")
    ['don', 't', 'stop', 'naïve', '2nd', 'hand', '東', '京']
    """
    if text.isascii() or not _find_beyond_latin(text):
        return text.encode("latin-1", "replace").translate(_LATIN_WORDS, _DELETED).decode("latin-1").split()
    return _find(text, _unspaced_words)


def count_words(text: str) -> int:
    """`len(words(text))`, a little faster for Western text."""
    if text.isascii() or not _find_beyond_latin(text):
        return len(text.encode("latin-1", "replace").translate(_LATIN_WORDS, _DELETED).split())
    return len(_find(text, _unspaced_words))


def words_and_pairs(text: str) -> list[str]:
    """As `words`, but a run of a script without spaces gives its overlapping pairs of characters.

    So do search engines that have no dictionary: one character says too little, and most words have two. A run of
    a single character gives that character.

    >>> words_and_pairs("the 京都市 map")
    ['the', '京都', '都市', 'map']
    """
    if text.isascii() or not _find_beyond_latin(text):
        return words(text)
    return _find(text, _unspaced_pairs)


def tokens(text: str) -> list[str]:
    """The words and symbols of a text in order, as they stand there; each symbol is one, white space is none.

    >>> tokens("Don't stop, 東京!")
    ['Don', "'", 't', 'stop', ',', '東', '京', '!']
    """
    if text.isascii() or not _find_beyond_plain(text):
        return _find_tokens(text)
    return _find_any_tokens()(text)


def is_unspaced(word: str) -> bool:
    """Whether a word begins with a character of a script without spaces."""
    return word >= "\u0e00" and _find_unspaced()(word) is not None


def _find(text: str, find_unspaced: Callable[[str], list[str]]) -> list[str]:
    if not _find_beyond_plain(text):
        return _find_plain(text.lower().replace("_", " ").replace(_SOFT_HYPHEN, ""))
    text = text.replace("_", " ").replace(_SOFT_HYPHEN, "").replace("İ", "i")
    text = unicodedata.normalize("NFC", text).lower()  # so that é is é, whichever way it was typed
    if _find_unspaced()(text):
        return find_unspaced(text)
    return _find_marked()(text)


def _unspaced_words(text: str) -> list[str]:
    return _find_characters()(text)


def _unspaced_pairs(text: str) -> list[str]:
    found: list[str] = []
    for run, word in _find_runs()(text):
        if word:
            found.append(word)
            continue
        characters = _find_characters()(run)
        if len(characters) == 1:
            found.append(run)
        else:
            found.extend(map(str.__add__, characters, characters[1:]))
    return found


# The tables below are made when a text first needs them, in about 5 ms; most processes never do.


@cache
def _marks() -> str:
    return _ranges(_MARKED, "M") + _JOINERS


@cache
def _unspaced() -> str:
    return _ranges(_UNSPACED, "L") + _HAN


@cache
def _find_unspaced() -> Callable[[str], object]:
    return re.compile(f"[{_unspaced()}]").search


@cache
def _find_marked() -> Callable[[str], list[str]]:
    return re.compile(rf"\w[\w{_marks()}]*").findall


@cache
def _find_characters() -> Callable[[str], list[str]]:
    return re.compile(rf"[{_unspaced()}][{_marks()}]*|{_spaced_word()}").findall


@cache
def _find_any_tokens() -> Callable[[str], list[str]]:
    return re.compile(rf"[{_unspaced()}][{_marks()}]*|{_spaced_word()}|[^\w\s]").findall


@cache
def _find_runs() -> Callable[[str], list[tuple[str, str]]]:
    return re.compile(rf"([{_unspaced()}][{_unspaced()}{_marks()}]*)|({_spaced_word()})").findall


def _spaced_word() -> str:
    return rf"[^\W{_unspaced()}]+(?:[{_marks()}]+[^\W{_unspaced()}]*)*"


def _ranges(blocks: Iterable[tuple[int, int]], category: str) -> str:
    """The characters of a category in some blocks, written for the inside of a regular expression's brackets."""
    ranges: list[list[int]] = []
    for first, last in blocks:
        for point in range(first, last):
            if unicodedata.category(chr(point))[0] != category:
                continue
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
