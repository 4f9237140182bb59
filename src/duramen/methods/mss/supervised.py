"""Supervised maximum subsequence segmentation: naive Bayes scores every token, the best run of them is the article.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
6.2.3. A classifier trained on labelled pages gives each token the probability p that it stands in an article, from
its trigram and its open tag; its score is p − 0.5; the run of tokens with the largest sum is the article. The
classifier may be weak: the sum over a page forgives it.

Where the paper is silent: counts are smoothed by adding 0.1, so that no token is certain. The confidence is the paper's
windowed one (section 6.2.4): the geometric mean of the probabilities of the labels on either side of the two borders.

Measured by site on the articles of wcxb-dev, the open tag costs .013 of word F1 (`benchmarks/mss_paper.py`): its counts
are counted again for every token of a long paragraph, and drown the trigram. It is on by default, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from duramen.content import Content, Spans
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.mss.cleaning import RULES, clean
from duramen.methods.registry import register

if TYPE_CHECKING:  # NumPy takes longer to import than most pages to extract, so it waits for the first page
    import numpy as np
    from numpy.typing import NDArray

    from duramen.methods.mss.model import Floats, MssModel
    from duramen.methods.mss.tokens import Tokens

Constraint = Callable[["Tokens", int, int], tuple[int, int]]
"""Given tokens and the block from `start` to `stop`, a smaller block: knowledge of what articles cannot hold."""


@register
@dataclass(frozen=True)
class MssSupervised:
    name: ClassVar[str] = "mss-supervised"
    summary: ClassVar[str] = "the run of tokens that a trained classifier likes best"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009"

    model: str = ""
    """A file made by `duramen train mss`; empty for the model that comes with duramen."""
    order: int = 3
    open_tag: bool = True
    sharpness: float = 1.0
    """What log odds are multiplied by before they become a probability: less than 1 tempers a classifier that is too
    sure of itself, as naive Bayes is."""
    bias: float = 0.0
    clean: str = ""
    """`paper` or `gentle`: how the block is cleaned of what is not the article (section 4.2); empty for not at all."""
    window: int = 10
    back_off: bool = False
    """Judge an n-gram that was never seen by its shape: which of its tokens are words, and which symbols and tags stand
    between them. So articles are found in languages that the model has not met."""
    constraints: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        for wanted, said in (
            (self.order in (1, 2, 3), "order is 1, 2 or 3"),
            (self.sharpness > 0.0, "sharpness must be above 0"),
            (self.window >= 1, "window must be 1 or more"),
            (self.clean in ("", *RULES), f"clean is one of {', '.join(RULES)}, or nothing"),
        ):
            if not wanted:
                raise UsageError(f"{self.name}: {said}")

    def __call__(self, page: Page) -> Content:
        from duramen.methods.mss.tokens import tokenize

        tokens = tokenize(page.tree)
        probabilities = self.probabilities(tokens)
        block = best_block(self.scores(tokens, probabilities), tokens, self.constraints)
        if block is None:
            return Content(page, self.name, "no run of tokens is likely to be an article")
        return content_of(self, page, tokens, block, confidence(probabilities, *block, self.window))

    def probabilities(self, tokens: Tokens) -> Floats:
        """How likely each token is to be in an article."""
        return probability(self.sharpness * self.log_odds(tokens)[0])

    def log_odds(self, tokens: Tokens) -> tuple[Floats, NDArray[np.bool_]]:
        """What the classifier says of each token, and whether it has ever seen its n-gram."""
        return self.supervised_model().log_odds(tokens, self.order, open_tag=self.open_tag, back_off=self.back_off)

    def supervised_model(self) -> MssModel:
        """The model, which must have been learnt from labelled pages."""
        from duramen.methods.mss import model as mss

        model = mss.load(self.model)
        if len(model.importance):
            raise UsageError(f"{self.model}: this model was learnt from unlabelled pages, and is for mss-semi alone")
        return model

    def scores(self, tokens: Tokens, probabilities: Floats) -> Floats:
        return probabilities - 0.5 + self.bias


def probability(log_odds: Floats) -> Floats:
    import numpy as np

    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0)))


def best_block(scores: Floats, tokens: Tokens, constraints: tuple[Constraint, ...] = ()) -> tuple[int, int] | None:
    """The run with the largest sum, as the constraints leave it; None when they leave nothing."""
    from duramen.methods.mss.subsequence import maximum_subsequence_of_array

    run = maximum_subsequence_of_array(scores)
    if run is None:
        return None
    start, stop = run.start, run.stop
    for constraint in constraints:
        start, stop = constraint(tokens, start, stop)
    return (start, stop) if start < stop else None


def confidence(probabilities: Floats, start: int, stop: int, window: int) -> float:
    """The geometric mean of the probabilities of the labels within `window` tokens of the two borders."""
    import numpy as np

    inside = np.concatenate(
        [probabilities[start : min(start + window, stop)], probabilities[max(stop - window, start) : stop]]
    )
    outside = np.concatenate([probabilities[max(start - window, 0) : start], probabilities[stop : stop + window]])
    labels = np.concatenate([inside, 1.0 - outside])
    return float(np.exp(np.mean(np.log(np.maximum(labels, 1e-12)))))


def content_of(method: MssSupervised, page: Page, tokens: Tokens, block: tuple[int, int], confidence: float) -> Content:
    """The Content of a block of tokens, cleaned if the method says so."""
    found = tokens.block(*block)
    if found is None:
        return Content(page, method.name, "the best run of tokens holds tags alone")
    spans: Spans = (found.nodes,)
    if method.clean:
        spans = clean(page.tree, spans, method.clean)
        if not spans:
            return Content(page, method.name, f"the {method.clean} cleaning rules left nothing of the best run")
    reason = f"the run of {block[1] - block[0]} tokens with the largest sum of scores"
    clips = {node: clip for node, clip in found.clips.items() if any(node in span for span in spans)}
    return Content(page, method.name, reason, spans, confidence, clips)
