"""Limit the number of nodes that are read of a page, by its size in bytes.

The searches for lists and the learning of wrappers take up to 36 microseconds for each node. An ordinary page has a
node in about fifty bytes, a hostile one in four. So these verbs read only the beginning of a page that has too many
nodes, and their results say so. Thus they take at most about two seconds per megabyte, and one for small pages.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from duramen.dom.page import Page

BYTES_PER_NODE: Final = 16
MIN_NODES: Final = 30_000
"""Pages with fewer nodes are read whole: a plain table with ten columns and 1,400 rows has so many.

Of 5,263 pages of the data sets none has more than 6,000 nodes of fewer than 16 bytes each.
"""
_MAX_RATIO = 0.8
"""The share of a page that is kept in one step: more would need many steps where the nodes are all at the beginning."""


def limit_nodes(page: Page) -> Page:
    """Return a page, or its beginning with a `note` if it has too many nodes."""
    nodes = len(page.tree)
    most = max(MIN_NODES, len(page.source) // BYTES_PER_NODE)
    if nodes <= most or page.note != page.tree.note:
        return page  # read whole, or limited before
    html, part = page.html, page
    while len(part.tree) > most:
        end = int(len(html) * min(_MAX_RATIO, most / len(part.tree)))
        html = html[: max(0, html.rfind("<", 0, end))]
        part = Page.parse(html, page.url, page.headers)
    note = f"only the first {len(part.tree):,} of {nodes:,} nodes were read: the page has too many for its size"
    return replace(part, encoding=page.encoding, note="; ".join(filter(None, (part.note, note))))
