"""Export of a records wrapper for other tools: a schema for crawl4ai, a spider for Scrapy.

They read the same XPaths as the wrapper, or CSS selectors that mean the same. What the wrapper does beyond XPath (lines
of an element, values of a kind, cells that span rows, data from JSON) other tools cannot do; such columns are left out
and listed. Values are texts: conversion to numbers and dates is left to the tool.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final

from duramen.data_records.columns import JSON_SOURCES, Column
from duramen.data_records.export import dump_json
from duramen.data_records.records_wrapper import RecordsWrapper
from duramen.errors import UsageError
from duramen.xpath.css_selectors import to_css

TARGETS: Final = ("crawl4ai", "crawl4ai-css", "scrapy")

_ATTRIBUTES: Final = {"link": "href", "image": "src", "time": "datetime", "value": "content"}
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
        columns = [column for column in columns if to_css(column.path) and not (column.path == "." and column.is_list)]
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
    """The absolute XPath of the records.

    Other parsers add no `tbody` to tables that have none in their source, so it is not required.
    """
    written = wrapper.region + wrapper.record[1:]
    written = re.sub(r"^//tbody\b", "//*[self::table or self::tbody]", written)
    return re.sub(r"(?<=[^/])/tbody(?=/|$)", "/", written)


def make_crawl4ai_schema(wrapper: RecordsWrapper) -> dict[str, Any]:
    """A schema for crawl4ai's `JsonXPathExtractionStrategy`, which takes the first element that an XPath selects."""
    columns, _ = find_exportable(wrapper, "crawl4ai")
    fields = []
    for column in columns:
        # A selector without a slash would be read as CSS.
        field: dict[str, Any] = {"name": column.name, "selector": "./." if column.path == "." else column.path}
        reading = _make_reading(column)
        if column.is_list:
            field |= {"type": "list", "fields": [{"name": "value", "selector": "./.", **reading}]}
        else:
            field |= reading
        fields.append(field)
    return {"name": wrapper.site or "records", "baseSelector": make_record_xpath(wrapper), "fields": fields}


def make_css_schema(wrapper: RecordsWrapper) -> dict[str, Any]:
    """A schema for crawl4ai's `JsonCssExtractionStrategy`. Raises `UsageError` if CSS cannot select the records."""
    # Other parsers add no `tbody` to tables that have none in their source.
    path = re.sub(r"^//tbody/(?=tr)", "//table//", wrapper.region + wrapper.record[1:])
    path = re.sub(r"(?<=[^/])/tbody(?=/|$)", "/", path)
    base = to_css(path)
    if base is None:
        raise UsageError(f"CSS cannot select the records of this wrapper, {path}: use the target crawl4ai")
    columns, _ = find_exportable(wrapper, "crawl4ai-css")
    fields = []
    for column in columns:
        field: dict[str, Any] = {"name": column.name}
        if column.path != ".":  # `:scope` selects nothing in crawl4ai; without a selector it takes the record
            field["selector"] = to_css(column.path)
        reading = _make_reading(column)
        if column.is_list:
            field |= {"type": "list", "fields": [{"name": "value", **reading}]}
        else:
            field |= reading
        fields.append(field)
    return {"name": wrapper.site or "records", "baseSelector": base, "fields": fields}


def _make_reading(column: Column) -> dict[str, str]:
    attribute = column.attribute or _ATTRIBUTES.get(column.source)
    return {"type": "attribute", "attribute": attribute} if attribute else {"type": "text"}


_SPIDER: Final = '''\
"""Records of {site}. Written by duramen from a wrapper{omitted}."""

import scrapy

RECORDS = {records}
FIELDS = {fields}
NEXT_PAGE = "(//link[@rel='next'] | //a[@rel='next'])[1]/@href"


def read_field(record, path, attribute, position, several):
    """The texts or attributes that an XPath selects in a record; the first one, unless there may be several."""
    nodes = record.xpath(path)
    if position:
        nodes = nodes[position - 1 : position]
    texts = [node.attrib.get(attribute, "") if attribute else node.xpath("string()").get("") for node in nodes]
    texts = [text for text in (" ".join(text.split()) for text in texts) if text]
    return texts if several else texts[0] if texts else None


class RecordsSpider(scrapy.Spider):
    name = "records"
    start_urls = {urls}
    custom_settings = {{"ROBOTSTXT_OBEY": True, "DOWNLOAD_DELAY": 1.0}}

    def parse(self, response):
        for record in response.xpath(RECORDS):
            yield {{name: read_field(record, *field) for name, field in FIELDS.items()}}
        for url in response.xpath(NEXT_PAGE).getall():
            yield response.follow(url, self.parse)
'''


def make_scrapy_spider(wrapper: RecordsWrapper) -> str:
    """The source of a Scrapy spider that yields the records, and follows `rel=next`."""
    columns, others = find_exportable(wrapper)
    lines = [
        f"    {_quote(column.name)}: ({_quote(column.path)}, "
        f"{_quote(column.attribute or _ATTRIBUTES.get(column.source, ''))}, {column.position}, {column.is_list}),"
        for column in columns
    ]
    fields = "\n".join(
        ["{  # name: (XPath in the record, attribute, position, whether there may be several)", *lines, "}"]
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
