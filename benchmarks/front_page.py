"""Write the two tables of README.md, quality and speed, from the results of `leaderboard.py` and `speed.py`.

    python benchmarks/leaderboard.py DATA                                                       # needs duramen[peers]
    python benchmarks/speed.py DATA/wcxb-dev --peers --every 75 --json docs/results/speed.json > docs/speed.md
    python benchmarks/front_page.py

The tables stand between the markers `<!-- quality: begin -->` and `<!-- quality: end -->`, and the same for speed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from duramen.evaluation.score_tables import make_markdown_table
from leaderboard_document import describe_pages, make_f1_table, rank_extractors

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
OURS = "auto"
WRITTEN = f"{OURS}, text written"


def make_quality(results: dict[str, Any]) -> str:
    """Return the table of word F1 of `auto` and all peers, with sets, dates and versions."""
    held_out = results["trained_on"][OURS]
    sets = [part["set"] for part in results["sets"]]
    unseen = [name for name in sets if name not in held_out]
    trained = [name for name in sets if name in held_out]
    names = [name for name in rank_extractors(results, unseen) if name == OURS or name in results["peers"]]
    dates = " and ".join(sorted({part["date"] for part in results["sets"]}))
    peers = ", ".join(f"{name} {version}" for name, version in results["peers"].items())
    return "\n\n".join(
        [
            "Word F1, mean over pages, on sets that duramen was not trained on (number of pages in brackets; "
            "macro: mean over the sets):",
            make_f1_table(results, names, unseen, macro=True),
            "On sets that duramen was trained on. †: each page by a model that has not seen its site "
            "(cross-validation, all pages of the set):",
            make_f1_table(results, names, trained, macro=True),
            f"duramen {results['duramen']}, {peers}; {dates}; {describe_pages(results)}. "
            f"To measure it again: `{results['command']}`.",
        ]
    )


def make_speed(run: dict[str, Any]) -> str:
    """Return the table of times, with ratios of one run."""
    times = run["milliseconds"]
    ours = times[WRITTEN]
    rows = sorted([(f"**{OURS}**", ours), *((name, times[name]) for name in run["versions"])], key=lambda row: row[1])
    table = make_markdown_table(
        ["from bytes to text", "ms/page", "× duramen"],
        [[name, f"{time:.1f}", f"{time / ours:.1f}"] for name, time in rows],
    )
    note = (
        f"Processor time, {run['pages']} pages of {run['set']}, all in one run, the best of {run['rounds']} rounds"
        f" of each page;"
        f" {run['date']}; `{run['command']}`."
    )
    return f"{table}\n\n{note}"


def replace_between(text: str, name: str, table: str) -> str:
    """Return the text with a table between the markers of this name."""
    pattern = re.compile(f"(<!-- {name}: begin -->\n).*?(<!-- {name}: end -->)", re.DOTALL)
    if not pattern.search(text):
        raise SystemExit(f"README.md has no markers of {name}")
    return pattern.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text)


def main() -> None:
    """Write the tables."""
    readme = ROOT / "README.md"
    text = readme.read_text("utf-8")
    text = replace_between(text, "quality", make_quality(json.loads((RESULTS / "leaderboard.json").read_text("utf-8"))))
    text = replace_between(text, "speed", make_speed(json.loads((RESULTS / "speed.json").read_text("utf-8"))))
    readme.write_text(text, "utf-8")


if __name__ == "__main__":
    main()
