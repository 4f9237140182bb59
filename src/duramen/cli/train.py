"""`duramen train`: models from pages, labelled or not."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen.cli import train_auto
from duramen.cli.train_options import add_options, whole, writable
from duramen.errors import DuramenError, InputError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input
    from duramen.cli.progress import Progress
    from duramen.dom.page import Page
    from duramen.evaluation import Example
    from duramen.methods.mss.model import MssModel

_TROUBLES_SHOWN = 10
_MAX_BYTES = 50_000_000
_TIMEOUT = 20.0
_ALL = "all"
_SEMI = ("kept", "iterations", "window", "distance", "factor")

_DESCRIPTION = "Make a model from pages whose content is known, or from pages alone."

_EXAMPLES = """\
examples:
  duramen train mss sets/news -o model.npz             from pages with their gold text
  duramen train mss sets/news sets/blogs --at-least 2 -o model.npz
  duramen train mss --semi pages/ -o model.npz         from pages without it, for --method mss-semi
  duramen train mss --show model.npz                   what a model was trained on, and how it scored
  duramen extract page.html --method mss-supervised:model=model.npz

A set is a folder with manifest.jsonl, one object a page (id, site, type, text), and the pages as html/<id>.html.gz. A
bare name is looked for in the folder that DURAMEN_DATA names, too. With --semi it may be any pages; in a set each site
is a source.

