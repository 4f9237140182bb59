"""From labelled pages to a model, and to models that have not seen some sites.

The second ensemble is told what the first says of a page. What the first says of pages it has learnt from is too good
to be true, so a first ensemble is asked that has not seen the page's site. The same holds for the dictionary of names.
The first only says what is around a block, and is grown in haste.

What chance takes away to make variants of a page, and shows to a tree, makes two trainings differ. So each ensemble is
grown in several *voices*, each from all pages and from variants of its own, and what counts is their mean.

Sites are dealt into folds by a checksum of their names: the same sites fall together on every run.
"""

from __future__ import annotations

import random
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from duramen import language
from duramen.dom.blocks import find_blocks
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import InputError
from duramen.evaluation import Example
from duramen.methods.auto import columns
from duramen.methods.auto import context_features as context
from duramen.methods.auto import threshold as readings
from duramen.methods.auto.forest import DOUBT, LIKELY, UNLIKELY, logistic
from duramen.methods.auto.model import WIDTH, AutoModel
from duramen.methods.auto.rows import Features
from duramen.methods.auto.title import read_sayings
from duramen.training.auto.names import count_names, make_dictionary
from duramen.training.auto.pages import LabelledPage, label, labelled
from duramen.training.auto.trees import Growth, flatten, grow, seed_of, together
from duramen.training.auto.variants import (
    FEWEST,
    Branch,
    age,
    branch,
    clip,
    content_blocks,
    graft,
    passage,
    stray,
    thin,
)
from duramen.training.auto.weights import learn_weights, read_ways

Boosters = tuple[list[Any], list[Any]]
"""The voices of the first ensemble and of the second."""
Known = tuple[dict[str, int], "array[int]"]
"""A dictionary of names, and the weights of its words."""


@dataclass(frozen=True)
class Settings:
    """What may be chosen when a model is trained."""

    folds: int = 5
    others: float = 1.0
    """How much a page counts that is no article."""
    voices: int = 2
    """How many are grown of each ensemble."""
    thinned: int = 2
    """How many thinned variants a page has for a voice: the more, the less hangs on what was taken away by chance."""
    variant: float = 0.7
    """How much a variant counts beside the page that it was made of."""
    nameless: float = 0.3
    """Of the first thinned variants, the share that forgets the names of its elements."""
    clipped: bool = True
    """Whether the last of the thinned variants of an article is clipped instead."""
    grafted: float = 0.3
    """Of the articles, the share that gets a branch of another page beside the content,"""
    strayed: float = 0.3
    """and the share that gets one, or a paragraph, apart from it."""
    aged: float = 0.5
    """Of the variants, the share that is made older,"""
    unaddressed: float = 0.5
    """and the share of which no address is given."""
    growth: Growth = field(default_factory=Growth)
    type_growth: Growth = field(default_factory=lambda: Growth(trees=100, leaves=8, fewest_rows=20, features=0.5))
    seed: int = 1


@dataclass(eq=False)
class Gathered:
    """The pages to learn from: each with its variants behind it."""

    groups: list[list[LabelledPage]] = field(default_factory=list, repr=False)
    unreadable: list[str] = field(default_factory=list)
    unusable: int = 0

    @property
    def pages(self) -> list[LabelledPage]:
        return [group[0] for group in self.groups]


def gather(examples: Sequence[Example], settings: Settings, after_page: Callable[[], None]) -> Gathered:
    """Read the pages, twice: a branch can be put in only when it has been found."""
    found = Gathered()
    # of a fold, the lists of its pages, and the paragraphs of its articles: each with the page that gives it
    scions: dict[tuple[int, bool], list[tuple[Example, Branch]]] = defaultdict(list)
    usable: list[tuple[Example, list[LabelledPage]]] = []
    for example in examples:
        after_page()
        try:
            group, scion = _read(example, settings)
        except InputError as error:
            found.unreadable.append(f"{example.set}/{example.id}: {error}")
            continue
        if group is None:
            found.unusable += 1
            continue
        usable.append((example, group))
        if scion is not None:
            scions[group[0].fold(settings.folds), group[0].article].append((example, scion))
    for example, group in usable:
        after_page()
        fold = group[0].fold(settings.folds)
        branches, passages = ([own for giver, own in scions[fold, of] if giver is not example] for of in (False, True))
        group += _grafted(example, branches, passages, settings)
        found.groups.append(group)
    return found


