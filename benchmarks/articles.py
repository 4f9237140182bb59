"""How well `content.is_article` tells articles from other pages.

    python benchmarks/articles.py DATA/wcxb-dev

The pages are those of the sites whose names have an odd checksum: the detector was made on the others. An article is a
page that its set calls so; what is judged is what `mss-simple` keeps.
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
    pages, called = Counter[str](), Counter[str]()
    for example in examples:
        content = duramen.extract(example.read(), method="mss-simple", url=example.url)
        pages[example.type] += 1
        called[example.type] += bool(content.is_article)
    right = called["article"]
    print(f"{len(examples)} pages, {pages['article']} of them articles")
    print(f"precision {right / max(called.total(), 1):.2f}, recall {right / max(pages['article'], 1):.2f}\n")
    for kind, count in pages.most_common():
        print(f"{kind:15}{count:5} pages, {called[kind] / count:4.0%} called articles")


if __name__ == "__main__":
    main()
