"""`duramen evaluate --structure`: score the Markdown of methods and peers."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.evaluate import EXIT_INTERRUPTED, make_results_folder, read_examples
from duramen.cli.options import AddBoxes
from duramen.cli.outputs import write_file
from duramen.cli.progress import Progress, say, say_first, wants_bar
from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.evaluation import Extractor
    from duramen.evaluation.structure_results import StructureResults

_MAX_PRINTED_PROBLEMS = 10


def evaluate_structure(args: argparse.Namespace, add_boxes: AddBoxes) -> int:
    """Score Markdown, print the table, and write structure.json and structure.md."""
    from duramen.evaluation.structure import has_markdown, score_structure_pages
    from duramen.evaluation.structure_results import (
        StructureResults,
        dumps,
        make_structure_markdown,
        make_structure_table,
        make_worst_list,
    )

    examples = [example for example in read_examples(args, with_text=False) if has_markdown(example)]
    if not examples:
        raise UsageError("none of the pages has reference Markdown (the field markdown) to score against")
    extractors = _get_extractors(args, add_boxes)
    folder = make_results_folder(args.output)
    results = StructureResults()
    with Progress(len(examples), bar=wants_bar(len(examples), to_stdout=False)) as progress:
        try:
            for outcome in score_structure_pages(examples, extractors):
                if isinstance(outcome, list):
                    results.runs += outcome
                else:
                    results.unreadable.append(str(outcome))
                progress.advance()
        except KeyboardInterrupt:
            results.partial = True
    if results.runs:
        print(make_structure_table(results))
        if args.worst:
            print(f"\n{make_worst_list(results, args.worst)}")
        write_file(folder / "structure.json", dumps(results))
        write_file(folder / "structure.md", make_structure_markdown(results))
        say(f"written: {folder / 'structure'}.json and .md")
    say_first(_describe_problems(results), _MAX_PRINTED_PROBLEMS, " such problems")
    if args.write_scores is not None and results.runs and not results.partial:
        write_file(Path(args.write_scores), make_structure_markdown(results))
    return EXIT_INTERRUPTED if results.partial else 1 if results.unreadable else 0


def _get_extractors(args: argparse.Namespace, add_boxes: AddBoxes) -> list[Extractor]:
    from duramen import methods
    from duramen.evaluation import markdown_peers
    from duramen.evaluation.structure import get_markdown_extractor

    names = list(methods.names()) if args.method is None else list(args.method)
    if args.peers:
        missing = markdown_peers.find_missing()
        for name, reason in missing.items():
            say(f"without {name}: {reason}")
        names += [name for name in markdown_peers.names() if name not in missing]
    return [get_markdown_extractor(name, add_boxes) for name in dict.fromkeys(names)]


def _describe_problems(results: StructureResults) -> list[str]:
    return [f"not scored: {reason}" for reason in results.unreadable] + [
        f"{run.extractor} failed on {run.example.set}/{run.example.id}: {run.error}"
        for run in results.runs
        if run.error
    ]
