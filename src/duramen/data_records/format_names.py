"""Names of the formats that tables and records are written in.

A module of its own: the command line prints them in its help, and the writers take longer to import.
"""

from __future__ import annotations

from typing import Final

TABLE_EXPORT_FORMATS: Final = ("table", "csv", "json", "jsonl", "xml")
RECORD_EXPORT_FORMATS: Final = ("text", "json", "csv")
