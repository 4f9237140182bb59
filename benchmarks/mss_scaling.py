"""Measure how the time of `mss-supervised` grows with the size of the page.

    python benchmarks/mss_scaling.py
    python benchmarks/mss_scaling.py -o docs/results/mss-scaling.md --pictures docs/pictures

The pages are generated: a head, a menu, an article of paragraphs, lists, pictures and links, comments, a footer; longer
pages have more of the same, never deeper nesting. Every step is timed on its own (best of a few rounds) and compared
with a bare Lexbor parse of the same bytes. The ratio to a parse is about the same for large and small pages, except for
one step: pages with 20,000 tags or more are checked for hostile nesting before they are parsed. The exit status is 1 if
from 100 kB to 10 MB the time grows faster than the size to the power of 1.2.
"""

from __future__ import annotations

import argparse
import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from random import Random
from statistics import linear_regression
from time import perf_counter

from selectolax.lexbor import LexborHTMLParser

from duramen.dom.page import Page
from duramen.methods.mss.supervised import MssSupervised, find_best_block, make_content
from duramen.methods.mss.tokens import tokenize

SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000, 3_000_000, 10_000_000)
MAX_EXPONENT = 1.2
STEPS = ("bare parse", "page", "tokenize", "score", "subsequence", "content", "total")
COMMON = "the of and to in a is that for it was on are as with his they at be this from have or by one".split()
SYLLABLES = "ba con dra e fin gor hu is ker lo men no per qui ras sta ton u ver wal".split()


