"""Score all methods and all peers on the same pages, and write the leaderboard.

    python benchmarks/leaderboard.py DATA                        # score all sets, then write; needs duramen[peers]
    python benchmarks/leaderboard.py DATA --set forums-dev       # score one set
    python benchmarks/leaderboard.py DATA --pages 0              # all pages of each set, not 150

The scores of each page are kept in `build/leaderboard/`: a run that was stopped goes on with the next page, and
`--again` scores all pages again. Then docs/results/leaderboard.json, docs/leaderboard.md and the picture are
written. `benchmarks/front_page.py` writes the tables of README.md from the JSON file.

The pages are a sample with a fixed seed, the same for all. Methods that lay pages out with Chromium are left out.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean
from typing import Any

from duramen import __version__, methods
from duramen.evaluation import get_extractor, peers, read_set
from duramen.evaluation.extractors import Extractor
from duramen.evaluation.metrics.agreement import EconVerdict
from duramen.evaluation.run import PageRun, score_pages
from duramen.evaluation.sets import Example
from duramen.methods.auto.model import AutoModel
from duramen.methods.mss.model import MssModel
from leaderboard_document import write_document

ROOT = Path(__file__).parents[1]
PARTS = ROOT / "build" / "leaderboard"
MODELS = ROOT / "src" / "duramen" / "models"
SETS = (
    "articles-2012-dev cleaneval-dev feed-sites-dev languages-dev news-sites-dev"
    " chinese-dev forums-dev news-world-dev wcxb-dev"
).split()
RENDERED = {"rendered-region", "tag-path", "vips", "xpath-rank"}
SEED = 30
COUNTED = ("version", "failed")


def score_set(folder: Path, pages: int, names: Sequence[str], part: Path) -> None:
    """Score extractors on a sample of a set, and append a line to the file for each page."""
    examples = choose_pages(folder, pages)
    cut_broken_line(part)
    done = {page["id"] for page in read_pages(part)}
    extractors = [get_extractor(name) for name in (*names, *peers.names())]
    remaining = [example for example in examples if example.id not in done]
    with part.open("a", encoding="utf-8") as file:
        for number, run in enumerate(score_pages(remaining, extractors, timed=True), 1):
            file.write(json.dumps(describe_page(run, extractors)) + "\n")
            file.flush()
            print(f"{folder.name}: {len(done) + number} of {len(examples)} pages", file=sys.stderr)


def list_methods() -> list[str]:
    """Return the methods that need no layout of the page."""
    return [
        name
        for name in methods.names()
        if name not in RENDERED and not getattr(methods.get(name), "needs_boxes", False)
    ]


def choose_pages(folder: Path, pages: int) -> list[Example]:
    """Return the sample of a set: the same pages for the same seed, and the first of them for a smaller number."""
    examples = [example for example in read_set(folder) if example.text is not None]
    random.Random(SEED).shuffle(examples)
    return examples[: pages or None]


def describe_page(run: PageRun, extractors: Sequence[Extractor]) -> dict[str, Any]:
    """Return the scores of a page by extractor; times are in bare parses."""
    parse = run.parse_milliseconds or 1.0
    versions = {extractor.name: extractor.version for extractor in extractors}
    return {
        "id": run.example.id,
        "site": run.example.site,
        "date": datetime.now(UTC).date().isoformat(),
        "scores": {
            page.extractor: {
                "version": versions[page.extractor],
                "precision": round(page.score.words.precision, 5),
                "recall": round(page.score.words.recall, 5),
                "f1": round(page.score.words.f1, 5),
                "bigrams": round(page.score.bigrams.f1, 5),
                "cleaneval": round(page.score.cleaneval, 5),
                "correct": int(page.score.verdict is EconVerdict.CORRECT),
                "failed": int(page.error is not None),
                "times_parse": round((page.milliseconds or 0.0) / parse, 3),
            }
            for page in run.scores
        },
    }


def cut_broken_line(part: Path) -> None:
    """Remove the last line if a killed run wrote only a part of it.

    Otherwise the next line would be appended to it.
    """
    if part.exists():
        written = part.read_bytes()
        os.truncate(part, written.rfind(b"\n") + 1)


def read_pages(part: Path) -> list[dict[str, Any]]:
    """Return the pages that have been scored."""
    return [json.loads(line) for line in part.read_text("utf-8").splitlines()] if part.exists() else []


def sum_up(name: str, data: Path, pages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the means of a set."""
    rows: dict[str, Any] = {}
    # A method that was added later has not been scored on all pages: it is left out.
    for extractor in [one for one in pages[0]["scores"] if all(one in page["scores"] for page in pages)]:
        scores = [page["scores"][extractor] for page in pages]
        means = {key: round(fmean(score[key] for score in scores), 4) for key in scores[0] if key not in COUNTED}
        rows[extractor] = {"version": scores[0]["version"], "failures": sum(one["failed"] for one in scores), **means}
    return {
        "set": name,
        "pages": len(pages),
        "pages_of_set": len(choose_pages(data / name, 0)),
        "sites": len({page["site"] for page in pages}),
        "date": max(page["date"] for page in pages),
        "rows": rows,
    }


