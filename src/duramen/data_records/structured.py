"""Structured data: lists that a page describes for programs, aligned with the records that it shows.

Many pages hold their list twice: as elements for readers, and as JSON-LD for search engines or as the state of their
scripts (Next, Nuxt, Apollo). An item of the JSON belongs to the record with the same URL or the same title. Its
properties name columns, fill empty cells and add columns that are not on the screen; such columns have `json-ld` or
`state` as their source.

Reading is bounded: number of scripts, characters, values and depth. Nothing is recursive but the decoder of `json`,
which refuses deep values.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, NamedTuple

from duramen.data_records.columns import RawValue
from duramen.data_records.field_words import PROPERTY_NAMES
from duramen.data_records.fields import RecordField, convert_value
from duramen.data_records.script_state import (
    is_flight,
    join_flight,
    read_flight,
    read_json,
    read_nuxt_data,
    read_state,
)
from duramen.data_records.typed import ValueType
from duramen.data_records.values import ValueKind, kind_of_values
from duramen.dom.page import Page
from duramen.dom.text import clean_text, word_key
from duramen.dom.tree_queries import find_json_ld_elements
from duramen.dom.urls import join_url

MAX_JSON_CHARS: Final = 4_000_000
"""Characters of scripts that are parsed on one page."""
MAX_SCRIPTS: Final = 200
MAX_VALUES: Final = 200_000
"""Values of the JSON of a page that are visited."""
MAX_LISTS: Final = 200
MAX_ITEMS: Final = 2000
"""Items of one list that are read."""
MAX_ITEM_DEPTH: Final = 4
MAX_ITEM_VALUES: Final = 200
MAX_TEXT_CHARS: Final = 5000
MIN_ITEMS: Final = 2
MIN_MATCHED_SHARE: Final = 0.5
"""Share of the records that must have an item of the JSON."""
MIN_EQUAL_SHARE: Final = 0.7
"""Share of the values of a column that must be equal to those of a property, to be the same."""
MIN_FILLED_SHARE: Final = 0.3

JsonSource = Literal["json-ld", "state"]
Item = dict[str, str]
"""The values of an item by their keys: `offers.price`."""

_LINK_KEYS: Final = frozenset("url href link permalink slug path uri canonicalurl producturl detailurl weburl".split())
_TITLE_KEYS: Final = frozenset("name title headline displayname productname label heading jobtitle".split())
_STATE_NAMES: Final = {
    **PROPERTY_NAMES,
    **dict.fromkeys(("productname", "displayname"), "title"),
    **dict.fromkeys(("saleprice", "currentprice", "finalprice", "sellingprice"), "price"),
    **dict.fromkeys(
        ("originalprice", "listprice", "regularprice", "oldprice", "compareatprice", "wasprice"), "old_price"
    ),
    **dict.fromkeys(("currency", "currencycode"), "currency"),
    **dict.fromkeys(("rating", "averagerating", "stars"), "rating"),
    **dict.fromkeys(("reviewscount", "numreviews", "reviewscount", "numberofreviews"), "reviews"),
    **dict.fromkeys(("publishedat", "publisheddate", "createdat", "date", "publishdate", "posteddate"), "date"),
    **dict.fromkeys(("authorname", "byline"), "author"),
    **dict.fromkeys(("excerpt", "summary", "snippet", "subtitle"), "snippet"),
    **dict.fromkeys(("imageurl", "thumbnail", "img"), "image"),
    **dict.fromkeys(("city", "locationname"), "location"),
    **{name: name for name in ("brand", "sku", "gtin", "isbn", "model", "color", "size", "category", "condition")},
}
"""Keys of the state of scripts that are used; JSON-LD may have any property."""
_TYPES: Final[dict[str, ValueType]] = {
    "price": "price",
    "old_price": "price",
    "highest_price": "price",
    "rating": "rating",
    "reviews": "count",
    "date": "date",
    "salary": "number",
}
_KINDS: Final[dict[str, ValueKind]] = {"url": "link", "image": "image", "price": "price", "date": "date"}
_SKIPPED_KEYS: Final = frozenset("position @context @type @id".split())


@dataclass(frozen=True)
class StructuredList:
    """The items of a list in the JSON of a page."""

    source: JsonSource
    items: list[Item]
    size: int
    """The members of the list, of which at most `MAX_ITEMS` are read."""


class MatchedItems(NamedTuple):
    """The item of each record, from the list of the JSON that has most of them."""

    source: JsonSource
    items: list[Item | None]
    note: str
    """What was not read."""


def complete_fields(page: Page, base: str | None, fields: list[RecordField]) -> tuple[list[RecordField], str]:
    """Name, complete and add fields by the structured data of a page; return them, and a note of what was not read."""
    titles, urls = _values_with_role(fields, "title"), _values_with_role(fields, "url")
    matched = match_records(page, base, titles, urls)
    if matched is None:
        return fields, ""
    source, items, note = matched
    keys = dict.fromkeys(key for item in items if item for key in item)
    for key in keys:
        name = _name_of_key(key, source)
        if not name:
            continue
        values = [_clean_value(name, item.get(key) if item else None, base) for item in items]
        if sum(value is not None for value in values) >= MIN_FILLED_SHARE * min(len(items), MAX_ITEMS):
            fields = _add_property(fields, name, key, source, values)
    return fields, note


def read_json_column(
    page: Page, base: str | None, titles: Sequence[RawValue], urls: Sequence[RawValue], key: str, name: str
) -> list[RawValue]:
    """The values of a column that is read from JSON, for the records with these titles and URLs."""
    matched = match_records(page, base, titles, urls)
    if matched is None:
        return [None] * max(len(titles), len(urls))
    return [_clean_value(name, item.get(key) if item else None, base) for item in matched.items]


def _clean_value(name: str, value: str | None, base: str | None) -> str | None:
    """A URL as an absolute one; `InStock` instead of `https://schema.org/InStock`."""
    if value is None:
        return None
    if name in ("url", "image"):
        return join_url(base, value)
    return value.rpartition("/")[2] if name == "availability" else value


def _values_with_role(fields: Sequence[RecordField], role: str) -> Sequence[RawValue]:
    return next((field.values for field in fields if field.role == role), [])


def match_records(
    page: Page, base: str | None, titles: Sequence[RawValue], urls: Sequence[RawValue]
) -> MatchedItems | None:
    """The item of each record, from the list of the page's JSON that has most of them; None if none has enough."""
    count = max(len(titles), len(urls))
    record_of_key: dict[str, int] = {}
    for number, title in enumerate(titles):
        if isinstance(title, str) and (key := word_key(title)):
            record_of_key.setdefault(f"title {key}", number)
    for number, url in enumerate(urls):
        if isinstance(url, str):
            record_of_key.setdefault(f"url {_url_key(url)}", number)
    if not record_of_key or not page.tree.find_all("script"):
        return None
    best: MatchedItems | None = None
    most = max(MIN_ITEMS, MIN_MATCHED_SHARE * min(count, MAX_ITEMS)) - 1
    for found in find_structured_lists(page, [title for title in titles if isinstance(title, str)]):
        items: list[Item | None] = [None] * count
        for item in found.items:
            of_record = _find_record(item, base, record_of_key)
            if of_record is not None and items[of_record] is None:
                items[of_record] = item
        matched = sum(item is not None for item in items)
        if matched > most:
            note = f"only the first {MAX_ITEMS:,} of {found.size:,} items of its JSON were read"
            best, most = MatchedItems(found.source, items, note if found.size > MAX_ITEMS else ""), matched
    return best


