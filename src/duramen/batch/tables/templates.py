"""Templates: which pages of a site have the same table, and which of their columns are one column.

Pages belong to one template if their records have the same element and most of the columns of one page have the places
of columns of the others. Columns are one column if they have one place, or one name that says more than the kind of the
values ("text", "link_2"). The name of a column is the one that it has on most pages, so that a page without a price
does not shift the names of the others.

All is decided in the order of the pages, so equal rows give equal tables.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from duramen.batch.tables.page_tables import PageColumn, PageTable

MIN_SHARED_COLUMNS: Final = 0.5
"""Share of the columns of a page that a template must have, of the page or of the template, whichever has fewer."""
MAX_TEMPLATES_PER_SITE: Final = 200
"""Further pages go to the template that is most similar: a hostile site may have a new one on each page."""
_KIND_NAME = re.compile(r"(?:text|link|number|icon)(?:_\d+)?|.*_\d+")

_ColumnKey = tuple[str, str]
"""Place and name of a column on a page."""


@dataclass
class TemplateColumn:
    """A column of the table of a template."""

    names: Counter[str] = field(default_factory=Counter)
    """The names that it has, with the number of pages."""
    roles: Counter[str] = field(default_factory=Counter)
    types: Counter[str] = field(default_factory=Counter)

    @property
    def pages(self) -> int:
        return self.names.total()


@dataclass
class Template:
    """The pages of a site that have the same table."""

    site: str
    record: str
    pages: int = 0
    columns: list[TemplateColumn] = field(default_factory=list)
    _of_key: dict[_ColumnKey, int] = field(default_factory=dict)
    _of_place: dict[str, int] = field(default_factory=dict)
    _of_name: dict[str, int] = field(default_factory=dict)

    def similarity(self, table: PageTable) -> float:
        """Return the share of common columns; 0 if the records are other elements."""
        if table.record != self.record:
            return 0.0
        places = {column.place for column in table.columns}
        return len(places & self._of_place.keys()) / max(1, min(len(places), len(self._of_place)))

    def add(self, table: PageTable) -> None:
        """Add the columns of a page."""
        self.pages += 1
        taken: set[int] = set()
        for column in table.columns:
            number = self._find(column, taken)
            if number is None:
                number = len(self.columns)
                self.columns.append(TemplateColumn())
            taken.add(number)
            self._of_key[column.place, column.name] = number
            self._of_place.setdefault(column.place, number)
            self._of_name.setdefault(column.name, number)
            known = self.columns[number]
            known.names[column.name] += 1
            known.roles[column.role] += 1
            known.types[column.type] += 1

    def _find(self, column: PageColumn, taken: set[int]) -> int | None:
        """Return the number of the column that a column of a page is; None for a new one."""
        known = self._of_key.get((column.place, column.name))
        if known is not None:  # else a new one: other pages may have this one and the one that has taken its number
            return None if known in taken else known
        numbers = [self._of_place.get(column.place)]
        if not _KIND_NAME.fullmatch(column.name):
            numbers.append(self._of_name.get(column.name))
        return next((number for number in numbers if number is not None and number not in taken), None)

    def find_columns(self, table: PageTable) -> list[int]:
        """Return for each column of an added page the number of its column in this template."""
        return [self._of_key[column.place, column.name] for column in table.columns]

    def name_columns(self) -> list[str]:
        """Return the name of each column, no two the same: the most frequent one, the first on most pages first."""
        names = [""] * len(self.columns)
        taken: set[str] = set()
        for number in sorted(range(len(names)), key=lambda number: (-self.columns[number].pages, number)):
            wanted = name = max(self.columns[number].names.items(), key=lambda item: item[1])[0]
            suffix = 1
            while name in taken:
                suffix += 1
                name = f"{wanted}_{suffix}"
            taken.add(name)
            names[number] = name
        return names


class TemplateIndex:
    """The templates of all sites, in the order in which they were seen."""

    def __init__(self) -> None:
        self.templates: list[Template] = []
        self._of_site: dict[str, list[int]] = {}

    def add(self, table: PageTable) -> int:
        """Add the table of a page and return the number of its template."""
        numbers = self._of_site.setdefault(table.site, [])
        best = max(numbers, key=lambda number: (self.templates[number].similarity(table), -number), default=None)
        if best is None or (
            self.templates[best].similarity(table) < MIN_SHARED_COLUMNS and len(numbers) < MAX_TEMPLATES_PER_SITE
        ):
            best = len(self.templates)
            self.templates.append(Template(table.site, table.record))
            numbers.append(best)
        self.templates[best].add(table)
        return best


def list_columns(template: Template, names: Sequence[str]) -> list[dict[str, object]]:
    """Describe the columns of a template for the index of the tables."""
    return [
        {
            "name": name,
            "role": max(column.roles.items(), key=lambda item: item[1])[0],
            "type": max(column.types.items(), key=lambda item: item[1])[0],
            "pages": column.pages,
        }
        for name, column in zip(names, template.columns, strict=True)
    ]