def find_training_sets() -> dict[str, dict[str, float | None]]:
    """Return, by method, the sets that its model was trained on, with the F1 on sites it has not seen, if recorded."""
    auto = AutoModel.load(MODELS / "auto.npz").card
    mss = MssModel.load(MODELS / "mss.npz").card
    held_out = {one["name"]: auto["scores"].get(one["name"], {}).get("f1") for one in auto["sets"]}
    trained = dict.fromkeys((one["name"] for one in mss["sets"]), None)
    variants = [name for name in methods.names() if name.startswith("mss") and name != "mss-simple"]
    return {"auto": held_out} | dict.fromkeys(variants, trained)


def combine(data: Path, folder: Path) -> dict[str, Any]:
    """Return the results of all sets that have been scored."""
    scored = {name: [page for page in read_pages(folder / f"{name}.jsonl") if page["scores"]] for name in SETS}
    parts = [sum_up(name, data, pages) for name, pages in scored.items() if pages]
    versions = {name: row["version"] for part in parts for name, row in part["rows"].items()}
    return {
        "command": f"python benchmarks/leaderboard.py DATA --pages {max(part['pages'] for part in parts)}",
        "duramen": __version__,
        "seed": SEED,
        "peers": {name: versions[name] for name in sorted(versions) if name in peers.names()},
        "trained_on": find_training_sets(),
        "sets": parts,
    }


def main() -> None:
    """Score the sets that are not yet scored, and write the documents."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="folder of the sets")
    parser.add_argument("--set", action="append", choices=SETS, help="score only this set; may be given more than once")
    parser.add_argument("--pages", type=int, default=150, metavar="N", help="of each set; 0: all (default: 150)")
    parser.add_argument("--method", metavar="NAMES", help="of duramen, with commas between (default: all)")
    parser.add_argument("--again", action="store_true", help="score sets again")
    parser.add_argument("--scored", type=Path, default=PARTS, metavar="FOLDER", help="keeps the scores of the pages")
    parser.add_argument("--docs", type=Path, default=ROOT / "docs", metavar="FOLDER", help="where to write")
    arguments = parser.parse_args()
    if missing := peers.missing():
        parser.error(f"these peers are not installed: {', '.join(missing)}; pip install 'duramen[peers]'")
    names = arguments.method.split(",") if arguments.method else list_methods()
    arguments.scored.mkdir(parents=True, exist_ok=True)
    for name in arguments.set or SETS:
        part = arguments.scored / f"{name}.jsonl"
        if arguments.again:
            part.unlink(missing_ok=True)
        score_set(arguments.data / name, arguments.pages, names, part)
    results = combine(arguments.data, arguments.scored)
    (arguments.docs / "results").mkdir(parents=True, exist_ok=True)
    (arguments.docs / "results" / "leaderboard.json").write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    write_document(results, arguments.docs)


if __name__ == "__main__":
    main()
