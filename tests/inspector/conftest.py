"""A Chromium that all tests of the report share; without Chromium they are skipped."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.inspector.chromium import HEIGHT, WIDTH, ReportTab

from duramen.dom.page import Page
from duramen.errors import NoBrowserError
from duramen.inspector import InspectOptions, make_report
from duramen.rendering.find_browser import find_browser
from duramen.rendering.process import Process

OpenReport = Callable[..., ReportTab]
EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="session")
def chromium() -> Iterator[Process]:
    try:
        program = find_browser()
    except NoBrowserError:
        pytest.skip("no Chromium here")
    process = Process(program, width=WIDTH, height=HEIGHT, network=False)
    yield process
    process.close()


@pytest.fixture
def tab(chromium: Process) -> Iterator[ReportTab]:
    opened = ReportTab(chromium)
    yield opened
    opened.close()


@pytest.fixture
def open_report(tab: ReportTab, tmp_path: Path) -> OpenReport:
    def open_it(html: str | bytes, **options: object) -> ReportTab:
        path = tmp_path / "report.html"
        page = Page.parse(html, url="https://example.org/page")
        path.write_text(make_report(page, InspectOptions(**options)), "utf-8")  # type: ignore[arg-type]
        tab.open(path)
        tab.wait_for("elementsOf.length || !total")
        return tab

    return open_it
