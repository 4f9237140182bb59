"""A browser that stays open: started with the first page, replaced when it dies, closed at exit.

    with Browser() as browser:
        page = browser.render(html)
        for page in browser.render_all(pages, tabs=4): ...

A page has a deadline. When it passes, the tab is closed, and the browser is killed if it does not answer. When the
browser or a tab dies, every page that was in it is tried once more in a browser of its own: so only the page that kills
its browser is lost.
"""

from __future__ import annotations

import atexit
import math
import threading
import weakref
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from time import monotonic
from types import TracebackType
from typing import Self, TypeVar

from duramen.dom.attribute_limit import limit_attributes
from duramen.dom.depth_limit import flatten, may_be_deep
from duramen.dom.page import Page
from duramen.dom.streamed_parts import move_streamed_parts
from duramen.dom.tree import TEXT
from duramen.errors import RenderError, UsageError
from duramen.rendering.boxes import Boxes, fingerprint
from duramen.rendering.devtools import GoneError, LateError, RefusedError
from duramen.rendering.find_browser import find_browser
from duramen.rendering.layout import match_layout
from duramen.rendering.process import Process
from duramen.rendering.tab import Tab

Result = TypeVar("Result")

WIDTH, HEIGHT = 1280, 1024
"""The window, in CSS pixels."""
DEADLINE = 30.0
"""Seconds for a page."""
TABS = 4
MAX_PAGES_PER_TAB = 200
"""A tab is replaced after so many pages, because Chromium's memory grows with each."""


