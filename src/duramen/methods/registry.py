"""The one contract: a page in, a Content out."""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from duramen.content import Content
from duramen.dom.page import Page


@runtime_checkable
class Method(Protocol):
    """Which nodes, and how sure? The answer depends on the page and the parameters alone."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]

    def __call__(self, page: Page) -> Content: ...


_REGISTERED: dict[str, type[Method]] = {}

M = TypeVar("M", bound=Method)


def register(method: type[M]) -> type[M]:
    """Make a method known by its name. Used as a decorator on its class."""
    if method.name in _REGISTERED:
        raise ValueError(f"two methods are called {method.name!r}")
    _REGISTERED[method.name] = method
    return method


def registered() -> dict[str, type[Method]]:
    """What has been registered so far."""
    return dict(_REGISTERED)
