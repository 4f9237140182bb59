"""Where the pages of a site show their authors and their dates, learnt where the sample makes it sure.

What each page says of itself by all its sources together (`duramen.metadata`) is looked for in its body; the elements
that show it get one expression. It is kept only if it selects just that element on each page that shows the value, and
if these are at least `LEAST_PAGES` and nearly all. On the next page it reads the field where the others had theirs.
Tags and categories, which are lists, have a file of their own (`labels.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from duramen import xpath
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.metadata import Metadata
from duramen.metadata.dates import Moment, day_of, read_date
from duramen.metadata.names import names
from duramen.metadata.strings import key, text_of, tidy
from duramen.wrappers.expressions import Place, shared
from duramen.wrappers.labels import LEAST_PAGES, Fields, learn_labels

_LEAST_SHARE: Final = 0.8
_LONGEST: Final = 160

__all__ = ["LEAST_PAGES", "Fields", "learn_fields"]


def learn_fields(pages: Sequence[Page]) -> Fields:
    """The fields whose place the pages agree on."""
    read = [(page, Metadata.read(page)) for page in pages]
    found = []
    for name, shows in (("authors", _shows_authors), ("published", _shows_published), ("modified", _shows_modified)):
        given = [(page.tree, shows(metadata)) for page, metadata in read]
        places = [(tree, node) for tree, test in given if test and (node := _shown(tree, test)) is not None]
        asked = sum(test is not None for _, test in given)
        if len(places) >= LEAST_PAGES and len(places) >= _LEAST_SHARE * asked and (expression := _sure(places)):
            found.append((name, expression))
    return (*found, *learn_labels(read))


def _sure(places: list[Place]) -> str | None:
    """The expression for these elements, if it selects nothing else on any of the pages."""
    expression = shared(places)
    if "|" in expression or any(xpath.select(tree, expression) != [node] for tree, node in places):
        return None
    return expression


def _shows_authors(metadata: Metadata) -> Callable[[str, str], bool] | None:
    wanted = {key(author.name) for author in metadata.authors}
    if not wanted:
        return None
    return lambda text, _: {key(name) for name in names(text)} == wanted


def _shows_published(metadata: Metadata) -> Callable[[str, str], bool] | None:
    return _shows_day(metadata.published, metadata.language)


def _shows_modified(metadata: Metadata) -> Callable[[str, str], bool] | None:
    """Where a page was changed on another day than it was published: else one date may be shown for both."""
    published, modified = metadata.published, metadata.modified
    if published is None or modified is None or day_of(published) == day_of(modified):
        return None
    return _shows_day(modified, metadata.language)


def _shows_day(moment: Moment | None, lang: str | None) -> Callable[[str, str], bool] | None:
    if moment is None:
        return None
    day = day_of(moment)

    def shows(text: str, said: str) -> bool:
        found = read_date(said, lang) if said else read_date(text, lang)
        return found is not None and day_of(found) == day

    return shows


def _shown(tree: Tree, shows: Callable[[str, str], bool]) -> int | None:
    """The first element of the body whose own text shows a value, the lowest around that text."""
    for node in range(tree.body + 1, len(tree)):
        if tree.tag[node] != TEXT or not 2 < len(tree.text[node].strip()) <= _LONGEST:
            continue
        parent = tree.parent[node]
        if tree.tag[parent] in ("script", "style", "noscript", "title"):
            continue
        said = tidy(tree.attributes[parent].get("datetime"))
        if shows(text_of(tree, parent, _LONGEST), said):
            return parent
    return None