class PageMaker:
    """Make pieces of a page, in about the proportions of the pages of wcxb-dev: of a thousand bytes 380 are scripts and
    styles and most of the others attributes, with ten tags and a dozen words and symbols among them."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.vocabulary = ["".join(self.random.choices(SYLLABLES, k=self.random.randint(1, 4))) for _ in range(8_000)]

    def word(self) -> str:
        return self.random.choice(self.vocabulary)

    def sentence(self, longest: int = 22) -> str:
        count = self.random.randint(6, longest)
        words = [self.random.choice(COMMON) if self.random.random() < 0.45 else self.word() for _ in range(count)]
        return " ".join(words).capitalize() + self.random.choice([".", ".", "?", ", 1984."])

    def attributes(self) -> str:
        names = " ".join(f"{self.word()}-{self.word()}__{self.word()}" for _ in range(5))
        return f'class="{names}" data-{self.word()}="{self.random.getrandbits(64):x}"'

    def script(self, size: int) -> str:
        entries = ",".join(f'"{self.word()}":"{self.random.getrandbits(160):x}"' for _ in range(size // 50))
        return f'<script type="application/json">{{{entries}}}</script>\n'

    def paragraph(self) -> str:
        link = f'<a {self.attributes()} href="/{self.word()}/{self.word()}-{self.word()}">{self.word()}</a>'
        return f"<p {self.attributes()}>{self.sentence()} {link} {self.sentence()} <em>{self.word()}</em>.</p>\n"

    def links(self, count: int) -> str:
        addresses = (f"/{self.word()}/{self.word()}" for _ in range(count))
        items = (f'<li {self.attributes()}><a href="{each}">{self.word()}</a></li>' for each in addresses)
        return f"<ul {self.attributes()}>{''.join(items)}</ul>\n"

    def figure(self) -> str:
        sources = ", ".join(f"https://example.org/{self.word()}/{width}.jpg {width}w" for width in (320, 640, 1280))
        image = f'<picture><source srcset="{sources}"><img {self.attributes()} alt="" src="/i.jpg"></picture>'
        return f"<figure {self.attributes()}>{image}<figcaption>{self.sentence(8)}</figcaption></figure>\n"

    def buttons(self) -> str:
        path = " ".join(f"L{self.random.random():.4f} {self.random.random():.4f}" for _ in range(12))
        button = f'<button {self.attributes()}><svg viewBox="0 0 24 24"><path d="M0 0 {path}Z"/></svg></button>'
        return f"<div {self.attributes()}><div>{button * 3}</div></div>\n"

    def section(self) -> str:
        heading = f"<h2 {self.attributes()}>{self.sentence(8)}</h2>\n"
        prose = "".join(self.paragraph() for _ in range(3))
        comment = f"<div {self.attributes()}><b>{self.word()}</b><br><span>{self.sentence(10)}</span></div>\n"
        return heading + prose + self.figure() + self.links(5) + self.buttons() + comment + self.script(3_800)


def make_page(size: int, seed: int = 2009) -> bytes:
    """Return a page of about `size` bytes."""
    maker = PageMaker(seed)
    head = f"<!doctype html><html><head><title>{maker.sentence(8)}</title>{maker.script(1_000)}</head><body>"
    foot = "</article></main><footer><p>All rights reserved.</p></footer></body></html>"
    parts = [f"{head}<nav>{maker.links(6)}</nav><main><article><h1>{maker.sentence(8)}</h1>\n"]
    length = len(parts[0]) + len(foot)
    while length < size:
        parts.append(maker.section())
        length += len(parts[-1])
    return "".join([*parts, foot]).encode()


@dataclass(frozen=True)
class Timing:
    """Seconds of each step for one page, and the size of the page."""

    size: int
    tokens: int
    seconds: dict[str, float]

    @property
    def ratio(self) -> float:
        return self.seconds["total"] / self.seconds["bare parse"]


class Stopwatch:
    """Record the best time of each step."""

    def __init__(self) -> None:
        self.best = dict.fromkeys(STEPS, float("inf"))

    @contextmanager
    def __call__(self, step: str) -> Iterator[None]:
        started = perf_counter()
        yield
        self.best[step] = min(self.best[step], perf_counter() - started)


def measure(raw: bytes, method: MssSupervised, rounds: int) -> Timing:
    watch, count = Stopwatch(), 0
    for _ in range(rounds):
        gc.collect()
        with watch("bare parse"):
            LexborHTMLParser(raw)
        with watch("page"):
            page = Page.parse(raw)
        with watch("tokenize"):
            tokens = tokenize(page.tree)
        with watch("score"):
            probabilities = method.probabilities(tokens)
            scores = method.scores(tokens, probabilities)
        with watch("subsequence"):
            block = find_best_block(scores, tokens, method.constraints)
        assert block is not None  # the page is one long article
        with watch("content"):
            make_content(method, page, tokens, block, method.block_confidence(probabilities, block))
        count = len(tokens)
        del page, tokens
        with watch("total"):
            method(Page.parse(raw))
    return Timing(len(raw), count, watch.best)


def format_table(timings: list[Timing]) -> str:
    lines = [
        f"| size | tokens | {' | '.join(f'{step}, ms' for step in STEPS)} | total ÷ bare parse |",
        "|---" * (len(STEPS) + 3) + "|",
    ]
    for timing in timings:
        times = " | ".join(f"{timing.seconds[step] * 1000:.2f}" for step in STEPS)
        lines.append(f"| {format_size(timing.size)} | {timing.tokens:,} | {times} | {timing.ratio:.1f} |")
    return "\n".join(lines)


def format_size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"


def fit_exponent(timings: list[Timing]) -> float:
    """Fit the exponent of the time as a power of the size from 100 kB: 1 is linear, 2 is quadratic."""
    points = [(log(each.size), log(each.seconds["total"])) for each in timings if each.size >= 100_000]
    return linear_regression(*zip(*points, strict=True)).slope


def draw(timings: list[Timing], path: Path) -> None:
    from mss_pictures import INK, MAIN, QUIET, axes_of, save

    figure, (axes,) = axes_of("size of the page, bytes", "seconds")
    sizes = [timing.size for timing in timings]
    for step, color, style in (("total", MAIN, "o-"), ("page", INK, "s--"), ("bare parse", QUIET, "^--")):
        name = {"total": "mss-supervised, total", "page": "decode, parse, tree", "bare parse": "bare Lexbor parse"}
        axes.loglog(sizes, [timing.seconds[step] for timing in timings], style, color=color, label=name[step])
    axes.set_title("Time against page size: slope 1 is linear", fontsize="medium")
    axes.legend(frameon=False)
    save(figure, path)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-o", "--output", type=Path, help="write the table into this Markdown file too")
    parser.add_argument("--pictures", type=Path, help="draw mss-scaling.png into this folder")
    parser.add_argument("--model", default="", help="a model file (default: the installed model)")
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()

    method = MssSupervised(model=arguments.model)
    method(Page.parse(make_page(SIZES[0])))  # imports and loads the model, so that no page is charged for it
    timings = []
    for size in SIZES:
        timings.append(measure(make_page(size), method, arguments.rounds))
        print(f"{format_size(timings[-1].size)}: {timings[-1].ratio:.1f} bare parses", file=sys.stderr)
    print(scaling_table := format_table(timings))
    exponent = fit_exponent(timings)
    print(growth := f"\nFrom 100 kB on, time grows as the size to the power of {exponent:.2f}.")
    if arguments.output:
        arguments.output.parent.mkdir(parents=True, exist_ok=True)
        arguments.output.write_text(
            f"# Time of mss-supervised against page size\n\n{scaling_table}\n{growth}\n", "utf-8"
        )
    if arguments.pictures:
        draw(timings, arguments.pictures / "mss-scaling.png")
    return 0 if exponent <= MAX_EXPONENT else 1


if __name__ == "__main__":
    sys.exit(main())
