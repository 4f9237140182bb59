"""The table of one page, as the row of the page carries it: JSON in the text of the row.

A column has a *place*: the path from the record to its elements, by tags and class names. Pages of one template have
the same places, also where the names of columns differ, because one page shows something that another one does not.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from duramen.api import records
from duramen.batch.inputs.splits import InputPage
from duramen.batch.settings import TABLE_FORMAT
from duramen.batch.sites.lookup import find_site
from duramen.content import Content, subtree
from duramen.data_records.table import SECTION_NAME, Table
from duramen.dom.page import Page


@dataclass(frozen=True)
class PageColumn:
    """A column of the table of one page."""

    name: str
    place: str
    """Where its values are in a record: the same on all pages of a template."""
    role: str = ""
    type: str = "text"


@dataclass(frozen=True)
class PageTable:
    """The table of one page: the columns, and the values of each record in their order."""

    site: str
    record: str
    """The tag of the records, and their class."""
    columns: Sequence[PageColumn]
    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, table: Table, input_page: InputPage) -> PageTable:
        """Describe the table of a page. It must not be empty."""
        seen: Counter[str] = Counter()
        columns = [PageColumn(SECTION_NAME, SECTION_NAME)] if table.sections else []
        for field in table.fields:
            seen[field.place] += 1
            place = field.place if seen[field.place] == 1 else f"{field.place} {seen[field.place]}"
            columns.append(PageColumn(field.name, place, field.role, field.value_type))
        rows = [[row[column.name] for column in columns] for row in table.rows]
        return cls(find_site(input_page) or "", table.record_name, columns, rows)

    def dumps(self) -> str:
        """Return the table as JSON, on one line."""
        data = {
            "site": self.site,
            "record": self.record,
            "columns": [vars(column) for column in self.columns],
            "rows": self.rows,
        }
        return json.dumps(data, ensure_ascii=False)

    @classmethod
    def loads(cls, text: str) -> PageTable:
        """Read a table that `dumps` has written."""
        data: Mapping[str, Any] = json.loads(text)
        return cls(data["site"], data["record"], [PageColumn(**column) for column in data["columns"]], data["rows"])


def extract_page_table(page: Page, input_page: InputPage) -> tuple[Content, str]:
    """Find the main list of a page. Return it as a content, with its table as JSON, "" if there is none."""
    table = records(page)
    spans = () if table.node is None else subtree(table.page.tree, table.node)
    content = Content(table.page, TABLE_FORMAT, table.reason, spans, table.confidence)
    return content, PageTable.of(table, input_page).dumps() if table else ""
