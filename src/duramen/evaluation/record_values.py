"""How many values of the reference entries the columns of a table contain.

Columns have names of their own, so each field of the entries is compared with every column, and the column with the
most right values counts as the column of the field. Only records that match an entry are compared: what is missing
there is missing in the recall of the records.

A value is right if the cell has its words and no others; a date, if it is the same day; a URL, if it differs at most in
its scheme, its fragment and a slash at its end.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

from duramen.data_records.columns import CellValue
from duramen.dom.dates import as_date, parse_date
from duramen.evaluation.records import ReferenceEntry, ValueCount
from duramen.language import words

_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_URL_ENDS = re.compile(r"^https?://(?:www\.)?|#.*|/$")


def count_values(
    rows: Sequence[Mapping[str, CellValue]], matches: Mapping[int, ReferenceEntry]
) -> dict[str, ValueCount]:
    """Count the right values of each field. `matches` are the entries of the right rows, by the index of the row."""
    totals = Counter(name for entry in matches.values() for name in entry.values)
    right: dict[str, Counter[str]] = {name: Counter() for name in totals}
    for place, entry in matches.items():
        for name, value in entry.values.items():
            right[name].update(column for column, cell in rows[place].items() if is_same_value(cell, value))
    return {name: ValueCount(max(right[name].values(), default=0), total) for name, total in totals.items()}


def is_same_value(cell: CellValue, reference: str) -> bool:
    """True if a cell has the reference value, and nothing else."""
    if not cell:
        return False
    text = " ".join(map(str, cell)) if isinstance(cell, list) else str(cell)
    if "://" in reference:
        return _URL_ENDS.sub("", text) == _URL_ENDS.sub("", reference)
    if "://" in text and "/" in reference and " " not in reference:
        return text.endswith(reference)
    if words(text) == words(reference):
        return True
    if _ISO_DATE.match(text) is None and _ISO_DATE.match(reference) is None:
        return False
    days = [moment and as_date(moment) for moment in (parse_date(text), parse_date(reference))]
    return days[0] is not None and days[0] == days[1]
