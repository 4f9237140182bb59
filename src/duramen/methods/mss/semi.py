"""Semi-supervised maximum subsequence segmentation: learn the borders of articles from unlabeled pages.

Pasternack and Roth, WWW 2009, section 6.2.4. The supervised classifier finds blocks on unlabeled pages. Then, ten
times: the 60 % of the pages of each source with the highest confidence are taken as labeled; a new classifier is
trained on their trigrams; each trigram also gets an importance, from 1 if it is always next to a border of an article
to 0 if it is always 64 tokens away or more; and new blocks are found with the scores (p − 0.5)(24 m + 1). So the
trigrams around the articles of a source count more than the words in them.

`duramen train mss --semi` trains a model on many pages: pass it as `model`. Without such a model the method learns from
the current page alone. This needs no training: if the supervised block is a fragment it may grow, as on one of the
twenty templates of news-sites-dev, where word F1 of all pages rises from .927 to .951; otherwise it stays nearly the
same.

Not in the paper: the classifier trained here has no prior. An unseen trigram is as likely inside as outside, so its
score is 0; with a prior its score would be the prior, which is negative, since most of a page is not the article. After
few pages most trigrams of the others are unseen, and their articles are lost (`prior=yes` shows it). Without a prior,
with ten pages of each source, word F1 on news-sites-dev rises from .929 to .938 (`benchmarks/mss_paper.py`). The gain
comes from a few sources on which the supervised classifier is wrong; on unseen news there was none (.926, .916).

Counts are smoothed by adding 0.5, more than for labeled pages, because here the labels are guesses. If the chosen pages
and their blocks have all occurred before, the iterations would repeat, and the training ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.mss.supervised import (
    MssSupervised,
    TokenRange,
    find_best_block,
    logistic,
    make_content,
)
from duramen.methods.registry import register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from duramen.methods.mss.model import Floats, MssModel
    from duramen.methods.mss.tokens import Hashes, Integers, Tokens


class UnlabeledPage(NamedTuple):
    """What is kept of an unlabeled page, with the block that the supervised classifier found."""

    source: str
    trigrams: Hashes
    probabilities: Floats
    block: TokenRange | None


@register
@dataclass(frozen=True)
class MssSemi(MssSupervised):
    """The method mss-semi.

    `order`, `open_tag` and `sharpness` are those of the supervised classifier that comes first. The parameters below
    are for training: they have no effect with a trained model.
    """

    name: ClassVar[str] = "mss-semi"
    summary: ClassVar[str] = "mss that learns the borders of articles from unlabeled pages"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 6.2.4"

    kept: float = 0.6
    """The share of the pages of each source to train on."""
    iterations: int = 10
    distance: int = 64
    """The distance from a border, in tokens, at which the importance is 0."""
    factor: float = 24.0
    """The factor of the importance in the scores."""
    smoothing: float = 0.5
    prior: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for is_valid, message in (
            (0.0 < self.kept <= 1.0, "kept is a share of the pages, above 0 and at most 1"),
            (self.iterations >= 1, "iterations must be 1 or more"),
            (self.distance >= 1, "distance must be 1 or more"),
            (self.factor >= 0.0, "factor must not be below 0"),
            (self.smoothing > 0.0, "smoothing must be above 0"),
        ):
            if not is_valid:
                raise UsageError(f"{self.name}: {message}")

    def __call__(self, page: Page) -> Content:
        from duramen.methods.mss.model import hash_ngrams, load
        from duramen.methods.mss.tokens import tokenize

        tokens = tokenize(page.tree)
        model: MssModel | None = load(self.model)
        if model is not None and not len(model.importance):
            model = self.train([self.label_page(tokens)])
        if model is None:
            return Content(page, self.name, "no token of the page is likely to be in an article")
        log_odds, _ = model.log_odds(tokens, 3, open_tag=False)
        probabilities = logistic(log_odds)
        importance, _ = model.importance.look_up(hash_ngrams(tokens.terms, 3))
        trained_factor = model.card.get("parameters", {}).get("factor", self.factor)
        scores = replace(self, factor=trained_factor).weigh_scores(probabilities, importance)
        block = find_best_block(scores, tokens, self.constraints)
        if block is None:
            return Content(page, self.name, "no run of tokens looks like the articles that the model was learned from")
        return make_content(self, page, tokens, block, self.block_confidence(probabilities, block))

    def weigh_scores(self, probabilities: Floats, importance: Floats) -> Floats:
        """Return the scores of tokens: those near a border of the article count most."""
        return (probabilities - 0.5) * (importance * self.factor + 1.0) + self.bias

    def label_page(self, tokens: Tokens, source: str = "") -> UnlabeledPage:
        """Find a block with the supervised classifier: steps 1 and 2 of the algorithm."""
        from duramen.methods.mss.model import hash_ngrams

        probabilities = self.probabilities(tokens)
        block = find_best_block(self.scores(tokens, probabilities), tokens, self.constraints)
        return UnlabeledPage(source, hash_ngrams(tokens.terms, 3), probabilities, block)

    def train(self, pages: Sequence[UnlabeledPage]) -> MssModel | None:
        """Train a model: step 3, the iteration. Returns None if no page has a block to start from.

        The card of the model has for each iteration the number of pages, their mean confidence, and the number of
        blocks that changed.
        """
        import numpy as np

        from duramen.methods.mss.model import MssModel, NgramTable

        if not any(page.block for page in pages):
            return None
        # The trigrams stay the same in all iterations, so they are replaced by their indexes once.
        keys, all_indexes = np.unique(np.concatenate([page.trigrams for page in pages]), return_inverse=True)
        indexes = np.split(all_indexes, np.cumsum([len(page.trigrams) for page in pages])[:-1])
        probabilities = [page.probabilities for page in pages]
        blocks = [page.block for page in pages]
        sources = [page.source for page in pages]
        history: list[dict[str, Any]] = []
        states: list[list[tuple[int, TokenRange]]] = []
        stopped = "after the last iteration"
        while len(history) < self.iterations:
            confidences = [
                self.block_confidence(page_probabilities, block) if block else 0.0
                for page_probabilities, block in zip(probabilities, blocks, strict=True)
            ]
            most_confident = choose_most_confident(sources, confidences, self.kept)
            chosen = [(page, block) for page in most_confident if (block := blocks[page])]
            if chosen in states:
                stopped = "when nothing changed any more" if chosen == states[-1] else "when blocks came back by turns"
                break
            states.append(chosen)
            labeled = [(indexes[page], block) for page, block in chosen]
            statistics = count_trigrams(labeled, len(keys), self.distance, self.smoothing)
            prior = statistics.prior if self.prior else 0.0
            trigram_probabilities = logistic(statistics.log_odds + prior)
            scores = self.weigh_scores(trigram_probabilities, statistics.importance)
            probabilities = [trigram_probabilities[page_indexes] for page_indexes in indexes]
            before, blocks = blocks, [find_best_range(scores[page_indexes]) for page_indexes in indexes]
            history.append(
                {
                    "pages": len(chosen),
                    "confidence": round(float(np.mean([confidences[page] for page, _ in chosen])), 4),
                    "changed": sum(old != new for old, new in zip(before, blocks, strict=True)),
                }
            )
            if not any(blocks):
                stopped = "when no block was left"
                break
        seen = statistics.seen
        trigrams = NgramTable(keys[seen], statistics.log_odds[seen].astype(np.float16))
        importance = NgramTable(keys[seen], statistics.importance[seen].astype(np.float16))
        tables = {1: NgramTable.empty(), 2: NgramTable.empty(), 3: trigrams}
        card = {"iterations": history, "stopped": stopped}
        return MssModel(prior, tables, NgramTable.empty(), importance=importance, card=card)


class TrigramStatistics(NamedTuple):
    """Log odds and importance of each trigram; 0 for those that were not seen."""

    log_odds: Floats
    importance: Floats
    seen: NDArray[np.bool_]
    prior: float


def count_trigrams(
    pages: Sequence[tuple[Integers, TokenRange]], size: int, distance: int, smoothing: float
) -> TrigramStatistics:
    """Compute naive Bayes log odds and importance from pages, given by the indexes of their trigrams, and blocks."""
    import numpy as np

    indexes = np.concatenate([page_indexes for page_indexes, _ in pages])
    inside = np.concatenate([make_labels(len(page_indexes), block) for page_indexes, block in pages])
    nearness = np.concatenate(
        [compute_border_nearness(len(page_indexes), block, distance) for page_indexes, block in pages]
    )
    counts = np.bincount(indexes, minlength=size)
    counts_in = np.bincount(indexes, weights=inside, minlength=size)
    seen = counts > 0
    rows, total, total_in = np.count_nonzero(seen), len(indexes), float(inside.sum())
    log_in = np.log((counts_in + smoothing) / (total_in + smoothing * rows))
    log_out = np.log((counts - counts_in + smoothing) / (total - total_in + smoothing * rows))
    log_odds = np.where(seen, log_in - log_out, 0.0)
    importance = np.bincount(indexes, weights=nearness, minlength=size) / np.maximum(counts, 1)
    prior = float(np.log(max(total_in, 1.0) / max(total - total_in, 1.0)))
    # A model file has half-precision numbers; the same precision here gives the same blocks.
    return TrigramStatistics(_round_to_half(log_odds), _round_to_half(importance), seen, prior)


def compute_border_nearness(size: int, block: TokenRange, distance: int) -> Floats:
    """Return for each of `size` tokens 1 next to a border of the block, falling to 0 at `distance` tokens from it."""
    import numpy as np

    index = np.arange(size)
    start, stop = block[0] - 0.5, block[1] - 0.5
    steps = np.minimum(np.abs(index - start), np.abs(index - stop)) - 0.5
    nearness: Floats = np.maximum(0.0, distance - steps) / distance
    return nearness


def make_labels(size: int, block: TokenRange) -> Floats:
    """Return for each of `size` tokens 1 inside the block, 0 outside."""
    import numpy as np

    inside = np.zeros(size)
    inside[block[0] : block[1]] = 1.0
    return inside


def choose_most_confident(sources: Sequence[str], confidences: Sequence[float], share: float) -> list[int]:
    """Return the share of the pages of each source with the highest confidence, at least one; in order."""
    by_source: dict[str, list[int]] = {}
    for page, source in enumerate(sources):
        by_source.setdefault(source, []).append(page)
    chosen: list[int] = []
    for pages in by_source.values():
        pages.sort(key=lambda page: -confidences[page])
        chosen += pages[: max(1, round(share * len(pages)))]
    return sorted(chosen)


def find_best_range(scores: Floats) -> TokenRange | None:
    from duramen.methods.mss.subsequence import maximum_subsequence

    run = maximum_subsequence(scores.tolist())
    return (run.start, run.stop) if run else None


def _round_to_half(numbers: Floats) -> Floats:
    import numpy as np

    return numbers.astype(np.float16).astype(np.float64)
