# cython: boundscheck=False, wraparound=False
# Indices are blocks and elements of the page; −1 (none) is tested before it is used.
"""Features of blocks: what the first classifier knows about each block.

About the block itself, its neighbors, its position, the elements that hold it, similar elements, its distance from the
headline. Counts, shares and differences only: no logarithm, no vocabulary of any language, nothing whose last digit
depends on the machine.

- The *containers* of a block are its own element, the nearest ancestor with more blocks, the nearest with more blocks
  than that, and so on: an ancestor with the same blocks says nothing new.
- *Peers* are elements with the same tag and first class under one parent: cards of a shop, posts of a thread, rows.
- A *cluster* is all blocks of the page whose element and its parent have the same tags and first classes.
- The lowest common ancestor with the *headline* tells a short post from the column beside it.

Every feature is declared once, as a constant that is the number of its line in the matrix; its name is registered by
the same statement. The module is compiled, with the types in `features.pxd`.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duramen.dom.blocks import Blocks
from duramen.methods.auto.class_scores import SCORE_NAMES, ClassScorer, inherit_scores
from duramen.methods.auto.feature_names import declare_in
from duramen.methods.auto.title import LOWEST_HEADING_LEVEL, MAX_HEADLINE_CHARS, PageTitle, find_headline

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

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
_FLAG_COUNT = len(FLAG_NAMES)
_COMMENT_FLAG = 1 << len(FLAG_NAMES)
HEADING_LEVELS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

_SCORE_COUNT = len(SCORE_NAMES)

NAMES: list[str] = []
"""The names of all features, in the order of the model."""
_column = declare_in(NAMES)

# The block itself. Counts are per word or per character.
_WORDS = _column("words")
_LINKS = _column("links")
_CHARS = _column("chars")
_COMMAS = _column("commas")
_ENDS_SENTENCE = _column("ends_sentence")
_DIGITS = _column("digits")
_CAPITALS = _column("capitals")
_BOLD = _column("bold")
_HEADING = _column("heading")
_TITLE_SHARE = _column("title_share")
_EARLIER_COPIES = _column("earlier_copies")
_COPIES = _column("copies")
# The blocks before and after it.
_PREVIOUS_WORDS = _column("words-1")
_PREVIOUS_LINKS = _column("links-1")
_PREVIOUS_HEADING = _column("heading-1")
_PREVIOUS_TOGETHER = _column("together-1")
_NEXT_WORDS = _column("words+1")
_NEXT_LINKS = _column("links+1")
_NEXT_HEADING = _column("heading+1")
_NEXT_TOGETHER = _column("together+1")
_WORDS_WITHIN_4 = _column("words_within_4")
_LINKS_WITHIN_4 = _column("links_within_4")
_WORDS_WITHIN_10 = _column("words_within_10")
_LINKS_WITHIN_10 = _column("links_within_10")
_COMMAS_WITHIN_10 = _column("commas_within_10")
# Where it is on the page.
_WORDS_BEFORE = _column("words_before")
_BLOCKS_BEFORE = _column("blocks_before")
_SINCE_PARAGRAPH = _column("since_paragraph")
_UNTIL_PARAGRAPH = _column("until_paragraph")
_FROM_H1 = _column("from_h1")
_FROM_HEADING = _column("from_heading")
_UNDER_HEADING = _column("under_heading")
# The elements that hold it, and their class names.
_LEVEL = _column("level")
_FLAGS = _column(*FLAG_NAMES)
_SCORES = _column(*SCORE_NAMES)
_PATH_WEIGHT = _column("path_weight")
# Its nearest container with three peers, that with most, and the group of peers with most words.
_THREE_PEERS = _column("three_peers")
_THREE_PEERS_WORDS = _column("three_peers_words")
_THREE_PEERS_LINKS = _column("three_peers_links")
_PEERS = _column("peers")
_PEERS_WORDS = _column("peers_words")
_PEERS_LINKS = _column("peers_links")
_PEERS_BLOCKS = _column("peers_blocks")
_GROUP_SHARE = _column("group_share")
_GROUP_BEFORE = _column("group_before")
_GROUP_PLACE = _column("group_place")
_GROUP_SIZE = _column("group_size")
_GROUP_WORDS = _column("group_words")
_GROUP_BLOCKS = _column("group_blocks")
# Blocks of its cluster, and images near it.
_CLUSTER_BLOCKS = _column("cluster_blocks")
_CLUSTER_WORDS = _column("cluster_words")
_CLUSTER_LINKS = _column("cluster_links")
_CLUSTER_SHARE = _column("cluster_share")
_PARENT_IMAGES = _column("parent_images")
_PARENT2_IMAGES = _column("parent2_images")
# Words of the title in the block, in three of its containers, and in the paragraph that has most of them.
_TITLE_WORDS = _column("title_words")
_CONTAINER_TITLE_WORDS = _column(*[f"container{rank}_title_words" for rank in (1, 2, 3)])
_PAGE_TITLE_WORDS = _column("page_title_words")
# Distance from the headline, and the lowest common ancestor with it.
_FROM_HEADLINE = _column("from_headline")
_WORDS_FROM_HEADLINE = _column("words_from_headline")
_HEADINGS_FROM_HEADLINE = _column("headings_from_headline")
_SECTIONS_FROM_HEADLINE = _column("sections_from_headline")
_HEADLINE_ANCESTOR_BLOCKS = _column("headline_ancestor_blocks")
_HEADLINE_ANCESTOR_SHARE = _column("headline_ancestor_share")
_HEADLINE_ANCESTOR_UP = _column("headline_ancestor_up")
_HEADLINE_ANCESTOR_DOWN = _column("headline_ancestor_down")
_HEADLINE_LEVEL = _column("headline_level")
# Its containers: eight features of the first, then the same of the second, and so on.
_CONTAINER_BLOCKS = _column("container0_blocks")
_CONTAINER_WORDS = _column("container0_words")
_CONTAINER_LINKS = _column("container0_links")
_CONTAINER_SHARE = _column("container0_share")
_CONTAINER_MEAN_WORDS = _column("container0_mean_words")
_CONTAINER_COMMAS = _column("container0_commas")
_CONTAINER_PARAGRAPHS = _column("container0_paragraphs")
_CONTAINER_PLACE = _column("container0_place")
_CONTAINER_FEATURES = len(NAMES) - _CONTAINER_BLOCKS
for _rank in range(1, CONTAINERS):
    _column(*[name.replace("0", str(_rank)) for name in NAMES[_CONTAINER_BLOCKS:][:_CONTAINER_FEATURES]])

COUNT = len(NAMES)


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
    labels: list[int] = field(default_factory=list, repr=False)
    """Blocks that are short headings of level 2 to 4."""
    currency_signs: int = 0
    """Number of currency signs on the page."""
    title: PageTitle = field(default=PageTitle(), repr=False)

    def __len__(self) -> int:
        return len(self.words)


def describe(blocks: Blocks, scorer: ClassScorer, title: PageTitle, width: int = 0) -> Features:
    """Return the features of every block; the matrix has at least `width` lines, for what will be added."""
    matrix = np.zeros((max(COUNT, width), len(blocks)))
    containers = np.empty((CONTAINERS, len(blocks.node)), np.int64)
    heading, cluster = np.zeros(len(blocks), np.int64), np.zeros(len(blocks), np.int64)
    in_comments = np.zeros(len(blocks), np.uint8)
    # Buffers, not arrays: without a compiler Python reads single numbers from them twice as fast.
    page = _Description(blocks, matrix.data, containers.data, heading.data, cluster.data, in_comments.data)
    page.read_texts(blocks.text, title.prefixes)
    page.add_up()
    page.read_elements(scorer, blocks)
    page.find_containers()
    page.find_peers()
    page.find_clusters()
    page.headline = find_headline(
        find_titles(page.lower, title.text),
        page.lower,
        title.text,
        heading,
        blocks.words,
        blocks.linked,
        matrix[_TITLE_SHARE],
    )
    page.write_neighbors()
    page.write_positions()
    page.write_elements()
    page.write_peers()
    page.write_clusters()
    page.write_containers()
    page.write_headline()
    return Features(
        matrix,
        matrix[0],
        np.asarray(blocks.owner),
        np.asarray(blocks.parent),
        np.asarray(blocks.start),
        np.asarray(blocks.stop),
        containers,
        cluster,
        heading,
        in_comments.view(bool),
        page.labels,
        page.currency_signs,
        title,
    )


class _Description:
    """Arrays over the blocks and elements of a page; its methods write the lines of the matrix."""

    def __init__(
        self, blocks: Blocks, matrix: Any, containers: Any, heading: Any, cluster: Any, in_comments: Any
    ) -> None:
        count, elements = len(blocks), len(blocks.node)
        self.count = count
        self.matrix = matrix
        self.lower: list[str] = [text.lower() for text in blocks.text]
        self.words = blocks.words
        self.linked = blocks.linked
        self.bold = blocks.bold
        self.owner = blocks.owner
        self.parent = blocks.parent
        self.start = blocks.start
        self.stop = blocks.stop
        self.images = blocks.images
        self.total = 1.0
        self.currency_signs = 0
        self.labels: list[int] = []
        self.headline = -1
        # Of blocks.
        self.heading = heading
        self.cluster = cluster
        self.in_comments = in_comments
        # Sums over the blocks before each block.
        self.sum_words = _zeros(count + 1)
        self.sum_linked = _zeros(count + 1)
        self.sum_commas = _zeros(count + 1)
        self.sum_paragraphs = _zeros(count + 1)
        self.sum_title_words = array("d", bytes(8 * (count + 1)))
        # Of elements.
        self.tag = _zeros(elements)
        self.body_tag = -1
        self.label = _zeros(elements)
        self.flags = _zeros(elements)
        self.level = _zeros(elements)
        self.scores: Any = None
        self.path_weight: Any = None
        self.containers = containers
        self.peers = _zeros(elements)
        self.place = _zeros(elements)
        self.group_words = _zeros(elements)
        self.group_start = _zeros(elements)
        self.three = _zeros(elements)
        self.most = _zeros(elements)
        self.heaviest = _zeros(elements)

    def read_texts(self, texts: list[str], prefixes: tuple[str, ...]) -> None:
        """Write what is counted in the texts. Digits and capitals of ASCII only: they are evidence, not rules."""
        matrix = self.matrix
        min_words = MIN_TITLE_MATCH_WORDS
        prefix_count = len(prefixes)
        for block in range(self.count):
            text = texts[block]
            words = self.words[block]
            digit = capital = comma = 0
            for character in text:
                if "a" <= character <= "z" or character == " ":
                    continue
                if "0" <= character <= "9":
                    digit += 1
                elif "A" <= character <= "Z":
                    capital += 1
                elif character in ",.，。、،۔।":
                    comma += 1
                elif character in "$€£¥￥₹":
                    self.currency_signs += 1
            self.sum_commas[block + 1] = self.sum_commas[block] + comma
            character = text[len(text) - 1]
            if character in '.!?。！？｡؟۔।॥…"”»':
                matrix[_ENDS_SENTENCE, block] = 1.0
            text = self.lower[block]
            chars = len(text)
            matrix[_CHARS, block] = chars / words
            matrix[_COMMAS, block] = comma / words
            matrix[_DIGITS, block] = digit / chars
            matrix[_CAPITALS, block] = capital / chars
            if prefix_count and words >= min_words:
                found = 0
                for prefix in prefixes:
                    if prefix in text:
                        found += 1
                matrix[_TITLE_WORDS, block] = found / prefix_count
        numbers = _zeros(self.count)
        copies = _zeros(self.count)
        _number(self.lower, numbers)
        for block in range(self.count):
            matrix[_EARLIER_COPIES, block] = copies[numbers[block]]
            copies[numbers[block]] += 1
        for block in range(self.count):
            matrix[_COPIES, block] = copies[numbers[block]]

    def add_up(self) -> None:
        """Make the sums over blocks, and write what is counted in words."""
        matrix = self.matrix
        min_words = MIN_PARAGRAPH_WORDS
        most = 0.0
        for block in range(self.count):
            words = self.words[block]
            linked = self.linked[block]
            is_paragraph = words - linked >= min_words
            title_words = matrix[_TITLE_WORDS, block]
            matrix[_WORDS, block] = words
            matrix[_LINKS, block] = linked / words
            matrix[_BOLD, block] = self.bold[block] / words
            self.sum_words[block + 1] = self.sum_words[block] + words
            self.sum_linked[block + 1] = self.sum_linked[block] + linked
            self.sum_paragraphs[block + 1] = self.sum_paragraphs[block] + is_paragraph
            self.sum_title_words[block + 1] = self.sum_title_words[block] + title_words * words
            if words >= min_words and title_words > most:
                most = title_words
        for block in range(self.count):
            matrix[_PAGE_TITLE_WORDS, block] = most
        if self.count:
            self.total = self.sum_words[self.count]

    def read_elements(self, scorer: ClassScorer, blocks: Blocks) -> None:
        """Read tags and class names; pass flags and scores from the root down."""
        tags = blocks.tree.tag
        names = scorer.read_elements(blocks.tree, blocks.node)
        combination = names.combination
        class_numbers = _zeros(len(names.first_class))
        page_tags = _number([tags[node] for node in blocks.node], self.tag)
        class_count = len(_number(names.first_class, class_numbers))
        if "body" in page_tags:
            self.body_tag = page_tags.index("body")
        tag_flags = array("q", [TAG_FLAGS.get(name, 0) for name in page_tags])
        tag_scores = array("d", [scorer.score_tag(name) for name in page_tags])
        tag_words = array("q", scorer.number_words([f"<{name}>" for name in page_tags]))
        headings = array("q", [HEADING_LEVELS.get(name, 0) for name in page_tags])
        name_flags = _zeros(len(names.role))
        for number in range(len(name_flags)):
            role = names.role[number]
            if role:
                name_flags[number] = ROLE_FLAGS.get(role, 0)
            if names.is_comment[number]:
                name_flags[number] |= _COMMENT_FLAG
        element_scores = array("d", bytes(8 * len(self.tag)))
        element_words = _zeros(len(self.tag))
        keys = []
        for element in range(len(self.tag)):
            tag = self.tag[element]
            above = self.parent[element]
            flags = tag_flags[tag] | name_flags[combination[element]]
            if above >= 0:
                flags |= self.flags[above]
                self.level[element] = self.level[above] + 1
            self.flags[element] = flags
            keys.append(tag * class_count + class_numbers[combination[element]])
            element_scores[element] = tag_scores[tag]
            element_words[element] = tag_words[tag]
        _number(keys, self.label)
        self.scores = inherit_scores(self.parent, element_scores, names.scores, combination)
        self.path_weight = scorer.sum_path_weights(
            self.parent, element_words, combination, names.word_ends, names.words
        )
        max_words = MAX_LABEL_WORDS
        for block in range(self.count):
            level = headings[self.tag[self.owner[block]]]
            self.heading[block] = level
            self.matrix[_HEADING, block] = level
            if 2 <= level <= 4 and self.words[block] <= max_words:
                self.labels.append(block)
            if self.flags[self.owner[block]] & _COMMENT_FLAG:
                self.in_comments[block] = 1

    def find_containers(self) -> None:
        """Fill the containers of each element; the root and the body are none."""
        containers, start, stop = self.containers, self.start, self.stop
        ranks = len(containers)
        for element in range(len(self.tag)):
            above = self.parent[element]
            if above < 0 or self.tag[element] == self.body_tag:
                for rank in range(ranks):
                    containers[rank, element] = -1
                continue
            containers[0, element] = element
            # The place of a parent with the same blocks is taken by the child.
            has_same_blocks = start[element] == start[above] and stop[element] == stop[above]
            skipped = 1 if has_same_blocks and containers[0, above] == above else 0
            for rank in range(1, ranks):
                containers[rank, element] = containers[rank - 1 + skipped, above]

    def find_peers(self) -> None:
        """Count the peers of each element.

        Find the nearest container with three peers, that with most peers, and that whose other peers have most words.
        """
        elements = len(self.tag)
        group = _zeros(elements)
        sizes = _zeros(elements)
        words = _zeros(elements)
        starts = _zeros(elements)
        keys = [(self.parent[element] + 1) * elements + self.label[element] for element in range(elements)]
        _number(keys, group)
        for element in range(elements):
            number = group[element]
            if not sizes[number]:
                starts[number] = self.start[element]
            self.place[element] = sizes[number]
            sizes[number] += 1
            words[number] += self.sum_words[self.stop[element]] - self.sum_words[self.start[element]]
        for element in range(elements):
            number = group[element]
            self.peers[element] = sizes[number]
            self.group_words[element] = words[number]
            self.group_start[element] = starts[number]
            self.three[element] = self.most[element] = self.heaviest[element] = -1
        peers, group_words = self.peers, self.group_words
        for element in range(elements):
            above = self.parent[element]
            if above < 0 or self.tag[element] == self.body_tag:
                continue
            size = peers[element]
            self.three[element] = element if size >= 3 else self.three[above]
            other = self.most[above]
            self.most[element] = element if size > 1 and (other < 0 or size >= peers[other]) else other
            other = self.heaviest[above]
            weight = group_words[element] * (size - 1) / size
            is_heavier = other < 0 or weight >= group_words[other] * (peers[other] - 1) / peers[other]
            self.heaviest[element] = element if size > 1 and is_heavier else other

    def find_clusters(self) -> None:
        """Number the clusters of blocks."""
        elements = len(self.tag)
        keys = []
        for block in range(self.count):
            owner = self.owner[block]
            above = self.parent[owner]
            keys.append(self.label[owner] * (elements + 1) + (self.label[above] + 1 if above >= 0 else 0))
        _number(keys, self.cluster)

    def write_neighbors(self) -> None:
        """The blocks before and after it."""
        matrix, sum_words, sum_linked, sum_commas = self.matrix, self.sum_words, self.sum_linked, self.sum_commas
        owner, parent = self.owner, self.parent
        count = self.count
        for block in range(count):
            if block == 0:
                matrix[_PREVIOUS_WORDS, block] = matrix[_PREVIOUS_LINKS, block] = -1.0
                matrix[_PREVIOUS_HEADING, block] = matrix[_PREVIOUS_TOGETHER, block] = -1.0
            else:
                other = block - 1
                matrix[_PREVIOUS_WORDS, block] = matrix[_WORDS, other]
                matrix[_PREVIOUS_LINKS, block] = matrix[_LINKS, other]
                matrix[_PREVIOUS_HEADING, block] = matrix[_HEADING, other]
                is_together = owner[block] == owner[other] or parent[owner[block]] == parent[owner[other]]
                matrix[_PREVIOUS_TOGETHER, block] = matrix[_NEXT_TOGETHER, other] = is_together
            if block == count - 1:
                matrix[_NEXT_WORDS, block] = matrix[_NEXT_LINKS, block] = -1.0
                matrix[_NEXT_HEADING, block] = matrix[_NEXT_TOGETHER, block] = -1.0
            else:
                other = block + 1
                matrix[_NEXT_WORDS, block] = matrix[_WORDS, other]
                matrix[_NEXT_LINKS, block] = matrix[_LINKS, other]
                matrix[_NEXT_HEADING, block] = matrix[_HEADING, other]
            low = block - 4 if block > 4 else 0
            high = block + 5 if block + 5 < count else count
            words = sum_words[high] - sum_words[low]
            matrix[_WORDS_WITHIN_4, block] = words
            matrix[_LINKS_WITHIN_4, block] = (sum_linked[high] - sum_linked[low]) / words
            low = block - 10 if block > 10 else 0
            high = block + 11 if block + 11 < count else count
            words = sum_words[high] - sum_words[low]
            matrix[_WORDS_WITHIN_10, block] = words
            matrix[_LINKS_WITHIN_10, block] = (sum_linked[high] - sum_linked[low]) / words
            matrix[_COMMAS_WITHIN_10, block] = (sum_commas[high] - sum_commas[low]) / words

    def write_positions(self) -> None:
        """Where it is on the page."""
        matrix = self.matrix
        count = self.count
        since_paragraph: int = FAR_BLOCKS
        from_heading = under_heading = 0
        h1 = -1
        for block in range(count):
            level = self.heading[block]
            matrix[_WORDS_BEFORE, block] = self.sum_words[block] / self.total
            matrix[_BLOCKS_BEFORE, block] = block / count
            matrix[_SINCE_PARAGRAPH, block] = since_paragraph
            matrix[_FROM_HEADING, block] = from_heading
            matrix[_UNDER_HEADING, block] = under_heading
            is_paragraph = self.sum_paragraphs[block] != self.sum_paragraphs[block + 1]
            since_paragraph = 0 if is_paragraph else since_paragraph + 1
            if level:
                from_heading, under_heading = 0, level
                if level == 1 and h1 < 0:
                    h1 = block
            from_heading += 1
        until_paragraph: int = FAR_BLOCKS
        no_distance: float = NO_DISTANCE
        for block in range(count - 1, -1, -1):
            matrix[_UNTIL_PARAGRAPH, block] = until_paragraph
            is_paragraph = self.sum_paragraphs[block] != self.sum_paragraphs[block + 1]
            until_paragraph = 0 if is_paragraph else until_paragraph + 1
            matrix[_FROM_H1, block] = block - h1 if h1 >= 0 else no_distance

    def write_elements(self) -> None:
        """The elements that hold it, and their class names."""
        matrix = self.matrix
        for block in range(self.count):
            owner = self.owner[block]
            flags = self.flags[owner]
            matrix[_LEVEL, block] = self.level[owner]
            for bit in range(_FLAG_COUNT):
                matrix[_FLAGS + bit, block] = flags >> bit & 1
            for number in range(_SCORE_COUNT):
                matrix[_SCORES + number, block] = self.scores[number, owner]
            matrix[_PATH_WEIGHT, block] = self.path_weight[owner]

    def write_peers(self) -> None:
        """Its nearest container with three peers, that with most, and the group of peers with most words."""
        matrix, start, stop, sum_words, sum_linked = self.matrix, self.start, self.stop, self.sum_words, self.sum_linked
        total = self.total
        for block in range(self.count):
            element = self.three[self.owner[block]]
            if element >= 0:
                low, high = start[element], stop[element]
                words = sum_words[high] - sum_words[low]
                matrix[_THREE_PEERS, block] = self.peers[element]
                matrix[_THREE_PEERS_WORDS, block] = words
                matrix[_THREE_PEERS_LINKS, block] = (sum_linked[high] - sum_linked[low]) / words
            element = self.most[self.owner[block]]
            if element >= 0:
                low, high = start[element], stop[element]
                words = sum_words[high] - sum_words[low]
                matrix[_PEERS, block] = self.peers[element]
                matrix[_PEERS_WORDS, block] = words
                matrix[_PEERS_LINKS, block] = (sum_linked[high] - sum_linked[low]) / words
                matrix[_PEERS_BLOCKS, block] = high - low
            element = self.heaviest[self.owner[block]]
            if element >= 0:
                words = self.group_words[element]
                matrix[_GROUP_SHARE, block] = words / total
                matrix[_GROUP_BEFORE, block] = sum_words[self.group_start[element]] / total
                matrix[_GROUP_PLACE, block] = self.place[element]
                matrix[_GROUP_SIZE, block] = self.peers[element]
                matrix[_GROUP_WORDS, block] = words / self.peers[element]
                matrix[_GROUP_BLOCKS, block] = stop[element] - start[element]

    def write_clusters(self) -> None:
        """Blocks of its cluster, and images near it."""
        matrix = self.matrix
        blocks, words, linked = _zeros(self.count), _zeros(self.count), _zeros(self.count)
        for block in range(self.count):
            number = self.cluster[block]
            blocks[number] += 1
            words[number] += self.words[block]
            linked[number] += self.linked[block]
        for block in range(self.count):
            number = self.cluster[block]
            matrix[_CLUSTER_BLOCKS, block] = blocks[number]
            matrix[_CLUSTER_WORDS, block] = words[number]
            matrix[_CLUSTER_LINKS, block] = linked[number] / words[number]
            matrix[_CLUSTER_SHARE, block] = words[number] / self.total
            above = self.parent[self.owner[block]]
            if above >= 0:
                matrix[_PARENT_IMAGES, block] = self.images[above]
                above = self.parent[above]
                if above >= 0:
                    matrix[_PARENT2_IMAGES, block] = self.images[above]

    def write_containers(self) -> None:
        """Its containers, and the words of the title in three of them."""
        matrix, sum_words, sum_linked, sum_commas = self.matrix, self.sum_words, self.sum_linked, self.sum_commas
        total = self.total
        ranks = len(self.containers)
        for block in range(self.count):
            for rank in range(ranks):
                line = rank * _CONTAINER_FEATURES  # after those of the first container
                element = self.containers[rank, self.owner[block]]
                if element < 0:
                    for feature in range(_CONTAINER_FEATURES):
                        matrix[line + _CONTAINER_BLOCKS + feature, block] = -1.0
                    continue
                low, high = self.start[element], self.stop[element]
                blocks = high - low
                words = sum_words[high] - sum_words[low]
                matrix[line + _CONTAINER_BLOCKS, block] = blocks
                matrix[line + _CONTAINER_WORDS, block] = words
                matrix[line + _CONTAINER_LINKS, block] = (sum_linked[high] - sum_linked[low]) / words
                matrix[line + _CONTAINER_SHARE, block] = words / total
                matrix[line + _CONTAINER_MEAN_WORDS, block] = words / blocks
                matrix[line + _CONTAINER_COMMAS, block] = (sum_commas[high] - sum_commas[low]) / words
                paragraphs = self.sum_paragraphs[high] - self.sum_paragraphs[low]
                matrix[line + _CONTAINER_PARAGRAPHS, block] = paragraphs / blocks
                matrix[line + _CONTAINER_PLACE, block] = (block - low) / blocks
                if 1 <= rank <= 3:
                    title_words = self.sum_title_words[high] - self.sum_title_words[low]
                    matrix[_CONTAINER_TITLE_WORDS + rank - 1, block] = title_words / words

    def write_headline(self) -> None:
        """Distance from the headline, and the lowest common ancestor with it."""
        matrix, headline = self.matrix, self.headline
        if headline < 0:
            no_distance: float = NO_DISTANCE
            for block in range(self.count):
                for line in range(_FROM_HEADLINE, _HEADLINE_ANCESTOR_BLOCKS):
                    matrix[line, block] = no_distance
                for line in range(_HEADLINE_ANCESTOR_BLOCKS, _HEADLINE_LEVEL + 1):
                    matrix[line, block] = -1.0
            return
        elements = len(self.tag)
        ancestor, up, down = _zeros(elements), _zeros(elements), _zeros(elements)
        _find_common_ancestors(self.parent, self.owner[headline], ancestor, up, down)
        headline_level: int = self.heading[headline] or LOWEST_HEADING_LEVEL
        headings = sections = 0
        for block in range(headline + 1):
            level = self.heading[block]
            headings -= level != 0
            sections -= level != 0 and level <= headline_level
        for block in range(self.count):
            level = self.heading[block]
            headings += level != 0
            sections += level != 0 and level <= headline_level
            owner = self.owner[block]
            low, high = self.start[ancestor[owner]], self.stop[ancestor[owner]]
            matrix[_FROM_HEADLINE, block] = block - headline
            matrix[_WORDS_FROM_HEADLINE, block] = self.sum_words[block] - self.sum_words[headline]
            matrix[_HEADINGS_FROM_HEADLINE, block] = headings
            matrix[_SECTIONS_FROM_HEADLINE, block] = sections
            matrix[_HEADLINE_ANCESTOR_BLOCKS, block] = high - low
            matrix[_HEADLINE_ANCESTOR_SHARE, block] = (self.sum_words[high] - self.sum_words[low]) / self.total
            matrix[_HEADLINE_ANCESTOR_UP, block] = up[owner]
            matrix[_HEADLINE_ANCESTOR_DOWN, block] = down[owner]
            matrix[_HEADLINE_LEVEL, block] = self.heading[headline]


def find_titles(lower: list[str], title: str) -> list[int]:
    """Return the blocks, given in lower case, that are part of the title or contain it and are short: headlines."""
    found = []
    if title:
        max_chars = MAX_HEADLINE_CHARS
        for block in range(len(lower)):
            text = lower[block]
            if len(text) <= max_chars and (text in title or title in text):
                found.append(block)
    return found


def _zeros(count: int) -> array[int]:
    return _ZERO * count


_ZERO = array("q", (0,))


def _number(keys: list[Any], numbers: Any) -> list[Any]:
    """Give equal keys equal numbers, in the order of their first occurrence; return the distinct keys."""
    known: dict[Any, int] = {}
    for place in range(len(keys)):
        number = known.get(keys[place])
        if number is None:
            known[keys[place]] = number = len(known)
        numbers[place] = number
    return list(known)


def find_common_ancestors(parent: Any, other: int) -> tuple[array[int], array[int], array[int]]:
    """Return each element's lowest common ancestor with another, and the steps to it from the element and the other.

    Elements have one root, and parents come before their children.
    """
    ancestor, up, down = _zeros(len(parent)), _zeros(len(parent)), _zeros(len(parent))
    if len(parent):
        _find_common_ancestors(parent, other, ancestor, up, down)
    return ancestor, up, down


def _find_common_ancestors(parent: Any, other: int, ancestor: Any, up: Any, down: Any) -> None:
    for element in range(len(parent)):
        ancestor[element] = -1
    steps = 0
    element = other
    while element >= 0:
        ancestor[element] = element
        down[element] = steps
        element = parent[element]
        steps += 1
    for element in range(len(parent)):
        above = parent[element]
        if ancestor[element] < 0 and above >= 0:
            ancestor[element] = ancestor[above]
            up[element] = up[above] + 1
            down[element] = down[above]
