"""`duramen methods`: the ways to find the content, and where each comes from."""

from __future__ import annotations

import argparse
import json

_EXAMPLES = """\
examples:
  duramen methods                              one line each, and the paper
  duramen methods --format json                the same for a program
"""


def add(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = subparsers.add_parser(
        "methods",
        help="list the methods",
        description="List the methods by name, with one line each and the paper it comes from.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="how to print them (default: text)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    from duramen import methods

    known = [methods.get(name) for name in methods.names()]
    if args.format == "json":
        rows = [
            {"name": m.name, "summary": m.summary, "paper": m.paper, "default": m.name == methods.DEFAULT}
            for m in known
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return 0
    width = max(len(method.name) for method in known) + 2
    for method in known:
        default = " (the default)" if method.name == methods.DEFAULT else ""
        print(f"{method.name:<{width}}{method.summary}{default}")
        if method.paper:
            print(f"{'':<{width}}{method.paper}")
    return 0
