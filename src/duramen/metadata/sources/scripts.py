"""JSON data inside ordinary scripts: the last resort if nothing else names an author or a date.

Pages that are built by scripts hold their text, author and date as JSON inside a script. Which object there is the
page's own cannot be known without running the program. The first value of each name is taken, with little trust.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import Final

from duramen.dom import lexbor
from duramen.dom.text import clean_text
from duramen.dom.tree import Tree
from duramen.metadata.model import Claim, Claims, new_claims

SCRIPT: Final = "script"

_MAX_SCRIPTS: Final = 2000
_MAX_SCRIPT_CHARS: Final = 3_000_000
"""Characters of all scripts of a page together."""
_DATE_NAMES: Final = (
    "datePublished date_published publishedAt published_at publishDate publish_date publishedDate published_date"
    " published first_publication_date firstPublishedAt pubDate pub_date date_posted datePosted postedAt createdAt"
    " created_at createDate dateCreated date"
)
_AUTHOR_NAMES: Final = "author authorName author_name pagePostAuthor username creator"
_DATE_PAIR: Final = (
    rf"""({_DATE_NAMES.replace(" ", "|")})\\{{0,3}}["']\s*:\s*\\{{0,3}}["']"""
    r"""((?:19|20)\d\d-\d\d-\d\d[^"'\\]{0,30})"""
)
_AUTHOR_PAIR: Final = (
    rf"""({_AUTHOR_NAMES.replace(" ", "|")})\\{{0,3}}["']\s*:\s*"""
    r"""(?:(?:\[\s*)?\{[^{}\[\]]{0,200}?["'](?:name|displayName|display_name)\\{0,3}["']\s*:\s*)?"""
    r"""\\{0,3}["']([^"'\\{}\[\]]{2,60})\\{0,3}["']"""
)
# To search for the names first is faster than to try the expressions at each quotation mark.
_NAMES: Final = lexbor.WordFlags({name.lower(): 1 for name in (*_DATE_NAMES.split(), *_AUTHOR_NAMES.split())})
_PATTERNS: Final = {
    quote: [("published", re.compile(quote + _DATE_PAIR)), ("author", re.compile(quote + _AUTHOR_PAIR))]
    for quote in "\"'"
}


def read_scripts(tree: Tree, json_ld_nodes: Collection[int]) -> Claims:
    """Read the first value of each author or date name in the scripts, without those that are JSON-LD."""
    claims = new_claims()
    seen: set[tuple[str, str]] = set()
    chars_left = _MAX_SCRIPT_CHARS
    for text in _inline_scripts(tree, json_ld_nodes):
        chars_left -= len(text)
        if chars_left < 0:
            break
        match_ends: dict[re.Pattern[str], int] = {}
        for position in lexbor.find_quoted(text, _NAMES):
            for field, pattern in _PATTERNS[text[position]]:
                if position < match_ends.get(pattern, 0) or not (match := pattern.match(text, position)):
                    continue
                match_ends[pattern] = match.end()
                name = match[1].lower().replace("_", "")
                if (field, name) not in seen:
                    seen.add((field, name))
                    claims[field].append(Claim(clean_text(match[2]), SCRIPT, name))
    return claims


def _inline_scripts(tree: Tree, json_ld_nodes: Collection[int]) -> Iterator[str]:
    """Return the text of each script that is inside the page and not JSON-LD."""
    scripts = tree.find_all("script")[:_MAX_SCRIPTS]
    nodes = [node for node in scripts if tree.end[node] > node + 1 and node not in json_ld_nodes]
    for node, src in zip(nodes, tree.attribute_values("src", nodes), strict=True):
        if not src:
            yield "".join(tree.text[node + 1 : tree.end[node]])
