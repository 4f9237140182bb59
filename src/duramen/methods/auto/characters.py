# cython: boundscheck=False, wraparound=False
# Every index is that of a text, for which the arrays have room, or is kept below the length of its table.
"""What is counted in the texts of blocks: digits, capitals, commas, signs of currencies, and those of the page's title.

Python counts by looking through a text once for each; compiled, one look counts all.
"""

from __future__ import annotations

from array import array

SPEAKING = 5
"""Words from which on a block can speak of what the page is about."""

_COMMAS = ",.，。、،۔।"
_CURRENCIES = "$€£¥￥₹"
_COMPILED = False
_DIGITS = bytes(range(48, 58))
_CAPITALS = bytes(range(65, 91))
_CAPITAL, _COMMA, _CURRENCY, _MOST_COUNTED = 1 << 15, 1 << 30, 1 << 45, 1 << 15
_WORTH = (
    dict.fromkeys(_DIGITS, 1)
    | dict.fromkeys(_CAPITALS, _CAPITAL)
    | dict.fromkeys(b",.", _COMMA)
    | {ord("$"): _CURRENCY}
)
_COUNTS = array("q", [_WORTH.get(code, 0) for code in range(128)])
"""Of each letter of ASCII what it adds, if it is a digit, a capital, a comma or the sign of a currency."""
_PAIRS = 1024
_MOST_BITS = 30
_NOUGHT = array("d", (0.0,))


def count_marks(texts: list[str], digits: array[int], capitals: array[int], commas: array[int]) -> int:
    """Digits, capitals and commas of each text; of digits and capitals those of ASCII: it is a hint, not a rule. Gives
    the signs of currencies in all of them."""
    return _count_marks(texts, digits, capitals, commas, _COUNTS)


def _count_marks(
    texts: list[str], digits: array[int], capitals: array[int], commas: array[int], counts: array[int]
) -> int:
    currencies = 0
    for place, text in enumerate(texts):
        digits[place], capitals[place], commas[place], currency = _marks(text, counts)
        currencies += currency
    return currencies


def _marks(text: str, counts: array[int]) -> tuple[int, int, int, int]:
    length = len(text)
    if _COMPILED and length < _MOST_COUNTED:
        total = 0  # four counts in one number
        for character in text:
            code = ord(character)
            if code < 128:
                total += counts[code]
            elif character in "，。、،۔।":
                total += _COMMA
            elif character in "€£¥￥₹":
                total += _CURRENCY
        return (
            total & (_CAPITAL - 1),
            (total & (_COMMA - 1)) // _CAPITAL,
            (total & (_CURRENCY - 1)) // _COMMA,
            total // _CURRENCY,
        )
    if text.isascii():
        raw = text.encode()
        commas, currencies = raw.count(b",") + raw.count(b"."), raw.count(b"$")
    else:
        raw = text.encode("latin-1", "replace")
        commas = currencies = 0
        for mark in _COMMAS:
            commas += text.count(mark)
        for mark in _CURRENCIES:
            currencies += text.count(mark)
    return length - len(raw.translate(None, _DIGITS)), length - len(raw.translate(None, _CAPITALS)), commas, currencies


def coverage(texts: list[str], words: array[int], signs: tuple[str, ...]) -> array[float]:
    """Which share of the signs each text bears; labels are too short to be asked."""
    found = _NOUGHT * len(texts)
    if signs:
        _cover(found, texts, words, signs)
    return found


def _cover(found: array[float], texts: list[str], words: array[int], signs: tuple[str, ...]) -> None:
    total = len(signs)
    if _COMPILED and total <= _MOST_BITS:
        _cover_at_once(found, texts, words, signs)
        return
    for place, text in enumerate(texts):
        if words[place] >= SPEAKING:
            count = 0
            for sign in signs:
                if sign in text:
                    count += 1
            found[place] = count / total


def _cover_at_once(found: array[float], texts: list[str], words: array[int], signs: tuple[str, ...]) -> None:
    """The same, compiled: all signs are looked for in one pass, by their first two letters."""
    total = len(signs)
    beginnings = array("i", (0,)) * _PAIRS
    for number, sign in enumerate(signs):
        beginnings[(ord(sign[0]) * 31 + ord(sign[1])) & (_PAIRS - 1)] |= 1 << number
    for place, text in enumerate(texts):
        if words[place] >= SPEAKING:
            before = count = seen = 0
            for at, character in enumerate(text):
                code = ord(character)
                maybe = beginnings[(before * 31 + code) & (_PAIRS - 1)]
                before = code
                if maybe and at:  # as hardly any two letters may
                    maybe &= ~seen
                    for number in range(total if maybe else 0):
                        if maybe >> number & 1:
                            sign = signs[number]
                            if text.startswith(sign, at - 1):
                                seen |= 1 << number
                                count += 1
            found[place] = count / total
