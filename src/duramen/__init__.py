"""Duramen: the heartwood of a web page.

>>> import duramen
>>> duramen.extract("<nav>Home</nav><article><p>Heartwood is dead, but it holds the tree up.</p></article>").text
'Heartwood is dead, but it holds the tree up.'
"""

from typing import TYPE_CHECKING

from duramen import errors, methods
from duramen.content import Content
from duramen.errors import DuramenError
from duramen.extracting import extract
from duramen.page import Page
from duramen.rendering import render
from duramen.sites import Wrapper, learn
from duramen.tabulating import records
from duramen.tree import Tree

__version__ = "0.1.0"

<<<<<<< HEAD
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
    "render",
]
=======
if TYPE_CHECKING:
    from duramen.metadata import Metadata

__all__ = ["Content", "DuramenError", "Metadata", "Page", "Tree", "Wrapper", "errors", "extract", "learn", "methods"]


def __getattr__(name: str) -> object:
    """`duramen.Metadata`, loaded when it is first asked for."""
    if name == "Metadata":
        from duramen.metadata import Metadata

        return Metadata
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
>>>>>>> eight
