"""Whether an element's own attributes take it off the screen, and whether it may be folded only.

Tabs, accordions and the answers to questions are hidden by the same attributes as what no reader is to see. But a
control of the page names them (`aria-controls`), or they say themselves that they are what a tab shows
(`role=tabpanel`), as the patterns of WAI-ARIA ask for: a click unfolds them. On pages whose text is known, three words
in four of such elements are part of it, and one in twenty of those in other hidden elements.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

CONTROLS: Final = "aria-controls"
"""The attribute by which a control names what it shows and hides."""
CONTROLLING: Final = ("button", "a", "h2", "h3", "h4")
"""The elements that are controls: of those that have this attribute, nine in ten."""
APART: Final = ("nav", "header", "footer", "aside", "dialog")
"""What is folded in these, or by a control in these, is a menu or a form, and no part of the page's text."""
PANEL: Final = ""
"""What `folds_as` says of an element that needs no control to name it."""
_OVERLAYS: Final = frozenset("dialog alertdialog alert menu menubar listbox navigation search status tooltip".split())
"""Roles of what is laid over a page, or leads away from it."""

# What React's server sends late stands at the end of the page in <div hidden id="S:1">; a script moves it into place.
_STREAMED = re.compile(r"S:[0-9a-f]+")
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII)


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element with these attributes is hidden by the attribute `hidden`, or by a style that says so."""
    if "hidden" in attributes:
        return attributes["hidden"] != "until-found" and not _STREAMED.fullmatch(attributes.get("id") or "")
    style = attributes.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None


def folds_as(attributes: Mapping[str, str | None]) -> str | None:
    """The name by which a control may unfold a hidden element, or `PANEL`; None for an element that is not folded."""
    roles = (attributes.get("role") or "").lower().split()
    if "tabpanel" in roles:
        return PANEL
    is_laid_over = "aria-modal" in attributes or not _OVERLAYS.isdisjoint(roles)
    return None if is_laid_over else attributes.get("id") or None