def _find_record(item: Item, base: str | None, record_of_key: dict[str, int]) -> int | None:
    for key, value in item.items():
        last = key.rpartition(".")[2].lower()
        if last in _LINK_KEYS or last == "@id":
            url = join_url(base, value)
            by_url = record_of_key.get(f"url {_url_key(url)}") if url else None
            if by_url is not None:
                return by_url
    for key, value in item.items():
        if key.rpartition(".")[2].lower() in _TITLE_KEYS and key.count(".") < 2:
            if (number := record_of_key.get(f"title {word_key(value)}")) is not None:
                return number
    return None


def _url_key(url: str) -> str:
    """A URL without scheme, `www.` and fragment."""
    return url.partition("#")[0].partition("://")[2].removeprefix("www.").rstrip("/") or url


def find_structured_lists(page: Page, titles: Sequence[str]) -> Iterator[StructuredList]:
    """The lists in the JSON of a page; of scripts that are no JSON-LD, those that name one of the first records."""
    tree = page.tree
    chars_left = MAX_JSON_CHARS
    json_ld = set(find_json_ld_elements(tree))
    wanted = [json.dumps(title, ensure_ascii=ascii)[1:-1] for title in titles[:3] for ascii in (True, False) if title]
    flight: list[str] = []
    for node in tree.find_all("script")[:MAX_SCRIPTS]:
        text = "".join(tree.text[node + 1 : tree.end[node]])
        if is_flight(text):
            chars_left -= len(text)
            if chars_left >= 0:
                flight.append(text)
            continue
        if node not in json_ld and not any(title in text for title in wanted):
            continue
        chars_left -= len(text)
        if chars_left < 0:
            return
        if node in json_ld:
            yield from _find_lists([read_json(text)], "json-ld")
        elif _is_nuxt_data(tree.attributes[node]):
            yield from _find_lists([read_nuxt_data(text)], "state")
        else:
            yield from _find_lists(read_state(text), "state")
    if flight:
        stream = join_flight(flight)
        if any(title in stream for title in wanted):
            yield from _find_lists(read_flight(stream), "state")


def _is_nuxt_data(attributes: Mapping[str, str | None]) -> bool:
    return attributes.get("id") == "__NUXT_DATA__" or "data-nuxt-data" in attributes


