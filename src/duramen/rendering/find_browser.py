"""Find the executable of Chromium: the one that is named, or the first in the usual places."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

from duramen.errors import NoBrowserError

VARIABLE = "DURAMEN_CHROMIUM"
"""The environment variable that names the program."""

_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "chrome-headless-shell")
_APPLICATIONS = ("Chromium.app/Contents/MacOS/Chromium", "Google Chrome.app/Contents/MacOS/Google Chrome")
# Where Playwright keeps the browsers that it has downloaded, newest last.
_DOWNLOADED = ("chromium-*/chrome-linux*/chrome", "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium")

_ADVICE = (
    f"install it (Debian, Ubuntu: apt install chromium; macOS: brew install --cask chromium), or name it in {VARIABLE}"
)


def find_browser(named: str | None = None) -> str:
    """Return the path of Chromium: the argument, else `DURAMEN_CHROMIUM`, else the first that is installed."""
    if sys.platform == "win32":
        raise NoBrowserError("rendering needs inherited pipes, which Windows lacks: use Linux, macOS or WSL")
    for source, name in (("", named), (f"{VARIABLE}: ", os.environ.get(VARIABLE))):
        if name:
            if path := shutil.which(name):
                return path
            raise NoBrowserError(f"{source}there is no program {name!r} to render pages with; {_ADVICE}")
    for name in _NAMES:
        if path := shutil.which(name):
            return path
    for place in _usual_places():
        if os.access(place, os.X_OK):
            return str(place)
    raise NoBrowserError(f"rendering needs Chromium or Chrome, and none was found: {_ADVICE}")


def _usual_places() -> list[Path]:
    home = Path.home()
    applications = [
        folder / name for folder in (Path("/Applications"), home / "Applications") for name in _APPLICATIONS
    ]
    caches = [home / ".cache" / "ms-playwright", home / "Library" / "Caches" / "ms-playwright"]
    return applications + [path for cache in caches for name in _DOWNLOADED for path in sorted(cache.glob(name))[::-1]]
