"""Check that memory does not grow: extract thousands of pages by one method in one process.

    python benchmarks/memory.py DATA/wcxb-dev
    python benchmarks/memory.py DATA/wcxb-dev --pages 10000 --method auto

The pages of the set are repeated until the number is reached. The resident size is printed after every tenth of the
pages; the exit status is 1 if the last size is more than 5 % above the second.
"""

from __future__ import annotations

import argparse
import os
import sys
from itertools import cycle, islice
from pathlib import Path

import duramen
from duramen.errors import InputError
from duramen.evaluation import read_set

PARTS = 10
MAX_GROWTH = 1.05


def read_resident_bytes() -> int:
    """Return the resident memory of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="a folder of pages")
    parser.add_argument("--pages", type=int, default=10_000, metavar="N")
    parser.add_argument("--method", default="auto")
    arguments = parser.parse_args()
    examples = read_set(arguments.set)
    sizes = []
    print("| pages | resident, MB |\n|---:|---:|")
    for number, example in enumerate(islice(cycle(examples), arguments.pages), 1):
        try:
            len(duramen.extract(example.read(), method=arguments.method).text)
        except InputError as error:
            print(f"{example.id}: {error}", file=sys.stderr)
        if number % (arguments.pages // PARTS) == 0:
            sizes.append(read_resident_bytes())
            print(f"| {number:,} | {sizes[-1] / 1e6:.1f} |", flush=True)
    return int(sizes[-1] > MAX_GROWTH * sizes[1])


if __name__ == "__main__":
    sys.exit(main())
