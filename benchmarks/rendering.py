"""What it costs to lay a page out, by each way there is.

    python benchmarks/rendering.py DATA/records-zhao1-dev DATA/records-modern-dev
    python benchmarks/rendering.py DATA/records-modern-dev --every 4

Every page by every way, in turn, another way first each time, in one run on one machine: the ratios count, the
milliseconds are those of the machine. Playwright is measured where it is installed (`pip install playwright`), with the
same Chromium, once through the interface it has for pages and once through its DevTools session.
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

Way = Callable[[Page], object]

_BOXES_BY_SCRIPT = """() => Array.from(document.querySelectorAll('*'), element => {
    const box = element.getBoundingClientRect(); return [element.tagName, box.x, box.y, box.width, box.height] })"""


class Navigating(Browser):
    """Goes to an address that it answers itself, as for scripts and the network, though it has neither."""

    def _tab(self, process: Any) -> Any:
        tab = super()._tab(process)
        soon = monotonic() + 20
        tab._call("Page.setLifecycleEventsEnabled", soon, enabled=True)
        tab._call("Network.setBlockedURLs", soon, urls=[])
        tab._call("Fetch.enable", soon, patterns=[{"urlPattern": "*"}])
        tab._navigates = True
        return tab


@contextmanager
def playwright() -> Iterator[dict[str, Way]]:
    """Playwright's two ways, or none where it is not installed."""
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
            latest = monotonic() + 10
            while not loaded:
                if monotonic() > latest:
                    raise TimeoutError
                session.send("Page.getFrameTree")  # its events are heard while it waits for something
            world = session.send("Page.createIsolatedWorld", {"frameId": frame, "worldName": "duramen"})
            asked = {"expression": MEASURE, "contextId": world["executionContextId"], "returnByValue": True}
            return session.send("Runtime.evaluate", asked)

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
        ways: dict[str, Way] = {
            "duramen": stack.enter_context(Browser()).boxes,
            "duramen, by navigation": stack.enter_context(Navigating()).boxes,
            **stack.enter_context(playwright()),
        }
        for way in ways.values():
            way(pages[0])
        spent: dict[str, list[float]] = {name: [] for name in ways}
        lost = dict.fromkeys(ways, 0)
        for number, page in enumerate(pages):
            names = list(ways)
            for name in names[number % len(names) :] + names[: number % len(names)]:
                started = perf_counter()
                try:
                    ways[name](page)
                except Exception:  # a page that leaves for another, for one
                    lost[name] += 1
                else:
                    spent[name].append(1000 * (perf_counter() - started))
    least = median(spent["duramen"])
    print(f"{len(pages)} pages\n{'way':<30}{'median ms':>10}{'mean ms':>10}{'ratio of medians':>18}{'lost':>6}")
    for name, times in spent.items():
        middle, mean = median(times), sum(times) / len(times)
        print(f"{name:<30}{middle:>10.0f}{mean:>10.0f}{middle / least:>18.2f}{lost[name]:>6}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
