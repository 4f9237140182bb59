"""Find notes that stand at their mark, not at the end of the page.

Side notes of Tufte CSS and org-mode, notes of LaTeXML and of plugins of WordPress stand right behind their mark. Other
notes are in an attribute of it.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from duramen.dom.tree import TEXT, Tree
from duramen.structure.note_marks import NOTE, REFERENCE, find_first_text, find_label, find_marks, read_short_text


class SideNote(NamedTuple):
    """A reference and its note."""

    reference: int
    """The element of the mark."""
    label: str
    content: int
    """The element of the note's text."""
    spans: tuple[range, ...]
    dropped: int
    """The element to drop, or -1 if the note is inside the reference."""
    text: str = ""
    """The text of a note that is in an attribute."""


_TOGGLE_WORDS: Final = ("margin", "sidenote", "footref", "footnote")
_NOTE_WORDS: Final = ("sidenote", "marginnote", "margin-note", "side-note")
_HIDDEN_NOTE_TAGS: Final = frozenset(("span", "sup", "a", "small", "aside"))
_UNNUMBERED_LABEL: Final = "*"
_NOTE_ATTRIBUTES: Final = (
    "data-footnote", "data-footnote-content", "data-footnote-text", "data-bigfoot-footnote", "data-sidenote",
    "data-note", "data-definition", "data-content", "data-bs-content", "data-tippy-content",
    "data-original-title", "title",
)  # fmt: skip
_SURE_PREFIXES: Final = ("data-footnote", "data-bigfoot", "data-sidenote")
"""Attributes that hold nothing else. The others hold the text of a note if a name marks the element as a reference."""
_MIN_ATTRIBUTE_CHARS: Final = 5
_MAX_ATTRIBUTE_CHARS: Final = 5_000
_MAX_SIBLINGS: Final = 5
_MAX_LABEL_NODES: Final = 12
_LATEXML_LABELS: Final = frozenset(("ltx_note_mark", "ltx_tag_note", "ltx_note_type", "ltx_tag"))


def find_side_notes(tree: Tree) -> list[SideNote]:
    """Return the notes that stand right behind their mark, in order."""
    labels, marks = tree.find_all("label"), tree.find_all("sup")
    notes = _find_toggled(tree, labels) if labels else []
    if marks:
        notes += _find_latexml(tree, marks)
        notes += _find_marked(tree, marks)
    if tree.hidden:
        notes += _find_hidden(tree)
        notes += _find_defined(tree)
    return sorted(notes)


def _find_marked(tree: Tree, marks: list[int]) -> list[SideNote]:
    """Find a superscript marked as a reference with an element marked as a note right behind it (Modern Footnotes)."""
    notes = []
    for mark, classes in tree.attribute_values_containing("note", "class", marks):
        box = mark
        if tree.tag[tree.parent[mark]] == "a" and tree.end[tree.parent[mark]] == tree.end[mark]:
            box = tree.parent[mark]  # the button of the plugin Footnotes of WordPress
        content = tree.end[box]
        if not classes or content >= tree.end[tree.parent[box]] or tree.tag[content] not in _HIDDEN_NOTE_TAGS:
            continue
        inside = range(box, tree.end[box])
        if any((tree.attributes[node].get("href") or "").startswith("#") for node in inside):
            continue  # the note is where the link leads to; this is a copy of it
        label = find_label(read_short_text(tree, mark))
        is_note = find_marks(tree.attributes[mark]) & REFERENCE and find_marks(tree.attributes[content]) & NOTE
        if label and is_note and find_first_text(tree, content, tree.end[content]) >= 0:
            notes.append(SideNote(box, label, content, (range(content + 1, tree.end[content]),), content))
    return notes


def find_attribute_notes(tree: Tree, within: range | None = None) -> list[SideNote]:
    """Find marks that hold the text of their note in an attribute.

    A script of the page would show it.
    """
    spans = [node for node, _ in tree.attribute_values_containing("note", "class", tree.find_all("span", within))]
    marks = sorted([*spans, *tree.find_all("a", within), *tree.find_all("sup", within)])
    notes: list[SideNote] = []
    stop = 0
    for name in _NOTE_ATTRIBUTES:
        for mark, value in zip(marks, tree.attribute_values(name, marks), strict=True):
            if value and _has_words(value) and find_label(read_short_text(tree, mark)):
                is_marked = name.startswith(_SURE_PREFIXES) or _is_marked(tree, mark)
                if is_marked and mark not in tree.hidden:
                    text = _read_attribute(value)
                    notes.append(SideNote(mark, find_label(read_short_text(tree, mark)), mark, (), -1, text))
    found = []
    for note in sorted(notes, key=lambda note: note.reference):
        if note.text and note.reference >= stop:
            found.append(note)
            stop = tree.end[note.reference]
    return found


def _is_marked(tree: Tree, mark: int) -> bool:
    """Return whether a mark, or the element around it, is named as a reference."""
    around = (mark, tree.parent[mark])
    return any(find_marks(tree.attributes[node]) & (REFERENCE | NOTE) for node in around)


def _has_words(value: str) -> bool:
    value = value.strip()
    return len(value) > _MIN_ATTRIBUTE_CHARS and (" " in value or not value.isascii()) and "://" not in value[:10]


def _read_attribute(value: str) -> str:
    """Return the words of an attribute, which may hold markup."""
    value = value[:_MAX_ATTRIBUTE_CHARS]
    if "<" in value:
        tree = Tree.parse(value)
        value = " ".join(tree.text[node] for node in tree.text_nodes)
    return " ".join(value.split())


