"""A tab of Chromium for tests of the report: it opens a file, clicks, types, and records every request."""

from __future__ import annotations

import json
from base64 import b64decode
from io import BytesIO
from pathlib import Path
from time import monotonic, sleep
from typing import Any

from PIL import Image

from duramen.rendering.devtools import Message
from duramen.rendering.process import Process

SECONDS = 60.0
WIDTH, HEIGHT = 1440, 900
OWN_SCHEMES = ("file:", "data:", "about:", "blob:")


class ReportTab:
    """A tab with scripts. `requests` has the address of everything that it asked for."""

    def __init__(self, process: Process) -> None:
        self._connection = process.connection
        self.requests: list[str] = []
        self.dialogs: list[str] = []
        self.errors: list[str] = []
        self._loaded = 0
        target = self._connection.call("Target.createTarget", monotonic() + SECONDS, url="about:blank")
        self._target = target["targetId"]
        attached = self._connection.call(
            "Target.attachToTarget", monotonic() + SECONDS, targetId=self._target, flatten=True
        )
        self._session = attached["sessionId"]
        self._connection.listen(self._session, self._record)
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        size = {"width": WIDTH, "height": HEIGHT, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def call(self, method: str, **parameters: Any) -> Message:
        return self._connection.call(method, monotonic() + SECONDS, self._session, **parameters)

    def open(self, address: str | Path) -> None:
        """Open a file or an address and wait until its frame is painted."""
        before = self._loaded
        self.call("Page.navigate", url=address.as_uri() if isinstance(address, Path) else address)
        self._wait(lambda: self._loaded > before)

    def wait_for(self, expression: str) -> None:
        """Wait until an expression is true."""
        self._wait(lambda: self.run(f"Boolean({expression})"))

    def run(self, expression: str) -> Any:
        """Return the value of an expression, or of a promise."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def press(self, key: str) -> None:
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, text=key if len(key) == 1 else "")
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def point(self, x: float, y: float) -> None:
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, x: float, y: float) -> None:
        self.point(x, y)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def click_on(self, selector: str) -> None:
        """Click in the middle of an element of the report."""
        x, y = self.run(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            " e.scrollIntoView({block: 'nearest'});"
            " const b = e.getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()"
        )
        self.click(x, y)

    def place_of(self, block: int) -> tuple[float, float, float, float]:
        """Return x, y, width and height of a block of the page in the window."""
        x, y, width, height = self.run(
            f"(() => {{ const e = elementsOf[{block}][0]; e.scrollIntoView({{block: 'center'}});"
            " const b = e.getBoundingClientRect(), f = document.getElementById('frame').getBoundingClientRect();"
            " return [f.x + b.x, f.y + b.y, b.width, b.height]; })()"
        )
        return x, y, width, height

    def screenshot(self) -> Image.Image:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        return Image.open(BytesIO(b64decode(data))).convert("RGB")

    def foreign_requests(self) -> list[str]:
        return [address for address in self.requests if not address.startswith(OWN_SCHEMES)]

    def close(self) -> None:
        self._connection.call("Target.closeTarget", monotonic() + SECONDS, targetId=self._target)
        self._connection.forget(self._session)

    def _record(self, event: Message) -> bool:
        match event["method"], event["params"]:
            case "Network.requestWillBeSent", {"request": {"url": address}}:
                self.requests.append(address)
            case "Page.loadEventFired", _:
                self._loaded += 1
            case "Page.javascriptDialogOpening", {"message": message}:
                self.dialogs.append(message)
                self._connection.send("Page.handleJavaScriptDialog", self._session, accept=True)
            case "Runtime.exceptionThrown", {"exceptionDetails": details}:
                self.errors.append(str(details))
        return True

    def _wait(self, is_done: Any) -> None:
        until = monotonic() + SECONDS
        while not is_done():
            assert monotonic() < until, "the page did not get ready"
            sleep(0.02)
