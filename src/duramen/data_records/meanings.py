"""What a class says of what an element is, beside how it looks."""

from __future__ import annotations

import re
from functools import lru_cache

_BORDER = re.compile(r"([a-z0-9])([A-Z])")
_OTHER = re.compile(r"[^\w]+|_+", re.UNICODE)
_ELEMENT = re.compile(r".*__(?=.)")  # the block in `card__title`
_LAYOUT = re.compile(
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
_LONGEST = 30


@lru_cache(maxsize=4096)
def meaning(token: str) -> str:
    """A class without what lays out or paints: `card__title` is a title, `col-md-4` and `font-bold` say nothing."""
    words = [word for word in plain(_ELEMENT.sub("", token)).split("_") if word]
    telling = [word for word in words if not _LAYOUT.fullmatch(word) and len(word) > 1]
    return "_".join(words) if telling else ""


def plain(text: str) -> str:
    """A name in lower case, its words joined by underscores."""
    words = _OTHER.sub("_", _BORDER.sub(r"\1_\2", text.strip())).strip("_").lower()
    return words[:_LONGEST].rstrip("_")
