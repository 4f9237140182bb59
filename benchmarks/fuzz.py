"""Change pages at random and check every output of every verb.

    python benchmarks/fuzz.py                                     # a minute, the pages of tests/pages
    python benchmarks/fuzz.py FOLDER --seconds 600 --seed 7 --jobs 2
    python benchmarks/fuzz.py --one-verb --pages 1000000 --seconds 1e6   # small pages, one verb or output for each
    python benchmarks/fuzz.py --replay failures/exception-3f2a.html

What must hold for every page: no exception but those of duramen; JSON and XML can be parsed, Markdown can be rendered,
and HTML is not changed by nh3, a sanitizer, that allows our elements (if it is installed); the compiled modules give
the same results as their Python source; each verb takes at most 2 seconds per megabyte, and all of them together stay
below a limit of memory. Each failure is written to a folder, with a sentence. The exit status is 1 if there is one.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import multiprocessing
import random
import re
import resource
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duramen
from duramen.build_info import describe_build
from duramen.structure.tex import MATH_ATTRIBUTES, MATH_ELEMENTS

sys.path.insert(0, str(Path(__file__).parent))  # also where the Python source is run

from fuzz_changes import MAX_PAGE_BYTES, mutate
from fuzz_verbs import VERBS, choose_verb

ROOT = Path(__file__).parents[1]
SECONDS_PER_MB = 2.0
MIN_SECONDS = 0.5
"""Verbs that take less are not slow: a small page may take more than its share."""
MAX_MEMORY_MB = 1_500
PURE_EVERY, LEARN_EVERY, METHODS_EVERY = 5, 15, 4
"""The more expensive checks are made for one page of so many."""
ONE_VERB_SEED_BYTES, ONE_VERB_PAGE_BYTES = 2_500, 3_500
ONE_VERB_PURE_EVERY = 500

HTML_TAGS = set(
    "a blockquote br code dd del div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr img li ol p pre strong sub sup"
    " table tbody td tfoot th thead tr ul caption section article aside header footer details summary".split()
) | {*MATH_ELEMENTS, "semantics", "annotation"}
HTML_ATTRIBUTES = {
    "*": {"class", "lang", "dir"},
    "a": {"href"},
    "img": {"src", "alt"},
    "ol": {"start", "reversed"},
    "li": {"value"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
    "table": {"role"},
    "aside": {"id"},
    "math": {"display", "xmlns"},
    "annotation": {"encoding"},
} | {element: set(MATH_ATTRIBUTES) for element in MATH_ELEMENTS - {"math"}}

Outputs = dict[str, str]
TimedVerb = tuple[str, Callable[[], str | None]]


@dataclass(frozen=True)
class Failure:
    """What did not hold for a page."""

    kind: str
    sentence: str


@dataclass
class Tally:
    """What one worker has done."""

    pages: int = 0
    bytes: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    verbs: Counter[str] = field(default_factory=Counter)
    """Pages of each verb, with `--one-verb`."""
    slowest: list[tuple[float, str, int]] = field(default_factory=list)
    """Seconds per megabyte, verb and number of the page."""


# --- Checks ----------------------------------------------------------------------------------------------------------


def make_outputs(html: bytes, method: str = "auto") -> Outputs:
    """Return all outputs of a page that both builds must agree on."""
    outputs: Outputs = {}
    for name, make in _list_verbs(html, method):
        try:
            outputs[name] = make()
        except duramen.DuramenError as error:
            outputs[name] = f"{type(error).__name__}: {error}"
    return outputs


def _list_verbs(html: bytes, method: str) -> Iterator[tuple[str, Callable[[], str]]]:
    url = "https://site.example/a/page.html"
    try:
        page = duramen.Page.parse(html, url)
        content = duramen.extract(page, method=method, links=True, images=True, comments=True)
    except duramen.DuramenError as error:
        sentence = f"{type(error).__name__}: {error}"
        yield "extract", lambda: sentence
        return
    yield "text", lambda: content.text
    yield "markdown", lambda: content.markdown
    yield "html", lambda: content.html
    yield "json", lambda: content.json
    yield "xml", lambda: content.xml
    if method == "auto":
        yield "metadata", lambda: json.dumps(content.metadata.as_dict(), default=str)
        yield "comments", lambda: json.dumps([comment.as_dict() for comment in content.comments], default=str)
        yield "records", lambda: duramen.records(page).to_json()
        yield "record", lambda: duramen.record(page).to_json()
        yield "article", lambda: f"{bool(content.is_article)}"
        yield "records_all", lambda: "".join(table.to_csv() for table in duramen.records_all(page))
        yield "xpath", lambda: str(len(page.xpath("//div[contains(@class,'a')]//p[2]")) + len(page.css("li > a")))


def check_output(name: str, output: str) -> None:
    """Raise an exception if an output is not well formed."""
    if name in ("json", "metadata", "comments", "records", "record"):
        json.loads(output)
    elif name == "xml":
        ElementTree.fromstring(output)
    elif name == "markdown":
        _render_markdown(output)
    elif name == "html":
        cleaned = _sanitize(output)
        if cleaned is not None and cleaned != output:
            place = next((at for at, pair in enumerate(zip(cleaned, output, strict=False)) if pair[0] != pair[1]), 0)
            part = slice(max(0, place - 40), place + 40)
            raise ValueError(f"nh3 changes {output[part]!r} to {cleaned[part]!r}")


def _render_markdown(text: str) -> None:
    try:
        from markdown_it import MarkdownIt
    except ImportError:
        return
    if len(text) < 20_000:  # it is slow on some inputs
        MarkdownIt("commonmark", {"html": False}).render(text)


def _sanitize(html: str) -> str | None:
    """Return the HTML as nh3 writes it, in our spelling; None if it is not installed."""
    try:
        import nh3
    except ImportError:
        return None
    cleaned = nh3.clean(html, tags=HTML_TAGS, attributes=HTML_ATTRIBUTES, link_rel=None)
    return html if _respell(cleaned) == _respell(html) else cleaned


def _respell(html: str) -> str:
    """Return HTML without the differences that two writers of the same tree may have."""
    for spelling, character in (
        ("&quot;", '"'),
        ("&#x27;", "'"),
        ("&nbsp;", "\xa0"),
        ("<tbody>", ""),
        ("</tbody>", ""),
    ):
        html = html.replace(spelling, character)
    return re.sub(r"\s+", " ", html).strip()


class PureBuild:
    """A process that has the Python source of all compiled modules."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.run_pure", str(Path(__file__)), "--serve"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def make_outputs(self, html: bytes) -> Outputs:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(len(html).to_bytes(4, "big") + html)
        self._process.stdin.flush()
        outputs: Outputs = json.loads(self._process.stdout.readline())
        return outputs

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def serve() -> None:
    """Read pages from standard input, and write their outputs."""
    while head := sys.stdin.buffer.read(4):
        html = sys.stdin.buffer.read(int.from_bytes(head, "big"))
        try:
            outputs = make_outputs(html)
        except Exception as error:  # the compiled build reports it
            outputs = {"exception": repr(error)}
        print(json.dumps(outputs), flush=True)


