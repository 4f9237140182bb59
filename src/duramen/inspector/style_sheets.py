"""Style sheets that make no request: no `url()`, no `@import`, no fonts.

The style sheets of a page are kept so that it looks like itself. Everything that could name an address is removed, in
an order that leaves no way to build one: comments become spaces, escapes are removed, then functions and rules that
load something are replaced by words that cannot join with their neighbors. The content security policy of the report
forbids requests as well; this is the second of three barriers.
"""

from __future__ import annotations

import re
from typing import Final

MAX_CSS_CHARS: Final = 1_000_000
"""A longer style sheet is cut: it is that of an application."""

_COMMENT = re.compile(r"/\*.*?(?:\*/|\Z)", re.DOTALL)
_ESCAPE = re.compile(r"\\(?:[0-9a-fA-F]{1,6}[ \t\r\n\f]?|.|\Z)", re.DOTALL)
_IMPORT = re.compile(r"@(?:import|charset|namespace)\b[^;{}]*;?", re.IGNORECASE)
_FONT_FACE = re.compile(r"@font-face\s*(?:\{[^{}]*\}?)?", re.IGNORECASE)
_ADDRESS = re.compile(
    r"(?:(?:url|src|image|image-set|-webkit-image-set|cross-fade|-webkit-cross-fade|element|-moz-element|paint)\s*\()"
    r"[^()]*\)?",
    re.IGNORECASE,
)
_BEHAVIOR = re.compile(r"(?:behavior|-moz-binding)\s*:|expression\s*\(|javascript\s*:", re.IGNORECASE)
_SCHEME = re.compile(r"(?:\b(?:https?|ftp|wss?|file|blob|data)\s*:|//)[^\s'\"(){};,]*", re.IGNORECASE)
_MARKUP = re.compile(r"<(?=[/!a-zA-Z])")


def clean_css(css: str) -> str:
    """Return a style sheet, or the value of a `style` attribute, that makes no request."""
    css = css[:MAX_CSS_CHARS]
    css = _COMMENT.sub(" ", css)
    css = _ESCAPE.sub("", css)
    css = _COMMENT.sub(" ", css)
    for pattern, replacement in (
        (_IMPORT, " "),
        (_FONT_FACE, " "),
        (_ADDRESS, " none "),
        (_BEHAVIOR, " none "),
        (_SCHEME, " none "),
        (_MARKUP, " "),
    ):
        css = pattern.sub(replacement, css)
    return css
