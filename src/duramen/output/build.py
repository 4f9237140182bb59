"""Build output blocks from kept nodes, in one pass over the nodes.

The pass goes from span to span. Elements outside the spans that hold kept nodes are entered on the way, so that their
markup applies. Invisible elements are skipped, unless a method names them: elements outside the spans around kept
nodes are never tested, nor is the first node of a span whose parent is not kept. (The first node of a span whose
parent is kept is not named: the spans of a subtree with pruned parts continue at any node, perhaps a script.)

Most elements of a page are boxes that only start and end lines. They cost next to nothing: the start of a box ends the
block before it, and the end of a block is looked up at its first word, in the nearest box around that word. Only lists,
quotes and the like are kept on a stack.

A data table is read as blocks like everything else; when it ends, its blocks are replaced by one. Formulas, listings of
code and other units (`structure`) are written in place of their elements. Notes that the text refers to are written at
the end.
"""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from duramen.dom.images import find_best_image_url, is_content_image
from duramen.dom.tag_sets import BLOCK_TAGS
from duramen.dom.tree import TEXT, Tree
from duramen.dom.urls import resolve_safe_url
from duramen.output import elements
from duramen.output.collect import BlockCollector
from duramen.output.elements import (
    BLOCK,
    CELL,
    DEFINITION,
    DEFINITION_LIST,
    DIALOG,
    FIGURE,
    FIGURE_CAPTION,
    FIRST_INLINE,
    FORMATTING,
    FORMULA,
    HEADING,
    IMAGE,
    INLINE_QUOTE,
    ITEM,
    LINK,
    LIST,
    MARK_OF_TAG,
    NOTE,
    NOTE_REFERENCE,
    PARAGRAPH,
    PRE,
    QUOTE,
    RULE,
    SUMMARY,
    TABLE,
    TABLE_CAPTION,
    TERM,
)
from duramen.output.inline import (
    BREAK,
    MarkChange,
    are_separate_words,
    may_be_separate_words,
)
from duramen.output.markup import find_markup_root, find_roles, number_list_items, number_nested_item
from duramen.output.model import (
    CALLOUT_BLOCK,
    FORMULA_BLOCK,
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
from duramen.output.note_labels import remove_label
from duramen.output.options import OutputOptions
from duramen.output.table_grid import TableDraft
from duramen.structure.units import (
    CALLOUT,
    CODE_RUN,
    CODE_UNIT,
    DROPPED,
    EMBED,
    EMOJI,
    FORMULA_UNIT,
    NOSCRIPT_IMAGE,
    NOTE_TEXT,
    REFERENCE,
    TABLE_PART,
    find_structure,
)

_NEVER: Final = sys.maxsize

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
    return _build(tree, spans, options, roles or find_roles(tree, options, rich=False), rich=False)


def build_rich_blocks(tree: Tree, spans: Sequence[range], options: OutputOptions) -> list[OutputBlock]:
    """Build the blocks of the kept nodes with their words as runs, which have marks."""
    return _build(tree, spans, options, find_roles(tree, options, rich=True), rich=True)


def _build(
    tree: Tree, spans: Sequence[range], options: OutputOptions, roles: dict[str, int], *, rich: bool
) -> list[OutputBlock]:
    spans = [span for span in spans if span]
    return BlockBuilder(tree, spans, options, roles, rich=rich).build() if spans else []


class BlockBuilder(BlockCollector):
    """The walk over the kept nodes: the elements that are open, and what is known of the page so far."""

    def __init__(
        self, tree: Tree, spans: Sequence[range], options: OutputOptions, roles: dict[str, int], *, rich: bool
    ) -> None:
        super().__init__(tree, find_structure(tree, spans), rich=rich)
        self.spans = spans
        self.tags, self.parents, self.ends, self.texts = tree.tag, tree.parent, tree.end, tree.text
        self.options = options
        self.roles = roles
        self.units = self.structure.units
        # The position in the page.
        self.limit = 0  # the first node after the block
        self.quote_depth = 0
        self.pre_end = 0  # nodes before this one are in a `pre`
        self.heading_end = 0  # nodes before this one are in a heading of this level
        self.heading_level = 0
        self.frames: list[_Frame] = []
        self.close_at = _NEVER  # the node at which the innermost element on the stack ends
        # What is known of the page so far.
        self.draft: TableDraft | None = None
        self.labels: set[str] = set()  # of the notes that were referred to
        self.label_order: list[str] = []
        self.image_urls: set[str] = set()
        self.item_numbers: dict[int, int] = {}
        self.stray_lists: dict[int, Container] = {}
        self.box_of: dict[int, int] = {}  # nearest box around an inline element, where it is many levels up

    def build(self) -> list[OutputBlock]:
        """Return the blocks of the kept nodes, and of the notes that they refer to."""
        self._read(self.spans, find_markup_root(self.tree, self.spans))
        if self.labels:
            self._add_notes()
        return self.blocks

    def _add_notes(self) -> None:
        """Write the notes that were referred to, kept by the method or not; a note may refer to another."""
        spans_of = {note.label: note.spans for note in self.structure.notes.notes}
        texts = {note.label: note.text for note in self.structure.notes.notes if note.text}
        marks = {label: mark for mark, label in self.structure.notes.references.items()} if texts else {}
        root = self.container
        for label in self.label_order:  # grows on the way
            spans = [span for span in spans_of.get(label, ()) if span]
            if label in texts:
                self.container = Container(NOTE, root)
                self.container.label = label
                self._add_piece(marks[label], texts[label], 0)
                self.flush()
                self.container = root
            elif spans:
                self.container = Container(NOTE, root)
                self.container.label = label
                first_block = len(self.blocks)
                self._read(spans, spans[0].start)
                if first_block < len(self.blocks):
                    self.blocks[first_block] = remove_label(self.blocks[first_block], label)
                self.container = root

    def _read(self, spans: Sequence[range], seen: int) -> None:
        """Read spans of nodes. This is the hot loop of the outputs, so common cases are written out in it.

        `seen` is the node before which nothing is entered: the outermost element whose markup applies.
        """
        tree = self.tree
        tags, parents, ends, texts, attributes = self.tags, self.parents, self.ends, self.texts, tree.attributes
        invisible_role, line_break = elements.INVISIBLE, elements.LINE_BREAK
        roles, units, hidden = self.roles, self.units, tree.hidden
        pieces = self.pieces
        outside: set[int] = {-1}
        node = -1
        for span in spans:
            stop = span.stop
            if stop <= node:  # the span is inside a skipped element
                continue
            is_first = node < 0
            node = max(span.start, node)
            if self.structure.formulas:
                node = self._find_formula_start(node)
            node = self._skip_dropped(node, seen)
            if stop <= node:
                continue
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
            if (is_first or parents[node] in outside) and tags[node] != TEXT and node not in units:
                self._enter_named(node)
                node += 1
            event = node  # the next node at which the block or the innermost element on the stack ends
            while node < stop:
                if node >= event:
                    while node >= self.close_at:
                        self._leave()
                    if pieces and node >= self.limit:
                        self.flush()
                    event = self.close_at
                    if pieces and self.limit < event:
                        event = self.limit
                if node in units:
                    after = self._add_unit(node, stop)
                    if after > node:
                        node = event = after
                        continue
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
                            self.flush()
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
            self.flush()

    def _find_formula_start(self, node: int) -> int:
        """Return the element of the formula that a node is in, or the node: no formula is written in part."""
        starts = self.structure.formula_starts
        place = bisect_right(starts, node) - 1
        return starts[place] if place >= 0 and node < self.ends[starts[place]] else node

    def _skip_dropped(self, node: int, seen: int) -> int:
        """Return the end of the outermost dropped element around a node, or the node.

        A note, for example, is dropped from the place where it stands.
        """
        after = node
        parent = self.parents[node]
        while parent >= seen:
            if self.units.get(parent) == DROPPED:
                after = self.ends[parent]
            parent = self.parents[parent]
        return after

    def _add_unit(self, node: int, stop: int) -> int:
        """Write the unit that starts at a node; return the node after it, or the node if it is no unit here."""
        kind, end = self.units[node], self.ends[node]
        if kind == DROPPED:
            return end
        if kind == FORMULA_UNIT:
            formula = self.structure.formulas[node]
            self._add_formula(node, formula.tex, is_display=formula.is_display)
            return end
        if kind == CODE_UNIT and end <= stop:
            code = self.structure.code_blocks[node]
            self.add_code(node, code.text, code.language)
            return end
        if kind == CODE_RUN and (run := self.structure.code_runs[node]).stop <= stop:
            self.add_code(node, run.text, "")
            return run.stop
        if kind == REFERENCE:
            self._add_reference(node, self.structure.notes.references[node])
            return end
        if kind == NOTE_TEXT:
            after, label = self.structure.note_starts[node]
            return after if label in self.labels and self.container.label != label else node
        if kind == EMBED and self.options.links:
            embed = self.structure.embeds[node]
            self.add_embed(node, embed.title, resolve_safe_url(embed.url, self.options.base))
            return end
        if kind == CALLOUT:
            return self._open_callout(node)
        if kind == TABLE_PART:
            self._open_table_part(node)
            return node + 1
        if kind == EMOJI:
            self._add_piece(node, self.structure.emoji[node], 0)
            return end
        if kind == NOSCRIPT_IMAGE and self.options.images:
            self._open_inline(self.structure.noscript_images[node], IMAGE)
            return end
        return node

    def _add_formula(self, node: int, tex: str, *, is_display: bool) -> None:
        if is_display and node >= self.heading_end:
            if self.pieces:
                self.flush()
            self.node = node
            self.add_block(FORMULA_BLOCK, tex, ())
        else:
            self._add_piece(node, tex if self.rich else f"${tex}$", FORMULA)

    def _add_reference(self, node: int, label: str) -> None:
        if label not in self.labels:
            self.labels.add(label)
            self.label_order.append(label)
        # In "[1, 3–5]" the page has the brackets.
        before = "".join(self.pieces[-5:])
        is_bracketed = before.rfind("[") > before.rfind("]")
        self._add_piece(node, label if self.rich or is_bracketed else f"[{label}]", NOTE_REFERENCE)

    def _add_piece(self, node: int, text: str, mark: int) -> None:
        """Add a unit to the words of the block."""
        was_empty = not self.pieces
        # The mark of a note is a link of its own, and links do not nest.
        href = None if mark == NOTE_REFERENCE else self.href
        self.mark_changes.append(MarkChange(len(self.pieces), self.marks | mark, href))
        self.pieces.append(text)
        self.change_marks()
        self.text_before = -1
        if was_empty:
            self._begin_block(node)

    def _open_callout(self, node: int) -> int:
        if self.pieces:
            self.flush()
        callout = self.structure.callouts[node]
        holder = self.container.find_holder()
        if holder.depth >= MAX_CONTAINER_DEPTH or self.draft is not None:
            return node
        inner = Container(QUOTE, holder, node)
        inner.callout = callout
        self._push(node, QUOTE)
        self.container = inner
        self.node = node
        title = callout.title or callout.kind.capitalize()
        if self.rich:
            self.add_block(CALLOUT_BLOCK, title, [InlineRun(title, elements.STRONG)])
        else:
            self.add_block(CALLOUT_BLOCK, title, ())
        return node + 1

    def _skip_gap(self, seen: int, node: int) -> None:
        """Pass over nodes left out between two spans: a box among them separates the words on both sides."""
        gap = self.tags[seen:node]
        if node < self.pre_end:
            if "br" in gap or not BLOCK_TAGS.isdisjoint(gap):
                self.end_line()
        elif not BLOCK_TAGS.isdisjoint(gap):
            self.flush()
        elif "br" in gap:
            self.pieces.append(BREAK)
            self.text_before = -1

    def _enter_named(self, node: int) -> None:
        """Open an element that a method names, invisible or not."""
        while node >= self.close_at:
            self._leave()
        if self.pieces and node >= self.limit:
            self.flush()
        if self.units.get(node) == TABLE_PART:
            self._open_table_part(node)
            return
        if self.units.get(node) == CALLOUT and self._open_callout(node) > node:  # its title was not kept
            return
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
                self.end_line()
                self._push(node, BLOCK)
            return
        if role >= FIRST_INLINE:
            self._open_inline(node, role)
            return
        if self.pieces:
            self.flush()
        if role <= PARAGRAPH:
            return
        if role == HEADING:
            self.heading_end = self.ends[node]
            self.heading_level = int(self.tags[node][1])
        elif role == RULE:
            self.node = node
            self.add_block(RULE_BLOCK, "", ())
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
            address = self.tree.attributes[node].get("href")
            href = resolve_safe_url(address, self.options.base)
            # Many generators make each heading a link to itself.
            if href is not None and not (node < self.heading_end and self._leads_here(address, href)):
                self._push(node, role)
                self.href = href
                self.change_marks()
        elif role == FORMATTING:
            mark = MARK_OF_TAG[self.tags[node]]
            if not self.marks & mark:
                self._push(node, role)
                self.marks |= mark
                self.change_marks()
                if mark & elements.SCRIPTS:
                    self.script_starts.append(len(self.pieces))
        if was_empty and self.pieces:
            self._begin_block(node)

    def _leads_here(self, address: str | None, href: str) -> bool:
        """Return whether a link leads to a place on this page."""
        if address is not None and address.startswith("#"):
            return True
        return self.options.base is not None and "#" in href and href.partition("#")[0] == self.options.base

    def _add_image(self, node: int) -> None:
        attributes = self.tree.attributes[node]
        url = find_best_image_url(self.tree, node, self.options.base)
        if url is None or not is_content_image(attributes, url):
            return
        # An image is content once: again it is its own enlargement, or an icon. In a table it may be a value ("✓").
        if self.draft is None:
            if url in self.image_urls:
                return
            self.image_urls.add(url)
        description = " ".join((attributes.get("alt") or "").split())
        if self.rich:
            self.mark_changes.append(MarkChange(len(self.pieces), self.marks & ~elements.CODE, self.href, url))
            self.pieces.append(description)
            self.change_marks()
        else:
            self.pieces.append(f"[{description or 'image'}] ({url})")

    def _open_table(self, node: int, role: int) -> None:
        draft = self.draft
        if role == TABLE:
            table = self.structure.tables.get(node)
            if table is not None and draft is None:
                self._push(node, role)
                self.draft = TableDraft(table, self.container.find_holder(), len(self.blocks))
        elif draft is not None and node in draft.parts:
            draft.starts[node] = len(self.blocks)

    def _open_table_part(self, node: int) -> None:
        """Open a table or cell that is no `table` or `td`."""
        if self.pieces:
            self.flush()
        self._open_table(node, TABLE if node in self.structure.marked_tables else CELL)

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
        elif role == SUMMARY:
            if container.role != elements.DETAILS:
                return
        elif role == QUOTE and node in self.structure.indenting_quotes:
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
            inner.is_checked = self.structure.task_items.get(node)
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
            self.end_line()
        elif role < FIRST_INLINE:
            if self.pieces:
                self.flush()
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
            elif role == FORMATTING and (self.marks ^ marks) & elements.SCRIPTS:
                self.convert_script(self.marks ^ marks)
            self.marks, self.href = marks, href
            self.change_marks()

    def _close_table(self, draft: TableDraft) -> None:
        self.draft = None
        table = draft.build(self.blocks, self.tree, self.structure.spanning_cells)
        if table is not None:
            del self.blocks[draft.first_block :]
            self.blocks.append(OutputBlock(TABLE_BLOCK, draft.container, draft.table.node, table=table))
