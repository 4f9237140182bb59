"""What marks references, notes and the links back: labels, classes, roles, fragments, headings."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import lru_cache
from typing import Final

from duramen.dom.text import join_first_texts
from duramen.dom.tree import TEXT, Attributes, Tree

_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_LABEL = re.compile(
    r"[\[(（〔【{]*\s*((?:(?:note|nb|n|fn|footnote|lower-alpha|注|註)[.\s]*)?"
    r"(?:\d{1,4}(?:[-–]\d{1,4})?|[a-z]{1,2}|[ivxlc]{1,6}|[*†‡§⁎∗✱✻※⁂#]{1,4}))"
    r"(?::\d{1,3}(?=\]))?"  # markdown-it: "[1:2]" is a later reference to note 1
    r"\s*[\])）〕】}]*[.:]?",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"[\[(（〔【].*[\])）〕】]")
_SPACES = re.compile(r"\s+")
_PUNCTUATION = re.compile(r"[\s\[\](){}^.,:;|↑↩†*（）【】〔〕\ufe0e\ufe0f-]*")
_BACK_TEXT = re.compile(
    r"[\s\[(]*(?:[↩↵↑⤴⏎↲⬆←↖⇑^⮌⤶🔙]+[\ufe0e\ufe0f]?\s*\d*"
    r"|(?:jump|go)?\s*(?:back|up|return|retour|zurück|volver|вверх)(?:\s*(?:up|to)?\s*(?:text|content|top|article|\^|↩|↑)?)?"
    r"|jump up(?: to:)?|返回|戻る)[\s\])]*",
    re.IGNORECASE,
)
_NOTE_FRAGMENT = re.compile(
    r"(?:foot|end|side|cite)[-_:.]?note|(?:^|[-_:.])(?:fn|ftn|ftnt|edn|en|fnt|note|nota|anm|foot|sdfootnote)[-_:.]?[\w*]",
    re.IGNORECASE,
)
_NOTE_NAME = re.compile(
    r"foot-?_?note|end-?_?note|side-?_?note|(?:^|[\s_-])fn(?:$|[\s_\d-])|doc-(?:foot|end)note|citenote"
)
_NOTES_NAME = re.compile(
    r"foot-?_?notes|end-?_?notes|(?:^|\s)(?:references|notes|footnote-list|reflist)(?:\s|$)|doc-endnotes|easy-footnotes"
)
_REFERENCE_NAME = re.compile(
    r"foot-?_?note|note-?ref|fn-?ref|foot-?ref|end-?note|doc-noteref"
    r"|(?:^|\s)(?:reference(?!\s+(?:in|ex)ternal)|fn|ref)(?:\s|$)",  # Sphinx has `reference internal` for every link
    re.IGNORECASE,
)
_BACK_NAME = re.compile(
    r"back-?(?:link|ref)|reverse-?footnote|fn-?back|doc-backlink|return|footnote-?back", re.IGNORECASE
)
_NOTES_HEADING = re.compile(
    r"\W*(?:\d+\W+)?(?:foot|end|side)?[\s-]?(?:notes?(?: and references?| and citations?)?|references?(?: and notes?)?"
    r"|citations?|fußnoten|anmerkungen|einzelnachweise|referenzen|notes de bas de page|notes et références|références"
    r"|notas(?: al pie)?|referencias|notas de rodapé|referências|note|примечания|сноски|注释|註釋|脚注|参考文献"
    r"|参考资料|参考|参考链接|引用|脚註|注|각주)\W*",
    re.IGNORECASE,
)

REFERENCE: Final = 1
NOTE: Final = 2
NOTES: Final = 4
BACK: Final = 8

_MAX_TEXT_NODES: Final = 16
_MAX_LABEL_CHARS: Final = 24


def read_short_text(tree: Tree, node: int) -> str | None:
    """Return the text below an element, its whitespace stripped; None if it is not short."""
    if tree.end[node] - node > _MAX_TEXT_NODES:
        return None
    text = join_first_texts(tree, node, _MAX_TEXT_NODES).strip()
    return text if len(text) <= 2 * _MAX_LABEL_CHARS else None


def find_first_text(tree: Tree, start: int, stop: int) -> int:
    """Return the first text that is not blank in a range of nodes; -1 if there is none."""
    texts = tree.text_nodes
    at = bisect_left(texts, start)
    return texts[at] if at < len(texts) and texts[at] < stop else -1


def find_label(text: str | None) -> str:
    """Return the label that a text is, "1" for "[1]", or ""."""
    if not text or len(text) > _MAX_LABEL_CHARS:
        return ""
    match = _LABEL.fullmatch(text.strip().translate(_SUPERSCRIPTS))
    return _SPACES.sub("-", match[1].strip()) if match else ""


def is_bracketed(text: str) -> bool:
    """True for a text in brackets: "[1]"."""
    return _BRACKETED.fullmatch(text) is not None


def is_punctuation(text: str) -> bool:
    """True if a text has only brackets, marks that lead back, and the like."""
    return _PUNCTUATION.fullmatch(text) is not None


def is_back_text(text: str) -> bool:
    """True for the text of a link that only leads back: "↩", "^", "Jump up"."""
    return _BACK_TEXT.fullmatch(text) is not None


def is_notes_heading(text: str) -> bool:
    """True for the heading of notes: "Notes", "References"."""
    return len(text) <= 2 * _MAX_LABEL_CHARS and _NOTES_HEADING.fullmatch(text) is not None


def is_note_fragment(fragment: str) -> bool:
    """True if the fragment of a URL looks like that of a note: `fn1`, `_ftn1`, `cite_note-1`."""
    return _NOTE_FRAGMENT.search(fragment) is not None


def find_marks(attributes: Attributes) -> int:
    """Return what the attributes of an element mark it as: `REFERENCE`, `NOTE`, `NOTES`, `BACK`, or several."""
    if not attributes:
        return 0
    marks = 0
    for name in ("class", "role", "epub:type", "data-type", "id", "rel", "rev"):
        value = attributes.get(name)
        if value:
            marks |= _find_marks_of_value(value[:200], name == "id")
    if "data-footnote-ref" in attributes or "data-fn" in attributes:
        marks |= REFERENCE
    if "data-footnote-backref" in attributes:
        marks |= BACK
    return marks


@lru_cache(maxsize=1 << 11)
def _find_marks_of_value(value: str, is_id: bool) -> int:
    marks = 0
    lower = value.lower()
    if is_id:
        return NOTE if _NOTE_FRAGMENT.search(lower) else 0
    if _BACK_NAME.search(lower):
        marks |= BACK
    if _NOTES_NAME.search(lower):
        marks |= NOTES
    if _REFERENCE_NAME.search(lower):
        marks |= REFERENCE
    if _NOTE_NAME.search(lower):
        marks |= NOTE
    return marks


def is_only_text(tree: Tree, node: int, allowed: frozenset[int] | set[int], limit: int) -> bool:
    """True if an element has few texts, and each is punctuation, in one of the `allowed` nodes, or blank."""
    end = tree.end[node]
    if end - node > limit:
        return False
    at = node + 1
    while at < end:
        if at in allowed:
            at = tree.end[at]
            continue
        if tree.tag[at] == TEXT and not is_punctuation(tree.text[at]):
            return False
        at += 1
    return True
