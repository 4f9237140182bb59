"""Declaration of features: the name of a feature and the number of its line are given by one statement."""

from __future__ import annotations

from collections.abc import Callable


def declare_in(names: list[str], first_line: int = 0) -> Callable[..., int]:
    """Return a function that adds names to a list, and returns the number of the first one in the feature matrix."""

    def declare(*new_names: str) -> int:
        names.extend(new_names)
        return first_line + len(names) - len(new_names)

    return declare