def check_page(
    html: bytes, number: int, verbs: Iterable[TimedVerb], pure: PureBuild | None, tally: Tally
) -> list[Failure]:
    """Return what does not hold for a page."""
    failures: list[Failure] = []
    for name, make in verbs:
        start = time.process_time()
        try:
            output = make()
        except duramen.DuramenError:
            continue
        except Exception as error:
            failures.append(Failure("exception", f"{name}: {error!r}\n{traceback.format_exc()}"))
            continue
        seconds = time.process_time() - start
        per_mb = seconds / max(len(html) / 1e6, 1e-6)
        if seconds > MIN_SECONDS / 2:
            tally.slowest = sorted([*tally.slowest, (per_mb, name, number)], reverse=True)[:10]
        if seconds > max(MIN_SECONDS, SECONDS_PER_MB * len(html) / 1e6):
            failures.append(Failure(f"slow-{name}", f"{name}: {seconds:.2f} s for {len(html):,} bytes"))
        if output is not None:
            try:
                check_output(name, output)
            except Exception as error:
                failures.append(Failure(f"malformed-{name}", f"{name}: {error!r}"))
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    if memory > MAX_MEMORY_MB:
        failures.append(Failure("memory", f"{memory:,} MB"))
    if pure is not None and not failures:
        others = pure.make_outputs(html)
        compiled = make_outputs(html)
        differing = [name for name in compiled if compiled[name] != others.get(name)]
        failures += [Failure("builds-differ", f"{name} of the Python source differs") for name in differing]
    return failures


