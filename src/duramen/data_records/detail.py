"""The record of a detail page: the fields of one product, recipe, job or event.

Three sources, the first that has a field gives its value:

1. Structured data: the main thing of the JSON-LD of the page, then its microdata.
2. Specifications: tables with two columns, `dl`, and rows of the form "label: value".
3. The page itself: its heading, its description, its image, and the price near the heading.

Values are typed as in tables; `sources` says where each one comes from.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from duramen.data_records import export
from duramen.data_records.columns import CellValue
from duramen.data_records.field_words import PROPERTY_NAMES, name_of_property
from duramen.data_records.format_names import RECORD_EXPORT_FORMATS
from duramen.data_records.labels import MAX_LABEL_CHARS, leading_label
from duramen.data_records.page_links import find_address, find_base_url
from duramen.data_records.prices import read_price
from duramen.data_records.script_state import read_json
from duramen.data_records.structured import MAX_JSON_CHARS, MAX_SCRIPTS, MAX_VALUES, flatten_item
from duramen.data_records.typed import ValueType, convert, parse_number
from duramen.data_records.values import element_text, is_date, is_price, read_split_price
from duramen.dom.class_names import to_snake_case
from duramen.dom.images import find_lazy_image_url
from duramen.dom.page import Page
from duramen.dom.text import clean_text
from duramen.dom.tree import TEXT, Tree
from duramen.dom.tree_queries import find_json_ld_elements
from duramen.dom.urls import join_url
from duramen.errors import UsageError

MIN_PAIRS: Final = 2
"""Labels and values that a list of specifications has at least."""
MAX_FIELDS: Final = 200
MAX_VALUE_CHARS: Final = 2000
MAX_LIST_VALUES: Final = 200
_MAX_ITEMPROPS: Final = 5000
_ROW_TAGS: Final = frozenset(("li", "p", "div"))
_MAX_ROW_NODES: Final = 12
_MAX_VALUE_NODES: Final = 500
"""A larger element is no label and no value; nested ones would be read again at each level."""
_MAX_PRICE_DISTANCE: Final = 400
"""Nodes after the heading in which the price of the page is searched."""

_MAIN_TYPES: Final = (
    "Product ProductGroup Recipe JobPosting Event Book Movie Course Vehicle Car RealEstateListing Apartment House Hotel"
    " Restaurant LocalBusiness Person SoftwareApplication MobileApplication VideoGame MusicAlbum TVSeries Offer"
    " Accommodation SingleFamilyResidence Residence Place Organization Article NewsArticle BlogPosting VideoObject"
).split()
"""Types of schema.org that a detail page is about, the most specific first."""
_LIST_PROPERTIES: Final = ("recipeIngredient", "recipeInstructions", "keywords", "image", "skills")
_TYPE_OF_NAME: Final[dict[str, ValueType]] = {
    "price": "price",
    "highest_price": "price",
    "old_price": "price",
    "rating": "rating",
    "reviews": "count",
    "date": "date",
    "date_modified": "date",
    "valid_through": "date",
}
_SKIPPED_PROPERTIES: Final = frozenset(
    "@context @type @id mainEntityOfPage position review reviews potentialAction".split()
)


@dataclass(frozen=True, eq=False)
class PageRecord:
    """The fields of the one thing that a page is about. Empty, and false, if nothing was found."""

    page: Page = field(repr=False)
    type: str = ""
    """The type of schema.org, if the page says it: `Product`, `Recipe`."""
    fields: dict[str, CellValue] = field(default_factory=dict)
    raw: dict[str, str | list[str]] = field(default_factory=dict, repr=False)
    """The texts of the fields, before conversion."""
    sources: dict[str, str] = field(default_factory=dict, repr=False)
    """Where each value comes from: `json-ld`, `microdata`, `specifications`, `page`."""
    note: str = ""
    """What was left out, if the page has too much to read; else empty."""

    def __bool__(self) -> bool:
        return bool(self.fields)

    def __getitem__(self, name: str) -> CellValue:
        return self.fields[name]

    def as_dict(self) -> dict[str, Any]:
        """Everything that is known, for `json.dumps`."""
        return {
            "url": find_address(self.page),
            "type": self.type,
            "fields": self.fields,
            "sources": self.sources,
            "note": self.note,
        }

    def to_json(self) -> str:
        """The record as JSON."""
        return export.dump_json(self.as_dict())

    def to_csv(self, *, raw: bool = False) -> str:
        """The record as CSV: a line for each field."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(["field", "value", *(["raw"] if raw else [])])
        for name, value in self.fields.items():
            texts = [export.join_values(value), *([export.join_values(self.raw[name])] if raw else [])]
            writer.writerow([export.guard_formula(text) for text in (name, *texts)])
        return out.getvalue()

    def to_text(self) -> str:
        """The record for people: a line for each field, and the note, if there is one."""
        width = max(map(len, self.fields), default=0)
        lines = [
            f"{name:{width}}  {' '.join(export.join_values(value).split())}" for name, value in self.fields.items()
        ]
        return "".join(f"{line}\n" for line in [*lines, *([f"({self.note})"] if self.note else [])])


