"""Supervised maximum subsequence segmentation: naive Bayes scores every token.

Pasternack and Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009, section
6.2.3. A classifier trained on labeled pages gives each token the probability p that it is in an article, from its
trigram and its open tag; its score is p − 0.5; the run of tokens with the largest sum is the article. The classifier
may be weak: errors cancel out in the sum over a page.

Not in the paper: counts are smoothed by adding 0.1, so that no token is certain. The confidence is the paper's windowed
one (`confidence.py` has its other two).

Variants that the paper names and found no better (sections 6.2, 6.2.3 and 6.2.6) are parameters: `order` for bigrams
and unigrams, `tag_pair` for the two most recent unclosed tags, `exponent=3` for (p − 0.5)³. A model that was trained as
a perceptron (`duramen train mss --perceptron`) has weights in place of log odds: their sum is the score of a token.

Measured by site on the articles of wcxb-dev, the open tag costs .013 of word F1 (`benchmarks/mss_paper.py`): it counts
again for every token of a long paragraph, and outweighs the trigrams. It is on by default, as in the paper.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from duramen.content import Content, Spans
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.mss.cleaning import CLEANING_RULES, clean
from duramen.methods.mss.confidence import CONFIDENCES, compute_confidence
from duramen.methods.registry import register

if TYPE_CHECKING:  # importing NumPy takes longer than extracting most pages, so it is done for the first page
    import numpy as np
    from numpy.typing import NDArray

    from duramen.methods.mss.model import Floats, MssModel
    from duramen.methods.mss.tokens import Tokens

Constraint = Callable[["Tokens", int, int], tuple[int, int]]
"""A function of tokens and a block from `start` up to `stop` that returns a smaller block.

It expresses what an article cannot contain.
"""

TokenRange = tuple[int, int]
"""The first token of a block, and the token after its last."""


@register
@dataclass(frozen=True)
class MssSupervised:
    """The method mss-supervised; its variants are subclasses."""

    name: ClassVar[str] = "mss-supervised"
    summary: ClassVar[str] = "the run of tokens with the highest score by a trained classifier"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009"

    model: str = ""
    """A file made by `duramen train mss`; empty for the model that is installed with duramen."""
    order: int = 3
    open_tag: bool = True
    tag_pair: bool = False
    """Use the two most recent unclosed tags in place of the open tag; needs a model that was trained with them."""
    sharpness: float = 1.0
    """The factor of the log odds: less than 1 corrects the overconfidence of naive Bayes."""
    exponent: int = 1
    """The power of p − 0.5 that is the score: 1 or 3."""
    bias: float = 0.0
    clean: str = ""
    """The rule that cleans the block (section 4.2): `paper` or `gentle`; empty for no cleaning."""
    window: int = 10
    confidence: str = "window"
    """The formula of the confidence: `window`, `all` or `inside`."""
    back_off: bool = False
    """Score an unseen n-gram by its shape: which of its tokens are words, and which symbols and tags are between them.

    This finds articles in languages that the model was not trained on.
    """
    constraints: tuple[Constraint, ...] = ()

    def __post_init__(self) -> None:
        for is_valid, message in (
            (self.order in (1, 2, 3), "order is 1, 2 or 3"),
            (self.sharpness > 0.0, "sharpness must be above 0"),
            (self.exponent in (1, 3), "exponent is 1 or 3"),
            (self.window >= 1, "window must be 1 or more"),
            (self.confidence in CONFIDENCES, f"confidence is one of {', '.join(CONFIDENCES)}"),
            (self.clean in ("", *CLEANING_RULES), f"clean is one of {', '.join(CLEANING_RULES)}, or nothing"),
        ):
            if not is_valid:
                raise UsageError(f"{self.name}: {message}")

    def __call__(self, page: Page) -> Content:
        from duramen.methods.mss.tokens import tokenize

        tokens = tokenize(page.tree)
        probabilities = self.probabilities(tokens)
        block = find_best_block(self.scores(tokens, probabilities), tokens, self.constraints)
        if block is None:
            return Content(page, self.name, "no run of tokens is likely to be an article")
        return make_content(self, page, tokens, block, self.block_confidence(probabilities, block))

    def block_confidence(self, probabilities: Floats, block: TokenRange) -> float:
        """Return the confidence of a block by the formula of the method."""
        return compute_confidence(probabilities, *block, formula=self.confidence, window=self.window)

    def probabilities(self, tokens: Tokens) -> Floats:
        """Return the probability of each token to be in an article."""
        return logistic(self.sharpness * self.log_odds(tokens)[0])

    def log_odds(self, tokens: Tokens) -> tuple[Floats, NDArray[np.bool_]]:
        """Return the log odds of each token, and whether its n-gram was seen in training."""
        return self.load_supervised_model().log_odds(
            tokens, self.order, open_tag=self.open_tag, tag_pair=self.tag_pair, back_off=self.back_off
        )

    def load_supervised_model(self) -> MssModel:
        """Load the model, which must be trained on labeled pages."""
        from duramen.methods.mss.model import load

        model = load(self.model)
        if len(model.importance):
            raise UsageError(f"{self.model}: this model was learned from unlabeled pages: use it with mss-semi")
        return model

    def scores(self, tokens: Tokens, probabilities: Floats) -> Floats:
        if self.load_supervised_model().is_linear:
            return self.log_odds(tokens)[0] + self.bias
        return (probabilities - 0.5) ** self.exponent + self.bias


def logistic(log_odds: Floats) -> Floats:
    """Convert log odds to probabilities."""
    import numpy as np

    return 1.0 / (1.0 + np.exp(-np.clip(log_odds, -30.0, 30.0)))


def find_best_block(scores: Floats, tokens: Tokens, constraints: tuple[Constraint, ...] = ()) -> TokenRange | None:
    """Return the run with the largest sum after the constraints; None if nothing is left."""
    from duramen.methods.mss.subsequence import maximum_subsequence_of_array

    run = maximum_subsequence_of_array(scores)
    if run is None:
        return None
    start, stop = run.start, run.stop
    for constraint in constraints:
        start, stop = constraint(tokens, start, stop)
    return (start, stop) if start < stop else None


def make_content(method: MssSupervised, page: Page, tokens: Tokens, block: TokenRange, confidence: float) -> Content:
    """Return the Content of a block of tokens, cleaned by the rule of the method."""
    token_block = tokens.find_nodes(*block)
    if token_block is None:
        return Content(page, method.name, "the best run of tokens holds tags alone")
    spans: Spans = (token_block.nodes,)
    if method.clean:
        spans = clean(page.tree, spans, method.clean)
        if not spans:
            return Content(page, method.name, f"the {method.clean} cleaning rules left nothing of the best run")
    reason = f"the run of {block[1] - block[0]} tokens with the largest sum of scores"
    clips = {node: clip for node, clip in token_block.clips.items() if any(node in span for span in spans)}
    return Content(page, method.name, reason, spans, confidence, clips)
