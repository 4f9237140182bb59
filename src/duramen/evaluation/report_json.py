"""Write the results of an evaluation as JSON: leaderboard, groups, and every page."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from duramen import __version__
from duramen.evaluation.metrics.agreement import TOLERANCE, Agreement
from duramen.evaluation.results import Results, Summary
from duramen.evaluation.run import PageScore

_DIGITS = 5


def results_to_dict(results: Results) -> dict[str, Any]:
    """Return the results as plain objects. Shares are from 0 to 1; times are milliseconds."""
    return {
        "duramen": __version__,
        "partial": results.partial,
        "sets": results.sets,
        "pages_scored": results.pages,
        "verdict_tolerance": TOLERANCE,
        "parse_milliseconds": _round(results.parse_milliseconds),
        "leaderboard": _rows_to_dicts(results.leaderboard()),
        "by_set": {name: _rows_to_dicts(rows) for name, rows in results.by(lambda example: example.set).items()},
        "by_type": {name: _rows_to_dicts(rows) for name, rows in results.by(lambda example: example.type).items()},
        "by_lang": {name: _rows_to_dicts(rows) for name, rows in results.by(lambda example: example.lang).items()},
        "by_site": {
            name: {row.extractor: {"pages": row.pages, "words": _round(row.words)} for row in rows}
            for name, rows in results.by(lambda example: f"{example.set}/{example.site}").items()
        },
        "failures": [
            {"method": page.extractor, "set": page.example.set, "id": page.example.id, "error": page.error}
            for page in results.failures
        ],
        "unreadable": [
            {"set": run.example.set, "id": run.example.id, "error": run.unreadable} for run in results.unreadable
        ],
        "pages": [_page_to_dict(page) for page in results.scores],
    }


def dumps(results: Results) -> str:
    """Write the JSON text with one line for every row and page, so that a person can search it."""
    return (
        "{\n"
        + ",\n".join(f"{json.dumps(key)}: {_write_lines(value)}" for key, value in results_to_dict(results).items())
        + "\n}\n"
    )


def _write_lines(value: Any) -> str:
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(json.dumps(item, ensure_ascii=False) for item in value) + "\n]"
    if isinstance(value, dict):
        items = (f"{json.dumps(key, ensure_ascii=False)}: {_write_lines(item)}" for key, item in value.items())
        return "{\n" + ",\n".join(items) + "\n}"
    return json.dumps(value, ensure_ascii=False)


def _rows_to_dicts(rows: list[Summary]) -> list[dict[str, Any]]:
    return [
        {("method" if key == "extractor" else key): value for key, value in _fields_to_dict(row).items()}
        for row in rows
    ]


def _page_to_dict(page: PageScore) -> dict[str, Any]:
    example = page.example
    return {
        "set": example.set,
        "id": example.id,
        "site": example.site,
        "type": example.type,
        "lang": example.lang,
        "method": page.extractor,
        **_fields_to_dict(page.score),
        "milliseconds": _round(page.milliseconds),
        "error": page.error,
    }


def _fields_to_dict(row: Any) -> dict[str, Any]:
    return {name: _round(getattr(row, name)) for name in (field.name for field in fields(row))}


def _round(value: Any) -> Any:
    if isinstance(value, Agreement):
        return {name: round(number, _DIGITS) for name, number in value._asdict().items()}
    if isinstance(value, tuple):
        return [round(number, _DIGITS) for number in value]
    return round(value, _DIGITS) if isinstance(value, float) else value
