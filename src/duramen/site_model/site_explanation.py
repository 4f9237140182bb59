"""Add what a site shows to the explanation of a content: repeated texts, and the evidence for each block."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from duramen.explanation import BlockExplanation, Explanation, FeatureEvidence
from duramen.site_model.evidence import BlockEvidence


def add_site_facts(
    explanation: Explanation, first: Sequence[int], evidence: Sequence[BlockEvidence], pages_with_text: Sequence[int]
) -> Explanation:
    """Return the explanation with the evidence of a site.

    The three lists have one item for each block that was compared with the site: its first text node, the evidence, and
    the number of other pages with the same text.
    """
    facts = {node: place for place, node in enumerate(first)}
    blocks = [
        _add_facts(block, evidence[facts[block.first]], pages_with_text[facts[block.first]])
        if block.first in facts
        else block
        for block in explanation.blocks
    ]
    return replace(explanation, blocks=tuple(blocks))


def _add_facts(block: BlockExplanation, evidence: BlockEvidence, pages: int) -> BlockExplanation:
    found = [FeatureEvidence(f"site {one.kind}", one.sentence, one.log_odds, one.log_odds) for one in evidence.items]
    supporting = [*block.supporting, *(one for one in found if one.contribution > 0.0)]
    opposing = [*block.opposing, *(one for one in found if one.contribution < 0.0)]
    return replace(
        block,
        repeated_pages=pages,
        supporting=tuple(sorted(supporting, key=lambda one: -one.contribution)),
        opposing=tuple(sorted(opposing, key=lambda one: one.contribution)),
    )