def _find_lists(values: Iterable[Any], source: JsonSource) -> Iterator[StructuredList]:
    """The lists of objects in values; the values of an object that are all objects are a list, too."""
    waiting, visited, lists = list(values), 0, 0
    seen: set[int] = set()  # Nuxt and Next write a value once and refer to it
    while waiting and visited < MAX_VALUES and lists < MAX_LISTS:
        value = waiting.pop()
        visited += 1
        if id(value) in seen:
            continue
        seen.add(id(value))
        members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
        waiting.extend(member for member in members if isinstance(member, (dict, list)))
        read = members[:MAX_ITEMS]
        objects = [member for member in read if isinstance(member, dict)]
        if len(objects) >= MIN_ITEMS and 2 * len(objects) >= len(read):
            lists += 1
            yield StructuredList(source, [flatten_item(_unwrap(member)) for member in objects], len(members))


def _unwrap(member: dict[str, Any]) -> dict[str, Any]:
    """The thing that a ListItem, a GraphQL edge or the like is about."""
    for key in ("item", "node", "product", "data", "attributes"):
        inner = member.get(key)
        if isinstance(inner, dict) and len(inner) > 1:
            return {**{name: value for name, value in member.items() if name in ("url", "name")}, **inner}
    return member


def flatten_item(item: dict[str, Any]) -> Item:
    """The texts and numbers of an object by their keys, joined by points. Of lists, the first member is taken."""
    flat: Item = {}
    waiting: list[tuple[str, Any, int]] = [("", item, 0)]
    for prefix, value, depth in waiting:  # grows while it is walked; bounded below
        if len(flat) >= MAX_ITEM_VALUES or len(waiting) > 4 * MAX_ITEM_VALUES:
            break
        if isinstance(value, list):
            value = value[0] if value else None
        if isinstance(value, dict):
            if depth < MAX_ITEM_DEPTH:
                waiting.extend((f"{prefix}.{key}" if prefix else key, inner, depth + 1) for key, inner in value.items())
        elif isinstance(value, (str, int, float)) and not isinstance(value, bool):
            if text := clean_text(str(value)[:MAX_TEXT_CHARS]):
                flat[prefix] = text
    return flat


def _name_of_key(key: str, source: JsonSource) -> str:
    """The name of a column for a key; "" if it is not used."""
    parts = [part.lower() for part in key.split(".")]
    last = parts[-1]
    outer = parts[-2] if len(parts) > 1 else ""
    if last in _SKIPPED_KEYS or len(parts) > 3:
        return ""
    if "basesalary" in parts[:-1]:
        return {"value": "salary", "minvalue": "salary", "currency": "currency"}.get(last, "")
    if last == "name" and outer:
        return {"author": "author", "brand": "brand", "hiringorganization": "company", "location": "location"}.get(
            outer, ""
        )
    if last in ("url", "contenturl") and outer:
        return "image" if outer == "image" else ""
    known = (
        _STATE_NAMES if source == "state" else PROPERTY_NAMES | {"sku": "sku", "brand": "brand", "category": "category"}
    )
    name = known.get(last, "")
    if outer and name in ("title", "snippet", "date", "image"):
        return ""  # of something else than the record: of an offer, of a review
    return name


def _add_property(
    fields: list[RecordField], name: str, key: str, source: JsonSource, values: list[str | None]
) -> list[RecordField]:
    """The fields with those of a property: the same column, if there is one with its values, else a new one."""
    value_type = _TYPES.get(name, "text")
    for number, field in enumerate(fields):
        if field.source not in ("json-ld", "state") and _have_same_values(field, values, value_type):
            is_taken = any(other is not field and name in (other.name, other.role) for other in fields)
            filled = [mine if mine is not None else theirs for mine, theirs in zip(field.values, values, strict=True)]
            changed = replace(field, values=filled)
            if not field.is_named and not is_taken:
                changed = replace(changed, name=name, role=name, value_type=value_type, is_named=True)
            return [*fields[:number], changed, *fields[number + 1 :]]
    if any(name in (field.name, field.role) for field in fields):
        return fields
    if len(set(values)) < 2 and name != "currency":
        return fields
    kind = _KINDS.get(name) or kind_of_values([value for value in values if value])
    return [*fields, RecordField(name, kind, source, values, json_path=key, value_type=value_type, role=name)]


def _have_same_values(field: RecordField, values: Sequence[str | None], value_type: ValueType) -> bool:
    pairs = [(mine, theirs) for mine, theirs in zip(field.values, values, strict=True) if mine and theirs]
    if len(pairs) < MIN_ITEMS:
        return False
    same = sum(_are_equal(mine, theirs, value_type) for mine, theirs in pairs)
    return same >= MIN_EQUAL_SHARE * len(pairs)


def _are_equal(mine: RawValue, theirs: str, value_type: ValueType) -> bool:
    text = " ".join(mine) if isinstance(mine, list) else mine or ""
    if value_type != "text":
        return convert_value(text, value_type, None) == convert_value(theirs, value_type, None)
    if text.startswith("http"):
        return _url_key(text) == _url_key(theirs)
    return word_key(text) == word_key(theirs) != ""
