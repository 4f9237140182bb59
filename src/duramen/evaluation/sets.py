"""Evaluation sets: pages with the text, fields or records that are right for them (the gold).

A set is a folder with `manifest.jsonl`, one JSON object per line and page, and the pages as raw bytes in gzip
files. Only the field `id` is required; `text` is the reference text, and `html` is the file of the page if it is not
`html/<id>.html.gz`. A page without `text` that has `must` or `must_not` has *partial gold*: only these texts are known
to be content or not.

A JSON file with one such object is a set of one page: the marks or the fixture that the inspector saves. A fixture has
the page itself as `source`.
"""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from duramen.errors import InputError, UsageError

DATA_VARIABLE = "DURAMEN_DATA"
"""The environment variable that names the folder of the sets."""

MANIFEST = "manifest.jsonl"
_MARKS_SUFFIX = ".json"

UNKNOWN = "?"
"""The type or language of a page if the set does not give it."""


@dataclass(frozen=True)
class Example:
    """One page of a set, with the fields of its manifest. The page itself is read on first use."""

    id: str
    path: Path
    set: str = ""
    site: str = ""
    type: str = UNKNOWN
    lang: str = UNKNOWN
    url: str | None = None
    text: str | None = field(default=None, repr=False)
    title: str | None = None
    must: tuple[str, ...] = field(default=(), repr=False)
    must_not: tuple[str, ...] = field(default=(), repr=False)
    source: str | None = field(default=None, repr=False)
    """The page itself, if the set contains it as text."""
    fields: Mapping[str, Any] = field(default_factory=dict, repr=False)
    """The unchanged object of the manifest: author, date, comments, records and all other fields."""

    @property
    def is_partial(self) -> bool:
        """Whether only some texts of the page are known to be content or not."""
        return not self.text and bool(self.must or self.must_not)

    def read(self) -> bytes:
        """The page's raw bytes. Raises `InputError` when the file is missing or damaged."""
        if self.source is not None:
            return self.source.encode("utf-8", "replace")
        try:
            raw = self.path.read_bytes()
            return gzip.decompress(raw) if self.path.suffix == ".gz" else raw
        except FileNotFoundError:
            raise InputError(f"the page {self.id!r} of the set {self.set!r} has no file {self.path}") from None
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"the file {self.path} of the page {self.id!r} cannot be read: {error}") from error


def find_set(name: str | Path) -> Path:
    """The folder of a set, or a JSON file: a path, or a bare name in the folder that `DURAMEN_DATA` names."""
    folders = [Path(name)]
    if folders[0].suffix == _MARKS_SUFFIX and folders[0].is_file():
        return folders[0]
    data = os.environ.get(DATA_VARIABLE)
    if data and folders[0].name == str(name):
        folders.append(Path(data) / name)
    for folder in folders:
        if (folder / MANIFEST).is_file():
            return folder
    for folder in folders:
        if folder.is_dir():
            raise UsageError(f"the folder {folder} is no set: it has no {MANIFEST}")
    tried = " and no folder ".join(map(str, folders))
    raise UsageError(f"there is no set {str(name)!r}: no folder {tried}{_hint(name, data)}")


def read_set(name: str | Path) -> list[Example]:
    """The examples of a set, in the order of its manifest."""
    path = find_set(name)
    return [_read_marks(path)] if path.is_file() else list(_examples(path))


def choose(
    examples: Iterable[Example],
    *,
    sites: Sequence[str] = (),
    types: Sequence[str] = (),
    langs: Sequence[str] = (),
    limit: int | None = None,
) -> list[Example]:
    """The examples of these sites, types and languages, of no more than the first `limit` sites of each set.

    Pages of one site share its template: cutting between sites keeps the sites whole.
    """
    chosen = []
    seen: dict[str, set[str]] = {}
    for example in examples:
        if (
            (sites and example.site not in sites)
            or (types and example.type not in types)
            or (langs and example.lang not in langs)
        ):
            continue
        seen_sites = seen.setdefault(example.set, set())
        if example.site not in seen_sites:
            if limit is not None and len(seen_sites) >= limit:
                continue
            seen_sites.add(example.site)
        chosen.append(example)
    return chosen


def _examples(folder: Path) -> Iterator[Example]:
    manifest = folder / MANIFEST
    try:
        lines = manifest.read_text("utf-8").split("\n")  # not splitlines: JSON may hold a bare U+2028
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"the manifest {manifest} cannot be read: {error}") from error
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        where = f"line {number} of {manifest}"
        try:
            fields = json.loads(line)
        except json.JSONDecodeError as error:
            raise InputError(f"{where} is not JSON: {error}") from error
        if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
            raise InputError(f"{where} is not an object with an id")
        yield _example(folder, fields, where)


def _read_marks(path: Path) -> Example:
    """Read the marks or the fixture of one page."""
    try:
        fields = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error
    if not isinstance(fields, dict) or not isinstance(fields.get("id"), str):
        raise InputError(f"{path} is not an object with an id: save marks or a fixture with duramen inspect")
    example = _example(path.parent, fields, str(path))
    if example.source is None:  # beside the marks, or where duramen inspect found it
        named = Path(fields.get("html") or f"{example.id}.html")
        places = [path.parent / named.name, path.parent / named, named]
        example = replace(example, path=next(filter(Path.is_file, places), places[0]))
    return replace(example, set=path.stem)


def _example(folder: Path, fields: dict[str, Any], where: str) -> Example:
    def text(name: str) -> str | None:
        value = fields.get(name)
        if value is not None and not isinstance(value, str):
            raise InputError(f"{where}: the field {name!r} is not a string")
        return value

    def texts(name: str) -> tuple[str, ...]:
        value = fields.get(name) or []
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise InputError(f"{where}: the field {name!r} is not a list of strings")
        return tuple(value)

    identity: str = fields["id"]
    return Example(
        id=identity,
        path=folder / (text("html") or f"html/{identity}.html.gz"),
        set=folder.resolve().name,
        site=text("site") or identity,
        type=text("type") or UNKNOWN,
        lang=text("lang") or UNKNOWN,
        url=text("url"),
        text=text("text"),
        title=text("title"),
        must=texts("must"),
        must_not=texts("must_not"),
        source=text("source"),
        fields=fields,
    )


def _hint(name: str | Path, data: str | None) -> str:
    if data is None:
        return f"; {DATA_VARIABLE}, which may name the folder of the sets, is not set"
    there = sorted(path.parent.name for path in Path(data).glob(f"*/{MANIFEST}"))
    near = get_close_matches(str(name), there, n=1)
    return f"; did you mean {near[0]!r}?" if near else f"; {data} has {', '.join(there) or 'no sets'}"
