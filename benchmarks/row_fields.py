"""Measure what the metadata columns cost in a row of `duramen run`.

    python benchmarks/row_fields.py DATA/wcxb-dev DATA/news-world-dev

Extracts the same pages with no metadata, with the columns of the first version of the schema, and with all columns.
Each page counts with its best time of all rounds, in processor time; the result is a ratio to the time without
metadata.
"""

from __future__ import annotations

import random
import sys
import time

from duramen.batch.inputs.splits import InputPage
from duramen.batch.row import extract_row
from duramen.batch.settings import METADATA_FIELDS, RunSettings
from duramen.evaluation import read_set

PAGES = 150
ROUNDS = 3
CHOICES = {
    "none": RunSettings(fields=()),
    "title, language": RunSettings(fields=("title", "language")),
    "all": RunSettings(fields=METADATA_FIELDS),
}


def main() -> None:
    """Print a line for each choice of columns."""
    examples = [example for name in sys.argv[1:] for example in random.Random(0).sample(read_set(name), PAGES)]
    seconds = dict.fromkeys(CHOICES, 0.0)
    for example in examples:
        page = InputPage(example.id, body=example.read(), url=example.url)
        best = dict.fromkeys(CHOICES, float("inf"))
        for _ in range(ROUNDS):
            for name, settings in CHOICES.items():
                start = time.process_time()
                extract_row(page, settings)
                best[name] = min(best[name], time.process_time() - start)
        for name in CHOICES:
            seconds[name] += best[name]
    for name, total in seconds.items():
        print(f"{name:16} {1000 * total / len(examples):6.2f} ms/page  {total / seconds['none']:.3f}")


if __name__ == "__main__":
    main()
