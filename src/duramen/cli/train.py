"""`duramen train`: make the models of the methods mss and auto from pages."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen.cli.options import (
    FETCH_TIMEOUT_SECONDS,
    MAX_PAGE_SIZE,
    add_verb,
    integer_from,
    number_between,
    parse_names,
    parse_size,
)
from duramen.errors import DuramenError, InputError, UsageError

if TYPE_CHECKING:
    from duramen.cli.inputs import Input
    from duramen.cli.progress import Progress
    from duramen.dom.page import Page
    from duramen.evaluation import Example
    from duramen.methods.mss.model import MssModel

_MAX_PRINTED_PROBLEMS = 10
_ALL_TYPES = "all"
_LABELED_OPTIONS = ("type", "limit", "fewest", "most_tags", "perceptron", "epochs")
_COUNT_OPTIONS = ("smoothing", "at_least", "faintest", "tag_pairs", "folds")
"""Options of naive Bayes, which counts; a perceptron does not."""
_SEMI_OPTIONS = ("kept", "iterations", "window", "confidence", "distance", "factor")

_DESCRIPTION = "Make a model from pages with known content, or from pages without it."
_AUTO_DESCRIPTION = "Make a model for the default method from pages with known content."

_SETS = """\
A set is a folder with manifest.jsonl, one JSON object per page (id, site, type, text), and the pages as
html/<id>.html.gz. A bare name is also searched in the folder that DURAMEN_DATA names."""

_EXIT_STATUS = """\
exit status: 0 the model was written; 1 no model was written, or a page could not be read; 2 wrong usage; 130 stopped by
Ctrl-C, with nothing written.
"""

_MSS_EXAMPLES = f"""\
examples:
  duramen train mss sets/news -o model.npz             from pages with their reference text
  duramen train mss sets/news sets/blogs --at-least 2 -o model.npz
  duramen train mss --semi pages/ -o model.npz         from pages without reference text, for --method mss-semi
  duramen train mss --show model.npz                   print what a model was trained on, and its scores
  duramen extract page.html --method mss-supervised:model=model.npz

{_SETS} With --semi any pages
can be named; each site of a set is a source, and so is each folder.

{_EXIT_STATUS}"""

_AUTO_EXAMPLES = f"""\
examples:
  duramen train auto sets/news sets/shops -o model.npz
  duramen train auto --show model.npz                  print what a model was trained on, and its scores
  duramen extract page.html --method auto:model=model.npz

{_SETS} Training needs
LightGBM (the extra `training`); extracting with the model does not.

{_EXIT_STATUS}"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    verb = subparsers.add_parser("train", help="make a model from pages", description=_DESCRIPTION, allow_abbrev=False)
    families = verb.add_subparsers(title="families of methods", dest="family", metavar="FAMILY", required=True)
    _add_mss(families)
    _add_auto(families)


