"""What is known of a column before it has a name: its values, its place in the record, and what the page calls it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Final, NamedTuple

from duramen.data_records.alignment import AlignedField
from duramen.data_records.columns import TEXT_SOURCES, FieldPath, RecordReader, ValueSource
from duramen.data_records.field_words import find_field_name, name_of_property
from duramen.data_records.record_segmentation import Record
from duramen.data_records.values import ValueKind, do_most_pass
from duramen.dom.class_names import to_snake_case
from duramen.dom.tree import TEXT, Tree

MIN_ROLE_SHARE: Final = 0.6
"""Share of the records that must have a title, and share of the values that must have the form of a role."""
NAMING_STEPS: Final = 3
"""Elements from the value upwards whose classes may name a column."""
MAX_NAMING_ANCESTORS: Final = 4
"""Elements around a value whose classes are read."""
MAX_NAMING_NODES: Final = 40
"""Other nodes of an element whose class may name a value in it."""
_PROFILE_URL = re.compile(
    r"[/?&=._-](?:users?|members?|memberlist|membre\d*|profiles?|profil|u|authors?|editors?|reporters?|mitglied\w*)\b",
    re.IGNORECASE,
)
_CLOCK = re.compile(r"\W*[0-2]?\d[:.h][0-5]\d(?:[:.][0-5]\d)?\s*(?:[ap]\.?m\b\.?|uhr)?\W*", re.IGNORECASE)
_DIGITS = re.compile(r"\d[\d.,]*")
_WORD_OF_LETTERS = re.compile(r"[^\W\d_]{3}")
_COUNTED = re.compile(r"\W*(\d[\d.,]*[kKmM]?)\s*([^\W\d_]{3,}(?:\s[^\W\d_]{3,})?)\W*")

_MAX_FORM_CHARS: Final = 500
"""The beginning of a value that is compared with a form: some forms take quadratic time on one long word."""


@dataclass(frozen=True)
class ColumnEvidence:
    """What is known of a column before it has a name."""

    path: FieldPath
    source: ValueSource
    kind: ValueKind
    label: str = ""
    """The text before the value in every record."""
    header: str = ""
    """The text of the header cell of the table column."""
    texts: tuple[str, ...] = ()
    """The values of the records that have one; "" where a record has none. Values of lists are joined by lines."""
    urls: tuple[str, ...] = ()
    """For each record the target of the link that the value is, or is in; "" where there is none."""
    is_list: bool = False
    itemprop: str = ""
    """The name in microdata."""
    outer_itemprop: str = ""
    """The name of the property whose item the value belongs to: `brand` of `<p itemprop=brand itemscope>`."""
    classes: tuple[str, ...] = ()
    """The `class` of the element, and of the elements around it that hold nothing else."""
    surroundings: str = ""
    """The `class` of the element, and of the elements around it in the record."""
    tags: frozenset[str] = frozenset()
    """The tags of the element, and of those around it in the record."""
    is_line: bool = False
    """True if the value is one line of an element that has several."""
    is_weak: bool = False
    """True for the link of a button ("Read more"): it is a column only if it is the URL of the record."""

    @cached_property
    def filled(self) -> list[str]:
        return [text for text in self.texts if text]

    @cached_property
    def filled_share(self) -> float:
        return len(self.filled) / max(1, len(self.texts))

    @cached_property
    def mean_chars(self) -> float:
        return fmean(map(len, self.filled)) if self.filled else 0.0

    @cached_property
    def distinct_share(self) -> float:
        return len(set(self.filled)) / max(1, len(self.filled))

    @cached_property
    def differs_in_numbers(self) -> bool:
        """Whether most values are the same words with other numbers: "Compare 12 offers", "Compare 7 offers"."""
        if len(set(self.filled)) <= 1:
            return False
        form, count = Counter(_DIGITS.sub("0", text) for text in self.filled).most_common(1)[0]
        return count >= MIN_ROLE_SHARE * len(self.filled) and "0" in form and _WORD_OF_LETTERS.search(form) is not None

    @cached_property
    def is_code(self) -> bool:
        """Whether most values have digits and no word: the numbers of cases and articles."""
        codes = [any(map(str.isdigit, text)) and not _WORD_OF_LETTERS.search(text) for text in self.filled]
        return sum(codes) > MIN_ROLE_SHARE * len(codes)

    @cached_property
    def is_clock(self) -> bool:
        """Whether most values are a time of day without a date."""
        return self.kind == "date" and self.has_form(_CLOCK, whole=True)

    @cached_property
    def is_text(self) -> bool:
        return self.source in TEXT_SOURCES

    @cached_property
    def own_label(self) -> str:
        return self.label or self.header

    @cached_property
    def class_name(self) -> str:
        """The field that the classes of the element, or of one near it, name."""
        for value in self.classes[:NAMING_STEPS]:
            for token in value.split():
                if name := find_field_name(token):
                    return name
        return ""

    @cached_property
    def counted_word(self) -> str:
        """What the values count, if all are a number and the same word: `views` of "1 view", "25 views"; else ""."""
        if not self.is_text or self.is_list or self.kind not in ("text", "number"):
            return ""
        matches = [_COUNTED.fullmatch(text) for text in self.filled]
        words = {match[2].lower().rstrip("s") for match in matches if match}
        if len(words) != 1 or not all(match is not None and match[2].islower() for match in matches):
            return ""
        return to_snake_case(max((match[2] for match in matches if match), key=len))

    def has_form(self, form: re.Pattern[str], *, whole: bool = False) -> bool:
        """True if most of the values have a form, or are of it."""

        def has_it(text: str) -> bool:
            if whole:
                return len(text) <= _MAX_FORM_CHARS and form.fullmatch(text) is not None
            return form.search(text, 0, _MAX_FORM_CHARS) is not None

        return bool(self.filled) and do_most_pass(has_it, self.filled, MIN_ROLE_SHARE)


def name_of_microdata(column: ColumnEvidence) -> str:
    if not column.itemprop:
        return ""
    if column.itemprop.lower() == "name" and column.outer_itemprop:
        return name_of_property(column.outer_itemprop)
    return name_of_property(column.itemprop)


def own_name(column: ColumnEvidence) -> str:
    """The name of the column itself, or of the nearest element around it that has one."""
    return column.itemprop or column.own_label or next((step.name for step in reversed(column.path) if step.name), "")


def links_to_profile(column: ColumnEvidence) -> bool:
    return _PROFILE_URL.search(next(filter(None, column.urls), "")) is not None


# The elements of a column


def find_urls(reader: RecordReader, records: Sequence[Record], aligned: AlignedField) -> tuple[str, ...]:
    """For each record the target of the link that the field is, or is in, or of the only link in it; else ""."""
    urls = []
    for record, nodes in zip(records, aligned.nodes, strict=True):
        inside = not aligned.text_filter.by_line
        urls.append(reader.resolve(_find_url(reader.tree, record[0], nodes[0], inside=inside)) if nodes else "")
    return tuple(urls)


def _find_url(tree: Tree, top: int, node: int, *, inside: bool) -> str:
    for above in tree.ancestors_or_self(node):
        if tree.tag[above] == "a":
            return tree.attributes[above].get("href") or ""
        if above <= top:
            break
    if tree.tag[node] == TEXT or not inside:
        return ""
    first = next((below for below in range(node + 1, tree.end[node]) if tree.tag[below] != TEXT), None)
    if first is not None and tree.tag[first] == "a":
        return tree.attributes[first].get("href") or ""
    return ""


class _Surroundings(NamedTuple):
    """Classes, tags and microdata of an element and of those around it in its record."""

    classes: tuple[str, ...] = ()
    """Of the element, and of those around it that hold nothing else."""
    all_classes: str = ""
    tags: frozenset[str] = frozenset()
    itemprop: str = ""
    outer_itemprop: str = ""
    """The property of the item that the element belongs to."""


def read_surroundings(tree: Tree, records: Sequence[Record], aligned: AlignedField) -> _Surroundings:
    """Read what is around the field in the first record that has it."""
    pairs = zip(records, aligned.nodes, strict=True)
    record, node = next(((record, nodes[0]) for record, nodes in pairs if nodes), ((), 0))
    if not record:
        return _Surroundings()
    classes: list[str] = []
    all_classes: list[str] = []
    tags: set[str] = set()
    outer_itemprop = ""
    for depth, above in enumerate(tree.ancestors_or_self(node)):
        if depth and above <= record[-1] and (above < record[0] or above in record):
            break
        attributes = tree.attributes[above]
        tags.add(tree.tag[above])
        if depth < MAX_NAMING_ANCESTORS:
            all_classes.append(attributes.get("class") or "")
        if depth == len(classes) < MAX_NAMING_ANCESTORS and _has_only_text_of(tree, above, node):
            classes.append(attributes.get("class") or "")
        if depth and not outer_itemprop and "itemscope" in attributes:
            outer_itemprop = attributes.get("itemprop") or ""
    counts = Counter(tree.attributes[node].get("itemprop") for nodes in aligned.nodes for node in nodes[:1])
    itemprop = next((name for name, _ in counts.most_common(1) if name), "")
    return _Surroundings(tuple(classes), " ".join(all_classes), frozenset(tags), itemprop, outer_itemprop)


def _has_only_text_of(tree: Tree, outer: int, inner: int) -> bool:
    """True if a small element has no text but that of an element in it: its class names that one, too."""
    if tree.end[outer] - tree.end[inner] + inner - outer > MAX_NAMING_NODES:
        return False
    around = (*range(outer + 1, inner), *range(tree.end[inner], tree.end[outer]))
    return not any(tree.tag[node] == TEXT and tree.text[node].strip() for node in around)
