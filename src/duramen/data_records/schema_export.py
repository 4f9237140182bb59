"""Export of a records wrapper for other tools: a schema for crawl4ai, a spider for Scrapy.

They read the same XPaths as the wrapper, or CSS selectors that mean the same. What the wrapper does beyond XPath (lines
of an element, values of a kind, cells that span rows, data from JSON) other tools cannot do; such columns are left out
and listed. Values are texts: conversion to numbers and dates is left to the tool.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from itertools import product
from typing import Any, Final

from duramen.data_records.columns import JSON_SOURCES, Column
from duramen.data_records.export import dump_json
from duramen.data_records.records_wrapper import RecordsWrapper
from duramen.errors import UsageError
from duramen.xpath.css_selectors import to_css

TARGETS: Final = ("crawl4ai", "crawl4ai-css", "scrapy")

_ATTRIBUTES: Final = {"link": "href", "image": "src", "time": "datetime", "value": "content"}
MAX_VARIED_TBODIES: Final = 3
"""Steps that are written with and without `tbody`; of more, all or none."""
_TBODY = re.compile(r"(?<![\w@:'-])tbody(?![\w'-]|\[\d)")
_SEVERAL_STEPS = re.compile(r":has\((?:> )?+[^()\s]*(?:\([^()]*\)[^()\s]*)*+(?<!:has)[\s(]|:has\([^)]*:has")
_DERIVED_TYPES: Final = ("currency", "highest price", "old price")


def export_wrapper(wrapper: RecordsWrapper, target: str) -> str:
    """The wrapper as a file for another tool: one of `TARGETS`."""
    if wrapper.follow:
        raise UsageError("records that are runs of siblings have no single XPath: this wrapper cannot be exported")
    match target:
        case "crawl4ai":
            return dump_json(make_crawl4ai_schema(wrapper))
        case "crawl4ai-css":
            return dump_json(make_css_schema(wrapper))
        case "scrapy":
            return make_scrapy_spider(wrapper)
    raise UsageError(f"unknown target {target!r}: choose one of {', '.join(TARGETS)}")


def find_exportable(wrapper: RecordsWrapper, target: str = "scrapy") -> tuple[list[Column], list[str]]:
    """The columns that the selectors of a tool can read, and the names of the others."""
    columns = [column for column in wrapper.columns if _is_exportable(column)]
    if target != "scrapy":  # crawl4ai takes the first element, or all
        columns = [column for column in columns if column.position in (None, 1)]
    if target == "crawl4ai-css":
        columns = [column for column in columns if _to_css(column.path) and not (column.path == "." and column.is_list)]
    names = {column.name for column in columns}
    return columns, [column.name for column in wrapper.columns if column.name not in names]


def _is_exportable(column: Column) -> bool:
    return (
        column.source not in JSON_SOURCES
        and column.value_type not in _DERIVED_TYPES
        and not column.text_filter.by_line
        and column.text_filter.kind is None
        and not column.part
        and not column.is_partial
        and column.table_column is None
    )


def make_record_xpath(wrapper: RecordsWrapper) -> str:
    """The absolute XPath of the records, with and without the `tbody` that HTML parsers add to tables."""
    return " | ".join(vary_tbody(wrapper.region + wrapper.record[1:]))


def vary_tbody(path: str) -> list[str]:
    """The path, and the same without each `tbody`: other parsers add none to tables that have none in their source.

    A `tbody` with a position stays: without it the position would be that of another element.
    """
    places = [match.start() for match in _TBODY.finditer(path)]
    if len(places) > MAX_VARIED_TBODIES:
        choices: Iterable[tuple[bool, ...]] = [(True,) * len(places), (False,) * len(places)]
    else:
        choices = product((True, False), repeat=len(places))
    return [
        _remove_tbodies(path, [at for at, is_kept in zip(places, kept, strict=True) if not is_kept]) for kept in choices
    ]


def _remove_tbodies(path: str, places: Sequence[int]) -> str:
    for at in reversed(places):
        before, after = path[:at], path[at + len("tbody") :]
        if before.endswith("//"):
            path = f"{before}table{after}"  # its rows are children of the table
        elif before.endswith("/"):
            path = before[:-1] + after
        else:  # the beginning of a condition: `[tbody/tr]`
            path = before + (after[1:] if after.startswith("/") else f"tr{after}")
    return path


def make_crawl4ai_schema(wrapper: RecordsWrapper) -> dict[str, Any]:
    """A schema for crawl4ai's `JsonXPathExtractionStrategy`, which takes the first element that an XPath selects."""
    columns, _ = find_exportable(wrapper, "crawl4ai")
    fields = []
    for column in columns:
        # A selector without a slash would be read as CSS.
        field: dict[str, Any] = {"name": column.name, "selector": "./." if column.path == "." else _vary_path(column)}
        reading = _make_reading(column)
        if column.is_list:
            field |= {"type": "list", "fields": [{"name": "value", "selector": "./.", **reading}]}
        else:
            field |= reading
        fields.append(field)
    return {"name": wrapper.site or "records", "baseSelector": make_record_xpath(wrapper), "fields": fields}


