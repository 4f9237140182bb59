"""Write the results of the MSS experiments as Markdown and pictures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

from duramen.evaluation import Example, Results, Summary
from duramen.evaluation.metrics.agreement import Agreement
from mss_experiments import (
    HR,
    LONGEST,
    MSS,
    PENALTIES,
    PRUNED,
    REPEATS,
    SEMI,
    SEMI_BY_SITE,
    SHIPPED,
    SIMPLE,
    SUPERVISED,
    Curves,
)
from mss_pictures import INK, MAIN, QUIET, axes_of, save
from mss_training_data import TrainingData

# Precision, recall and F1 over all of the paper's pages, in percent: against short labels, and against the best.
# For the two baselines it prints only the F1 for short labels; the semi-supervised method ran on five sources.
PAPER: dict[str, tuple[str, str]] = {
    LONGEST: ("– / – / 61.9", "52.0 / 94.8 / 63.8"),
    SIMPLE: ("– / – / 90.9", "90.1 / 95.8 / 91.1"),
    SUPERVISED: ("93.0 / 99.2 / 94.9", "94.0 / 99.0 / 95.4"),
    HR: ("95.1 / 98.9 / 96.2", "96.1 / 98.7 / 96.7"),
    SEMI: ("98.6 / 97.2 / 97.6", "99.3 / 97.1 / 97.9"),
}
TABLES = {LONGEST: "Table 1", SIMPLE: "Table 2", SUPERVISED: "Tables 3 and 4", HR: "Tables 5 and 6"} | {
    SEMI: "Tables 7 and 8",
    SEMI_BY_SITE: "Tables 7 and 8, each source by itself",
}


def paragraph(text: str) -> str:
    return fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def three(numbers: Agreement) -> str:
    return " / ".join(f"{100 * number:.1f}" for number in numbers)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def overall_table(results: Results) -> str:
    rows = {row.extractor: row for row in results.leaderboard()}
    return table(
        ["method", "short: P / R / F1", "the paper's", "best: P / R / F1", "the paper's", "word F1"],
        [
            [name, three(row.short), paper[0], three(row.best), paper[1], f"{100 * row.words.f1:.1f}"]
            for name in (extractor.name for extractor in results.extractors)
            for row, paper in [(rows[name], PAPER.get(name, ("", "")))]
        ],
    )


def source_table(results: Results, name: str) -> str:
    def cells(row: Summary) -> list[str]:
        return [three(row.short), three(row.best)]

    rows = [[site, *cells(row)] for site, rows in results.by(_site).items() for row in rows if row.extractor == name]
    whole = [["**all**", *cells(row)] for row in results.leaderboard() if row.extractor == name]
    return table(["source", "short: P / R / F1", "best: P / R / F1"], rows + whole)


def _site(example: Example) -> str:
    return example.site


def validation_table(results: Results) -> str:
    return table(
        ["method", "word P / R / F1", "median F1", "short F1", "best F1"],
        [
            [_name(row), three(row.words), *(f"{100 * f1:.1f}" for f1 in (row.median, row.short.f1, row.best.f1))]
            for row in results.leaderboard()
        ],
    )


def cleaneval_table(results: Results) -> str:
    rows = [[_name(row), f"{100 * row.cleaneval:.1f}", three(row.words)] for row in results.leaderboard()]
    rows.sort(key=lambda row: -float(row[1]))
    paper = [["*the paper, on the 674 pages of the evaluation set*", "87.8", "90.3 / 96.5 / 92.0"]]
    winner = [["*the winner of 2007, on the same*", "84.1", ""]]
    return table(["method", "text-only score", "word P / R / F1"], rows + paper + winner)


def _name(row: Summary) -> str:
    """Return the name of an extractor, for peers with the version."""
    return f"{row.extractor} {row.version}".strip()


def sweep_table(sweeps: dict[str, list[float]]) -> str:
    rows = [[name, *(f"{100 * f1:.1f}" for f1 in scores)] for name, scores in sweeps.items()]
    return table(["tag score", *(f"−{penalty:g}" for penalty in PENALTIES)], rows)


def curve_table(curves: Curves) -> str:
    sources = [str(point.sources) for point in next(iter(curves.values()))]
    rows = [[name, *(f"{100 * p.mean:.1f} ± {100 * p.spread:.1f}" for p in points)] for name, points in curves.items()]
    return table(["sources", *sources], rows)


def draw_sweep(sweeps: dict[str, list[float]], path: Path) -> None:
    figure, (axes,) = axes_of("score of a tag (a word has 1)", "word F1")
    for (name, scores), color in zip(sweeps.items(), (MAIN, QUIET), strict=True):
        axes.plot([-penalty for penalty in PENALTIES], scores, "o-", color=color, label=name)
    axes.axvline(-3.25, color=QUIET, linewidth=0.8, linestyle=":")
    axes.set_title("Simple MSS: the score of a tag (dotted: the paper's)", fontsize="medium")
    axes.legend(frameon=False)
    save(figure, path)


def draw_curves(curves: dict[str, Curves], simple: dict[str, float], path: Path) -> None:
    figure, panels = axes_of("training sources", "F1 against short labels", panels=len(curves))
    for axes, (where, named) in zip(panels, curves.items(), strict=True):
        for (name, points), color in zip(named.items(), (MAIN, QUIET), strict=True):
            at, means, spreads = zip(*((point.sources, point.mean, point.spread) for point in points), strict=True)
            axes.errorbar(at, means, spreads, fmt="o-", capsize=3, color=color, label=name, markersize=4)
        axes.axhline(simple[where], color=INK, linewidth=0.9, linestyle=":", label="mss-simple (not trained)")
        axes.set_xscale("log", base=2)
        axes.set_xticks(at[::2], [str(number) for number in at[::2]])
        axes.set_ylim(0.4, 1.0)
        axes.set_title(where, fontsize="medium")
    panels[0].legend(frameon=False, loc="lower right", fontsize="small")
    save(figure, path)


@dataclass(frozen=True)
class Findings:
    """All results of the experiments."""

    data: TrainingData
    by_source: Results
    validated: Results
    mixed: Results
    sweeps: dict[str, list[float]]
    curves: dict[str, Curves]

    def draw(self, folder: Path) -> None:
        simple = {
            where: next(row.short.f1 for row in results.leaderboard() if row.extractor == SIMPLE)
            for where, results in zip(self.curves, (self.by_source, self.validated), strict=True)
        }
        draw_sweep(self.sweeps, folder / "mss-tag-score.png")
        draw_curves(self.curves, simple, folder / "mss-sources.png")

    def write(self, path: Path, pictures: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.document(pictures), "utf-8")

    def document(self, pictures: str) -> str:
        sources = len(self.by_source.by(_site))
        parts = [
            "# Maximum subsequence segmentation: the paper's experiments repeated",
            paragraph(
                f"""Written by `python benchmarks/mss_paper.py DATA`; do not edit. The method is described in
                [methods/mss.md](../methods/mss.md). All numbers are percentages. {self.data.describe()}"""
            ),
            "## News sites",
            paragraph(
                f"""{self.by_source.pages} pages of {sources} templates of news-sites-dev. None of their sites is in the
                training data, as far as their names show: these pages have no URLs. The short label is the text without
                its title; the best label is the text with or without the title, whichever scores higher. Words are
                compared by position. The paper's figures are for all its 450 pages, except those of the semi-supervised
                method, which are for five large sources; on these its mss-supervised has an F1 of 95.1 (short) and 95.7
                (best), its mss-hr 96.7 and 97.3."""
            ),
            overall_table(self.by_source),
            paragraph(
                f"""{SEMI} is one model for the pages of all sources, as in the paper, which had a hundred pages per
                source; then there is one model per source. Both start from the predictions of the supervised model, and
                use no labels of these pages."""
            ),
            *(f"### {number}: {name}\n\n{source_table(self.by_source, name)}" for name, number in TABLES.items()),
            "## Articles of many sites",
            paragraph(
                f"""{self.validated.pages} articles of wcxb-dev in five folds by site: no page is scored by a model that
                has seen its site. Word F1 compares words as multisets. The semi-supervised method cannot be used here,
                because most sites have one page. The method mss is: trigrams alone, sharpness .3, gentle cleaning, and
                back-off to the shape of unseen trigrams."""
            ),
            validation_table(self.validated),
            "## The effect of pruning",
            self._pruning(),
            "## The score of a tag",
            "Word F1 of mss-simple.",
            sweep_table(self.sweeps),
            f"![Word F1 against the score of a tag]({pictures}/mss-tag-score.png)",
            "## Figure 2: number of training sources",
            paragraph(
                f"""F1 against short labels: mean and standard deviation of {REPEATS} random draws of sources, with
                about one page per source (the paper: 2,000 pages per source). The scored pages are half of
                news-sites-dev, and half of one fold of wcxb-dev with sources from the other folds."""
            ),
            *(f"{where}:\n\n{curve_table(named)}" for where, named in self.curves.items()),
            f"![F1 against the number of training sources]({pictures}/mss-sources.png)",
            "## CleanEval",
            paragraph(
                f"""The text-only score on the {self.mixed.pages} pages of cleaneval-dev, with the model of the articles
                of wcxb-dev. The paper's setting is single tokens, the neighbors of an unknown token, and a bias of 0.14
                on every score, tuned on these same pages. The paper does not specify whether it used the open tag."""
            ),
            cleaneval_table(self.mixed),
        ]
        return "\n\n".join(parts) + "\n"

    def _pruning(self) -> str:
        folds = {row.extractor: 100 * row.words.f1 for row in self.validated.leaderboard()}
        news = {row.extractor: 100 * row.words.f1 for row in self.by_source.leaderboard()}
        shipped = self.data.shipped
        text = paragraph(
            f"""The installed model has no pairs and triples of tokens that occurred fewer than {shipped.at_least}
            times, or whose log odds are nearer to 0 than {shipped.faintest:g}. Word F1 with all n-grams and without
            these: on the folds of wcxb-dev, and of the installed model on news-sites-dev."""
        )
        rows = [
            [
                name,
                *(f"{number:.2f}" for number in (folds[name], folds[name + PRUNED], news[name], news[name + SHIPPED])),
            ]
            for name in (SUPERVISED, MSS)
        ]
        return f"{text}\n\n{table(['method', 'folds, all', 'pruned', 'news, all', 'pruned'], rows)}"
