"""Write docs/leaderboard.md and its picture from the results of `leaderboard.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from duramen.evaluation.score_tables import make_markdown_table
from mss_pictures import INK, MAIN, QUIET, axes_of, save

Results = Mapping[str, Any]

NO_VALUE = "–"
MEASURES = ("precision", "recall", "f1", "bigrams", "cleaneval")
_PICTURE = "leaderboard.png"

_PREFACE = """\
# Leaderboard

Word F1 of the methods of duramen and of other extractors (peers), on the same pages: {pages}. All extractors run with
their defaults ([evaluation.md](evaluation.md) describes the measures and the sets). duramen {version}, {dates}; peers:
{peers}. {note}

```sh
pip install 'duramen[peers]'
{command}     # measures and writes this page
```

![Word F1 of duramen and peers on the sets that no model was trained on](pictures/{picture})

## Sets that no model was trained on

These sets decide. **macro** is the mean over the sets.

{unseen}

## Sets that models were trained on

The model of `auto` was trained on these four sets. So its numbers, marked †, are those of cross-validation: each page
is scored by a model that was not trained on its site, on all pages of the set. They are in the card of the model
(`duramen train auto --show src/duramen/models/auto.npz`); `duramen train auto wcxb-dev news-world-dev chinese-dev
forums-dev -o model.npz` makes them again. The models of `mss-*` were trained on the articles of wcxb-dev, and have no
number there ({dash}); [results/mss.md](results/mss.md) has their cross-validation.

{trained}

## More measures

Means over the sets that no model was trained on, each set with the same weight. **correct**: all of the content and
nothing else, up to 5 % of the words. **failures**: pages with an exception, which score as an empty text. {times}
`results/leaderboard.json` has all measures of each set.

{measures}

## The sets

