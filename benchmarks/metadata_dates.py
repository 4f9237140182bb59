"""Measure dateparser, which parses dates in the words of other languages than English.

    python benchmarks/metadata_dates.py

Measured are its import, the first date of a language, which loads the language, every further date, and an English date
that duramen parses itself. Each run is a new process. Times are processor times, the minimum of several runs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from itertools import pairwise
from time import process_time

from duramen.dom.dates import parse_date

_RUNS = 5
_FRENCH = [f"{day} février 2024" for day in range(1, 29)]  # all different, because results are cached
_ENGLISH = [f"{day} February 2024" for day in range(1, 29)]


def measure_dates() -> list[float]:
    """Return seconds in a new process: the import, the first date, every further one, and one in English."""
    times = [process_time()]
    import dateparser  # noqa: F401

    times.append(process_time())
    for date in (*_FRENCH, *_ENGLISH):
        if parse_date(date, "fr" if date in _FRENCH else "en") is None:
            raise SystemExit(f"this date was not parsed: {date}")
        times.append(process_time())
    spent = [after - before for before, after in pairwise(times)]
    last = 1 + len(_FRENCH)
    return [spent[0], spent[1], sum(spent[2:last]) / (last - 2), sum(spent[last:]) / len(_ENGLISH)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--once", action="store_true", help="measure in this process, and print the seconds")
    if parser.parse_args().once:
        print(*measure_dates())
        return
    run = [sys.executable, __file__, "--once"]
    runs = [subprocess.run(run, capture_output=True, check=True, text=True).stdout.split() for _ in range(_RUNS)]
    minimums = [min(map(float, column)) for column in zip(*runs, strict=True)]
    names = ("import of dateparser", "first date in French", "every further one", "a date in English, without it")
    for name, seconds in zip(names, minimums, strict=True):
        print(f"{name:30} {1000 * seconds:9.3f} ms")


if __name__ == "__main__":
    main()
