"""`duramen evaluate`: score methods and other extractors on pages whose content is known."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.options import (
    AddBoxes,
    add_imports,
    add_rendering,
    add_verb,
    import_modules,
    integer_from,
    open_boxes,
    parse_names,
    wants_boxes,
)
from duramen.cli.progress import Progress, count_pages, say, say_first, wants_bar
from duramen.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from duramen.evaluation import Example, Extractor, PageRun, Results

EXIT_INTERRUPTED = 130

_MAX_PRINTED_PROBLEMS = 10
_TABLE_MARGINS = 2  # columns that rich adds beside a table

_EXAMPLES = """\
examples:
  duramen evaluate sets/news sets/forums               score every method on two sets
  duramen evaluate sets/news --method econ,mss-simple --peers  two methods and all installed peers
  duramen evaluate news --limit 20 --metric bigrams    the first 20 sites of $DURAMEN_DATA/news
  duramen evaluate sets/news --method forest,econ --learn 5    score each page after learning from 5 others of its site
  duramen evaluate sets/news --site 1,2,5              what 1, 2 and 5 other pages of the site add to auto
  duramen evaluate sets/news --write-scores scores.md  write a table without times
  duramen evaluate sets/results sets/forums --records  score regions, records, and lists on articles
  duramen evaluate sets/markdown --structure --method auto --peers --worst 5   score Markdown, list the worst pages
  duramen evaluate sets/results --render --boxes kept/ render the pages once and keep the positions

A set is a folder with manifest.jsonl, one JSON object per page (id, site, type, lang, text, title, must, must_not,
markdown), and the pages as html/<id>.html.gz. A bare name is also searched in the folder that DURAMEN_DATA names. Peers
are other extractors, such as trafilatura. A file of marks, or a fixture, that duramen inspect saves is a set of one
page.

