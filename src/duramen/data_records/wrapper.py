"""The records of a site's next page, by expressions learnt from one.

A wrapper is the region, the records in it and the columns of these, all as XPath, in a JSON file that people can read
and mend. Nothing is found anew on the next page: what the expressions give is the table, and where they give nothing
the table is empty and says so.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Final, get_args

from duramen import xpath
from duramen.data_records.alignment import Source
from duramen.data_records.fields import Field
from duramen.data_records.kinds import Kind
from duramen.data_records.partition import Record
from duramen.data_records.picks import ALL, Pick
from duramen.data_records.table import Table
from duramen.dom.page import Page
from duramen.dom.tree import TEXT, Tree
from duramen.errors import InputError, UsageError

FORMAT: Final = "duramen records"
VERSION: Final = 1


@dataclass(frozen=True)
class RecordsWrapper:
    """Expressions for the tables of a site."""

    region: str
    """Selects the element that holds the records, or several where they stand in several."""
    record: str
    """Selects the records from there; where a record is several elements, the first of each."""
    follow: tuple[str, ...] = ()
    """The tags of the elements that belong to a record after its first; none where a record is one element."""
    fields: tuple[Field, ...] = ()
    site: str | None = None

    @classmethod
    def of(cls, table: Table) -> RecordsWrapper:
        """What a table teaches. An empty one teaches nothing, which is a `UsageError`."""
        if not table or table.xpath is None or table.node is None:
            raise UsageError(f"there is nothing to learn from this page: {table.reason}")
        tree, records = table.page.tree, table.records
        heads = [record[0] for record in records]
        follow = tuple(dict.fromkeys(tree.tag[top] for record in records for top in record[1:]))
        if tree.tag[heads[0]] == TEXT:
            raise UsageError("the records of this page begin with bare text, which no expression tells apart")
        return cls(table.xpath, table.record_xpath or "", follow, table.fields, table.page.url)

    def extract(self, page: Page) -> Table:
        """The table of another page of the site."""
        tree = page.tree
        regions = xpath.select(tree, self.region)
        if not regions:
            return Table(page, f"the page does not fit the wrapper: nothing is at {self.region}")
        heads = {node for region in regions for node in xpath.select(tree, self.record, region)}
        records = tuple(self._record(tree, head, heads) for head in sorted(heads))
        table = Table(page, "", 0.0, regions[0], records, self.fields)
        kept = tuple(
            record
            for record, row in zip(records, table.rows, strict=True)
            if any(value is not None for value in row.values())
        )
        if not kept:
            return Table(page, f"the page does not fit the wrapper: {self.region} is there, and no record in it")
        filled = sum(value is not None for row in table.rows for value in row.values())
        share = filled / max(1, len(table.rows) * len(self.fields))
        return Table(
            page,
            f"{len(kept)} records by the wrapper of {self.site or 'the site'}",
            share,
            regions[0],
            kept,
            self.fields,
        )

    def save(self, path: str | Path) -> None:
        """Write the wrapper to a file."""
        try:
            Path(path).write_text(self.dumps(), "utf-8")
        except OSError as error:
            raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error

    @classmethod
    def load(cls, path: str | Path) -> RecordsWrapper:
        """Read a wrapper from a file."""
        try:
            text = Path(path).read_text("utf-8-sig")
        except OSError as error:
            raise InputError(f"{path}: {(error.strerror or str(error)).lower()}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is no wrapper: it is not text in UTF-8") from error
        return cls.loads(text, str(path))

    def dumps(self) -> str:
        """The wrapper as JSON, a line for each column."""
        head = {
            "format": FORMAT,
            "version": VERSION,
            "site": self.site,
            "region": self.region,
            "record": self.record,
            "follow": list(self.follow),
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}" for key, value in head.items()]
        columns = ",\n".join(f"    {json.dumps(_as_dict(column), ensure_ascii=False)}" for column in self.fields)
        return "{\n" + ",\n".join(lines) + f',\n  "fields": [\n{columns}\n  ]\n}}\n'

    @classmethod
    def loads(cls, text: str, name: str = "this") -> RecordsWrapper:
        """A wrapper from JSON; `name` is what to call it when something is wrong with it."""
        try:
            found = json.loads(text)
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"{name} is no wrapper: it is not JSON") from error
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise InputError(f"{name} is no wrapper of records: it does not say that its format is {FORMAT!r}")
        if isinstance(found.get("version"), int) and found["version"] > VERSION:
            raise InputError(
                f"{name} was written by a later version of duramen (format {found['version']}; "
                f"this one reads {VERSION}): update duramen"
            )
        try:
            return cls(
                _expression(found["region"]),
                _expression(found["record"]),
                tuple(map(_text, found["follow"])),
                tuple(map(_field, found["fields"])),
                None if found["site"] is None else _text(found["site"]),
            )
        except KeyError as error:
            raise InputError(f"{name} is damaged: it has no {error.args[0]!r}") from error
        except (TypeError, ValueError, AttributeError, UsageError) as error:
            raise InputError(f"{name} is damaged: {error}") from error

    def _record(self, tree: Tree, head: int, heads: set[int]) -> Record:
        record = [head]
        if self.follow:
            place, stop = tree.end[head], tree.end[tree.parent[head]]
            while place < stop and place not in heads:
                if tree.tag[place] in self.follow and not (tree.tag[place] == TEXT and not tree.text[place].strip()):
                    record.append(place)
                place = tree.end[place]
        return tuple(record)


def _as_dict(column: Field) -> dict[str, Any]:
    """A column for JSON, its pick only as far as it says something."""
    found = asdict(column)
    said = {name: value for name, value in found.pop("pick").items() if value != getattr(ALL, name)}
    return found | {"pick": said} if said else found


def _field(found: dict[str, Any]) -> Field:
    known = {one.name: found[one.name] for one in fields(Field) if one.name not in ("pick", "column")}
    column = Field(**known, column=found.get("column"), pick=_pick(found.get("pick") or {}))
    if column.kind not in get_args(Kind) or column.source not in get_args(Source):
        raise ValueError(f"{column.name!r} is of a kind {column.kind!r}, from {column.source!r}: that is not known")
    for number in (column.number, column.part_number, column.column):
        if number is not None and (type(number) is not int or number < 1):
            raise ValueError(f"{number!r} is not a number from 1 up")
    if not isinstance(column.listed, bool):
        raise ValueError(f"listed is {column.listed!r}, and neither true nor false")
    _text(column.name)
    _expression(column.path)
    if _text(column.part):
        _expression(f"./{column.part}")
    return column


def _pick(found: dict[str, Any]) -> Pick:
    pick = Pick(**found | {"without": tuple(map(_text, found.get("without", ())))})
    if pick.kind is not None and pick.kind not in get_args(Kind):
        raise ValueError(f"{pick.kind!r} is no kind that is known")
    if pick.number is not None and (type(pick.number) is not int or pick.number < 1):
        raise ValueError(f"{pick.number!r} is not a number from 1 up")
    if not isinstance(pick.lines, bool):
        raise ValueError(f"lines is {pick.lines!r}, and neither true nor false")
    _text(pick.label)
    return pick


def _expression(value: Any) -> str:
    return xpath.compile(_text(value)).source


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} is not a text")
    return value
