"""Whether an element's own attributes take it off the screen."""

from __future__ import annotations

import re
from collections.abc import Mapping

# What React's server sends late stands at the end of the page in <div hidden id="S:1">; a script moves it into place.
_STREAMED = re.compile(r"S:[0-9a-f]+")
_HIDING_STYLE = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII)


def is_hidden(attributes: Mapping[str, str | None]) -> bool:
    """Whether an element with these attributes is hidden by the attribute `hidden`, or by a style that says so."""
    if "hidden" in attributes:
        return attributes["hidden"] != "until-found" and not _STREAMED.fullmatch(attributes.get("id") or "")
    style = attributes.get("style")
    return style is not None and _HIDING_STYLE.search(style) is not None