def _read(example: Example, settings: Settings) -> tuple[list[LabelledPage] | None, Branch | None]:
    """A page, its thinned variants, and the branch that it could give."""
    tree = Page.parse(example.read(), url=example.url).tree
    gold = language.words(example.text or "")
    blocks = find_blocks(tree)
    if not gold or not len(blocks):
        return None, None
    labels = label(blocks, gold)
    said: dict[str, Any] = {"site": example.site, "article": example.type == "article", "kind": example.type}
    sayings = read_sayings(tree)
    page = labelled(tree, sayings, labels, len(gold), **said, address=example.url)
    if not page.usable:
        return None, None
    content = content_blocks(blocks, labels)
    if len(content) < FEWEST:
        return [page], None
    group = [page]
    for number in range(settings.voices * settings.thinned):
        chance = _chance(example, settings, "thin" + " again" * number)
        voice, turn = divmod(number, settings.thinned)
        found = labels
        if settings.clipped and page.article and turn == settings.thinned - 1:
            thinned, left, found = clip(tree, blocks, content, chance, labels)
        else:
            thinned, left = thin(tree, blocks, content, chance, most=0.5)
        kept = sum(found[blocks.first[block]][0] for block in left)
        thinned = _aged(thinned, chance, settings)
        said["address"] = _address(example, chance, settings)
        group.append(labelled(thinned, sayings, found, kept, share=settings.variant, voice=voice, **said))
    return group, passage(tree, blocks, content) if page.article else branch(tree, blocks, content)


def _grafted(
    example: Example, branches: Sequence[Branch], passages: Sequence[Branch], settings: Settings
) -> list[LabelledPage]:
    """For each voice a page thinned in another way; if it is an article, often with a part of another page in it."""
    tree = Page.parse(example.read(), url=example.url).tree
    blocks = find_blocks(tree)
    whole = label(blocks, language.words(example.text or ""))
    content = content_blocks(blocks, whole)
    if len(content) < FEWEST // 2:
        return []
    article = example.type == "article"
    said: dict[str, Any] = {"site": example.site, "article": article, "kind": example.type, "share": settings.variant}
    sayings = read_sayings(tree)
    found = []
    for voice in range(settings.voices):
        chance = _chance(example, settings, "graft" + " again" * voice)
        thinned, left, labels = tree, content, whole
        drawn = chance.random()
        is_grafted = article and drawn < settings.grafted
        is_strayed = article and settings.grafted <= drawn < settings.grafted + settings.strayed
        if is_strayed and chance.random() < 0.5:
            thinned, left, labels = clip(tree, blocks, content, chance, whole)
        elif len(content) >= FEWEST:
            thinned, left = thin(tree, blocks, content, chance, most=0.7)
        kept = sum(labels[blocks.first[block]][0] for block in left)
        if is_grafted and branches:
            thinned, labels = graft(thinned, blocks, left, chance.choice(branches), labels)
        elif is_strayed and (offered := chance.choice((branches, passages))):
            thinned, labels = stray(thinned, blocks, content, chance.choice(offered), labels, chance)
        thinned = _aged(thinned, chance, settings)
        said["address"] = _address(example, chance, settings)
        found.append(labelled(thinned, sayings, labels, kept, voice=voice, **said))
    return found


def _aged(tree: Tree, chance: random.Random, settings: Settings) -> Tree:
    return age(tree) if chance.random() < settings.aged else tree


def _address(example: Example, chance: random.Random, settings: Settings) -> str | None:
    return None if chance.random() < settings.unaddressed else example.url


def _chance(example: Example, settings: Settings, purpose: str) -> random.Random:
    return random.Random(crc32(f"{settings.seed} {purpose} {example.set}/{example.id}".encode()))


def heard(pages: Iterable[LabelledPage], voice: int) -> Iterable[LabelledPage]:
    """Those of the pages and variants that a voice learns from."""
    return (page for page in pages if page.voice in (None, voice))