def make_css_schema(wrapper: RecordsWrapper) -> dict[str, Any]:
    """A schema for crawl4ai's `JsonCssExtractionStrategy`. Raises `UsageError` if CSS cannot select the records."""
    path = wrapper.region + wrapper.record[1:]
    base = _to_css(path)
    if not base:
        raise UsageError(f"CSS cannot select the records of this wrapper, {path}: use the target crawl4ai")
    columns, _ = find_exportable(wrapper, "crawl4ai-css")
    fields = []
    for column in columns:
        field: dict[str, Any] = {"name": column.name}
        if column.path != ".":  # `:scope` selects nothing in crawl4ai; without a selector it takes the record
            field["selector"] = _to_css(column.path)
        reading = _make_reading(column)
        if column.is_list:
            field |= {"type": "list", "fields": [{"name": "value", **reading}]}
        else:
            field |= reading
        fields.append(field)
    return {"name": wrapper.site or "records", "baseSelector": base, "fields": fields}


def _vary_path(column: Column) -> str:
    return " | ".join(vary_tbody(column.path))


def _to_css(path: str) -> str:
    """CSS selectors that mean the same as an XPath, with and without `tbody`; "" if crawl4ai can read none.

    Its library for CSS, soupsieve, takes one step in a condition, and no condition in another one.
    """
    selectors = [to_css(variant) or "" for variant in vary_tbody(path)]
    if not all(selectors) or any(map(_SEVERAL_STEPS.search, selectors)):
        return ""
    return ", ".join(selectors)


def _make_reading(column: Column) -> dict[str, str]:
    attribute = column.attribute or _ATTRIBUTES.get(column.source)
    return {"type": "attribute", "attribute": attribute} if attribute else {"type": "text"}


_SPIDER: Final = '''\
"""Records of {site}. Written by duramen from a wrapper{omitted}."""

import scrapy

RECORDS = {records}
FIELDS = {fields}
NEXT_PAGE = "(//link[@rel='next'] | //a[@rel='next'])[1]/@href"


def read_field(response, record, path, attribute, position, several, is_url):
    """The texts or attributes that an XPath selects in a record; the first one, unless there may be several."""
    nodes = record.xpath(path)
    if position:
        nodes = nodes[position - 1 : position]
    texts = [node.attrib.get(attribute, "") if attribute else node.xpath("string()").get("") for node in nodes]
    texts = [text for text in (" ".join(text.split()) for text in texts) if text]
    if is_url:
        texts = [response.urljoin(text) for text in texts]
    return texts if several else texts[0] if texts else None


class RecordsSpider(scrapy.Spider):
    name = "records"
    start_urls = {urls}
    custom_settings = {{"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1.0}}

    def parse(self, response):
        for record in response.xpath(RECORDS):
            yield {{name: read_field(response, record, *field) for name, field in FIELDS.items()}}
        for url in response.xpath(NEXT_PAGE).getall():
            yield response.follow(url, self.parse)
'''


def make_scrapy_spider(wrapper: RecordsWrapper) -> str:
    """The source of a Scrapy spider that yields the records, and follows `rel=next`."""
    columns, others = find_exportable(wrapper)
    lines = [
        f"    {_quote(column.name)}: ({_quote(_vary_path(column))}, "
        f"{_quote(column.attribute or _ATTRIBUTES.get(column.source, ''))}, {column.position}, {column.is_list}, "
        f"{column.source in ('link', 'image')}),"
        for column in columns
    ]
    fields = "\n".join(
        [
            "{  # name: (XPath in the record, attribute, position, whether there may be several, whether it is a URL)",
            *lines,
            "}",
        ]
    )
    site = re.sub(r'["\\\\\s]+', " ", wrapper.site or "a site")
    names = ", ".join(re.sub("[^a-zA-Z0-9_-]", "_", name) for name in others)
    omitted = f", without {names}" if others else ""
    urls = f"[{_quote(wrapper.site)}]" if wrapper.site else "[]"
    return _SPIDER.format(
        site=site, omitted=omitted, records=_quote(make_record_xpath(wrapper)), fields=fields, urls=urls
    )


def _quote(text: str) -> str:
    """A text as a Python literal, which is also one of JSON."""
    return json.dumps(text)
