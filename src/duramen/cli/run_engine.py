"""The options of `duramen run` that say who does the work: this machine, or a Ray cluster."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from duramen.errors import UsageError

if TYPE_CHECKING:
    from duramen.batch.place import Place
    from duramen.batch.run import Run
    from duramen.batch.settings import Settings

ENGINES = ("local", "ray")


def add_engine(parser: argparse.ArgumentParser) -> None:
    """Add --engine and --address."""
    option = parser.add_argument_group("more than one machine").add_argument
    option("--engine", choices=ENGINES, default="local", help="who does the work (default: local, this machine)")
    option("--address", metavar="ADDRESS", help="of a Ray cluster: HOST:PORT, or auto (default: one on this machine)")


def is_elsewhere(args: argparse.Namespace) -> bool:
    """Whether OUT is in an object store."""
    if args.address is not None and args.engine != "ray":
        raise UsageError("--address is that of a Ray cluster: add --engine ray")
    if "://" not in args.output:
        return False
    if args.engine != "ray":
        raise UsageError(f"{args.output}: object stores are written to with --engine ray")
    return True


def place_elsewhere(args: argparse.Namespace) -> Place:
    """Where the books of a run are that writes to an object store."""
    from duramen.batch import ray_run

    return ray_run.place_elsewhere(args.output, args.form)[0]


def run_of(args: argparse.Namespace, place: Place, settings: Settings) -> Run:
    """The run that was asked for."""
    from duramen.batch.run import Run

    if args.engine == "local":
        return Run(args.inputs, place, settings, args.jobs, args.overwrite)
    from duramen.batch import ray_run

    shelf = ray_run.place_elsewhere(args.output, args.form)[1] if is_elsewhere(args) else None
    inputs = ray_run.inputs_elsewhere(args.inputs)
    return ray_run.RayRun(inputs, place, settings, args.jobs, args.overwrite, args.address, shelf)
