"""Explanations of a content: for each block of the page whether it was kept, by which step, and why."""

from duramen.explanation.facts import BlockExplanation, Cutoff, Explanation, FeatureEvidence, StepExplanation
from duramen.explanation.page_blocks import Explainable, describe_page, explain_spans, name_element, number_types

__all__ = [
    "BlockExplanation",
    "Cutoff",
    "Explainable",
    "Explanation",
    "FeatureEvidence",
    "StepExplanation",
    "describe_page",
    "explain_spans",
    "name_element",
    "number_types",
]
