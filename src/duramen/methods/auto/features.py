"""Features of blocks: what the first classifier knows about each block.

About the block itself, its neighbors, its position, the elements that hold it, similar elements, its distance from the
headline. Counts, shares and differences only: no logarithm, no vocabulary of any language, nothing whose last digit
depends on the machine.

- The *containers* of a block are its own element, the nearest ancestor with more blocks, the nearest with more blocks
  than that, and so on: an ancestor with the same blocks says nothing new.
- *Peers* are elements with the same tag and first class under one parent: cards of a shop, posts of a thread, rows.
- A *cluster* is all blocks of the page whose element and its parent have the same tags and first classes.
- The lowest common ancestor with the *headline* tells a short post from the column beside it.

Every feature is one line `name: values` in a function `_…_columns`; names and matrix are both made from these lines.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.methods.auto import feature_loops as loops
from duramen.methods.auto.class_scores import ClassScorer, ElementScore
from duramen.methods.auto.title import LOWEST_HEADING_LEVEL, PageTitle, find_headline

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]
Columns = dict[str, Any]
"""The values of each feature, one per block."""

CONTAINERS = 5
"""Containers of a block that are described, its own element among them."""
MIN_PARAGRAPH_WORDS = 15
"""Words outside links that make a block a paragraph rather than a label."""
MAX_LABEL_WORDS = 6
"""Words of a heading that may be a label: "3 comments on this article"."""
MIN_TITLE_MATCH_WORDS = 5
"""Words of a block that is searched for words of the title."""
FAR_BLOCKS = 99
"""Distance of a paragraph that does not exist."""
NO_DISTANCE = -999.0

TAG_FLAGS: dict[str, int] = {
    **{"article": 1, "main": 2, "nav": 4, "footer": 8, "header": 16, "aside": 32, "form": 64, "ul": 128, "ol": 128},
    **{"li": 256, "table": 512, "td": 512, "tr": 512, "blockquote": 1024, "pre": 2048, "figure": 4096},
    **{"figcaption": 4096, "dl": 8192, "dd": 8192, "dt": 8192, "p": 16384},
}
"""Elements that a block is in, at any distance."""
ROLE_FLAGS = {"navigation": 4, "banner": 16, "contentinfo": 8, "complementary": 32, "main": 2, "article": 1}
FLAG_NAMES = "article main nav footer header aside form list item table quote pre figure definition paragraph".split()
"""One per bit, the lowest first."""
_COMMENT_FLAG = 1 << len(FLAG_NAMES)
HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

SCORE_NAMES = (
    "own_score nearest_score lowest_score highest_score score_sum parent_score parent2_score parent3_score tag_score"
    " lowest_class_score".split()
)
"""Class-name scores of a block's element, in the order in which `feature_loops.inherit_scores` writes them."""


@dataclass(eq=False)
class Features:
    """The feature matrix of a page, and facts about its blocks and elements that later steps need."""

    matrix: Floats = field(repr=False)
    """One line per feature, one column per block; `describe` fills the first `COUNT` lines."""
    words: Floats = field(repr=False)
    owner: Integers = field(repr=False)
    """The element that holds each block."""
    parent: Integers = field(repr=False)
    """The element around each element, and its range of blocks."""
    start: Integers = field(repr=False)
    stop: Integers = field(repr=False)
    containers: Integers = field(repr=False)
    """The containers of each element, one line per rank, the innermost first; −1 where there are no more."""
    cluster: Integers = field(repr=False)
    """The number of each block's cluster, by first occurrence."""
    heading: Integers = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    """The heading level of each block, or 0."""
    in_comments: NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, bool), repr=False)
    """Whether a block is in an element whose class or id contains "omment"."""
    labels: Integers = field(default_factory=lambda: np.zeros(0, np.int64), repr=False)
    """Blocks that are short headings of level 2 to 4."""
    currency_signs: int = 0
    """Number of currency signs on the page."""
    title: PageTitle = field(default=PageTitle(), repr=False)

    def __len__(self) -> int:
        return len(self.words)


