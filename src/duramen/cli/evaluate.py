"""`duramen evaluate`: methods and peers on sets of pages with their gold."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.limits import positive
from duramen.cli.rendered import Lay, add_rendering, is_wanted, rendering
from duramen.errors import MissingExtraError, UsageError

if TYPE_CHECKING:
    from duramen.evaluation import Example, Extractor, PageRun, Results

_STOPPED = 130
_TROUBLES_SHOWN = 10
_MARGINS = 2  # of a table on a terminal

_EXAMPLES = """\
examples:
  duramen evaluate sets/news sets/forums               every method on two sets
  duramen evaluate sets/news --method econ,mss-simple --peers  two methods and all installed peers
  duramen evaluate news --limit 20 --metric bigrams    the first 20 sites of $DURAMEN_DATA/news
  duramen evaluate sets/news --method forest,econ --learn 5    each page after 5 others of its site
  duramen evaluate sets/news --write-scores scores.md  the table to check in, without times
  duramen evaluate sets/results sets/forums --records  regions, records, and the posts of threads
  duramen evaluate sets/results --render --boxes kept/ with Chromium's boxes, which are made once

A set is a folder with manifest.jsonl, one object a page (id, site, type, lang, text, title, must, must_not), and the
pages as html/<id>.html.gz. A bare name is looked for in the folder that DURAMEN_DATA names, too.

exit status: 0 all pages were scored; 1 a page of a set could not be read; 2 wrong usage; 130 stopped by Ctrl-C, with
what was scored so far.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "evaluate",
        help="score methods on pages with known content",
        description="Score methods, and other extractors beside them, on sets of pages whose content is known.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("sets", nargs="+", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA")
    option(
        "--method", type=_names, metavar="NAMES", help="methods or peers, with commas between (default: all methods)"
    )
    option(
        "--learn",
        type=_lessons,
        metavar="N",
        help="let methods that learn from a site do so: each page is scored after N others of its site; all: after all",
    )
    option("--metadata", action="store_true", help="score titles, authors and dates instead, trafilatura's beside ours")
    option("--peers", action="store_true", help="measure every installed peer too, such as trafilatura")
    option("--comments", action="store_true", help="score the comments that are found, against the field of that name")
    option("--sites", type=_names, default=[], metavar="NAMES", help="pages of these sites only")
    option("--type", type=_names, default=[], metavar="NAMES", help="pages of these types only, such as article,forum")
    option("--lang", type=_names, default=[], metavar="CODES", help="pages in these languages only; ? is unknown")
    option("--limit", type=positive, metavar="N", help="the first N sites of each set only")
    option(
        "--metric", default="f1", metavar="NAME", help="order by this, such as f1, bigrams, correct, ms (default: f1)"
    )
    option(
        "-o",
        "--output",
        default="evaluation-results",
        metavar="DIR",
        help="folder for the files (default: %(default)s)",
    )
    option(
        "--picture", default="f1.png", metavar="FILE", help="box chart, .png or .svg, in that folder (default: f1.png)"
    )
    option("--no-picture", action="store_true", help="draw none")
    option("--no-time", action="store_true", help="leave the times out")
    option("--jobs", type=positive, default=1, metavar="N", help="processes; more than one leave the times out")
    option("--write-scores", metavar="FILE", help="write the Markdown without times here, too")
    option(
        "--records",
        action="store_true",
        help="score regions and records: the posts of threads, too; sets that mark records are always scored so",
    )
    add_rendering(option)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen.cli import evaluate_records

    if args.jobs > 1 and is_wanted(args):
        raise UsageError("--render and --boxes work in one process: leave --jobs out")
    run = evaluate_records.run if args.records or evaluate_records.wanted(args.sets) else _run
    with rendering(args, several=True) as lay:
        return run(args, lay)


def _run(args: argparse.Namespace, lay: Lay) -> int:
    from duramen.cli.progress import Progress, say, wants_bar
    from duramen.evaluation import Results
    from duramen.evaluation.columns import metric

    if args.comments:
        from duramen.cli.evaluate_comments import run_comments

        return run_comments(_examples(args, say), with_peers=args.peers, scores=args.write_scores)
    if args.metadata:
        from duramen.cli import evaluate_metadata

        return evaluate_metadata.run(args)
    by = metric(args.metric).name
    timed = not args.no_time and args.jobs == 1 and not is_wanted(args)
    if metric(by).timing and not timed:
        raise UsageError(f"--metric {by} is a time, and --no-time, --jobs, --render and --boxes leave the times out")
    extractors = _extractors(args.method, args.peers, say, lay)
    examples = _examples(args, say)
    if args.learn is not None:
        extractors = _taught(extractors, examples, args.learn, say)
    picture = _picture(args, say)
    folder = _folder(args.output)
    results = Results(extractors)
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        try:
            for done in _score(examples, extractors, args.jobs, timed=timed):
                results.runs.append(done)
                progress.advance()
        except KeyboardInterrupt:
            results.partial = True
    if not results.pages:
        say("stopped before a page was scored" if results.partial else "no page could be read")
    else:
        _print(results, by, timed=timed)
        _write(results, by, folder, picture, timed=timed)
        say(f"written: {folder}")
    _tell_troubles(results, say)
    if args.write_scores is not None and results.pages:
        _write_scores(results, by, Path(args.write_scores), say)
    if results.partial:
        return _STOPPED
    return 1 if results.unreadable else 0


