"""Fields of records: read the values of aligned elements, drop noise, decide names, roles and types.

A `RecordField` has the values of a column, and the aligned elements that they come from. The selector of the column is
found from these only if somebody asks for it (`Table.columns`): most callers want the rows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urldefrag

from duramen.data_records.alignment import AlignedField, align
from duramen.data_records.column_evidence import ColumnEvidence, find_urls, read_surroundings
from duramen.data_records.column_roles import ROLES
from duramen.data_records.columns import (
    TEXT_SOURCES,
    CellValue,
    Column,
    FieldPath,
    RawValue,
    RecordReader,
    ValueSource,
)
from duramen.data_records.fitting import fit_column, merge_fields, narrow_column
from duramen.data_records.grid import GridRow, find_header, find_header_row
from duramen.data_records.labels import MAX_LABEL_CHARS, MIN_RECORD_SHARE
from duramen.data_records.naming import are_posts, name_columns
from duramen.data_records.noise import are_action_urls, are_interface_texts, is_constant
from duramen.data_records.post_columns import PostValues
from duramen.data_records.prices import read_price
from duramen.data_records.record_segmentation import Record
from duramen.data_records.subtrees import SubtreeWeights
from duramen.data_records.typed import TypedValue, ValueType, convert, parse_number, unify_date_order
from duramen.data_records.values import FORMATTING_TAGS, ValueKind, kind_of_values
from duramen.dom.images import lazy_image_attribute
from duramen.dom.tree import TEXT, Tree

MIN_CONSTANT_RECORDS: Final = 3
"""A text that so many records have, and all the same, is a label or a button, and no column."""
MIN_RARE_VALUES: Final = 2
"""Values of a column of prices or dates, however many records there are."""
MAX_MENU_CHARS: Final = 40
"""Mean length of the texts of a menu in a record."""
MAX_POST_COLUMNS: Final = 8
MAX_UNNAMED_COLUMNS: Final = 10
"""Columns that are named by the kind of their values alone, besides one for each cell of a table."""
MIN_COPY_SHARE: Final = 0.8
"""Share of the links of a column that must lead to the page of the record if the column is a copy of its URL."""
_KIND_OF_SOURCE: Final[dict[str, ValueKind]] = {"link": "link", "image": "image", "time": "date"}
_PRICE_TYPES: Final = ("price", "currency", "highest price", "old price")
KIND_NAME = re.compile(r"(?:text|link|number|image|icon)(?:_\d+)?")
"""The name of a column that is named by the kind of its values alone."""
MAX_BUTTON_WORDS: Final = 3
"""Words of a button that names its link."""
COPY_NAME = re.compile(r"(?:date|time)(?:_\d+)?")
ISO_DAY_CHARS: Final = 10
"""Length of a day in ISO 8601."""
BADGE_NAME = re.compile(r"image_\d+|icon(?:_\d+)?")
_POST_ROLES: Final = ("user", "date", "text")


@dataclass(frozen=True, eq=False)
class RecordField:
    """A column with its values, before it has a selector."""

    name: str
    kind: ValueKind
    source: ValueSource
    values: Sequence[RawValue]
    """The text of each record."""
    aligned: AlignedField | None = None
    """The elements; None for values that are read from JSON."""
    json_path: str = ""
    value_type: ValueType = "text"
    role: str = ""
    is_list: bool = False
    has_header: bool = False
    is_named: bool = False
    """True if the page itself names the column, or it has a role."""

    @property
    def place(self) -> str:
        """Where the values are in a record, by tags and names: the same on all pages of a template."""
        if self.aligned is None:
            return f"{self.source} {self.json_path} {self.value_type}"
        steps = [
            f"{step.tag}.{step.name}" if step.name else f"{step.tag}[{step.label}]" if step.label else step.tag
            for step in self.aligned.path
        ]
        which = " ".join(filter(None, (self.aligned.text_filter.label, self.aligned.text_filter.kind)))
        return " ".join(filter(None, (self.source, "/".join(steps), which, self.value_type)))

    def read(self, language: str | None) -> list[CellValue]:
        """The typed values."""
        return convert_column(self.values, self.value_type, language)

    def fit(self, reader: RecordReader, records: Sequence[Record]) -> Column:
        """The column with its selector."""
        if self.aligned is None:
            return Column(self.name, self.kind, self.source, self.json_path, value_type=self.value_type, role=self.role)
        column = narrow_column(reader, records, fit_column(reader, records, self.aligned, self.kind))
        return replace(
            column,
            name=self.name,
            kind=self.kind,
            is_list=self.is_list,
            value_type=self.value_type,
            role=self.role,
            attribute=find_lazy_attribute(reader.tree, self.aligned.nodes) if self.source == "image" else "",
        )


def find_lazy_attribute(tree: Tree, members: Sequence[Sequence[int]]) -> str:
    """The attribute with the address of most images, if it is not `src`."""
    names = Counter(lazy_image_attribute(tree.attributes[node]) for nodes in members for node in nodes[:1])
    return next((name for name, _ in names.most_common(1)), "")


def convert_column(values: Sequence[RawValue], value_type: ValueType, language: str | None) -> list[CellValue]:
    """The typed values of a column. Its dates have one order of day and month."""
    if value_type == "date":
        texts = [value for value in values if isinstance(value, str)]
        unified = dict(zip(texts, unify_date_order(texts), strict=True))
        values = [unified[value] if isinstance(value, str) else value for value in values]
    return [convert_value(value, value_type, language) for value in values]


def convert_value(value: RawValue, value_type: ValueType, language: str | None) -> CellValue:
    """The typed value of a text, or of a list of texts. An old and a new price are one value."""
    if value is None or value_type == "text":
        return value
    if isinstance(value, list):
        if value_type in _PRICE_TYPES:
            return convert(" ".join(value), value_type, language)
        typed: list[TypedValue] = [
            converted for text in value if (converted := convert(text, value_type, language)) is not None
        ]
        return typed
    return convert(value, value_type, language)


def find_fields(
    reader: RecordReader,
    weights: SubtreeWeights,
    records: tuple[Record, ...],
    posts: PostValues | None = None,
    *,
    is_thread: bool = False,
) -> list[RecordField]:
    """The fields of records, named, in the order of the columns of a table; `posts`: what is known of a thread."""
    header = find_header_row(weights, records)
    fields, evidence = _read_fields(reader, weights, records, header)
    names = name_columns(evidence, posts)
    named = [
        replace(
            field,
            name=name.name,
            role=name.role,
            is_named=bool(name.role or evidence[number].own_label or evidence[number].itemprop),
        )
        for number, (field, name) in enumerate(zip(fields, names, strict=True))
    ]
    has_phone = any(field.kind == "phone" for field in named)
    named = [
        replace(field, value_type=_choose_type(field, column))
        for field, column in zip(named, evidence, strict=True)
        if not (column.is_weak and field.role != "url") and not (has_phone and _are_phone_links(field))
    ]
    named = _drop_copies_of_url(_drop_repeated_numbers(_drop_parts_of_texts(_drop_copies_of_title(named))))
    named = _drop_copies_of_date([field for field in named if not _is_badge(field)])
    named = [derived for field in named for derived in _derive_from_price(field, named)]
    if is_thread or are_posts(names):
        return _limit_columns_of_posts(named)
    named = _limit_unnamed(named)
    return named if header else sort_fields(named)


def sort_fields(fields: Sequence[RecordField]) -> list[RecordField]:
    """The fields with those first that have a common role; the others stay in their order."""
    return sorted(fields, key=lambda field: ROLES.index(field.role) if field.role in ROLES else len(ROLES))


def _read_fields(
    reader: RecordReader, weights: SubtreeWeights, records: tuple[Record, ...], header: GridRow
) -> tuple[list[RecordField], list[ColumnEvidence]]:
    """The fields that are no noise, without names, and the evidence for these."""
    tree = reader.tree
    are_runs = any(len(record) > 1 or tree.tag[record[0]] == TEXT for record in records)
    fields: list[RecordField] = []
    evidence: list[ColumnEvidence] = []
    seen: set[tuple[str, ...]] = set()
    button_texts: dict[FieldPath, str] = {}  # the constant text of a link; "" for a word of the interface
    label = ""
    label_parent: FieldPath = ()
    for aligned in merge_fields(reader, records, align(weights, records, has_header=bool(header))):
        values = [
            reader.read_nodes(
                nodes,
                aligned.source,
                aligned.text_filter,
                is_list=aligned.is_list,
                joins_texts=not aligned.path and are_runs,
            )
            for nodes in aligned.nodes
        ]
        filled = [value for value in values if value]
        if not filled:
            continue
        pieces = [piece for value in filled for piece in (value if isinstance(value, list) else [value])]
        kind = _KIND_OF_SOURCE.get(aligned.source, "text")
        if aligned.source in TEXT_SOURCES:
            kind = kind_of_values(pieces)
        own_label = _own_label(aligned)
        column_header = find_header(tree, records, aligned.nodes, header)
        is_flag = own_label and len(filled) < len(records) and not _is_label(filled[0], own_label)  # "Remote: yes"
        is_text = aligned.source in TEXT_SOURCES
        is_interface = is_text and are_interface_texts(pieces) and not (column_header and _has_no_link(tree, aligned))
        if _is_constant(kind, filled) and not is_flag and not (column_header and is_text and not is_interface):
            if is_text and str(filled[0]).rstrip().endswith((":", "：")):
                label, label_parent = str(filled[0]), aligned.path[:-1]
            elif is_text:
                button_texts[aligned.path] = "" if is_interface else str(filled[0])
            continue
        as_texts = tuple(map(str, values))
        is_rare = len(filled) < MIN_RECORD_SHARE * len(records) and not column_header
        if as_texts in seen or (is_rare and (kind not in ("price", "date") or len(filled) < MIN_RARE_VALUES)):
            continue  # too few values, or a copy of another column: the image links to the same URL as the title
        if (is_interface and not own_label) or (aligned.source == "link" and are_action_urls(pieces)):
            button_texts[aligned.path] = ""
            continue
        seen.add(as_texts)
        is_list = any(isinstance(value, list) and len(value) > 1 for value in filled)
        if not is_list:
            values = [value[0] if isinstance(value, list) else value for value in values]
        column_label = own_label
        is_button = aligned.source == "link" and aligned.path in button_texts
        if is_button and not own_label and len(button_texts[aligned.path].split()) <= MAX_BUTTON_WORDS:
            column_label = button_texts[aligned.path][:MAX_LABEL_CHARS]
        if not column_label and not column_header and aligned.path[: len(label_parent)] == label_parent:
            column_label = label
        label, label_parent = "", ()
        fields.append(
            RecordField("", kind, aligned.source, values, aligned, is_list=is_list, has_header=bool(column_header))
        )
        texts = tuple("\n".join(value) if isinstance(value, list) else value or "" for value in values)
        around = read_surroundings(tree, records, aligned)
        evidence.append(
            ColumnEvidence(
                path=aligned.path,
                source=aligned.source,
                kind=kind,
                label="" if around.itemprop and not any(step.label for step in aligned.path[-1:]) else column_label,
                header=column_header,
                texts=texts,
                urls=() if is_list else find_urls(reader, records, aligned),
                is_list=is_list,
                itemprop=around.itemprop,
                outer_itemprop=around.outer_itemprop,
                classes=around.classes,
                surroundings=around.all_classes,
                tags=around.tags,
                is_line=aligned.text_filter.by_line,
                is_weak=is_button and not column_label and not column_header,
            )
        )
    kept = [number for number, column in enumerate(evidence) if not _is_menu(column, button_texts)]
    return [fields[number] for number in kept], [evidence[number] for number in kept]


def _is_menu(column: ColumnEvidence, button_texts: Mapping[FieldPath, str]) -> bool:
    """True for the few words of links that do something: "Cached", in the language of the page."""
    is_button = column.is_text and button_texts.get(column.path) == "" and not column.own_label
    return is_button and column.mean_chars <= MAX_MENU_CHARS and 2 * column.distinct_share <= 1


def _are_phone_links(field: RecordField) -> bool:
    return field.source == "link" and all(str(value).startswith(("tel:", "['tel:")) for value in field.values if value)


def _choose_type(field: RecordField, column: ColumnEvidence) -> ValueType:
    """How the texts of a column are converted."""
    if field.role in ("rating", "reviews"):
        return "rating" if field.role == "rating" else "count"
    if column.counted_word and column.kind == "text":
        return "count"
    if field.kind == "price" or field.role in ("price", "old_price"):
        return "price"
    if field.kind == "date":
        return "date"
    if field.kind == "number":
        texts = [text for value in field.values if value for text in (value if isinstance(value, list) else [value])]
        return "number" if all(parse_number(text) is not None for text in texts) else "text"
    return "text"


def _derive_from_price(field: RecordField, fields: Sequence[RecordField]) -> list[RecordField]:
    """A column of prices, and what else its texts say: the currency, the end of a range, the old price."""
    if field.value_type != "price":
        return [field]
    texts = [" ".join(value) if isinstance(value, list) else value or "" for value in field.values]
    prices = [price for text in texts if (price := read_price(text))]
    result = [replace(field, is_list=False) if field.is_list and prices else field]
    names = {other.name for other in fields}
    priced = [other for other in fields if other.value_type == "price"]
    has_main = any(other.role == "price" for other in priced)
    is_main = field.role == "price"
    if not has_main and field is not priced[0]:
        return result  # its currency is that of the first price
    parts: list[tuple[str, ValueType, bool]] = [
        ("highest_price", "highest price", any(price.highest for price in prices)),
        ("old_price", "old price", any(price.old for price in prices)),
        ("currency", "currency", any(price.currency for price in prices)),
    ]
    for name, value_type, is_present in parts:
        if is_present and name not in names and (is_main or (value_type == "currency" and not has_main)):
            result.append(
                replace(
                    field, name=name, role=name if is_main else "", value_type=value_type, is_list=False, kind="text"
                )
            )
    return result


def _drop_copies_of_title(fields: list[RecordField]) -> list[RecordField]:
    """Drop texts that only repeat the title with words of the interface: "Add Ladder-back chair to"."""
    title = next((field for field in fields if field.role == "title"), None)
    if title is None:
        return fields
    return [field for field in fields if field is title or not _repeats_title(field, title)]


def _drop_copies_of_date(fields: list[RecordField]) -> list[RecordField]:
    """Drop unnamed dates that are those of another column without the time of day, or as an age: "a month ago"."""
    date = next((field for field in fields if field.role == "date"), None)
    if date is None:
        return fields
    days = [str(value)[:ISO_DAY_CHARS] for value in date.read(None)]

    def is_copy(field: RecordField) -> bool:
        if field is date or field.value_type != "date" or not COPY_NAME.fullmatch(field.name):
            return False
        pairs = [(str(mine)[:ISO_DAY_CHARS], day) for mine, day in zip(field.read(None), days, strict=True) if mine]
        return sum(mine == day for mine, day in pairs) >= MIN_COPY_SHARE * len(pairs)

    return [field for field in fields if not is_copy(field)]


def _drop_copies_of_url(fields: list[RecordField]) -> list[RecordField]:
    """Drop unnamed links to the page of the record: those of the image and of the price, and its own sections."""
    url = next((field for field in fields if field.role == "url"), None)
    if url is None:
        return fields
    return [field for field in fields if field is url or field.is_named or not _links_to(field, url)]


def _page_of(url: str) -> str:
    """A URL without fragment and default port."""
    return urldefrag(url).url.replace(":80/", "/", 1).replace(":443/", "/", 1)


def _is_badge(field: RecordField) -> bool:
    """True for images without a name that several records share: badges, stars, and logos of brands."""
    if field.source != "image" or field.is_named or not BADGE_NAME.fullmatch(field.name):
        return False
    pictures = [str(value) for value in field.values if value]
    return len(pictures) >= MIN_CONSTANT_RECORDS and 2 * len(set(pictures)) <= len(pictures)


def _links_to(field: RecordField, url: RecordField) -> bool:
    """True if most links of a field lead to the page of the record, or to a part of it; advertisements redirect."""
    if field.source != "link":
        return False
    are_same = [
        isinstance(theirs, str) and _page_of(piece) == _page_of(theirs)
        for mine, theirs in zip(field.values, url.values, strict=True)
        for piece in (mine if isinstance(mine, list) else [mine])
        if piece
    ]
    return sum(are_same) >= MIN_COPY_SHARE * len(are_same)


def _drop_parts_of_texts(fields: list[RecordField]) -> list[RecordField]:
    """Drop unnamed texts that are parts of the title or of the description: the highlighted words of a query."""
    wholes = [field for field in fields if field.role in ("title", "snippet") and field.source in TEXT_SOURCES]
    return [field for field in fields if not any(_is_part(field, whole) for whole in wholes)]


def _is_part(field: RecordField, whole: RecordField) -> bool:
    """True if a field without a name is formatted text inside the element of another field, which has its values."""
    if not KIND_NAME.fullmatch(field.name) or field.source not in TEXT_SOURCES or field is whole:
        return False
    if field.aligned is None or whole.aligned is None:
        return False
    if field.aligned.path[: len(whole.aligned.path)] != whole.aligned.path:
        return False
    if field.aligned.path[-1:] == () or field.aligned.path[-1].tag not in FORMATTING_TAGS:
        return False
    return all(
        piece in str(text)
        for value, text in zip(field.values, whole.values, strict=True)
        if value
        for piece in (value if isinstance(value, list) else [value])
    )


def _drop_repeated_numbers(fields: list[RecordField]) -> list[RecordField]:
    """Drop numbers that another column has with its words: "2" beside "2 gold badges"."""
    counted = {tuple(map(str, field.read(None))) for field in fields if field.value_type == "count"}
    return [
        field
        for field in fields
        if field.value_type != "number" or field.is_named or tuple(map(str, field.read(None))) not in counted
    ]


def _repeats_title(field: RecordField, title: RecordField) -> bool:
    if field.source not in TEXT_SOURCES or field.is_list or field.has_header:
        return False
    pairs = [
        (mine, theirs)
        for mine, theirs in zip(field.values, title.values, strict=True)
        if isinstance(mine, str) and isinstance(theirs, str)
    ]
    if len(pairs) < MIN_CONSTANT_RECORDS or any(theirs not in mine for mine, theirs in pairs):
        return False
    return len({mine.replace(theirs, "", 1).strip() for mine, theirs in pairs}) == 1


def _limit_unnamed(fields: list[RecordField]) -> list[RecordField]:
    """The fields without those that have no name, few values and many others beside them."""

    def count_values(field: RecordField) -> int:
        return sum(value is not None for value in field.values)

    unnamed = [field for field in fields if KIND_NAME.fullmatch(field.name)]
    unnamed = [field for field in unnamed if count_values(field) >= min(MIN_RARE_VALUES, len(field.values))]
    by_cell = {_find_cell(field): field for field in sorted(unnamed, key=count_values) if _find_cell(field)}
    kept = set(by_cell.values())  # of each cell the fullest: the limit is for what free markup has besides
    others = [field for field in unnamed if field not in kept]
    kept.update(sorted(others, key=count_values, reverse=True)[:MAX_UNNAMED_COLUMNS])
    return [field for field in fields if not KIND_NAME.fullmatch(field.name) or field in kept]


def _find_cell(field: RecordField) -> FieldPath:
    """The path of the cell of a table that a field is, or is in; empty if it is in none."""
    path = field.aligned.path if field.aligned else ()
    return next((path[: depth + 1] for depth, step in enumerate(path) if step.tag in ("td", "th")), ())


def _limit_columns_of_posts(fields: list[RecordField]) -> list[RecordField]:
    """The columns of posts: user, date and text, then those that the page names, at most `MAX_POST_COLUMNS`."""

    def rank(field: RecordField) -> tuple[bool, bool, bool, float]:
        filled = sum(value is not None for value in field.values) / max(1, len(field.values))
        return field.role not in _POST_ROLES, not field.role, not field.is_named, -filled

    kept = sorted(fields, key=rank)[:MAX_POST_COLUMNS]
    return [field for field in fields if field in kept]


def _has_no_link(tree: Tree, aligned: AlignedField) -> bool:
    """True if the cells are no links and no buttons: "open" under "Status" is a value."""
    nodes = next((nodes for nodes in aligned.nodes if nodes), ())
    return not any(tree.tag[below] in ("a", "button") for node in nodes for below in range(node, tree.end[node]))


def _own_label(aligned: AlignedField) -> str:
    """The label of the field, or of the nearest element around it that has one."""
    return aligned.text_filter.label or next((step.label for step in reversed(aligned.path) if step.label), "")


def _is_label(value: RawValue, label: str) -> bool:
    return str(value).rstrip(" :：") == label.rstrip(" :：")


def _is_constant(kind: ValueKind, filled: Sequence[RawValue]) -> bool:
    """True for a label, a button or an icon: the same value in all records that have one."""
    if len(filled) < MIN_CONSTANT_RECORDS or kind in ("date", "price"):
        return False
    first = filled[0]
    if isinstance(first, list) or kind != "text":
        return all(value == first for value in filled)
    return is_constant([str(value) for value in filled])