exit status: 0 the model was written; 1 it was not, or without a page that could not be read; 2 wrong usage; 130 stopped
by Ctrl-C, with nothing written.
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = subparsers.add_parser("train", help="make a model from pages", description=_DESCRIPTION, allow_abbrev=False)
    families = verb.add_subparsers(title="families of methods", dest="family", metavar="FAMILY", required=True)
    parser = families.add_parser(
        "mss",
        help="maximum subsequence segmentation",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="*", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA; with --semi, pages")
    add_options(parser)
    labelled = parser.add_argument_group("from labelled pages").add_argument
    labelled("--type", type=_names, metavar="NAMES", help="pages of these types, or all (default: article)")
    labelled("--limit", type=whole(1), metavar="N", help="the first N sites of each set only")
    labelled("--fewest", type=whole(1), metavar="N", help="words and symbols that an article must have (default: 50)")
    labelled("--most-tags", type=_number(0, 1), metavar="SHARE", help="of tags that it may have (default: 0.2)")
    labelled("--smoothing", type=_number(1e-6, 1e6), metavar="X", help="added to each count (default: 0.1)")
    labelled("--at-least", type=whole(1), metavar="N", help="leave out n-grams seen less often (default: 1)")
    labelled("--faintest", type=_number(0, 10), metavar="X", help="leave out log odds nearer to 0 (default: 0)")
    labelled("--folds", type=_folds, metavar="N", help="parts of the sites, to score the model; 0: none (default: 5)")
    semi = parser.add_argument_group("from pages alone").add_argument
    semi("--semi", action="store_true", help="the pages have no gold text: start from a model that had")
    semi("--start", metavar="FILE", help="that model (default: the one that comes with duramen)")
    semi("--kept", type=float, metavar="SHARE", help="of the pages of each source to learn from (default: 0.6)")
    semi("--iterations", type=int, metavar="N", help="how often at most (default: 10)")
    semi("--window", type=int, metavar="N", help="tokens beside a border that say how sure it is (default: 10)")
    semi("--distance", type=int, metavar="N", help="tokens from a border that importance reaches (default: 64)")
    semi("--factor", type=float, metavar="X", help="how much importance counts (default: 24)")
    parser.set_defaults(run=run)
    train_auto.add(families)


def run(args: argparse.Namespace) -> int:
    if args.show is not None:
        return _show(args)
    if not args.inputs:
        raise UsageError("there is nothing to learn from: name a set of pages")
    if args.output is None:
        raise UsageError("say where the model goes: -o model.npz")
    output = writable(args.output)
    return _train_semi(args, output) if args.semi else _train(args, output)


def _show(args: argparse.Namespace) -> int:
    from duramen.methods.mss.model import MssModel

    if args.inputs or args.output is not None:
        raise UsageError("--show prints the card of a model and trains none: leave out the sets and -o")
    print(json.dumps(MssModel.load(Path(args.show)).card, ensure_ascii=False, indent=2))
    return 0


def _train(args: argparse.Namespace, output: Path) -> int:
    from duramen.cli.progress import Progress, say, wants_bar
    from duramen.training.card import card, numbered
    from duramen.training.held_out import held_out
    from duramen.training.mss import Settings, learn

    if args.start is not None:
        raise UsageError("--start is for --semi: labelled pages need no model to start from")
    given = {field.name: getattr(args, field.name) for field in dataclasses.fields(Settings)}
    settings = Settings(**{name: value for name, value in given.items() if value is not None})
    types = _types(args.type)
    examples = _examples(args, types)
    steps = len(examples) * (2 if settings.folds else 1)
    with Progress(steps, bar=not args.quiet and wants_bar(steps, to_stdout=False)) as progress:
        try:
            learnt = learn(examples, settings, progress.advance)
            for trouble in learnt.unreadable[:_TROUBLES_SHOWN]:
                progress.say(f"not used: {trouble}")
            if not learnt.pages:
                raise InputError(f"no page is fit to learn from: {numbered(learnt.discarded)}")
            scores = held_out(examples, learnt, settings, progress.advance)
        except KeyboardInterrupt:
            done = min(progress.done, len(examples))
            raise KeyboardInterrupt(f"after {done} of {len(examples)} pages; no model was written") from None
    model = learnt.model(settings)
    _save(dataclasses.replace(model, card=card(model, learnt, settings, types, scores)), output, quiet=args.quiet)
    if settings.folds and not scores:
        say("no scores: all pages that were used are of one part of the sites, so that no model can do without it")
    return 1 if learnt.unreadable else 0


def _train_semi(args: argparse.Namespace, output: Path) -> int:
    from duramen.cli.progress import Progress, wants_bar
    from duramen.training.semi import train_semi

    for name in ("type", "limit", "fewest", "most_tags", "smoothing", "at_least", "faintest", "folds"):
        if getattr(args, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for labelled pages, and --semi learns from pages alone")
    sources = list(_sources(args.inputs))
    with Progress(len(sources), bar=not args.quiet and wants_bar(len(sources), to_stdout=False)) as progress:
        pages = _Pages(sources, progress)
        of_pages, of_groups = itertools.tee(pages)
        try:
            model = train_semi(
                (page for page, _ in of_pages),
                groups=(group for _, group in of_groups),
                model=args.start or "",
                **{name: value for name in _SEMI if (value := getattr(args, name)) is not None},
            )
        except KeyboardInterrupt:
            done = f"after {progress.done} of {len(sources)} pages; no model was written"
            raise KeyboardInterrupt(done) from None
    _save(model, output, quiet=args.quiet)
    return 1 if pages.failed else 0


class _Pages:
    """The pages that can be read, each with its source; what is wrong with the others is said."""

    def __init__(self, sources: list[tuple[Input | Example, str]], progress: Progress) -> None:
        self._sources = sources
        self._progress = progress
        self.failed = 0

    def __iter__(self) -> Iterator[tuple[Page, str]]:
        from duramen.cli.inputs import Limits
        from duramen.dom.page import Page
        from duramen.evaluation import Example

        limits = Limits(_TIMEOUT, _MAX_BYTES)
        for source, group in self._sources:
            try:
                if isinstance(source, Example):
                    name = f"{source.set}/{source.id}"
                    page = Page.parse(source.read(), url=source.url)
                else:
                    name = source.name
                    page = source.read(limits, None)
            except DuramenError as error:
                self.failed += 1
                self._progress.say(f"{name}: {error}")
            else:
                yield page, group
            self._progress.advance()


def _sources(arguments: list[str]) -> Iterator[tuple[Input | Example, str]]:
    """The pages of sets, each with its site; those of a folder, which is a source; and single ones, which are one."""
    from duramen.cli.inputs import find
    from duramen.evaluation import find_set, read_set

    files = []
    for argument in arguments:
        try:
            folder = find_set(argument)
        except UsageError:
            if Path(argument).is_dir():
                yield from ((page, argument) for page in find([argument]))
            else:
                files.append(argument)
        else:
            yield from ((example, f"{example.set}/{example.site}") for example in read_set(folder))
    if files:
        yield from ((page, "") for page in find(files))


def _examples(args: argparse.Namespace, types: list[str]) -> list[Example]:
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.inputs)
    examples = [example for folder in folders for example in read_set(folder)]
    if not examples:
        raise UsageError("there is nothing to learn from: the set has no pages")
    chosen = choose(examples, types=types, limit=args.limit)
    if not chosen:
        there = ", ".join(sorted({example.type for example in examples}))
        raise UsageError(f"no page is of the type {' or '.join(types)}: choose with --type of {there}, or all")
    if not any(example.text for example in chosen):
        raise UsageError("none of the pages has a gold text to learn from; --semi learns from pages alone")
    return chosen


def _save(model: MssModel, output: Path, *, quiet: bool) -> None:
    from duramen.training.card import describe

    model.save(output)
    if not quiet:
        print(describe(model.card))
        print(f"written      {output}, {output.stat().st_size:,} bytes")


def _types(given: list[str] | None) -> list[str]:
    types = given or ["article"]
    return [] if _ALL in types else types


def _names(value: str) -> list[str]:
    names = [name.strip() for name in value.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("no name was given")
    return names


def _folds(value: str) -> int:
    number: int = whole(0)(value)
    if number == 1:
        raise argparse.ArgumentTypeError("a single part leaves nothing to learn from: 0 for no scores, or 2 and more")
    return number


def _number(least: float, most: float) -> Any:
    def read(value: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not least <= number <= most:
            raise argparse.ArgumentTypeError(f"{value!r} is not a number from {least:g} to {most:g}")
        return number

    return read
