"""Layout of pages by Chromium: position and size of each element.

`render` uses a browser that stays open until the program ends. `browser.Browser` gives control: several pages at once,
scripts, the network. `boxes.Boxes` are the boxes of a page without the page, to be saved in a file. Only this package
uses a browser; methods read boxes from `tree.box`, which is None for a page that was not rendered.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.api import to_page
from duramen.dom.page import Page

if TYPE_CHECKING:
    from duramen.rendering.browser import Browser

_browsers: dict[tuple[bool, bool], Browser] = {}
"""The browsers that are open, by whether they run scripts and whether they use the network."""


def render(
    source: str | bytes | Path | Page, *, url: str | None = None, scripts: bool = False, network: bool = False
) -> Page:
    """Lay out a page and return it with a box (x, y, width, height) per visible element in `page.tree.box`.

    `source` is what `extract` takes. The browser is started once and stays open. Scripts of the page run only with
    `scripts`; then the returned page is the one that they made. The page uses the network only with `network`.

    Raises `NoBrowserError` without Chromium, `RenderError` for a page that it cannot lay out.
    """
    from duramen.rendering.browser import Browser

    page = to_page(source, url)
    browser = _browsers.get((scripts, network))
    if browser is None:
        browser = _browsers[scripts, network] = Browser(scripts=scripts, network=network)
    if scripts:
        return browser.render(page)
    boxes = browser.boxes(page)
    if boxes.note:
        warnings.warn(boxes.note, stacklevel=2)
    return boxes.on(page)
