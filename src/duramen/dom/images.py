"""Images: the best address of an image, its description, and images that are no content.

Pages name an image in several places: `src`, attributes that a lazy-loading script copies to `src`, the candidates of
`srcset`, the `source` elements of a `picture`, and a second `img` in a `noscript` beside the first. `src` may be a
placeholder or the smallest of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from duramen.dom.tree import Tree
from duramen.dom.urls import resolve_safe_url

_LAZY_SOURCES: Final = (
    "data-src data-original data-lazy-src data-lazy data-original-src data-hi-res-src data-full-src data-actualsrc"
    " data-delayed-url data-url data-image data-orig-file data-large-file"
).split()
"""Attributes in which lazy-loading scripts keep the address of an image, in order of preference."""
_SOURCE_SETS: Final = ("data-srcset", "data-lazy-srcset", "srcset")
_PLACEHOLDER = re.compile(
    r"^(?:data:|about:)"
    r"|(?:^|[/_.-])(?:blank|spacer|placeholder|pixel|transparent|loading|loader|lazy|lazyload|spinner|clear|1x1|grey"
    r"|gray)\b(?!.*[/?])",
    re.IGNORECASE,
)
_IMAGE_FILE = re.compile(
    r"[^\s{}<>\"']{1,1000}?\.(?:jpe?g|png|webp|gif|avif)(?:\?[^\s{}<>\"']{0,1000})?\Z", re.IGNORECASE
)
_MAX_CANDIDATES: Final = 50
_DESCRIPTOR = re.compile(r"\s*(\d{1,6}(?:\.\d{1,6})?)[wx]")

_MIN_PIXELS: Final = 32
"""An image narrower or lower than this is an icon, a spacer or a tracking pixel."""
_NO_CONTENT_WORDS = re.compile(
    r"(?<![a-z])(?:avatars?|gravatar|emoji|emoticons?|smil(?:ey|ies)|icons?|spacer|pixel|tracking|tracker|beacon|sprite"
    r"|badge|wp-smiley|profile-?(?:pic|image|photo)|userpic|author-?(?:image|photo|img))(?![a-z])",
    re.IGNORECASE,
)
_TRACKING_HOSTS = re.compile(
    r"//(?:[^/]*\.)?(?:doubleclick\.net|scorecardresearch\.com|pixel\.wp\.com|stats\.wp\.com|google-analytics\.com"
    r"|facebook\.com/tr|quantserve\.com|feedburner\.com|gravatar\.com|b\.gif|pixel\.)",
    re.IGNORECASE,
)
_ICON_FOLDERS = re.compile(
    r"/(?:buttons?|icons?|smil(?:ies|eys?)|emojis?|emoticons?|badges?)/|[/.-]avatars?[/.]", re.IGNORECASE
)
_MAX_NAME_CHARS: Final = 200
_SIZE = re.compile(r"\s*(\d{1,5})(?:px)?\s*\Z")


def find_image_url(attributes: Mapping[str, str | None], base: str | None) -> str | None:
    """Return the address of an image by its own attributes; None if it has none that can be written.

    The largest candidate of `srcset` is preferred, then a lazy-loading attribute, then `src`. `data:` addresses are
    dropped: nearly all are placeholders, and the others would drown the text.
    """
    source_set = next((value for name in _SOURCE_SETS if (value := attributes.get(name))), None)
    if source_set and (largest := find_largest_candidate(source_set)):
        return resolve_safe_url(largest, base)
    source = (attributes.get("src") or "").strip()
    lazy = next((value for name in _LAZY_SOURCES if (value := attributes.get(name)) and _is_address(value)), None)
    if lazy is not None and (not source or is_placeholder(source) or "data-src" in attributes):
        return resolve_safe_url(lazy, base)
    if lazy is None and (not source or is_placeholder(source)) and (named := _find_image_file(attributes)):
        return resolve_safe_url(named, base)
    return None if not source or source.startswith(("data:", "about:")) else resolve_safe_url(source, base)


def find_best_image_url(tree: Tree, node: int, base: str | None) -> str | None:
    """Return the address of an image by its attributes, by the `picture` around it, or by its `noscript` copy."""
    attributes = tree.attributes[node]
    source = (attributes.get("src") or "").strip()
    parent = tree.parent[node]
    if tree.tag[parent] == "picture" and (largest := _find_largest_of_picture(tree, parent, node)):
        return resolve_safe_url(largest, base)
    url = find_image_url(attributes, base)
    is_missing = url is None or is_placeholder(url)
    if is_missing or url == resolve_safe_url(source, base):  # an address of srcset is larger than that of the copy
        copy = _find_noscript_copy(tree, node)
        # Beside an image with an address of its own the `noscript` may hold a tracker.
        if copy is not None and (is_missing or (copy.get("alt") and copy.get("alt") == attributes.get("alt"))):
            return find_image_url(copy, base) or url
    return url


def is_content_image(attributes: Mapping[str, str | None], url: str) -> bool:
    """Return whether an image may be part of the content: no icon, avatar, spacer or tracking pixel."""
    for name in ("width", "height"):
        size = _SIZE.match(attributes.get(name) or "")
        if size and int(size[1]) < _MIN_PIXELS:
            return False
    if is_placeholder(url) or _TRACKING_HOSTS.search(url) or _ICON_FOLDERS.search(url):
        return False
    if not (attributes.get("alt") or "").strip() and _NO_CONTENT_WORDS.search(url.rpartition("/")[2][:_MAX_NAME_CHARS]):
        return False
    return not _NO_CONTENT_WORDS.search(attributes.get("class") or "")


def is_placeholder(url: str) -> bool:
    """Return whether an address is that of a placeholder: inline data, or a file called "blank", "spacer" and so on."""
    return _PLACEHOLDER.search(url) is not None


def find_largest_candidate(source_set: str) -> str | None:
    """Return the candidate of a `srcset` with the largest width or density; the first among equals.

    A candidate is an address, white space, and a width or a density up to the next comma. Addresses contain commas.
    """
    found = find_largest_with_size(source_set)
    return None if found is None else found[0]


def find_largest_with_size(source_set: str) -> tuple[str, float] | None:
    """Return the largest candidate of a `srcset`, with its width or density."""
    best, best_size = None, -1.0
    rest = source_set.lstrip(" \t\r\n,")
    for _ in range(_MAX_CANDIDATES):
        if not rest:
            break
        url, *after = rest.split(None, 1)
        if url.endswith(","):
            size, rest = "", after[0] if after else ""
        else:
            size, _, rest = (after[0] if after else "").partition(",")
        rest = rest.lstrip(" \t\r\n,")
        number = _read_size(size)
        if number > best_size and not url.startswith("data:"):
            best, best_size = url.rstrip(","), number
    return None if best is None else (best, best_size)


def _read_size(descriptor: str) -> float:
    match = _DESCRIPTOR.match(descriptor)
    return float(match[1]) if match else 1.0


def _is_address(value: str) -> bool:
    """Return whether the value of a lazy-loading attribute is an address and not some other data."""
    return ("/" in value or "." in value) and not value.startswith(("data:", "{", "["))


def _find_image_file(attributes: Mapping[str, str | None]) -> str | None:
    """Return the image file that any `data-` attribute names, an absolute address first: scripts use many names."""
    files = [value for name, value in attributes.items() if name.startswith("data-") and value and _is_file(value)]
    return min(files, key=lambda value: "//" not in value, default=None)


def _is_file(value: str) -> bool:
    return _is_address(value) and _IMAGE_FILE.match(value) is not None


def _find_largest_of_picture(tree: Tree, picture: int, image: int) -> str | None:
    """Return the largest candidate of a `picture`; among equals one that every program can read, then the first."""
    best, best_rank = None, (-1.0, False)
    for child in tree.children(picture):
        if child >= image:
            break
        if tree.tag[child] != "source":
            continue
        attributes = tree.attributes[child]
        value = attributes.get("srcset") or attributes.get("data-srcset")
        found = find_largest_with_size(value) if value else None
        if found is None or is_placeholder(found[0]):
            continue
        is_common = not (attributes.get("type") or "").endswith(("avif", "webp"))
        rank = (found[1], is_common)
        if rank > best_rank:
            best, best_rank = found[0], rank
    own = tree.attributes[image]
    source = (own.get("src") or "").strip()
    if best is None or (best_rank <= (1.0, False) and source and not is_placeholder(source)):
        return None  # the image itself is as good
    source_set = next((value for name in _SOURCE_SETS if (value := own.get(name))), None)
    found = find_largest_with_size(source_set) if source_set else None
    return found[0] if found is not None and (found[1], True) >= best_rank else best


_NOSCRIPT_IMAGE = re.compile(r"<img\s([^>]*)>", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"(?<![a-z-])([a-z-]++)\s*+=\s*+(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'>]+))", re.IGNORECASE)
_MAX_NOSCRIPT_CHARS: Final = 2_000


def _find_noscript_copy(tree: Tree, node: int) -> Mapping[str, str | None] | None:
    """Return the attributes of the image in the `noscript` right after an image, or right after its parent."""
    for place in (tree.end[node], tree.end[tree.parent[node]]):
        while place < len(tree) and tree.tag[place] == "#text" and tree.text[place].isspace():
            place += 1
        if place >= len(tree) or tree.tag[place] != "noscript":
            continue
        for inside in range(place + 1, min(tree.end[place], place + 8)):
            if tree.tag[inside] == "img":
                return tree.attributes[inside]
            if tree.tag[inside] == "#text" and (
                match := _NOSCRIPT_IMAGE.search(tree.text[inside][:_MAX_NOSCRIPT_CHARS])
            ):
                return {name.lower(): a or b or c for name, a, b, c in _ATTRIBUTE.findall(match[1])}
    return None


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
