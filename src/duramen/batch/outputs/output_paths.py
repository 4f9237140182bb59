"""Paths of a run's output and of its state; protection and removal of what is there.

| output | what the user gets | where the run keeps its state |
|---|---|---|
| `out.jsonl.gz` and so on | that one file, when all is done | `out.jsonl.gz.run/`, with the shards until then |
| a folder | its shards, `part-00000.jsonl.gz` … | `out/_duramen/` |
| a folder, one file per page | those files, and `index.jsonl` | `out/_duramen/`, with the shards of the index |
| `-` | the rows on standard output, in order | a temporary folder |

To remove an earlier run (--overwrite), the report, which says that a run is finished, is removed first, and `run.json`,
which says that there is a run, last. A process that is killed in between leaves a run that can be resumed or removed
again.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from duramen.batch.inputs.folder import RUN_FILE, RUN_FOLDER
from duramen.batch.inputs.io import is_remote
from duramen.batch.outputs.formats import DEFAULT_SUFFIX, PARQUET_SUFFIX, PLAIN_SUFFIX, SUFFIXES, find_suffix
from duramen.errors import UsageError
from duramen.files import TEMPORARY_FILES

PLAN, JOURNAL, REPORT, LOCK = "plan.jsonl", "journal.jsonl", "report.json", "lock"
"""Files of the run folder, besides `RUN_FILE`."""
ONE_FILE_PER_PAGE = "files"
"""The output form in which each page has a text file of its own."""
INDEX_FILE = "index.jsonl"
"""The rows of a run that writes one file per page."""
OUTPUT_FORMS = (*(suffix[1:] for suffix in SUFFIXES), ONE_FILE_PER_PAGE)
_OTHER_FILE_SUFFIXES = tuple(
    ".csv .tsv .json .ndjson .xml .txt .md .html .htm .xls .xlsx .arrow .feather .avro .db .sqlite .warc .log"
    " .gz .zst .xz .bz2 .zip .tar".split()
)
"""Suffixes of files that a run does not write: an output name with one of them is not meant as a folder."""
_SHARD_NAME = re.compile(r"part-\d{5,}")
_LINES_NAME = re.compile(r"\d{5,}\.\w+\.lines")


@dataclass(frozen=True)
class OutputLayout:
    """The paths of a run."""

    out: str
    """The output as the user named it."""
    suffix: str
    run_folder: Path
    """Holds the state of the run: request, plan, journal, report."""
    shard_folder: Path
    single_file: Path | None = None
    """The one file that the shards are joined into."""
    text_folder: Path | None = None
    """The folder of the text files, with one file per page."""
    text_root: str = ""
    """Names of text files are relative to this folder of the input."""

    @classmethod
    def choose(
        cls, out: str, form: str | None = None, *, text_root: str = "", temporary_folder: Path | None = None
    ) -> OutputLayout:
        """Choose the layout for an output name and a form of `OUTPUT_FORMS`.

        For `-` the caller gives a temporary folder for the shards.
        """
        check_form(form)
        if not out:
            raise UsageError("the output name (-o) is empty: check that the shell variable is set")
        suffix = find_suffix(out)
        if temporary_folder is not None:
            if form in (ONE_FILE_PER_PAGE, PARQUET_SUFFIX[1:]):
                raise UsageError(f"{form} cannot go to standard output: name a file or a folder with -o")
            return cls(out, f".{form}" if form else PLAIN_SUFFIX, temporary_folder, temporary_folder)
        if suffix is not None and not os.path.isdir(out) and not out.endswith(("/", os.sep)):
            if form is not None and f".{form}" != suffix:
                raise UsageError(f"{out} asks for {suffix[1:]}, and --as for {form}: leave one of them out")
            run_folder = Path(f"{out}.run")
            return cls(out, suffix, run_folder, run_folder, single_file=Path(out))
        if form != ONE_FILE_PER_PAGE and out.lower().endswith(_OTHER_FILE_SUFFIXES) and not os.path.isdir(out):
            raise UsageError(
                f"{out}: a run writes a folder, or a file that ends in {', '.join(SUFFIXES)};"
                f" to get a folder of this name write {out}/"
            )
        folder = Path(out)
        run_folder = folder / RUN_FOLDER
        if form == ONE_FILE_PER_PAGE:
            return cls(
                out,
                PLAIN_SUFFIX,
                run_folder,
                run_folder,
                single_file=folder / INDEX_FILE,
                text_folder=folder,
                text_root=text_root,
            )
        return cls(out, f".{form}" if form else DEFAULT_SUFFIX, run_folder, folder)

    @property
    def damaged_folder(self) -> Path:
        """Receives shards that are not as the run wrote them."""
        return self.run_folder / "damaged"

    def lines_path(self, number: int, attempt: str) -> Path:
        """Return the path of the rows of an unfinished shard."""
        return self.run_folder / f"{number:05}.{attempt}.lines"

    def shard_path(self, number: int) -> Path:
        return self.shard_folder / f"part-{number:05}{self.suffix}"


def check_form(form: str | None) -> None:
    """Raise a `UsageError` for an output form that does not exist."""
    if form is not None and form not in OUTPUT_FORMS:
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(OUTPUT_FORMS)}")


def remove_run(layout: OutputLayout) -> None:
    """Remove all files of an earlier run. The caller holds the lock, whose file stays."""
    earlier = _find_earlier_layout(layout)
    for name in (REPORT, JOURNAL):
        (layout.run_folder / name).unlink(missing_ok=True)
    shards = list(_find_shards(earlier))
    rows = [*shards, *([earlier.single_file] if earlier.single_file and earlier.single_file.exists() else [])]
    if earlier.text_folder is not None:
        _remove_text_files(earlier.text_folder, rows)
    for path in rows:
        path.unlink()
    for path in layout.run_folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name not in (LOCK, RUN_FILE):
            path.unlink()
    (layout.run_folder / RUN_FILE).unlink(missing_ok=True)


def remove_leftovers(layout: OutputLayout) -> None:
    """Remove the temporary files of workers and runs that were killed. No worker may be active."""
    for folder in {layout.run_folder, layout.shard_folder}:
        for path in folder.glob(TEMPORARY_FILES):
            path.unlink(missing_ok=True)
    for path in layout.run_folder.glob("*.lines"):
        if _LINES_NAME.fullmatch(path.name):
            path.unlink(missing_ok=True)


def refuse_foreign_output(layout: OutputLayout, overwrite: bool) -> None:
    """Raise a `UsageError` if the output holds files that no run has written."""
    if (layout.run_folder / RUN_FILE).exists():
        return
    if layout.single_file is not None and layout.single_file.exists() and not overwrite:
        raise UsageError(f"{layout.single_file} exists and belongs to no run: replace it with --overwrite")
    folder = layout.shard_folder if layout.single_file is None else layout.text_folder
    if folder is not None and folder.exists():
        if not folder.is_dir():
            raise UsageError(f"{layout.out} is a file, but its name has no suffix of a row format: name a folder")
        own = {layout.run_folder, layout.single_file, *(_find_shards(layout) if overwrite else ())}
        if (foreign := next((entry for entry in folder.iterdir() if entry not in own), None)) is not None:
            raise UsageError(
                f"{layout.out} is not empty (it holds {foreign.name}) and belongs to no run: choose another output (-o)"
            )


def refuse_inputs_in_output(layout: OutputLayout, inputs: Iterable[str]) -> None:
    """Raise a `UsageError` if an input lies in the output: it would be overwritten or removed before it is read."""
    folder = layout.run_folder.parent if layout.run_folder.name == RUN_FOLDER else layout.run_folder
    written = [path.resolve() for path in (folder, layout.single_file) if path is not None]
    for name in inputs:
        if not is_remote(name) and any(Path(name).resolve().is_relative_to(path) for path in written):
            raise UsageError(f"{name} is part of the output {layout.out}: choose another output (-o)")


def _find_earlier_layout(layout: OutputLayout) -> OutputLayout:
    """Return the layout of the earlier run, which may have used another row format."""
    try:
        request = json.loads((layout.run_folder / RUN_FILE).read_bytes())
    except (FileNotFoundError, ValueError):  # no run, or a damaged request: assume the present format
        return layout
    if not isinstance(request, dict) or request.get("ending") not in SUFFIXES:
        return layout
    earlier = replace(layout, suffix=request["ending"])
    if layout.run_folder.name != RUN_FOLDER:
        return earlier
    folder = layout.run_folder.parent
    if request.get("texts"):
        return replace(earlier, shard_folder=layout.run_folder, single_file=folder / INDEX_FILE, text_folder=folder)
    return replace(earlier, shard_folder=folder, single_file=None, text_folder=None)


def _find_shards(layout: OutputLayout) -> Iterator[Path]:
    if layout.shard_folder.is_dir():
        for path in layout.shard_folder.iterdir():
            if path.name.endswith(layout.suffix) and _SHARD_NAME.fullmatch(path.name.removesuffix(layout.suffix)):
                yield path


def _remove_text_files(folder: Path, indices: Iterable[Path]) -> None:
    """Remove the text files that the indices name, and the folders that become empty."""
    for name in (name for index in indices for name in _read_file_names(index)):
        (folder / name).unlink(missing_ok=True)
        for parent in (folder / name).parents:
            if parent == folder:
                break
            with suppress(OSError):  # it holds other files
                parent.rmdir()


def _read_file_names(index: Path) -> Iterator[PurePosixPath]:
    with index.open("rb") as lines:
        for line in lines:
            try:
                name = json.loads(line)["file"]
            except (ValueError, LookupError, TypeError):  # not a line of an index
                continue
            if isinstance(name, str) and not {"..", "/"} & set(PurePosixPath(name).parts):
                yield PurePosixPath(name)
