"""Compare every output of duramen with the recorded one, by hash, on real pages.

    python benchmarks/golden.py DATA                    # compare with tests/golden/hashes.json
    python benchmarks/golden.py DATA --write            # record the outputs
    python benchmarks/golden.py DATA --save FOLDER      # also write the outputs, to compare two commits by diff

400 pages are sampled with a fixed seed over all sets below DATA, the same number from each as far as it has them; 20
wrappers are learned, and a small WARC file is run. Only hashes are stored: the pages may not be committed. The exit
status is 1 if an output differs. The script uses public names only, so that it works on older commits too.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import duramen
from warc_records import make_warc_record

RECORDED = Path(__file__).parents[1] / "tests" / "golden" / "hashes.json"
PAGES = 400
SITES = 20
WARC_PAGES = 40
LEARN_FROM = 5
APPLY_TO = 3
SEED = 2026
HASH_CHARS = 12
SITE_SETS = ("news-sites-dev", "feed-sites-dev", "articles-2012-dev", "news-world-dev", "languages-dev")

Outputs = dict[str, str]
"""The outputs of one page, site or run, by name."""
Row = dict[str, Any]
"""A row of a set's manifest."""

CONTENT_OUTPUTS: dict[str, Callable[[duramen.Content], str]] = {
    "text": lambda content: content.text,
    "markdown": lambda content: content.markdown,
    "markdown+": lambda content: content.to("markdown", links=True, images=True),
    "html": lambda content: content.html,
    "html+": lambda content: content.to("html", links=True, images=True),
    "json": lambda content: content.json,
    "xml": lambda content: content.xml,
    "metadata": lambda content: _as_json(content.metadata.as_dict()),
    "comments": lambda content: _as_json([comment.as_dict() for comment in content.comments]),
    "page type": lambda content: str(content.page_type),
    "confidence": lambda content: f"{content.confidence:.3f}",
}


def _as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


def read_rows(folder: Path) -> list[Row]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text("utf-8").split("\n") if line]


def read_page(folder: Path, row: Row) -> bytes:
    raw = (folder / row.get("html", f"html/{row['id']}.html.gz")).read_bytes()
    return gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else raw


def sample_pages(data: Path) -> list[tuple[Path, Row]]:
    """Sample the pages: take one from each set in turn until there are enough."""
    generator = random.Random(SEED)
    sets = []
    for folder in sorted(path.parent for path in data.glob("*/manifest.jsonl")):
        rows = read_rows(folder)
        generator.shuffle(rows)
        sets.append([(folder, row) for row in rows])
    taken: list[tuple[Path, Row]] = []
    while len(taken) < PAGES and any(sets):
        taken.extend(pages.pop() for pages in sets if pages)
    return taken[:PAGES]


def sample_sites(data: Path) -> list[tuple[Path, str, list[Row]]]:
    """Sample sites with enough pages to learn a wrapper and to apply it."""
    generator = random.Random(SEED)
    sites = []
    for name in SITE_SETS:
        by_site: dict[str, list[Row]] = {}
        for row in read_rows(data / name):
            by_site.setdefault(row.get("site", ""), []).append(row)
        large = sorted(site for site, rows in by_site.items() if site and len(rows) > LEARN_FROM)
        generator.shuffle(large)
        sites.append([(data / name, site, by_site[site]) for site in large])
    taken: list[tuple[Path, str, list[Row]]] = []
    while len(taken) < SITES and any(sites):
        taken.extend(some.pop() for some in sites if some)
    return taken[:SITES]


def _attempt(make: Callable[[], str]) -> str:
    """Return an output, or the error that the library raises instead."""
    try:
        return make()
    except duramen.DuramenError as error:
        return f"{type(error).__name__}: {error}"


def page_outputs(page: tuple[Path, Row]) -> tuple[str, Outputs]:
    folder, row = page
    name = f"{folder.name}/{row['id']}"
    raw, url = read_page(folder, row), row.get("url")
    try:
        content = duramen.extract(raw, url=url)
    except duramen.DuramenError as error:
        return name, {"error": str(error)}
    outputs = {output: _attempt(partial(make, content)) for output, make in CONTENT_OUTPUTS.items()}
    outputs["records"] = _attempt(lambda: _as_json(duramen.records(raw, url=url).rows))
    return name, outputs


