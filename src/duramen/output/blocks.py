"""From kept nodes to blocks, in one pass over the nodes.

The pass goes from span to span. Elements outside the spans that hold kept nodes are entered on the way, so that they
lend their markup. What is invisible is skipped, unless a method names it: an element outside the spans around kept
nodes is asked nothing, nor is the first node of a span whose parent is not kept. (The first node of a span whose parent
is kept is no name: the spans of a subtree with pruned parts go on at any node, a script among them.)

Most elements of a page are boxes that only start and end lines. They cost next to nothing: one that starts ends the
block before it, and where a block ends is looked up when its first word comes, in the nearest box around that word.
Only lists, quotes and their like are kept on a stack.

A table is read as blocks like everything else; when it ends and turns out to hold data, its blocks are taken back and
put into one. A table inside it, or any block that no cell of data holds, settles at once that it lays out a page, so
at most one table is in doubt at any time and no block is moved twice.

Inline elements join what stands beside them, but for those that `borders` tells apart.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from duramen.dom.tree import TEXT, Tree
from duramen.dom.visibility import INVISIBLE, invisible
from duramen.output import elements, inline, model
from duramen.output.borders import are_parted
from duramen.output.context import outermost_lender
from duramen.output.elements import (
    BLOCK,
    BLOCK_TAGS,
    CAPTION,
    CELL,
    DEFINITION,
    DIALOG,
    FIGURE,
    FIRST_INLINE,
    GLOSSARY,
    HEADING,
    IMAGE,
    ITEM,
    LEGEND,
    LINK,
    LIST,
    MARK,
    MARKS,
    PARAGRAPH,
    PRE,
    QUOTATION,
    QUOTE,
    RICH_ROLES,
    ROLES,
    ROW,
    RULE,
    TABLE,
    TERM,
)
from duramen.output.inline import BREAK, Shift, collapsed
from duramen.output.lists import counted, numbers
from duramen.output.model import DEEPEST, Block, Container, contained
from duramen.output.options import Options, address, picture
from duramen.output.table import Draft, Part, spanning

_COMPILED = False
_NEVER = sys.maxsize
_LINE, _PARAGRAPH, _HEADING, _VERBATIM = model.LINE, model.PARAGRAPH, model.HEADING, model.VERBATIM  # kinds of block

# What no cell of a table of data holds.
_NOT_DATA = frozenset((HEADING, QUOTE, PRE, GLOSSARY, FIGURE, RULE, TABLE))

_new = tuple.__new__

# On leaving an element: its role, where the element around it ends, and the state to go back to.
_Frame = tuple[int, int, Container, int, str | None]


def plain_blocks(tree: Tree, spans: Sequence[range], options: Options) -> list[Block]:
    """The blocks of the kept nodes, their words as text."""
    return _Pass(tree, options, rich=False).run(spans)


def rich_blocks(tree: Tree, spans: Sequence[range], options: Options) -> list[Block]:
    """The blocks of the kept nodes, their words as runs."""
    return _Pass(tree, options, rich=True).run(spans)


def _is_blank(text: str) -> bool:
    """What `str.isspace` says: the first letter of most texts tells."""
    if _COMPILED:
        for character in text:
            if not character.isspace():
                return False
        return len(text) > 0
    return text.isspace()


def _may_part(before: str, after: str) -> bool:
    """Whether a word may end with the one text and begin with the other: what `borders` says, as far as it is asked of
    every text."""
    if not before or not after:
        return False
    last, first = before[-1], after[0]
    if first.isupper():
        return last.islower() or last.isupper() or last.isdecimal()
    return first.isdecimal() and (last.islower() or last.isupper())


class _Pass:
    """The state of the one pass: the words collected, the block they will make, the containers around it."""

    def __init__(self, tree: Tree, options: Options, *, rich: bool) -> None:
        self.tree = tree
        self.tags, self.parents, self.ends, self.texts = tree.tag, tree.parent, tree.end, tree.text
        self.options = options
        self.rich = rich
        self.roles = RICH_ROLES if rich else ROLES
        asked = dict.fromkeys(INVISIBLE - invisible(tree), BLOCK)
        if options.links:
            asked["a"] = LINK
        if options.images:
            asked["img"] = IMAGE
        if asked:
            self.roles = {**self.roles, **asked}
        self.blocks: list[Block] = []
        # The block being collected.
        self.pieces: list[str] = []
        self.shifts = [Shift(0)]
        self.kind = _LINE
        self.level = 0
        self.node = -1
        self.limit = 0  # the first node past it
        self.before = -1  # its last text, if nothing but the address of a link was written since
        # Where it stands.
        self.container = contained(0, None, -1)
        self.marks = 0
        self.href: str | None = None
        self.quotations = 0
        self.verbatim = 0  # nodes before this one are in a `pre`
        self.heading = 0  # nodes before this one are in a heading, of this level
        self.heading_level = 0
        self.frames: list[_Frame] = []
        self.close_at = _NEVER
        # What is known of the page so far.
        self.draft: Draft | None = None
        self.spanning: dict[int, tuple[int, int]] | None = None
        self.numbers: dict[int, int] = {}
        self.stray_lists: dict[int, Container] = {}
        self.boxes: dict[int, int] = {}  # the nearest box around an inline element, where that was far to seek

    def run(self, spans: Sequence[range]) -> list[Block]:
        """The hot loop of the outputs: what is written out here instead of called is so for speed."""
        spans = [kept for kept in spans if kept]
        if not spans:
            return []
        tree = self.tree
        tags, parents, ends, texts, attributes = self.tags, self.parents, self.ends, self.texts, tree.attributes
        invisible, dialog, block, line_break = elements.INVISIBLE, DIALOG, BLOCK, elements.BREAK
        roles, hidden_nodes = self.roles, tree.hidden
        any_hidden = len(hidden_nodes) > 0
        pieces = self.pieces
        outside: set[int] = {-1}
        seen = outermost_lender(tree, spans)
        node = -1
        for kept in spans:
            stop = kept.stop
            if stop <= node:  # all of it is in what was skipped
                continue
            named = node < 0
            node = max(kept.start, node)
            if pieces:
                self._leap(seen, node)
            way = []
            parent = parents[node]
            while parent >= seen:
                way.append(parent)
                parent = parents[parent]
            outside.update(way)
            for ancestor in reversed(way):
                self._enter(ancestor)
            if (named or parents[node] in outside) and tags[node] != TEXT:
                self._enter(node)
                node += 1
            event = node  # the next node at which something ends: the block, or what is on the stack
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
                if tag is TEXT or tag == TEXT:
                    text = texts[node]
                    if pieces:
                        if self.before >= 0 and node >= self.verbatim and _may_part(texts[self.before], text):
                            if are_parted(tree, self.before, node):
                                pieces.append(" ")
                        pieces.append(text)
                        self.before = node
                    elif not _is_blank(text) or node < self.verbatim:
                        pieces.append(text)
                        event = self._begin(node)
                        self.before = node
                    node += 1
                    continue
                role = roles.get(tag, 0)
                if role == invisible:
                    node = ends[node]
                    continue
                if role == line_break:
                    if pieces:
                        pieces.append(BREAK)
                        self.before = -1
                    node += 1
                    continue
                if any_hidden and node in hidden_nodes:
                    node = ends[node]
                    continue
                if role:
                    if role == block and node >= self.verbatim:
                        if pieces:
                            self._flush()
                            event = self.close_at
                    elif role == dialog and "open" not in attributes[node]:
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

    def _leap(self, seen: int, node: int) -> None:
        """Between two spans something was left out: if it was a box, words on either side are not one line."""
        gap = self.tags[seen:node]
        if node < self.verbatim:
            if "br" in gap or not BLOCK_TAGS.isdisjoint(gap):
                self._line()
        elif not BLOCK_TAGS.isdisjoint(gap):
            self._flush()
        elif "br" in gap:
            self.pieces.append(BREAK)
            self.before = -1

    def _enter(self, node: int) -> None:
        """Open an element that a method names, invisible or not."""
        while node >= self.close_at:
            self._leave()
        if self.pieces and node >= self.limit:
            self._flush()
        role = self.roles.get(self.tags[node], 0)
        if role > DIALOG:
            self._open(node, role)

    def _begin(self, node: int) -> int:
        """A block starts with this node: what kind is it? Gives the next node at which something ends."""
        tags, parents, roles = self.tags, self.parents, self.roles
        if node < self.verbatim:
            self.kind = _VERBATIM
            self.limit = self.verbatim
            return self.close_at
        box = parents[node]
        role = roles.get(tags[box], 0)
        if not DIALOG <= role < FIRST_INLINE:
            box = self._box(box)
            role = roles.get(tags[box], 0)
        self.node = box
        self.limit = limit = self.ends[box]
        if role in (PARAGRAPH, CAPTION):
            self.kind = _PARAGRAPH
        elif role == HEADING:
            self.kind = _HEADING
            self.level = int(tags[box][1])
        elif node < self.heading and role == BLOCK:
            self.kind = _HEADING
            self.level = self.heading_level
        else:
            self.kind = _LINE
        return limit if limit < self.close_at else self.close_at

    def _box(self, node: int) -> int:
        """The nearest box around an inline element."""
        tags, parents, roles = self.tags, self.parents, self.roles
        way = []
        while node > 0 and not DIALOG <= roles.get(tags[node], 0) < FIRST_INLINE:
            found = self.boxes.get(node)
            if found is not None:
                node = found
                break
            way.append(node)
            node = parents[node]
        if len(way) > 4:  # without this, many blocks in an endless nest of inline elements would climb it each
            self.boxes.update(dict.fromkeys(way, node))
        return node

    def _push(self, node: int, role: int) -> None:
        self.frames.append((role, self.close_at, self.container, self.marks, self.href))
        self.close_at = self.ends[node]

    def _open(self, node: int, role: int) -> None:
        if node < self.verbatim:
            if role < FIRST_INLINE:
                self._line()
                self._push(node, BLOCK)
            return
        if role >= FIRST_INLINE:
            self._open_inline(node, role)
            return
        if self.pieces:
            self._flush()
        if role <= PARAGRAPH:
            return
        if self.draft is not None and role in _NOT_DATA:
            self.draft = None
        if role == HEADING:
            self.heading = self.ends[node]
            self.heading_level = int(self.tags[node][1])
        elif role == RULE:
            self.node = node
            self._put(model.RULE)
        elif role == PRE:
            self._push(node, role)
            self.verbatim = self.ends[node]
            self.node = node
        elif role in (TABLE, ROW, CELL, CAPTION):
            self._open_table(node, role)
        else:
            self._open_container(node, role)

    def _open_inline(self, node: int, role: int) -> None:
        empty = not self.pieces
        if role == IMAGE:
            self._image(node)
            self.before = -1
        elif role == QUOTATION:
            self.before = -1
            self.pieces.append("‘" if self.quotations % 2 else "“")
            self.quotations += 1
            self._push(node, role)
        elif role == LINK:
            href = address(self.tree.attributes[node].get("href"), self.options.base)
            if href is not None:
                self._push(node, role)
                self.href = href
                self._shift()
        elif role == MARK:
            mark = MARKS[self.tags[node]]
            if not self.marks & mark:
                self._push(node, role)
                self.marks |= mark
                self._shift()
        if empty and self.pieces:
            self._begin(node)

    def _shift(self) -> None:
        if self.rich:
            self.shifts.append(Shift(len(self.pieces), self.marks, self.href))

    def _image(self, node: int) -> None:
        attributes = self.tree.attributes[node]
        source = picture(attributes, self.options.base)
        if source is None:
            return
        described = " ".join((attributes.get("alt") or "").split())
        if self.rich:
            self.shifts.append(Shift(len(self.pieces), self.marks & ~elements.CODE, self.href, source))
            self.pieces.append(described)
            self._shift()
        else:
            self.pieces.append(f"[{described or 'image'}] ({source})")

    def _open_table(self, node: int, role: int) -> None:
        tree = self.tree
        if role == TABLE:
            if tree.attributes[node].get("role") not in ("presentation", "none"):
                self._push(node, role)
                self.draft = Draft(node, self.container.home(), len(self.blocks))
        elif self.draft is not None:
            place = len(self.blocks)
            if role == ROW:
                self.draft.rows.append([])
            elif role == CAPTION:
                self.draft.captions.append(Part(node, place))
            else:
                if self.spanning is None:
                    self.spanning = spanning(tree)
                columns, rows = self.spanning.get(node, (1, 1))
                if not self.draft.rows:
                    self.draft.rows.append([])
                self.draft.rows[-1].append(_new(Part, (node, place, self.tags[node] == "th", columns, rows)))

    def _open_container(self, node: int, role: int) -> None:
        container = self.container
        if role == ITEM:
            if container.role != LIST:
                container = self._stray_list(node)
                if container.role != LIST:
                    return
        elif role in (TERM, DEFINITION):
            if container.role != GLOSSARY:
                return
        elif role == LEGEND:
            if container.role != FIGURE:
                return
        else:
            container = container.home()
        inner = contained(role, container, node)
        if inner.depth + inner.is_list > DEEPEST:  # there must be room for the items, too
            return
        self._push(node, role)
        self.container = inner
        if inner.is_list:
            if self.tags[node] == "ol":
                inner.ordered = True
                self.numbers.update(numbers(self.tree, node))
        elif inner.is_item:
            if container.ordered:
                inner.number = self._number(node, container)
            container.last = inner

    def _number(self, node: int, container: Container) -> int:
        """The number of an item; one that is not right in its list, but in a box there, follows the one before."""
        number = self.numbers.get(node)
        if number is not None:
            return number
        before = container.last
        if before is None or before.number is None:
            return counted(self.tree, container.node)[0]
        return before.number + (-1 if "reversed" in self.tree.attributes[container.node] else 1)

    def _stray_list(self, node: int) -> Container:
        """A list for an item that stands in none: that of the stray item just before it, or a new one."""
        parent = self.parents[node]
        found = self.stray_lists.get(parent)
        if found is not None and self.blocks and found in self.blocks[-1].container.path():
            return found
        home = self.container.home()
        if home.depth + 2 > DEEPEST:
            return home
        self.stray_lists[parent] = created = contained(LIST, home, -1)
        return created

    def _leave(self) -> None:
        """Leave the innermost element on the stack."""
        role, close_at, container, marks, href = self.frames.pop()
        self.close_at = close_at
        if role == BLOCK:
            self._line()
        elif role < FIRST_INLINE:
            if self.pieces:
                self._flush()
            self.container = container
            if role == PRE:
                self.verbatim = 0
            elif role == TABLE and self.draft is not None:
                self._close_table(self.draft)
        elif role == QUOTATION:
            self.quotations -= 1
            if not self.pieces:
                self.limit = close_at
            self.before = -1
            self.pieces.append("’" if self.quotations % 2 else "”")
        else:
            if role == LINK and not self.rich and self.pieces:
                self.pieces.append(f" ({self.href})")
            self.marks, self.href = marks, href
            self._shift()

    def _close_table(self, draft: Draft) -> None:
        self.draft = None
        table = draft.table(self.blocks)
        if table is not None:
            del self.blocks[draft.start :]
            self.blocks.append(Block(model.TABLE, draft.container, draft.node, table=table))

    def _line(self) -> None:
        """Start a new line in verbatim text, for a box inside it."""
        if self.pieces and not self.pieces[-1].endswith("\n"):
            self.pieces.append("\n")

    def _flush(self) -> None:
        """Make a block of the words collected; several where breaks part paragraphs, none if there were no words."""
        pieces = self.pieces
        kind = self.kind
        if kind == _VERBATIM:
            text = "".join(pieces).replace(BREAK, "\n").rstrip()
            if text:
                blank = text[: len(text) - len(text.lstrip())]
                self._put(kind, text[blank.rfind("\n") + 1 :])
        elif self.rich:
            paragraphs = inline.runs(pieces, self.shifts)
            if len(paragraphs) > 1 and kind == _LINE:
                kind = _PARAGRAPH
            for runs in paragraphs:
                self._put(kind, "", runs)
        else:
            text = collapsed(pieces[0] if len(pieces) == 1 else "".join(pieces))
            if "\n" in text and "\n\n" in text:
                kind = _PARAGRAPH if kind == _LINE else kind
                for paragraph in inline.PARAGRAPHS.split(text):
                    self._put(kind, paragraph)
            elif text:
                self._put(kind, text)
        pieces.clear()
        self.before = -1
        if self.rich:
            self.shifts = [Shift(0, self.marks, self.href)]

    def _put(self, kind: int, text: str = "", runs: Sequence[model.Run] = ()) -> None:
        container = self.container
        if container.parent is not None:
            if container.is_list:
                container = container.home()
            container.fill()
        # As `Block(...)` does, without the call of a Python function.
        self.blocks.append(_new(Block, (kind, container, self.node, self.level, text, runs, None)))
