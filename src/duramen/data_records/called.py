"""What an element is called by its class and id."""

from __future__ import annotations

import re
from typing import Final

ASIDE_NAMED: Final = re.compile(
    r"(?i:menu|footer|side-?bar|breadcrumb|dropdown|navigation|navbar)|(?:^|[-_])(?i:nav)(?:$|[-_A-Z])"
)
"""Navigation, a footer or a side column."""
ADVERT_NAMED: Final = re.compile(
    r"(?:(?:^|[-_])(?i:ads?|advert\w*|sponsored)|(?<=[a-z])Ads?)(?=$|[-_A-Z0-9])|adsbygoogle|adsense"
)
"""An advertisement: `ad`, `list-ad`, `AdHolder`, `googleAd`."""
_BESIDE = re.compile(r"(?:^|[-_])(?i:with|has|no|without)(?:[-_]|(?=[A-Z]))")
"""Says of an element what stands beside it: `with-sidebar`, `body--hasSidebar`."""


def is_called(pattern: re.Pattern[str], *values: str | None) -> bool:
    """Whether a name in these classes and ids is like that."""
    return any(pattern.search(name) for value in values if value for name in value.split() if not _BESIDE.search(name))
