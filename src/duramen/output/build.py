"""Build output blocks from kept nodes, in one pass over the nodes.

The pass goes from span to span. Elements outside the spans that hold kept nodes are entered on the way, so that their
markup applies. Invisible elements are skipped, unless a method names them: elements outside the spans around kept
nodes are never tested, nor is the first node of a span whose parent is not kept. (The first node of a span whose
parent is kept is not named: the spans of a subtree with pruned parts continue at any node, perhaps a script.)

Most elements of a page are boxes that only start and end lines. They cost next to nothing: the start of a box ends the
block before it, and the end of a block is looked up at its first word, in the nearest box around that word. Only lists,
quotes and the like are kept on a stack.

A table is read as blocks like everything else. When it ends and holds data, its blocks are replaced by one. A table
inside it, or any block that no data cell holds, shows at once that it is layout. So at most one table is undecided at
any time, and no block is moved twice.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Final

from duramen.dom.elements import BLOCK_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import resolve_safe_url
from duramen.output import elements
from duramen.output.elements import (
    BLOCK,
    DEFINITION,
    DEFINITION_LIST,
    DIALOG,
    FIGURE,
    FIGURE_CAPTION,
    FIRST_INLINE,
    FORMATTING,
    HEADING,
    IMAGE,
    INLINE_QUOTE,
    ITEM,
    LINK,
    LIST,
    MARK_OF_TAG,
    PARAGRAPH,
    PRE,
    QUOTE,
    ROW,
    RULE,
    TABLE,
    TABLE_CAPTION,
    TERM,
)
from duramen.output.inline import (
    BREAK,
    PARAGRAPH_BREAK,
    MarkChange,
    are_separate_words,
    build_runs,
    collapse_whitespace,
    may_be_separate_words,
)
from duramen.output.markup import find_markup_root, find_roles, number_list_items, number_nested_item
from duramen.output.model import (
    HEADING_BLOCK,
    LINE_BLOCK,
    MAX_CONTAINER_DEPTH,
    PARAGRAPH_BLOCK,
    PREFORMATTED_BLOCK,
    RULE_BLOCK,
    TABLE_BLOCK,
    Container,
    InlineRun,
    OutputBlock,
)
from duramen.output.options import OutputOptions, find_image_url
from duramen.output.tables import TableDraft, TablePart, find_spanning_cells

_NEVER: Final = sys.maxsize

_NOT_IN_DATA_CELLS: Final = frozenset((HEADING, QUOTE, PRE, DEFINITION_LIST, FIGURE, RULE, TABLE))

_MAX_UNCACHED_LEVELS: Final = 4
"""Levels of inline elements above which their box is remembered: else many blocks would climb a deep nest again."""

# For leaving an element: its role, the end of the element around it, and the state to return to.
_Frame = tuple[int, int, Container, int, str | None]


def build_plain_blocks(
    tree: Tree, spans: Sequence[range], options: OutputOptions, roles: dict[str, int] | None = None
) -> list[OutputBlock]:
    """Build the blocks of the kept nodes with their words as text.

    `roles`, from `find_roles`, may be given where blocks are built for many parts of a page.
    """
    return BlockBuilder(tree, options, roles or find_roles(tree, options, rich=False), rich=False).build(spans)


def build_rich_blocks(tree: Tree, spans: Sequence[range], options: OutputOptions) -> list[OutputBlock]:
    """Build the blocks of the kept nodes with their words as runs, which have marks."""
    return BlockBuilder(tree, options, find_roles(tree, options, rich=True), rich=True).build(spans)


class BlockBuilder:
    """State of the pass: the words collected, the block they will make, the containers around it."""

    def __init__(self, tree: Tree, options: OutputOptions, roles: dict[str, int], *, rich: bool) -> None:
        self.tree = tree
        self.tags, self.parents, self.ends, self.texts = tree.tag, tree.parent, tree.end, tree.text
        self.options = options
        self.rich = rich
        self.roles = roles
        self.blocks: list[OutputBlock] = []
        # The block that is being collected.
        self.pieces: list[str] = []
        self.mark_changes = [MarkChange(0)]
        self.kind = LINE_BLOCK
        self.level = 0
        self.node = -1
        self.limit = 0  # the first node after the block
        self.text_before = -1  # its last text node, if only the address of a link was added since
        # The position in the page.
        self.container = Container()
        self.marks = 0
        self.href: str | None = None
        self.quote_depth = 0
        self.pre_end = 0  # nodes before this one are in a `pre`
        self.heading_end = 0  # nodes before this one are in a heading of this level
        self.heading_level = 0
        self.frames: list[_Frame] = []
        self.close_at = _NEVER  # the node at which the innermost element on the stack ends
        # What is known of the page so far.
        self.draft: TableDraft | None = None
        self.spanning_cells: dict[int, tuple[int, int]] | None = None
        self.item_numbers: dict[int, int] = {}
        self.stray_lists: dict[int, Container] = {}
        self.box_of: dict[int, int] = {}  # nearest box around an inline element, where it is many levels up

    def build(self, spans: Sequence[range]) -> list[OutputBlock]:
        """Return the blocks. This is the hot loop of the outputs, so common cases are written out in it."""
        spans = [span for span in spans if span]
        if not spans:
            return []
        tree = self.tree
        tags, parents, ends, texts, attributes = self.tags, self.parents, self.ends, self.texts, tree.attributes
        invisible_role, line_break = elements.INVISIBLE, elements.LINE_BREAK
        roles, hidden = self.roles, tree.hidden
        pieces = self.pieces
        outside: set[int] = {-1}
        seen = find_markup_root(tree, spans)
        node = -1
        for span in spans:
            stop = span.stop
            if stop <= node:  # the span is inside a skipped element
                continue
            is_first = node < 0
            node = max(span.start, node)
            if pieces:
                self._skip_gap(seen, node)
            path = []
            parent = parents[node]
            while parent >= seen:
                path.append(parent)
                parent = parents[parent]
            outside.update(path)
            for ancestor in reversed(path):
                self._enter_named(ancestor)
            if (is_first or parents[node] in outside) and tags[node] != TEXT:
                self._enter_named(node)
                node += 1
            event = node  # the next node at which the block or the innermost element on the stack ends
            while node < stop:
                if node >= event:
                    while node >= self.close_at:
                        self._leave()
                    if pieces and node >= self.limit:
                        self._flush()
                    event = self.close_at
                    if pieces and self.limit < event:
                        event = self.limit
                tag = tags[node]
                if tag == TEXT:
                    text = texts[node]
                    if pieces:
                        before = self.text_before
                        if before >= 0 and node >= self.pre_end and may_be_separate_words(texts[before], text):
                            if are_separate_words(tree, before, node):
                                pieces.append(" ")
                        pieces.append(text)
                        self.text_before = node
                    elif not text.isspace() or node < self.pre_end:
                        pieces.append(text)
                        event = self._begin_block(node)
                        self.text_before = node
                    node += 1
                    continue
                role = roles.get(tag, 0)
                if role == invisible_role:
                    node = ends[node]
                    continue
                if role == line_break:
                    if pieces:
                        pieces.append(BREAK)
                        self.text_before = -1
                    node += 1
                    continue
                if node in hidden:
                    node = ends[node]
                    continue
                if role:
                    if role == BLOCK and node >= self.pre_end:
                        if pieces:
                            self._flush()
                            event = self.close_at
                    elif role == DIALOG and "open" not in attributes[node]:
                        node = ends[node]
                        continue
                    else:
                        self._open(node, role)
                        event = node + 1
                node += 1
            seen = stop
        while self.frames:
            self._leave()
        if pieces:
            self._flush()
        return self.blocks

    def _skip_gap(self, seen: int, node: int) -> None:
        """Pass over nodes left out between two spans: a box among them separates the words on both sides."""
        gap = self.tags[seen:node]
        if node < self.pre_end:
            if "br" in gap or not BLOCK_TAGS.isdisjoint(gap):
                self._end_line()
        elif not BLOCK_TAGS.isdisjoint(gap):
            self._flush()
        elif "br" in gap:
            self.pieces.append(BREAK)
            self.text_before = -1

    def _enter_named(self, node: int) -> None:
        """Open an element that a method names, invisible or not."""
        while node >= self.close_at:
            self._leave()
        if self.pieces and node >= self.limit:
            self._flush()
        role = self.roles.get(self.tags[node], 0)
        if role > DIALOG:
            self._open(node, role)

    def _begin_block(self, node: int) -> int:
        """Find the kind of the block that starts here; return the next node at which the block or an element ends."""
        tags, roles = self.tags, self.roles
        if node < self.pre_end:
            self.kind = PREFORMATTED_BLOCK
            self.limit = self.pre_end
            return self.close_at
        box = self.parents[node]
        role = roles.get(tags[box], 0)
        if not DIALOG <= role < FIRST_INLINE:
            box = self._find_box(box)
            role = roles.get(tags[box], 0)
        self.node = box
        self.limit = limit = self.ends[box]
        if role in (PARAGRAPH, TABLE_CAPTION):
            self.kind = PARAGRAPH_BLOCK
        elif role == HEADING:
            self.kind = HEADING_BLOCK
            self.level = int(tags[box][1])
        elif node < self.heading_end and role == BLOCK:
            self.kind = HEADING_BLOCK
            self.level = self.heading_level
        else:
            self.kind = LINE_BLOCK
        return limit if limit < self.close_at else self.close_at

    def _find_box(self, node: int) -> int:
        """Return the nearest box around an inline element."""
        tags, parents, roles = self.tags, self.parents, self.roles
        path = []
        while node > 0 and not DIALOG <= roles.get(tags[node], 0) < FIRST_INLINE:
            known = self.box_of.get(node)
            if known is not None:
                node = known
                break
            path.append(node)
            node = parents[node]
        if len(path) > _MAX_UNCACHED_LEVELS:
            self.box_of.update(dict.fromkeys(path, node))
        return node

    def _push(self, node: int, role: int) -> None:
        self.frames.append((role, self.close_at, self.container, self.marks, self.href))
        self.close_at = self.ends[node]

    def _open(self, node: int, role: int) -> None:
        if node < self.pre_end:
            if role < FIRST_INLINE:
                self._end_line()
                self._push(node, BLOCK)
            return
        if role >= FIRST_INLINE:
            self._open_inline(node, role)
            return
        if self.pieces:
            self._flush()
        if role <= PARAGRAPH:
            return
        if self.draft is not None and role in _NOT_IN_DATA_CELLS:
            self.draft = None
        if role == HEADING:
            self.heading_end = self.ends[node]
            self.heading_level = int(self.tags[node][1])
        elif role == RULE:
            self.node = node
            self._add_block(RULE_BLOCK, "", ())
        elif role == PRE:
            self._push(node, role)
            self.pre_end = self.ends[node]
            self.node = node
        elif TABLE <= role <= TABLE_CAPTION:
            self._open_table(node, role)
        else:
            self._open_container(node, role)

    def _open_inline(self, node: int, role: int) -> None:
        was_empty = not self.pieces
        if role == IMAGE:
            self._add_image(node)
            self.text_before = -1
        elif role == INLINE_QUOTE:
            self.text_before = -1
            self.pieces.append("‘" if self.quote_depth % 2 else "“")
            self.quote_depth += 1
            self._push(node, role)
        elif role == LINK:
            href = resolve_safe_url(self.tree.attributes[node].get("href"), self.options.base)
            if href is not None:
                self._push(node, role)
                self.href = href
                self._change_marks()
        elif role == FORMATTING:
            mark = MARK_OF_TAG[self.tags[node]]
            if not self.marks & mark:
                self._push(node, role)
                self.marks |= mark
                self._change_marks()
        if was_empty and self.pieces:
            self._begin_block(node)

    def _change_marks(self) -> None:
        if self.rich:
            self.mark_changes.append(MarkChange(len(self.pieces), self.marks, self.href))

    def _add_image(self, node: int) -> None:
        attributes = self.tree.attributes[node]
        url = find_image_url(attributes, self.options.base)
        if url is None:
            return
        description = " ".join((attributes.get("alt") or "").split())
        if self.rich:
            self.mark_changes.append(MarkChange(len(self.pieces), self.marks & ~elements.CODE, self.href, url))
            self.pieces.append(description)
            self._change_marks()
        else:
            self.pieces.append(f"[{description or 'image'}] ({url})")

    def _open_table(self, node: int, role: int) -> None:
        if role == TABLE:
            if self.tree.attributes[node].get("role") not in ("presentation", "none"):
                self._push(node, role)
                self.draft = TableDraft(node, self.container.find_holder(), len(self.blocks))
        elif self.draft is not None:
            rows, first_block = self.draft.rows, len(self.blocks)
            if role == ROW:
                rows.append([])
            elif role == TABLE_CAPTION:
                self.draft.captions.append(TablePart(node, first_block))
            else:
                if self.spanning_cells is None:
                    self.spanning_cells = find_spanning_cells(self.tree)
                if not rows:
                    rows.append([])
                spans = self.spanning_cells.get(node, (1, 1))
                rows[-1].append(TablePart(node, first_block, self.tags[node] == "th", *spans))

    def _open_container(self, node: int, role: int) -> None:
        container = self.container
        if role == ITEM:
            if container.role != LIST:
                container = self._find_stray_list(node)
                if container.role != LIST:
                    return
        elif role in (TERM, DEFINITION):
            if container.role != DEFINITION_LIST:
                return
        elif role == FIGURE_CAPTION:
            if container.role != FIGURE:
                return
        else:
            container = container.find_holder()
        inner = Container(role, container, node)
        if inner.depth + inner.is_list > MAX_CONTAINER_DEPTH:  # a list needs one more level for its items
            return
        self._push(node, role)
        self.container = inner
        if inner.is_list:
            if self.tags[node] == "ol":
                inner.is_ordered = True
                self.item_numbers.update(number_list_items(self.tree, node))
        elif inner.is_item:
            if container.is_ordered:
                number = self.item_numbers.get(node)
                inner.number = number_nested_item(self.tree, container) if number is None else number
            container.last_item = inner

    def _find_stray_list(self, node: int) -> Container:
        """Return a list for an item outside all lists: that of the stray item just before it, or a new one."""
        parent = self.parents[node]
        known = self.stray_lists.get(parent)
        if known is not None and self.blocks and known in self.blocks[-1].container.path():
            return known
        holder = self.container.find_holder()
        if holder.depth + 2 > MAX_CONTAINER_DEPTH:
            return holder
        self.stray_lists[parent] = created = Container(LIST, holder)
        return created

    def _leave(self) -> None:
        """Leave the innermost element on the stack."""
        role, close_at, container, marks, href = self.frames.pop()
        self.close_at = close_at
        if role == BLOCK:
            self._end_line()
        elif role < FIRST_INLINE:
            if self.pieces:
                self._flush()
            self.container = container
            if role == PRE:
                self.pre_end = 0
            elif role == TABLE and self.draft is not None:
                self._close_table(self.draft)
        elif role == INLINE_QUOTE:
            self.quote_depth -= 1
            if not self.pieces:
                self.limit = close_at
            self.text_before = -1
            self.pieces.append("’" if self.quote_depth % 2 else "”")
        else:
            if role == LINK and not self.rich and self.pieces:
                self.pieces.append(f" ({self.href})")
            self.marks, self.href = marks, href
            self._change_marks()

    def _close_table(self, draft: TableDraft) -> None:
        self.draft = None
        table = draft.build(self.blocks)
        if table is not None:
            del self.blocks[draft.first_block :]
            self.blocks.append(OutputBlock(TABLE_BLOCK, draft.container, draft.node, table=table))

    def _end_line(self) -> None:
        """Start a new line in preformatted text, for a box inside it."""
        if self.pieces and not self.pieces[-1].endswith("\n"):
            self.pieces.append("\n")

    def _flush(self) -> None:
        """Make a block of the collected words: several where breaks separate paragraphs, none without words."""
        pieces = self.pieces
        kind = self.kind
        if kind == PREFORMATTED_BLOCK:
            text = "".join(pieces).replace(BREAK, "\n").rstrip()
            if text:
                blank = text[: len(text) - len(text.lstrip())]
                self._add_block(kind, text[blank.rfind("\n") + 1 :], ())
        elif self.rich:
            paragraphs = build_runs(pieces, self.mark_changes)
            if len(paragraphs) > 1 and kind == LINE_BLOCK:
                kind = PARAGRAPH_BLOCK
            for runs in paragraphs:
                self._add_block(kind, "", runs)
        else:
            text = collapse_whitespace(pieces[0] if len(pieces) == 1 else "".join(pieces))
            if "\n" in text and "\n\n" in text:
                if kind == LINE_BLOCK:
                    kind = PARAGRAPH_BLOCK
                for paragraph in PARAGRAPH_BREAK.split(text):
                    self._add_block(kind, paragraph, ())
            elif text:
                self._add_block(kind, text, ())
        pieces.clear()
        self.text_before = -1
        if self.rich:
            self.mark_changes = [MarkChange(0, self.marks, self.href)]

    def _add_block(self, kind: int, text: str, runs: Sequence[InlineRun]) -> None:
        container = self.container
        if container.parent is not None:
            if container.is_list:
                container = container.find_holder()
            container.note_block()
        self.blocks.append(OutputBlock(kind, container, self.node, self.level, text, runs))
