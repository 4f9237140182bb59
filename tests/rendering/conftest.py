"""A browser for the tests that need one; without Chromium they are skipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from duramen.errors import NoBrowserError
from duramen.rendering.browser import Browser
from duramen.rendering.find_browser import find_browser


@pytest.fixture(scope="session")
def chromium() -> str:
    try:
        return find_browser()
    except NoBrowserError:
        pytest.skip("no Chromium here")


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with Browser(chromium, deadline=120) as shared:
        yield shared
