"""The default: blocks, a strong local classifier, a second look with context, and a cut-off of the page's own.

It is the maximum-subsequence idea carried on: classify locally, decide globally. The page is cut into blocks (runs of
text under one block-level element). An ensemble of decision trees looks at each with its surroundings, its ancestors,
its peers and the names its author gave to the elements around it; a second ensemble also knows what the first one said
of the other blocks; the blocks above a cut-off are kept, and the cut-off is the one with the largest expected F1.

No block is judged by its language: counts, shares, tags, and class names. The model learnt from pages whose text is
known (`duramen train auto`), and from variants of the same pages: with most of their content taken away, or all but a
few words, and with parts of other pages put in. So it has met short articles amid comments, teasers and long sidebars.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import compress
from math import log, prod
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from duramen.content import Content, Spans
from duramen.dom.blocks import Blocks, find_blocks
from duramen.dom.page import Page
from duramen.dom.visibility import hides_more
from duramen.errors import UsageError
from duramen.methods.auto import columns, features
from duramen.methods.auto.context_features import add_context
from duramen.methods.auto.forest import logistic, reconsider, sums
from duramen.methods.auto.inference import WAYS, choose
from duramen.methods.auto.page_type import read_facts
from duramen.methods.auto.postprocess import drop_copies, keep_headline, keep_listings
from duramen.methods.auto.rows import Features
from duramen.methods.auto.selection import bounds, most, runs, sizes
from duramen.methods.auto.threshold import Reading, describe_page, leaning
from duramen.methods.auto.title import read_sayings
from duramen.methods.registry import register

if TYPE_CHECKING:
    from duramen.methods.auto.model import AutoModel

FAVOURS = {"balance": 1.0, "precision": 2.0, "recall": 0.5}
"""What probabilities are raised to before the cut: sharper ones keep less."""

STEPS = frozenset("hidden types threads comments listings copies headline silence".split())
"""What is done after the classifier: what is hidden is read where it is most of the content; of pages that are no
articles more is kept; posts of a thread are kept or left together; comments are left; listings beside what was kept are
kept; what a page holds twice is said once; the headline is kept; and of a page that is all menus nothing is said."""

LEFT = 25
"""Words that must be left of a page without its comments: fewer are no article."""

NOTE = 25
FEW = 5
"""Words, or blocks, of a page that is a note, a poem, a plain file: it is shown, whatever it looks like."""

SURER = 0.9
"""What is left of the doubt, at most, where a page is read more surely with nothing hidden."""

_FULL = frozenset(("documentation",))
"""Types of pages that are content nearly throughout: there it is dearer to leave something out."""

NO_ARTICLE = -log(3.0)
"""What speaks for an article where the odds are three to one against it. Less, and the page is none: its parts
are less alike than paragraphs are, and more of what is doubtful is content. More, and it may be a short article among
lists, of which less is."""

_ALIKE = frozenset(("forum",))
"""Types of pages whose parts are alike: where one post is content, so are the others, however short they are."""

_SPARING = _ALIKE | {"article", "product"}
"""Types of pages on which much is beside the point, whatever the odds are."""


@register
@dataclass(frozen=True)
class Auto:
    name: ClassVar[str] = "auto"
    summary: ClassVar[str] = "blocks by a learnt classifier, then the cut-off with the largest expected F1: the default"
    paper: ClassVar[str] = "after Pasternack and Roth, WWW 2009: local classification, global optimisation"

    favor: str = "balance"
    """`precision` keeps less, `recall` more."""
    inference: str = "expected-f1"
    model: str = ""
    """A file made by `duramen train auto`; without one, the model that comes with duramen."""
    without: str = ""
    """Steps after the classifier that are left out, joined by `+`, to see what each is worth: `headline+copies`."""

    def __post_init__(self) -> None:
        for name, known in (("favor", FAVOURS), ("inference", WAYS)):
            if getattr(self, name) not in known:
                raise UsageError(f"auto: {name} is one of {', '.join(known)}, not {getattr(self, name)!r}")
        for step in str(self.without).split("+") if self.without else ():
            if step not in STEPS:
                raise UsageError(
                    f"auto: without is steps joined by +, each one of {', '.join(sorted(STEPS))}, not {step!r}"
                )

    def __call__(self, page: Page) -> Content:
        from duramen.methods.auto.model import load

        model = load(self.model)
        steps = STEPS.difference(self.without.split("+")) if self.without else STEPS
        is_precise = self.favor == "precision"
        look = self._look(page, model)
        if "hidden" in steps and not is_precise and page.tree.hidden and hides_more(page.tree, look.letters):
            look = look.surer(self._look(replace(page, tree=page.tree.ignoring_hidden()), model))
        page, blocks, known, likely, reading = look  # of which it is the content: the page given, or that unveiled
        if not len(blocks):
            return Content(page, self.name, "the page has no words")
        types = model.page_types(describe_page(known, reading) + read_facts(page.tree, known.currencies, page.url))
        kind = max(types, key=types.__getitem__, default=None)
        is_full = kind in _FULL or (kind not in _SPARING and types.get("article", 0.0) < NO_ARTICLE)
        favour = FAVOURS["recall" if is_full and "types" in steps and self.favor == "balance" else self.favor]
        is_alike = kind in _ALIKE and "threads" in steps
        if is_alike:
            likely = leaning(known.words, likely, known.kind)
        if is_alike or favour != FAVOURS[self.favor]:
            reading.kept[:] = choose(self.inference, blocks, likely, known.kind, favour).kept
        if "comments" in steps and _is_commented(blocks, known, reading):
            others = _without_comments(page, blocks, known, reading, likely, kind)
            rest = choose(self.inference, blocks, others, known.kind, favour)
            if sizes(blocks.words, rest.kept).words >= LEFT:  # else they are what the page is for
                reading.kept[:] = rest.kept
                likely = others
        if "listings" in steps and not is_precise:
            keep_listings(blocks, known, reading, likely)
        if "copies" in steps:
            drop_copies(blocks, known, reading)
        if "headline" in steps:
            keep_headline(blocks, known, reading)
        spans = _spans(blocks, reading)
        if not spans or ("silence" in steps and self.favor != "recall" and _is_empty(blocks, reading)):
            return Content(page, self.name, "no block of the page looks like content", page_type=kind)
        size = sizes(blocks.words, reading.kept)
        return Content(
            page,
            self.name,
            f"{size.blocks} of {len(blocks)} blocks, {size.words} of {size.of_words} words,"
            " stand above the page's cut-off",
            spans,
            model.confidence(reading.expected),
            page_type=kind,
        )

    def _look(self, page: Page, model: AutoModel) -> _Look:
        """What the classifier makes of a page as it stands."""
        from duramen.methods.auto.model import WIDTH

        blocks = find_blocks(page.tree)
        known = features.describe(blocks, model.dictionary, read_sayings(page.tree), WIDTH, model.weights)
        look = logistic(sums(model.look, known.rows, WIDTH))
        add_context(known, look, columns.COUNT)
        likely = reconsider(model.decide, known.rows, WIDTH, look)
        reading = choose(self.inference, blocks, likely, known.kind, FAVOURS[self.favor])
        return _Look(page, blocks, known, likely, reading)


class _Look(NamedTuple):
    """A page and what the classifier makes of it."""

    page: Page
    blocks: Blocks
    known: Features
    likely: array[float]
    reading: Reading

    @property
    def shown(self) -> int:
        """How many words were kept, if any looks like content at all."""
        return 0 if _is_empty(self.blocks, self.reading) else sizes(self.blocks.words, self.reading.kept).words

    @property
    def letters(self) -> int:
        """How many characters they have."""
        return sum(map(len, compress(self.blocks.text, self.reading.kept))) if self.shown else 0

    def surer(self, unveiled: _Look) -> _Look:
        """This look, or the one at the page with nothing hidden, if most of its content was hidden and it is surer.

        Then it is hidden until a script has run, a wall is taken down, or the reader has said how old they are. What is
        hidden and short is a notice; and a page of a few words gets a little surer by any text that is added.
        """
        is_most = unveiled.shown > 2 * max(NOTE, self.shown)
        return unveiled if is_most and unveiled.doubt < SURER * self.doubt else self

    @property
    def doubt(self) -> float:
        return 1.0 - self.reading.expected


def _is_empty(blocks: Blocks, reading: Reading) -> bool:
    """Whether there is more to expect from saying nothing: that is right if no block is content.

    Such is a page that a script would fill: menus and a footer are all that there is.
    """
    if 1.0 - most(reading.probabilities) <= reading.expected:  # as on nearly all pages
        return False
    if len(blocks) <= FEW or sum(blocks.words) <= NOTE:
        return False
    return prod(1.0 - p for p in reading.probabilities) > reading.expected


def _is_commented(blocks: Blocks, known: Features, reading: Reading) -> bool:
    """Whether something that was kept stands in an element called after comments, or below a heading that is."""
    if known.is_commented and any(compress(known.commented, reading.kept)):
        return True
    return any(True for _ in _announcing(blocks, known, reading))


def _announcing(blocks: Blocks, known: Features, reading: Reading) -> Iterator[int]:
    """The headings that announce comments, with something after them that was kept."""
    if not known.labels:
        return
    first, last = bounds(reading.kept)
    labels = [block for block in known.labels if first <= block < last]
    if labels:
        from duramen.comments.names import is_heading  # not before there is a heading to ask about

        yield from (block for block in labels if is_heading(blocks.text[block]))


def _without_comments(
    page: Page, blocks: Blocks, known: Features, reading: Reading, likely: array[float], kind: str | None
) -> array[float]:
    """The probabilities of the blocks on the page without its comments, and without the headings over them."""
    from duramen.comments import find_comments  # few pages have any that were kept

    posts = _spans(blocks, reading) if kind == "forum" else ()
    comments = find_comments(page.tree, posts=posts, address=page.url or "")
    told = sorted((span.start, span.stop) for comment in comments for span in comment.whole)
    found = array("d", likely)
    for block in _announcing(blocks, known, reading) if told else ():
        found[block] = 0.0
    at = 0
    for block, first in enumerate(blocks.first):
        while at < len(told) and told[at][1] <= first:
            at += 1
        if at < len(told) and told[at][0] <= first:
            found[block] = 0.0
    return found


def _spans(blocks: Blocks, reading: Reading) -> Spans:
    """BoxCache blocks that follow each other are one span, with the pictures and rules between them."""
    return tuple(runs(reading.kept, blocks.first, blocks.last))