def format_record(record: PageRecord, format: str, *, raw: bool = False) -> str:
    """Write a record in one of `RECORD_EXPORT_FORMATS`."""
    match format:
        case "text":
            return record.to_text()
        case "json":
            return export.dump_json(record.as_dict() | ({"raw": record.raw} if raw else {}))
        case "csv":
            return record.to_csv(raw=raw)
    raise UsageError(f"unknown format {format!r}: choose one of {', '.join(RECORD_EXPORT_FORMATS)}")


class _Collector:
    """Collects fields: the first value of a name is kept."""

    def __init__(self, base: str | None, language: str | None) -> None:
        self.base = base
        self.language = language
        self.fields: dict[str, CellValue] = {}
        self.raw: dict[str, str | list[str]] = {}
        self.sources: dict[str, str] = {}
        self.has_more = False
        """Whether the page has more fields than `MAX_FIELDS`."""

    def add(self, name: str, value: str | list[str], source: str) -> None:
        if not name or not value or name in self.fields:
            return
        if len(self.fields) >= MAX_FIELDS:
            self.has_more = True
            return
        if name in ("url", "image") and isinstance(value, str):
            value = join_url(self.base, value) or value
        self.raw[name], self.sources[name] = value, source
        if isinstance(value, list):
            self.fields[name] = value
            return
        value_type = _TYPE_OF_NAME.get(name) or _guess_type(value)
        self.fields[name] = convert(value, value_type, self.language)
        price = read_price(value) if value_type == "price" else None
        if price is not None and price.currency and name == "price":
            self.add("currency", price.currency, source)


def _guess_type(value: str) -> ValueType:
    if is_price(value) and len(value) < 20:
        return "price"
    if is_date(value) and not value[:1].isalpha():
        return "date"
    return "number" if parse_number(value) is not None else "text"


def find_page_record(page: Page) -> PageRecord:
    """Find the fields of the thing that a page is about."""
    tree, base = page.tree, find_base_url(page)
    roots = tree.find_all("html")
    collector = _Collector(base, tree.attributes[roots[0]].get("lang") if roots else None)
    thing = _find_main_thing(page)
    type_name = _type_of(thing)
    if thing:
        _add_thing(collector, thing)
    item = _find_main_item(tree)
    if item is not None:
        type_name = type_name or (tree.attributes[item].get("itemtype") or "").rstrip("/").rpartition("/")[2]
        _add_item(collector, tree, item)
    for label, value in find_specifications(tree):
        collector.add(_name_of_label(label), value, "specifications")
    _add_from_page(collector, page)
    more = f"only the first {MAX_FIELDS} fields were read" if collector.has_more else ""
    note = "; ".join(filter(None, (more, page.note)))
    return PageRecord(page, type_name, collector.fields, collector.raw, collector.sources, note)


# Structured data


def _find_main_thing(page: Page) -> dict[str, Any]:
    """The object of the JSON-LD with the type that a detail page is most likely about."""
    tree = page.tree
    best: tuple[int, dict[str, Any]] | None = None
    chars_left = MAX_JSON_CHARS
    for node in find_json_ld_elements(tree)[:MAX_SCRIPTS]:
        text = "".join(tree.text[node + 1 : tree.end[node]])
        chars_left -= len(text)
        if chars_left < 0:
            break
        for thing in _top_objects(read_json(text)):
            name = _type_of(thing)
            if name in _MAIN_TYPES and (best is None or _MAIN_TYPES.index(name) < best[0]):
                best = _MAIN_TYPES.index(name), thing
    return best[1] if best else {}


def _top_objects(value: Any) -> Iterator[dict[str, Any]]:
    waiting, visited = [value], 0
    while waiting and visited < MAX_VALUES:
        value = waiting.pop()
        visited += 1
        if isinstance(value, list):
            waiting.extend(value[::-1])
        elif isinstance(value, dict):
            yield value
            waiting.extend(value[key] for key in ("mainEntity", "@graph") if key in value)


def _type_of(thing: dict[str, Any]) -> str:
    names = thing.get("@type")
    names = names if isinstance(names, list) else [names]
    known = [str(name).rpartition("/")[2] for name in names if name]
    return next((name for name in known if name in _MAIN_TYPES), known[0] if known else "")


