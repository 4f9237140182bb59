"""Signals for the runs that the tests start."""

from __future__ import annotations

import signal
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _receive_ctrl_c() -> Iterator[None]:
    """Let started processes receive SIGINT.

    A shell makes them ignore it if the tests run in the background.
    """
    before = signal.getsignal(signal.SIGINT)
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    if before is signal.SIG_IGN:
        signal.signal(signal.SIGINT, before)
