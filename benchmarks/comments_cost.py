"""What `content.comments` costs beside a bare parse of the same page; what the text of `auto` would gain without them.

    python benchmarks/comments_cost.py DATA/articles-2012-dev --every 5
    python benchmarks/comments_cost.py DATA/wcxb-dev --every 12

Times are the processor's, of the quickest of three runs, over the tree that an extraction leaves behind.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from statistics import mean, median
from time import process_time

from selectolax.lexbor import LexborHTMLParser

import duramen
from duramen.content import Content
from duramen.evaluation import read_set
from duramen.evaluation.metrics.words import word_agreement
from duramen.language import words
from duramen.output import write_text

LEAST = 25
"""Words that must be left of a text for it to be given without its comments."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="every Nth page only")
    args = parser.parse_args()
    ratios: dict[bool, list[float]] = {True: [], False: []}
    before, after = [], []
    for example in read_set(args.set)[:: args.every]:
        raw = example.read()
        content = duramen.extract(raw)
        ratios[bool(content.comments)].append(finding_time(raw) / parse_time(raw))
        if example.text:
            gold = Counter(words(example.text))
            before.append(word_agreement(gold, Counter(words(content.text))).f1)
            after.append(word_agreement(gold, Counter(words(without_comments(content)))).f1)
    for found, costs in ratios.items():
        if costs:
            print(f"{len(costs):5} pages with{'' if found else 'out'} comments: median {median(costs):.2f} bare parses")
    if before:
        print(f"word F1 of the text: {mean(before):.4f} as it is, {mean(after):.4f} without comments")


def parse_time(raw: bytes) -> float:
    """Seconds of a bare parse."""
    times = []
    for _ in range(3):
        start = process_time()
        LexborHTMLParser(raw)
        times.append(process_time() - start)
    return min(times)


def finding_time(raw: bytes) -> float:
    """Seconds of looking for comments, once the content was found."""
    times = []
    for _ in range(3):
        content = duramen.extract(raw)
        start = process_time()
        content.comments  # noqa: B018 - looked for when asked
        times.append(process_time() - start)
    return min(times)


def without_comments(content: Content) -> str:
    """The text of a content less what stands in its comments, unless next to nothing would be left."""
    said = {node for comment in content.comments for span in comment.whole for node in span}
    left: list[range] = []
    for span in content.spans:
        start = span.start
        for node in [*(node for node in span if node in said), span.stop]:
            if start < node:
                left.append(range(start, node))
            start = node + 1
    if left == list(content.spans):
        return content.text
    text = write_text(content.page.tree, left) if left else ""
    return text if len(text.split()) >= LEAST else content.text


if __name__ == "__main__":
    main()
