"""Paths of a run's output and of its state.

| output | what the user gets | where the run keeps its state |
|---|---|---|
| `out.jsonl.gz` and so on | that one file, when all is done | `out.jsonl.gz.run/`, with the shards until then |
| a folder | its shards, `part-00000.jsonl.gz` … | `out/_duramen/` |
| a folder, one file per page | those files, and `index.jsonl` | `out/_duramen/`, with the shards of the index |
| `-` | the rows on standard output, in order | a temporary folder |
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from duramen.batch.inputs.folder import RUN_FOLDER
from duramen.batch.outputs import DEFAULT_SUFFIX, PARQUET_SUFFIX, PLAIN_SUFFIX, SUFFIXES, find_suffix
from duramen.errors import UsageError

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

    def shard_path(self, number: int) -> Path:
        return self.shard_folder / f"part-{number:05}{self.suffix}"


def check_form(form: str | None) -> None:
    """Raise a `UsageError` for an output form that does not exist."""
    if form is not None and form not in OUTPUT_FORMS:
        raise UsageError(f"unknown form {form!r}: choose one of {', '.join(OUTPUT_FORMS)}")
