"""The options of `duramen run` for what comes before its rows and after them: sites and duplicates."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duramen.batch.settings import Settings

KINDS = ("exact", "near")


def add_stages(parser: argparse.ArgumentParser) -> None:
    """Add --learn and --duplicates."""
    option = parser.add_argument_group("sites and duplicates").add_argument
    option(
        "--learn",
        action="store_true",
        help="first learn wrappers from a sample of each site, and use them where they are confident",
    )
    option(
        "--duplicates",
        choices=KINDS,
        metavar="KIND",
        help="mark rows that repeat an earlier one: exact (the same text) or near (most of it)",
    )


def with_stages(settings: Settings, args: argparse.Namespace) -> Settings:
    """The settings with what was asked for."""
    return replace(settings, learn=args.learn, duplicates=args.duplicates)
