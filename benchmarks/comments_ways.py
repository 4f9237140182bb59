"""Which way parts the comments: the record methods, structure, or both; and how well each does alone.

python benchmarks/comments_ways.py DATA/articles-2012-dev
"""

from __future__ import annotations

import argparse
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from unittest.mock import patch

from duramen.comments import find_comments, units
from duramen.comments.partition import Unit
from duramen.comments.place import Place
from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.evaluation.comments import OURS, finders, score_comments, summary, table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    examples = read_set(parser.parse_args().set)
    alone: dict[str, AbstractContextManager[object]] = {
        "both": nullcontext(),
        "structure": patch.object(units, "record_lists", lambda *_: ()),
        "records": patch.object(units, "_groups", lambda *_: {}),
    }
    for way, changed in alone.items():
        with changed:
            pages = [page for scored in score_comments(examples, finders()) for page in scored]
        print(f"{way}\n{table([summary(pages, OURS)])}\n")
    ways: Counter[str] = Counter()
    parted: list[Unit] = []
    records = units._records

    def watched(place: Place, most: float) -> list[Unit]:
        parted[:] = records(place, most)
        return list(parted)

    with patch.object(units, "_records", watched):
        for example in examples:
            comments = find_comments(Page.parse(example.read()).tree)
            if comments:
                nested = any(comment.depth for comment in comments)
                ways["records" if parted else "nested" if nested else "alone" if len(comments) == 1 else "flat"] += 1
    print("pages parted by the record methods, and by structure: nested, alone, flat:", dict(ways))


if __name__ == "__main__":
    main()
