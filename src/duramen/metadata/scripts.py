"""Data that a page carries for its scripts: the last resort, where nothing is said to readers or machines at large.

Pages that are drawn by scripts hold their text, author and date as JSON inside a script or an attribute. Which object
there is the page's cannot be told without its program; the first mention of each name is taken, and trusted little.
"""

from __future__ import annotations

import re
from typing import Final

from duramen.metadata.claims import Claim, Claims, no_claims
from duramen.metadata.head import Head
from duramen.metadata.strings import tidy

SOURCE: Final = "script"

_MOST_READ: Final = 3_000_000
_PUBLISHED = re.compile(
    r"""["'](datePublished|date_published|publishedAt|published_at|publishDate|publish_date|publishedDate|published_date|published"""
    r"""|first_publication_date|firstPublishedAt|pubDate|pub_date|date_posted|datePosted|postedAt|createdAt|created_at|createDate"""
    r"""|dateCreated|date)\\{0,3}["']\s*:\s*\\{0,3}["']((?:19|20)\d\d-\d\d-\d\d[^"'\\]{0,30})"""
)
_AUTHOR = re.compile(
    r"""["'](author|authorName|author_name|pagePostAuthor|username|creator)\\{0,3}["']\s*:\s*(?:\[?\s*\{[^{}\[\]]{0,200}?["']"""
    r"""(?:name|displayName|display_name)\\{0,3}["']\s*:\s*)?\\{0,3}["']([^"'\\{}\[\]]{2,60})\\{0,3}["']"""
)
_STARTS: Final = {
    "published": tuple(
        f"{mark}{start}" for mark in "\"'" for start in ("date", "publi", "first", "pub", "posted", "creat")
    ),
    "author": tuple(f"{mark}{start}" for mark in "\"'" for start in ("author", "pagePost", "username", "creator")),
}
"""How the names begin, and the marks before them. Most scripts hold none, which is ten times as quick to tell."""


def read_scripts(head: Head) -> Claims:
    """What the data in scripts claims: the first value of each name."""
    claims = no_claims()
    seen: set[tuple[str, str]] = set()
    left = _MOST_READ
    for text in head.programs():
        left -= len(text)
        if left < 0:
            break
        for field, pattern in (("published", _PUBLISHED), ("author", _AUTHOR)):
            if not any(start in text for start in _STARTS[field]):
                continue
            for match in pattern.finditer(text):
                name = match[1].lower().replace("_", "")
                if (field, name) not in seen:
                    seen.add((field, name))
                    claims[field].append(Claim(tidy(match[2]), SOURCE, name))
    return claims
