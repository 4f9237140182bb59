"""Explanations of a content: for each block of the page whether it was kept, by which step, and why."""

from duramen.explanation.build import Explainable, describe_page, explain_spans, number_types
from duramen.explanation.model import BlockExplanation, Cutoff, Evidence, Explanation, StepExplanation

__all__ = [
    "BlockExplanation",
    "Cutoff",
    "Evidence",
    "Explainable",
    "Explanation",
    "StepExplanation",
    "describe_page",
    "explain_spans",
    "number_types",
]
