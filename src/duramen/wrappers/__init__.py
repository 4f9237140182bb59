"""Wrapper induction: learn from a few pages of a site where its articles are.

    pages ── Sample ── signifiers ── significant tag paths ── structural patterns ── relevance ── region ── Wrapper

Oita and Senellart, "FOREST: focused object retrieval by exploiting significant tag paths", 2012. `learn` makes a
wrapper from pages of one template, `learn_all` makes one for each template among the pages, `update` adds pages to a
wrapper. No extraction method is imported here: a fallback method is passed as a callable.
"""

from __future__ import annotations

from duramen.wrappers.learning import LearnResult, StrayPage, learn, learn_all
from duramen.wrappers.patterns import PAPER_SETTINGS, LearnSettings, PatternCandidate, rank_patterns
from duramen.wrappers.sample import PageDescription, Sample, SamplePage
from duramen.wrappers.updating import update
from duramen.wrappers.wrapper import KeepOptions, Wrapper, WrapperSet
from duramen.wrappers.wrapper_json import load_wrapper

__all__ = [
    "PAPER_SETTINGS",
    "KeepOptions",
    "LearnResult",
    "LearnSettings",
    "PageDescription",
    "PatternCandidate",
    "Sample",
    "SamplePage",
    "StrayPage",
    "Wrapper",
    "WrapperSet",
    "learn",
    "learn_all",
    "load_wrapper",
    "rank_patterns",
    "update",
]
