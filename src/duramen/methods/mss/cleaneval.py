"""Maximum subsequence segmentation for pages of any kind: the paper's setting for the CleanEval task.

Pasternack and Roth, WWW 2009, section 7.7. The classifier has learnt from articles, and on other pages most trigrams
are new to it. So it reads single tokens; a token that is new too is judged by both its neighbours; and a bias of 0.14
on every score makes the block longer, because pages that are no articles have little noise inside their content.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from duramen.methods.mss.supervised import MssSupervised, probability
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.methods.mss.model import Floats
    from duramen.methods.mss.tokens import Tokens


@register
@dataclass(frozen=True)
class MssCleaneval(MssSupervised):
    name: ClassVar[str] = "mss-cleaneval"
    summary: ClassVar[str] = "mss by single tokens, with a bias to longer content, for pages of any kind"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 7.7"

    order: int = 1
    bias: float = 0.14

    def probabilities(self, tokens: Tokens) -> Floats:
        import numpy as np

        from duramen.methods.mss.model import keys_of

        odds, seen = self.log_odds(tokens)
        # What a token says by itself: its odds without those of its open tag, and without the prior.
        own, _ = self.supervised_model().tables[self.order].look_up(keys_of(tokens, self.order))
        # An unseen token has nothing of its own to say: it borrows what both neighbours say.
        neighbours = np.concatenate([[0.0], own[:-1]]) + np.concatenate([own[1:], [0.0]])
        return probability(self.sharpness * np.where(seen, odds, odds + neighbours))
