"""Which of the dates in the container of the comments are posting dates.

Every text in the container is tested for the form of a date (`dom.date_forms`). The value of a date is read later, once
for each comment (`dom.dates`).

A date in the text of a comment ("I planted it on 3 May 2011.") has the same form, but a comment is posted once. Where
it has a `<time>`, an element with the name of a date, or a date on its own, the dates among its words belong to its
text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from duramen.dom.blocks import Blocks
from duramen.dom.class_names import AUTHOR, BODY, COMMENT, DATE, PLAIN, find_part_role
from duramen.dom.date_forms import has_date, remove_date
from duramen.dom.tree import TEXT, Tree
from duramen.language import words

_MIN_WORDS_OF_SPEECH: Final = 3
"""Words beside a date from which on the line may be part of the text."""
_SENTENCE_ENDS: Final = tuple(".!?…。！？")

_match_edit_note = re.compile(
    r"\W*(?:last |zuletzt )?(?:edited|updated|modified|bearbeitet|geändert|modifié|editado|изменено)\b", re.IGNORECASE
).match
SIGNATURE_PREFIXES: Final = (
    "posted by", "written by", "by ", "comment by", "left by", "geschrieben von", "von ", "publié par", "posté par",
    "par ", "publicado por", "escrito por", "por ", "enviado por", "scritto da", "pubblicato da", "geplaatst door",
    "napisał", "opublikował", "написал", "автор",
)  # fmt: skip
"""Beginnings of the line under a comment."""

# How a block holds its date, from the weakest sign of a posting date to the strongest.
_NO_DATE: Final = 0
_IN_SENTENCE: Final = 1
"""In a sentence, or as the time of an edit."""
_IN_LINE: Final = 2
"""In a line with some words, which may be a sentence, or name the author."""
_ALONE: Final = 3
"""With next to nothing beside it."""
_MARKED: Final = 4
"""In an element with the name of a date."""

_MAX_MARKING_LEVELS: Final = 4
"""Elements around a date that may mark it: those further out hold more than the date."""


def is_edit_note(text: str) -> bool:
    """Return whether a text tells when a comment was edited, not when it was posted."""
    return _match_edit_note(text) is not None


def is_dated_sentence(text: str) -> bool:
    """Return whether a short text with a date ends like a sentence and has a word beside its date."""
    return text.rstrip().endswith(_SENTENCE_ENDS) and bool(words(remove_date(text)))


def may_mention_date(text: str) -> bool:
    """Return whether the date in a short text may be mentioned, or of an edit: there are words beside it.

    A line that begins like a signature mentions no date.
    """
    if text.strip().lower().startswith(SIGNATURE_PREFIXES):
        return False
    return is_edit_note(text) or is_dated_sentence(text) or len(words(remove_date(text))) >= _MIN_WORDS_OF_SPEECH


def find_posting_dates(
    blocks: Blocks, classes: Sequence[int], searched: Sequence[bool]
) -> tuple[list[bool], list[bool]]:
    """Return for each block whether it has a posting date, and whether it has a mentioned date."""
    strengths = [_rate_date(blocks, block) if is_searched else _NO_DATE for block, is_searched in enumerate(searched)]
    mentioned = [False] * len(strengths)
    if _IN_SENTENCE in strengths or _IN_LINE in strengths:
        for block in _find_mentioned(strengths, _find_comment_elements(blocks, classes), searched):
            mentioned[block] = True
    posting = [bool(strength) and not mention for strength, mention in zip(strengths, mentioned, strict=True)]
    return posting, mentioned


def _find_mentioned(strengths: Sequence[int], comments: Sequence[int], searched: Sequence[bool]) -> list[int]:
    """Return the blocks whose date is mentioned in a text."""
    dated_blocks: dict[int, list[int]] = {}
    for block, comment in enumerate(comments):
        if strengths[block]:
            dated_blocks.setdefault(comment, []).append(block)
    mentioned: list[int] = []
    only_sentences: list[int] = []  # comments that have dates in sentences, and no other
    for comment, own in dated_blocks.items():
        weak = [block for block in own if strengths[block] < _ALONE]
        if 2 * len(weak) <= len(own) or (comment >= 0 and any(strengths[block] == _MARKED for block in own)):
            mentioned += weak
            continue
        sentences = [block for block in weak if strengths[block] == _IN_SENTENCE]
        if len(sentences) < len(own):
            mentioned += sentences
        elif comment >= 0:
            only_sentences.append(comment)
    # If most comments are like that, this page writes its posting dates so.
    count = len({comment for comment, inside in zip(comments, searched, strict=True) if inside and comment >= 0})
    if 2 * len(only_sentences) < count:
        mentioned += [block for comment in only_sentences for block in dated_blocks[comment]]
    return mentioned


def _find_comment_elements(blocks: Blocks, classes: Sequence[int]) -> list[int]:
    """Return for each block the innermost element around it with the name of a comment; −1 where there is none."""
    comment_of: list[int] = []
    for element, verdict in enumerate(classes):
        parent = blocks.parent[element]
        comment_of.append(element if verdict == COMMENT else comment_of[parent] if parent >= 0 else -1)
    return [comment_of[owner] for owner in blocks.owner]


def _rate_date(blocks: Blocks, block: int) -> int:
    """Return how a block holds its date; the strongest sign where it holds several."""
    tree = blocks.tree
    tags, first = tree.tag, blocks.first[block]
    strength = _MARKED if tags[tree.parent[first]] == "time" else _NO_DATE
    for node in range(first, blocks.last[block] + 1):
        if strength == _MARKED:
            break
        tag = tags[node]
        if tag == "time":
            strength = _MARKED
        elif tag == TEXT and has_date(tree.text[node]):
            strength = max(strength, _rate_text(tree, node))
    return _IN_SENTENCE if strength and is_edit_note(blocks.text[block]) else strength


def _rate_text(tree: Tree, node: int) -> int:
    text = tree.text[node]
    around, role = tree.parent[node], PLAIN
    for _ in range(_MAX_MARKING_LEVELS):
        role = find_part_role(tree.tag[around], tree.attributes[around])
        if role == DATE:
            return _MARKED
        around = tree.parent[around]
        if role != PLAIN or around < 0:
            break
    if role == AUTHOR and len(text.split()) == 1:
        return _NO_DATE  # the name "3dPrint.at"
    if not may_mention_date(text):
        return _IN_LINE if role == BODY else _ALONE  # "When did it fall?" – "3 May 2011"
    return _IN_SENTENCE if is_dated_sentence(text) or is_edit_note(text) else _IN_LINE
