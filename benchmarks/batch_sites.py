"""Measure the time and the memory of `duramen run --sites` on a synthetic crawl of many hosts.

    python benchmarks/batch_sites.py
    python benchmarks/batch_sites.py --pages 100000 --hosts 500 --paragraphs 2 --compare-pages 10000 --jobs 1

Each host has two templates, menus and a footer of its own. The crawl is read with --sites and, all or a part of it,
without. Linux only, because the memory is read from /proc. `duramen evaluate --site` measures what site models do for
the quality.
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
    parser.add_argument("--paragraphs", type=int, default=12, help="paragraphs of a page, of 60 words (default: 12)")
    parser.add_argument("--compare-pages", type=int, help="pages that are read without --sites (default: all)")
    parser.add_argument("--jobs", type=int, default=2, help="worker processes (default: 2)")
    parser.add_argument("-o", "--output", type=Path, help="file for the document (default: standard output)")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        compared = arguments.compare_pages or arguments.pages
        crawl, part = Path(folder, "crawl.jsonl.gz"), Path(folder, "part.jsonl.gz")
        for path, pages in ((crawl, arguments.pages), (part, compared)):
            with gzip.open(path, "wt", compresslevel=1, encoding="utf-8") as file:
                file.writelines(json.dumps(page) + "\n" for page in make_pages(pages, arguments))
        runs = {
            "with": sample_memory(crawl, Path(folder, "with"), arguments.jobs, 0.5, ["--sites"]),
            "without": sample_memory(part, Path(folder, "without"), arguments.jobs, 0.5),
        }
        database = Path(folder, "with", "_duramen", "sites.sqlite").stat().st_size
        text = format_document(arguments, crawl.stat().st_size, database, runs)
    if arguments.output is None:
        print(text, end="")
    else:
        arguments.output.write_text(text, "utf-8")
    return 0


def make_pages(pages: int, arguments: argparse.Namespace) -> Iterator[dict[str, str]]:
    """Yield the pages of all hosts in turns."""
    for number in range(pages):
        page, host = divmod(number, arguments.hosts)
        yield {"url": f"http://host{host}.example/{page}", "html": make_page(host, page, arguments.paragraphs)}


def make_page(host: int, page: int, count: int) -> str:
    """Return a page of one of the two templates of a host."""
    chance = random.Random(f"{host} {page}")
    paragraphs = [" ".join(chance.choices(WORDS, k=60)).capitalize() + f" {chance.random()}." for _ in range(count)]
    menu = "".join(f"<li><a href=/{n}>{WORDS[n]} of host {host}</a></li>" for n in range(12))
    side = f"<p class=about>The magazine of host {host} has been printed for {host + 20} years and is not for sale.</p>"
    box = "story" if page % 3 else "review"
    body = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    return (
        f"<html lang=en><head><title>Page {page}</title></head><body><nav><ul>{menu}</ul></nav>"
        f"<div class={box}><h1>{paragraphs[0][:40]}</h1>{body}{side}</div><footer>Host {host}, all rights</footer>"
        "</body></html>"
    )


def format_document(
    arguments: argparse.Namespace, size: int, database: int, runs: dict[str, list[MemorySample]]
) -> str:
    ms_without = 1000.0 * runs["without"][-1].seconds / runs["without"][-1].rows
    rows = []
    for name, samples in runs.items():
        parent, worker = (max(getattr(sample, kind) for sample in samples) for kind in ("parent", "worker"))
        last, growth = samples[-1], measure_growth(samples)
        ms = 1000.0 * last.seconds / last.rows
        rows.append(
            f"| {name} --sites | {last.rows:,} | {last.seconds:.0f} | {ms:.1f} | {ms / ms_without:.2f} | {parent:.0f} |"
            f" {worker:.0f} | {growth:+.1%} |"
        )
    jobs = f"{arguments.jobs} worker process" + "es" * (arguments.jobs != 1)
    return "\n".join(
        [
            "# Sites in a run\n",
            f"Written on {date.today()} by `python benchmarks/batch_sites.py {' '.join(sys.argv[1:])}`:",
            f"a synthetic crawl of {arguments.pages:,} pages of {arguments.hosts:,} hosts, {size / 1e6:.0f} MB of",
            f"gzip, whose hosts are visited in turns, read by {jobs}. At most 32 pages of a host are read twice, for",
            "the sample: with few pages of a host the ratio of the times is largest. The growth compares the memory of",
            "a worker in the last quarter of the run with that in the second.\n",
            "| run | rows | seconds | ms per page | ratio | parent, MB | largest worker, MB | growth |",
            "|---|---:|---:|---:|---:|---:|---:|---:|",
            *rows,
            f"\nThe database of the models has {database / 1e6:.1f} MB. Figures of quality: [sites](../sites.md).\n",
        ]
    )


if __name__ == "__main__":
    sys.exit(main())
