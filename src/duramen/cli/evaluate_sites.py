"""`duramen evaluate --site N`: score what other pages of a site add to `auto`."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.evaluate import EXIT_INTERRUPTED, make_results_folder, read_examples
from duramen.cli.outputs import write_file
from duramen.cli.progress import Progress, say, say_first, wants_bar
from duramen.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from duramen.evaluation.site_scores import PeerRun

_MAX_PRINTED_PROBLEMS = 10


def evaluate_sites(args: argparse.Namespace) -> int:
    """Score the sites, print the table, and write sites.json, sites.md and the chart."""
    from duramen.evaluation.site_scores import (
        SiteResults,
        draw_site_chart,
        dumps,
        make_site_table,
        score_sites,
        summarize,
    )

    examples = read_examples(args, with_text=True)
    folder = make_results_folder(args.output)
    results = SiteResults()
    sites = len({(example.set, example.site) for example in examples})
    with Progress(sites, bar=wants_bar(sites, to_stdout=False), unit="sites") as progress:
        try:
            for _ in score_sites(examples, args.site, _get_peer(), results):
                progress.advance()
        except KeyboardInterrupt:
            results.partial = True
    if not results.runs:
        raise UsageError(f"no site has more than {min(args.site)} pages with a reference text")
    rows = summarize(results)
    table = make_site_table(rows, timed=not args.no_time)
    print(table)
    write_file(folder / "sites.json", dumps(results))
    write_file(folder / "sites.md", table + "\n")
    if not args.no_picture:
        try:
            draw_site_chart(rows, folder / "sites.svg")
        except MissingExtraError as error:
            say(f"no picture: {error}")
    say(f"written: {folder / 'sites'}.json and .md")
    say_first([f"not scored: {reason}" for reason in results.unreadable], _MAX_PRINTED_PROBLEMS, " such problems")
    if args.write_scores is not None and not results.partial:
        write_file(Path(args.write_scores), make_site_table(rows, timed=False) + "\n")
    return EXIT_INTERRUPTED if results.partial else 1 if results.unreadable else 0


def _get_peer() -> PeerRun | None:
    from duramen.evaluation import get_extractor, peers
    from duramen.evaluation.site_scores import PEER

    if PEER in peers.missing():
        say(f"without {PEER}: {MissingExtraError(PEER, peers.EXTRA)}")
        return None
    return get_extractor(PEER).run