def _add_mss(families: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        families,
        "mss",
        help="maximum subsequence segmentation",
        description=_DESCRIPTION,
        epilog=_MSS_EXAMPLES,
        run=run_mss,
    )
    option = parser.add_argument
    option("inputs", nargs="*", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA; with --semi, pages")
    _add_model_options(parser)
    labeled = parser.add_argument_group("from labeled pages").add_argument
    labeled("--type", type=parse_names, metavar="NAMES", help="page types to learn from, or all (default: article)")
    labeled("--limit", type=integer_from(1), metavar="N", help="only the first N sites of each set")
    labeled(
        "--fewest", type=integer_from(1), metavar="N", help="least number of words and symbols of a text (default: 50)"
    )
    labeled(
        "--most-tags", type=number_between(0, 1), metavar="SHARE", help="largest share of tags in a text (default: 0.2)"
    )
    labeled("--smoothing", type=number_between(1e-6, 1e6), metavar="X", help="added to each count (default: 0.1)")
    labeled("--at-least", type=integer_from(1), metavar="N", help="leave out n-grams seen less often (default: 1)")
    labeled("--faintest", type=number_between(0, 10), metavar="X", help="leave out log odds closer to 0 (default: 0)")
    labeled(
        "--folds",
        type=_parse_folds,
        metavar="N",
        help="parts of the sites for cross-validation; 0: no scores (default: 5)",
    )
    labeled(
        "--tag-pairs",
        action="store_true",
        default=None,
        help="count pairs of open tags, for the parameter tag_pair",
    )
    labeled(
        "--perceptron",
        action="store_true",
        default=None,
        help="train a perceptron through the best run of tokens, in place of naive Bayes",
    )
    labeled("--epochs", type=integer_from(1), metavar="N", help="passes of the perceptron (default: 5)")
    semi = parser.add_argument_group("from pages without reference text").add_argument
    semi("--semi", action="store_true", help="the pages have no reference text: start from an existing model")
    semi("--start", metavar="FILE", help="that model (default: the one that comes with duramen)")
    semi("--kept", type=float, metavar="SHARE", help="share of each source's pages to learn from (default: 0.6)")
    semi("--iterations", type=int, metavar="N", help="largest number of iterations (default: 10)")
    semi("--window", type=int, metavar="N", help="tokens beside a border that give its confidence (default: 10)")
    semi("--confidence", metavar="FORMULA", help="the formula: window, all or inside (default: window)")
    semi("--distance", type=int, metavar="N", help="tokens from a border that importance reaches (default: 64)")
    semi("--factor", type=float, metavar="X", help="weight of importance (default: 24)")


def _add_auto(families: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        families,
        "auto",
        help="the default method",
        description=_AUTO_DESCRIPTION,
        epilog=_AUTO_EXAMPLES,
        run=run_auto,
    )
    option = parser.add_argument
    option("inputs", nargs="*", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA")
    _add_model_options(parser)
    option("--limit", type=integer_from(1), metavar="N", help="only the first N sites of each set")
    option(
        "--seeds",
        type=integer_from(1),
        metavar="N",
        help="seeds that each of the two forests is trained with; their mean is used (default: 2)",
    )
    option(
        "--trees",
        type=integer_from(1),
        metavar="N",
        help="trees of the second ensemble; the first has half as many (default: 60)",
    )
    option("--leaves", type=integer_from(2), metavar="N", help="largest number of leaves of a tree (default: 31)")
    option("--folds", type=integer_from(2), metavar="N", help="parts of the sites for cross-validation (default: 5)")
    option("--seed", type=integer_from(0), metavar="N", help="seed of the random numbers (default: 1)")


def _add_model_options(parser: argparse.ArgumentParser) -> None:
    option = parser.add_argument
    option("-o", "--output", metavar="FILE", help="the model's file, such as model.npz")
    option("--show", metavar="FILE", help="print the card of a model, and train none")
    option("--quiet", action="store_true", help="no progress bar and no report")
    option(  # accepted after the family as well as before it
        "--debug", action="store_true", default=argparse.SUPPRESS, help="show the traceback of an unexpected error"
    )


def run_mss(args: argparse.Namespace) -> int:
    """Run `duramen train mss`."""
    if args.show is not None:
        from duramen.methods.mss.model import MssModel

        return _print_card(args, MssModel)
    output = _check_output(args)
    if args.semi:
        return _train_semi(args, output)
    return _train_perceptron(args, output) if args.perceptron else _train_mss(args, output)


def run_auto(args: argparse.Namespace) -> int:
    """Run `duramen train auto`."""
    if args.show is not None:
        from duramen.methods.auto.model import AutoModel

        return _print_card(args, AutoModel)
    output = _check_output(args)
    return _train_auto(args, _read_examples(args), output)


def _print_card(args: argparse.Namespace, model_class: Any) -> int:
    if args.inputs or args.output is not None:
        raise UsageError("--show prints the card of a model and trains none: leave out the sets and -o")
    print(json.dumps(model_class.load(Path(args.show)).card, ensure_ascii=False, indent=2))
    return 0


def _check_output(args: argparse.Namespace) -> Path:
    """Return the path of the model, or raise an error if it cannot be written."""
    from duramen.cli.outputs import check_writable

    if not args.inputs:
        raise UsageError("there is nothing to learn from: name a set of pages")
    if args.output is None:
        raise UsageError("no output was named: add -o model.npz")
    path = Path(args.output)
    if path.is_dir() or args.output.endswith(("/", os.sep)):
        raise UsageError(f"{args.output} is a folder, but a model is a file: give -o another name")
    check_writable(args.output)
    return path


def _train_mss(args: argparse.Namespace, output: Path) -> int:
    from duramen.cli.progress import Progress, count_pages, say, wants_bar
    from duramen.training.card import format_counts, make_card
    from duramen.training.held_out import score_held_out
    from duramen.training.mss import MssTrainingSettings, learn

    _refuse_start(args)
    if args.epochs is not None:
        raise UsageError("--epochs works only with --perceptron: naive Bayes needs one pass")
    given = {field.name: getattr(args, field.name) for field in dataclasses.fields(MssTrainingSettings)}
    settings = MssTrainingSettings(**{name: value for name, value in given.items() if value is not None})
    types = _choose_types(args)
    examples = _read_examples(args, types)
    steps = len(examples) * (2 if settings.folds else 1)
    with Progress(steps, bar=not args.quiet and wants_bar(steps, to_stdout=False)) as progress:
        try:
            learned = learn(examples, settings, progress.advance)
            for problem in learned.unreadable[:_MAX_PRINTED_PROBLEMS]:
                progress.say(f"not used: {problem}")
            if not learned.pages:
                raise InputError(f"no page can be used for training: {format_counts(learned.discarded)}")
            scores = score_held_out(examples, learned, settings, progress.advance)
        except KeyboardInterrupt:
            done = min(progress.done, len(examples))
            raise KeyboardInterrupt(f"after {done} of {count_pages(len(examples))}; no model was written") from None
    model = learned.model(settings)
    _save_mss(
        dataclasses.replace(model, card=make_card(model, learned, settings, types, scores)), output, quiet=args.quiet
    )
    if settings.folds and not scores:
        say("no scores: all pages that were used are in one part of the sites, so that none is left for a test")
    return 1 if learned.unreadable else 0


def _train_perceptron(args: argparse.Namespace, output: Path) -> int:
    from duramen.cli.progress import Progress, wants_bar
    from duramen.training.card import make_perceptron_card
    from duramen.training.mss import MssTrainingSettings, read_training_pages
    from duramen.training.perceptron import Perceptron

    _refuse_start(args)
    for name in _COUNT_OPTIONS:
        if getattr(args, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for naive Bayes and does not work with --perceptron")
    given = {name: getattr(args, name) for name in ("fewest", "most_tags")}
    settings = MssTrainingSettings(folds=0, **{name: value for name, value in given.items() if value is not None})
    types = _choose_types(args)
    examples = _read_examples(args, types)
    with Progress(len(examples), bar=not args.quiet and wants_bar(len(examples), to_stdout=False)) as progress:
        learned = read_training_pages(examples, settings, progress.advance)
        model = Perceptron(**({"epochs": args.epochs} if args.epochs else {})).train(learned.pages)
    card = make_perceptron_card(model, learned.used, types)
    _save_mss(dataclasses.replace(model, card=card), output, quiet=args.quiet)
    return 0


def _refuse_start(args: argparse.Namespace) -> None:
    if args.start is not None:
        raise UsageError("--start works only with --semi: labeled pages need no model to start from")


def _choose_types(args: argparse.Namespace) -> list[str]:
    """Return the page types to learn from; none for all."""
    return [] if args.type and _ALL_TYPES in args.type else args.type or ["article"]


def _train_semi(args: argparse.Namespace, output: Path) -> int:
    from duramen.cli.progress import Progress, count_pages, wants_bar
    from duramen.training.semi import train_semi

    for name in (*_LABELED_OPTIONS, *_COUNT_OPTIONS):
        if getattr(args, name) is not None:
            raise UsageError(f"--{name.replace('_', '-')} is for labeled pages and does not work with --semi")
    sources = list(_find_semi_sources(args.inputs))
    with Progress(len(sources), bar=not args.quiet and wants_bar(len(sources), to_stdout=False)) as progress:
        pages = _SemiPages(sources, progress)
        for_pages, for_groups = itertools.tee(pages)
        try:
            model = train_semi(
                (page for page, _ in for_pages),
                groups=(group for _, group in for_groups),
                model=args.start or "",
                **{name: value for name in _SEMI_OPTIONS if (value := getattr(args, name)) is not None},
            )
        except KeyboardInterrupt:
            done = f"after {progress.done} of {count_pages(len(sources))}; no model was written"
            raise KeyboardInterrupt(done) from None
    _save_mss(model, output, quiet=args.quiet)
    return 1 if pages.failed else 0


class _SemiPages:
    """The readable pages, each with the name of its source; problems with the others are reported."""

    def __init__(self, sources: list[tuple[Input | Example, str]], progress: Progress) -> None:
        self._sources = sources
        self._progress = progress
        self.failed = 0

    def __iter__(self) -> Iterator[tuple[Page, str]]:
        from duramen.cli.inputs import ReadLimits
        from duramen.dom.page import Page
        from duramen.evaluation import Example

        limits = ReadLimits(FETCH_TIMEOUT_SECONDS, parse_size(MAX_PAGE_SIZE))
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


def _find_semi_sources(arguments: list[str]) -> Iterator[tuple[Input | Example, str]]:
    """Give pages with the name of their source: a site of a set, a folder, or "" for all single pages together."""
    from duramen.cli.inputs import find_inputs
    from duramen.evaluation import find_set, read_set

    files = []
    for argument in arguments:
        try:
            folder = find_set(argument)
        except UsageError:
            if Path(argument).is_dir():
                yield from ((page, argument) for page in find_inputs([argument]))
            else:
                files.append(argument)
        else:
            yield from ((example, f"{example.set}/{example.site}") for example in read_set(folder))
    if files:
        yield from ((page, "") for page in find_inputs(files))


def _save_mss(model: MssModel, output: Path, *, quiet: bool) -> None:
    from duramen.training.card import describe

    model.save(output)
    if not quiet:
        print(describe(model.card))
        print(f"written      {output}, {output.stat().st_size:,} bytes")


def _train_auto(args: argparse.Namespace, examples: list[Example], output: Path) -> int:
    from duramen.cli.progress import Progress, count_pages, wants_bar
    from duramen.training.auto.boosting import require_lightgbm
    from duramen.training.auto.model_scores import make_card, score_held_out
    from duramen.training.auto.train import AutoTraining, read_training_set

    require_lightgbm()
    settings = _make_auto_settings(args)
    fits = 2 * (settings.folds + 1)
    # Training one ensemble takes about as long as reading a quarter of the pages.
    steps_of_fit = max(1, len(examples) * settings.seeds // 4)
    steps = 3 * len(examples) + fits * steps_of_fit
    with Progress(steps, bar=not args.quiet and wants_bar(steps, to_stdout=False)) as progress:
        try:
            gathered = read_training_set(examples, settings, progress.advance)
            for problem in gathered.unreadable[:_MAX_PRINTED_PROBLEMS]:
                progress.say(f"not used: {problem}")
            _check_auto_pages(gathered.pages, settings.folds)
            learning = AutoTraining(gathered, settings)
            learning.run(lambda: progress.advance(steps_of_fit))
            scores = score_held_out(examples, learning, progress.advance)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("before the end; no model was written") from None
    model = learning.make_model()
    model = dataclasses.replace(model, card=make_card(examples, gathered, model, settings, scores))
    model.save(output)
    if not args.quiet:
        for name, score in scores.items():
            print(f"held out     {name}: {score['f1']:.4f} ({count_pages(int(score['pages']))})")
        print(f"written      {output}, {output.stat().st_size:,} bytes")
    return 1 if gathered.unreadable else 0


def _check_auto_pages(pages: list[Any], folds: int) -> None:
    if not pages:
        raise InputError("no page can be used for training: none has a reference text that occurs on the page")
    if len({page.fold(folds) for page in pages}) < folds:
        sites = len({page.site for page in pages})
        raise InputError(f"too few sites to learn from: {sites} cannot fill {folds} parts; see --folds")


def _make_auto_settings(args: argparse.Namespace) -> Any:
    from duramen.training.auto.train import TrainingSettings, with_seed

    settings = TrainingSettings()
    given = {name: value for name in ("folds", "seeds") if (value := getattr(args, name)) is not None}
    settings = dataclasses.replace(settings, **given)
    boosting = {name: value for name in ("trees", "leaves") if (value := getattr(args, name)) is not None}
    settings = dataclasses.replace(settings, boosting=dataclasses.replace(settings.boosting, **boosting))
    return settings if args.seed is None else with_seed(settings, args.seed)


def _read_examples(args: argparse.Namespace, types: list[str] | None = None) -> list[Example]:
    """Read the pages of the sets, of these types, or of all."""
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.inputs)
    examples = [example for folder in folders for example in read_set(folder)]
    if not examples:
        raise UsageError("there is nothing to learn from: the set has no pages")
    chosen = choose(examples, types=types or [], limit=args.limit)
    if not chosen:
        present = ", ".join(sorted({example.type for example in examples}))
        raise UsageError(f"no page is of the type {' or '.join(types or [])}: choose with --type of {present}, or all")
    if not any(example.text or example.is_partial for example in chosen):
        hint = "; --semi learns from pages without one" if "semi" in args else ""
        raise UsageError(f"none of the pages has a reference text to learn from{hint}")
    return chosen


def _parse_folds(text: str) -> int:
    number = integer_from(0)(text)
    if number == 1:
        raise argparse.ArgumentTypeError("one part leaves nothing to learn from: use 0 for no scores, or 2 and more")
    return number