def _find_defined(tree: Tree) -> list[SideNote]:
    """Find hidden notes whose mark names their id in the attribute `data-definition`."""
    contents = {
        name: node
        for node in tree.hidden
        if tree.tag[node] in _HIDDEN_NOTE_TAGS and (name := tree.attributes[node].get("id"))
    }
    if not contents:
        return []
    marks = sorted(node for tag in ("span", "sup", "a") for node in tree.find_all(tag))
    notes = []
    for mark, name in zip(marks, tree.attribute_values("data-definition", marks), strict=True):
        content = contents.get(name or "", -1)
        label = find_label(read_short_text(tree, mark)) if content >= 0 else ""
        if label:
            notes.append(SideNote(mark, label, content, (range(content + 1, tree.end[content]),), content))
    return notes


def _find_hidden(tree: Tree) -> list[SideNote]:
    """Find a mark that holds its label and, hidden until a click, its note: `span.footnote` with a hidden `span`."""
    notes = []
    for content in tree.hidden:
        mark = tree.parent[content]
        if tree.tag[content] not in _HIDDEN_NOTE_TAGS or tree.tag[mark] not in _HIDDEN_NOTE_TAGS:
            continue
        if tree.end[mark] != tree.end[content] or not find_marks(tree.attributes[mark]) & (NOTE | REFERENCE):
            continue
        if content - mark > _MAX_LABEL_NODES or find_first_text(tree, content, tree.end[content]) < 0:
            continue
        label = find_label("".join(tree.text[mark:content]))
        if label:
            notes.append(SideNote(mark, label, content, (range(content + 1, tree.end[content]),), -1))
    return notes


def _find_toggled(tree: Tree, labels: list[int]) -> list[SideNote]:
    """Find `label` + `input` + `span.sidenote`: a style sheet numbers them, and a click shows them on small screens."""
    notes = []
    number = 0
    for label in labels:
        classes = tree.attributes[label].get("class") or ""
        if not any(word in classes for word in _TOGGLE_WORDS):
            continue
        note = _find_toggled_note(tree, label)
        if note < 0:
            continue
        text = find_label(read_short_text(tree, label))
        if not text and "number" in classes:
            number += 1
            text = str(number)
        text = text or _UNNUMBERED_LABEL
        start = _skip_label(tree, note, text)
        if start < tree.end[note]:
            notes.append(SideNote(label, text, note, (range(start, tree.end[note]),), note))
    return notes


def _find_toggled_note(tree: Tree, label: int) -> int:
    """Return the element of the note that follows a label, or -1."""
    at, stop = tree.end[label], tree.end[tree.parent[label]]
    for _step in range(_MAX_SIBLINGS):
        if at >= stop or (tree.tag[at] == TEXT and not tree.text[at].isspace()):
            return -1
        if tree.tag[at] != TEXT:
            classes = tree.attributes[at].get("class") or ""
            if any(word in classes for word in _NOTE_WORDS) and tree.tag[at] not in ("input", "label"):
                return at
            if tree.tag[at] != "input":
                return -1
        at = tree.end[at]
    return -1


def find_side_copy(tree: Tree, mark: int) -> int:
    """Return the side note that repeats, right behind its mark, a note of the list below the text; -1 if none."""
    after = tree.end[mark]
    if after >= len(tree) or tree.parent[after] != tree.parent[mark] or tree.tag[after] == TEXT:
        return -1
    classes = tree.attributes[after].get("class") or ""
    return after if any(word in classes for word in _NOTE_WORDS) else -1


def _skip_label(tree: Tree, note: int, label: str) -> int:
    """Return the first node of a note after the number it begins with."""
    for node in range(note + 1, min(tree.end[note], note + _MAX_LABEL_NODES)):
        text = read_short_text(tree, node)
        if text and find_label(text) == label:
            return tree.end[node]
        if tree.tag[node] == TEXT and not tree.text[node].isspace():
            break
    return note + 1


def _find_latexml(tree: Tree, marks: list[int]) -> list[SideNote]:
    """Find `span.ltx_note`, which holds its mark and its text; a note that only repeats a mark refers to another."""
    notes: list[SideNote] = []
    repeated: list[tuple[int, str]] = []
    for mark, classes in tree.attribute_values_containing("ltx_note_mark", "class", marks):
        note = tree.parent[mark]
        names = (tree.attributes[note].get("class") or "").split() if classes else []
        if "ltx_note" not in names:
            continue
        label = find_label(read_short_text(tree, mark))
        if "ltx_role_footnotemark" in names:
            repeated.append((note, label))
            continue
        content = _find_latexml_content(tree, note)
        start = _skip_latexml_labels(tree, content) if content >= 0 else -1
        if label and 0 <= start < tree.end[content]:
            notes.append(SideNote(note, label, content, (range(start, tree.end[content]),), -1))
    first_of_label: dict[str, SideNote] = {}
    for found in notes:
        first_of_label.setdefault(found.label, found)
    notes += [first_of_label[label]._replace(reference=note) for note, label in repeated if label in first_of_label]
    return notes


def _find_latexml_content(tree: Tree, note: int) -> int:
    for node in range(note + 1, min(tree.end[note], note + _MAX_LABEL_NODES)):
        if "ltx_note_content" in (tree.attributes[node].get("class") or ""):
            return node
    return -1


def _skip_latexml_labels(tree: Tree, content: int) -> int:
    """Return the first node of the text after the mark and the tag that it begins with."""
    at, stop = content + 1, tree.end[content]
    while at < stop:
        if tree.tag[at] == TEXT:
            if not tree.text[at].isspace():
                break
        elif _LATEXML_LABELS.isdisjoint((tree.attributes[at].get("class") or "").split()):
            break
        at = tree.end[at]
    return at
