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

from batch_contenders import Cost, measure_command

_TURN_SECONDS = 1.0
"""Much longer than the processor needs to fill its caches again."""


@dataclass
class _PausableCommand:
    """A command and the process that measures it, in their own session, so that they stop and continue together."""

    command: list[str]
    process: subprocess.Popen[str]
    seconds: float = 0.0
    """Wall-clock time of its turns so far."""

    @classmethod
    def start(cls, command: list[str]) -> _PausableCommand:
        process = subprocess.Popen(
            [sys.executable, __file__, *command], stdout=subprocess.PIPE, encoding="utf-8", start_new_session=True
        )
        return cls(command, process)

    def send_signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError):  # it has ended
            os.killpg(self.process.pid, number)

    def run_for(self, seconds: float) -> bool:
        """Continue for this time, then stop; return False if the command has ended."""
        started = time.monotonic()
        self.send_signal(signal.SIGCONT)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(seconds)
        self.send_signal(signal.SIGSTOP)
        self.seconds += time.monotonic() - started
        return self.process.poll() is None

    def read_cost(self) -> Cost:
        out, _ = self.process.communicate()
        if self.process.returncode:
            raise SystemExit(f"{' '.join(self.command)} failed")
        return Cost(self.seconds, float(json.loads(out)))


def run_in_turns(commands: dict[str, list[str]]) -> dict[str, Cost]:
    """Run the commands in turns, and return the cost of each."""
    started = {}
    try:
        for name, command in commands.items():
            started[name] = _PausableCommand.start(command)
            started[name].send_signal(signal.SIGSTOP)
        unfinished = list(started)
        while unfinished:
            unfinished = [name for name in unfinished if started[name].run_for(_TURN_SECONDS)]
        return {name: running.read_cost() for name, running in started.items()}
    finally:
        for running in started.values():
            if running.process.poll() is None:
                running.send_signal(signal.SIGKILL)


if __name__ == "__main__":
    if sys.argv[1:] in ([], ["-h"], ["--help"]):
        print(__doc__)
        sys.exit()
    print(json.dumps(measure_command(sys.argv[1:]).processor))
