"""A property that is read once: `functools.cached_property` without the lock that it takes before Python 3.12.

A page has some twenty of them, most of them small, and the lock costs more than half of what each takes. Two threads
that ask at once may both read; what they read is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class once(Generic[T]):  # noqa: N801  (it is used like a function)
    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> once[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> once[T] | T:
        if instance is None:
            return self
        found = instance.__dict__[self._name] = self._read(instance)
        return found
