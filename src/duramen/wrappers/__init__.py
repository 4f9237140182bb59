"""What needs more than one page: signifiers, feeds, and the wrapper of a site.

    pages ── Sample ── signifiers ── significant tag paths ── structural patterns ── relevance ── region ── Wrapper

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012. `learn` makes a
wrapper from pages of one template, `learn_all` one for each template among the pages, `update` adds pages to one.
No method is imported here: where a wrapper falls back to one, or is combined with one, it is handed a callable.
"""

from __future__ import annotations

from duramen.wrappers.learning import Learnt, Stray, learn, learn_all
from duramen.wrappers.parts import Parts
from duramen.wrappers.relevance import PAPER, Candidate, Settings, rank
from duramen.wrappers.sample import Item, Sample, SamplePage
from duramen.wrappers.several import Wrappers
from duramen.wrappers.updating import update
from duramen.wrappers.wrapper import Wrapper

__all__ = [
    "PAPER",
    "Candidate",
    "Item",
    "Learnt",
    "Parts",
    "Sample",
    "SamplePage",
    "Settings",
    "Stray",
    "Wrapper",
    "Wrappers",
    "learn",
    "learn_all",
    "rank",
    "update",
]
