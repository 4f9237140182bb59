"""The address of an image, which may be in another attribute than `src`.

Many pages keep it there until a script loads the image.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from duramen.dom.urls import resolve_safe_url

# Attributes in which lazy-loading scripts keep the address of an image, in order of preference.
_LAZY_SOURCES = ("data-src", "data-original", "data-lazy-src", "data-lazy", "data-original-src", "data-hi-res-src")
_LAZY_SOURCE_SETS = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"^(?:data:|about:)|(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|loading|lazy|1x1|grey|gray)\b", re.I
)


def find_image_url(attributes: Mapping[str, str | None], base: str | None) -> str | None:
    """Return the address of an image: `src`, or the lazy-loading attribute where `src` is a placeholder.

    `data:` addresses are dropped: nearly all are placeholders, and the others would be longer than the text.
    """
    url = (attributes.get("src") or "").strip()
    if not url or _PLACEHOLDER.search(url):
        lazy = next((value for name in _LAZY_SOURCES if (value := attributes.get(name))), None)
        if lazy is None:
            source_set = next((value for name in _LAZY_SOURCE_SETS if (value := attributes.get(name))), "")
            lazy = next(iter(source_set.split()), None)
        url = lazy or url
    return resolve_safe_url(url, base)


def find_lazy_image_url(attributes: Mapping[str, str | None], base: str | None) -> str | None:
    """Return the address of an image: the lazy-loading attribute before `src`.

    In a list, `src` of an image that is loaded later may be any picture, the same for all; its name does not always say
    that it is a placeholder.
    """
    name = lazy_image_attribute(attributes)
    return (resolve_safe_url(attributes[name], base) if name else None) or find_image_url(attributes, base)


def lazy_image_attribute(attributes: Mapping[str, str | None]) -> str:
    """Return the name of the lazy-loading attribute that holds the address of an image; "" if there is none."""
    return next(
        (
            name
            for name in _LAZY_SOURCES
            if (value := attributes.get(name)) and not value.lstrip().startswith(("{", "["))
        ),
        "",
    )
