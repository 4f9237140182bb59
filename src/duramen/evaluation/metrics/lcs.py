"""The longest common subsequence of two sequences of words, with the bits of Python's integers.

One row of the classic table is one integer: bit i is 0 where the length grows at word i. A row follows from the last
one by an addition, a subtraction and an or, which the processor does for 30 words at once, so two texts of 10,000 words
take milliseconds where the table has 100 million cells.

Lloyd Allison and Trevor Dix, "A bit-string longest-common-subsequence algorithm", Information Processing Letters 23
(1986), in the form of Heikki Hyyrö, "Bit-parallel LCS-length computation revisited", AWOCA 2004.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Places = Mapping[str, int]
"""Where each word of a sequence stands: bit i of its number is 1 where the word is word i."""

_WALK_BITS = 1 << 28  # the rows kept for one walk back: 32 MB


def places(words: Sequence[str]) -> dict[str, int]:
    at: dict[str, list[int]] = {}
    for index, word in enumerate(words):
        at.setdefault(word, []).append(index)
    size = len(words) // 8 + 1
    found: dict[str, int] = {}
    for word, indexes in at.items():
        if len(indexes) < 4:  # most words are rare: a few shifts are cheaper than a buffer
            found[word] = sum(1 << index for index in indexes)
            continue
        bits = bytearray(size)
        for index in indexes:
            bits[index >> 3] |= 1 << (index & 7)
        found[word] = int.from_bytes(bits, "little")
    return found


def lcs_length(first: Places, length: int, second: Sequence[str]) -> int:
    """Of a sequence of `length` words, given by its `places`, and another."""
    return length - _last_row(first, length, second).bit_count()


def lcs_pairs(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    """The pairs of indexes of one longest common subsequence, in order; of several, the one leftmost in `first`.

    The walk back needs every row. Where they would not fit in a few megabytes, `second` is cut in two where both
    halves together still match best (Hirschberg, 1975), until they do.
    """
    pairs: list[tuple[int, int]] = []
    todo = [(0, len(first), 0, len(second))]
    while todo:
        first_start, first_end, second_start, second_end = todo.pop()
        left, right = first[first_start:first_end], second[second_start:second_end]
        if len(right) > 1 and len(left) * len(right) > _WALK_BITS:
            half = len(right) // 2
            cut = _best_cut(left, right[:half], right[half:])
            todo.append((first_start + cut, first_end, second_start + half, second_end))
            todo.append((first_start, first_start + cut, second_start, second_start + half))
        else:
            pairs += [(first_start + i, second_start + j) for i, j in _walk(left, right)]
    return pairs


def _walk(first: Sequence[str], second: Sequence[str]) -> list[tuple[int, int]]:
    rows = _rows(first, second)
    pairs = []
    i, j = len(first), len(second)
    while i and j:
        if rows[j] >> (i - 1) & 1:  # the length does not grow at word i - 1: another pair can do without it
            i -= 1
        elif rows[j - 1] >> (i - 1) & 1:  # it grows here, and did not before word j - 1: the two are a pair
            i -= 1
            j -= 1
            pairs.append((i, j))
        else:
            j -= 1
    pairs.reverse()
    return pairs


def _last_row(first: Places, length: int, second: Sequence[str]) -> int:
    row = full = (1 << length) - 1
    for word in second:
        if word in first:
            met = row & first[word]
            row = (row + met | row - met) & full
    return row


def _rows(first: Sequence[str], second: Sequence[str]) -> list[int]:
    at = places(first)
    row = full = (1 << len(first)) - 1
    rows = [row]
    for word in second:
        if word in at:
            met = row & at[word]
            row = (row + met | row - met) & full
        rows.append(row)
    return rows


def _best_cut(first: Sequence[str], head: Sequence[str], tail: Sequence[str]) -> int:
    """Where to cut `first` so that its parts match `head` and `tail` in as many words as all of it matches both."""
    before = _lengths(first, head)
    after = _lengths(first[::-1], tail[::-1])
    sums = [b + a for b, a in zip(before, reversed(after), strict=True)]
    return sums.index(max(sums))


def _lengths(first: Sequence[str], second: Sequence[str]) -> list[int]:
    """How many words `second` has in common with each beginning of `first`, from the empty one to all of it."""
    row = _last_row(places(first), len(first), second)
    lengths = [0]
    # A string of binary digits is read from left to right; shifting a big integer bit by bit would be quadratic.
    for digit in reversed(f"{row:0{len(first)}b}" if first else ""):
        lengths.append(lengths[-1] + (digit == "0"))
    return lengths