exit status: 0 all pages were scored; 1 a page of a set could not be read; 2 wrong usage; 130 stopped by Ctrl-C, with
the pages scored so far.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "evaluate",
        help="score methods on pages with known content",
        description="Score methods and other extractors on sets of pages whose content is known.",
        epilog=_EXAMPLES,
        run=run,
    )
    option = parser.add_argument
    option("sets", nargs="+", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA")
    option(
        "--method",
        type=parse_names,
        metavar="NAMES",
        help="methods or peers, with commas between (default: all methods)",
    )
    add_imports(option)
    option(
        "--learn",
        type=_parse_learn_count,
        metavar="N",
        help="score methods that learn from a site after learning from N other pages of the site; all: from all pages",
    )
    option(
        "--site",
        type=_parse_page_counts,
        metavar="N",
        help="score what N other pages of the site add to auto, such as 1,2,3,5,9: auto, site, wrapper, trafilatura",
    )
    option("--metadata", action="store_true", help="score titles, authors and dates, also those of trafilatura")
    option("--peers", action="store_true", help="also score every installed peer, such as trafilatura")
    option("--comments", action="store_true", help="score comments, on sets whose pages have the field comments")
    option("--sites", type=parse_names, default=[], metavar="NAMES", help="only pages of these sites")
    option("--type", type=parse_names, default=[], metavar="NAMES", help="only these page types, such as article,forum")
    option("--lang", type=parse_names, default=[], metavar="CODES", help="only pages in these languages; ? is unknown")
    option("--limit", type=integer_from(1), metavar="N", help="only the first N sites of each set")
    option(
        "--metric", default="f1", metavar="NAME", help="sort by this, such as f1, bigrams, correct, ms (default: f1)"
    )
    option(
        "-o",
        "--output",
        default="evaluation-results",
        metavar="DIR",
        help="folder for the result files (default: %(default)s)",
    )
    option(
        "--picture",
        default="f1.png",
        metavar="FILE",
        help="file name of the box chart in that folder, .png or .svg (default: f1.png)",
    )
    option("--no-picture", action="store_true", help="draw no chart")
    option("--no-time", action="store_true", help="leave the times out")
    option("--jobs", type=integer_from(1), default=1, metavar="N", help="processes; with more than one, no times")
    option("--write-scores", metavar="FILE", help="also write the Markdown table without times to this file")
    option(
        "--records",
        action="store_true",
        help="score regions and records, by elements or texts (default for sets that mark records)",
    )
    option(
        "--structure",
        action="store_true",
        help="score Markdown: text, code, formulas, tables, headings, links and so on",
    )
    option(
        "--worst",
        type=integer_from(1),
        metavar="N",
        help="with --structure, list the N lowest pages of each kind of part",
    )
    add_rendering(option)


def run(args: argparse.Namespace) -> int:
    from duramen.cli import evaluate_extras as extras

    if args.jobs > 1 and wants_boxes(args):
        raise UsageError("--render and --boxes work only in one process: leave --jobs out")
    if args.worst and not args.structure:
        raise UsageError("--worst lists pages by the scores of --structure: give both, or leave it out")
    import_modules(args)
    with open_boxes(args, several=True) as add_boxes:
        if args.site is not None:
            from duramen.cli.evaluate_sites import evaluate_sites

            return evaluate_sites(args)
        if args.structure:
            from duramen.cli.evaluate_structure import evaluate_structure

            return evaluate_structure(args, add_boxes)
        if args.records or extras.marks_records(args.sets):
            return extras.evaluate_records(args, add_boxes)
        if args.comments:
            return extras.evaluate_comments(args)
        if args.metadata:
            return extras.evaluate_metadata(args)
        return _evaluate_texts(args, add_boxes)


def _evaluate_texts(args: argparse.Namespace, add_boxes: AddBoxes) -> int:
    from duramen.evaluation import Results
    from duramen.evaluation.leaderboard import get_metric

    metric = get_metric(args.metric)
    timed = not args.no_time and args.jobs == 1 and not wants_boxes(args)
    if metric.is_time and not timed:
        raise UsageError(
            f"--metric {metric.name} is a time, but --no-time, --jobs, --render and --boxes leave the times out"
        )
    extractors = _get_extractors(args, add_boxes)
    examples = read_examples(args, with_text=True)
    if args.learn is not None:
        extractors = _learn_from_sites(extractors, examples, args.learn)
    chart = _check_chart(args)
    folder = make_results_folder(args.output)
    results = Results(extractors)
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        try:
            for page_run in _score(examples, extractors, args, timed=timed):
                results.runs.append(page_run)
                progress.advance()
        except KeyboardInterrupt:
            results.partial = True
    if results.pages:
        _print_table(results, metric.name, timed=timed)
        _write_files(results, metric.name, folder, chart, timed=timed)
        say(f"written: {folder}")
    else:
        say("stopped before a page was scored" if results.partial else "no page could be read")
    say_first(_describe_problems(results), _MAX_PRINTED_PROBLEMS, " such problems; all are in results.json")
    if args.write_scores is not None and results.pages:
        _write_scores(results, metric.name, Path(args.write_scores))
    if results.partial:
        return EXIT_INTERRUPTED
    return 1 if results.unreadable else 0


def read_examples(args: argparse.Namespace, *, with_text: bool) -> list[Example]:
    """Read the pages of the sets that the options choose; `with_text` leaves out pages without a reference text."""
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.sets)
    examples = [example for folder in folders for example in read_set(folder)]
    chosen = choose(examples, sites=args.sites, types=args.type, langs=args.lang, limit=args.limit)
    if not chosen:
        raise UsageError("no page is of these sites, types and languages")
    if not with_text:
        return chosen
    with_reference = [example for example in chosen if example.text or example.is_partial]
    if not with_reference:
        raise UsageError("none of the pages has a reference text to score against")
    if len(with_reference) < len(chosen):
        say(f"left out, because they have no reference text: {count_pages(len(chosen) - len(with_reference))}")
    return with_reference


def make_results_folder(name: str) -> Path:
    """Return the folder for the result files; make it if it is missing."""
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, but the results need a folder: give -o another name")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _score(
    examples: list[Example], extractors: list[Extractor], args: argparse.Namespace, *, timed: bool
) -> Iterator[PageRun]:
    from duramen.evaluation import score_pages
    from duramen.evaluation.learned_wrappers import LearnedExtractor
    from duramen.evaluation.run import score_pages_in_processes

    if args.jobs == 1:
        return score_pages(examples, extractors, timed=timed)
    # Extractors hold functions, which cannot be sent to other processes: their names are sent instead.
    sent = [one if isinstance(one.run, LearnedExtractor) else one.name for one in extractors]
    return score_pages_in_processes(examples, sent, args.jobs, args.modules)


