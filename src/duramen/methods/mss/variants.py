"""Variants of supervised maximum subsequence segmentation: mss, mss-cleaneval and mss-hr.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from duramen.methods.mss.supervised import Constraint, MssSupervised, logistic
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.methods.mss.model import Floats
    from duramen.methods.mss.tokens import Tokens


@register
@dataclass(frozen=True)
class Mss(MssSupervised):
    """The recommended variant: trigrams alone, smaller log odds, and cleaning.

    The supervised method of Pasternack and Roth (WWW 2009) with three changes, each measured by site on the articles of
    wcxb-dev (`benchmarks/mss_paper.py`). The open tag is left out: it is the same for all words of a paragraph, so
    naive Bayes counts it again and again, and it outweighs the trigrams. Log odds are multiplied by 0.3 before they
    become probabilities, because naive Bayes is overconfident: a run of a few hundred words with probabilities near 1
    then no longer outweighs all evidence against it. And lists of links are removed from the block
    (`duramen.methods.mss.cleaning`).

    A fourth change is for languages that the model was not trained on: an unseen trigram is scored by its shape, in
    which all words are replaced by one and only symbols and tags differ.
    """

    name: ClassVar[str] = "mss"
    summary: ClassVar[str] = "mss-supervised with trigrams alone, smaller log odds, and lists of links removed"
    paper: ClassVar[str] = "after Pasternack and Roth, WWW 2009"

    open_tag: bool = False
    sharpness: float = 0.3
    back_off: bool = True
    clean: str = "gentle"


@register
@dataclass(frozen=True)
class MssCleaneval(MssSupervised):
    """The paper's setting for the CleanEval task: pages of any kind (section 7.7).

    The classifier is trained on articles, and most trigrams of other pages are unseen. So it uses single tokens; an
    unseen token is scored by both its neighbors; and a bias of 0.14 on every score makes the block longer, because
    pages that are not articles have little noise inside their content.

    The paper says that it "switched features from trigrams to unigrams" and does not say whether the open tag was kept.
    Without it our model has the paper's scores, with it (`open_tag=yes`) ten points less (docs/results/mss.md).
    """

    name: ClassVar[str] = "mss-cleaneval"
    summary: ClassVar[str] = "mss by single tokens, with a bias to longer content, for pages of any kind"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 7.7"

    order: int = 1
    open_tag: bool = False
    bias: float = 0.14

    def probabilities(self, tokens: Tokens) -> Floats:
        import numpy as np

        from duramen.methods.mss.model import find_keys

        log_odds, seen = self.log_odds(tokens)
        # The log odds of the token alone, without those of its open tag and without the prior.
        own, _ = self.load_supervised_model().tables[self.order].look_up(find_keys(tokens, self.order))
        neighbors = np.concatenate([[0.0], own[:-1]]) + np.concatenate([own[1:], [0.0]])
        return logistic(self.sharpness * np.where(seen, log_odds, log_odds + neighbors))


def cut_at_horizontal_rule(tokens: Tokens, start: int, stop: int) -> tuple[int, int]:
    """Return the block up to its first `<hr>`."""
    import numpy as np

    from duramen.methods.mss.tokens import hash_term

    rules = np.flatnonzero(tokens.terms[start:stop] == hash_term("<hr>"))
    return start, start + int(rules[0]) if len(rules) else stop


@register
@dataclass(frozen=True)
class MssHr(MssSupervised):
    """The `<hr>` constraint of the paper (sections 6.2.3 and 7.4).

    Articles rarely contain a horizontal rule, but there is often one between an article and its comments. So the block
    is cut at its first rule. Constraints are functions from a block to a smaller one: pass your own to
    `MssSupervised(constraints=…)`.
    """

    name: ClassVar[str] = "mss-hr"
    summary: ClassVar[str] = "mss-supervised that ends at the first horizontal rule"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 7.4"

    constraints: tuple[Constraint, ...] = (cut_at_horizontal_rule,)
