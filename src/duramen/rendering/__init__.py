"""Chromium's boxes over a Tree: where each element stands on the screen, and how large it is.

`render` is the short way, with a browser that stays open until the program ends. `browser.Browser` is the long one:
your own browser, several pages at once, scripts, the network. `boxes.Boxes` are boxes apart from their page, to be kept
in a file. This is the only room that knows a browser; methods find boxes in `tree.box`, or None.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.api import page_of
from duramen.dom.page import Page

if TYPE_CHECKING:
    from duramen.rendering.browser import Browser

_kept: dict[tuple[bool, bool], Browser] = {}
"""The browsers that are open, by whether they run scripts and whether they use the network."""


def render(
    source: str | bytes | Path | Page, *, url: str | None = None, scripts: bool = False, network: bool = False
) -> Page:
    """The page with a box (x, y, width, height) in `page.tree.box` for each element that is on the screen.

    `source` is what `extract` takes. The browser is started once and kept open. No script of the page runs unless
    `scripts` says so, and then the page is the one they have made; nothing is asked of the network unless `network`
    says so. Raises `NoBrowserError` without Chromium, `RenderError` for a page that it cannot lay out.
    """
    from duramen.rendering.browser import Browser

    page = page_of(source, url)
    browser = _kept.get((scripts, network))
    if browser is None:
        browser = _kept[scripts, network] = Browser(scripts=scripts, network=network)
    if scripts:
        return browser.render(page)
    boxes = browser.boxes(page)
    if boxes.note:
        warnings.warn(boxes.note, stacklevel=2)
    return boxes.on(page)
