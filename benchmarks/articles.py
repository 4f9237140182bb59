"""Measure precision and recall of `content.is_article`.

    python benchmarks/articles.py DATA/wcxb-dev

The pages are those of the sites whose names have an odd checksum: the detector was developed on the others. The set
gives the type of each page; the content that `mss-simple` keeps is judged.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from zlib import crc32

import duramen
from duramen.evaluation import read_set


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    examples = [example for example in read_set(parser.parse_args().set) if crc32(example.site.encode()) % 2]
    pages, positives = Counter[str](), Counter[str]()
    for example in examples:
        content = duramen.extract(example.read(), method="mss-simple", url=example.url)
        pages[example.type] += 1
        positives[example.type] += bool(content.is_article)
    correct = positives["article"]
    print(f"{len(examples)} pages, {pages['article']} of them articles")
    print(f"precision {correct / max(positives.total(), 1):.2f}, recall {correct / max(pages['article'], 1):.2f}\n")
    for page_type, count in pages.most_common():
        print(f"{page_type:15}{count:5} pages, {positives[page_type] / count:4.0%} called articles")


if __name__ == "__main__":
    main()
