"""Everything duramen raises on purpose.

    DuramenError
    ├── InputError          a page that cannot be read: missing, empty of bytes to read, not HTML
    │   ├── NotHTMLError    the bytes are something else: a PDF, a picture, JSON
    │   └── FetchError      a URL that could not be downloaded
    │       └── PrivateAddressError   its host is on the local network, and that was not allowed
    ├── RunError            a run over many pages that cannot go on: a full disk, workers that die at once
    ├── RenderError         a page that Chromium could not lay out: not in time, not without dying
    │   ├── NoBrowserError  Chromium is missing or does not start
    │   └── BoxesError      a file of boxes that cannot be read, or that is of another page
    ├── UsageError          a name or a value that duramen does not know: a method, a format, a set
    └── MissingExtraError   an optional dependency is not installed; the message names the extra

A page on which a method finds nothing is not an error: it is a `Content` that is empty and says why.
"""

from __future__ import annotations


class DuramenError(Exception):
    """The root of the tree: catch this to catch them all. Its text is one sentence for a person."""


class InputError(DuramenError):
    """The page could not be read."""


class NotHTMLError(InputError):
    """The bytes are not an HTML page."""


class FetchError(InputError):
    """The URL could not be downloaded."""


class PrivateAddressError(FetchError):
    """The host is this computer or on the local network, where a stranger's link has no business."""


class RunError(DuramenError):
    """A run over many pages cannot go on; what it has done is safe."""


class RenderError(DuramenError):
    """Chromium could not lay the page out."""


class NoBrowserError(RenderError):
    """Chromium is missing or does not start."""


class BoxesError(RenderError):
    """The boxes cannot be read, or are those of another page."""


class UsageError(DuramenError):
    """A name or a value that duramen does not know."""


class MissingExtraError(DuramenError):
    """An optional dependency is missing."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs {package}: install it with  pip install 'duramen[{extra}]'")
        self.package = package
        self.extra = extra
