"""Where the elements stand that speak of the page: one look at every tag, compiled where that can be (`tags.pxd`)."""

from __future__ import annotations

from duramen.compiled import faster

SPEAKING = frozenset("meta link title script h1 h2 time".split())
_TEXT = "#text"


@faster
def speaking(tags: list[str]) -> dict[str, list[int]]:
    """The nodes of each tag in `SPEAKING`, in order."""
    return _speaking(tags)


@faster
def places(tags: list[str], wanted: str) -> list[int]:
    """The nodes of one tag, in order."""
    return _places(tags, wanted)


def _places(tags: list[str], wanted: str) -> list[int]:
    found: list[int] = []
    node = -1
    for tag in tags:
        node += 1
        if tag == wanted:
            found.append(node)
    return found


def _speaking(tags: list[str]) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {tag: [] for tag in SPEAKING}
    text = (
        None  # the very string that text nodes have for a tag, half of all: to be it is quicker told than to equal it
    )
    node = -1
    for tag in tags:
        node += 1
        if tag is text:
            continue
        if tag[0] in "mltsh" and tag in SPEAKING:  # the initials of all of them: to C a glance
            found[tag].append(node)
        elif text is None and tag == _TEXT:
            text = tag
    return found
