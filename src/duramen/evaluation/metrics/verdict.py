"""ECON's three verdicts: a page is correctly extracted, wrongly extracted, or missed.

Correct: the result has the entire content and nothing else. Wrong: the entire content, and noise. Missed: only a part
of the content, or none.

Yan Guo et al., "ECON: An Approach to Extract Content from Web News Page", APWeb 2010, section IV.

There a person looked. Here words decide, and since a gold text and an extraction never agree to the letter (a caption,
a byline, a soft hyphen), a tolerance does too: "entire" is a recall, and "nothing else" a precision, of at least
1 - `tolerance` of the words, by default 95 %.
"""

from __future__ import annotations

from enum import StrEnum

from duramen.evaluation.metrics.agreement import Agreement

TOLERANCE = 0.05


class Verdict(StrEnum):
    CORRECT = "correct"
    WRONG = "wrong"
    MISSED = "missed"


def verdict(words: Agreement, tolerance: float = TOLERANCE) -> Verdict:
    """From the precision and the recall of the words."""
    if words.recall < 1 - tolerance:
        return Verdict.MISSED
    return Verdict.CORRECT if words.precision >= 1 - tolerance else Verdict.WRONG
