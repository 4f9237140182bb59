"""Run commands in turns, so that other work on the machine slows all of them equally.

Each command runs for a second while the others are stopped (SIGSTOP), then the next one, until all have ended. The cost
of a command is the time of its own turns, and the processor time of it and of all its child processes.

    python benchmarks/batch_turns.py COMMAND…    # one command: print its processor time in seconds
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass

from batch_contenders import Cost, measured

_TURN = 1.0
"""Seconds: much longer than what it takes to fill a processor's caches again."""


@dataclass
class _Player:
    """A command under a process that measures it, all in a session of their own: so they stop and go on together."""

    words: list[str]
    process: subprocess.Popen[str]
    played: float = 0.0

    @classmethod
    def start(cls, words: list[str]) -> _Player:
        measuring = [sys.executable, __file__, *words]
        process = subprocess.Popen(measuring, stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True)
        return cls(words, process)

    def tell(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it has ended
            os.killpg(self.process.pid, number)

    def play(self, seconds: float) -> bool:
        """Go on for a while; whether there is more to do."""
        started = time.monotonic()
        self.tell(signal.SIGCONT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.tell(signal.SIGSTOP)
        self.played += time.monotonic() - started
        return self.process.poll() is None

    def cost(self) -> Cost:
        out, _ = self.process.communicate()
        if self.process.returncode:
            raise SystemExit(f"{' '.join(self.words)} failed")
        return Cost(self.played, float(json.loads(out)))


def in_turns(commands: dict[str, list[str]]) -> dict[str, Cost]:
    """What each command has taken."""
    players = {}
    try:
        for name, words in commands.items():
            players[name] = _Player.start(words)
            players[name].tell(signal.SIGSTOP)
        playing = list(players)
        while playing:
            playing = [name for name in playing if players[name].play(_TURN)]
        return {name: player.cost() for name, player in players.items()}
    finally:
        for player in players.values():
            if player.process.poll() is None:
                player.tell(signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["-h"], ["--help"]):
        print(__doc__)
        sys.exit()
    print(json.dumps(measured(sys.argv[1:]).processor))
