"""Write the results of the ECON experiments as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean, median

from duramen.evaluation.metrics.agreement import EconVerdict
from econ_experiments import (
    AUTO,
    COREEX,
    ECON,
    LETTER,
    METHODS,
    MIN_PIECE_SHARE,
    MIN_PIECES,
    SHORT_WORDS,
    VERDICTS,
    JudgedPage,
    correct_interval,
    count_shares,
    mean_f1,
    mean_noise,
)
from mss_document import paragraph, table

PAPER = {
    "II": {ECON: "93.7 / 5.6 / 0.7", COREEX: "82.6 / 9.9 / 7.5"},
    "III": {ECON: "91 / 6 / 3", COREEX: "51 / 17 / 32"},
    "IV": {ECON: "41 / 7 / 52", COREEX: "34 / 15 / 51"},
    "V": {ECON: "90 / 6 / 4", COREEX: "92 / 2 / 6"},
}
NAMES = {ECON: "econ", LETTER: "econ, letter of the paper", COREEX: "coreex", AUTO: "auto"}


def percent(share: float) -> str:
    return f"{100 * share:.1f}"


def shares(pages: Sequence[JudgedPage], method: str, tolerance: float = 0.05) -> str:
    return " / ".join(percent(share) for share in count_shares(pages, method, tolerance).values())


def verdict_table(pages: Sequence[JudgedPage], paper: dict[str, str]) -> str:
    rows = []
    for method in METHODS:
        low, high = correct_interval(pages, method)
        interval = f"{percent(low)}–{percent(high)}"
        printed = paper.get(ECON if method == LETTER else method, "")
        rows.append([NAMES[method], shares(pages, method), interval, printed, f"{mean_f1(pages, method):.3f}"])
    return table(["method", "correct / wrong / missed", "correct, 95 %", "the paper's", "word F1"], rows)


def groups_table(pages: Sequence[JudgedPage], fewest: int) -> str:
    groups: dict[str, list[JudgedPage]] = {}
    for page in pages:
        groups.setdefault(page.group, []).append(page)
    rows = [
        [name, str(len(own)), *(shares(own, method) for method in (ECON, COREEX, AUTO))]
        for name, own in sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))
        if len(own) >= fewest
    ]
    return table(["group", "pages", "econ: c / w / m", "coreex: c / w / m", "auto: c / w / m"], rows)


def contrast_table(pages: Sequence[JudgedPage]) -> str:
    """Count the pages by the verdicts of both methods."""
    rows = []
    for verdict in VERDICTS:
        own = [page for page in pages if page.verdict(ECON) is verdict]
        rows.append(
            [f"econ {verdict}", *(str(sum(page.verdict(COREEX) is other for page in own)) for other in VERDICTS)]
        )
    return table(["", *(f"coreex {verdict}" for verdict in VERDICTS)], rows)


def tolerance_table(pages: Sequence[JudgedPage]) -> str:
    rows = [
        [f"{100 * (1 - tolerance):g} %", *(shares(pages, method, tolerance) for method in (ECON, COREEX))]
        for tolerance in (0.02, 0.05, 0.1, 0.2, 0.3)
    ]
    return table(["least precision and recall", "econ: c / w / m", "coreex: c / w / m"], rows)


def noise_table(pages: Sequence[JudgedPage]) -> str:
    rows = [
        [NAMES[method], *(percent(share) for share in mean_noise(pages, method).values())] for method in (ECON, COREEX)
    ]
    return table(["noise of wrong pages, % of its words", "before the article", "inside", "after"], rows)


def make_document(sets: dict[str, list[JudgedPage]]) -> str:
    """Return the document; the sets are chinese-dev, languages-dev and news-world-dev."""
    chinese, languages, world = sets.values()
    everything = [page for pages in sets.values() for page in pages]
    pieces = [page for page in everything if page.is_in_pieces]
    short = [page for page in everything if page.is_short]
    steps = [page.steps for page in everything if page.steps is not None]
    coreex_only = [
        page
        for page in everything
        if page.verdict(COREEX) is EconVerdict.CORRECT and page.verdict(ECON) is not EconVerdict.CORRECT
    ]
    too_much = sum(page.verdict(ECON) is EconVerdict.WRONG for page in coreex_only)
    econ_only = sum(
        page.verdict(ECON) is EconVerdict.CORRECT and page.verdict(COREEX) is not EconVerdict.CORRECT
        for page in everything
    )
    times = {method: fmean(page.milliseconds[method] for page in everything) for method in (ECON, COREEX)}
    parts = [
        "# ECON: the paper's experiments repeated",
        paragraph(
            f"""Written by `python benchmarks/econ_paper.py DATA`; do not edit. The methods are described in
            [methods/econ.md](../methods/econ.md) and [methods/coreex.md](../methods/coreex.md). A page is *correct* if
            precision and recall of its words are both at least 95 %, *missed* if the recall is lower, else *wrong*. In
            the paper people judged. Shares are percentages of pages; intervals are drawn by site. {len(everything)}
            pages: {len(chinese)} of chinese-dev, {len(languages)} of languages-dev, {len(world)} of
            news-world-dev. The model of `auto` was trained on chinese-dev and news-world-dev: there its rows show no
            more than what is possible."""
        ),
        "## Table II: Chinese pages",
        verdict_table(chinese, PAPER["II"]),
        paragraph("The paper has 500 news pages of thirty Chinese sites of 2010."),
        "## Table III: pages in pieces",
        paragraph(
            f"""{len(pieces)} pages of the three sets whose content has at least {MIN_PIECES} links or changes of font,
            with at least {MIN_PIECE_SHARE:.0%} of its words. The paper selected 100 such pages by hand."""
        ),
        verdict_table(pieces, PAPER["III"]) if pieces else "No page.",
        "## Table IV: short pages",
        paragraph(f"{len(short)} pages with at most {SHORT_WORDS} words of content. The paper selected 100 by hand."),
        verdict_table(short, PAPER["IV"]) if short else "No page.",
        "## Table V: other languages",
        "languages-dev, by language:",
        verdict_table(languages, PAPER["V"]),
        groups_table(languages, 1),
        "news-world-dev, by country (the ISO code of the publisher; countries with three pages or more):",
        verdict_table(world, PAPER["V"]),
        groups_table(world, 3),
        "## Steps of backtracking, and time",
        paragraph(
            f"""By the letter of the paper there are {fmean(steps):.2f} steps from the snippet-node to the summary-node
            on average (median {median(steps):g}; the paper: 2.7). From bytes to text `econ` takes {times[ECON]:.1f} ms
            and `coreex` {times[COREEX]:.1f} ms (the paper, on its machine: 15 and 11)."""
        ),
        "## Why CoreEx has more correct pages",
        paragraph(
            f"""In the paper ECON is correct on more pages than CoreEx. Here, by the same three verdicts, CoreEx alone
            is correct on {len(coreex_only)} pages, ECON alone on {econ_only}. On {too_much} of the {len(coreex_only)}
            pages ECON has the whole article and noise beside it."""
        ),
        contrast_table(everything),
        "Where the noise is:",
        noise_table(everything),
        paragraph(
            """ECON climbs as long as a parent has one more period or comma. In 2010 the text beside an article was
            links and menus. Today related stories have summaries, comments are sentences, and a cookie notice is
            prose: each has a comma, and lets the climb go on. CoreEx stops at the element whose children have the
            smallest share of links, and so leaves teasers and menus out, at the price of recall: where paragraphs have
            links it keeps a part of the article (missed). In word F1, which counts a page with a little noise as nearly
            right, the order depends on the set. A larger tolerance shows the same:"""
        ),
        tolerance_table(everything),
        EXAMPLES,
    ]
    return "\n\n".join(parts) + "\n"


EXAMPLES = """## Examples

Pages written for this document; they are run by its test.

```python
import duramen

story = "".join(f"<p>The council met on day {i}, and voted to close the old bridge for good.</p>" for i in range(4))
teaser = "<div><p>Also: the mill, which burned in May, is open.</p><p><a href=/m>More about the mill</a></p></div>"
page = f"<main><div id=story>{story}</div>{teaser}</main>"
# One comma in the teaser, and ECON climbs to the element of both; a third of the teaser's words are a link for CoreEx.
assert "the mill" in duramen.extract(page, method="econ").text
assert "the mill" not in duramen.extract(page, method="coreex").text

linked = story.replace("the old bridge", "<a href=/b>the old bridge</a>")
page = f"<main><div id=story>{linked}<p>No more was said.</p></div><ul><li><a href=/>Home</a></li></ul></main>"
# With a link in each sentence CoreEx loses the linked words, or takes the one paragraph without a link.
assert "the old bridge" in duramen.extract(page, method="econ").text
assert "the old bridge" not in duramen.extract(page, method="coreex").text
```"""
