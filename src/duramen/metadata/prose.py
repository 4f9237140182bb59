"""Whether a date stands in a sentence: "The fair opened on 3 May 2011" tells of the fair, not of the page.

A dateline is a date with a few words that label it, a name, a place. What is told here is told by the words around the
date on its line that belong to none of these: a sentence has some that begin with a small letter. Words beside a number
may be of the date ("wtorek, 5 marca 2024 r."), and those of links may be names and tags: they do not count.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.dom.tree import TEXT, Tree
from duramen.metadata.names import BY
from duramen.metadata.strings import INLINE

_MOST_NODES: Final = 40
_MOST_READ: Final = 300
"""Characters before a date, and after it."""
_FEW: Final = 3
"""Words that begin with a small letter: as many make a sentence, whether it ends or not."""
_LABELS: Final = frozenset(
    "published publish publication posted post updated update modified created added written date dated issued released"
    " revised edited reviewed submitted uploaded last first filed online version"
    " veröffentlicht aktualisiert erstellt stand datum publié publiée mis mise modifié publicado publicada actualizado"
    " actualizada fecha pubblicato aggiornato data opublikowano opublikowany publikacja publikacji dodano utworzono"
    " aktualizacja опубликовано опубликована публикации дата добавлено размещено обновлено изменено время"
    " δημοσίευση δημοσίευσης δημοσιεύτηκε δημοσιεύθηκε ημερομηνία ενημέρωση gepubliceerd bijgewerkt".split()
)
RIGHTS: Final = ("(c)", "copyright", "all rights", "©", "版权", "права защищены", "πνευματικά")
"""What a line says whose year is that of a right."""
_WORD = re.compile(r"\d[\d:.,/-]*|[^\W\d_]+")
_SENTENCE_ENDS = re.compile(r"[.!?…][\"'”’»)]*$")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_ADDRESS = re.compile(r"\S*(?:://|www\.)\S*")
_BAR = re.compile(r"\s*[|•·●»]\s*")
_DASH = re.compile(r"\s*[|•·●»]\s*|\s+[-–—]+\s+|^\s*[–—-]")  # "Woodtown, 5 March 2024 — The fair has opened."
_BYLINE = re.compile(rf"[-–—|•·\s]*(?:{BY})\s", re.IGNORECASE)
# Chinese has neither spaces nor small letters, but a dateline has no use for these marks.
_HAN_SENTENCE = re.compile("[一-鿿][，。]|[，。][一-鿿]")
_HAN_LABEL = re.compile("发布|發布|发表|發表|更新|时间|時間|日期|来源|來源|记者|記者|编辑|編輯|报道|報導|讯|訊|电$|電$")


def is_in_prose(tree: Tree, node: int) -> bool:
    """Whether a text node or an element that holds a date stands in a sentence, or in a line that says whose it is."""
    before, own, after = _line(tree, node)
    if any(mark in before.lower() for mark in RIGHTS):
        return True
    year = _YEAR.search(own)
    after = f"{own[year.end() :]} {after}" if year else after
    line = f"{_BAR.split(before)[-1]} {own[: year.end()] if year else own} {_DASH.split(after)[0]}"
    line = _ADDRESS.sub(" ", line).strip()
    if _HAN_SENTENCE.search(line):
        return not _HAN_LABEL.search(line)
    if _BYLINE.match(line):
        return False
    words: list[str] = _WORD.findall(line)
    if not _LABELS.isdisjoint(map(str.lower, words)):
        return False
    rest = [word for place, word in enumerate(words) if not _is_of_date(words, place)]
    small = sum(word[0].islower() and len(word) > 2 for word in rest)
    return small >= _FEW or (small > 0 and len(rest) > 1 and _SENTENCE_ENDS.search(line) is not None)


def _is_of_date(words: list[str], place: int) -> bool:
    """Whether a word is a number, or stands beside one."""
    return any(word[0].isdigit() for word in words[max(place - 1, 0) : place + 2])


def _line(tree: Tree, node: int) -> tuple[str, str, str]:
    """What stands before a node on its line, what it says itself, and what stands after it."""
    tags, ends, texts = tree.tag, tree.end, tree.text
    block = tree.parent[node]
    while block > 0 and tags[block] in INLINE:
        block = tree.parent[block]
    before: list[str] = []
    for at in range(node - 1, max(block, node - _MOST_NODES), -1):
        if not _is_inline(tree, at, block):
            break
        before.append(texts[at] if tags[at] == TEXT and not _is_linked(tree, at, block) else "")
    after: list[str] = []
    for at in range(ends[node], min(ends[block], ends[node] + _MOST_NODES)):
        if not _is_inline(tree, at, block):
            break
        after.append(texts[at] if tags[at] == TEXT and not _is_linked(tree, at, block) else "")
    own = "".join(texts[node : ends[node]])
    return (
        " ".join("".join(reversed(before))[-_MOST_READ:].split()),
        " ".join(own[:_MOST_READ].split()),
        " ".join("".join(after)[:_MOST_READ].split()),
    )


def _is_inline(tree: Tree, node: int, block: int) -> bool:
    """Whether a node stands on a line of this element: no other element that breaks the line holds it, or is it."""
    if tree.tag[node] == TEXT:
        node = tree.parent[node]
    while node > block:
        if tree.tag[node] not in INLINE:
            return False
        node = tree.parent[node]
    return node == block


def _is_linked(tree: Tree, node: int, block: int) -> bool:
    while node > block:
        if tree.tag[node] == "a":
            return True
        node = tree.parent[node]
    return False