class Browser:
    """Chromium, kept open. Threads may share one: each uses a tab of its own."""

    def __init__(
        self,
        chromium: str | None = None,
        *,
        width: int = WIDTH,
        height: int = HEIGHT,
        deadline: float = DEADLINE,
        scripts: bool = False,
        network: bool = False,
    ) -> None:
        """Nothing is started yet. `chromium` names the program if it is not in a usual place.

        `scripts` lets the page's JavaScript run, `network` lets it load its styles, pictures and the rest.
        """
        if not (1 <= width <= 100_000 and 1 <= height <= 100_000):
            raise UsageError(f"a window cannot have {width} by {height} pixels")
        if not 0 < deadline < math.inf:
            raise UsageError(f"{deadline} is not a valid deadline in seconds")
        self._chromium, self._deadline = chromium, deadline
        self._width, self._height = width, height
        self._scripts, self._network = scripts, network
        self._lock = threading.Lock()
        self._running: _Running | None = None
        self._closed = 0  # how often
        _open.add(self)

    def render(self, page: Page) -> Page:
        """Lay out a page and return it with a box for each visible element.

        With scripts, the page is the one they have made: its source is what a browser would save.
        Raises `RenderError`, when the page cannot be laid out, and `NoBrowserError`.
        """
        rendered, boxes = self._lay_out(page)
        return boxes.on(rendered)

    def boxes(self, page: Page) -> Boxes:
        """Return the boxes of a page, to be saved. Refused with scripts, which would change the page."""
        if self._scripts:
            raise UsageError("scripts change the page, and its boxes would not fit the original: use render()")
        return self._lay_out(page)[1]

    def render_all(self, pages: Iterable[Page], tabs: int = TABS) -> Iterator[Page | RenderError]:
        """Render several pages at once, each in a tab; yield results and errors in the order of the pages."""
        return self._in_order(pages, self._rendered, tabs)

    def boxes_of_all(self, pages: Iterable[Page], tabs: int = TABS) -> Iterator[Boxes | RenderError]:
        """Do the same as `render_all` for the boxes alone."""
        return self._in_order(pages, self._boxes, tabs)

    def close(self) -> None:
        """Close the browser if it runs. The next page starts another."""
        with self._lock:
            running, self._running = self._running, None
            self._closed += 1
        if running is not None:
            running.process.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    @property
    def version(self) -> str:
        """Chromium's name and version; asking for it starts the browser."""
        return self._run().process.version

    def _in_order(self, pages: Iterable[Page], work: Callable[[Page], Result], tabs: int) -> Iterator[Result]:
        """Yield the results in the order of the pages; only a few pages are read ahead."""
        if tabs < 1:
            raise UsageError(f"{tabs} tabs cannot be opened")
        waiting: deque[Future[Result]] = deque()
        pages = iter(pages)
        with ThreadPoolExecutor(tabs, "duramen-tab") as threads:
            try:
                for page in pages:
                    waiting.append(threads.submit(work, page))
                    if len(waiting) > 2 * tabs:
                        yield waiting.popleft().result()
                while waiting:
                    yield waiting.popleft().result()
            except BaseException as error:  # the results are no longer wanted
                for future in waiting:
                    future.cancel()
                if not isinstance(error, GeneratorExit):
                    self.close()  # Ctrl-C: stop at once
                raise

    def _rendered(self, page: Page) -> Page | RenderError:
        try:
            return self.render(page)
        except RenderError as error:
            return error

    def _boxes(self, page: Page) -> Boxes | RenderError:
        try:
            return self.boxes(page)
        except RenderError as error:
            return error

    def _lay_out(self, page: Page) -> tuple[Page, Boxes]:
        closed = self._closed
        running = self._run()
        try:
            try:
                return self._attempt(running, page)
            except GoneError:
                self._discard(running)
            if closed != self._closed:
                raise RenderError("the browser was closed before this page was laid out")
            alone = self._start()
            try:
                return self._attempt(alone, page)
            except GoneError:
                raise RenderError("Chromium died on this page, and once more when it was alone with it") from None
            finally:
                alone.process.kill()
        except RefusedError as error:
            raise RenderError(f"Chromium refused to lay out this page: {error}") from error

    def _attempt(self, running: _Running, page: Page) -> tuple[Page, Boxes]:
        """Lay a page out in a tab. The tab is used again only if nothing went wrong."""
        tab: Tab | None = None
        try:
            try:
                tab, used = running.free.pop()
            except IndexError:
                tab, used = self._tab(running.process), 0
            written, measured = tab.lay_out(_write_markup(page, self._scripts), page.url, monotonic() + self._deadline)
        except GoneError:
            running.process.kill()  # a crashed tab may leave the browser broken
            raise
        except LateError:
            _close(tab, running.process)
            raise RenderError(f"not laid out within {self._deadline:g} seconds") from None
        except BaseException:  # Ctrl-C or a refusal: the state of the tab is unknown
            _close(tab, running.process)
            raise
        if used + 1 < MAX_PAGES_PER_TAB:
            running.free.append((tab, used + 1))
        else:
            _close(tab, running.process)
        if written is not None:
            page = Page.parse(written, page.url, page.headers)
        box, style, unplaced = match_layout(measured, page.tree)
        elements = len(page.tree) - page.tree.tag.count(TEXT)
        if 2 * unplaced > elements:
            raise RenderError("Chromium's tree of this page differs too much from ours")
        size = (self._width, self._height)
        return page, Boxes(fingerprint(page.tree), tuple(box), size, running.process.version, unplaced, tuple(style))

    def _tab(self, process: Process) -> Tab:
        return Tab(
            process.connection, width=self._width, height=self._height, scripts=self._scripts, network=self._network
        )

    def _run(self) -> _Running:
        with self._lock:
            if self._running is None or not self._running.process.is_alive:
                if self._running is not None:
                    self._running.process.kill()
                self._running = self._start()
            return self._running

    def _start(self) -> _Running:
        program = find_browser(self._chromium)
        return _Running(Process(program, width=self._width, height=self._height, network=self._network))

    def _discard(self, running: _Running) -> None:
        with self._lock:
            if self._running is running:
                self._running = None


class _Running:
    """A process and its free tabs, each with the number of pages it has shown."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.free: deque[tuple[Tab, int]] = deque()


def _write_markup(page: Page, runs_scripts: bool) -> str:
    """Return the markup as our parser reads it: with the same limits, and streamed parts moved unless a script does."""
    markup = page.markup
    data = markup.encode("utf-8", "replace")
    parsed = limit_attributes(data)
    if not runs_scripts:
        parsed = move_streamed_parts(parsed)
    if may_be_deep(parsed):
        parsed = flatten(parsed)
    return markup if parsed is data else parsed.decode("utf-8")


def _close(tab: Tab | None, process: Process) -> None:
    """Close a tab; kill the browser if it does not answer."""
    try:
        if tab is None:
            raise LateError
        tab.close()
    except (GoneError, LateError):
        process.kill()


_open: weakref.WeakSet[Browser] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for browser in list(_open):
        browser.close()
