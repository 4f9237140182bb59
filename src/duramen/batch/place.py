"""Where the files of a run lie.

| OUT | what the user gets | where the run keeps its books |
|---|---|---|
| `out.jsonl.gz` and its like | that one file, when all is done | `out.jsonl.gz.run/`, with the shards until then |
| a folder | its shards, `part-00000.jsonl.gz` … | `out/_duramen/` |
| a folder, a file for each page | those files, and `index.jsonl` | `out/_duramen/`, with the shards of the index |
| `-` | the rows on standard output, in order | a folder of the system's for passing things |
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from duramen.batch.sinks import DEFAULT, SINKS, ending_of
from duramen.batch.sources.folder import RUN_FOLDER
from duramen.errors import UsageError

FILES = "files"
"""The form in which each page has a file of its own."""
FORMS = (*(ending[1:] for ending in SINKS), FILES)
_OTHER_FILES = tuple(
    ".csv .tsv .json .ndjson .xml .txt .md .html .htm .xls .xlsx .arrow .feather .avro .db .sqlite .warc .log"
    " .gz .zst .xz .bz2 .zip .tar".split()
)
"""How files end that a run does not write: whoever names one does not mean a folder."""


@dataclass(frozen=True)
class Place:
    """The paths of a run."""

    out: str
    ending: str
    work: Path
    """The books: what was asked for, the plan, the journal, the report."""
    shards: Path
    joined: Path | None = None
    """The one file that the shards become."""
    texts: Path | None = None
    """The folder for the files of the pages."""
    root: str = ""
    """The folder below which the names of those files begin."""

    @classmethod
    def of(cls, out: str, form: str | None = None, *, root: str = "", passing: Path | None = None) -> Place:
        """The place that OUT names, in a form of `FORMS`; for `-` the caller gives a folder to pass shards through."""
        if form is not None and form not in FORMS:
            raise UsageError(f"unknown form {form!r}: choose one of {', '.join(FORMS)}")
        if not out:
            raise UsageError("-o has no name: is a variable of the shell not set?")
        named = ending_of(out)
        if passing is not None:
            if form in (FILES, "parquet"):
                raise UsageError(f"{form} cannot go to standard output: name a file or a folder with -o")
            return cls(out, f".{form}" if form else ".jsonl", passing, passing)
        if named is not None and not os.path.isdir(out) and not out.endswith(("/", os.sep)):
            if form is not None and f".{form}" != named:
                raise UsageError(f"{out} asks for {named[1:]}, and --as for {form}: leave one of them out")
            work = Path(f"{out}.run")
            return cls(out, named, work, work, joined=Path(out))
        if form != FILES and out.lower().endswith(_OTHER_FILES) and not os.path.isdir(out):
            raise UsageError(
                f"{out}: a run writes files that end in {', '.join(SINKS)}, or a folder;"
                f" for one of this name write {out}/"
            )
        folder = Path(out)
        work = folder / RUN_FOLDER
        if form == FILES:
            return cls(out, ".jsonl", work, work, joined=folder / "index.jsonl", texts=folder, root=root)
        return cls(out, f".{form}" if form else DEFAULT, work, folder)

    def shard(self, number: int) -> Path:
        return self.shards / f"part-{number:05}{self.ending}"
