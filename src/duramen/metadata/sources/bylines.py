"""Visible bylines and datelines near the headline, and `<time>` elements.

A byline begins with "by" or "author" in one of many languages, followed by a name. A dateline is a short text with a
date. A date inside a sentence does not count: "The fair opened on 3 May 2011" is about the fair, not the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Final

from duramen.dom.class_names import TIME_EVENT_WORDS, TIME_MODIFIED_WORDS, TIME_PUBLISHED_WORDS, name_words
from duramen.dom.tag_sets import INLINE_TAGS
from duramen.dom.text import clean_text, read_clean_text
from duramen.dom.tree import TEXT, Tree
from duramen.metadata.author_names import BYLINE_START, may_start_byline
from duramen.metadata.model import Claim, Claims, new_claims
from duramen.metadata.sources.body import Body

BYLINE: Final = "byline"
DATELINE: Final = "dateline"
TIME: Final = "time"

_TEXT_NODES_BEFORE: Final = 8
_TEXT_NODES_AFTER: Final = 30
"""Text nodes before and after the headline that are read."""
_MAX_BYLINE_CHARS: Final = 160
_MAX_DATELINE_CHARS: Final = 100
_MAX_FAR_DATELINE_CHARS: Final = 40
_MAX_FAR_DATELINES: Final = 20
_MAX_FAR_LINES_READ: Final = 200
_MAX_LABEL_CHARS: Final = 30
_MAX_REPORTER_CHARS: Final = 60
"""The beginning of a line, where the name of a Chinese reporter is searched."""
_HAN_NAME: Final = "(?!综合|綜合|调查|調查|采访|採訪|整理|报道|報導)[一-鿿]{2,3}"
_BYLINE = re.compile(
    rf"^[-–—|•·\s]*(?:{BYLINE_START})(?:\s*[:：/／]\s*|\s+|(?<=[记記]者)(?={_HAN_NAME}(?:$|[/／、])))(?=\S)",
    re.IGNORECASE,
)
# 【記者潘姿羽台北報導】, (记者 王小明), 【林媛玲╱新北報導】: at the beginning of a story or of its first sentence.
_CHINESE_REPORTER = re.compile(
    rf"(?:记者|記者)\s*({_HAN_NAME}(?:[、\s]{_HAN_NAME})*?)\s*[/／╱]?\s*(?:[一-鿿]{{2,3}})?(?:报道|報導)"
    rf"|[(（【]\s*(?:本报|本報)?(?:记者|記者)\s*({_HAN_NAME}(?:[、\s]+{_HAN_NAME})*)\s*[)）】]"
    rf"|[(（【]([一-鿿]{{2,4}})[/／╱][一-鿿]{{2,6}}(?:报道|報導)"
    r"|(?<=[\s|｜])(?:作者|记者|記者|撰文)\s*[:：]\s*([一-鿿]{2,4}(?:[、\s][一-鿿]{2,4})*)"
    r"(?=\s*$|\s+[一-鿿]{2,4}[:：]|[,，|｜])"
)
_starts_byline = re.compile(rf"[-–—|•·\s]*(?:{BYLINE_START})", re.IGNORECASE).match
_BYLINE_START_ONLY = re.compile(rf"^[-–—|•·\s]*(?:{BYLINE_START})\s*[:：]?\s*$", re.IGNORECASE)
_YEAR = re.compile(r"(?<!\d)(?:19[89]|20[0-4])\d(?!\d)")
_SHORT_DATE = re.compile(r"(?<![\d.])[0-3]\d\.[01]\d\.[0-2]\d(?![\d.])")
_MODIFIED = re.compile(
    r"\b(?:updated?|modified|edited|revised|aktualisiert|mis à jour|actualizado|aggiornato|bijgewerkt|aktualizacja"
    r"|обновлено|изменен)|ενημέρωση|更新",
    re.IGNORECASE,
)
# "Jane Doe | Senior Writer | July 2, 2025"
_NAME_AND_DATE = re.compile(r"^((?:[^\W\d_][\w.'’-]*\s+){1,3}[^\W\d_][\w'’-]*)\s*[|•·●].{0,60}(?:19[89]|20[0-4])\d\b")
# "Posted on July 2, 2025 by Jane Doe", "Źródło: PAP | Autor: Jan Kowalski"
_INNER_BYLINE = re.compile(
    r"(?<!\d)(?:19[89]|20[0-4])\d(?:,?\s+(?:at\s+)?\d{1,2}:\d\d(?:\s?[ap]\.?m\.?)?)?,?\s+(?P<word>by|von|par|por|przez|door)\s+"
    r"(?=(?-i:[A-ZÀ-ÖØ-Þ]))"
    r"|[\s|•·,;–—-](?P<label>(?:by|authors?|autor(?:ka|zy|in|en)?|auteur|autore|автор(?:ы)?|συντάκτ(?:ης|ρια)|tekst|текст)\s*:)\s*(?=\w)",
    re.IGNORECASE,
)
_COPYRIGHT_MARKS: Final = ("©", "版权", "права защищены", "πνευματικά")
"""Marks of a copyright notice that are not in ASCII."""


def read_lines(body: Body, headline: int) -> Claims:
    """Read the bylines and datelines around the headline, which is a node."""
    claims = new_claims()
    tree = body.tree
    after_byline_start = False  # the line before was "By" only
    after_modified_label = False  # the line before was "Updated" only
    for node in body.own_nodes(_text_nodes_around(body, headline)):
        if tree.parent[node] == headline:
            continue
        text = " ".join(tree.text[node].split())
        if _is_copyright(text):
            continue
        is_short = len(text) <= _MAX_BYLINE_CHARS
        may_have_year = _may_have_year(text)
        if after_byline_start and is_short:
            claims["author"].append(Claim(text, BYLINE, "after", node))
        is_candidate = may_start_byline(text) and _starts_byline(text) is not None
        after_byline_start = is_candidate and _BYLINE_START_ONLY.match(text) is not None
        if after_byline_start and (line := _find_whole_line(tree, node, len(text))):
            claims["author"].append(Claim(line, BYLINE, "block", node))
        if is_candidate and not after_byline_start and is_short and _BYLINE.match(text):
            claims["author"].append(Claim(text, BYLINE, "", node))
        if not text.isascii() and (match := _CHINESE_REPORTER.search(text, 0, _MAX_REPORTER_CHARS)):
            claims["author"].append(Claim(f"记者 {match[match.lastindex or 0]}", BYLINE, "", node))
        if is_short and (may_have_year or ":" in text) and (match := _INNER_BYLINE.search(text)):
            start = match.start(match.lastgroup or 0)
            claims["author"].append(Claim(text[start:], BYLINE, "inside", node))
        if may_have_year and not after_byline_start and (match := _NAME_AND_DATE.match(text)):
            claims["author"].append(Claim(match[1], BYLINE, "bare", node))
        if len(text) <= _MAX_DATELINE_CHARS and _has_date(text) and not is_in_sentence(tree, node):
            field = "modified" if after_modified_label or _MODIFIED.search(text) else "published"
            claims[field].append(Claim(text, DATELINE, "before" if node < headline else "", node))
        after_modified_label = len(text) <= _MAX_LABEL_CHARS and _MODIFIED.search(text) is not None
    return claims


def read_far_lines(body: Body) -> Claims:
    """Read the datelines anywhere in the body: short texts with a date and little else."""
    claims = new_claims()
    tree = body.tree
    lines_read = 0
    texts = tree.text
    for node in body.visible_text_nodes:
        text = texts[node]
        if "20" not in text and "19" not in text:  # nearly all texts
            continue
        if len(text) >= _MAX_FAR_DATELINE_CHARS * 4 or not _YEAR.search(text):
            continue
        text = " ".join(text.split())
        if len(text) > _MAX_FAR_DATELINE_CHARS or _is_copyright(text) or body.is_foreign(node):
            continue
        lines_read += 1
        if not is_in_sentence(tree, node):
            field = "modified" if _MODIFIED.search(text) else "published"
            claims[field].append(Claim(text, DATELINE, "elsewhere", node))
            if len(claims[field]) > _MAX_FAR_DATELINES:
                break
        if lines_read > _MAX_FAR_LINES_READ:
            break
    return claims


def _may_have_year(text: str) -> bool:
    """Return False if no year can be in a text. Expressions that need a year take ten times as long."""
    return "20" in text or "19" in text


def _has_date(text: str) -> bool:
    """Return whether a text has a year, or a date with a year of two digits."""
    if _may_have_year(text) and _YEAR.search(text):
        return True
    return text.count(".") >= 2 and _SHORT_DATE.search(text) is not None


def _is_copyright(text: str) -> bool:
    """Return whether a line is a copyright notice. A year there is that of the copyright."""
    text = text.lower()
    if "(c)" in text or "copyright" in text or "all rights" in text:
        return True
    return not text.isascii() and any(mark in text for mark in _COPYRIGHT_MARKS)


def _find_whole_line(tree: Tree, node: int, length: int) -> str:
    """Return the byline of the lowest element that has more text than the node; '' if that is not a byline."""
    for ancestor in tree.ancestors(node):
        text = read_clean_text(tree, ancestor, _MAX_BYLINE_CHARS + 1)
        if len(text) > length:
            return text if len(text) <= _MAX_BYLINE_CHARS and _BYLINE.match(text) else ""
    return ""


def _text_nodes_around(body: Body, headline: int) -> list[int]:
    """Return the visible text nodes before and after the headline, without its own."""
    nodes = body.visible_text_nodes
    before, after = bisect_left(nodes, headline), bisect_left(nodes, body.tree.end[headline])
    return nodes[max(before - _TEXT_NODES_BEFORE, 0) : before] + nodes[after : after + _TEXT_NODES_AFTER]


# `<time>` elements

_MAX_TIME_CHARS: Final = 80
_MAX_TIME_ELEMENTS: Final = 200
_NODES_BEFORE_TIME: Final = 3


def read_times(body: Body) -> Claims:
    """Read the claims of the `<time>` elements in the page's own parts."""
    claims = new_claims()
    tree = body.tree
    for node in body.own_nodes(tree.find_all("time")[:_MAX_TIME_ELEMENTS]):
        attributes = tree.attributes[node]
        words = name_words(attributes.get("class"), attributes.get("itemprop"))
        words |= frozenset(_label_before(tree, node).lower().split())
        value = clean_text(attributes.get("datetime")) or read_clean_text(tree, node, _MAX_TIME_CHARS + 1)
        if not value or len(value) > _MAX_TIME_CHARS or words & TIME_EVENT_WORDS:
            continue
        if words & TIME_MODIFIED_WORDS:
            claims["modified"].append(Claim(value, TIME, "", node))
        elif words & TIME_PUBLISHED_WORDS or "pubdate" in attributes:
            claims["published"].append(Claim(value, TIME, "published", node))
        elif not is_in_sentence(tree, node):
            claims["published"].append(Claim(value, TIME, "", node))
    return claims


