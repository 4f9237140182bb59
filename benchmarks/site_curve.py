"""Measure what n other pages of a site add to `auto`: a table with intervals, and word F1 against n.

    python benchmarks/site_curve.py DATA
    python benchmarks/site_curve.py DATA -o docs/results/sites.md --pictures docs/pictures
    python benchmarks/site_curve.py DATA --sites 20
    python benchmarks/site_curve.py DATA --scores results/sites.json

DATA is the folder of the sets. `--scores` takes the scores that `duramen evaluate SETS --site 1,2,3,5,9` has written,
and measures nothing. The picture is sites.png.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from duramen.evaluation import get_extractor, read_set
from duramen.evaluation.site_scores import (
    DEFAULT_COUNTS,
    FUSED,
    PEER,
    SITE,
    WORSE,
    SiteResults,
    SiteSummary,
    draw_site_chart,
    loads,
    make_site_table,
    score_sites,
    summarize,
)

SEED = 28
SETS = ("news-sites-dev", "feed-sites-dev", "articles-2012-dev", "news-world-dev")
HEAD = """# What other pages of a site add

Measured on {day} as by `duramen evaluate {sets} --site {counts}`;
this document is written by `python benchmarks/site_curve.py {command}`{sample}. Word F1,
mean over pages. A site takes part with n pages if it has more, so the rows of a set have different pages. The 95 %
intervals draw sites, not pages. `site` is a site model, `fused` a wrapper with a site model, `wrapper` its XPaths
alone. The times are CPU times with parsing, in parts of those of `auto`. The weights of the evidence were compared
on these sets too ([sites.md](../sites.md)): these are not the results of unseen sites.
"""


def measure(data: Path, max_sites: int | None) -> SiteResults:
    """Score the sites of the sets that have several pages.

    With `max_sites`, at most so many sites of each set are drawn at random.
    """
    results = SiteResults()
    examples = []
    for name in SETS:
        pages = [example for example in read_set(data / name) if example.text]
        several = sorted(site for site, count in Counter(page.site for page in pages).items() if count > 1)
        random.Random(SEED).shuffle(several)
        chosen = frozenset(several[:max_sites])
        examples += [page for page in pages if page.site in chosen]
    peer = get_extractor(PEER).run if find_spec(PEER) else None
    for site in score_sites(examples, DEFAULT_COUNTS, peer, results):
        print(site, file=sys.stderr)
    return results


def make_document(rows: list[SiteSummary], picture: str, day: str, max_sites: int | None = None) -> str:
    """Return the document as Markdown."""
    head = HEAD.format(
        day=day,
        sets=" ".join(SETS),
        counts=",".join(map(str, DEFAULT_COUNTS)),
        command=f"DATA --sites {max_sites}" if max_sites else "DATA",
        sample=f", on at most {max_sites} sites of each set, drawn at random" if max_sites else "",
    )
    lines = [head, f"![Word F1 against the number of pages, for each set]({picture})", "", make_site_table(rows), ""]
    for method in (SITE, FUSED):
        gains = [row.gains[method] for row in rows]
        lowest = min(rows, key=lambda row: row.gains[method].mean)
        lines.append(
            f"- `{method}` is above `auto` in {sum(gain.mean > 0.0 for gain in gains)} of {len(rows)} rows; the lowest"
            f" difference is {lowest.gains[method].mean:+.4f} ({lowest.set}, {lowest.count}). Sites that lose more than"
            f" {WORSE:.2f}: {sum(len(gain.worse) for gain in gains)} in all rows. Its time is"
            f" {min(gain.time for gain in gains):.2f} to {max(gain.time for gain in gains):.2f} times that of `auto`."
        )
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of the sets")
    parser.add_argument("-o", "--output", type=Path, default=Path("docs/results/sites.md"))
    parser.add_argument("--pictures", type=Path, default=Path("docs/pictures"), metavar="FOLDER")
    parser.add_argument("--scores", type=Path, metavar="FILE", help="sites.json of `duramen evaluate --site`")
    parser.add_argument("--sites", type=int, metavar="N", help="sites of a set, drawn at random (default: all)")
    arguments = parser.parse_args()
    missing = [name for name in SETS if not (arguments.data / name).is_dir()]
    if missing and arguments.scores is None:
        parser.error(f"{arguments.data} is not the folder of the sets: it has no {', no '.join(missing)}")
    if arguments.scores is None:
        results, time = measure(arguments.data, arguments.sites), datetime.now(UTC)
    else:
        results = loads(arguments.scores.read_text("utf-8"))
        time = datetime.fromtimestamp(arguments.scores.stat().st_mtime, UTC)
    rows = summarize(results)
    for folder in (arguments.output.parent, arguments.pictures):
        folder.mkdir(parents=True, exist_ok=True)
    draw_site_chart(rows, arguments.pictures / "sites.png")
    text = make_document(rows, "../pictures/sites.png", f"{time:%Y-%m-%d}", arguments.sites)
    arguments.output.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
