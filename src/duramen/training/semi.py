"""Learning from unlabelled pages: the semi-supervised algorithm of maximum subsequence segmentation.

Pasternack and Roth, WWW 2009, section 6.2.4; the iteration itself stands in `duramen.methods.mss.semi`, because the
method learns from a single page when it has no model. Here pages become what the iteration needs, one after the other:
three arrays a page are kept, and the page is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import duramen
from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.methods.mss import model as mss
from duramen.methods.mss.model import MssModel
from duramen.methods.mss.semi import MssSemi, Unlabelled
from duramen.methods.mss.tokens import tokenize


def train_semi(
    pages: Iterable[Page], *, model: str = "", groups: Iterable[str] | None = None, **parameters: Any
) -> MssModel:
    """A model for `mss-semi`, learnt from unlabelled pages.

    `model` is the file of the supervised model to start from, empty for the one that comes with duramen; `groups` says
    for each page which source it is from, so that the surest pages of each are taken: without it all are of one source.
    The other parameters are those of `MssSemi`, with the paper's values where it gives them. One model for all sources
    together, as in the paper, is better than one for each where a source has few pages.

    Raises `InputError` when there is no page, or none on which the supervised model finds an article.
    """
    method = MssSemi(model=model, **parameters)
    _start(method)  # said before the pages are read
    sources = iter(groups) if groups is not None else None
    unlabelled: list[Unlabelled] = []
    for page in pages:
        source = "" if sources is None else next(sources, None)
        if source is None:
            raise ValueError("there are more pages than groups are named for")
        unlabelled.append(method.unlabelled(tokenize(page.tree), source))
    return learn(method, unlabelled)


def train_semi_sources(sources: Mapping[str, Sequence[Page]], *, model: str = "", **parameters: Any) -> MssModel:
    """The same, with the pages of each source under its name."""
    groups = [source for source, pages in sources.items() for _ in pages]
    return train_semi((page for pages in sources.values() for page in pages), model=model, groups=groups, **parameters)


def learn(method: MssSemi, pages: Sequence[Unlabelled]) -> MssModel:
    """The model that the method learns from these pages, with its card."""
    if not pages:
        raise InputError("there are no pages to learn from")
    start = _start(method)
    learnt = method.learn(pages)
    if learnt is None:
        raise InputError(f"on none of the {len(pages)} pages was an article found: there is nothing to learn from")
    settings = {name: value for name, value in asdict(method).items() if name not in ("model", "clean", "constraints")}
    counts: dict[str, int] = {}
    for page in pages:
        counts[page.source] = counts.get(page.source, 0) + 1
    card = {
        "algorithm": "semi-supervised",
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "duramen": duramen.__version__,
        "pages": len(pages),
        "sources": {name or "all": count for name, count in counts.items()},
        "parameters": settings,
        "start": {"file": method.model or "the model that comes with duramen", "card": dict(start.card)},
        **learnt.card,
    }
    return replace(learnt, card=card)


def _start(method: MssSemi) -> MssModel:
    """The supervised model that comes first."""
    start = mss.load(method.model)
    if len(start.importance):
        raise InputError(
            f"{method.model}: this model was itself learnt from unlabelled pages; start from one of  duramen train mss"
        )
    return start
