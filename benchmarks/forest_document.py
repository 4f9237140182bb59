"""Write the results of the FOREST experiments as Markdown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from duramen.evaluation.metrics.agreement import Agreement
from forest_experiments import LEARN_FROM, ChosenPattern, ScoreCurve, ScoreTable
from forest_pictures import draw_boxes, draw_curves, draw_measures
from forest_sites import mean
from forest_speed import LearningTime
from mss_document import paragraph, table

# The paper's table 1, in percent.
PAPER: dict[str, str] = {
    "paper's form, tf-idf": "93.0 / 92.8 / 92.1",
    "paper's form, feed": "92.0 / 90.5 / 89.6",
    "boilerpy3": "79.5 / 84.0 / 81.7",
    "sigfeed": "88.0 / 83.9 / 84.0",
    "coverage": "89.7 / 83.0 / 82.9",
    "description": "84.4 / 22.0 / 30.3",
}


def three(numbers: Agreement) -> str:
    return " / ".join(f"{100 * number:.1f}" for number in numbers)


def percent(value: float) -> str:
    return f"{100 * value:.1f}"


@dataclass(frozen=True)
class Findings:
    """The results of all experiments, by set."""

    tables: Sequence[ScoreTable]
    pages: dict[str, dict[str, ScoreCurve]]
    signifiers: dict[str, dict[str, ScoreCurve]]
    measures: dict[str, dict[str, Agreement]]
    chosen: dict[str, list[ChosenPattern]]
    """The patterns chosen by J alone and by both, on the first set."""
    parts: dict[str, dict[str, Agreement]]
    factors: dict[str, dict[str, float]]
    held_out: dict[str, dict[str, float]]
    """The same for the default wrapper, learned from other pages."""
    measure_learning: Sequence[LearningTime]
    measure_applying: Mapping[str, float]

    def draw(self, folder: Path) -> None:
        draw_boxes(self.tables, folder / "forest-boxes.png")
        draw_curves(self.pages, "training pages", folder / "forest-pages.png")
        draw_curves(self.signifiers, "signifiers per page", folder / "forest-signifiers.png", logarithmic=True)
        draw_measures(self.measures, folder / "forest-measures.png")

    def write(self, path: Path, pictures: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.document(pictures), "utf-8")

    def document(self, pictures: str) -> str:
        parts = [
            "# FOREST: the paper's experiments repeated",
            paragraph(
                """Written by `python benchmarks/forest_paper.py DATA`; do not edit. The method is described in
                [methods/forest.md](../methods/forest.md). Precision, recall and F1 compare the sets of word 2-grams of
                each page; they are means over the pages, in percent. *The paper's form* is FOREST as published (J × U,
                the whole region), applied by a portable XPath; *forest* is the default wrapper. In *the paper's
                protocol* a wrapper is scored on the pages that it was learned from;"""
                + f""" in the *held-out* protocol each page is scored by a wrapper that was learned from {LEARN_FROM}
                other pages of its site (from all others if there are fewer). Methods for single pages have the same
                score in both. The sets:"""
            ),
            "\n".join(f"- {results.sites.describe()}" for results in self.tables),
            "## Table 1: the methods",
            self._table_1(),
            paragraph(
                """*sigfeed* and *description* use the feed item, or the page's metadata if there is no item; *feed* is
                for pages with feeds only. *forest, else* … is what a user would run: the default method extracts pages
                that do not fit the wrapper."""
            ),
            "## Figure 4: distribution of F1 over the pages",
            f"![Box chart of the F1 of the methods]({pictures}/forest-boxes.png)",
            paragraph(
                """Held-out protocol. Whiskers at the 9th and the 91st percentile, boxes from the first to the third
                quartile, a line at the median."""
            ),
            "## Figure 5: number of training pages",
            f"![F1 against the number of pages]({pictures}/forest-pages.png)",
            *(f"{where}:\n\n{self._curves(named, 'pages')}" for where, named in self.pages.items()),
            paragraph(
                """The same pages are scored at each point, so small sites are left out. A wrapper alone fails on
                templates that it has not seen: a site has two or three of them, and two pages rarely show all, or have
                no common template. This explains most of the loss on the left of the figure; a fallback method
                compensates for it."""
            ),
            "## Figure 6: number of signifiers",
            f"![F1 against the number of signifiers]({pictures}/forest-signifiers.png)",
            *(f"{where}:\n\n{self._curves(named, 'k')}" for where, named in self.signifiers.items()),
            "## Figure 7: J, U and J × U",
            f"![Precision, recall and F1 by measure]({pictures}/forest-measures.png)",
            table(
                ["the paper's form", *next(iter(self.measures.values()))],
                [[where, *map(three, scores.values())] for where, scores in self.measures.items()],
            ),
            self._why_not_j(),
            "## Effect of the factors of the relevance",
            "F1 of the paper's form in the paper's protocol, and of the default wrapper in the held-out protocol:",
            self._factors(),
            "## Effect of the parts of a wrapper",
            f"Wrappers learned from {LEARN_FROM} other pages, applied with other parts:",
            table(
                ["forest", *self.parts],
                [
                    [name, *(three(scores[name]) for scores in self.parts.values())]
                    for name in next(iter(self.parts.values()))
                ],
            ),
            "## Speed",
            self._speed(),
        ]
        return "\n\n".join(parts) + "\n"

    def _table_1(self) -> str:
        head = ["method", "the paper's table"]
        for results in self.tables:
            head += [f"{results.sites.name}, paper's protocol", "held-out"]
        names = max(([*results.paper] for results in self.tables), key=len)
        rows = []
        for name in names:
            both = [scores for results in self.tables for scores in (results.paper, results.unseen)]
            rows.append([name, PAPER.get(name, ""), *(three(mean(of[name])) if name in of else "–" for of in both)])
        return table(head, rows)

    def _curves(self, named: dict[str, ScoreCurve], title: str) -> str:
        numbers = [number for number, _ in next(iter(named.values()))]
        rows = [[name, *(percent(value) for _, value in points)] for name, points in named.items()]
        return table([title, *map(str, numbers)], rows)

    def _why_not_j(self) -> str:
        j, both = self.chosen["j"], self.chosen["ju"]
        lengths = {"j": median(choice.terms for choice in j), "ju": median(choice.terms for choice in both)}
        small = [one for one, other in zip(j, both, strict=True) if one.terms < other.terms / 4]
        text = paragraph(
            f"""In the paper J alone and U alone are "reasonable", and J × U is better than either. Here J alone fails
            on every set. U alone equals J × U on two sets; on articles-2012-dev, which has long comments after the
            articles, J × U is better, as in the paper. J is a density, so it is largest for elements of a few words:
            headings, tags and boxes beside the article have a class or id, and are therefore patterns of every page. On
            {self.tables[0].sites.name} the element chosen by J alone has {lengths["j"]:.0f} terms (median), the one
            chosen by J × U {lengths["ju"]:.0f}. The reason for the difference to the paper is unknown: its pages are
            not available, and the year does not explain it, because J also fails on pages of 2012. On {len(small)} of
            the {len(j)} templates the element chosen by J has less than a quarter of the terms:"""
        )
        by_site = {choice.site: choice for choice in both}
        rows = [
            [
                one.site,
                f"`{one.clue}`",
                f"{one.terms:.0f}",
                f"`{by_site[one.site].clue}`",
                f"{by_site[one.site].terms:.0f}",
            ]
            for one in small
        ]
        return f"{text}\n\n{table(['template', 'by J', 'terms', 'by J × U', 'terms'], rows)}"

    def _factors(self) -> str:
        head = [
            "factors",
            *(f"{where}, paper's form" for where in self.factors),
            *(f"{w}, forest" for w in self.held_out),
        ]
        rows = [
            [name, *(percent(scores[name]) for scores in [*self.factors.values(), *self.held_out.values()])]
            for name in next(iter(self.factors.values()))
        ]
        return table(head, rows)

    def _speed(self) -> str:
        wrapper = self.measure_applying["a wrapper"]
        text = paragraph(
            """Processor time of one run on one machine: only the ratios are comparable. First the time of learning from
            ten pages, from bytes to wrapper, for the templates whose pages are nearest to 100 kB; then the time of
            applying a wrapper to a parsed page, compared with methods for single pages."""
        )
        measure_learning = table(
            ["template", "kB per page", "seconds"],
            [[one.site, f"{one.kilobytes:.0f}", f"{one.seconds:.2f}"] for one in self.measure_learning],
        )
        measure_applying = table(
            ["", "ms per page", "ratio to a wrapper"],
            [[name, f"{time:.2f}", f"{time / wrapper:.2f}"] for name, time in self.measure_applying.items()],
        )
        return f"{text}\n\n{measure_learning}\n\n{measure_applying}"
