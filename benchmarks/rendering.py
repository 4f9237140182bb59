"""Measure the time of rendering a page by duramen and by Playwright.

    python benchmarks/rendering.py DATA/records-zhao1-dev DATA/records-modern-dev
    python benchmarks/rendering.py DATA/records-modern-dev --every 4

Every renderer renders every page, in an order that rotates from page to page, in one run on one machine: the ratios
count, the milliseconds depend on the machine. Playwright is measured if installed (`pip install playwright`), with
the same Chromium, once by its interface for pages and once by its DevTools session.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from time import monotonic, perf_counter
from typing import Any

from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.rendering.browser import HEIGHT, WIDTH, Browser
from duramen.rendering.find_browser import find_browser
from duramen.rendering.layout import MEASURE

Renderer = Callable[[Page], object]

_BOXES_BY_SCRIPT = """() => Array.from(document.querySelectorAll('*'), element => {
    const box = element.getBoundingClientRect(); return [element.tagName, box.x, box.y, box.width, box.height] })"""


class NavigatingBrowser(Browser):
    """A browser that navigates to each page, as it does with scripts or the network, but without either."""

    def _tab(self, process: Any) -> Any:
        tab = super()._tab(process)
        deadline = monotonic() + 20
        tab._call("Page.setLifecycleEventsEnabled", deadline, enabled=True)
        tab._call("Network.setBlockedURLs", deadline, urls=[])
        tab._call("Fetch.enable", deadline, patterns=[{"urlPattern": "*"}])
        tab._navigates = True
        return tab


@contextmanager
def open_playwright() -> Iterator[dict[str, Renderer]]:
    """Yield the two renderers of Playwright, or none if it is not installed."""
    try:
        from playwright.sync_api import sync_playwright  # type: ignore[import-not-found,unused-ignore]
    except ImportError:
        print("without Playwright, which is not installed", file=sys.stderr)
        yield {}
        return
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=find_browser(), chromium_sandbox=False)
        context = browser.new_context(
            java_script_enabled=False, offline=True, viewport={"width": WIDTH, "height": HEIGHT}
        )
        tab = context.new_page()
        session = context.new_cdp_session(context.new_page())
        loaded: list[object] = []
        session.send("Page.enable")
        session.on("Page.loadEventFired", lambda event: loaded.append(event))
        frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]

        def by_page(page: Page) -> object:
            tab.set_content(page.markup)
            return tab.evaluate(_BOXES_BY_SCRIPT)

        def by_session(page: Page) -> object:
            loaded.clear()
            session.send("Page.setDocumentContent", {"frameId": frame, "html": page.markup})
            deadline = monotonic() + 10
            while not loaded:
                if monotonic() > deadline:
                    raise TimeoutError
                session.send("Page.getFrameTree")  # events are received only during a call
            world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "duramen"})
            parameters = {"expression": MEASURE, "contextId": world["executionContextId"], "returnByValue": True}
            return session.send("Runtime.evaluate", parameters)

        yield {"Playwright, page": by_page, "Playwright, DevTools session": by_session}
        browser.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, help="folders of sets")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()
    examples = [example for folder in arguments.sets for example in read_set(folder)][:: arguments.every]
    pages = [Page.parse(example.read()) for example in examples]
    with ExitStack() as stack:
        renderers: dict[str, Renderer] = {
            "duramen": stack.enter_context(Browser()).boxes,
            "duramen, by navigation": stack.enter_context(NavigatingBrowser()).boxes,
            **stack.enter_context(open_playwright()),
        }
        for render in renderers.values():
            render(pages[0])
        spent: dict[str, list[float]] = {name: [] for name in renderers}
        failures = dict.fromkeys(renderers, 0)
        for number, page in enumerate(pages):
            names = list(renderers)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                started = perf_counter()
                try:
                    renderers[name](page)
                except Exception:  # for example a page that navigates to another
                    failures[name] += 1
                else:
                    spent[name].append(1000 * (perf_counter() - started))
    reference = median(spent["duramen"])
    print(f"{len(pages)} pages\n{'renderer':<30}{'median ms':>10}{'mean ms':>10}{'ratio of medians':>18}{'failed':>7}")
    for name, times in spent.items():
        median_ms, mean = median(times), sum(times) / len(times)
        print(f"{name:<30}{median_ms:>10.0f}{mean:>10.0f}{median_ms / reference:>18.2f}{failures[name]:>7}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