def site_outputs(site: tuple[Path, str, list[Row]]) -> tuple[str, Outputs]:
    folder, name, rows = site
    pages = [duramen.Page.parse(read_page(folder, row), row.get("url")) for row in rows]
    title = f"site {folder.name}/{name}"
    try:
        wrapper = duramen.learn(pages[:LEARN_FROM])
    except duramen.DuramenError as error:
        return title, {"error": str(error)}
    with tempfile.TemporaryDirectory() as temporary:
        path = Path(temporary) / "wrapper.json"
        wrapper.save(path)
        saved = json.loads(path.read_text("utf-8"))
    outputs = {"wrapper": json.dumps(saved, ensure_ascii=False, sort_keys=True, indent=1)}
    for number, page in enumerate(pages[LEARN_FROM : LEARN_FROM + APPLY_TO]):
        outputs[f"page {number}"] = wrapper.extract(page).text
    return title, outputs


def _warc_record(number: int, folder: Path, row: Row) -> bytes:
    url = row.get("url") or f"http://example.org/{number}"
    return make_warc_record(url, read_page(folder, row), number)


def run_outputs(pages: list[tuple[Path, Row]]) -> tuple[str, Outputs]:
    """Return the rows that `duramen run` writes for a small WARC file."""
    with tempfile.TemporaryDirectory() as temporary:
        archive, rows = Path(temporary) / "pages.warc.gz", Path(temporary) / "rows.jsonl"
        records = (_warc_record(number, *page) for number, page in enumerate(pages[:WARC_PAGES]))
        archive.write_bytes(b"".join(gzip.compress(record, mtime=0) for record in records))
        command = [sys.executable, "-m", "duramen", "run", archive.name, "-o", rows.name, "--jobs", "2"]
        subprocess.run(command, cwd=temporary, check=True, capture_output=True)
        lines = sorted(rows.read_text("utf-8").split("\n"))
    return "run", {"rows": "\n".join(lines)}


def make_outputs(data: Path) -> Iterator[tuple[str, Outputs]]:
    pages = sample_pages(data)
    with ProcessPoolExecutor() as pool:
        yield from pool.map(page_outputs, pages, chunksize=4)
        yield from pool.map(site_outputs, sample_sites(data))
    yield run_outputs(pages)


def _hash(output: str) -> str:
    return hashlib.sha256(output.encode("utf-8", "surrogatepass")).hexdigest()[:HASH_CHARS]


def _save(folder: Path, name: str, outputs: Outputs) -> None:
    for output, text in outputs.items():
        path = folder / name.replace(" ", "_") / output.replace(" ", "_")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogatepass"))


def report(recorded: dict[str, dict[str, str]], current: dict[str, dict[str, str]]) -> bool:
    """Print the outputs that differ; return True if none does."""
    different: Counter[str] = Counter()
    examples: dict[str, list[str]] = {}
    for name in recorded | current:
        one, other = recorded.get(name, {}), current.get(name, {})
        for output in one | other:
            if one.get(output) != other.get(output):
                kind = output.split()[0] if name.startswith("site") else output
                different[kind] += 1
                examples.setdefault(kind, []).append(name)
    count = sum(map(len, current.values()))
    if not different:
        print(f"equal: {count} outputs of {len(current)} pages, sites and runs")
        return True
    print(f"{different.total()} of {count} outputs differ:")
    for output, number in different.most_common():
        print(f"  {output}: {number}, for example {', '.join(examples[output][:5])}")
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the sets")
    parser.add_argument("--write", action="store_true", help="record the outputs instead of comparing them")
    parser.add_argument("--save", type=Path, metavar="FOLDER", help="write all outputs below this folder")
    arguments = parser.parse_args()
    if not list(arguments.data.glob("*/manifest.jsonl")):
        parser.error(f"{arguments.data} has no sets: no folder in it has a manifest.jsonl")

    hashes_by_name: dict[str, dict[str, str]] = {}
    for name, outputs in make_outputs(arguments.data):
        hashes_by_name[name] = {output: _hash(text) for output, text in outputs.items()}
        if arguments.save:
            _save(arguments.save, name, outputs)
    if arguments.write:
        RECORDED.parent.mkdir(parents=True, exist_ok=True)
        lines = [f"{json.dumps(name)}: {json.dumps(hashes)}" for name, hashes in sorted(hashes_by_name.items())]
        RECORDED.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        print(
            f"recorded {sum(map(len, hashes_by_name.values()))} outputs of {len(hashes_by_name)} pages, sites and runs"
        )
        return 0
    return 0 if report(json.loads(RECORDED.read_text("utf-8")), hashes_by_name) else 1


if __name__ == "__main__":
    sys.exit(main())
