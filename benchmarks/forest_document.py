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
    few: dict[str, dict[str, float]]
    """The same with the wrapper as it comes, learnt from other pages."""
    measure_learning: Sequence[LearningTime]
    measure_applying: Mapping[str, float]

    def draw(self, folder: Path) -> None:
        draw_boxes(self.tables, folder / "forest-boxes.png")
        draw_curves(self.pages, "pages learnt from", folder / "forest-pages.png")
        draw_curves(self.signifiers, "signifiers of a page", folder / "forest-signifiers.png", logarithmic=True)
        draw_measures(self.measures, folder / "forest-measures.png")

    def write(self, path: Path, pictures: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(self.document(pictures), "utf-8")

    def document(self, pictures: str) -> str:
        parts = [
            "# FOREST: the paper's experiments redone",
            paragraph(
                """Written by `python benchmarks/forest_paper.py DATA`; do not edit. The essay is
                [methods/forest.md](../methods/forest.md). Precision, recall and F1 are those of the sets of word
                2-grams of each page, averaged over the pages, in percent. *The paper's form* is FOREST as it was
                published (J × U, the whole region), applied by a portable XPath; *forest* is the wrapper as it
                comes.
                By *the paper's protocol* the pages learnt from are the pages scored;"""
                + f""" by *the honest one* each page is scored by a wrapper learnt from {LEARN_FROM} other pages of its
                site (from all others, where there are fewer). Methods that look at one page at a time score the same in
                both. The sets:"""
            ),
            "\n".join(f"- {found.sites.describe()}" for found in self.tables),
            "## Table 1: the methods",
            self._table_1(),
            paragraph(
                """*sigfeed* and *description* go by the feed item, and where there is none by the page's metadata;
                *feed* is only for pages with feeds. *forest, else* … is what a user would run: pages that do not fit
                the wrapper go to the default method."""
            ),
            "## Figure 4: how the pages are spread",
            f"![Box chart of the F1 of the methods]({pictures}/forest-boxes.png)",
            paragraph(
                """The honest protocol. Whiskers at the 9th and the 91st percentile, boxes from the first to the third
                quartile, a rule at the median."""
            ),
            "## Figure 5: how many pages to learn from",
            f"![F1 against the number of pages]({pictures}/forest-pages.png)",
            *(f"{where}:\n\n{self._curves(named, 'pages')}" for where, named in self.pages.items()),
            paragraph(
                """The same pages are scored at each point, so that small sites are left out. A wrapper that is applied
                alone loses what it has not met: a site's pages are of two or three makes, and two pages seldom show
                them all, or are of no common template at all. That is most of what is lost on the left of the figure,
                and a fallback makes good for it."""
            ),
            "## Figure 6: how many signifiers",
            f"![F1 against the number of signifiers]({pictures}/forest-signifiers.png)",
            *(f"{where}:\n\n{self._curves(named, 'k')}" for where, named in self.signifiers.items()),
            "## Figure 7: J, U and J × U",
            f"![Precision, recall and F1 by measure]({pictures}/forest-measures.png)",
            table(
                ["the paper's form", *next(iter(self.measures.values()))],
                [[where, *map(three, found.values())] for where, found in self.measures.items()],
            ),
            self._why_not_j(),
            "## What the factors of the relevance do",
            "F1 of the paper's form by its own protocol, and of the wrapper as it comes by the honest one:",
            self._factors(),
            "## What the parts of a wrapper do",
            f"Wrappers learnt from {LEARN_FROM} other pages, applied with other parts:",
            table(
                ["forest", *self.parts],
                [
                    [name, *(three(found[name]) for found in self.parts.values())]
                    for name in next(iter(self.parts.values()))
                ],
            ),
            "## Speed",
            self._speed(),
        ]
        return "\n\n".join(parts) + "\n"

    def _table_1(self) -> str:
        head = ["method", "the paper's table"]
        for found in self.tables:
            head += [f"{found.sites.name}, paper's protocol", "honest"]
        names = max(([*found.paper] for found in self.tables), key=len)
        rows = []
        for name in names:
            both = [scores for found in self.tables for scores in (found.paper, found.unseen)]
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
            on every set. U alone equals J × U on two of them; on articles-2012-dev, with long comments beside the
            articles, J × U is better, as in the paper. J is a density, at its largest where a few words are all there
            is: headings, tags and boxes beside the article that bear a name are patterns that every page has. On
            {self.tables[0].sites.name} what J alone chooses has {lengths["j"]:.0f} terms in the middle, what J × U
            chooses {lengths["ju"]:.0f}. Why the paper found otherwise is not known: its pages are not at hand, and the
            year is no explanation, since J fails on pages of 2012 as well. On {len(small)} of the {len(j)} templates
            what J chooses has less than a quarter of the terms:"""
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
        head = ["factors", *(f"{where}, paper's form" for where in self.factors), *(f"{w}, forest" for w in self.few)]
        rows = [
            [name, *(percent(found[name]) for found in [*self.factors.values(), *self.few.values()])]
            for name in next(iter(self.factors.values()))
        ]
        return table(head, rows)

    def _speed(self) -> str:
        wrapper = self.measure_applying["a wrapper"]
        text = paragraph(
            """Processor time, of one run on one machine: only the proportions mean something elsewhere. Learning from
            ten pages, from bytes to wrapper, on the templates whose pages are nearest to 100 kB; then applying a
            wrapper to a page that is parsed already, beside methods that look at one page."""
        )
        measure_learning = table(
            ["template", "kB a page", "seconds"],
            [[one.site, f"{one.kilobytes:.0f}", f"{one.seconds:.2f}"] for one in self.measure_learning],
        )
        measure_applying = table(
            ["", "ms a page", "a wrapper is 1"],
            [[name, f"{time:.2f}", f"{time / wrapper:.2f}"] for name, time in self.measure_applying.items()],
        )
        return f"{text}\n\n{measure_learning}\n\n{measure_applying}"
