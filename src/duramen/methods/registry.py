"""The contract of an extraction method, and the table of all methods."""

from __future__ import annotations

from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from duramen.content import Content
from duramen.dom.page import Page


@runtime_checkable
class Method(Protocol):
    """A function from a Page to a Content. The result depends on the page and the parameters alone."""

    name: ClassVar[str]
    summary: ClassVar[str]
    paper: ClassVar[str]

    def __call__(self, page: Page) -> Content: ...


_METHODS: dict[str, type[Method]] = {}

MethodType = TypeVar("MethodType", bound=Method)


def register(method: type[MethodType]) -> type[MethodType]:
    """Add a method class to the table under its name. Used as a decorator."""
    if method.name in _METHODS:
        raise ValueError(f"two methods are called {method.name!r}")
    _METHODS[method.name] = method
    return method


def registered() -> dict[str, type[Method]]:
    """Return the method classes registered so far, by name."""
    return dict(_METHODS)
