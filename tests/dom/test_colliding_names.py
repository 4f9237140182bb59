"""Class names that were chosen to collide in the table of combinations."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree

_FACTOR, _MASK = 0x9E3779B97F4A7C15, 0xFFFFFFFFFFFFFFFF
_COUNT = 1500


def hash_name(name: str) -> int:
    """The hash of one value of at most eight bytes, as `_lexbor.pxd` computes it."""
    hashed = (len(name) * _FACTOR) & _MASK
    hashed = ((hashed ^ int.from_bytes(name.encode(), "little")) * _FACTOR) & _MASK
    return hashed ^ hashed >> 32


def find_colliding_names() -> list[str]:
    """Names whose places in a table for so many elements are close together."""
    names: list[str] = []
    number = 0
    while len(names) < _COUNT:
        number += 1
        name = f"{number:07x}"
        if hash_name(name) & 4095 < 64:
            names.append(name)
    return names


def test_colliding_values_are_combined_in_a_table_with_a_secret_seed() -> None:
    names = find_colliding_names()
    tree = Tree.parse("".join(f"<p class={name}>x</p>" for name in names))
    if not hasattr(tree.attributes, "was_attacked"):
        pytest.skip("needs the compiled module; the plain path uses a dict of Python")
    nodes = tree.find_all("p")
    combinations, which = tree.attribute_combinations(("class",), nodes)
    assert tree.attributes.was_attacked
    assert [combinations[number][0] for number in which] == names
    assert len(combinations) == _COUNT


def test_ordinary_values_are_combined_in_the_fast_table() -> None:
    tree = Tree.parse("".join(f"<p class='item item-{number}'>x</p>" for number in range(_COUNT)))
    if not hasattr(tree.attributes, "was_attacked"):
        pytest.skip("needs the compiled module")
    tree.attribute_combinations(("class",), tree.find_all("p"))
    assert not tree.attributes.was_attacked
