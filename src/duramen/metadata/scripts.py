"""Data that a page carries for its scripts: the last resort, where nothing is said to readers or machines at large.

Pages that are drawn by scripts hold their text, author and date as JSON inside a script or an attribute. Which object
there is the page's cannot be told without its program; the first mention of each name is taken, and trusted little.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.dom import lexbor
from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.head import Head
from duramen.metadata.strings import tidy

SOURCE: Final = "script"

_MOST_READ: Final = 3_000_000
_DATES: Final = (
    "datePublished date_published publishedAt published_at publishDate publish_date publishedDate published_date"
    " published first_publication_date firstPublishedAt pubDate pub_date date_posted datePosted postedAt createdAt"
    " created_at createDate dateCreated date"
)
_AUTHORS: Final = "author authorName author_name pagePostAuthor username creator"
_PUBLISHED: Final = (
    rf"""({_DATES.replace(" ", "|")})\\{{0,3}}["']\s*:\s*\\{{0,3}}["']"""
    r"""((?:19|20)\d\d-\d\d-\d\d[^"'\\]{0,30})"""
)
_AUTHOR: Final = (
    rf"""({_AUTHORS.replace(" ", "|")})\\{{0,3}}["']\s*:\s*"""
    r"""(?:(?:\[\s*)?\{[^{}\[\]]{0,200}?["'](?:name|displayName|display_name)\\{0,3}["']\s*:\s*)?"""
    r"""\\{0,3}["']([^"'\\{}\[\]]{2,60})\\{0,3}["']"""
)
# To look for the names alone is quicker than to try the expressions wherever a quotation mark stands.
_NAMES: Final = lexbor.Vocabulary({name.lower(): 1 for name in (*_DATES.split(), *_AUTHORS.split())})
_PATTERNS: Final = {
    mark: [(field, re.compile(mark + after)) for field, after in (("published", _PUBLISHED), ("author", _AUTHOR))]
    for mark in "\"'"
}


def read_scripts(head: Head) -> Claims:
    """What the data in scripts claims: the first value of each name."""
    claims = no_claims()
    seen: set[tuple[str, str]] = set()
    left = _MOST_READ
    for text in head.programs():
        left -= len(text)
        if left < 0:
            break
        ends: dict[re.Pattern[str], int] = {}  # of what each expression has read
        for place in lexbor.quoted(text, _NAMES):
            for field, pattern in _PATTERNS[text[place]]:
                if place < ends.get(pattern, 0) or not (match := pattern.match(text, place)):
                    continue
                ends[pattern] = match.end()
                name = match[1].lower().replace("_", "")
                if (field, name) not in seen:
                    seen.add((field, name))
                    claims[field].append(Claim(tidy(match[2]), SOURCE, name))
    return claims
