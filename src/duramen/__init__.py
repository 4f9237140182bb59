"""Find the main content of web pages.

>>> import duramen
>>> duramen.extract("<nav>Home</nav><article><p>Heartwood is dead, but it holds the tree up.</p></article>").text
'Heartwood is dead, but it holds the tree up.'
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duramen import errors, methods
    from duramen.api import extract, fetch, learn, learn_all, load_wrapper, record, records, records_all
    from duramen.batch.run import Run, run
    from duramen.batch.run_store import Report
    from duramen.comments import Comment
    from duramen.content import Content, ContentBlock
    from duramen.data_records.columns import Column
    from duramen.data_records.detail import PageRecord
    from duramen.data_records.records_wrapper import RecordsWrapper
    from duramen.data_records.table import Table
    from duramen.dom.element import Element
    from duramen.dom.page import Page
    from duramen.dom.tree import Tree
    from duramen.errors import DuramenError
    from duramen.explanation import BlockExplanation, Explanation
    from duramen.metadata import Author, Metadata
    from duramen.methods import Method
    from duramen.rendering import render
    from duramen.site_model import SiteModel, SiteModels
    from duramen.wrappers import Wrapper, WrapperSet

__version__ = "0.1.0"

_MODULES = {
    "Author": "metadata",
    "BlockExplanation": "explanation",
    "Column": "data_records.columns",
    "Comment": "comments",
    "Content": "content",
    "ContentBlock": "content",
    "DuramenError": "errors",
    "Element": "dom.element",
    "Explanation": "explanation",
    "Metadata": "metadata",
    "Method": "methods",
    "Page": "dom.page",
    "PageRecord": "data_records.detail",
    "RecordsWrapper": "data_records.records_wrapper",
    "Report": "batch.run_store",
    "Run": "batch.run",
    "SiteModel": "site_model",
    "SiteModels": "site_model",
    "Table": "data_records.table",
    "Tree": "dom.tree",
    "Wrapper": "wrappers",
    "WrapperSet": "wrappers",
    "errors": "",
    "extract": "api",
    "fetch": "api",
    "learn": "api",
    "learn_all": "api",
    "load_wrapper": "api",
    "methods": "",
    "record": "api",
    "records": "api",
    "records_all": "api",
    "render": "rendering",
    "run": "batch.run",
}
"""The module of each public name, imported at first use: `import duramen` stays fast, and Ctrl-C works at once."""

__all__ = [
    "Author",
    "BlockExplanation",
    "Column",
    "Comment",
    "Content",
    "ContentBlock",
    "DuramenError",
    "Element",
    "Explanation",
    "Metadata",
    "Method",
    "Page",
    "PageRecord",
    "RecordsWrapper",
    "Report",
    "Run",
    "SiteModel",
    "SiteModels",
    "Table",
    "Tree",
    "Wrapper",
    "WrapperSet",
    "errors",
    "extract",
    "fetch",
    "learn",
    "learn_all",
    "load_wrapper",
    "methods",
    "record",
    "records",
    "records_all",
    "render",
    "run",
]


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if not _MODULES[name]:
        return import_module(f"{__name__}.{name}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
