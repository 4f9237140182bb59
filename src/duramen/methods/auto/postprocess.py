"""What is done once the blocks of a page have been chosen: listings in the text and the headline are kept, and what a
page holds twice is kept once.

None of it is learnt: each is seldom, and what tells it is known.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import compress, groupby, pairwise

from duramen.dom.blocks import Blocks
from duramen.methods.auto import columns, features
from duramen.methods.auto.forest import DOUBT
from duramen.methods.auto.headline import headline_before
from duramen.methods.auto.rows import Features
from duramen.methods.auto.selection import any_again, beside, bounds
from duramen.methods.auto.threshold import Reading

COPY = 3
"""One word in so many of those kept must stand in paragraphs that are said again, for a page to hold a copy."""

_ELSEWHERE = tuple(columns.NAMES.index(name) for name in ("nav", "aside", "footer", "form"))
"""Parts of a page that are for other things than its content."""
_TITLE, _LINKS, _REPEATS, _PRE = (columns.NAMES.index(name) for name in ("title", "links", "repeats", "pre"))


def keep_listings(blocks: Blocks, known: Features, reading: Reading, likely: array[float]) -> None:
    """Keep the listings, of code or of what a machine said, that stand beside kept blocks.

    They look like nothing else, and their words count for many, so that the doubt of one weighs more than the text
    around it. Where the text is content, so is nearly every listing in it, but for the numbers of its lines, and for
    what is surely none: what nobody would look at twice, comments, and what stands in a part that is for other things.
    """
    if not blocks.tree.find_all("pre"):
        return
    rows, width = known.rows, known.width
    for block in beside(reading.kept, known, _PRE):
        is_elsewhere = known.commented[block] or any(rows[block * width + part] for part in _ELSEWHERE)
        if likely[block] >= DOUBT and not is_elsewhere and any(map(str.isalpha, blocks.text[block])):
            reading.kept[block] = True


def drop_copies(blocks: Blocks, known: Features, reading: Reading) -> None:
    """Keep once what a page holds twice: for wide screens and for narrow ones, or to be printed.

    A copy is several paragraphs that are said again in the same order, a third of all that was kept. What comes a third
    time is no copy but a form of words, and what is quoted was said by someone else.
    """
    words = blocks.words
    if not any_again(words, reading.kept, known.rows, known.width, _REPEATS, features.LONG):
        return  # as on most pages; it is counted on the whole page and in lower case, so that no copy is missed
    kept = list(compress(range(len(blocks)), reading.kept))
    first = {blocks.text[block]: block for block in reversed(kept)}
    again = set(kept).difference(first.values())
    copies: list[int] = []  # with the headings and labels between the paragraphs
    paragraphs: list[int] = []
    for is_again, run in groupby(kept, again.__contains__):
        copied = list(run)
        long = [block for block in copied if words[block] >= features.LONG]
        if is_again and long:
            copies += copied
            paragraphs += long
    originals = [first[blocks.text[block]] for block in paragraphs]
    if len(originals) < 2 or any(one >= other for one, other in pairwise(originals)):
        return
    size = sum(words[block] for block in paragraphs)
    if COPY * size >= sum(words[block] for block in kept) and not _are_quoted(blocks, paragraphs):
        for block in copies:
            reading.kept[block] = False


def _are_quoted(blocks: Blocks, paragraphs: Sequence[int]) -> bool:
    tree = blocks.tree
    return any(tree.tag[node] == "blockquote" for node in tree.ancestors(blocks.first[paragraphs[0]]))


def keep_headline(blocks: Blocks, known: Features, reading: Reading) -> None:
    """Keep the headline, though other things stand between it and the content."""
    first = bounds(reading.kept)[0]
    headline = headline_before(first + 1, blocks.text, known, _TITLE, _LINKS)
    if headline >= 0:
        reading.kept[headline] = True
