"""Structural signatures and their similarity."""

from __future__ import annotations

from typing import Any

import pytest

from duramen.data_records.subtrees import MeanSignature, NamedSignature, similarity


class LookupOnly(dict[Any, float]):
    """A signature whose keys can be looked up, but not walked through."""

    def items(self) -> Any:
        raise AssertionError("walked through all keys of the mean")


def test_comparing_with_the_mean_does_not_walk_through_all_its_keys() -> None:
    signatures: list[NamedSignature] = [{n: 1.0, n + 1: 0.25 * n, ".item": 0.5} for n in range(9)]
    mean = MeanSignature.of(signatures)
    lookup_only = MeanSignature(LookupOnly(mean.signature), mean.total)
    for signature in [*signatures, {}, {"other": 1.0}]:
        expected = pytest.approx(similarity(signature, mean.signature))
        assert mean.similarity(signature) == expected
        assert lookup_only.similarity(signature) == expected