def _score(examples: list[Example], extractors: list[Extractor], jobs: int, *, timed: bool) -> Iterator[PageRun]:
    from duramen.evaluation import score_pages
    from duramen.evaluation.learning import Learnt
    from duramen.evaluation.processes import score_pages_in_processes

    if jobs == 1:
        return score_pages(examples, extractors, timed=timed)
    sent = [one if isinstance(one.run, Learnt) else one.name for one in extractors]
    return score_pages_in_processes(examples, sent, jobs)


def _extractors(wanted: list[str] | None, with_peers: bool, say: Callable[[str], None], lay: Lay) -> list[Extractor]:
    from duramen import methods
    from duramen.evaluation import extractor, peers

    names = list(methods.names()) if wanted is None else list(wanted)
    if with_peers:
        missing = peers.missing()
        if missing == peers.names():
            raise MissingExtraError(f"at least one of {', '.join(missing)}", peers.EXTRA)
        for name in missing:
            say(f"without {name}: {MissingExtraError(name, peers.EXTRA)}")
        names += [name for name in peers.names() if name not in missing]
    return [extractor(name, lay) for name in dict.fromkeys(names)]


def _taught(
    extractors: list[Extractor], examples: list[Example], count: int | str, say: Callable[[str], None]
) -> list[Extractor]:
    """The extractors, of which those that can have learnt from the sites."""
    from duramen import methods
    from duramen.cli.progress import Progress, wants_bar
    from duramen.evaluation import learning

    number = count if isinstance(count, int) else None
    learners: dict[str, learning.Learner] = {}
    for one in extractors:
        if one.name.partition(":")[0] in methods.names():
            method = methods.get(one.name)
            if isinstance(method, learning.Learner):
                learners[one.name] = method
    if not learners:
        raise UsageError("--learn is for methods that learn from a site, such as forest, and none was named")
    made = learning.plan(examples, number)
    for line in learning.told(made, number):
        say(line)
    steps = len(made.lessons) * len(learners)
    with Progress(steps, bar=wants_bar(steps, to_stdout=False), what="sites") as progress:
        return [
            learning.learn(learners[one.name], f"{one.name} (after {count})", examples, number, progress.advance)
            if one.name in learners
            else one
            for one in extractors
        ]


def _examples(args: argparse.Namespace, say: Callable[[str], None]) -> list[Example]:
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.sets)
    examples = [example for folder in folders for example in read_set(folder)]
    chosen = choose(examples, sites=args.sites, types=args.type, langs=args.lang, limit=args.limit)
    if not chosen:
        raise UsageError("no page is of these sites, types and languages")
    scored = [example for example in chosen if example.text]
    if not scored:
        raise UsageError("none of the pages has a gold text to score against")
    if len(scored) < len(chosen):
        say(f"left out for want of a gold text: {_pages(len(chosen) - len(scored))}")
    return scored


def _picture(args: argparse.Namespace, say: Callable[[str], None]) -> Path | None:
    from duramen.evaluation import picture

    if args.no_picture:
        return None
    path = Path(args.output, args.picture)
    try:
        picture.check(path)
    except MissingExtraError as error:
        say(f"no picture: {error}")
        return None
    return path


def _folder(name: str) -> Path:
    folder = Path(name)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, and the results need a folder: give -o another name")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _print(results: Results, by: str, *, timed: bool) -> None:
    from duramen.evaluation.leaderboard import plain_table, terminal_table

    plain = plain_table(results, by, timed=timed)
    if sys.stdout.isatty():
        from rich.console import Console

        console = Console()
        if plain.index("\n") + _MARGINS <= console.width:  # a narrower one would cut the numbers
            console.print(terminal_table(results, by, timed=timed))
            return
    print(plain)


def _write(results: Results, by: str, folder: Path, picture: Path | None, *, timed: bool) -> None:
    from duramen.cli.outputs import write_whole
    from duramen.evaluation.as_json import dumps
    from duramen.evaluation.columns import metric, ordered
    from duramen.evaluation.leaderboard import caption, markdown
    from duramen.evaluation.picture import draw

    write_whole(folder / "results.json", dumps(results))
    write_whole(folder / "leaderboard.md", markdown(results, by, timed=timed))
    if picture is not None:
        draw(ordered(results.leaderboard(), metric(by)), caption(results, by), picture)


def _write_scores(results: Results, by: str, path: Path, say: Callable[[str], None]) -> None:
    from duramen.cli.outputs import write_whole
    from duramen.evaluation.leaderboard import markdown

    if results.partial or results.unreadable:
        say(f"not written: {path}, because not all pages were scored")
        return
    write_whole(path, markdown(results, by, timed=False))


def _tell_troubles(results: Results, say: Callable[[str], None]) -> None:
    """One line for each kind of failure, with the first page that had it."""
    troubles = [f"not scored: {run.unreadable}" for run in results.unreadable]
    pages = Counter((page.extractor, page.error) for page in results.failures)
    first = {(page.extractor, page.error): page.example for page in reversed(results.failures)}
    for (name, error), count in pages.most_common():
        example = first[name, error]
        troubles.append(f"{name} failed on {_pages(count)}, {example.set}/{example.id} the first: {error}")
    for trouble in troubles[:_TROUBLES_SHOWN]:
        say(trouble)
    if len(troubles) > _TROUBLES_SHOWN:
        say(f"and {len(troubles) - _TROUBLES_SHOWN} more like these; all are in results.json")


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count} pages"


def _names(value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("no name was given")
    return names


def _lessons(value: str) -> int | str:
    if value == "all":
        return value
    if not value.isdecimal() or int(value) < 1:
        raise argparse.ArgumentTypeError(f"{value!r} is neither a number from 1 up nor all")
    return int(value)