def list_all_verbs(html: bytes, number: int, seeds: list[bytes]) -> Iterator[TimedVerb]:
    """Yield the verbs of a page; each parses it anew, so that its time is that of a user."""
    parsed: list[Any] = []

    def extract() -> str | None:
        parsed.append(dict(_list_verbs(html, "auto")))
        return None

    def run(name: str) -> Callable[[], str | None]:
        return lambda: parsed[0][name]() if parsed and name in parsed[0] else None

    yield "extract", extract
    names = "text markdown html json xml metadata comments records record article records_all xpath".split()
    yield from ((name, run(name)) for name in names)
    if number % METHODS_EVERY == 0:
        methods = [name for name in duramen.methods.names() if name not in ("auto", "rendered-region")]
        method = methods[number // METHODS_EVERY % len(methods)]
        yield f"method {method}", lambda: "".join(make_outputs(html, method).values()) and None
    if number % LEARN_EVERY == 0:
        chosen = random.Random(number)
        pages = [html, mutate(chosen, [html]), mutate(chosen, [html]), mutate(chosen, seeds)]
        yield (
            "learn",
            lambda: duramen.learn([page for page in pages if _is_html(page)]).extract(duramen.Page.parse(html)).text,
        )
        yield "learn_all", lambda: str(len(duramen.learn_all([page for page in pages if _is_html(page)]).wrappers))
        yield "records wrapper", lambda: _learn_records(duramen.Page.parse(html))


def choose_one_verb(html: bytes, chosen: random.Random, tally: Tally) -> Iterator[TimedVerb]:
    name = choose_verb(chosen)
    tally.verbs[name] += 1
    yield name, lambda: VERBS[name](html, chosen)


def _learn_records(page: duramen.Page) -> str:
    return duramen.RecordsWrapper.of(duramen.records(page)).extract(page).to_csv()


def _is_html(page: bytes) -> bool:
    try:
        duramen.Page.parse(page)
    except duramen.DuramenError:
        return False
    return True


# --- The run ---------------------------------------------------------------------------------------------------------


def work(worker: int, arguments: argparse.Namespace, seeds: list[bytes], results: Any) -> None:
    """Check every page of a worker until the time is over."""
    tally = Tally()
    pure = PureBuild() if describe_build() != "pure Python" and not arguments.no_pure else None
    assert duramen.extract(seeds[0]).json  # imports and models are loaded
    end = time.monotonic() + arguments.seconds
    current = arguments.failures / f"current-{worker}.html"
    try:
        for number in range(worker, arguments.pages, arguments.jobs):
            if time.monotonic() > end:
                break
            chosen = random.Random(f"{arguments.seed}-{number}")
            html = mutate(chosen, seeds, ONE_VERB_PAGE_BYTES if arguments.one_verb else MAX_PAGE_BYTES)
            current.write_bytes(html)  # stays there if the process dies
            tally.pages += 1
            tally.bytes += len(html)
            is_compared = number // arguments.jobs % (ONE_VERB_PURE_EVERY if arguments.one_verb else PURE_EVERY) == 0
            verbs = choose_one_verb(html, chosen, tally) if arguments.one_verb else list_all_verbs(html, number, seeds)
            for failure in check_page(html, number, verbs, pure if is_compared else None, tally):
                tally.failures[failure.kind] += 1
                write_failure(arguments.failures, html, failure, number)
        current.unlink(missing_ok=True)
    finally:
        if pure is not None:
            pure.close()
        results.put(tally)


def write_failure(folder: Path, html: bytes, failure: Failure, number: int) -> None:
    """Write a page that fails, and a text that says why."""
    name = f"{failure.kind.replace(' ', '-')}-{hashlib.sha1(html).hexdigest()[:8]}"
    (folder / f"{name}.html").write_bytes(html)
    (folder / f"{name}.txt").write_text(f"page {number}: {failure.sentence}\n", "utf-8", "replace")


def read_seeds(folder: Path, max_bytes: int) -> list[bytes]:
    """Return the pages of a folder, and of all folders in it, that are not too large."""
    pages = [path.read_bytes() for path in sorted(folder.rglob("*.htm*")) if path.stat().st_size <= max_bytes]
    if not pages:
        raise SystemExit(f"{folder} has no .html files of at most {max_bytes:,} bytes")
    return pages


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "tests" / "pages")
    parser.add_argument("--pages", type=int, default=10**9, help="at most so many pages")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--failures", type=Path, default=Path("failures"), help="the folder for pages that fail")
    parser.add_argument("--no-pure", action="store_true", help="do not compare with the Python source")
    parser.add_argument(
        "--one-verb", action="store_true", help="small pages, and for each one verb or output at random (quick)"
    )
    parser.add_argument("--replay", type=Path, help="check this page only")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> int:
    arguments = read_arguments()
    if arguments.serve:
        serve()
        return 0
    seeds = read_seeds(arguments.folder, ONE_VERB_SEED_BYTES if arguments.one_verb else MAX_PAGE_BYTES)
    if arguments.replay is not None:
        assert duramen.extract(seeds[0]).json
        html = arguments.replay.read_bytes()
        verbs: list[TimedVerb] = [
            *list_all_verbs(html, 0, seeds),
            *((name, partial(VERBS[name], html, random.Random(0))) for name in VERBS),
        ]
        failures = check_page(html, 0, verbs, None, Tally())
        print("\n".join(f"{failure.kind}: {failure.sentence}" for failure in failures) or "nothing fails")
        return bool(failures)
    arguments.failures.mkdir(parents=True, exist_ok=True)
    results: Any = multiprocessing.SimpleQueue()
    workers = [
        multiprocessing.Process(target=work, args=(worker, arguments, seeds, results))
        for worker in range(arguments.jobs)
    ]
    for process in workers:
        process.start()
    for process in workers:
        process.join()
    total = Tally()
    while not results.empty():
        tally = results.get()
        total.pages += tally.pages
        total.bytes += tally.bytes
        total.failures += tally.failures
        total.verbs += tally.verbs
        total.slowest += tally.slowest
    died = [process for process in workers if process.exitcode]
    print(f"{total.pages:,} pages, {total.bytes / 1e6:,.1f} MB, {sum(total.failures.values())} failures")
    if total.verbs:
        print("  " + ", ".join(f"{name} {count:,}" for name, count in total.verbs.most_common()))
    for kind, count in total.failures.most_common():
        print(f"  {kind}: {count}")
    for process in died:
        print(f"  a worker died with {process.exitcode}: see current-*.html in {arguments.failures}")
    for per_mb, name, number in sorted(total.slowest, reverse=True)[:10]:
        print(f"  slowest: {name}, page {number}: {per_mb:.1f} s/MB")
    return 1 if total.failures or died else 0


if __name__ == "__main__":
    sys.exit(main())