def _label_before(tree: Tree, node: int) -> str:
    """Return the text directly before an element if it is short: "Updated", "Published on"."""
    for before in range(node - 1, max(node - 1 - _NODES_BEFORE_TIME, 0), -1):
        text = tree.text[before].strip(" \t\r\n:|·•-–—")
        if text:
            return text if len(text) <= _MAX_LABEL_CHARS else ""
    return ""


# Dates inside sentences

_MAX_LINE_NODES: Final = 40
_MAX_LINE_CHARS: Final = 300
"""Characters before a date, and after it, that are read."""
_MIN_SENTENCE_WORDS: Final = 3
"""So many words in lower case make a sentence, whether it ends or not."""
_DATE_LABELS: Final = frozenset(
    "published publish publication posted post updated update modified created added written date dated issued released"
    " revised edited reviewed submitted uploaded last first filed online version"
    " veröffentlicht aktualisiert erstellt stand datum publié publiée mis mise modifié publicado publicada actualizado"
    " actualizada fecha pubblicato aggiornato data opublikowano opublikowany publikacja publikacji dodano utworzono"
    " aktualizacja опубликовано опубликована публикации дата добавлено размещено обновлено изменено время"
    " δημοσίευση δημοσίευσης δημοσιεύτηκε δημοσιεύθηκε ημερομηνία ενημέρωση gepubliceerd bijgewerkt".split()
)
_WORD = re.compile(r"\d[\d:.,/-]*|[^\W\d_]+")
_SENTENCE_END = re.compile(r"[.!?…][\"'”’»)]*$")
_ANY_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_WEB_ADDRESS = re.compile(r"\S*(?:://|www\.)\S*")
_BAR = re.compile(r"\s*[|•·●»]\s*")
_BAR_OR_DASH = re.compile(r"\s*[|•·●»]\s*|\s+[-–—]+\s+|^\s*[–—-]")  # "Woodtown, 5 March 2024 — The fair has opened."
_LINE_WITH_BYLINE = re.compile(rf"[-–—|•·\s]*(?:{BYLINE_START})\s", re.IGNORECASE)
# Chinese has no spaces and no lower case, but a dateline does not use these punctuation marks.
_HAN_SENTENCE = re.compile("[一-鿿][，。]|[，。][一-鿿]")
_HAN_LABEL = re.compile("发布|發布|发表|發表|更新|时间|時間|日期|来源|來源|记者|記者|编辑|編輯|报道|報導|讯|訊|电$|電$")


