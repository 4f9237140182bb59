"""Split text into words or tokens, in every script.

In scripts with spaces, a word is a run of letters, digits and the marks that combine with them. In scripts without
spaces (Han, kana, Thai, Lao, Khmer, Myanmar and related scripts) finding words would need a dictionary, so each
character with its marks is a word: good enough to count words and to compare texts. Hangul has spaces, and Tibetan
separates syllables with a point, so both are read like Latin.

`\\w` alone is not enough: it does not match combining marks, and so splits हिन्दी into three words and a decomposed "é"
from its accent. Words are lower-cased, not case-folded: stemmers and stop words are in lower case, with ß and ς.

The cost depends on the characters of the text. Nanoseconds per word, on texts of 10,000 words: ASCII 27, Western
European 55, Cyrillic, Polish and Korean 200, Hindi and Arabic 280; Chinese, Japanese and Thai 110 to 150 per character.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable
from functools import cache

# Western text is encoded as one byte per character and translated by a table, which is three to six times as fast as a
# regular expression. The table maps word characters to lower case and all others to a space. Soft hyphens are deleted.
_SOFT_HYPHEN = "\xad"
_DELETED_BYTES = _SOFT_HYPHEN.encode("latin-1")
_LATIN_TABLE = bytes(ord(chr(i).lower()) if chr(i).isalnum() else ord(" ") for i in range(256))

# Characters that this table cannot handle: all except Latin-1 and the punctuation and symbols that become "?".
_find_beyond_latin = re.compile(
    "[^\0-\xff\u2000-\u200b\u200e-\u205e\u20a0-\u20bf\u2190-\u245f\u2500-\u2775\u2794-\u2bff"
    "\ufe0f\ufeff\U0001f300-\U0001faff]"
).search

# Characters with which `\w+` would split words wrongly: all except letters, digits and symbols without combining marks.
# U+0130 (İ) is one because its lower case is an i and a combining dot, U+200C and U+200D because they join letters.
_find_beyond_plain = re.compile(
    "[^\0-\u012f\u0131-\u02ff\u0370-\u0482\u048a-\u0590\u10a0-\u10ff\u1e00-\u1eff\u2000-\u200b\u200e-\u20cf"
    "\u2100-\u2bff\uac00-\ud7a3\ufeff\U0001f300-\U0001faff]"
).search
_find_plain = re.compile(r"\w+").findall
_find_tokens = re.compile(r"\w+|[^\w\s]").findall

# Unicode blocks with combining marks; `unicodedata` knows which of their characters are marks. Of the planes above the
# first, only Adlam and the variation selectors of Han are listed: web pages hardly use the other scripts there.
_BLOCKS_WITH_MARKS = (
    *((0x0300, 0x1E00), (0x20D0, 0x2100), (0x2CE0, 0x2E00), (0x3020, 0x30A0), (0xA660, 0xAC00), (0xFB1E, 0xFE30)),
    *((0x1E944, 0x1E94B), (0xE0100, 0xE01F0)),
)
_JOINERS = "\u200c\u200d"

# Unicode blocks of scripts without spaces, except Han, too large to test each character. `_HAN` has its ranges,
# which include room for ideographs of later versions of Unicode.
_BLOCKS_WITHOUT_SPACES = (
    *((0x0E00, 0x0F00), (0x1000, 0x10A0), (0x1780, 0x1800), (0x1950, 0x19E0), (0x1A20, 0x1AB0)),
    *((0x3005, 0x3200), (0xA000, 0xA4D0), (0xA9E0, 0xAA00), (0xAA60, 0xAAE0), (0xFF66, 0xFFA0), (0x1B000, 0x1B170)),
)
_HAN = "〇\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"


def words(text: str) -> list[str]:
    """Return the words of a text in order, in lower case. In scripts without spaces each character is a word.

    >>> words("Don't stop: naïve 2nd-hand 東京!")
    ['don', 't', 'stop', 'naïve', '2nd', 'hand', '東', '京']
    """
    if text.isascii() or not _find_beyond_latin(text):
        return text.encode("latin-1", "replace").translate(_LATIN_TABLE, _DELETED_BYTES).decode("latin-1").split()
    return _find_words(text, _split_characters)


def count_words(text: str) -> int:
    """Return `len(words(text))`, a little faster for Western text."""
    if text.isascii() or not _find_beyond_latin(text):
        return len(text.encode("latin-1", "replace").translate(_LATIN_TABLE, _DELETED_BYTES).split())
    return len(_find_words(text, _split_characters))


def words_and_pairs(text: str) -> list[str]:
    """Return words as `words` does, but overlapping pairs of characters for scripts without spaces.

    Search engines without a dictionary do the same, because most words of these scripts have two characters. A run
    of a single character gives that character.

    >>> words_and_pairs("the 京都市 map")
    ['the', '京都', '都市', 'map']
    """
    if text.isascii() or not _find_beyond_latin(text):
        return words(text)
    return _find_words(text, _split_pairs)


def tokens(text: str) -> list[str]:
    """Return the words and symbols of a text in order and unchanged. Each symbol is a token; white space is not.

    >>> tokens("Don't stop, 東京!")
    ['Don', "'", 't', 'stop', ',', '東', '京', '!']
    """
    if text.isascii() or not _find_beyond_plain(text):
        return _find_tokens(text)
    return _find_any_tokens()(text)


def is_unspaced(word: str) -> bool:
    """Return whether a word begins with a character of a script without spaces."""
    return word >= "\u0e00" and _find_unspaced()(word) is not None


def _find_words(text: str, find_unspaced: Callable[[str], list[str]]) -> list[str]:
    if not _find_beyond_plain(text):
        return _find_plain(text.lower().replace("_", " ").replace(_SOFT_HYPHEN, ""))
    text = text.replace("_", " ").replace(_SOFT_HYPHEN, "").replace("İ", "i")
    text = unicodedata.normalize("NFC", text).lower()  # composed and decomposed é become equal
    if _find_unspaced()(text):
        return find_unspaced(text)
    return _find_marked()(text)


def _split_characters(text: str) -> list[str]:
    return _find_characters()(text)


def _split_pairs(text: str) -> list[str]:
    pairs: list[str] = []
    for run, word in _find_runs()(text):
        if word:
            pairs.append(word)
            continue
        characters = _find_characters()(run)
        if len(characters) == 1:
            pairs.append(run)
        else:
            pairs.extend(map(str.__add__, characters, characters[1:]))
    return pairs


# The expressions below are made when a text first needs them, in about 5 ms; most processes never do.


@cache
def _marks() -> str:
    return _character_ranges(_BLOCKS_WITH_MARKS, "M") + _JOINERS


@cache
def _unspaced() -> str:
    return _character_ranges(_BLOCKS_WITHOUT_SPACES, "L") + _HAN


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


def _character_ranges(blocks: Iterable[tuple[int, int]], category: str) -> str:
    """Return the characters of a category in the blocks, as ranges for a character class of a regular expression."""
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
