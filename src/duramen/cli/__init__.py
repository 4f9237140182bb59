"""The command line: one module per verb, and `main`, which runs a command line.

`main` imports everything else itself, so that Ctrl-C is answered in one line even while modules are still loading.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]

_EXIT_INTERRUPTED = 130


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit status."""
    try:
        from duramen.cli.dispatch import run_command_line

        return run_command_line(argv)
    except KeyboardInterrupt:
        import sys

        print("duramen: stopped", file=sys.stderr)
        return _EXIT_INTERRUPTED
