"""What was found, told to a person: where the list stands, why it is the list, and how each column is read."""

from __future__ import annotations

from duramen.data_records.fields import Value
from duramen.data_records.formats import flat
from duramen.data_records.table import Table

_SHOWN = 60


def explain(table: Table) -> str:
    """A few lines on the list, and two for each column."""
    if not table:
        return f"{table.reason}\n"
    lines = [
        f"list        {table.xpath}",
        f"records     {len(table)}, {table.reason.partition(': ')[2] or table.reason}",
        f"confidence  {table.confidence:.2f}",
        "",
    ]
    for one in table.fields:
        values: list[Value] = [row[one.name] for row in table.rows]
        filled = [value for value in values if value is not None]
        several = ", several to a record" if one.listed else ""
        lines.append(f"{one.name}: {one.kind}{several}, in {len(filled)} of {len(table)}")
        lines.append(f"    {one.xpath}{f'   ({one.told})' if one.told else ''}")
        lines.append(f"    {_short(flat(filled[0]))}" if filled else "    (nowhere)")
    return "\n".join(lines) + "\n"


def _short(text: str) -> str:
    text = " ".join("".join(char if char.isprintable() else " " for char in text).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
