"""The experiments of Guo et al. (ECON, APWeb 2010), one function each, on pages of today.

In the paper people judged each page: correct, wrong (with noise) or missed. Here words do (`EconVerdict`): "entire" is
a recall and "nothing else" a precision of at least 95 %. A *short page* has at most `SHORT_WORDS` words of content; a
*pieces-page* has its content broken by links and fonts, here at least `MIN_PIECES` of them with a share of the words
of at least `MIN_PIECE_SHARE`. The paper selected both by hand.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from time import process_time

from duramen import methods
from duramen.dom.page import Page
from duramen.dom.visibility import find_visible_texts
from duramen.evaluation import Example
from duramen.evaluation.metrics.agreement import Agreement, EconVerdict, judge
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.metrics.positions import PageWords
from duramen.evaluation.structure_results import compute_interval
from duramen.language import words
from duramen.methods.econ import Econ

ECON, LETTER, COREEX, AUTO = "econ", "econ:reading=paper", "coreex", "auto"
METHODS = (ECON, LETTER, COREEX, AUTO)
SHORT_WORDS = 100
"""In Chinese and Japanese a character is a word: about three sentences."""
MIN_PIECES = 5
MIN_PIECE_SHARE = 0.05
PIECE_TAGS = frozenset("a b strong i em font u span tt".split())

VERDICTS = (EconVerdict.CORRECT, EconVerdict.WRONG, EconVerdict.MISSED)


@dataclass(frozen=True)
class JudgedPage:
    """One page, with the agreement of every method."""

    example: Example
    group: str
    """The language or country."""
    agreements: dict[str, Agreement]
    milliseconds: dict[str, float]
    steps: int | None
    """Steps of backtracking of ECON by the letter of the paper; None if the page has no period and no comma."""
    is_short: bool
    is_in_pieces: bool
    noise: dict[str, dict[str, int]] = field(default_factory=dict)
    """For each method the extracted words that are not content: before, inside and after the article."""

    def verdict(self, method: str, tolerance: float = 0.05) -> EconVerdict:
        return judge(self.agreements[method], tolerance)


def judge_pages(
    examples: Iterable[Example], group: Callable[[Example], str], after_page: Callable[[], None] = lambda: None
) -> list[JudgedPage]:
    """Run all methods on every page with a reference text."""
    choices = {name: methods.get(name) for name in METHODS}
    judged = []
    for example in examples:
        if example.text:
            judged.append(_judge_page(example, group(example), choices))
        after_page()
    return judged


def _judge_page(example: Example, group: str, choices: dict[str, methods.Method]) -> JudgedPage:
    raw = example.read()
    gold = words(example.text or "")
    agreements, milliseconds, noise = {}, {}, {}
    page = Page.parse(raw, url=example.url)
    texts = find_visible_texts(page.tree)
    on_page = PageWords([word for node in texts for word in words(page.tree.text[node])])
    places = on_page.place(gold).positions
    for name, method in choices.items():
        started = process_time()
        text = method(Page.parse(raw, url=example.url)).text
        milliseconds[name] = 1000 * (process_time() - started)
        extracted = words(text)
        agreements[name] = word_agreement(Counter(gold), Counter(extracted))
        noise[name] = _place_noise(on_page.place(extracted).positions - places, places)
    found = Econ(reading="paper").find(page.tree)
    return JudgedPage(
        example=example,
        group=group,
        agreements=agreements,
        milliseconds=milliseconds,
        steps=None if found is None else found.steps,
        is_short=len(gold) <= SHORT_WORDS,
        is_in_pieces=_is_in_pieces(page, texts, places),
        noise=noise,
    )


def _place_noise(noise: frozenset[int], gold: frozenset[int]) -> dict[str, int]:
    first, last = (min(gold), max(gold)) if gold else (0, 0)
    before, after = sum(place < first for place in noise), sum(place > last for place in noise)
    return {"before": before, "inside": len(noise) - before - after, "after": after}


def _is_in_pieces(page: Page, texts: Sequence[int], places: frozenset[int]) -> bool:
    """Return whether links and fonts break the content into pieces."""
    tree, position, pieces, piece_words = page.tree, 0, 0, 0
    for node in texts:
        count = len(words(tree.text[node]))
        if count and tree.tag[tree.parent[node]] in PIECE_TAGS:
            common = len(places & frozenset(range(position, position + count)))
            pieces += common > 0
            piece_words += common
        position += count
    return pieces >= MIN_PIECES and piece_words >= MIN_PIECE_SHARE * len(places)


def count_shares(pages: Sequence[JudgedPage], method: str, tolerance: float = 0.05) -> dict[EconVerdict, float]:
    """Return the share of each verdict."""
    counts = Counter(page.verdict(method, tolerance) for page in pages)
    return {verdict: counts[verdict] / len(pages) for verdict in VERDICTS}


def correct_interval(pages: Sequence[JudgedPage], method: str) -> tuple[float, float]:
    """Return the 95 % interval of the share of correct pages, with sites drawn together."""
    values = [float(page.verdict(method) is EconVerdict.CORRECT) for page in pages]
    return compute_interval(values, [page.example.site for page in pages])


def mean_noise(pages: Sequence[JudgedPage], method: str) -> dict[str, float]:
    """Return where the noise of the wrongly extracted pages is: shares of the words."""
    totals: Counter[str] = Counter()
    for page in pages:
        if page.verdict(method) is EconVerdict.WRONG:
            totals.update(page.noise[method])
    return {place: totals[place] / max(totals.total(), 1) for place in ("before", "inside", "after")}


def mean_f1(pages: Sequence[JudgedPage], method: str) -> float:
    return fmean(page.agreements[method].f1 for page in pages)
