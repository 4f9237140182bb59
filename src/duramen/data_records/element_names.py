"""Names of elements: by what an element is recognized in all records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from duramen import xpath
from duramen.data_records.field_words import find_field_name
from duramen.data_records.record_segmentation import Record
from duramen.dom.class_names import find_meaning
from duramen.dom.tree import TEXT, Tree

ElementName = tuple[str, str, str]
"""Tag, attribute and value by which an element is known: ("p", "class", "price"), or ("p", "", "")."""

_NameKey = tuple[str, str | None, str | None]
"""Tag, `itemprop` and `class` of an element: its name depends on these alone, and most elements share them."""


class RecordElementNames:
    """The name of each element: of its stable class tokens and `itemprop`, the one that most records have."""

    def __init__(self, tree: Tree, records: Sequence[Record]) -> None:
        self._tree = tree
        self._key_of: dict[int, _NameKey] = {}
        self._record_counts: Counter[ElementName] = Counter()
        self._names: dict[_NameKey, list[ElementName]] = {}
        self._chosen: dict[_NameKey, ElementName] = {}
        for record in records:
            elements = [node for top in record for node in range(top, tree.end[top]) if tree.tag[node] != TEXT]
            keys = self._read_keys(elements)
            self._key_of.update(zip(elements, keys, strict=True))
            self._record_counts.update({name for key in set(keys) for name in self._names_of(key)})

    def choose(self, element: int) -> ElementName:
        """The name of an element. Of names in equally many records, the first with a meaning is taken."""
        key = self._key_of.get(element) or self._read_keys([element])[0]  # a cell may begin in a row above the records
        chosen = self._chosen.get(key)
        if chosen is None:
            names = self._names_of(key) or [(key[0], "", "")]
            chosen = max(names, key=lambda name: (self._record_counts[name], _rank_of_name(name)))
            self._chosen[key] = chosen
        return chosen

    def _read_keys(self, elements: Sequence[int]) -> list[_NameKey]:
        tree = self._tree
        tags = [tree.tag[node] for node in elements]
        itemprops = tree.attribute_values("itemprop", elements)
        return list(zip(tags, itemprops, tree.attribute_values("class", elements), strict=True))

    def _names_of(self, key: _NameKey) -> list[ElementName]:
        """The names that a person may have given; those that programs make are not stable."""
        names = self._names.get(key)
        if names is None:
            tag, itemprop, classes = key
            given = [(tag, "itemprop", itemprop)] if itemprop else []
            given += [(tag, "class", token) for token in (classes or "").split()]
            names = self._names[key] = [name for name in given if xpath.looks_stable(*name)]
        return names


def _rank_of_name(name: ElementName) -> int:
    _, attribute, value = name
    return 3 if attribute == "itemprop" else 2 if find_field_name(value) else 1 if find_meaning(value) else 0
