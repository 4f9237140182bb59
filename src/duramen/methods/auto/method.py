"""The default method: classify blocks, then keep those above the page's own cut-off.

It continues the idea of maximum subsequence segmentation: classify locally, decide globally. The page is split into
blocks (runs of text under one block-level element). Gradient-boosted trees classify each block by its features; second
trees also get what the first ones say about the other blocks; the blocks above the cut-off with the highest expected F1
are kept; rules for rare cases follow (`postprocess`).

    page ─ blocks ─ features ─ first trees ─ context features ─ second trees ─ cut-off ─ page type ─ postprocess

No step knows a language: the features are counts, shares, tags and class names. The model is trained on pages with
known content (`duramen train auto`) and on variants of these pages: with most of their content removed, and with parts
of other pages inserted. So it has seen short articles amid comments, teasers and long sidebars.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from duramen.content import Content
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.page import Page
from duramen.dom.tree_queries import ignore_hidden
from duramen.dom.visibility import hides_more_than
from duramen.errors import UsageError
from duramen.methods.auto.boosted_trees import classify_again, logistic
from duramen.methods.auto.context_features import add_context
from duramen.methods.auto.features import Features, describe
from duramen.methods.auto.page_type import describe_selection, read_facts
from duramen.methods.auto.postprocess import FAVOR_EXPONENTS, MAX_NOTE_WORDS, STEPS, Extraction, has_no_content
from duramen.methods.auto.threshold import STRATEGIES, Selection, select_blocks
from duramen.methods.auto.title import read_title
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.methods.auto.model import AutoModel

STEP_NAMES = ("hidden", *STEPS)
"""Steps that can be left out: reading hidden text where it is most of the content, and those of `postprocess`."""

MAX_UNHIDDEN_DOUBT = 0.9
"""Without hiding, the doubt (1 − expected F1) must fall to this share of what it was."""


@register
@dataclass(frozen=True)
class Auto:
    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = (
        "blocks by a trained classifier, then the cut-off with the largest expected F1: the default"
    )
    paper: ClassVar[str] = "after Pasternack and Roth, WWW 2009: local classification, global optimisation"

    favor: str = "balance"
    """`precision` keeps less, `recall` more."""
    inference: str = "expected-f1"
    """How blocks are chosen once each has a probability: see `threshold`."""
    model: str = ""
    """A file made by `duramen train auto`; without one, the model that comes with duramen."""
    without: str = ""
    """Steps that are left out, joined by `+`, to measure what each is worth: `headline+copies`."""

    def __post_init__(self) -> None:
        _check("favor", self.favor, FAVOR_EXPONENTS)
        _check("inference", self.inference, STRATEGIES)
        for step in str(self.without).split("+") if self.without else ():
            _check("each step of without", step, sorted(STEP_NAMES))

    def __call__(self, page: Page) -> Content:
        from duramen.methods.auto.model import load

        model = load(self.model)
        left_out = self.without.split("+")
        result = self._classify(page, model)
        if "hidden" not in left_out and self._may_be_hidden(result):
            result = result.choose(self._classify(replace(page, tree=ignore_hidden(page.tree)), model))
        page, blocks, features, selection = result
        if not len(blocks):
            return Content(page, self.name, "the page has no words")
        facts = read_facts(page.tree, features.currency_signs, page.url)
        types = model.score_types(np.concatenate((describe_selection(features, selection), facts)))
        extraction = Extraction(
            page,
            blocks,
            features,
            selection,
            self.inference,
            self.favor,
            types,
            selection.probabilities,
            selection.kept,
            FAVOR_EXPONENTS[self.favor],
        )
        for name, step in STEPS.items():
            if name not in left_out:
                extraction = step(extraction)
        spans = extraction.spans
        if not spans:
            reason = "no block of the page looks like content"
            return Content(page, self.name, reason, page_type=extraction.page_type, type_log_odds=types)
        return Content(
            page,
            self.name,
            f"{extraction.kept.sum()} of {len(blocks)} blocks, {extraction.kept_words} of"
            f" {int(features.words.sum())} words, stand above the page's cut-off",
            spans,
            model.confidence(selection.expected_f1),
            page_type=extraction.page_type,
            type_log_odds=types,
        )

    def _classify(self, page: Page, model: AutoModel) -> Pass:
        """Classify the blocks of a page, and select those above the cut-off."""
        from duramen.methods.auto.model import BLOCK_FEATURES

        blocks = find_blocks(page.tree)
        features = describe(blocks, model.scorer, read_title(page.tree), BLOCK_FEATURES)
        first = logistic(model.first.score(features.matrix))
        add_context(features, first)
        probabilities = classify_again(model.second, features.matrix, first)
        exponent = FAVOR_EXPONENTS[self.favor]
        selection = select_blocks(self.inference, blocks, probabilities, features.cluster, exponent)
        return Pass(page, blocks, features, selection)

    def _may_be_hidden(self, result: Pass) -> bool:
        tree = result.page.tree
        return self.favor != "precision" and bool(tree.hidden) and hides_more_than(tree, result.count_kept_chars())


class Pass(NamedTuple):
    """One pass of the classifier over a page."""

    page: Page
    blocks: Blocks
    features: Features
    selection: Selection

    def choose(self, unhidden: Pass) -> Pass:
        """Return the pass with nothing hidden if most content was hidden and it is surer, else this one.

        Such content is hidden until a script has run, a paywall is removed, or the reader has confirmed an age. What is
        hidden and short is a notice; and a page of a few words gets a little surer by any text that is added.
        """
        has_most = unhidden.count_kept_words() > 2 * max(MAX_NOTE_WORDS, self.count_kept_words())
        doubt, unhidden_doubt = (1.0 - one.selection.expected_f1 for one in (self, unhidden))
        return unhidden if has_most and unhidden_doubt < MAX_UNHIDDEN_DOUBT * doubt else self

    def count_kept_words(self) -> int:
        """Return the number of kept words; 0 where nothing looks like content."""
        words = self.features.words
        return 0 if has_no_content(words, self.selection) else int(words[self.selection.kept].sum())

    def count_kept_chars(self) -> int:
        """Return the number of kept characters; 0 where nothing looks like content."""
        if not self.count_kept_words():
            return 0
        return sum(map(len, compress(self.blocks.text, self.selection.kept.tolist())))


def _check(option: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise UsageError(f"auto: {option} is one of {', '.join(choices)}, not {value!r}")