{sets}
"""

_TIMES = """\
**× parse**: processor time from the bytes to the text, in bare parses of the same page; [speed.md](speed.md) has a more
careful measurement."""
_NO_TIMES = "[speed.md](speed.md) has times."


def write_document(results: Results, docs: Path) -> None:
    """Write the page and the picture."""
    parts = {part["set"]: part for part in results["sets"]}
    trained_sets = {name for sets in results["trained_on"].values() for name in sets}
    unseen, trained = ([name for name in parts if (name in trained_sets) is which] for which in (False, True))
    names = rank_extractors(results, unseen)
    text = _PREFACE.format(
        command=results["command"],
        version=results["duramen"],
        dates=" and ".join(sorted({part["date"] for part in parts.values()})),
        peers=", ".join(f"{name} {version}" for name, version in results["peers"].items()),
        pages=describe_pages(results),
        note=results.get("note", ""),
        picture=_PICTURE,
        dash=NO_VALUE,
        unseen=make_f1_table(results, names, unseen, macro=True),
        trained=make_f1_table(results, names, trained, macro=True),
        times=_TIMES if _has_times(parts, names, unseen) else _NO_TIMES,
        measures=make_measures_table(parts, names, unseen),
        sets=_make_sets_table(parts, trained_sets),
    )
    (docs / "leaderboard.md").write_text(text, "utf-8")
    _draw(results, names, unseen, docs / "pictures" / _PICTURE)


def describe_pages(results: Results) -> str:
    """Say whether the pages are all pages of the sets, or a sample."""
    if all(part["pages"] == part["pages_of_set"] for part in results["sets"]):
        return "all pages of each set"
    most = max(part["pages"] for part in results["sets"])
    return f"at most {most} pages of each set, a sample with the seed {results['seed']}"


def rank_extractors(results: Results, sets: Sequence[str]) -> list[str]:
    """Return the names of all extractors, the highest macro F1 on these sets first."""
    names = {name for part in results["sets"] for name in part["rows"]}
    return sorted(names, key=lambda name: (-_macro(results, name, sets), name))


def make_f1_table(results: Results, names: Sequence[str], sets: Sequence[str], *, macro: bool) -> str:
    """Return a table of word F1: a row for each extractor, a column for each set."""
    parts = {part["set"]: part for part in results["sets"]}
    titles = [f"{name.removesuffix('-dev')} ({parts[name]['pages']})" for name in sets]
    head = ["", *(["macro"] if macro else []), *titles]
    rows = []
    for name in names:
        cells = [get_f1(results, name, one) for one in sets]
        known = [f1 for f1, _ in cells if f1 is not None]
        mean = _write(fmean(known)) if len(known) == len(cells) and known else NO_VALUE
        shown = [NO_VALUE if f1 is None else f"{_write(f1)}{mark}" for f1, mark in cells]
        label = f"**{name}**" if name == "auto" else name if name in results["peers"] else f"`{name}`"
        rows.append([label, *([mean] if macro else []), *shown])
    return make_markdown_table(head, rows)


def get_f1(results: Results, name: str, set_name: str) -> tuple[float | None, str]:
    """Return the F1 of an extractor on a set, and a mark; on training data that of cross-validation, or None."""
    trained = results["trained_on"].get(name, {})
    if set_name in trained:
        return trained[set_name], "†"
    row = next(part["rows"].get(name) for part in results["sets"] if part["set"] == set_name)
    return (row["f1"] if row else None), ""


def _macro(results: Results, name: str, sets: Sequence[str]) -> float:
    return fmean(get_f1(results, name, one)[0] or 0.0 for one in sets) if sets else 0.0


def make_measures_table(parts: Mapping[str, Any], names: Sequence[str], sets: Sequence[str]) -> str:
    """Return a table of means over these sets; it has a column of times if all of them were measured."""
    has_times = _has_times(parts, names, sets)
    head = ["", "precision", "recall", "word F1", "2-gram F1", "CleanEval", "correct %", "failures"]
    rows = []
    for name in names:
        chosen = [parts[one]["rows"][name] for one in sets]
        rows.append(
            [
                name,
                *(_write(fmean(row[measure] for row in chosen)) for measure in MEASURES),
                f"{100 * fmean(row['correct'] for row in chosen):.0f}",
                str(sum(row["failures"] for row in chosen)),
                *([f"{fmean(row['times_parse'] for row in chosen):.1f}"] if has_times else []),
            ]
        )
    return make_markdown_table([*head, "× parse"] if has_times else head, rows)


def _has_times(parts: Mapping[str, Any], names: Sequence[str], sets: Sequence[str]) -> bool:
    return all(parts[one]["rows"][name]["times_parse"] is not None for one in sets for name in names)


def _make_sets_table(parts: Mapping[str, Any], trained_sets: set[str]) -> str:
    rows = [
        [
            name,
            str(part["pages"]),
            str(part["pages_of_set"]),
            str(part["sites"]),
            part["date"],
            "yes" if name in trained_sets else "no",
        ]
        for name, part in parts.items()
    ]
    return make_markdown_table(["set", "pages here", "pages of the set", "sites here", "scored on", "trained on"], rows)


def _draw(results: Results, names: Sequence[str], sets: Sequence[str], path: Path) -> None:
    """Draw a bar for the macro F1 of `auto` and each peer, with the sets as points."""
    shown = [name for name in reversed(names) if name == "auto" or name in results["peers"]]
    figure, (axes,) = axes_of("word F1", "")
    for place, name in enumerate(shown):
        values = [get_f1(results, name, one)[0] or 0.0 for one in sets]
        axes.barh(place, fmean(values), color=MAIN if name == "auto" else QUIET, height=0.6)
        axes.plot(values, [place] * len(values), "|", color=INK, markersize=9)
        axes.text(1.005, place, _write(fmean(values)), va="center", fontsize=9, color=INK)
    axes.set_yticks(range(len(shown)), ["duramen (auto)" if name == "auto" else name for name in shown])
    axes.set_xlim(0.0, 1.0)  # the length of a bar is its value
    axes.grid(axis="y", visible=False)
    axes.set_title("bar: mean of five sets, marks: single sets", fontsize=9, color=INK)
    save(figure, path)


def _write(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 0.9995 else "1.00"