def _get_extractors(args: argparse.Namespace, add_boxes: AddBoxes) -> list[Extractor]:
    from duramen import evaluation, methods
    from duramen.evaluation import peers

    names = list(methods.names()) if args.method is None else list(args.method)
    if args.peers:
        missing = peers.missing()
        if missing == peers.names():
            raise MissingExtraError(f"at least one of {', '.join(missing)}", peers.EXTRA)
        for name in missing:
            say(f"without {name}: {MissingExtraError(name, peers.EXTRA)}")
        names += [name for name in peers.names() if name not in missing]
    return [evaluation.get_extractor(name, add_boxes) for name in dict.fromkeys(names)]


def _learn_from_sites(extractors: list[Extractor], examples: list[Example], count: int | str) -> list[Extractor]:
    """Replace each extractor that can learn from a site by one that has learned."""
    from duramen.evaluation import learned_wrappers

    page_count = count if isinstance(count, int) else None
    learners = learned_wrappers.find_learners(extractor.name for extractor in extractors)
    if not learners:
        raise UsageError("--learn is for methods that learn from a site, such as forest, but none was named")
    plan = learned_wrappers.make_plan(examples, page_count)
    for line in learned_wrappers.describe_plan(plan, page_count):
        say(line)
    steps = len(plan.splits) * len(learners)
    with Progress(steps, bar=wants_bar(steps, to_stdout=False), unit="sites") as progress:
        return [
            learned_wrappers.learn_extractor(
                learners[one.name], f"{one.name} (after {count})", examples, page_count, progress.advance
            )
            if one.name in learners
            else one
            for one in extractors
        ]


def _check_chart(args: argparse.Namespace) -> Path | None:
    """Return the path of the chart, or None if there is to be none or it cannot be drawn."""
    from duramen.evaluation.chart import check_chart

    if args.no_picture:
        return None
    path = Path(args.output, args.picture)
    try:
        check_chart(path)
    except MissingExtraError as error:
        say(f"no picture: {error}")
        return None
    return path


def _print_table(results: Results, metric: str, *, timed: bool) -> None:
    from duramen.evaluation.leaderboard import make_plain_table, make_terminal_table

    plain = make_plain_table(results, metric, timed=timed)
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        if plain.index("\n") + _TABLE_MARGINS <= console.width:  # a narrower terminal would cut the numbers
            console.print(make_terminal_table(results, metric, timed=timed))
            return
    print(plain)


def _write_files(results: Results, metric: str, folder: Path, chart: Path | None, *, timed: bool) -> None:
    from duramen.cli.outputs import write_file
    from duramen.evaluation.chart import draw_chart
    from duramen.evaluation.leaderboard import get_metric, make_caption, make_markdown, sort_rows
    from duramen.evaluation.report_json import dumps

    write_file(folder / "results.json", dumps(results))
    write_file(folder / "leaderboard.md", make_markdown(results, metric, timed=timed))
    if chart is not None:
        draw_chart(sort_rows(results.leaderboard(), get_metric(metric)), make_caption(results, metric), chart)


def _write_scores(results: Results, metric: str, path: Path) -> None:
    from duramen.cli.outputs import write_file
    from duramen.evaluation.leaderboard import make_markdown

    if results.partial or results.unreadable:
        say(f"not written: {path}, because not all pages were scored")
        return
    write_file(path, make_markdown(results, metric, timed=False))


def _describe_problems(results: Results) -> list[str]:
    """Return one line for each unreadable page and each kind of failure, with the first page that had it."""
    problems = [f"not scored: {run.unreadable}" for run in results.unreadable]
    counts = Counter((page.extractor, page.error) for page in results.failures)
    first = {(page.extractor, page.error): page.example for page in reversed(results.failures)}
    for (name, error), count in counts.most_common():
        example = first[name, error]
        problems.append(f"{name} failed on {count_pages(count)}, {example.set}/{example.id} the first: {error}")
    return problems


def _parse_page_counts(text: str) -> list[int]:
    """Parse the value of --site: numbers from 1 up, with commas between."""
    counts = text.split(",")
    if not all(count.isdecimal() and int(count) > 0 for count in counts):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of numbers from 1 up, such as 1,2,5")
    return sorted({int(count) for count in counts})


def _parse_learn_count(text: str) -> int | str:
    if text == "all":
        return text
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number from 1 up nor all")
    return int(text)
