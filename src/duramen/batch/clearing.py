"""Throwing an earlier run away: all that it has written, and nothing else.

What says that a run is finished goes first and what says that it is a run goes last, so that whoever is killed in the
middle finds a run that can be gone on with or thrown away once more.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path, PurePosixPath

from duramen.batch.books import JOURNAL, LOCK, REPORT
from duramen.batch.opening import is_elsewhere
from duramen.batch.place import Place
from duramen.batch.sinks import SINKS
from duramen.batch.sources.folder import RUN_FILE, RUN_FOLDER
from duramen.errors import UsageError

_SHARD = re.compile(r"part-\d{5,}")


def remove(place: Place) -> None:
    """Take away what an earlier run has left at a place, which the caller has locked; the lock stays."""
    earlier = _earlier(place)
    for name in (REPORT, JOURNAL):
        (place.work / name).unlink(missing_ok=True)
    shards = list(_shards(earlier))
    if earlier.texts is not None:
        _remove_texts(earlier.texts, [*shards, *_present(earlier.joined)])
    for path in (*shards, *_present(earlier.joined)):
        path.unlink()
    for path in place.work.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name not in (LOCK, RUN_FILE):
            path.unlink()
    (place.work / RUN_FILE).unlink(missing_ok=True)


def refuse_strangers(place: Place, overwrite: bool) -> None:
    """Say no to an OUT that holds what no run of ours has written, before anything is touched."""
    if (place.work / RUN_FILE).exists():
        return
    if place.joined is not None and place.joined.exists() and not overwrite:
        raise UsageError(f"{place.joined} exists, and not by a run that could go on: --overwrite replaces it")
    folder = place.shards if place.joined is None else place.texts
    if folder is not None and folder.exists():
        if not folder.is_dir():
            raise UsageError(f"{place.out} is a file that ends in no form of rows: name a folder, or another file")
        ours = {place.work, place.joined, *(_shards(place) if overwrite else ())}
        if (stranger := next((entry for entry in folder.iterdir() if entry not in ours), None)) is not None:
            raise UsageError(f"{place.out} is not empty (it holds {stranger.name}) and of no run: choose another -o")


def refuse_inputs(place: Place, inputs: Iterable[str]) -> None:
    """Say no to an input that lies in OUT: it would be written over, or thrown away before it is read."""
    folder = place.work.parent if place.work.name == RUN_FOLDER else place.work
    written = [path.resolve() for path in (folder, place.joined) if path is not None]
    for name in inputs:
        if not is_elsewhere(name) and any(Path(name).resolve().is_relative_to(path) for path in written):
            raise UsageError(f"{name} is a part of the output {place.out}: choose another -o")


def _earlier(place: Place) -> Place:
    """Where the earlier run has written: a folder may have held another form."""
    try:
        about = json.loads((place.work / RUN_FILE).read_bytes())
    except (FileNotFoundError, ValueError):  # no run, or its books are damaged: the form is the one of now
        return place
    if not isinstance(about, dict) or about.get("ending") not in SINKS:
        return place
    earlier = replace(place, ending=about["ending"])
    if place.work.name != RUN_FOLDER:
        return earlier
    folder = place.work.parent
    if about.get("texts"):
        return replace(earlier, shards=place.work, joined=folder / "index.jsonl", texts=folder)
    return replace(earlier, shards=folder, joined=None, texts=None)


def _shards(place: Place) -> Iterator[Path]:
    if place.shards.is_dir():
        for path in place.shards.iterdir():
            if path.name.endswith(place.ending) and _SHARD.fullmatch(path.name.removesuffix(place.ending)):
                yield path


def _present(path: Path | None) -> list[Path]:
    return [path] if path is not None and path.exists() else []


def _remove_texts(folder: Path, indices: Iterable[Path]) -> None:
    """The texts that the indices name, and the folders that are empty without them."""
    for name in (name for index in indices for name in _named(index)):
        (folder / name).unlink(missing_ok=True)
        for above in (folder / name).parents:
            if above == folder:
                break
            with suppress(OSError):  # something else is in it
                above.rmdir()


def _named(index: Path) -> Iterator[PurePosixPath]:
    with index.open("rb") as lines:
        for line in lines:
            try:
                name = json.loads(line)["file"]
            except (ValueError, LookupError, TypeError):  # it is no line of an index, and names no text
                continue
            if isinstance(name, str) and not {"..", "/"} & set(PurePosixPath(name).parts):
                yield PurePosixPath(name)
