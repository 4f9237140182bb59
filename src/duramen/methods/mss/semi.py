"""Semi-supervised maximum subsequence segmentation: a site's own pages say what stands at the borders of its articles.

Pasternack and Roth, WWW 2009, section 6.2.4. The supervised classifier finds blocks on unlabelled pages. Then, ten
times: the 60 % of the pages of each source whose blocks look most certain are taken for labelled; a new classifier is
trained on their trigrams; each trigram also gets an importance, from 1 if it always stands next to a border of an
article to 0 if always 64 tokens away or more; and new blocks are found with the scores (p − 0.5)(24 m + 1). So what
surrounds the articles of a source counts more than the words in them.

`duramen train mss --semi` learns a model from many pages: pass it as `model`. Without one the method learns from the
page at hand alone. That works at once, but one page has little to teach: where the supervised block is a fragment it
may grow, as on one of the twenty templates of news-sites-dev; elsewhere it stays, but for a token here and there.

Where the paper is silent: the classifier learnt here has no prior. An unseen trigram is as likely inside as outside,
so it is worth nothing; but with a prior it is worth what the prior is, and since most of a page is no article, that is
less than nothing. Few pages leave most trigrams of the others unseen, and their articles vanish (`prior=yes` shows it).
Without a prior, on ten pages a source, word F1 on news-sites-dev rises from .929 to .938 (`benchmarks/mss_paper.py`).
Like the paper's, the gain comes from a few sources on which the supervised classifier goes wrong.

Counts are smoothed by adding 0.5, more than for labelled pages, because here the labels are guesses. When the pages
taken and their blocks have all been met before, what follows is known, and the iteration ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.methods.mss.supervised import MssSupervised, best_block, confidence, content_of, probability
from duramen.methods.registry import register

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from duramen.methods.mss.model import Floats, MssModel
    from duramen.methods.mss.tokens import Hashes, Integers, Tokens

Block = tuple[int, int]


class Unlabelled(NamedTuple):
    """What is kept of an unlabelled page, and what the supervised classifier made of it."""

    source: str
    trigrams: Hashes
    probabilities: Floats
    block: Block | None


@register
@dataclass(frozen=True)
class MssSemi(MssSupervised):
    name: ClassVar[str] = "mss-semi"
    summary: ClassVar[str] = "mss that learns from unlabelled pages what stands at the borders of their articles"
    paper: ClassVar[str] = "Pasternack and Roth, WWW 2009, section 6.2.4"

    # `order`, `open_tag` and `sharpness` are those of the supervised classifier that comes first. The following are to
    # learn by: with a model that has been learnt they have had their say.
    kept: float = 0.6
    """The share of the pages of each source to learn from."""
    iterations: int = 10
    distance: int = 64
    """How many tokens from a border importance reaches."""
    factor: float = 24.0
    """How much importance counts."""
    smoothing: float = 0.5
    prior: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        for wanted, said in (
            (0.0 < self.kept <= 1.0, "kept is a share of the pages, above 0 and at most 1"),
            (self.iterations >= 1, "iterations must be 1 or more"),
            (self.distance >= 1, "distance must be 1 or more"),
            (self.factor >= 0.0, "factor must not be below 0"),
            (self.smoothing > 0.0, "smoothing must be above 0"),
        ):
            if not wanted:
                raise UsageError(f"{self.name}: {said}")

    def __call__(self, page: Page) -> Content:
        from duramen.methods.mss import model as mss
        from duramen.methods.mss.tokens import tokenize

        tokens = tokenize(page.tree)
        model: MssModel | None = mss.load(self.model)
        if model is not None and not len(model.importance):
            model = self.learn([self.unlabelled(tokens)])
        if model is None:
            return Content(page, self.name, "no token of the page is likely to be in an article")
        odds, _ = model.log_odds(tokens, 3, open_tag=False)
        probabilities = probability(odds)
        importance, _ = model.importance.look_up(mss.ngrams(tokens.terms, 3))
        learnt_with = model.card.get("parameters", {}).get("factor", self.factor)
        weighted = replace(self, factor=learnt_with).weighted(probabilities, importance)
        block = best_block(weighted, tokens, self.constraints)
        if block is None:
            return Content(page, self.name, "no run of tokens looks like the articles that the model was learnt from")
        return content_of(self, page, tokens, block, confidence(probabilities, *block, self.window))

    def weighted(self, probabilities: Floats, importance: Floats) -> Floats:
        """The scores of tokens: those near a border of the article count most."""
        return (probabilities - 0.5) * (importance * self.factor + 1.0) + self.bias

    def unlabelled(self, tokens: Tokens, source: str = "") -> Unlabelled:
        """Steps 1 and 2: the block that the supervised classifier finds on a page."""
        from duramen.methods.mss.model import ngrams

        probabilities = self.probabilities(tokens)
        block = best_block(self.scores(tokens, probabilities), tokens, self.constraints)
        return Unlabelled(source, ngrams(tokens.terms, 3), probabilities, block)

    def learn(self, pages: Sequence[Unlabelled]) -> MssModel | None:
        """Step 3, the iteration. None when there is not one block to start from.

        The card says for each iteration from how many pages it learnt, how sure it was of them, and how many blocks it
        changed.
        """
        import numpy as np

        from duramen.methods.mss.model import MssModel, Table

        if not any(page.block for page in pages):
            return None
        # The trigrams stay the same from one iteration to the next: they are looked up once, and are places from then.
        keys, all_places = np.unique(np.concatenate([page.trigrams for page in pages]), return_inverse=True)
        places = np.split(all_places, np.cumsum([len(page.trigrams) for page in pages])[:-1])
        probabilities = [page.probabilities for page in pages]
        blocks = [page.block for page in pages]
        sources = [page.source for page in pages]
        history: list[dict[str, Any]] = []
        states: list[list[tuple[int, Block]]] = []
        stopped = "after the last iteration"
        while len(history) < self.iterations:
            sure = [confidence(p, *b, self.window) if b else 0.0 for p, b in zip(probabilities, blocks, strict=True)]
            chosen = [(page, block) for page in most_certain(sources, sure, self.kept) if (block := blocks[page])]
            if chosen in states:
                stopped = "when nothing changed any more" if chosen == states[-1] else "when blocks came back by turns"
                break
            states.append(chosen)
            taken = [(places[page], block) for page, block in chosen]
            learnt = learn_trigrams(taken, len(keys), self.distance, self.smoothing)
            prior = learnt.prior if self.prior else 0.0
            by_trigram = probability(learnt.log_odds + prior)
            weighted = self.weighted(by_trigram, learnt.importance)
            probabilities = [by_trigram[here] for here in places]
            before, blocks = blocks, [best_run(weighted[here]) for here in places]
            history.append(
                {
                    "pages": len(chosen),
                    "confidence": round(float(np.mean([sure[page] for page, _ in chosen])), 4),
                    "changed": sum(old != new for old, new in zip(before, blocks, strict=True)),
                }
            )
            if not any(blocks):
                stopped = "when no block was left"
                break
        seen = learnt.seen
        trigrams = Table(keys[seen], learnt.log_odds[seen].astype(np.float16))
        importance = Table(keys[seen], learnt.importance[seen].astype(np.float16))
        card = {"iterations": history, "stopped": stopped}
        return MssModel(prior, {1: Table.empty(), 2: Table.empty(), 3: trigrams}, Table.empty(), importance, card)


class Learnt(NamedTuple):
    """One number a trigram; 0 for those that were not seen."""

    log_odds: Floats
    importance: Floats
    seen: NDArray[np.bool_]
    prior: float


def learn_trigrams(pages: Sequence[tuple[Integers, Block]], size: int, distance: int, smoothing: float) -> Learnt:
    """Naive Bayes and importance weights over pages whose tokens are given as the places of their trigrams."""
    import numpy as np

    places = np.concatenate([here for here, _ in pages])
    inside = np.concatenate([labels(len(here), block) for here, block in pages])
    near = np.concatenate([nearness(len(here), block, distance) for here, block in pages])
    counts = np.bincount(places, minlength=size)
    counts_in = np.bincount(places, weights=inside, minlength=size)
    seen = counts > 0
    rows, total, total_in = np.count_nonzero(seen), len(places), float(inside.sum())
    log_in = np.log((counts_in + smoothing) / (total_in + smoothing * rows))
    log_out = np.log((counts - counts_in + smoothing) / (total - total_in + smoothing * rows))
    log_odds = np.where(seen, log_in - log_out, 0.0)
    importance = np.bincount(places, weights=near, minlength=size) / np.maximum(counts, 1)
    prior = float(np.log(max(total_in, 1.0) / max(total - total_in, 1.0)))
    # A model keeps half-precision numbers; with the same ones here it finds the same blocks.
    return Learnt(_half(log_odds), _half(importance), seen, prior)


def nearness(size: int, block: Block, distance: int) -> Floats:
    """For each of `size` tokens 1 next to a border of the block, falling to 0 at `distance` tokens from it."""
    import numpy as np

    index = np.arange(size)
    start, stop = block[0] - 0.5, block[1] - 0.5
    steps = np.minimum(np.abs(index - start), np.abs(index - stop)) - 0.5
    near: Floats = np.maximum(0.0, distance - steps) / distance
    return near


def labels(size: int, block: Block) -> Floats:
    """For each of `size` tokens 1 in the block, 0 outside."""
    import numpy as np

    inside = np.zeros(size)
    inside[block[0] : block[1]] = 1.0
    return inside


def most_certain(sources: Sequence[str], sure: Sequence[float], kept: float) -> list[int]:
    """The share `kept` of the pages of each source that one is surest of, but at least one; in order."""
    by_source: dict[str, list[int]] = {}
    for page, source in enumerate(sources):
        by_source.setdefault(source, []).append(page)
    chosen: list[int] = []
    for pages in by_source.values():
        pages.sort(key=lambda page: -sure[page])
        chosen += pages[: max(1, round(kept * len(pages)))]
    return sorted(chosen)


def best_run(scores: Floats) -> Block | None:
    from duramen.methods.mss.subsequence import maximum_subsequence

    run = maximum_subsequence(scores.tolist())
    return (run.start, run.stop) if run else None


def _half(numbers: Floats) -> Floats:
    import numpy as np

    return numbers.astype(np.float16).astype(np.float64)
