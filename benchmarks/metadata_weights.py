"""Learn the weights of the evidence for titles, authors and dates, and measure them on held-out sites.

    python benchmarks/metadata_weights.py SET [SET …] [--write]

The sets need `title`, `author` and `date` in their manifests. Each page gives its candidates with their evidence, and
the reference shows which of them is right, or that none is. A conditional logit with a Gaussian prior is fitted by
Newton's method. The output has the rates of a cross-validation over five groups of sites, then how often the shortcuts
are right, and each source, alone and in agreement with others. `--write` writes the weights of all pages to
`duramen/metadata/weights.py`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

import duramen.metadata
from duramen.dom.dates import as_date
from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.evaluation.metadata import is_near, is_right
from duramen.metadata.authors import author_candidates
from duramen.metadata.dates import date_candidates
from duramen.metadata.metadata import MIN_AUTHOR_CONFIDENCE, MIN_DATE_CONFIDENCE
from duramen.metadata.model import UNKNOWN_URL, URL_KINDS, Candidate, FieldValue
from duramen.metadata.scoring import Weights, choose
from duramen.metadata.shortcuts import find_agreed_date, find_agreed_title, find_certain_authors
from duramen.metadata.sources.collection import Sources
from duramen.metadata.title import title_candidates

FOLDS: Final = 5
PRIOR: Final = {"title": 2.0, "author": 1.0, "date": 1.0}
"""One over the variance of a weight."""
MIN_PAGES: Final = 5
"""A feature on fewer pages is left out."""
MIN_CONFIDENCE: Final = {"title": 0.0, "author": MIN_AUTHOR_CONFIDENCE, "date": MIN_DATE_CONFIDENCE}
TARGET: Final = Path(duramen.metadata.__file__).parent / "weights.py"

Array = NDArray[np.float64]


class TrainingPage(NamedTuple):
    """The candidates of a page for one field, and the reference value."""

    fold: int
    candidates: list[Candidate[Any]]
    reference: str | None
    shortcut: str | None = None
    """The answer without scoring (`duramen.metadata.shortcuts`)."""
    confidence: float = 0.0
    """The confidence of the shortcut."""


def value_text(field: str, candidate: Candidate[Any] | FieldValue[Any]) -> str:
    if field == "author":
        return "; ".join(author.name for author in candidate.value)
    return as_date(candidate.value).isoformat() if field == "date" else str(candidate.value)


def find_shortcut(field: str, sources: Sources) -> FieldValue[Any] | None:
    """Return the answer of a shortcut, if there is one."""
    if field == "author":
        return find_certain_authors(sources)
    return find_agreed_date(sources) if field == "date" else find_agreed_title(sources)


def fit(field: str, training_pages: Sequence[TrainingPage]) -> dict[str, float]:
    """Fit the weights that make the right candidates most probable."""
    seen = Counter(
        feature
        for page in training_pages
        for feature in {s for candidate in page.candidates for s in candidate.evidence}
    )
    names = ["bias", *sorted(feature for feature, pages in seen.items() if pages >= MIN_PAGES)]
    at = {name: place for place, name in enumerate(names)}
    examples: list[tuple[Array, Array]] = []
    for page in training_pages:
        right = [
            bool(page.reference) and is_right(field, page.reference or "", value_text(field, one))
            for one in page.candidates
        ]
        allow_none = field != "title"
        if not allow_none and not any(right):  # a reference that cuts the title elsewhere still shows which one it is
            right = [is_near(field, page.reference or "", value_text(field, one)) for one in page.candidates]
        if not page.candidates or not (any(right) or allow_none):
            continue
        rows = np.zeros((len(page.candidates) + allow_none, len(names)))
        wanted = np.zeros(len(rows))
        for row, candidate in enumerate(page.candidates):
            rows[row, [0, *(at[feature] for feature in candidate.evidence if feature in at)]] = 1
            wanted[row] = right[row]
        if allow_none:
            wanted[-1] = not any(right)
        examples.append((rows, wanted / wanted.sum()))
    weights = np.zeros(len(names))
    for _ in range(20):
        slope = PRIOR[field] * weights
        curve = PRIOR[field] * np.eye(len(names))
        for rows, wanted in examples:
            scores = rows @ weights
            likely = np.exp(scores - scores.max())
            likely /= likely.sum()
            mean = rows.T @ likely
            slope += mean - rows.T @ wanted
            curve += (rows * likely[:, None]).T @ rows - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    learned = dict(zip(names, map(float, weights), strict=True))
    # Every page of a set has a URL. A page without one gets the average weight.
    if kinds := [feature for feature in URL_KINDS if feature in learned]:
        learned[UNKNOWN_URL] = sum(learned[feature] * seen[feature] for feature in kinds) / sum(
            seen[feature] for feature in kinds
        )
    return learned


def rates(field: str, training_pages: Sequence[TrainingPage], weights: Mapping[int, Weights]) -> str:
    """Return the shares of right, nearly right, missing and false answers with the weights of each fold."""
    counts: Counter[str] = Counter()
    for page in training_pages:
        chosen = choose(
            page.candidates, weights[page.fold], min_confidence=MIN_CONFIDENCE[field], allow_none=field != "title"
        )
        answer = page.shortcut or (value_text(field, chosen[0]) if chosen else None)
        if page.reference:
            counts["pages"] += 1
            counts["right"] += is_right(field, page.reference, answer)
            counts["near"] += is_near(field, page.reference, answer)
            counts["missing"] += answer is None
        else:
            counts["without"] += 1
            counts["false"] += answer is not None
    shares = " ".join(f"{name} {counts[name] / max(counts['pages'], 1):.3f}" for name in ("right", "near", "missing"))
    return f"{field:7} {shares} of {counts['pages']}; false {counts['false']} of {counts['without']}"


def shortcut_rates(field: str, training_pages: Sequence[TrainingPage]) -> list[str]:
    """Return how often shortcuts are right, by their confidence."""
    lines = []
    for confidence in sorted({page.confidence for page in training_pages if page.shortcut}, reverse=True):
        answered = [page for page in training_pages if page.shortcut and page.confidence == confidence]
        right = sum(is_right(field, page.reference, page.shortcut) for page in answered if page.reference)
        without = sum(not page.reference for page in answered)
        lines.append(
            f"shortcuts with confidence {confidence}: right {right / len(answered):.3f} of {len(answered)},"
            f" {without} without reference"
        )
    return lines


def source_rates(field: str, training_pages: Sequence[TrainingPage]) -> list[str]:
    """Return for each source its pages, and how often it is right, alone and if another source agrees."""
    pages_of, right, alone, together, right_together = (Counter[str]() for _ in range(5))
    for page in training_pages:
        first: set[str] = set()
        for candidate in page.candidates:
            hit = bool(page.reference) and is_right(field, page.reference or "", value_text(field, candidate))
            for source in set(candidate.sources) - first:
                first.add(source)
                pages_of[source] += 1
                right[source] += hit
                if len(candidate.sources) > 1:
                    together[source] += 1
                    right_together[source] += hit
                else:
                    alone[source] += hit
    lines = [f"{'source':14} {'pages':>6} {'right':>6} {'agreed':>7} {'right if agreed':>16} {'right if alone':>15}"]
    for source, pages in pages_of.most_common():
        apart = pages - together[source]
        lines.append(
            f"{source:14} {pages:6} {right[source] / pages:6.2f} {together[source]:7}"
            f" {right_together[source] / max(together[source], 1):16.2f} {alone[source] / max(apart, 1):15.2f}"
        )
    return lines


def collect(names: Sequence[str], today: date) -> dict[str, list[TrainingPage]]:
    training_pages: dict[str, list[TrainingPage]] = {"title": [], "author": [], "date": []}
    for name in names:
        for example in read_set(name):
            sources = Sources(Page.parse(example.read(), url=example.url), today)
            fold = crc32(example.site.encode()) % FOLDS
            reference = example.fields
            titles = title_candidates(sources.titles, sources.context, sources.linked_names)
            dates = date_candidates(
                sources.claims("published", body=True), sources.claims("modified", body=True), sources.context
            )
            candidates_by_field: dict[str, Any] = {
                "title": titles,
                "date": dates,
                "author": [(sources, dates)],
            }  # add_author_candidates() needs the dates first
            for field, candidates in candidates_by_field.items():
                shortcut = find_shortcut(field, sources)
                answer = (value_text(field, shortcut), shortcut.confidence) if shortcut else (None, 0.0)
                training_pages[field].append(TrainingPage(fold, candidates, reference.get(field), *answer))
    return training_pages


def add_author_candidates(
    training_pages: Sequence[TrainingPage], days: Sequence[TrainingPage], weights: Mapping[int, Weights]
) -> list[TrainingPage]:
    """Add the candidates for authors, which depend on the date of the page."""
    made = []
    for page, day in zip(training_pages, days, strict=True):
        sources, candidates = page.candidates[0]  # type: ignore[misc]
        is_dated = day.shortcut is not None or choose(candidates, weights[page.fold], min_confidence=0.5) is not None
        context = sources.author_context(is_dated=is_dated, body=True)
        made.append(page._replace(candidates=author_candidates(sources.claims("author", body=True), context)))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    args = parser.parse_args()
    training_pages = collect(args.sets, date.today())
    whole: dict[str, dict[str, float]] = {}
    folds: dict[int, dict[str, float]] = {}
    for field in ("title", "date", "author"):
        if field == "author":
            training_pages[field] = add_author_candidates(training_pages[field], training_pages["date"], folds)
        folds = {
            fold: fit(field, [page for page in training_pages[field] if page.fold != fold]) for fold in range(FOLDS)
        }
        whole[field] = fit(field, training_pages[field])
        print("held out  ", rates(field, training_pages[field], folds))
        print("trained on", rates(field, training_pages[field], dict.fromkeys(range(FOLDS), whole[field])))
        print(
            "\n".join([*shortcut_rates(field, training_pages[field]), *source_rates(field, training_pages[field])]),
            end="\n\n",
        )
    if args.write:
        TARGET.write_text(format_weights(whole), "utf-8")
        print(f"written: {TARGET}")


def format_weights(whole: dict[str, dict[str, float]]) -> str:
    lines = [
        '"""Learned weights of the evidence for titles, authors and publication dates.',
        "",
        "`benchmarks/metadata_weights.py` writes this file; do not edit it."
        " Learned on the development part of WCXB (CC BY 4.0).",
        '"No answer" has the score 0; a title always has an answer.',
        '"""',
        "",
        "from __future__ import annotations",
        "",
        "from typing import Final",
        "",
    ]
    for field in ("title", "author", "date"):
        lines.append(f"{field.upper()}: Final[dict[str, float]] = {{")
        lines += [f'    "{name}": {weight:.2f},' for name, weight in sorted(whole[field].items(), key=_largest)]
        lines += ["}", ""]
    return "\n".join(lines)


def _largest(item: tuple[str, float]) -> tuple[float, str]:
    return -item[1], item[0]


if __name__ == "__main__":
    main()
