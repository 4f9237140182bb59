"""Data classes of an explanation."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple

from duramen.metadata.field_explanation import FieldExplanation

MIN_UNCERTAIN: Final = 0.25
MAX_UNCERTAIN: Final = 0.75
"""Probabilities between which a block is uncertain."""

HIDDEN_STEP: Final = "hidden"
THRESHOLD_STEP: Final = "threshold"
METHOD_STEP: Final = "method"
"""The step of methods that keep no record of their steps."""
_PROSPECTIVE_STEPS: Final = frozenset((THRESHOLD_STEP, "types", "threads", "comments", "silence"))
"""Steps whose decision follows from the probability of a block and the cut-off."""


class FeatureEvidence(NamedTuple):
    """One feature of a block, and how much it added to the score of the classifier."""

    feature: str
    phrase: str
    """The feature and its value in words: "2 % of its words are in links"."""
    value: float
    contribution: float
    """In log odds: above 0 for content, below 0 against it."""
    is_own: bool = False
    """Whether it is about the block itself, not about what is around it."""


@dataclass(frozen=True)
class BlockExplanation:
    """One block of the page: what it is, whether it was kept, and why."""

    index: int
    node: int
    """The element of the page's tree that directly holds the block."""
    first: int
    """The first and the last text node of the block."""
    last: int
    xpath: str
    """The positional XPath of `node`."""
    text: str
    words: int
    kept: bool
    step: str
    """The step that decided: `threshold`, `hidden`, a step of the method (`headline`, `copies`, …) or `method`."""
    reason: str
    """One sentence that says why it was kept or dropped."""
    probability: float | None = None
    """Probability of being content, as the deciding selection used it; None if the method gives none."""
    first_probability: float | None = None
    """The probability by the first classifier, which does not know the other blocks."""
    score: float | None = None
    """Log odds by the classifier that gave the probability: the sum of a bias and of all contributions."""
    supporting: tuple[FeatureEvidence, ...] = ()
    """The strongest features for content, the strongest first."""
    opposing: tuple[FeatureEvidence, ...] = ()
    """The strongest features against it; the last may be the strongest of the block itself instead."""
    hidden: str | None = None
    """Why a reader does not see it; None if a reader does."""
    comment: str | None = None
    """Why it counts as a reader comment; None if it does not."""
    repeated_pages: int | None = None
    """The number of other pages of the site that have the same text, if pages of the site are known."""

    @property
    def is_uncertain(self) -> bool:
        return self.probability is not None and MIN_UNCERTAIN <= self.probability <= MAX_UNCERTAIN

    @property
    def state(self) -> str:
        """`kept`, `dropped` or `uncertain`."""
        return "uncertain" if self.is_uncertain else "kept" if self.kept else "dropped"

    def is_kept_at(self, threshold: float) -> bool:
        """Return whether it would be kept at another cut-off; what other steps decided stays as it is."""
        if self.step not in _PROSPECTIVE_STEPS or self.probability is None:
            return self.kept
        return self.probability >= threshold


class StepExplanation(NamedTuple):
    """One step of the method, in the order in which they ran."""

    name: str
    description: str
    kept: int
    """Blocks kept after it."""
    added: tuple[int, ...]
    """Blocks that it added and removed, by their index."""
    removed: tuple[int, ...]


class Cutoff(NamedTuple):
    """What to expect if all blocks from this probability on are kept."""

    probability: float
    blocks: int
    words: int
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True)
class Explanation:
    """The explanation of one content."""

    method: str
    reason: str
    confidence: float
    blocks: tuple[BlockExplanation, ...] = field(repr=False)
    """All blocks of the page in document order, also hidden ones."""
    metadata: tuple[FieldExplanation, ...] = field(repr=False)
    """Each field of the metadata with every claim about it."""
    threshold: float | None = None
    """The probability from which on blocks were kept; None if the method has no cut-off, or kept nothing."""
    expected_f1: float | None = None
    """The expected F1 of the classifier's selection. `confidence` is the F1 that pages with this expectation had."""
    cutoffs: tuple[Cutoff, ...] = field(default=(), repr=False)
    """What to expect at every other cut-off, the highest probability first."""
    steps: tuple[StepExplanation, ...] = field(default=(), repr=False)
    page_type: str | None = None
    page_types: dict[str, float] = field(default_factory=dict)
    """The probability of each page type; they add up to 1."""

    @property
    def kept(self) -> list[BlockExplanation]:
        return [block for block in self.blocks if block.kept]

    @property
    def dropped(self) -> list[BlockExplanation]:
        return [block for block in self.blocks if not block.kept]

    def kept_at(self, threshold: float) -> list[BlockExplanation]:
        """Return the blocks that would be kept at another cut-off; what other steps decided stays as it is."""
        return [block for block in self.blocks if block.is_kept_at(threshold)]
