"""Measure how well the posts of threads are found: their texts, authors and dates.

    python benchmarks/posts.py DATA/forums-dev              # the sites to develop on
    python benchmarks/posts.py DATA/forums-dev --half odd   # the sites to look at rarely
    python benchmarks/posts.py DATA/articles-2012-dev       # a set without posts: how often posts are found there

A post is found if one result holds 80 % of its words; every result counts for one post only. Author and date are
judged for found posts alone. Sets give some authors by the address of their profile: any text that links to it is the
right name then, and an address that no text links to is not judged.
"""

from __future__ import annotations

import argparse
import re
import time
import zlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duramen
from duramen.comments.posts import Post, find_posts
from duramen.dom.dates import as_date, parse_date
from duramen.dom.text import read_text
from duramen.dom.tree import TEXT, Tree
from duramen.evaluation import Example, read_set
from duramen.language import words

MIN_WORD_SHARE = 0.8
_TOKEN = re.compile(r"\w+")


@dataclass
class Counts:
    """Numbers of posts, of one page or of many."""

    expected: int = 0
    returned: int = 0
    found: int = 0
    authors: list[bool] = field(default_factory=list)
    dates: list[bool] = field(default_factory=list)
    shared_words: int = 0
    returned_words: int = 0

    def add(self, other: Counts) -> None:
        self.expected += other.expected
        self.returned += other.returned
        self.found += other.found
        self.authors += other.authors
        self.dates += other.dates
        self.shared_words += other.shared_words
        self.returned_words += other.returned_words

    def __str__(self) -> str:
        shares = (
            ("precision", self.found, self.returned),
            ("recall", self.found, self.expected),
            ("authors", sum(self.authors), len(self.authors)),
            ("dates", sum(self.dates), len(self.dates)),
            ("words of found posts that belong to them", self.shared_words, self.returned_words),
        )
        return ", ".join(f"{name} {part / whole if whole else 0:.3f} ({part}/{whole})" for name, part, whole in shares)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path, help="folder of a set: manifest.jsonl and pages")
    parser.add_argument("--half", choices=("even", "odd", "all"), default="even", help="which half of the sites")
    parser.add_argument("--verbose", action="store_true", help="show each page, and what is wrong")
    arguments = parser.parse_args()
    halves = {"even": (0,), "odd": (1,), "all": (0, 1)}[arguments.half]
    total = Counts()
    page_types: Counter[str] = Counter()
    with_posts: Counter[str] = Counter()
    seconds = 0.0
    for example in read_set(arguments.set):
        if zlib.crc32((example.site or example.id).encode()) % 2 not in halves:
            continue
        content = duramen.extract(example.read(), url=example.url)
        tree = content.page.tree
        start = time.perf_counter()
        posts = find_posts(tree, content.spans, example.url or "")
        seconds += time.perf_counter() - start
        page_type = content.page_type or "unknown"
        page_types[page_type] += 1
        with_posts[page_type] += bool(posts)
        if example.fields.get("records"):
            counts = score_page(tree, example, posts, arguments.verbose)
            total.add(counts)
            if arguments.verbose:
                print(f"{example.id[:50]} ({page_type}): {counts}\n")
        elif posts and arguments.verbose:
            print(example.id, page_type, len(posts), [(post.author, post.stamp) for post in posts[:4]])
    if total.expected:
        print(total)
    for page_type, count in page_types.most_common():
        print(f"{page_type}: posts on {with_posts[page_type]} of {count} pages")
    print(f"{1000 * seconds / max(1, page_types.total()):.1f} ms a page")


def score_page(tree: Tree, example: Example, posts: Sequence[Post], verbose: bool) -> Counts:
    """Compare the posts of one page with the expected ones."""
    expected = [post for post in example.fields.get("records") or () if words(post.get("text") or "")]
    bags = [Counter(_read_words(tree, post.spans)) for post in posts]
    counts = Counts(len(expected), len(posts))
    names = _read_names_by_address(tree)
    free = set(range(len(posts)))
    for record in expected:
        wanted = Counter(words(record["text"].lower()))
        shared = {index: (wanted & bags[index]).total() for index in free}
        # The shortest of the results that hold the text: a result may hold several posts.
        fitting = [index for index in free if shared[index] >= MIN_WORD_SHARE * wanted.total()]
        if not fitting:
            if verbose:
                print("  not found:", record["text"][:100].replace("\n", " "))
            continue
        best = min(fitting, key=lambda index: (bags[index].total(), index))
        free.discard(best)
        counts.found += 1
        counts.shared_words += shared[best]
        counts.returned_words += bags[best].total()
        _judge_fields(counts, record, posts[best], names, verbose)
    if verbose:
        for index in sorted(free):
            print("  wrong:", posts[index].author, "|", posts[index].stamp, "|", " ".join(bags[index])[:100])
    return counts


def _judge_fields(
    counts: Counts, record: dict[str, Any], post: Post, names: dict[str, set[str]], verbose: bool
) -> None:
    user, date = record.get("user"), record.get("date")
    if user:
        right = names.get(user) or ({user} if "/" not in user and ".php" not in user else set())
        if right:
            counts.authors.append(_normalize(post.author) in {_normalize(name) for name in right})
            if verbose and not counts.authors[-1]:
                print("  author:", repr(post.author), "for", right)
    if date:
        counts.dates.append(_is_same_date(post, date))
        if verbose and not counts.dates[-1]:
            print("  date:", repr(post.stamp), repr(post.machine_date), "for", repr(date))


def _normalize(name: str | None) -> str:
    return " ".join((name or "").split()).strip("@:,. ").lower()


def _is_same_date(post: Post, expected: str) -> bool:
    wanted = set(_TOKEN.findall(expected.lower()))
    shown = set(_TOKEN.findall((post.stamp or "").lower()))
    if shown and (wanted <= shown or (shown <= wanted and len(shown) > 1)):
        return True
    day = parse_date(expected)
    parsed = [parse_date(value) for value in (post.machine_date, post.stamp) if value]
    return day is not None and any(date is not None and as_date(date) == as_date(day) for date in parsed)


def _read_words(tree: Tree, spans: Iterable[range]) -> list[str]:
    texts = (tree.text[node] for span in spans for node in span if tree.tag[node] == TEXT)
    return words(" ".join(texts).lower())


def _read_names_by_address(tree: Tree) -> dict[str, set[str]]:
    """Return the texts of the links to each address."""
    names: dict[str, set[str]] = {}
    for node in tree.find_all("a"):
        address = tree.attributes[node].get("href")
        if address and (text := read_text(tree, node).strip()):
            names.setdefault(address, set()).add(text)
    return names


if __name__ == "__main__":
    main()
