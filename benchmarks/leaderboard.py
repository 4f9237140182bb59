"""Score all methods and all peers on the same pages, and write the leaderboard.

    python benchmarks/leaderboard.py DATA                        # score all sets, then write; needs duramen[peers]
    python benchmarks/leaderboard.py DATA --set forums-dev       # score one set
    python benchmarks/leaderboard.py DATA --pages 0              # all pages of each set, not 150

Each set is scored for itself, and its result is kept in `build/leaderboard/`: a run that was stopped goes on with the
next set, and `--again` scores sets again. Then docs/results/leaderboard.json, docs/leaderboard.md and the picture are
written. `benchmarks/front_page.py` writes the tables of README.md from the JSON file.

The pages are a sample with a fixed seed, the same for all. Methods that lay pages out with Chromium are left out.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from duramen import __version__, methods
from duramen.evaluation import get_extractor, peers, read_set
from duramen.evaluation.report_json import results_to_dict
from duramen.evaluation.results import Results
from duramen.evaluation.run import score_pages
from duramen.methods.auto.model import AutoModel
from duramen.methods.mss.model import MssModel
from leaderboard_document import write_document

ROOT = Path(__file__).parents[1]
PARTS = ROOT / "build" / "leaderboard"
RESULT = ROOT / "docs" / "results" / "leaderboard.json"
MODELS = ROOT / "src" / "duramen" / "models"
SETS = (
    "articles-2012-dev cleaneval-dev feed-sites-dev languages-dev news-sites-dev"
    " chinese-dev forums-dev news-world-dev wcxb-dev"
).split()
RENDERED = {"rendered-region", "xpath-rank", "tag-path"}
SEED = 30


def score_set(folder: Path, pages: int) -> dict[str, Any]:
    """Score all extractors on a sample of a set."""
    examples = [example for example in read_set(folder) if example.text is not None]
    total = len(examples)
    if 0 < pages < total:
        examples = random.Random(SEED).sample(examples, pages)
    names = [name for name in methods.names() if name not in RENDERED]
    extractors = [get_extractor(name) for name in (*names, *peers.names())]
    results = Results(extractors)
    for number, run in enumerate(score_pages(examples, extractors, timed=True), 1):
        results.runs.append(run)
        if number % 25 == 0:
            print(f"{folder.name}: {number} of {len(examples)} pages", file=sys.stderr)
    rows = results_to_dict(results)["leaderboard"]
    return {
        "set": folder.name,
        "pages": results.pages,
        "pages_of_set": total,
        "sites": len({example.site for example in examples}),
        "date": datetime.now(UTC).date().isoformat(),
        "rows": {row.pop("method"): row for row in rows},
    }


def find_training_sets() -> dict[str, dict[str, float | None]]:
    """Return, by method, the sets that its model was trained on, with the F1 on sites it has not seen, if recorded."""
    auto = AutoModel.load(MODELS / "auto.npz").card
    mss = MssModel.load(MODELS / "mss.npz").card
    held_out = {one["name"]: auto["scores"].get(one["name"], {}).get("f1") for one in auto["sets"]}
    trained = dict.fromkeys((one["name"] for one in mss["sets"]), None)
    variants = [name for name in methods.names() if name.startswith("mss") and name != "mss-simple"]
    return {"auto": held_out} | dict.fromkeys(variants, trained)


def combine() -> dict[str, Any]:
    """Return the results of all sets that have been scored."""
    paths = [PARTS / f"{name}.json" for name in SETS]
    parts = [json.loads(path.read_text("utf-8")) for path in paths if path.exists()]
    versions = {name: row["version"] for part in parts for name, row in part["rows"].items()}
    return {
        "command": "python benchmarks/leaderboard.py DATA",
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
    parser.add_argument("--again", action="store_true", help="score sets again")
    arguments = parser.parse_args()
    if missing := peers.missing():
        parser.error(f"these peers are not installed: {', '.join(missing)}; pip install 'duramen[peers]'")
    PARTS.mkdir(parents=True, exist_ok=True)
    for name in arguments.set or SETS:
        part = PARTS / f"{name}.json"
        if arguments.again or not part.exists():
            part.write_text(json.dumps(score_set(arguments.data / name, arguments.pages)), "utf-8")
    results = combine()
    RESULT.write_text(json.dumps(results, indent=1) + "\n", "utf-8")
    write_document(results, ROOT / "docs")


if __name__ == "__main__":
    main()
