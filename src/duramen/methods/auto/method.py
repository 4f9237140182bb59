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

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import compress
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from duramen.content import Content, SiteContribution
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.page import Page
from duramen.dom.tree_queries import ignore_hidden
from duramen.dom.visibility import hides_more_than
from duramen.errors import UsageError
from duramen.methods.auto.boosted_trees import Floats, classify_again, logistic
from duramen.methods.auto.context_features import add_context
from duramen.methods.auto.features import Features, describe
from duramen.methods.auto.page_type import describe_selection, read_facts
from duramen.methods.auto.postprocess import FAVOR_EXPONENTS, MAX_NOTE_WORDS, STEPS, Extraction, has_no_content
from duramen.methods.auto.threshold import STRATEGIES, Selection, expect_f1, select_blocks
from duramen.methods.auto.title import read_title
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.explanation import Explanation
    from duramen.methods.auto.model import AutoModel

STEP_NAMES = ("hidden", *STEPS)
"""Steps that can be left out: reading hidden text where it is most of the content, and those of `postprocess`."""

OtherEvidence = Callable[[Blocks, Floats, bool], Floats | None]
"""What is known beside the page itself: the log-odds to add for each block, or None for nothing.

It is given the blocks, their probabilities, and whether the page is a list of things (`LIST_TYPES`).
"""

LIST_TYPES = frozenset(("collection", "listing", "product"))
"""On these pages the site's own words are part of the content: names of columns, terms of sale, notes on each item."""

MIN_PROBABILITY = 1e-5
"""Evidence can change every probability: the table of the logistic function ends where 1 − p is smaller than this."""

MAX_UNHIDDEN_DOUBT = 0.9
"""Without hiding, the doubt (1 − expected F1) must fall to this share of what it was."""


@register
@dataclass(frozen=True)
class Auto:
    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "blocks by a trained classifier, then the cut-off with the largest expected F1"
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
        return self.extract(page)

    def explain(self, content: Content, features: bool = True, evidence: OtherEvidence | None = None) -> Explanation:
        """Extract the page of a content again, and explain each step; `features` adds the evidence for each block."""
        from duramen.methods.auto.explain_steps import explain  # only when it is asked for

        return explain(self, content, features, evidence)

    def extract(
        self,
        page: Page,
        evidence: OtherEvidence | None = None,
        scored: Scored | None = None,
        trace: Trace | None = None,
    ) -> Content:
        """Extract the content of a page.

        `evidence` is added to the classification. `scored` saves the first classification: what `score_blocks` of this
        method returned for this page. `trace` gets what each step made.
        """
        from duramen.methods.auto.model import load

        model = load(self.model)
        left_out = self.without.split("+")
        explainer = self.explain if evidence is None else partial(self.explain, evidence=evidence)
        result = seen = self._select(page, scored or _score_blocks(page, model))
        if "hidden" not in left_out and self._may_be_hidden(result):
            unhidden = replace(page, tree=ignore_hidden(page.tree))
            result = result.choose(self._select(unhidden, _score_blocks(unhidden, model)))
        page, blocks, features, selection = result
        if not len(blocks):
            return Content(page, self.name, "the page has no words", explainer=explainer)
        facts = read_facts(page.tree, features.currency_signs, page.url)
        types = model.score_types(np.concatenate((describe_selection(features, selection), facts)))
        site = None
        if evidence is not None:
            log_odds = evidence(blocks, selection.probabilities, is_list_of_things(types))
            if log_odds is not None:
                alone = selection.kept
                selection = self._select_with_evidence(result, log_odds)
                dropped, added = alone & ~selection.kept, selection.kept & ~alone
                site = SiteContribution(0, int(dropped.sum()), int(added.sum()))
        if trace is not None:
            trace.result, trace.is_unhidden = result._replace(selection=selection), result is not seen
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
            if trace is not None:
                trace.steps[name] = extraction
        spans = extraction.spans
        if not spans:
            reason = "no block of the page looks like content"
            return Content(
                page,
                self.name,
                reason,
                page_type=extraction.page_type,
                type_log_odds=types,
                site=site,
                explainer=explainer,
            )
        return Content(
            page,
            self.name,
            f"{extraction.kept.sum()} of {len(blocks)} blocks, {extraction.kept_words} of"
            f" {int(features.words.sum())} words, stand above the page's cut-off",
            spans,
            model.confidence(self.expect_f1(features, selection)),
            page_type=extraction.page_type,
            type_log_odds=types,
            site=site,
            explainer=explainer,
        )

    def score_blocks(self, page: Page) -> Scored:
        """Classify the blocks of a page."""
        from duramen.methods.auto.model import load

        return _score_blocks(page, load(self.model))

    def expect_f1(self, features: Features, selection: Selection) -> float:
        """Return the F1 to expect of a selection, whatever `favor` made of the probabilities to choose it."""
        if FAVOR_EXPONENTS[self.favor] == 1.0:
            return selection.expected_f1
        return expect_f1(features.words, selection.probabilities, features.cluster, int(selection.kept.sum()))

    def _select(self, page: Page, scored: Scored) -> Pass:
        """Select the blocks above the cut-off."""
        blocks, features, probabilities = scored
        exponent = FAVOR_EXPONENTS[self.favor]
        selection = select_blocks(self.inference, blocks, probabilities, features.cluster, exponent)
        return Pass(page, blocks, features, selection)

    def _select_with_evidence(self, alone: Pass, log_odds: Floats) -> Selection:
        """Select blocks again, with the evidence of a site.

        If the evidence would add more words than the page itself gives, it only drops blocks. For `auto` may be wrong
        on a few other pages: their evidence can add a long text that is not content on this page, and that has more
        words than the article. Evidence cannot drop more than the article.
        """
        page, blocks, features, selection = alone
        words, kept = features.words, selection.kept

        def select(log_odds: Floats) -> Selection:
            probabilities = add_log_odds(selection.probabilities, log_odds)
            return self._select(page, Scored(blocks, features, probabilities)).selection

        fused = select(log_odds)
        added = words[fused.kept & ~kept].sum()
        if added <= words[kept].sum() or has_no_content(words, selection):
            return fused
        against = select(np.minimum(log_odds, 0.0))
        return replace(against, kept=against.kept & kept)

    def _may_be_hidden(self, result: Pass) -> bool:
        tree = result.page.tree
        return self.favor != "precision" and bool(tree.hidden) and hides_more_than(tree, result.count_kept_chars())


