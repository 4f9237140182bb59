"""`duramen train auto`: the model of the default extractor, from pages whose content is known."""

from __future__ import annotations

import argparse
import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duramen.cli.train_options import add_options, whole, writable
from duramen.errors import InputError, UsageError

if TYPE_CHECKING:
    from duramen.evaluation import Example

_TROUBLES_SHOWN = 10

_DESCRIPTION = "Make a model for the default extractor from pages whose content is known."

_EXAMPLES = """\
examples:
  duramen train auto sets/news sets/shops -o model.npz
  duramen train auto --show model.npz                  what a model was trained on, and how it scored
  duramen extract page.html --method auto:model=model.npz

A set is a folder with manifest.jsonl, one object a page (id, site, type, text), and the pages as html/<id>.html.gz. A
bare name is looked for in the folder that DURAMEN_DATA names, too. Trees are grown by LightGBM, which the extra
`training` brings; extracting with the model needs no more than duramen.

exit status: 0 the model was written; 1 it was not, or without a page that could not be read; 2 wrong usage; 130 stopped
by Ctrl-C, with nothing written.
"""


def add(families: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = families.add_parser(
        "auto",
        help="the default extractor",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    option = parser.add_argument
    option("inputs", nargs="*", metavar="SET", help="a folder, or the name of one in DURAMEN_DATA")
    add_options(parser)
    option("--limit", type=whole(1), metavar="N", help="the first N sites of each set only")
    option(
        "--voices",
        type=whole(1),
        metavar="N",
        help="how many times each of the two ensembles is grown; the mean of the voices counts (default: 2)",
    )
    option(
        "--trees",
        type=whole(1),
        metavar="N",
        help="in each voice of the ensemble that decides; the one before it has half as many (default: 60)",
    )
    option("--leaves", type=whole(2), metavar="N", help="of a tree, at most (default: 31)")
    option("--folds", type=whole(2), metavar="N", help="parts of the sites, to learn and score by (default: 5)")
    option("--seed", type=whole(0), metavar="N", help="for all that is left to chance (default: 1)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    if args.show is not None:
        return _show(args)
    if not args.inputs:
        raise UsageError("there is nothing to learn from: name a set of pages")
    if args.output is None:
        raise UsageError("say where the model goes: -o model.npz")
    output = writable(args.output)
    return _train(args, _examples(args), output)


def _show(args: argparse.Namespace) -> int:
    from duramen.methods.auto.model import AutoModel

    if args.inputs or args.output is not None:
        raise UsageError("--show prints the card of a model and trains none: leave out the sets and -o")
    print(json.dumps(AutoModel.load(Path(args.show)).card, ensure_ascii=False, indent=2))
    return 0


def _train(args: argparse.Namespace, examples: list[Example], output: Path) -> int:
    from duramen.cli.progress import Progress, wants_bar
    from duramen.training.auto.card import card
    from duramen.training.auto.held_out import held_out
    from duramen.training.auto.learning import Learning, Settings, gather, with_seed
    from duramen.training.auto.trees import require_lightgbm

    require_lightgbm()
    settings = _settings(args, Settings(), with_seed)
    fits = 2 * (settings.folds + 1)
    # Growing a voice takes about as long as reading a quarter of the pages.
    weight = max(1, len(examples) * settings.voices // 4)
    steps = 3 * len(examples) + fits * weight
    with Progress(steps, bar=not args.quiet and wants_bar(steps, to_stdout=False)) as progress:

        def after_fit() -> None:
            for _ in range(weight):
                progress.advance()

        try:
            gathered = gather(examples, settings, progress.advance)
            for trouble in gathered.unreadable[:_TROUBLES_SHOWN]:
                progress.say(f"not used: {trouble}")
            _check(gathered.pages, settings.folds)
            learning = Learning(gathered, settings)
            learning.run(after_fit)
            scores = held_out(examples, learning, progress.advance)
        except KeyboardInterrupt:
            raise KeyboardInterrupt("before the end; no model was written") from None
    model = learning.model()
    model = dataclasses.replace(model, card=card(examples, gathered, model, settings, scores))
    model.save(output)
    if not args.quiet:
        for name, score in scores.items():
            print(f"held out     {name}: {score['f1']:.4f} ({score['pages']:,} pages)")
        print(f"written      {output}, {output.stat().st_size:,} bytes")
    return 1 if gathered.unreadable else 0


def _check(pages: list[Any], folds: int) -> None:
    if not pages:
        raise InputError("no page is fit to learn from: none has a gold text that stands on the page")
    if len({page.fold(folds) for page in pages}) < folds:
        sites = len({page.site for page in pages})
        raise InputError(f"too few sites to learn from: {sites} of them do not fill {folds} parts; see --folds")


def _settings(args: argparse.Namespace, settings: Any, with_seed: Any) -> Any:
    given = {name: value for name in ("folds", "voices") if (value := getattr(args, name)) is not None}
    settings = dataclasses.replace(settings, **given)
    growth = {name: value for name in ("trees", "leaves") if (value := getattr(args, name)) is not None}
    settings = dataclasses.replace(settings, growth=dataclasses.replace(settings.growth, **growth))
    return settings if args.seed is None else with_seed(settings, args.seed)


def _examples(args: argparse.Namespace) -> list[Example]:
    from duramen.evaluation import choose, find_set, read_set

    folders = dict.fromkeys(find_set(name).resolve() for name in args.inputs)
    examples = choose((example for folder in folders for example in read_set(folder)), limit=args.limit)
    if not any(example.text for example in examples):
        raise UsageError("none of the pages has a gold text to learn from")
    return examples
