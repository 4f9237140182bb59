"""All structures of a page, found once, and the kind of unit that each element is.

A unit is written in place of an element and its subtree: a formula, a listing of code, the reference to a note. The
writers and the default method ask here, so that they agree on what is one.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Final

from duramen.dom.cached import cached_property
from duramen.dom.tree import TEXT, Tree
from duramen.structure.callouts import Callout, find_callouts
from duramen.structure.code import CodeBlock, find_code_blocks, find_code_headers, has_text_beside
from duramen.structure.code_runs import CodeRun, find_code_runs
from duramen.structure.data_tables import DataTable, find_data_tables, find_spanning_cells
from duramen.structure.embeds import Embed, find_embeds
from duramen.structure.formulas import Formula, find_formula_copies, find_formulas
from duramen.structure.headings import find_heading_marks
from duramen.structure.marked_tables import find_marked_spans, find_marked_tables
from duramen.structure.notes import PageNotes, find_notes
from duramen.structure.special_images import find_emoji, find_noscript_images
from duramen.structure.text_formulas import (
    has_bracket_formulas,
    has_math_library,
    uses_asciimath,
    uses_dollar_delimiters,
)

DROPPED: Final = 1
FORMULA_UNIT: Final = 2
CODE_UNIT: Final = 3
CODE_RUN: Final = 4
REFERENCE: Final = 5
NOTE_TEXT: Final = 6
EMBED: Final = 7
CALLOUT: Final = 8
EMOJI: Final = 9
NOSCRIPT_IMAGE: Final = 10
TABLE_PART: Final = 11

_MAX_LEVELS_AROUND: Final = 5
_MAX_CHECKBOX_LEVELS: Final = 4
_DRAWN_BOX: Final = "checkbox checkbox-o"
_MAX_NODES_BEFORE_CHECKBOX: Final = 12


class PageStructure:
    """The structures of one page. Each is searched for when it is first asked for."""

    def __init__(self, tree: Tree, within: range) -> None:
        self.tree = tree
        self.within = within

    @cached_property
    def formulas(self) -> dict[int, Formula]:
        return find_formulas(self.tree, self.within)

    @cached_property
    def has_dollar_delimiters(self) -> bool:
        """Whether the page declares that `$…$` in its text is a formula."""
        return uses_dollar_delimiters(self.tree)

    @cached_property
    def has_math_library(self) -> bool:
        """Whether the page loads a library that shows `$$…$$` on a line of its own, also in the middle of one."""
        return has_math_library(self.tree)

    @cached_property
    def has_formulas(self) -> bool:
        """Whether the page shows formulas, so that escaped brackets enclose one."""
        return self.has_math_library or bool(self.formulas) or has_bracket_formulas(self.tree)

    @cached_property
    def has_asciimath_delimiters(self) -> bool:
        """Whether the page declares that backticks in its text enclose AsciiMath."""
        return uses_asciimath(self.tree)

    @cached_property
    def code_blocks(self) -> dict[int, CodeBlock]:
        return find_code_blocks(self.tree, self.within)

    @cached_property
    def indenting_quotes(self) -> set[int]:
        """The `blockquote` elements that only indent a listing, and quote nothing."""
        parents = {block: self.tree.parent[block] for block in self.code_blocks}
        quotes = {block: quote for block, quote in parents.items() if self.tree.tag[quote] == "blockquote"}
        return {quote for block, quote in quotes.items() if not has_text_beside(self.tree, block, quote)}

    @cached_property
    def code_runs(self) -> dict[int, CodeRun]:
        return {run.first: run for run in find_code_runs(self.tree, self.within)}

    @cached_property
    def notes(self) -> PageNotes:
        return find_notes(self.tree, self.within)

    @cached_property
    def callouts(self) -> dict[int, Callout]:
        return find_callouts(self.tree, self.within)

    @cached_property
    def embeds(self) -> dict[int, Embed]:
        return find_embeds(self.tree, self.within)

    @cached_property
    def emoji(self) -> dict[int, str]:
        return find_emoji(self.tree, self.within)

    @cached_property
    def noscript_images(self) -> dict[int, int]:
        return find_noscript_images(self.tree, self.within)

    @cached_property
    def tables(self) -> dict[int, DataTable]:
        return find_data_tables(self.tree, self.within) | self.marked_tables

    @cached_property
    def marked_tables(self) -> dict[int, DataTable]:
        """The tables that are no `table` element."""
        return find_marked_tables(self.tree, self.within)

    @cached_property
    def spanning_cells(self) -> dict[int, tuple[int, int]]:
        spans = find_spanning_cells(self.tree) if self.tables else {}
        for table in self.marked_tables.values():
            spans.update(find_marked_spans(self.tree, table))
        return spans

    @cached_property
    def formula_starts(self) -> list[int]:
        """The elements of the formulas in document order."""
        return sorted(self.formulas)

    @cached_property
    def note_starts(self) -> dict[int, tuple[int, str]]:
        """The first node of each span of a note: the end of the span, and the label of the note."""
        return {span.start: (span.stop, note.label) for note in self.notes.notes for span in note.spans}

    @cached_property
    def task_items(self) -> dict[int, bool]:
        """The items of task lists: whether their box is checked."""
        items = {}
        tree = self.tree
        for node in tree.find_all("input", self.within):
            attributes = tree.attributes[node]
            if (attributes.get("type") or "").lower() == "checkbox":
                item = _find_item(tree, node)
                if item >= 0:
                    items[item] = "checked" in attributes
        # Exports of Notion draw the boxes.
        boxes = tree.find_all("div", self.within) if tree.find_all("li", self.within) else []
        for node, classes in tree.attribute_values_containing(_DRAWN_BOX, "class", boxes):
            item = _find_item(tree, node)
            if item >= 0:
                items[item] = "checkbox-on" in classes.split()
        return items

    @cached_property
    def units(self) -> dict[int, int]:
        """The kind of unit of each element, or first node, that is one."""
        units: dict[int, int] = dict.fromkeys(self.callouts, CALLOUT)
        for table in self.marked_tables.values():
            units[table.node] = TABLE_PART
            units.update((cell, TABLE_PART) for row in table.rows for cell in row)
        units.update(dict.fromkeys(self.embeds, EMBED))
        units.update(dict.fromkeys(self.emoji, EMOJI))
        units.update(dict.fromkeys(self.noscript_images, NOSCRIPT_IMAGE))
        units.update(dict.fromkeys(self.notes.references, REFERENCE))
        units.update(dict.fromkeys(self.code_runs, CODE_RUN))
        units.update(dict.fromkeys(self.code_blocks, CODE_UNIT))
        units.update(dict.fromkeys(self.formulas, FORMULA_UNIT))
        units.update(dict.fromkeys(find_formula_copies(self.tree), DROPPED))
        units.update(dict.fromkeys(find_code_headers(self.tree, self.code_blocks), DROPPED))
        units.update(dict.fromkeys(find_heading_marks(self.tree, self.within), DROPPED))
        units.update(dict.fromkeys(self.notes.dropped, DROPPED))
        # After the dropped elements: an element may hold a note's text and nothing else, and is read with the note.
        units.update((start, NOTE_TEXT) for start in self.note_starts if units.get(start, DROPPED) == DROPPED)
        units.update((callout.title_node, DROPPED) for callout in self.callouts.values() if callout.title_node >= 0)
        return units


def find_structure(tree: Tree, spans: Sequence[range]) -> PageStructure:
    """Return the structures of a page from the first to the last kept node.

    Most of a page is outside, and looking through its classes would take half as long as parsing. The elements closely
    around the first kept node are looked at, too: it may be in the middle of a formula or a table.
    """
    start, stop = spans[0].start, spans[-1].stop
    for _ in range(_MAX_LEVELS_AROUND):
        if tree.parent[start] <= tree.body:
            break
        start = tree.parent[start]
    last = _LAST.structure
    if last is not None and last.tree is tree and last.within.start <= start and stop <= last.within.stop:
        return last
    structure = PageStructure(tree, range(start, stop))
    _LAST.structure = structure
    return structure


class _LastStructure(threading.local):
    """The last structure of this thread: the method, text and Markdown ask for nearly the same nodes."""

    structure: PageStructure | None = None


_LAST: Final = _LastStructure()


def _find_item(tree: Tree, box: int) -> int:
    """Return the list item that a check box starts, or −1."""
    node = box
    for _ in range(_MAX_CHECKBOX_LEVELS):
        node = tree.parent[node]
        if node < 0 or tree.tag[node] == "li":
            break
    if node < 0 or tree.tag[node] != "li" or box - node > _MAX_NODES_BEFORE_CHECKBOX:
        return -1
    has_words = any(tree.tag[place] == TEXT and not tree.text[place].isspace() for place in range(node, box))
    return -1 if has_words else node