def describe(blocks: Blocks, scorer: ClassScorer, title: PageTitle, width: int = 0) -> Features:
    """Return the features of every block; the matrix has at least `width` lines, for what will be added."""
    page = _Description(blocks, scorer, title)
    values = list(page.make_columns().values())
    values += list(np.zeros((max(0, width - len(values)), len(blocks))))
    return Features(
        np.concatenate(values).reshape(len(values), len(blocks)),
        page.words,
        page.owner,
        page.parent,
        page.start,
        page.stop,
        page.containers,
        page.cluster,
        page.heading,
        page.flags[page.owner] & _COMMENT_FLAG != 0,
        np.flatnonzero((page.heading >= 2) & (page.heading <= 4) & (page.words <= MAX_LABEL_WORDS)),
        page.currency_signs,
        title,
    )


class _Description:
    """Arrays over the blocks and elements of a page, and the features made of them."""

    def __init__(self, blocks: Blocks, scorer: ClassScorer, title: PageTitle) -> None:
        self.blocks = blocks
        self.title = title
        self.count = len(blocks)
        self.index = np.arange(self.count)
        self.words = np.array(blocks.words, np.float64)
        self.linked = np.array(blocks.linked, np.float64)
        self.owner: Integers = np.asarray(blocks.owner)
        self.parent: Integers = np.asarray(blocks.parent)
        self.start: Integers = np.asarray(blocks.start)
        self.stop: Integers = np.asarray(blocks.stop)
        self.above = self.parent[self.owner]  # every block has an element, and the root none above
        self._read_texts(blocks.text)
        self._read_elements(scorer)
        self._find_peers()
        self._add_up()
        self.title_share = np.zeros(self.count)
        self.headline = find_headline(
            self.lower, title.text, self.heading.tolist(), blocks.words, blocks.linked, self.title_share
        )

    def _read_texts(self, texts: list[str]) -> None:
        """Count characters, repeated texts, and words of the title."""
        self.lower = [text.lower() for text in texts]
        self.chars, self.digits, self.capitals, self.commas, currencies = np.zeros((5, self.count), np.int64)
        self.ends_sentence = np.zeros(self.count)
        loops.count_characters(
            self.lower, texts, self.chars, self.digits, self.capitals, self.commas, currencies, self.ends_sentence
        )
        self.currency_signs = int(currencies.sum())
        self.title_words = np.zeros(self.count)
        loops.match_prefixes(self.lower, self.title.prefixes, self.words, MIN_TITLE_MATCH_WORDS, self.title_words)
        text_number, self.earlier_copies, copies = np.zeros((3, self.count), np.int64)
        loops.number(self.lower, text_number)
        loops.count_copies(text_number, self.earlier_copies, copies)
        self.copies = copies[text_number]

    def _read_elements(self, scorer: ClassScorer) -> None:
        """Inherit flags, scores and containers from the root down; find clusters of blocks."""
        nodes, tags = self.blocks.node, self.blocks.tree.tag
        names = scorer.read_elements(self.blocks.tree, nodes)
        combination = np.asarray(names.combination)
        tag_number, class_number = np.zeros(len(nodes), np.int64), np.zeros(len(names.first_class), np.int64)
        page_tags = loops.number([tags[node] for node in nodes], tag_number)
        loops.number(names.first_class, class_number)
        own_label = tag_number * (len(class_number) + 1) + class_number[combination]
        self.label = np.zeros(len(nodes), np.int64)
        loops.number(own_label.tolist(), self.label)
        self.heading = _look_up(HEADING_LEVELS, page_tags)[tag_number][self.owner]
        role_flags = _look_up(ROLE_FLAGS, names.role) | np.array(names.is_comment, np.int64) * _COMMENT_FLAG
        tag_scores = np.array([scorer.score_tag(tag) for tag in page_tags], np.float64)
        self.flags = _look_up(TAG_FLAGS, page_tags)[tag_number] | role_flags[combination]
        self.level = np.zeros(len(nodes), np.int64)
        loops.inherit_flags(self.parent, self.flags, self.level)
        self.scores = inherit_scores(self.parent, tag_scores[tag_number], names.scores, combination)
        self.containers = np.full((CONTAINERS, len(nodes)), -1)
        body = page_tags.index("body") if "body" in page_tags else -1
        loops.find_containers(self.parent, self.start, self.stop, tag_number, body, self.containers)
        self.body, self.tag_number = body, tag_number
        tag_words = np.array(scorer.number_words([f"<{tag}>" for tag in page_tags]), np.int64)[tag_number]
        self.path_weight = scorer.sum_path_weights(self.parent, tag_words, combination, names.word_ends, names.words)
        self.cluster = np.zeros(self.count, np.int64)
        above_label = np.where(self.above >= 0, self.label[self.above] + 1, 0)
        loops.number((self.label[self.owner] * (len(nodes) + 1) + above_label).tolist(), self.cluster)

    def _find_peers(self) -> None:
        """Count peers, and find the peers around each element that are most, or have most words."""
        elements = len(self.parent)
        group = np.zeros(elements, np.int64)
        loops.number(((self.parent + 1) * elements + self.label).tolist(), group)
        sum_words = np.zeros(self.count + 1)
        np.cumsum(self.words, out=sum_words[1:])
        element_words = sum_words[self.stop] - sum_words[self.start]
        self.place, sizes = np.zeros((2, elements), np.int64)
        loops.count_copies(group, self.place, sizes)
        self.peers = sizes[group]
        self.group_words = np.bincount(group, element_words, minlength=1)[group].astype(np.float64)
        starts = np.zeros(elements, np.int64)
        starts[group[::-1]] = self.start[::-1]  # the first of a group is written last
        self.group_start = starts[group]
        self.three, self.most, self.heaviest = np.full((3, elements), -1)
        loops.find_large_groups(
            self.parent, self.tag_number, self.body, self.peers, self.group_words, self.three, self.most, self.heaviest
        )

    def _add_up(self) -> None:
        """Make prefix sums over the blocks, and from them sums over each element."""
        is_paragraph = self.words - self.linked >= MIN_PARAGRAPH_WORDS
        self.is_paragraph = is_paragraph
        summed = np.stack((self.words, self.linked, self.commas, is_paragraph, self.title_words * self.words))
        sums = np.concatenate((np.zeros((5, 1)), np.cumsum(summed, axis=1)), axis=1)
        self.sum_words, self.sum_linked, self.sum_commas = sums[0], sums[1], sums[2]
        self.total = float(self.sum_words[-1]) or 1.0
        words, linked, commas, paragraphs, title_words = np.subtract(sums[:, self.stop], sums[:, self.start])
        size = self.stop - self.start
        self.elements = np.stack(
            (
                size,
                words,
                linked / words,
                words / self.total,
                words / size,
                commas / words,
                paragraphs / size,
            )
        )
        """Of each element: blocks, words, shares of linked words and of the page, words per block, commas per word,
        share of paragraphs."""
        self.element_title_words = title_words / words

    def make_columns(self) -> Columns:
        """Return all features, in the order of the model."""
        return {
            **self._block_columns(),
            **self._neighbor_columns(),
            **self._position_columns(),
            **self._element_columns(),
            **self._peer_columns(),
            **self._cluster_columns(),
            **self._title_word_columns(),
            **self._headline_columns(),
            **self._container_columns(),
        }

    def _block_columns(self) -> Columns:
        """The block itself. Counts are per word or per character."""
        return {
            "words": self.words,
            "links": self.linked / self.words,
            "chars": self.chars / self.words,
            "commas": self.commas / self.words,
            "ends_sentence": self.ends_sentence,
            "digits": self.digits / self.chars,
            "capitals": self.capitals / self.chars,
            "bold": np.asarray(self.blocks.bold) / self.words,
            "heading": self.heading,
            "title_share": self.title_share,
            "earlier_copies": self.earlier_copies,
            "copies": self.copies,
        }

    def _neighbor_columns(self) -> Columns:
        """The blocks before and after it."""
        links = self.linked / self.words
        owner, above = self.owner, self.above
        is_together = np.ones(self.count)
        is_together[1:][(owner[1:] != owner[:-1]) & (above[1:] != above[:-1])] = 0.0
        is_together[:1] = -1.0
        columns: Columns = {
            "words-1": get_neighbor(self.words, -1),
            "links-1": get_neighbor(links, -1),
            "heading-1": get_neighbor(self.heading, -1),
            "together-1": is_together,
            "words+1": get_neighbor(self.words, 1),
            "links+1": get_neighbor(links, 1),
            "heading+1": get_neighbor(self.heading, 1),
            "together+1": get_neighbor(is_together, 1),
        }
        for reach in (4, 10):
            low, high = np.maximum(self.index - reach, 0), np.minimum(self.index + reach + 1, self.count)
            words = self.sum_words[high] - self.sum_words[low]
            columns[f"words_within_{reach}"] = words
            columns[f"links_within_{reach}"] = (self.sum_linked[high] - self.sum_linked[low]) / words
        columns["commas_within_10"] = (self.sum_commas[high] - self.sum_commas[low]) / words
        return columns

    def _position_columns(self) -> Columns:
        """Where it is on the page."""
        heading, index = self.heading, self.index
        h1 = np.flatnonzero(heading == 1)
        last_heading = _last_before(heading != 0, -1)
        next_paragraph = self.count - 1 - _last_before(self.is_paragraph[::-1], -1 - FAR_BLOCKS)[::-1]
        return {
            "words_before": self.sum_words[:-1] / self.total,
            "blocks_before": index / max(1, self.count),
            "since_paragraph": index - _last_before(self.is_paragraph, -1 - FAR_BLOCKS) - 1,
            "until_paragraph": next_paragraph - index - 1,
            "from_h1": index - h1[0] if len(h1) else np.full(self.count, NO_DISTANCE),
            "from_heading": index - np.maximum(last_heading, 0),
            "under_heading": np.where(last_heading >= 0, heading[last_heading], 0),
        }

    def _element_columns(self) -> Columns:
        """The elements that hold it, and their class names."""
        flags = self.flags[self.owner] >> np.arange(len(FLAG_NAMES))[:, None] & 1
        return {
            "level": self.level[self.owner],
            **dict(zip(FLAG_NAMES, flags, strict=True)),
            **dict(zip(SCORE_NAMES, self.scores[:, self.owner], strict=True)),
            "path_weight": self.path_weight[self.owner],
        }

    def _peer_columns(self) -> Columns:
        """Its nearest container with three peers, that with most, and the group of peers with most words."""
        three, most, heaviest = self.three[self.owner], self.most[self.owner], self.heaviest[self.owner]
        blocks, words, links = self.elements[:3]
        of_three = np.stack((self.peers[three], words[three], links[three]))
        of_three[:, three < 0] = 0.0
        of_most = np.stack((self.peers[most], words[most], links[most], blocks[most]))
        of_most[:, most < 0] = 0.0
        of_group = np.stack(
            (
                self.group_words[heaviest] / self.total,
                self.sum_words[self.group_start[heaviest]] / self.total,
                self.place[heaviest],
                self.peers[heaviest],
                self.group_words[heaviest] / self.peers[heaviest],
                blocks[heaviest],
            )
        )
        of_group[:, heaviest < 0] = 0.0
        return {
            **dict(zip(("three_peers", "three_peers_words", "three_peers_links"), of_three, strict=True)),
            **dict(zip(("peers", "peers_words", "peers_links", "peers_blocks"), of_most, strict=True)),
            **dict(
                zip(
                    "group_share group_before group_place group_size group_words group_blocks".split(),
                    of_group,
                    strict=True,
                )
            ),
        }

    def _cluster_columns(self) -> Columns:
        """Blocks of its cluster, and images near it."""
        cluster = self.cluster
        words = np.bincount(cluster, self.words, minlength=1)[cluster]
        images = np.asarray(self.blocks.images)
        parent2 = np.where(self.above >= 0, self.parent[self.above], -1)
        return {
            "cluster_blocks": np.bincount(cluster, minlength=1)[cluster],
            "cluster_words": words,
            "cluster_links": np.bincount(cluster, self.linked, minlength=1)[cluster] / words,
            "cluster_share": words / self.total,
            "parent_images": np.where(self.above >= 0, images[self.above], 0),
            "parent2_images": np.where(parent2 >= 0, images[parent2], 0),
        }

    def _title_word_columns(self) -> Columns:
        """Words of the title in the block, in its containers, and in the paragraph that has most of them."""
        containers = self.containers[1:4, self.owner]
        shares = np.where(containers >= 0, self.element_title_words[containers], 0.0)
        most = self.title_words[self.words >= MIN_PARAGRAPH_WORDS].max(initial=0.0)
        return {
            "title_words": self.title_words,
            "container1_title_words": shares[0],
            "container2_title_words": shares[1],
            "container3_title_words": shares[2],
            "page_title_words": np.full(self.count, most),
        }

    def _headline_columns(self) -> Columns:
        """Distance from the headline, and the lowest common ancestor with it."""
        names = (
            "from_headline words_from_headline headings_from_headline sections_from_headline headline_ancestor_blocks"
            " headline_ancestor_share headline_ancestor_up headline_ancestor_down headline_level"
        ).split()
        headline, heading, owner = self.headline, self.heading, self.owner
        if headline < 0:
            return dict(zip(names, np.repeat((NO_DISTANCE, -1.0), (4, 5))[:, None].repeat(self.count, 1), strict=True))
        ancestor, up, down = find_common_ancestors(self.parent, int(owner[headline]))
        headings = np.cumsum(heading != 0)
        level = heading[headline] or LOWEST_HEADING_LEVEL
        sections = np.cumsum((heading != 0) & (heading <= level))
        common = ancestor[owner]
        values = (
            self.index - headline,
            self.sum_words[:-1] - self.sum_words[headline],
            headings - headings[headline],
            sections - sections[headline],
            self.elements[0][common],
            self.elements[3][common],
            up[owner],
            down[owner],
            np.full(self.count, heading[headline]),
        )
        return dict(zip(names, values, strict=True))

    def _container_columns(self) -> Columns:
        """Its containers."""
        containers = self.containers[:, self.owner]
        values = np.empty((CONTAINERS, 8, self.count))
        values[:, :7] = self.elements[:, containers].swapaxes(0, 1)
        values[:, 7] = (self.index - self.start[containers]) / values[:, 0]
        np.copyto(values, -1.0, where=(containers < 0)[:, None])
        names = "blocks words links share mean_words commas paragraphs place".split()
        return {
            f"container{rank}_{name}": values[rank, number]
            for rank in range(CONTAINERS)
            for number, name in enumerate(names)
        }


