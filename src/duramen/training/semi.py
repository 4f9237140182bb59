"""Train on unlabeled pages: the semi-supervised algorithm of maximum subsequence segmentation.

Pasternack and Roth, WWW 2009, section 6.2.4. The iteration itself is in `duramen.methods.mss.semi`, because the method
trains on a single page if it has no model. Here pages are converted one after the other to the input of the iteration:
three arrays of each page are kept, and the page is dropped.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.methods.mss.model import MssModel, load
from duramen.methods.mss.semi import MssSemi, UnlabeledPage
from duramen.methods.mss.tokens import tokenize
from duramen.training.card import describe_origin


def train_semi(
    pages: Iterable[Page], *, model: str = "", groups: Iterable[str] | None = None, **parameters: Any
) -> MssModel:
    """Train a model for `mss-semi` on unlabeled pages.

    `model` is the file of the supervised model to start from, empty for the one that is installed with duramen.
    `groups` gives the source of each page, so that the pages with the highest confidence of each source are taken;
    without it all pages are of one source. The other parameters are those of `MssSemi`, with the values of the paper as
    far as it gives them. If sources have few pages, one model for all, as in the paper, is better than one for each.

    Raises `InputError` if there is no page, or if the supervised model finds no article on any page.
    """
    method = MssSemi(model=model, **parameters)
    _load_start_model(method)  # raises an error before the pages are read
    sources = iter(groups) if groups is not None else None
    unlabeled: list[UnlabeledPage] = []
    for page in pages:
        source = "" if sources is None else next(sources, None)
        if source is None:
            raise ValueError("there are more pages than groups: give a group for each page")
        unlabeled.append(method.label_page(tokenize(page.tree), source))
    return train_from_pages(method, unlabeled)


def train_semi_sources(sources: Mapping[str, Sequence[Page]], *, model: str = "", **parameters: Any) -> MssModel:
    """Do the same as `train_semi`, with the pages of each source under its name."""
    groups = [source for source, pages in sources.items() for _ in pages]
    return train_semi((page for pages in sources.values() for page in pages), model=model, groups=groups, **parameters)


def train_from_pages(method: MssSemi, pages: Sequence[UnlabeledPage]) -> MssModel:
    """Train a model on these pages, and add its card."""
    if not pages:
        raise InputError("there are no pages to learn from")
    start = _load_start_model(method)
    trained = method.train(pages)
    if trained is None:
        raise InputError(f"no article was found on any of the {len(pages)} pages: give other pages")
    parameters = {
        name: value for name, value in asdict(method).items() if name not in ("model", "clean", "constraints")
    }
    page_counts = Counter(page.source for page in pages)
    card = {
        "algorithm": "semi-supervised",
        **describe_origin(),
        "pages": len(pages),
        "sources": {name or "all": count for name, count in page_counts.items()},
        "parameters": parameters,
        "start": {"file": method.model or "the model that comes with duramen", "card": dict(start.card)},
        **trained.card,
    }
    return replace(trained, card=card)


def _load_start_model(method: MssSemi) -> MssModel:
    """Load the supervised model to start from."""
    start = load(method.model)
    if len(start.importance):
        raise InputError(
            f"{method.model}: this model was itself learned from unlabeled pages; start from one of  duramen train mss"
        )
    return start