def is_in_sentence(tree: Tree, node: int) -> bool:
    """Return whether a text node or element with a date is inside a sentence or a copyright notice.

    A dateline is a date with a label, a name or a place. A sentence has other words that begin with a small letter.
    Words beside a number may belong to the date ("wtorek, 5 marca 2024 r."), and words of links may be names or tags:
    these do not count.
    """
    before, own, after = _split_line(tree, node)
    if _is_copyright(before):
        return True
    year = _ANY_YEAR.search(own)
    after = f"{own[year.end() :]} {after}" if year else after
    line = f"{_BAR.split(before)[-1]} {own[: year.end()] if year else own} {_BAR_OR_DASH.split(after)[0]}"
    if "://" in line or "www." in line:
        line = _WEB_ADDRESS.sub(" ", line)
    line = line.strip()
    if not line.isascii() and _HAN_SENTENCE.search(line):
        return not _HAN_LABEL.search(line)
    if may_start_byline(line) and _LINE_WITH_BYLINE.match(line):
        return False
    words: list[str] = _WORD.findall(line)
    if not _DATE_LABELS.isdisjoint(map(str.lower, words)):
        return False
    rest = [word for index, word in enumerate(words) if not _is_beside_number(words, index)]
    lower = sum(word[0].islower() and len(word) > 2 for word in rest)
    return lower >= _MIN_SENTENCE_WORDS or (lower > 0 and len(rest) > 1 and _SENTENCE_END.search(line) is not None)


