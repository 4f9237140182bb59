"""What a site calls a page where it leads to it: in its links to the page, and where a trail of breadcrumbs ends in it.

Menus and lists are written for people who look for the page: they use its own name, no slogan and no words that are
there to be found.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from duramen.metadata.addresses import host_and_path
from duramen.metadata.head import Head
from duramen.metadata.json_ld import Thing
from duramen.metadata.strings import key, text_of, tidy

_LONGEST: Final = 200
_MOST: Final = 20
"""Links that are read: a page that leads to itself more often repeats itself."""
_LIST: Final = "BreadcrumbList"


class Elsewhere(NamedTuple):
    """The names of a page as keys (`strings.key`), by where they were read."""

    links: frozenset[str] = frozenset()
    crumbs: frozenset[str] = frozenset()


NOWHERE_ELSE: Final = Elsewhere()


def own_links(head: Head, address: str | None, path: str) -> frozenset[str]:
    """What the links of a page to itself say. A home page has none: what leads there is a logo, or says "Home"."""
    here = path.rstrip("/")
    if not here:
        return frozenset()
    host, _ = host_and_path(address)
    may_lead = head.tree.attribute_values_containing(here.rpartition("/")[2], "href", head.tree.find_all("a"))
    leading = [node for node, href in may_lead if _leads(href, host, here)]
    return frozenset(said for node in leading[:_MOST] if (said := key(text_of(head.tree, node, _LONGEST))))


def _leads(href: str, host: str, path: str) -> bool:
    """Whether an address, whole or from the root of its site, is that of a page, whatever it was asked with."""
    href = href.strip().rstrip("/")
    if not href.endswith(path):
        return False
    before = href[: -len(path)].lower()
    return not before or before.partition("//")[2].removeprefix("www.") == host


def crumbs(things: list[Thing]) -> frozenset[str]:
    """The names of the pages that the trails of breadcrumbs among these things end in."""
    found = set()
    for thing in things:
        steps = thing.data.get("itemListElement") if thing.type == _LIST else None
        last = steps[-1] if isinstance(steps, list) and steps else None
        if not isinstance(last, dict):
            continue
        item = last.get("item")
        name = last.get("name") or (item.get("name") if isinstance(item, dict) else None)
        if isinstance(name, str) and (said := key(tidy(name))):
            found.add(said)
    return frozenset(found)
