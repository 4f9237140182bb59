"""Supervised maximum subsequence segmentation with the `<hr>` constraint.

Pasternack and Roth, WWW 2009, sections 6.2.3 and 7.4. Articles rarely hold a horizontal rule, but one often stands
between an article and its comments. So what the classifier takes for one article is cut at the first rule. Constraints
are functions from a block to a smaller one: pass your own to `MssSupervised(constraints=…)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from duramen.methods.mss.supervised import Constraint, MssSupervised
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.methods.mss.tokens import Tokens


def before_rule(tokens: Tokens, start: int, stop: int) -> tuple[int, int]:
    """The block up to its first `<hr>`."""
    import numpy as np

    from duramen.methods.mss.tokens import hash_of

    rules = np.flatnonzero(tokens.terms[start:stop] == hash_of("<hr>"))
    return start, start + int(rules[0]) if len(rules) else stop


@register
@dataclass(frozen=True)
class MssHr(MssSupervised):
    name: ClassVar[str] = "mss-hr"
    summary: ClassVar[str] = "mss-supervised, ended by the first horizontal rule"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 7.4"

    constraints: tuple[Constraint, ...] = (before_rule,)