def _look_up(table: dict[str, int], keys: list[Any]) -> Integers:
    return np.array([table.get(key, 0) for key in keys], np.int64)


def get_neighbor(values: NDArray[Any], distance: int) -> Floats:
    """Return the value of the block at this distance from each; −1 where there is none."""
    neighbors = np.full(len(values), -1.0)
    if distance < 0:
        neighbors[-distance:] = values[:distance]
    else:
        neighbors[:-distance] = values[distance:]
    return neighbors


def _last_before(mask: NDArray[np.bool_], default: int) -> Integers:
    """Return for each block the last block before it that is in the mask."""
    last = np.maximum.accumulate(np.where(mask, np.arange(len(mask)), default))
    return np.concatenate(((default,), last[:-1])) if len(mask) else last


def inherit_scores(
    parent: Integers, tag_scores: Floats, own_scores: list[ElementScore], combination: Integers
) -> Floats:
    """Return the scores of each element and its ancestors, one line per name of `SCORE_NAMES`.

    `own_scores` has the scores of class names by combination.
    """
    scores = np.zeros((len(SCORE_NAMES), len(parent)))
    own = np.array(own_scores, np.float64).reshape(-1, 4)
    loops.inherit_scores(parent, tag_scores, own, combination, scores)
    return scores


def find_common_ancestors(parent: Integers, other: int) -> tuple[Integers, Integers, Integers]:
    """Return each element's lowest common ancestor with another, and the steps to it from the element and the other.

    Elements have one root, and parents come before their children.
    """
    ancestor, up, down = np.full(len(parent), -1), np.zeros(len(parent), np.int64), np.full(len(parent), -1)
    if len(parent):
        loops.find_common_ancestors(parent, other, ancestor, up, down)
    return ancestor, up, down


def _name_columns() -> list[str]:
    """Return the names of all features: those of a page without blocks."""
    nothing = [array("q") for _ in range(11)]
    return list(
        _Description(Blocks(Tree([], [], [], [], []), [], *nothing), ClassScorer({}), PageTitle()).make_columns()
    )


NAMES = _name_columns()
COUNT = len(NAMES)