def _add_thing(collector: _Collector, thing: dict[str, Any]) -> None:
    for key in _LIST_PROPERTIES:
        if isinstance(thing.get(key), list) and key != "image":
            texts = [
                clean_text(
                    str(member.get("text") or member.get("name") or "") if isinstance(member, dict) else str(member)
                )
                for member in thing[key][:MAX_LIST_VALUES]
            ]
            collector.add(name_of_property(key), [text for text in texts if text], "json-ld")
    kept = {key: value for key, value in thing.items() if key not in _SKIPPED_PROPERTIES and key not in collector.raw}
    for member in thing.get("additionalProperty") or []:
        if isinstance(member, dict) and isinstance(member.get("name"), str) and member.get("value") is not None:
            collector.add(_name_of_label(member["name"]), clean_text(str(member["value"])), "json-ld")
    for path, text in flatten_item(kept).items():
        if name := _name_of_path(path):
            value = text.rpartition("/")[2] if name == "availability" else text
            collector.add(name, value[:MAX_VALUE_CHARS], "json-ld")


def _name_of_path(path: str) -> str:
    """The name of a field for the keys that lead to it: `rating` for `aggregateRating.ratingValue`."""
    parts = [part for part in path.split(".") if part not in ("offers", "aggregateRating", "@value")]
    if not parts or parts[-1].startswith("@") or "additionalProperty" in parts:
        return ""
    if len(parts) == 1:
        return name_of_property(parts[0])
    if parts[-1] in ("name", "value", "text"):
        return name_of_property(parts[-2])
    if parts[-1] == "url":
        return "image" if parts[-2] in ("image", "logo") else ""
    if parts[-1].lower() in PROPERTY_NAMES and parts[-2] in (
        "address",
        "jobLocation",
        "location",
        "priceSpecification",
    ):
        return name_of_property(parts[-1])
    return to_snake_case(" ".join(parts[-2:])) if len(parts) == 2 else ""


def _find_main_item(tree: Tree) -> int | None:
    """The first element of microdata that is a thing of its own, of the types that detail pages are about."""
    scopes = [node for node in range(len(tree)) if "itemscope" in tree.attributes[node]] if _has_microdata(tree) else []
    best: tuple[int, int] | None = None
    for node in scopes[:_MAX_ITEMPROPS]:
        attributes = tree.attributes[node]
        name = (attributes.get("itemtype") or "").rstrip("/").rpartition("/")[2]
        if name in _MAIN_TYPES and "itemprop" not in attributes:
            rank = _MAIN_TYPES.index(name), node
            best = rank if best is None else min(best, rank)
    return best[1] if best else None


def _has_microdata(tree: Tree) -> bool:
    nodes = [node for node in range(len(tree)) if tree.tag[node] != TEXT]
    return any(value is not None for value in tree.attribute_values("itemprop", nodes))


def _add_item(collector: _Collector, tree: Tree, item: int) -> None:
    open_scopes: list[tuple[int, str]] = []  # end, property
    count = 0
    lists: dict[str, list[str]] = {}
    for node in range(item + 1, tree.end[item]):
        while open_scopes and open_scopes[-1][0] <= node:
            open_scopes.pop()
        attributes = tree.attributes[node]
        prop = (attributes.get("itemprop") or "").split()
        if "itemscope" in attributes:
            open_scopes.append((tree.end[node], prop[0] if prop else ""))
            continue
        if not prop or count > _MAX_ITEMPROPS:
            continue
        count += 1
        path = ".".join((*(name for _, name in open_scopes), prop[0]))
        if any(name in _SKIPPED_PROPERTIES for _, name in open_scopes):
            continue
        value = clean_text(_read_item_value(tree, node))[:MAX_VALUE_CHARS]
        if prop[0] in _LIST_PROPERTIES and prop[0] != "image":
            lists.setdefault(name_of_property(prop[0]), []).append(value)
        elif name := _name_of_path(path):
            collector.add(name, value.rpartition("/")[2] if name == "availability" else value, "microdata")
    for name, values in lists.items():
        collector.add(name, [value for value in values if value][:MAX_LIST_VALUES], "microdata")


def _read_item_value(tree: Tree, node: int) -> str:
    attributes = tree.attributes[node]
    value = attributes.get("content") or attributes.get("datetime")
    if value is None and tree.tag[node] == "img":
        value = find_lazy_image_url(attributes, None)
    if value is None and tree.tag[node] in ("a", "link"):
        value = attributes.get("href") if (attributes.get("itemprop") or "") in ("url", "availability") else None
    return value or read_split_price(tree, node) or element_text(tree, node, whole=True)


# Specifications


