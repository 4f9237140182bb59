"""`duramen methods`: list the extraction methods and the papers they come from."""

from __future__ import annotations

import argparse
import json

from duramen.cli.options import add_imports, add_verb, import_modules

_EXAMPLES = """\
examples:
  duramen methods                              one line for each method, and its paper
  duramen methods --format json                the same for a program
  duramen methods --import my_methods          with methods of your own
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = add_verb(
        subparsers,
        "methods",
        help="list the methods",
        description="List the methods by name, with one line each and the paper it comes from.",
        epilog=_EXAMPLES,
        run=run,
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="output format (default: text)")
    add_imports(parser.add_argument)


def run(args: argparse.Namespace) -> int:
    from duramen import methods

    import_modules(args)
    all_methods = [methods.get(name) for name in methods.names()]
    if args.format == "json":
        rows = [
            {"name": m.name, "summary": m.summary, "paper": m.paper, "default": m.name == methods.DEFAULT}
            for m in all_methods
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    width = max(len(method.name) for method in all_methods) + 2
    for method in all_methods:
        default = " (the default)" if method.name == methods.DEFAULT else ""
        print(f"{method.name:<{width}}{method.summary}{default}")
        if method.paper:
            print(f"{'':<{width}}{method.paper}")
    return 0
