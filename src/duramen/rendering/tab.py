"""One tab of the browser: lay out a page and measure it.

A page without scripts and without the network is written into an empty document by `Page.setDocumentContent`, which
takes half the time of a navigation. It returns before the page is parsed, so the load event is waited for.

With scripts or with the network a page needs an address, for its relative links and its origin. Then the tab goes to
that address, and the request for it is answered with the HTML at hand; no server is asked for the page itself.

In both cases the given document stays: a `<meta>` refresh is disabled before Chromium sees it, requests
for other pages are refused, dialogs are dismissed. A page whose script navigates away before it is loaded, which stops
the parser, is laid out again without scripts.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from time import monotonic
from typing import Any

from duramen.rendering.devtools import Connection, GoneError, LateError, Message, RefusedError
from duramen.rendering.layout import MEASURE

DEFAULT_URL = "http://page.invalid/"
"""The URL of a page that has none, where it needs one."""

_REFRESH = re.compile(r"""(http-equiv\s*=\s*["']?\s*)refresh""", re.IGNORECASE)
# The content of a frame has no effect on the size of its box. The request would be refused, and Chromium starts a
# process to do so. The address is kept as the query of an empty page, since a style may select by a part of it.
_FRAME = re.compile(r"""(<i?frame\b[^<>]*?\ssrc\s*=\s*["']?)\s*(?=[^\s"'>])""", re.IGNORECASE)
_SETTLE_SECONDS = 2.0
"""Time after the load event for scripts to finish, until the network is idle."""
_MAX_QUIET_SECONDS = 0.1
"""Time without an event, after which a page that is not loaded is laid out. Each time the wait doubles."""
_OPEN_SECONDS, _CLOSE_SECONDS = 60.0, 2.0
"""Time for a tab to open and to close: generous, for machines under load."""
# Blocked URL patterns: all except what the page itself carries (data:, blob:, about:).
_BLOCKED_URLS = ["*://*"]


class _LeftError(Exception):
    """A script of the page navigated to another page."""


class Tab:
    """A tab that shows one page after another, until one of them breaks it."""

    def __init__(self, connection: Connection, *, width: int, height: int, scripts: bool, network: bool) -> None:
        self._connection = connection
        self._scripts, self._network = scripts, network
        self._navigates = scripts or network
        self._page: tuple[str, str] | None = None  # address and HTML, until the request for them has come
        self._emptied = False  # whether the previous page is being discarded, in the background
        self._arrivals = 0  # documents that the tab has shown since: the page, and those that its scripts navigated to
        deadline = monotonic() + _OPEN_SECONDS
        # A tab in the background paints nothing. Scripts can detect this, and some wait until the page is visible.
        background = not self._navigates
        target = connection.call("Target.createTarget", deadline, url="about:blank", background=background)
        self._target: str = target["targetId"]
        attached = connection.call("Target.attachToTarget", deadline, targetId=self._target, flatten=True)
        self._session: str = attached["sessionId"]
        connection.listen(self._session, self._answer)
        call = self._call
        self._frame: str = call("Page.getFrameTree", deadline)["frameTree"]["frame"]["id"]
        call("Page.enable", deadline)
        call("Inspector.enable", deadline)
        call("Emulation.setScriptExecutionDisabled", deadline, value=not scripts)
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        call("Emulation.setDeviceMetricsOverride", deadline, **size)
        if not network:
            call("Network.enable", deadline)
            speed = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
            call("Network.emulateNetworkConditions", deadline, offline=True, **speed)
        if self._navigates:
            call("Page.setLifecycleEventsEnabled", deadline, enabled=True)
            patterns: list[dict[str, str]] = [{"resourceType": "Document"}] if network else [{"urlPattern": "*"}]
            call("Fetch.enable", deadline, patterns=patterns)
        else:
            call("Network.setBlockedURLs", deadline, urls=_BLOCKED_URLS)

    def lay_out(self, html: str, url: str | None, deadline: float) -> tuple[str | None, str]:
        """Return the HTML after scripts, where they ran, and what was measured on the page."""
        html = _REFRESH.sub(r"\1ignored", html)
        if self._emptied:
            self._await_load_event(deadline)
            self._emptied = False
        while self._connection.pending(self._session):  # events of the page before
            self._connection.event(self._session, deadline)
        if self._navigates:
            try:
                return self._visit(html, url or DEFAULT_URL, deadline)
            except _LeftError:
                return self._visit_without_scripts(html, url or DEFAULT_URL, deadline)
        html = _FRAME.sub(r"\1about:blank?", html)
        self._call("Page.setDocumentContent", deadline, frameId=self._frame, html=html)
        self._await_load_event(deadline)
        measured = self._measure(deadline)
        with suppress(LateError, GoneError):  # the next page will meet the error
            self._connection.send("Page.setDocumentContent", self._session, frameId=self._frame, html="")
            self._emptied = True
        return None, measured

    def close(self) -> None:
        """Close the tab even if its page is busy. Raises `LateError` when the browser does not answer."""
        try:
            self._connection.send("Page.crash", self._session)  # works even during an endless loop of a script
            self._connection.call("Target.closeTarget", monotonic() + _CLOSE_SECONDS, targetId=self._target)
        except RefusedError:
            pass  # the tab is gone already
        finally:
            self._connection.forget(self._session)

    def _visit(self, html: str, url: str, deadline: float) -> tuple[str | None, str]:
        self._page, self._arrivals = (url, html), 0
        try:
            gone = self._call("Page.navigate", deadline, url=url)
        except RefusedError as error:
            raise RefusedError(f"it does not navigate to {url}: {error}") from None
        if "loaderId" not in gone or gone.get("errorText"):
            raise RefusedError(f"it does not navigate to {url}: {gone.get('errorText') or 'not the URL of a page'}")
        self._await_loaded(gone["loaderId"], deadline)
        if not self._scripts:
            return None, self._measure(deadline)
        with suppress(LateError):  # a page that never becomes idle is taken as it is
            until = min(deadline, monotonic() + _SETTLE_SECONDS)
            self._await("Page.lifecycleEvent", until, loaderId=gone["loaderId"], name="networkIdle")
        root = self._call("DOM.getDocument", deadline, depth=0)["root"]["nodeId"]
        written = self._call("DOM.getOuterHTML", deadline, nodeId=root)["outerHTML"]
        measured = self._measure(deadline)
        if self._arrivals > 1:
            raise _LeftError
        return written, measured

    def _visit_without_scripts(self, html: str, url: str, deadline: float) -> tuple[str | None, str]:
        self._call("Emulation.setScriptExecutionDisabled", deadline, value=True)
        try:
            return self._visit(html, url, deadline)
        except _LeftError:
            raise RefusedError("it navigates to another page") from None
        finally:
            self._call("Emulation.setScriptExecutionDisabled", deadline, value=not self._scripts)

    def _await_loaded(self, loader: str, deadline: float) -> None:
        for event in self._events_while_loading(deadline):
            match event["method"], event["params"]:
                case "Page.lifecycleEvent", {"loaderId": where, "name": "load"} if where == loader:
                    return
                case "Page.frameStoppedLoading", {"frameId": where} if where == self._frame and self._arrivals:
                    raise _LeftError  # it tried to, and was stopped while loading

    def _await_load_event(self, deadline: float) -> None:
        for event in self._events_while_loading(deadline):
            if event["method"] == "Page.loadEventFired":
                return

    def _events_while_loading(self, deadline: float) -> Iterator[Message]:
        """Yield the events of a page until it is loaded, and lay it out when there are none.

        Chromium delays the load event of a page with `<svg><use href="https://…">` until the next layout. A tab that is
        not in the foreground has no next layout, because it paints nothing.
        """
        quiet = _MAX_QUIET_SECONDS
        while True:
            try:
                yield self._connection.event(self._session, min(deadline, monotonic() + quiet))
            except LateError:
                if monotonic() >= deadline:
                    raise
                quiet *= 2
                with suppress(RefusedError):  # between two documents
                    self._call("Page.getLayoutMetrics", deadline)  # needs the layout, and runs no script

    def _measure(self, deadline: float) -> str:
        """Run `MEASURE` on the page."""
        world = self._call("Page.createIsolatedWorld", deadline, frameId=self._frame, worldName="duramen")
        asked = {"expression": MEASURE, "contextId": world["executionContextId"], "returnByValue": True}
        answer = self._call("Runtime.evaluate", deadline, **asked)
        if "exceptionDetails" in answer:
            raise RefusedError(f"measuring failed: {answer['exceptionDetails'].get('text')}")
        measured: str = answer["result"]["value"]
        return measured

    def _await(self, method: str, deadline: float, **wanted: str) -> None:
        while True:
            event = self._connection.event(self._session, deadline)
            if event["method"] == method and all(event["params"].get(name) == wanted[name] for name in wanted):
                return

    def _call(self, method: str, deadline: float, **parameters: Any) -> Message:
        return self._connection.call(method, deadline, self._session, **parameters)

    def _answer(self, event: Message) -> bool:
        """Handle events that cannot wait. Runs in the reader thread."""
        send = self._connection.send
        match event["method"]:
            case "Page.javascriptDialogOpening":
                leaving = event["params"].get("type") == "beforeunload"
                send("Page.handleJavaScriptDialog", self._session, accept=leaving)
            case "Page.frameNavigated":
                self._arrivals += event["params"]["frame"]["id"] == self._frame
            case "Inspector.targetCrashed":
                self._connection.lose(self._session)
            case "Fetch.requestPaused":
                self._answer_request(event["params"])
            case str(name):
                return name.startswith(("Network.", "Fetch."))
        return True

    def _answer_request(self, asked: Message) -> None:
        send, request = self._connection.send, {"requestId": asked["requestId"]}
        if asked.get("resourceType") == "Document" and asked.get("frameId") == self._frame:
            page, self._page = self._page, None
            if page is None:  # it tries to navigate to another page
                send("Fetch.failRequest", self._session, **request, errorReason="Aborted")
                return
            body = b64encode(page[1].encode("utf-8", "replace")).decode("ascii")
            kind = [{"name": "Content-Type", "value": "text/html; charset=utf-8"}]
            send("Fetch.fulfillRequest", self._session, **request, responseCode=200, responseHeaders=kind, body=body)
        elif self._network:
            send("Fetch.continueRequest", self._session, **request)
        else:
            send("Fetch.failRequest", self._session, **request, errorReason="BlockedByClient")
