"""Names of columns from class names: the words that are not about layout."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_CAMEL_CASE = re.compile(r"([a-z0-9])([A-Z])")
_SEPARATORS = re.compile(r"[^\w]+|_+", re.UNICODE)
_BEM_BLOCK = re.compile(r".*__(?=.)")
"""Matches the block in `card__title`."""
_LAYOUT_WORD = re.compile(
    r"(?:col|row|grid|wrap|wrapper|container|inner|outer|box|block|item|left|right|top|bottom|clear|clearfix|pull|float"
    r"|text|span|div|link|a|li|td|p|h[1-6]|btn|button|flex|d|m|p|w|mb|mt|ml|mr|pt|pb|px|py|first|last|odd|even|content|"
    r"small|medium|large|center|hidden|visible|active|js|xs|sm|md|lg|xl|list|main|body|cell|field|value|label|unit|"
    r"element|module|widget|section|desc?|"
    r"font|bold|semibold|extrabold|normal|light|thin|italic|line|through|strike|underline|uppercase|lowercase|capitalize|"
    r"truncate|clamp|leading|tracking|relative|absolute|sticky|inline|rounded|border|shadow|bg|gap|space|full|auto|none|"
    r"sr|only|primary|secondary|red|green|blue|gray|grey|white|black|orange|yellow|opacity|hover|max|min|h|base|gold)"
    r"(?:[-_]?\d+)?",
    re.IGNORECASE,
)
MAX_NAME_CHARS: Final = 30


@lru_cache(maxsize=4096)
def class_meaning(token: str) -> str:
    """The meaning of a class token as a snake_case name; "" if it only describes layout or style.

    `card__title` gives `title`; `col-md-4` and `font-bold` give "".
    """
    words = [word for word in to_snake_case(_BEM_BLOCK.sub("", token)).split("_") if word]
    meaningful = [word for word in words if not _LAYOUT_WORD.fullmatch(word) and len(word) > 1]
    return "_".join(words) if meaningful else ""


def to_snake_case(text: str) -> str:
    """Convert a name to lower case with underscores between the words, at most `MAX_NAME_CHARS` long."""
    words = _SEPARATORS.sub("_", _CAMEL_CASE.sub(r"\1_\2", text.strip())).strip("_").lower()
    return words[:MAX_NAME_CHARS].rstrip("_")
