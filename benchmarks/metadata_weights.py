"""Learn how much each sign of a title, an author or a date is worth, and how well that holds on sites not learnt from.

    python benchmarks/metadata_weights.py SET [SET …] [--write]

The sets need `title`, `author` and `date` in their manifests. Each page gives its options with their signs
(`duramen.metadata.signs`), and the gold says which is right, or that none is. A conditional logit with a Gaussian
prior is fitted by Newton's method. Printed first are the rates in a cross-validation over five groups of sites, then
how often what is settled without weighing is right, and each source, alone and in agreement with others; `--write` puts
the weights of all pages into `duramen/metadata/weights.py`.
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
from duramen.dom.page import Page
from duramen.evaluation import read_set
from duramen.evaluation.metadata import is_near, is_right
from duramen.metadata.agreement import agreed_date, agreed_title, settled_authors
from duramen.metadata.choosing import Weights, choose
from duramen.metadata.claims import Found
from duramen.metadata.dates import day_of
from duramen.metadata.options import ADDRESS_KINDS, NO_ADDRESS, Option
from duramen.metadata.reading import LEAST_SURE_AUTHOR, LEAST_SURE_DATE
from duramen.metadata.signs import author_options, date_options
from duramen.metadata.sources import Sources
from duramen.metadata.title_signs import title_options

FOLDS: Final = 5
PRIOR: Final = {"title": 2.0, "author": 1.0, "date": 1.0}
"""One over the variance of a weight."""
SEEN: Final = 5
"""Pages: a sign that is seen on fewer is left out."""
LEAST: Final = {"title": 0.0, "author": LEAST_SURE_AUTHOR, "date": LEAST_SURE_DATE}
TARGET: Final = Path(duramen.metadata.__file__).parent / "weights.py"

Array = NDArray[np.float64]


class Lesson(NamedTuple):
    """A page: its options and its gold."""

    fold: int
    options: list[Option[Any]]
    gold: str | None
    told: str | None = None
    """What is settled without weighing (`duramen.metadata.agreement`)."""
    sure: float = 0.0
    """How sure that is said to be."""


def said(field: str, option: Option[Any] | Found[Any]) -> str:
    if field == "author":
        return "; ".join(author.name for author in option.value)
    return day_of(option.value).isoformat() if field == "date" else str(option.value)


def settled(field: str, sources: Sources) -> Found[Any] | None:
    """What a page says of a field so that nothing is weighed."""
    if field == "author":
        return settled_authors(sources)
    return agreed_date(sources) if field == "date" else agreed_title(sources)


def fit(field: str, lessons: Sequence[Lesson]) -> dict[str, float]:
    """The weights that make the gold's options most likely."""
    seen = Counter(sign for lesson in lessons for sign in {s for option in lesson.options for s in option.signs})
    names = ["bias", *sorted(sign for sign, pages in seen.items() if pages >= SEEN)]
    at = {name: place for place, name in enumerate(names)}
    pages: list[tuple[Array, Array]] = []
    for lesson in lessons:
        right = [bool(lesson.gold) and is_right(field, lesson.gold or "", said(field, one)) for one in lesson.options]
        silence = field != "title"
        if not silence and not any(right):  # gold that cuts a title elsewhere still says which of them it is
            right = [is_near(field, lesson.gold or "", said(field, one)) for one in lesson.options]
        if not lesson.options or not (any(right) or silence):
            continue
        signs = np.zeros((len(lesson.options) + silence, len(names)))
        wanted = np.zeros(len(signs))
        for row, option in enumerate(lesson.options):
            signs[row, [0, *(at[sign] for sign in option.signs if sign in at)]] = 1
            wanted[row] = right[row]
        if silence:
            wanted[-1] = not any(right)
        pages.append((signs, wanted / wanted.sum()))
    weights = np.zeros(len(names))
    for _ in range(20):
        slope = PRIOR[field] * weights
        curve = PRIOR[field] * np.eye(len(names))
        for signs, wanted in pages:
            scores = signs @ weights
            likely = np.exp(scores - scores.max())
            likely /= likely.sum()
            mean = signs.T @ likely
            slope += mean - signs.T @ wanted
            curve += (signs * likely[:, None]).T @ signs - np.outer(mean, mean)
        step = np.linalg.solve(curve, slope)
        weights -= step
        if np.abs(step).max() < 1e-6:
            break
    learnt = dict(zip(names, map(float, weights), strict=True))
    # Every page of a set has an address. One whose address is not known is taken for the average page.
    if told := [sign for sign in ADDRESS_KINDS if sign in learnt]:
        learnt[NO_ADDRESS] = sum(learnt[sign] * seen[sign] for sign in told) / sum(seen[sign] for sign in told)
    return learnt


