"""A cached property without a lock.

`functools.cached_property` takes a lock before Python 3.12. A page has some twenty cached properties, most of them
small, and the lock takes more than half of the time of each. Here two threads that read the property at the same time
may both compute the value; both get equal values.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801  (used as a decorator, like the one of functools)
    """A property that is computed once and then kept in the `__dict__` of the instance."""

    def __init__(self, compute: Callable[[Any], T]) -> None:
        self._compute = compute
        self._name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> cached_property[T]: ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> cached_property[T] | T:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._compute(instance)
        return value
