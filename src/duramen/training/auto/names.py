"""The dictionary of names: how much of the text below elements that bear a word is content.

Every site counts once for a word, however many pages of it there are; a word that fewer than three sites use is left
out. The score is sixteen times the logarithm of the odds against those of any text, with one site's worth of doubt.

A page must not be told by the dictionary what was learnt from that page. Counts are kept by fold, so that a dictionary
without some folds is a sum over the others.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable

import numpy as np

from duramen.methods.auto import class_scores as hints
from duramen.training.auto.pages import LabelledPage

FEWEST_SITES = 3
_USUAL = 0.45
"""The share of a page's text that is content, on average over pages."""
_SCALE = 16

Counts = list[dict[str, tuple[float, int]]]
"""For each fold, of each word: the sum over sites of the share of content, and how many sites there are."""


def count_names(pages: Iterable[LabelledPage], folds: int) -> Counts:
    """Which words stand over how much content."""
    shares: list[dict[str, dict[str, list[float]]]] = [defaultdict(lambda: defaultdict(list)) for _ in range(folds)]
    for page in pages:
        if not page.usable:
            continue
        words = np.concatenate([[0], np.cumsum(page.words)])
        hits = np.concatenate([[0], np.cumsum(page.hits)])
        of_page: dict[str, list[float]] = defaultdict(list)
        for element, names in enumerate(page.names):
            size = words[page.stop[element]] - words[page.start[element]]
            if size:
                share = (hits[page.stop[element]] - hits[page.start[element]]) / size
                for word in {f"<{page.tags[element]}>", *(word for name in names for word in hints.words(name))}:
                    of_page[word].append(share)
        fold = shares[page.fold(folds)]
        for name, found in of_page.items():
            fold[name][page.site].append(sum(found) / len(found))
    return [
        {name: (sum(sum(each) / len(each) for each in sites.values()), len(sites)) for name, sites in fold.items()}
        for fold in shares
    ]


def make_dictionary(counts: Counts, without: Collection[int] = ()) -> dict[str, int]:
    """The scores of the words that enough sites use, in their order."""
    totals: dict[str, list[float]] = defaultdict(lambda: [0.0, 0.0])
    for fold, names in enumerate(counts):
        if fold not in without:
            for name, (share, sites) in names.items():
                totals[name][0] += share
                totals[name][1] += sites - share
    found = {}
    for name in sorted(totals):
        inside, outside = totals[name]
        if inside + outside >= FEWEST_SITES - 1e-9 and "\n" not in name:
            odds = (inside + _USUAL) / (outside + 1 - _USUAL) * (1 - _USUAL) / _USUAL
            found[name] = round(_SCALE * math.log(odds))
    return found