@dataclass(eq=False)
class Learning:
    """The ensembles, with all pages and without each fold."""

    gathered: Gathered
    settings: Settings
    counts: Any = field(init=False, repr=False)
    ways: Any = field(init=False, repr=False)
    known: dict[frozenset[int], Known] = field(default_factory=dict, repr=False)
    """What is known of names without some folds."""
    boosters: dict[int | None, Boosters] = field(default_factory=dict, repr=False)
    expected: list[Outcome] = field(default_factory=list, repr=False)
    """Of pages, and of their variants, as models read them that have not seen their sites."""

    def run(self, after_step: Callable[[], None]) -> None:
        """Grow everything."""
        self.counts = count_names(self.gathered.pages, self.settings.folds)
        self.ways = read_ways(self.gathered.pages, list(make_dictionary(self.counts)), self.settings.folds)
        without: list[int | None] = [*range(self.settings.folds), None]
        voices = range(self.settings.voices)
        first: dict[int | None, list[Any]] = {}
        looks: dict[int, NDArray[Any]] = {}  # by the identity of the page
        for fold in without:
            first[fold] = [self._first(fold, voice) for voice in voices]
            after_step()
            if fold is not None:
                for page in self._all(only=fold):
                    page.set_names(*self.names(fold))
                    looks[id(page)] = _predict(first[fold], page.rows)
        whole = {id(page): with_context(page, looks[id(page)]) for page in self._all()}
        for fold in without:
            second = [self._second(fold, whole, voice) for voice in voices]
            self.boosters[fold] = first[fold], second
            after_step()
            if fold is not None:
                self.expected += [_outcome(page, whole[id(page)], second) for page in self._all(only=fold)]

    def model(self, without: int | None = None) -> AutoModel:
        """The model of all pages, or of those outside a fold."""
        first, second = self.boosters[without]
        dictionary, weights = self.names() if without is None else self.names(without)
        others = [each for each in self.expected if each.page.fold(self.settings.folds) != without]
        types, calibration = self._types(others), _calibration(others)
        return AutoModel(dictionary, together(first), together(second), types, calibration, weights=weights)

    def names(self, *without: int) -> Known:
        """The dictionary without these folds, and the weights of its words."""
        folds = frozenset(without)
        if folds not in self.known:
            dictionary = make_dictionary(self.counts, folds)
            self.known[folds] = dictionary, learn_weights(self.ways, dictionary, folds)
        return self.known[folds]

    def _all(self, only: int | None = None, but: int | None = None) -> Iterable[LabelledPage]:
        for group in self.gathered.groups:
            fold = group[0].fold(self.settings.folds)
            if (only is None or fold == only) and (but is None or fold != but):
                yield from group

    def _first(self, without: int | None, voice: int) -> Any:
        folds = range(self.settings.folds)
        hidden = [] if without is None else [without]
        known = {fold: self.names(*hidden, fold) for fold in folds if fold != without}
        chance = random.Random(seed_of(self.settings.seed, voice))
        rows, labels, weights = [], [], []
        for group in self.gathered.groups:
            fold = group[0].fold(self.settings.folds)
            if fold == without:
                continue
            for number, page in enumerate(heard(group, voice)):
                if number == 1 and chance.random() < self.settings.nameless:
                    page.forget_names()
                else:
                    page.set_names(*known[fold])
                rows.append(page.rows.copy())
                labels.append(page.labels)
                weights.append(self.weights(page))
        return grow(rows, labels, weights, self.settings.growth.of_voice(voice).hasty())

    def _second(self, without: int | None, whole: dict[int, WithContext], voice: int) -> Any:
        pages = [(page, whole[id(page)]) for page in heard(self._all(but=without), voice)]
        return grow(
            [known.table[known.taught] for _, known in pages],
            [page.labels[known.taught] for page, known in pages],
            [self.weights(page)[known.taught] for page, known in pages],
            self.settings.growth.of_voice(voice),
        )

    def weights(self, page: LabelledPage) -> NDArray[Any]:
        """Pages count alike, whatever their length; in a page long blocks count more, but not in proportion."""
        weights = np.sqrt(page.words + 1.0)
        share = 100.0 * page.share * (1.0 if page.article else self.settings.others)
        return np.asarray(weights * (share / weights.sum()), np.float64)

    def _types(self, outcomes: Sequence[Outcome]) -> dict[str, Any]:
        """For each type whether a page is one. Variants count together as much as all pages: what is left of an article
        is one."""
        kinds = sorted({outcome.page.kind for outcome in outcomes})
        if len(kinds) < 2:
            return {}
        rows = np.array([outcome.row for outcome in outcomes])
        are_whole = np.array([outcome.page.is_whole for outcome in outcomes])
        shares = np.where(are_whole, 1.0, are_whole.sum() / max(1, (~are_whole).sum()))
        found = {}
        for kind in kinds:
            labels = np.array([outcome.page.kind == kind for outcome in outcomes], np.float32)
            own = float(shares @ labels)
            weights = shares * np.where(labels > 0, 0.5 / own, 0.5 / (shares.sum() - own)) * len(labels)
            found[kind] = flatten(grow([rows], [labels], [weights], self.settings.type_growth))
        return found


