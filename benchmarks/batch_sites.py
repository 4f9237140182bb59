"""Measure the time and the memory of `duramen run --sites` on a synthetic crawl of many hosts.

    python benchmarks/batch_sites.py
    python benchmarks/batch_sites.py --pages 100000 --hosts 500 -o docs/results/sites-in-a-run.md

Each host has two templates, menus and a footer of its own. The same crawl is read without and with --sites. Linux
only, because the memory is read from /proc. `duramen evaluate --site` measures what site models do for the quality.
"""

from __future__ import annotations

import argparse
import gzip
import json
import random
import sys
import tempfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path

from batch_memory import MemorySample, measure_growth, sample_memory

WORDS = "oak ash elm yew fir larch alder hazel maple rowan aspen cedar holly lime pear plum beech birch willow".split()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=5_000, help="pages of the crawl (default: 5000)")
    parser.add_argument("--hosts", type=int, default=50, help="hosts of the crawl (default: 50)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (default: 2)")
    parser.add_argument("-o", "--output", type=Path, help="file for the document (default: standard output)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crawl = Path(folder, "crawl.jsonl.gz")
        with gzip.open(crawl, "wt", compresslevel=1, encoding="utf-8") as file:
            file.writelines(json.dumps(page) + "\n" for page in make_pages(arguments.pages, arguments.hosts))
        runs = {}
        for name, options in {"without": [], "with": ["--sites"]}.items():
            runs[name] = sample_memory(crawl, Path(folder, name), arguments.jobs, 0.5, options)
        database = Path(folder, "with", "_duramen", "sites.sqlite").stat().st_size
        text = format_document(arguments.pages, arguments.hosts, crawl.stat().st_size, database, runs)
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, "utf-8")
    return 0


def make_pages(pages: int, hosts: int) -> Iterator[dict[str, str]]:
    """Yield the pages of all hosts in turns."""
    for number in range(pages):
        host, page = number % hosts, number // hosts
        yield {"url": f"http://host{host}.example/{page}", "html": make_page(host, page)}


def make_page(host: int, page: int) -> str:
    """Return a page of one of the two templates of a host."""
    chance = random.Random(f"{host} {page}")
    paragraphs = [" ".join(chance.choices(WORDS, k=60)).capitalize() + f" {chance.random()}." for _ in range(12)]
    menu = "".join(f"<li><a href=/{n}>{WORDS[n]} of host {host}</a></li>" for n in range(12))
    side = f"<p class=about>The magazine of host {host} has been printed for {host + 20} years and is not for sale.</p>"
    box = "story" if page % 3 else "review"
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<html lang=en><head><title>Page {page}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<div class={box}><h1>{paragraphs[0][:40]}</h1>{body}{side}</div><footer>Host {host}, all rights</footer>"
        "</body></html>"
    )


def format_document(pages: int, hosts: int, size: int, database: int, runs: dict[str, list[MemorySample]]) -> str:
    seconds_without = runs["without"][-1].seconds
    rows = []
    for name, samples in runs.items():
        parent, worker = (max(getattr(sample, kind) for sample in samples) for kind in ("parent", "worker"))
        ratio, growth = samples[-1].seconds / seconds_without, measure_growth(samples)
        rows.append(f"| {name} --sites | {ratio:.2f} | {parent:.0f} | {worker:.0f} | {growth:+.1%} |")
    return "\n".join(
        [
            "# Sites in a run\n",
            f"Written on {date.today()} by `python benchmarks/batch_sites.py --pages {pages} --hosts {hosts}`: a",
            f"synthetic crawl of {pages:,} pages of {hosts:,} hosts, {size / 1e6:.0f} MB of gzip. The time is a ratio",
            "to the run without sites. The growth compares the memory of a worker in the last quarter of the run with",
            "that in the second. At most 32 pages of a host are read twice, for the sample: with few pages of a host",
            "the ratio is largest.\n",
            "| run | time | parent, MB | largest worker, MB | growth |",
            "|---|---:|---:|---:|---:|",
            *rows,
            f"\nThe database of the models has {database / 1e6:.1f} MB. Figures of quality: [sites](../sites.md).\n",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
