"""Pages that every test of a method may ask for."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from duramen import methods
from duramen.content import Content
from duramen.dom.page import Page


@pytest.fixture
def kept() -> Callable[..., list[str]]:
    """The text nodes that a method keeps of a page, stripped, without blank ones."""

    def texts(content: Content) -> list[str]:
        tree = content.page.tree
        texts = (tree.text[node].strip() for span in content.spans for node in span)
        return [text for text in texts if text]

    return lambda method, html: texts((methods.get(method) if isinstance(method, str) else method)(Page.parse(html)))