@dataclass(eq=False)
class WithContext:
    """A page with both kinds of numbers."""

    features: Features
    look: NDArray[np.float64] = field(repr=False)

    @property
    def taught(self) -> NDArray[np.bool_]:
        """The rows that the second ensemble learns from: more than it is asked about, for what is sure teaches, too."""
        return np.asarray(self.look >= DOUBT)

    @property
    def unsure(self) -> NDArray[np.bool_]:
        """The rows that it is asked about."""
        return np.asarray((self.look >= UNLIKELY) & (self.look <= LIKELY))

    @property
    def table(self) -> NDArray[np.float64]:
        return np.frombuffer(self.features.rows, np.float64).reshape(-1, WIDTH)


def with_context(page: LabelledPage, look: NDArray[Any]) -> WithContext:
    """The rows of a page with what the first look says behind them."""
    table = np.zeros((len(page.words), WIDTH))
    table[:, : columns.COUNT] = page.rows
    known = Features(
        array("d", table.tobytes()),
        WIDTH,
        array("d", page.rows[:, 0].astype(np.float64).tobytes()),
        array("q", page.owner),
        array("q", page.parent),
        array("q", page.start),
        array("q", page.stop),
        array("q", page.circles.astype(np.int64).tobytes()),
        array("q", page.kinds.astype(np.int64).tobytes()),
        int(page.kinds.max()) + 1,
    )
    context.add_context(known, array("d", look.tobytes()), columns.COUNT)
    return WithContext(known, look)


def _predict(voices: Sequence[Any], rows: NDArray[Any]) -> NDArray[np.float64]:
    scores = np.mean([booster.predict(rows, raw_score=True) for booster in voices], axis=0)
    return np.frombuffer(logistic(array("d", np.asarray(scores, np.float64).tobytes())), np.float64)


class Outcome(NamedTuple):
    """How a page was read."""

    page: LabelledPage
    expected: float
    """The F1 expected, and the F1 found."""
    found: float
    row: array[float]
    """What the reading says of the page, and what the page says of itself."""


def _outcome(page: LabelledPage, whole: WithContext, second: Sequence[Any]) -> Outcome:
    probabilities = whole.look.copy()
    if whole.unsure.any():
        probabilities[whole.unsure] = _predict(second, whole.table[whole.unsure])
    reading = readings.read(whole.features.words, array("d", probabilities.tobytes()), whole.features.kind)
    kept = np.array(reading.kept)
    size = int(page.words[kept].sum())
    f1 = 2 * int(page.hits[kept].sum()) / (size + page.gold)
    return Outcome(page, reading.expected, f1, readings.describe_page(whole.features, reading) + page.facts)


def _calibration(outcomes: Sequence[Outcome], parts: int = 10) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The mean F1 found for each tenth of the pages by the F1 expected, made to rise (pool adjacent violators)."""
    ordered = sorted((outcome.expected, outcome.found) for outcome in outcomes if outcome.page.is_whole)
    if len(ordered) < 2 * parts:
        return (0.0, 1.0), (0.0, 1.0)
    pools = [[*np.mean(part, 0).tolist(), len(part)] for part in np.array_split(np.array(ordered), parts)]
    risen: list[list[float]] = []
    for pool in pools:
        risen.append(pool)
        while len(risen) > 1 and risen[-2][1] >= risen[-1][1]:
            last, before = risen.pop(), risen.pop()
            size = last[2] + before[2]
            risen.append([(last[place] * last[2] + before[place] * before[2]) / size for place in (0, 1)] + [size])
    return tuple(pool[0] for pool in risen), tuple(pool[1] for pool in risen)


def with_seed(settings: Settings, seed: int) -> Settings:
    """The same settings, every chance drawn anew."""
    return replace(
        settings,
        seed=seed,
        growth=replace(settings.growth, seed=seed),
        type_growth=replace(settings.type_growth, seed=seed),
    )
