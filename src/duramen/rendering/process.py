"""One Chromium process: start it with its own profile, end it with all its children, remove its files.

A shell starts Chromium and removes its profile afterwards. Chromium ends when its pipe is closed, and the system closes
the pipe however the caller ends. So even `kill -9` of the caller leaves neither a process nor a file. The shell and
Chromium are a process group of their own: Ctrl-C in the terminal reaches the caller only, one signal ends the group.
"""

from __future__ import annotations

import os
import shutil
import signal
import tempfile
import threading
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

from duramen.errors import NoBrowserError
from duramen.rendering.devtools import Connection, GoneError, LateError, RefusedError

_START_SECONDS = 60.0
"""Seconds that Chromium has to start: under one as a rule, more from a cold disk."""
_END_SECONDS = 3.0
"""Seconds that it has to end when asked, before it is killed."""

_SHELL = '"$@"; status=$?; rm -rf -- "$DURAMEN_PROFILE"; exit $status'

_FLAGS = (
    "--headless",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--disable-dev-shm-usage",  # /dev/shm is small in containers
    "--hide-scrollbars",  # they would take of the width
    "--mute-audio",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-service-autorun",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-hang-monitor",
    "--block-new-web-contents",  # no page opens a window: the headless shell; Chromium has its popup blocker
    # No packets of WebRTC: neither the offline mode of a tab nor a proxy stops those of other windows and of frames of
    # other sites. The first switch is for older releases.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-extensions",
    "--disable-default-apps",
    "--disable-renderer-backgrounding",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--log-level=3",
    # What Chromium asks its makers for by itself:
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-pings",
    "--disable-features=Translate,OptimizationHints,MediaRouter,DialMediaRouteProvider,InterestFeedContentSuggestions",
)
# No host name is looked up, and requests to addresses go to a proxy that does not exist.
_OFFLINE_FLAGS = ("--host-resolver-rules=MAP * ~NOTFOUND", "--proxy-server=http://proxy.invalid:9")

_FIRST_PAGE = "about:blank"
"""The page of the first window, instead of Chromium's page for new tabs, which runs scripts."""


def _choose_profile_folder() -> str | None:
    """Return the folder for profiles. Chromium makes a socket in a profile, whose path must be below 108 bytes."""
    return "/tmp" if len(os.fsencode(tempfile.gettempdir())) > _MAX_FOLDER_BYTES and os.path.isdir("/tmp") else None


_MAX_FOLDER_BYTES = 60


class Process:
    """A running Chromium and the connection to it. It belongs to the process that has started it."""

    def __init__(self, program: str, *, width: int, height: int, network: bool) -> None:
        self._profile = Path(tempfile.mkdtemp(prefix="duramen-chromium-", dir=_choose_profile_folder()))
        self._stderr = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the process
        self.owner = os.getpid()
        self._ending = threading.Lock()
        self._ended = False
        try:
            flags = _flags(width, height, network=network)
            self.pid, self.connection = _spawn(program, self._profile, flags, self._stderr.fileno())
        except OSError as error:
            self._stderr.close()
            shutil.rmtree(self._profile, ignore_errors=True)
            raise NoBrowserError(f"{program} cannot be started: {error.strerror or error}") from error
        try:
            version = self.connection.call("Browser.getVersion", monotonic() + _START_SECONDS)
        except (GoneError, LateError, RefusedError) as error:
            last_line = self._last_stderr_line()
            self.kill()
            raise NoBrowserError(f"{program} does not start{last_line}") from error
        self.version: str = version["product"]

    @property
    def is_alive(self) -> bool:
        return self.owner == os.getpid() and self.connection.is_open

    def close(self) -> None:
        """Ask Chromium to end, and kill it if it does not."""
        if self.owner != os.getpid():
            return
        with suppress(GoneError, LateError):
            self.connection.send("Browser.close")
        self.connection.close()
        with self._ending:
            self._wait(_END_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Kill Chromium and all its children at once."""
        if self.owner != os.getpid():
            return
        self.connection.close()
        with self._ending:  # once it has been waited for, its process id may be reused
            if not self._ended:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(self.pid, signal.SIGKILL)
                self._wait(_END_SECONDS)
            self._stderr.close()
            shutil.rmtree(self._profile, ignore_errors=True)

    def _wait(self, seconds: float) -> None:
        until = monotonic() + seconds
        while not self._ended and monotonic() < until:
            try:
                self._ended = os.waitpid(self.pid, os.WNOHANG) != (0, 0)
            except ChildProcessError:  # another thread or a signal handler has waited for it
                self._ended = True
            if not self._ended:
                sleep(0.005)

    def _last_stderr_line(self) -> str:
        self._stderr.seek(0)
        lines = self._stderr.read().decode("utf-8", "replace").split("\n")
        lines = [line.strip() for line in lines if line.strip()]
        return f": {lines[-1][-300:]}" if lines else ""


def _flags(width: int, height: int, *, network: bool) -> list[str]:
    flags = [*_FLAGS, f"--window-size={width},{height}"]
    if not network:
        flags += _OFFLINE_FLAGS
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium's sandbox does not work for root
    return flags


def _spawn(program: str, profile: Path, flags: list[str], stderr: int) -> tuple[int, Connection]:
    """Start Chromium, which reads commands from file descriptor 3 and writes replies to 4."""
    import fcntl  # not on Windows, where `find_browser` has raised an error before

    its_end, commands = os.pipe()
    replies, its_other_end = os.pipe()
    # Moved to 10 or above, because the pipes themselves may have the numbers 3 and 4.
    above = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in (its_end, its_other_end)]
    try:
        pid = os.posix_spawn(
            "/bin/sh",
            ["sh", "-c", _SHELL, "sh", program, *flags, f"--user-data-dir={profile}", _FIRST_PAGE],
            {**os.environ, "DURAMEN_PROFILE": str(profile)},
            file_actions=[
                (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, stderr, 2),
                (os.POSIX_SPAWN_DUP2, above[0], 3),
                (os.POSIX_SPAWN_DUP2, above[1], 4),
            ],
            setpgroup=0,
        )
    except OSError:
        os.close(commands)
        os.close(replies)
        raise
    finally:
        for end in (its_end, its_other_end, *above):
            os.close(end)
    return pid, Connection(commands, replies)