class Scored(NamedTuple):
    """The blocks of a page, and the probability that each is content."""

    blocks: Blocks
    features: Features
    probabilities: Floats


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


@dataclass(eq=False)
class Trace:
    """What the steps of one extraction made, for its explanation."""

    result: Pass | None = None
    """The pass of the classifier that counts."""
    is_unhidden: bool = False
    """Whether it is the one with nothing hidden."""
    steps: dict[str, Extraction] = field(default_factory=dict)
    """The extraction after each step of `postprocess`, those left out included."""


def _score_blocks(page: Page, model: AutoModel) -> Scored:
    from duramen.methods.auto.model import BLOCK_FEATURES

    blocks = find_blocks(page.tree)
    features = describe(blocks, model.scorer, read_title(page.tree), BLOCK_FEATURES)
    first = logistic(model.first.score(features.matrix))
    add_context(features, first)
    return Scored(blocks, features, classify_again(model.second, features.matrix, first))


def is_list_of_things(types: Mapping[str, float]) -> bool:
    """Return whether the most likely type of a page, by the log-odds of each, is one of `LIST_TYPES`."""
    return max(types, key=types.__getitem__, default=None) in LIST_TYPES


def add_log_odds(probabilities: Floats, log_odds: Floats) -> Floats:
    """Return the probabilities after log-odds were added; those without evidence stay as they are."""
    inside = np.clip(probabilities, MIN_PROBABILITY, 1.0 - MIN_PROBABILITY)
    return np.where(log_odds == 0.0, probabilities, logistic(np.log(inside / (1.0 - inside)) + log_odds))


def _check(option: str, value: str, choices: Iterable[str]) -> None:
    if value not in choices:
        raise UsageError(f"auto: {option} is one of {', '.join(choices)}, not {value!r}")