def find_specifications(tree: Tree) -> list[tuple[str, str]]:
    """The labels and values of tables with two columns, of `dl`, and of rows of the form "label: value"."""
    pairs: list[tuple[str, str]] = []
    for read, tag in ((_read_table, "table"), (_read_definitions, "dl")):
        for node in tree.find_all(tag):
            pairs += read(tree, node)
            if len(pairs) > MAX_FIELDS:
                return pairs
    return pairs + _read_rows(tree)


def _walk_own_nodes(tree: Tree, node: int) -> Iterator[int]:
    """Yield the nodes below an element, without those of elements of the same tag in it."""
    tag, below = tree.tag[node], node + 1
    while below < tree.end[node]:
        if tree.tag[below] == tag:
            below = tree.end[below]
            continue
        yield below
        below += 1


def _read_table(tree: Tree, table: int) -> list[tuple[str, str]]:
    rows: list[tuple[str, str]] = []
    count = 0
    for row in (node for node in _walk_own_nodes(tree, table) if tree.tag[node] == "tr"):
        cells = [child for child in tree.children(row) if tree.tag[child] in ("td", "th")]
        count += bool(cells)
        if len(cells) == 2 and (pair := _make_pair(_text(tree, cells[0]), _text(tree, cells[1]))):
            rows.append(pair)
    return rows if len(rows) >= MIN_PAIRS and 3 * len(rows) >= 2 * count else []


def _read_definitions(tree: Tree, node: int) -> list[tuple[str, str]]:
    pairs: list[tuple[str, str]] = []
    term = ""
    for child in _walk_own_nodes(tree, node):
        if tree.tag[child] == "dt":
            term = _text(tree, child)
        elif tree.tag[child] == "dd" and term:
            if pair := _make_pair(term, _text(tree, child)):
                pairs.append(pair)
            term = ""
    return pairs if len(pairs) >= MIN_PAIRS else []


def _read_rows(tree: Tree) -> list[tuple[str, str]]:
    """Rows of the form "label: value": siblings of one parent, each small, at least `MIN_PAIRS` of them."""
    by_parent: dict[int, list[tuple[str, str]]] = {}
    for node in range(len(tree)):
        if tree.tag[node] not in _ROW_TAGS or not 1 < tree.end[node] - node <= _MAX_ROW_NODES:
            continue
        text = _text(tree, node)
        label = leading_label(text)
        if label and (pair := _make_pair(label, text[len(label) :])) and len(pair[1]) <= 4 * MAX_LABEL_CHARS:
            by_parent.setdefault(tree.parent[node], []).append(pair)
    return [pair for pairs in by_parent.values() if len(pairs) >= MIN_PAIRS for pair in pairs]


def _text(tree: Tree, node: int) -> str:
    if tree.end[node] - node > _MAX_VALUE_NODES:
        return ""
    return " ".join(element_text(tree, node, whole=True)[:MAX_VALUE_CHARS].split())


def _make_pair(label: str, value: str) -> tuple[str, str] | None:
    label, value = label.strip().rstrip(":：").strip(), value.strip()
    if not label or not value or len(label) > MAX_LABEL_CHARS or not any(map(str.isalpha, label)):
        return None
    return label, value


def _name_of_label(label: str) -> str:
    return to_snake_case(label)


# The page itself


def _add_from_page(collector: _Collector, page: Page) -> None:
    tree = page.tree
    headings = tree.find_all("h1")
    if headings:
        collector.add("title", _text(tree, headings[0]), "page")
    meta: dict[str, str] = {}
    for node in tree.find_all("meta"):
        attributes = tree.attributes[node]
        name = (attributes.get("property") or attributes.get("name") or "").lower()
        meta.setdefault(name, clean_text(attributes.get("content") or ""))
    if not collector.fields and not meta.get("og:title"):
        return
    collector.add("price", meta.get("product:price:amount", "") or meta.get("og:price:amount", ""), "page")
    collector.add("currency", meta.get("product:price:currency", "") or meta.get("og:price:currency", ""), "page")
    if headings and "price" not in collector.fields:
        collector.add("price", _find_price(tree, headings[0]), "page")
    collector.add("title", meta.get("og:title", ""), "page")
    collector.add("image", meta.get("og:image", ""), "page")
    collector.add("snippet", meta.get("description", "") or meta.get("og:description", ""), "page")
    collector.add("url", find_address(page) or "", "page")


def _find_price(tree: Tree, heading: int) -> str:
    """The first price after the heading that is the text of an element of its own."""
    for node in range(heading, min(len(tree), heading + _MAX_PRICE_DISTANCE)):
        if tree.tag[node] == TEXT or tree.tag[node] in ("del", "s", "strike"):
            continue
        text = read_split_price(tree, node) or (element_text(tree, node) if tree.end[node] - node <= 3 else "")
        if 0 < len(text) < 30 and is_price(text) and tree.tag[tree.parent[node]] not in ("del", "s", "strike"):
            return text
    return ""
