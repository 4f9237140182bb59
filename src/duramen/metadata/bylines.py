"""Bylines and datelines: the lines of text around the headline that say who wrote it and when.

A byline begins with the word for "by" or "author" in one of the languages of the press and goes on with a name; a
dateline is a short text that holds a date. What stands far from the headline is not looked at.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from duramen.dom.tree import Tree
from duramen.metadata.body import Body
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.names import BY, may_begin_with_by
from duramen.metadata.prose import RIGHTS, is_in_prose
from duramen.metadata.strings import text_of

BYLINE: Final = "byline"
DATELINE: Final = "dateline"

_BEFORE: Final = 8
_AFTER: Final = 30
"""Text nodes around the headline that are read."""
_LONGEST_BYLINE: Final = 160
_LONGEST_DATELINE: Final = 100
_LONGEST_FAR: Final = 40
_MOST_FAR: Final = 20
_MOST_ASKED: Final = 200
_LONGEST_LABEL: Final = 30
_HAN_NAME: Final = "(?!综合|綜合|调查|調查|采访|採訪|整理|报道|報導)[一-鿿]{2,3}"
_BYLINE = re.compile(
    rf"^[-–—|•·\s]*(?:{BY})(?:\s*[:：/／]\s*|\s+|(?<=[记記]者)(?={_HAN_NAME}(?:$|[/／、])))(?=\S)", re.IGNORECASE
)
# 【記者潘姿羽台北報導】, (记者 王小明), 【林媛玲╱新北報導】: at the head of a story, or of its first sentence.
_REPORTED = re.compile(
    rf"(?:记者|記者)\s*({_HAN_NAME}(?:[、\s]{_HAN_NAME})*?)\s*[/／╱]?\s*(?:[一-鿿]{{2,3}})?(?:报道|報導)"
    rf"|[(（【]\s*(?:本报|本報)?(?:记者|記者)\s*({_HAN_NAME}(?:[、\s]+{_HAN_NAME})*)\s*[)）】]"
    rf"|[(（【]([一-鿿]{{2,4}})[/／╱][一-鿿]{{2,6}}(?:报道|報導)"
    r"|(?<=[\s|｜])(?:作者|记者|記者|撰文)\s*[:：]\s*([一-鿿]{2,4}(?:[、\s][一-鿿]{2,4})*)"
    r"(?=\s*$|\s+[一-鿿]{2,4}[:：]|[,，|｜])"
)
_HEAD_OF_STORY: Final = 60
_ONLY_BY = re.compile(rf"^[-–—|•·\s]*(?:{BY})\s*[:：]?\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)")
_SHORT_DATE = re.compile(r"(?<![\d.])[0-3]\d\.[01]\d\.[0-2]\d(?![\d.])")
_CHANGED = re.compile(
    r"\b(?:updated?|modified|edited|revised|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt|aktualizacja"
    r"|обновлено|изменен)|ενημέρωση|更新",
    re.IGNORECASE,
)
# "Jane Doe | Senior Writer | July 2, 2025"
_NAME_AND_DATE = re.compile(r"^((?:[^\W\d_][\w.'’-]*\s+){1,3}[^\W\d_][\w'’-]*)\s*[|•·●].{0,60}(?:19[89]|20[0-4])\d\b")
# "Posted on July 2, 2025 by Jane Doe", "Źródło: PAP | Autor: Jan Kowalski"
_BY_INSIDE = re.compile(
    r"(?<!\d)(?:19[89]|20[0-4])\d(?:,?\s+(?:at\s+)?\d{1,2}:\d\d(?:\s?[ap]\.?m\.?)?)?,?\s+(?P<said>by|von|par|por|przez|door)\s+"
    r"(?=(?-i:[A-ZÀ-ÖØ-Þ]))"
    r"|[\s|•·,;–—-](?P<labelled>(?:by|authors?|autor(?:ka|zy|in|en)?|auteur|autore|автор(?:ы)?|συντάκτ(?:ης|ρια)|tekst|текст)\s*:)\s*(?=\w)",
    re.IGNORECASE,
)
_OF_CHANGE: Final = ("updat", "modifi", "edit", "revis", "aktuali", "actuali", "aggiorn", "bijgew")
"""Without one of these no line of ASCII tells of a change."""
_RIGHTS: Final = RIGHTS
_RIGHTS_IN_ASCII: Final = tuple(mark for mark in RIGHTS if mark.isascii())


def read_lines(body: Body, headline: int) -> Claims:
    """What the lines around the headline claim; the headline is a node."""
    claims = no_claims()
    tree = body.tree
    texts, parents = tree.text, tree.parent
    by = False  # the line before was "By" and nothing else
    changed = False  # the line before was "Updated" and nothing else
    for node in body.own(_around(body, headline)):
        if parents[node] == headline:
            continue
        text = " ".join(texts[node].split())
        if _has_rights(text):
            continue
        if by and len(text) <= _LONGEST_BYLINE:
            claims["author"].append(Claim(text, BYLINE, "after", node))
        may_be_by = may_begin_with_by(text)
        by = may_be_by and _ONLY_BY.match(text) is not None
        if by and (block := _block(tree, node, len(text))):
            claims["author"].append(Claim(block, BYLINE, "block", node))
        if may_be_by and not by and len(text) <= _LONGEST_BYLINE and _BYLINE.match(text):
            claims["author"].append(Claim(text, BYLINE, "", node))
        if not text.isascii() and (match := _REPORTED.search(text, 0, _HEAD_OF_STORY)):
            claims["author"].append(Claim(f"记者 {match[match.lastindex or 0]}", BYLINE, "", node))
        has_year = "20" in text or "19" in text
        if (has_year or ":" in text) and len(text) <= _LONGEST_BYLINE and (match := _BY_INSIDE.search(text)):
            start = match.start(match.lastgroup or 0)
            claims["author"].append(Claim(text[start:], BYLINE, "inside", node))
        if has_year and not by and (match := _NAME_AND_DATE.match(text)):
            claims["author"].append(Claim(match[1], BYLINE, "bare", node))
        if (
            len(text) <= _LONGEST_DATELINE
            and ((has_year and _YEAR.search(text)) or ("." in text and _SHORT_DATE.search(text)))
            and not is_in_prose(tree, node)
        ):
            field = "modified" if changed or _tells_change(text) else "published"
            claims[field].append(Claim(text, DATELINE, "before" if node < headline else "", node))
        changed = len(text) <= _LONGEST_LABEL and _tells_change(text)
    return claims


def read_far_lines(body: Body) -> Claims:
    """The datelines that stand elsewhere: short texts that are a date and hardly anything else."""
    claims = no_claims()
    texts = body.tree.text
    asked = 0
    for node in _with_years(texts, body.readable):
        text = " ".join(texts[node].split())
        if len(text) > _LONGEST_FAR or _has_rights(text) or body.is_apart(node):
            continue
        asked += 1
        if not is_in_prose(body.tree, node):
            field = "modified" if _tells_change(text) else "published"
            claims[field].append(Claim(text, DATELINE, "elsewhere", node))
            if len(claims[field]) > _MOST_FAR:
                break
        if asked > _MOST_ASKED:
            break
    return claims


def _with_years(texts: list[str], nodes: list[int]) -> list[int]:
    """Of text nodes those that are short and have a year in them."""
    found = []
    for node in nodes:
        text = texts[node]
        if len(text) < _LONGEST_FAR * 4 and ("20" in text or "19" in text) and _YEAR.search(text):
            found.append(node)
    return found


def _tells_change(text: str) -> bool:
    """Whether a line says that something was changed."""
    return (not text.isascii() or _holds_any(text.lower(), _OF_CHANGE)) and _CHANGED.search(text) is not None


def _holds_any(said: str, parts: tuple[str, ...]) -> bool:
    return any(part in said for part in parts)


def _block(tree: Tree, node: int, length: int) -> str:
    """The text of the lowest element around a text node that says more than it, if that is one line."""
    for above in tree.ancestors(node):
        text = text_of(tree, above, _LONGEST_BYLINE + 1)
        if len(text) > length:
            return text if len(text) <= _LONGEST_BYLINE and _BYLINE.match(text) else ""
    return ""


def _around(body: Body, headline: int) -> list[int]:
    """The text nodes around an element that a reader sees, its own left out."""
    texts = body.readable
    before, after = bisect_left(texts, headline), bisect_left(texts, body.tree.end[headline])
    return texts[max(before - _BEFORE, 0) : before] + texts[after : after + _AFTER]


def _has_rights(text: str) -> bool:
    """Whether a line says whose the rights are: the year in it is no date."""
    return _holds_any(text.lower(), _RIGHTS_IN_ASCII if text.isascii() else _RIGHTS)