def rates(field: str, lessons: Sequence[Lesson], weights: Mapping[int, Weights]) -> str:
    """How many answers are right, near, silent and false with the weights that belong to each fold."""
    counts: Counter[str] = Counter()
    for lesson in lessons:
        chosen = choose(lesson.options, weights[lesson.fold], least=LEAST[field], silence=field != "title")
        answer = lesson.told or (said(field, chosen[0]) if chosen else None)
        if lesson.gold:
            counts["pages"] += 1
            counts["right"] += is_right(field, lesson.gold, answer)
            counts["near"] += is_near(field, lesson.gold, answer)
            counts["silent"] += answer is None
        else:
            counts["without"] += 1
            counts["false"] += answer is not None
    shares = " ".join(f"{name} {counts[name] / max(counts['pages'], 1):.3f}" for name in ("right", "near", "silent"))
    return f"{field:7} {shares} of {counts['pages']}; false {counts['false']} of {counts['without']}"


def of_settled(field: str, lessons: Sequence[Lesson]) -> list[str]:
    """Of what is settled without weighing: how often it is right, by how sure it is said to be."""
    lines = []
    for sure in sorted({lesson.sure for lesson in lessons if lesson.told}, reverse=True):
        told = [lesson for lesson in lessons if lesson.told and lesson.sure == sure]
        right = sum(is_right(field, lesson.gold, lesson.told) for lesson in told if lesson.gold)
        without = sum(not lesson.gold for lesson in told)
        lines.append(f"settled as sure as {sure}: right {right / len(told):.3f} of {len(told)}, {without} without gold")
    return lines


def by_source(field: str, lessons: Sequence[Lesson]) -> list[str]:
    """Of each source: on how many pages it speaks, how often it is right, and how often with another that agrees."""
    spoken, right, alone, together, right_together = (Counter[str]() for _ in range(5))
    for lesson in lessons:
        first: set[str] = set()
        for option in lesson.options:
            hit = bool(lesson.gold) and is_right(field, lesson.gold or "", said(field, option))
            for source in set(option.sources) - first:
                first.add(source)
                spoken[source] += 1
                right[source] += hit
                if len(option.sources) > 1:
                    together[source] += 1
                    right_together[source] += hit
                else:
                    alone[source] += hit
    lines = [f"{'source':14} {'pages':>6} {'right':>6} {'agreed':>7} {'right if agreed':>16} {'right if alone':>15}"]
    for source, pages in spoken.most_common():
        apart = pages - together[source]
        lines.append(
            f"{source:14} {pages:6} {right[source] / pages:6.2f} {together[source]:7}"
            f" {right_together[source] / max(together[source], 1):16.2f} {alone[source] / max(apart, 1):15.2f}"
        )
    return lines


def collect(names: Sequence[str], today: date) -> dict[str, list[Lesson]]:
    lessons: dict[str, list[Lesson]] = {"title": [], "author": [], "date": []}
    for name in names:
        for example in read_set(name):
            sources = Sources(Page.parse(example.read(), url=example.url), today)
            fold = crc32(example.site.encode()) % FOLDS
            gold = example.fields
            titles = title_options(sources.titles, sources.setting, sources.elsewhere)
            dates = date_options(
                sources.claims("published", body=True), sources.claims("modified", body=True), sources.setting
            )
            known: dict[str, Any] = {"title": titles, "date": dates, "author": [(sources, dates)]}  # till it is dated
            for field, options in known.items():
                found = settled(field, sources)
                told = (said(field, found), found.confidence) if found else (None, 0.0)
                lessons[field].append(Lesson(fold, options, gold.get(field), *told))
    return lessons


def with_authors(lessons: Sequence[Lesson], days: Sequence[Lesson], weights: Mapping[int, Weights]) -> list[Lesson]:
    """The lessons on authors, once it is known which pages bear a date."""
    made = []
    for lesson, day in zip(lessons, days, strict=True):
        sources, options = lesson.options[0]  # type: ignore[misc]
        is_dated = day.told is not None or choose(options, weights[lesson.fold], least=0.5) is not None
        setting = sources.setting_of_authors(is_dated=is_dated, body=True)
        made.append(lesson._replace(options=author_options(sources.claims("author", body=True), setting)))
    return made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="SET")
    parser.add_argument("--write", action="store_true", help="write the weights into the package")
    args = parser.parse_args()
    lessons = collect(args.sets, date.today())
    whole: dict[str, dict[str, float]] = {}
    folds: dict[int, dict[str, float]] = {}
    for field in ("title", "date", "author"):
        if field == "author":
            lessons[field] = with_authors(lessons[field], lessons["date"], folds)
        folds = {
            fold: fit(field, [lesson for lesson in lessons[field] if lesson.fold != fold]) for fold in range(FOLDS)
        }
        whole[field] = fit(field, lessons[field])
        print("held out ", rates(field, lessons[field], folds))
        print("learnt on", rates(field, lessons[field], dict.fromkeys(range(FOLDS), whole[field])))
        print("\n".join([*of_settled(field, lessons[field]), *by_source(field, lessons[field])]), end="\n\n")
    if args.write:
        TARGET.write_text(written(whole), "utf-8")
        print(f"written: {TARGET}")


def written(whole: dict[str, dict[str, float]]) -> str:
    lines = [
        '"""What each sign is worth, by `benchmarks/metadata_weights.py`, which writes this file: do not edit it.',
        "",
        "Learnt on the development part of WCXB (CC BY 4.0). Silence weighs 0; a title is never silent.",
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
