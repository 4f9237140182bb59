"""An element of a page, as users select it with XPath or CSS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from selectolax.lexbor import SelectolaxError

from duramen.dom.lexbor import Attributes
from duramen.dom.text import read_text
from duramen.dom.tree import TEXT, Tree
from duramen.dom.tree_queries import select_css
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page

_REPR_CHARS = 40
"""Characters of the text that `repr` shows."""


@dataclass(frozen=True)
class Element:
    """An element of a page: its tag, text and attributes, and selection below it."""

    page: Page = field(repr=False)
    node: int
    """The number of the element in `page.tree`."""

    @property
    def tag(self) -> str:
        """The name of the element, in lower case except inside `<svg>`."""
        return self.page.tree.tag[self.node]

    @property
    def attributes(self) -> Attributes:
        """The attributes of the element; one without a value maps to None."""
        return self.page.tree.attributes[self.node]

    @property
    def text(self) -> str:
        """The text of the element with single spaces, without scripts, styles and other elements that are not shown."""
        return " ".join(read_text(self.page.tree, self.node).split())

    def xpath(self, expression: str) -> list[Element]:
        """Return the elements that an XPath expression selects; relative paths start at this element."""
        from duramen.xpath import select  # a package above this one

        tree = self.page.tree
        return [Element(self.page, node) for node in select(tree, expression, self.node) if tree.tag[node] != TEXT]

    def css(self, selector: str) -> list[Element]:
        """Return the elements below this one that a CSS selector selects.

        The selector is matched against the whole page, as by `querySelectorAll` in a browser: of `div p`, the `div` may
        be above this element.
        """
        below = range(self.node + 1, self.page.tree.end[self.node])
        return [Element(self.page, node) for node in self.select_css(selector) if node in below]

    def select_css(self, selector: str) -> list[int]:
        """Return the numbers of all elements of the page that a CSS selector selects, in document order."""
        try:
            nodes = select_css(self.page.tree, selector)
            if nodes is None:  # the tree was pickled: the same page gives the same numbers
                nodes = select_css(Tree.parse(self.page.markup), selector)
        except SelectolaxError as error:
            raise UsageError(f"CSS selector {selector!r} is invalid or not supported by the parser") from error
        return nodes or []

    def __repr__(self) -> str:
        attributes = "".join(f" {name}" if value is None else f' {name}="{value}"' for name, value in self._shown())
        text = self.text
        shown = text if len(text) <= _REPR_CHARS else text[:_REPR_CHARS].rstrip() + "…"
        return f"<Element {self.node}: <{self.tag}{attributes}> {shown!r}>"

    def _shown(self) -> Iterator[tuple[str, str | None]]:
        yield from ((name, self.attributes[name]) for name in ("id", "class") if name in self.attributes)
