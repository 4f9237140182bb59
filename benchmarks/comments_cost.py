"""Measure the time of `content.comments` in bare parses, and the word F1 of `auto` with and without comments.

    python benchmarks/comments_cost.py DATA/articles-2012-dev --every 5
    python benchmarks/comments_cost.py DATA/wcxb-dev --every 12

Times are processor times, the best of three runs, on the tree of a finished extraction.
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
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.language import words
from duramen.output import write_text

MIN_WORDS = 25
"""Words that a text must have without its comments to be scored so."""


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
        ratios[bool(content.comments)].append(measure_search(raw) / measure_parse(raw))
        if example.text:
            gold = Counter(words(example.text))
            before.append(word_agreement(gold, Counter(words(content.text))).f1)
            after.append(word_agreement(gold, Counter(words(remove_comments(content)))).f1)
    for has_comments, costs in ratios.items():
        if costs:
            group = "with" if has_comments else "without"
            print(f"{len(costs):5} pages {group} comments: median {median(costs):.2f} bare parses")
    if before:
        print(f"word F1 of the text: {mean(before):.4f} as extracted, {mean(after):.4f} without comments")


def measure_parse(raw: bytes) -> float:
    """Return the seconds of a bare parse."""
    times = []
    for _ in range(3):
        start = process_time()
        LexborHTMLParser(raw)
        times.append(process_time() - start)
    return min(times)


def measure_search(raw: bytes) -> float:
    """Return the seconds of the search for comments, after the extraction."""
    times = []
    for _ in range(3):
        content = duramen.extract(raw)
        start = process_time()
        content.comments  # noqa: B018 - computed when read
        times.append(process_time() - start)
    return min(times)


def remove_comments(content: Content) -> str:
    """Return the text of a content without its comments, unless almost nothing would be left."""
    comment_nodes = {node for comment in content.comments for span in comment.all_spans for node in span}
    rest: list[range] = []
    for span in content.spans:
        start = span.start
        for node in [*(node for node in span if node in comment_nodes), span.stop]:
            if start < node:
                rest.append(range(start, node))
            start = node + 1
    if rest == list(content.spans):
        return content.text
    text = write_text(content.page.tree, rest) if rest else ""
    return text if len(text.split()) >= MIN_WORDS else content.text


if __name__ == "__main__":
    main()
