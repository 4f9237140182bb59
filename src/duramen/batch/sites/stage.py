"""The first stage of a run with --sites: learn the sites; and the last: write the frame of each site."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from duramen import methods
from duramen.batch.inputs.folder import RUN_FILE
from duramen.batch.inputs.io import is_remote
from duramen.batch.outputs.output_paths import OutputLayout
from duramen.batch.outputs.store import ShardStore, write_anywhere
from duramen.batch.planning import Planner
from duramen.batch.row import Row, load_method
from duramen.batch.run_store import RunStore
from duramen.batch.settings import RunSettings
from duramen.batch.sites.lookup import SITE_DATABASE
from duramen.errors import UsageError
from duramen.methods.auto.method import Auto
from duramen.processes import TaskRunner

FRAMES_FILE = "frames.jsonl"
"""The frames of the sites, beside the shards; beside one file of rows with the name of that file before it."""


def prepare_sites(settings: RunSettings, layout: OutputLayout) -> RunSettings:
    """Name the database of the models. Raises a `UsageError` for settings that sites do not work with."""
    if not isinstance(load_method(settings), Auto):
        raise UsageError(f"--sites gives evidence to {methods.DEFAULT}: it does not work with {settings.method}")
    return replace(settings, site_models=str(layout.run_folder / SITE_DATABASE))


def check_frames(layout: OutputLayout, store: ShardStore, overwrite: bool) -> None:
    """Raise a `UsageError` if the frames cannot be written, or would replace a file that no run has written."""
    if layout.out == "-":
        raise UsageError("--frame-once writes a second file: name a file or a folder with -o")
    path = find_frames_path(layout, store)
    if not is_remote(path) and Path(path).exists() and not (overwrite or (layout.run_folder / RUN_FILE).exists()):
        raise UsageError(f"{path} exists and belongs to no run: replace it with --overwrite")


def remove_frames(layout: OutputLayout, store: ShardStore) -> None:
    """Remove the frames of an earlier run, if there are any."""
    path = find_frames_path(layout, store)
    if layout.out != "-" and not is_remote(path):
        Path(path).unlink(missing_ok=True)


def learn_run_sites(
    store: RunStore,
    make_planner: Callable[[], Planner],
    workers: int,
    log: Callable[[str], None],
    run_tasks: TaskRunner,
) -> None:
    """Learn the sites of a run before its first row, if its settings ask for that."""
    settings = store.settings
    if settings.site_models is None:
        return
    from duramen.batch.sites.learning_stage import learn_sites  # only runs that learn load it

    planner = make_planner()
    try:
        planner.plan_all()
    finally:
        planner.stop()
    path = Path(settings.site_models)
    count = learn_sites(lambda: enumerate(store.read_splits()), settings.reading, path, workers, log, run_tasks)
    log(f"learned {count:,} {'site' if count == 1 else 'sites'} with two or more different pages")


def write_frames(settings: RunSettings, layout: OutputLayout, store: ShardStore) -> None:
    """Write the frame of each site as a row of its own, beside the rows of the pages."""
    from duramen.batch.sites.learning_stage import read_frames

    if settings.site_models is None:
        return
    database = Path(settings.site_models)

    def write(file: BinaryIO) -> None:
        for site, pages, text in read_frames(database):
            reason = f"texts that repeat on the pages of the site, read from {pages} of them"
            row = Row(site, method="frame", text=text, reason=reason, site=site, site_pages=pages)
            file.write(row.as_line())

    write_anywhere(find_frames_path(layout, store), write)


def find_frames_path(layout: OutputLayout, store: ShardStore) -> str:
    """Return the path of the frames of a run."""
    if layout.text_folder is not None:
        return str(layout.text_folder / FRAMES_FILE)
    if layout.single_file is not None:
        return f"{layout.out.removesuffix(layout.suffix)}.{FRAMES_FILE}"
    return f"{store.folder}/{FRAMES_FILE}"
