"""Reproduce the tables of Guo et al. (ECON, APWeb 2010) on pages of today.

    python benchmarks/econ_paper.py DATA
    python benchmarks/econ_paper.py DATA -o docs/results/econ.md --every 10

DATA is the folder with the sets chinese-dev, languages-dev and news-world-dev. The script writes one Markdown file.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from duramen.evaluation import Example, read_set
from econ_document import make_document
from econ_experiments import judge_pages

SETS = ("chinese-dev", "languages-dev", "news-world-dev")


def find_group(example: Example) -> str:
    """Return the country of a page, or its language."""
    return str(example.fields.get("country") or example.lang)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/econ.md"))
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every N-th page only")
    arguments = parser.parse_args()
    missing = [name for name in SETS if not (arguments.data / name).is_dir()]
    if missing:
        parser.error(f"{arguments.data} is not the folder of the sets: it has no {', no '.join(missing)}")
    judged = {}
    for name in SETS:
        judged[name] = judge_pages(read_set(arguments.data / name)[:: arguments.every], find_group)
        print(f"{name}: {len(judged[name])} pages", file=sys.stderr)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(make_document(judged), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
