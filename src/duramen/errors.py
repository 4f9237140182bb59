"""Exceptions that duramen raises on purpose.

    DuramenError
    ├── InputError                    a page cannot be read: missing, empty, not HTML
    │   ├── NotHTMLError              the bytes are another format: a PDF, an image, JSON
    │   └── FetchError                a URL cannot be downloaded
    │       └── PrivateAddressError   the host is on the local network, and that was not allowed
    ├── RunError                      a run over many pages cannot continue: disk full, workers die at once
    ├── RenderError                   Chromium cannot render the page: it takes too long, or it crashes
    │   ├── NoBrowserError            Chromium is missing or does not start
    │   └── BoxesError                a file of rendered boxes cannot be read, or belongs to another page
    ├── UsageError                    an unknown name or value: of a method, a format, a set
    └── MissingExtraError             an optional dependency is not installed; the message names the extra

It is not an error when a method finds nothing on a page: the result is an empty `Content` with a reason.
"""

from __future__ import annotations


class DuramenError(Exception):
    """Base class of all exceptions of duramen. The message is one sentence for the user."""


class InputError(DuramenError):
    """A page cannot be read."""


class NotHTMLError(InputError):
    """The bytes are not an HTML page."""


class FetchError(InputError):
    """A URL cannot be downloaded."""


class PrivateAddressError(FetchError):
    """The host is this computer or on the local network, which links from the web must not reach."""


class RunError(DuramenError):
    """A run over many pages cannot continue. Its finished work is saved."""


class RenderError(DuramenError):
    """Chromium cannot render the page."""


class NoBrowserError(RenderError):
    """Chromium is missing or does not start."""


class BoxesError(RenderError):
    """The file of rendered boxes cannot be read, or it belongs to another page."""


class UsageError(DuramenError):
    """A name or a value is unknown."""


class MissingExtraError(DuramenError):
    """An optional dependency is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs {package}: install it with  pip install 'duramen[{extra}]'")
        self.package = package
        self.extra = extra