def _is_beside_number(words: list[str], index: int) -> bool:
    """Return whether a word is a number or next to one."""
    return any(word[0].isdigit() for word in words[max(index - 1, 0) : index + 2])


def _split_line(tree: Tree, node: int) -> tuple[str, str, str]:
    """Return the text before a node on its line, its own text, and the text after it; texts of links are left out."""
    tags, ends, texts = tree.tag, tree.end, tree.text
    block = tree.parent[node]
    while block > 0 and tags[block] in INLINE_TAGS:
        block = tree.parent[block]
    before = _texts_on_line(tree, range(node - 1, max(block, node - _MAX_LINE_NODES), -1), block)
    after = _texts_on_line(tree, range(ends[node], min(ends[block], ends[node] + _MAX_LINE_NODES)), block)
    own = "".join(texts[node : ends[node]])
    return (
        " ".join("".join(reversed(before))[-_MAX_LINE_CHARS:].split()),
        " ".join(own[:_MAX_LINE_CHARS].split()),
        " ".join("".join(after)[:_MAX_LINE_CHARS].split()),
    )


def _texts_on_line(tree: Tree, nodes: range, block: int) -> list[str]:
    """Return the texts of nodes up to the first that is not on the same line of the block."""
    texts: list[str] = []
    for node in nodes:
        tags = _tags_up_to(tree, node, block)
        if tags is None or not INLINE_TAGS.issuperset(tags):
            break
        if tree.tag[node] == TEXT and "a" not in tags:
            texts.append(tree.text[node])
    return texts


def _tags_up_to(tree: Tree, node: int, block: int) -> list[str] | None:
    """Return the tags of the elements from a node up to the block; None if the node is not inside the block."""
    if tree.tag[node] == TEXT:
        node = tree.parent[node]
    tags = []
    while node > block:
        tags.append(tree.tag[node])
        node = tree.parent[node]
    return tags if node == block else None
