"""Duramen: the heartwood of a web page.

>>> import duramen
>>> duramen.extract("<nav>Home</nav><article><p>Heartwood is dead, but it holds the tree up.</p></article>").text
'Heartwood is dead, but it holds the tree up.'
"""

from typing import TYPE_CHECKING

from duramen import errors, methods
from duramen.api import extract, records, records_all
from duramen.content import Content
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import DuramenError
from duramen.wrappers import Wrapper, learn

if TYPE_CHECKING:
    from duramen.metadata import Metadata
    from duramen.rendering import render

__version__ = "0.1.0"

__all__ = [
    "Content",
    "DuramenError",
    "Metadata",
    "Page",
    "Tree",
    "Wrapper",
    "errors",
    "extract",
    "learn",
    "methods",
    "records",
    "records_all",
    "render",
]

_LATE = {"Metadata": "metadata", "render": "rendering"}
"""Names that are loaded when they are first asked for, and the rooms they are in: most programs ask for none."""


def __getattr__(name: str) -> object:
    if name not in _LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = globals()[name] = getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    return found
