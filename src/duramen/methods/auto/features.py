# cython: boundscheck=False, wraparound=False
# Every index is a block or an element of the page at hand, and what may be missing, −1, is asked for before.
"""What the local classifier is told of each block.

Of the block itself, of the blocks around it, of the elements that hold it, of the elements like those, and of its text
on the page. Counts, shares and differences only: no logarithm, no vocabulary of any language, nothing whose last digit
depends on the machine.

The elements that hold a block matter where they grow: an ancestor that holds no other block says nothing new. So a
block's *circles* are its own element, the nearest ancestor with more blocks, the nearest with more than that, and on.
Elements with the same tag and first class under one parent are *peers*: cards of a shop, posts of a thread, rows.
How far a block is from the *headline*, in words and in the tree, tells a short post from the column beside it.

One pass over the elements from the top down, one over the blocks, each with what has been summed before.
"""

from __future__ import annotations

from array import array

from duramen.dom.blocks import Blocks
from duramen.methods.auto import class_scores as hints
from duramen.methods.auto.ancestors import meet
from duramen.methods.auto.characters import count_marks, coverage
from duramen.methods.auto.class_scores import Dictionary, Names
from duramen.methods.auto.columns import BITS, CIRCLES, COUNT, FLAGS, HEADINGS, HINTS, ROLES
from duramen.methods.auto.factorize import numbered
from duramen.methods.auto.headline import count_headings, find_headline
from duramen.methods.auto.path_weights import weigh
from duramen.methods.auto.rows import Features
from duramen.methods.auto.title import Sayings

LONG = 15
"""Words outside links from which on a block is a paragraph and no label."""

LABEL = 6
"""Words up to which a heading is a label: "3 comments on this article"."""

_FAR = 99
_COMMENTED = 1 << 20
"""A flag behind the others, which no row has."""
_ZERO = array("q", (0,))
_NOUGHT = array("d", (0.0,))
_WEIGHTLESS = array("q")


def describe(
    blocks: Blocks,
    dictionary: Dictionary,
    sayings: Sayings,
    width: int = COUNT,
    weights: array[int] = _WEIGHTLESS,
) -> Features:
    """The features of every block; rows may be made wider than needed, for what will be added. The weights are those of
    the dictionary's words, in their order."""
    tree = blocks.tree
    rows = _NOUGHT * (width * len(blocks))
    page = _Pass(blocks, hints.read_names(tree, blocks.node, dictionary), dictionary, sayings)
    if len(blocks):
        page.add_up(tree.tag, blocks.node)
        page.find_peers()
        page.inherit()
        page.find_headline()
        page.fill(rows, width, page.weigh(weights))
    return Features(
        rows,
        width,
        blocks.weights,
        blocks.owner,
        blocks.parent,
        blocks.start,
        blocks.stop,
        page.circles,
        page.kind,
        page.kinds,
        page.heading,
        page.commented,
        page.is_commented,
        page.labels,
        page.currencies,
        sayings,
    )


class _Pass:
    """One page on its way: numbers of its elements and blocks."""

    def __init__(self, blocks: Blocks, names: Names, dictionary: Dictionary, sayings: Sayings) -> None:
        elements = len(blocks.node)
        self.dictionary = dictionary
        self.sayings = sayings
        self.which = names.which
        self.said = names.said
        self.first = names.first
        self.role = names.role
        self.names_commented = names.commented
        self.ends = names.ends
        self.known = names.words
        self.texts = blocks.text
        self.lower: list[str] = []
        self.words = blocks.words
        self.linked = blocks.linked
        self.bold = blocks.bold
        self.owner = blocks.owner
        self.parent = blocks.parent
        self.start = blocks.start
        self.stop = blocks.stop
        self.images = blocks.images
        # running sums over the blocks
        self.sum_words = _zeros(len(blocks) + 1)
        self.sum_linked = _zeros(len(blocks) + 1)
        self.sum_commas = _zeros(len(blocks) + 1)
        self.sum_long = _zeros(len(blocks) + 1)
        # of blocks
        self.digits = _zeros(len(blocks))
        self.capitals = _zeros(len(blocks))
        self.kind = _zeros(len(blocks))
        self.kinds = 0
        self.heading = _zeros(len(blocks))
        self.titled = _NOUGHT * len(blocks)
        """Of each block the share that is title."""
        self.headline = -1
        self.commented = _zeros(len(blocks))
        self.is_commented = False
        self.currencies = 0
        self.labels: list[int] = []
        # of tags
        self.tags: list[str] = []
        # of elements
        self.tag = _zeros(elements)
        self.label = _zeros(elements)
        """The same for the same tag and class."""
        self.flags = _zeros(elements)
        self.level = _zeros(elements)
        self.hints = _NOUGHT * (HINTS * elements)
        self.circles = _zeros(CIRCLES * elements)
        self.peers = _zeros(elements)
        self.place = _zeros(elements)
        self.group_words = _zeros(elements)
        self.group_start = _zeros(elements)
        self.three = _zeros(elements)
        self.most = _zeros(elements)
        self.heaviest = _zeros(elements)

    def add_up(self, tags: list[str], nodes: array[int]) -> None:
        """Sums over the blocks, and which elements and blocks are alike."""
        elements = len(nodes)
        known: dict[str, int] = {}
        keys = _zeros(elements)
        for element in range(elements):
            tag = tags[nodes[element]]
            found = known.get(tag, -1)
            if found < 0:
                found = known[tag] = len(known)
                self.tags.append(tag)
            self.tag[element] = found
            keys[element] = found * (len(self.first) + 1) + self.first[self.which[element]]
        size = numbered(keys, self.label) + 1
        keys = _zeros(len(self.texts))
        commas = _zeros(len(self.texts))
        self.currencies = count_marks(self.texts, self.digits, self.capitals, commas)
        for block in range(len(self.texts)):
            own, linked = self.words[block], self.linked[block]
            self.sum_words[block + 1] = self.sum_words[block] + own
            self.sum_linked[block + 1] = self.sum_linked[block] + linked
            self.sum_commas[block + 1] = self.sum_commas[block] + commas[block]
            self.sum_long[block + 1] = self.sum_long[block] + (1 if own - linked >= LONG else 0)
            owner = self.owner[block]
            above = self.parent[owner]
            keys[block] = self.label[owner] * size + (self.label[above] + 1 if above >= 0 else 0)
        self.kinds = numbered(keys, self.kind)

    def find_peers(self) -> None:
        """How many elements are alike under one parent, which of them each is, and the words of them all."""
        elements = len(self.tag)
        keys = _zeros(elements)
        for element in range(elements):
            keys[element] = (self.parent[element] + 1) * elements + self.label[element]
        group = _zeros(elements)
        sizes = _zeros(elements)
        weights = _zeros(elements)
        first = _zeros(elements)
        numbered(keys, group)
        for element in range(elements):
            found = group[element]
            if not sizes[found]:
                first[found] = self.start[element]
            self.place[element] = sizes[found]
            sizes[found] += 1
            weights[found] += self.sum_words[self.stop[element]] - self.sum_words[self.start[element]]
        for element in range(elements):
            found = group[element]
            self.peers[element] = sizes[found]
            self.group_words[element] = weights[found]
            self.group_start[element] = first[found]

    def inherit(self) -> None:
        """From the top down: what an element has from those around it."""
        hints, circles, peers, group_words = self.hints, self.circles, self.peers, self.group_words
        which, said = self.which, self.said
        scores = array("q", [self.dictionary.get("<" + name + ">", 0) for name in self.tags])
        own_flags = array("q", [FLAGS.get(name, 0) for name in self.tags])
        roles = array("q", [0 if role is None else ROLES.get(role, 0) for role in self.role])
        body = self.tags.index("body") if "body" in self.tags else -1
        for element in range(len(self.tag)):
            tag = self.tag[element]
            above = self.parent[element]
            number = which[element]
            bits = own_flags[tag] | roles[number]
            if self.names_commented[number]:
                bits |= _COMMENTED
            tag_score = scores[tag]
            mean, lowest, highest, named = (
                said[4 * number],
                said[4 * number + 1],
                said[4 * number + 2],
                said[4 * number + 3],
            )
            at = HINTS * element
            if above < 0:
                hints[at] = hints[at + 1] = mean
                hints[at + 2] = lowest if lowest < tag_score else tag_score
                hints[at + 3] = highest if highest > tag_score else tag_score
                hints[at + 4] = mean + 0.5 * tag_score
                hints[at + 9] = lowest
            else:
                bits |= self.flags[above]
                self.level[element] = self.level[above] + 1
                around = HINTS * above
                low = lowest if lowest < tag_score else tag_score
                high = highest if highest > tag_score else tag_score
                hints[at] = mean
                hints[at + 1] = mean if named else hints[around + 1]
                hints[at + 2] = low if low < hints[around + 2] else hints[around + 2]
                hints[at + 3] = high if high > hints[around + 3] else hints[around + 3]
                hints[at + 4] = hints[around + 4] + mean + 0.5 * tag_score
                hints[at + 5] = hints[around]
                hints[at + 6] = hints[around + 5]
                hints[at + 7] = hints[around + 6]
                hints[at + 9] = lowest if lowest < hints[around + 9] else hints[around + 9]
            hints[at + 8] = tag_score
            self.flags[element] = bits
            at = CIRCLES * element
            if above < 0 or tag == body:
                for number in range(CIRCLES):
                    circles[at + number] = -1
                self.three[element] = self.most[element] = self.heaviest[element] = -1
                continue
            around = CIRCLES * above
            circles[at] = element
            # An ancestor with the very same blocks says nothing new: its place is taken.
            same = self.start[element] == self.start[above] and self.stop[element] == self.stop[above]
            skipped = 1 if same and circles[around] == above else 0
            for number in range(1, CIRCLES):
                other = around + number - 1 + skipped
                circles[at + number] = circles[other] if other < around + CIRCLES else -1
            size = peers[element]
            self.three[element] = element if size >= 3 else self.three[above]
            other = self.most[above]
            self.most[element] = element if size > 1 and (other < 0 or size >= peers[other]) else other
            other = self.heaviest[above]
            weight = group_words[element] * (size - 1) / size
            heavier = other < 0 or weight >= group_words[other] * (peers[other] - 1) / peers[other]
            self.heaviest[element] = element if size > 1 and heavier else other

    def find_headline(self) -> None:
        """Which blocks are headings, which repeat the title, and which is the headline."""
        levels = array("q", [HEADINGS.get(name, 0) for name in self.tags])
        heading = self.heading
        for block in range(len(self.texts)):
            heading[block] = levels[self.tag[self.owner[block]]]
        self.lower = [text.lower() for text in self.texts]
        title = self.sayings.title
        self.headline = find_headline(self.lower, title, heading, self.words, self.linked, self.titled)

    def weigh(self, weights: array[int]) -> array[float]:
        """What the words on the way to each element weigh."""
        numbers = array("q", hints.numbers_of(["<" + name + ">" for name in self.tags], self.dictionary))
        tags = _zeros(len(self.tag))
        for element in range(len(self.tag)):
            tags[element] = numbers[self.tag[element]]
        return weigh(self.parent, tags, self.which, self.ends, self.known, weights)

    def fill(self, rows: array[float], width: int, ways: array[float]) -> None:
        """Write the rows."""
        words, linked, owners, parent = self.words, self.linked, self.owner, self.parent
        sum_words, sum_linked, sum_commas, sum_long = self.sum_words, self.sum_linked, self.sum_commas, self.sum_long
        start, stop, peers, hints, circles = self.start, self.stop, self.peers, self.hints, self.circles
        count = len(words)
        total = float(sum_words[count]) or 1.0
        heading, commented = self.heading, self.commented
        for block in range(count):
            level = heading[block]
            if 2 <= level <= 4 and words[block] <= LABEL:
                self.labels.append(block)
            if self.flags[owners[block]] & _COMMENTED:
                commented[block] = 1
                self.is_commented = True
        long_before = _zeros(count)
        long_after = _zeros(count)
        distance = _FAR
        for block in range(count):
            long_before[block] = distance
            distance = 0 if words[block] - linked[block] >= LONG else distance + 1
        distance = _FAR
        for block in range(count - 1, -1, -1):
            long_after[block] = distance
            distance = 0 if words[block] - linked[block] >= LONG else distance + 1
        h1 = -1
        kind_blocks = _zeros(self.kinds)
        kind_words = _zeros(self.kinds)
        kind_linked = _zeros(self.kinds)
        for block in range(count):
            if heading[block] == 1 and h1 < 0:
                h1 = block
            kind = self.kind[block]
            kind_blocks[kind] += 1
            kind_words[kind] += words[block]
            kind_linked[kind] += linked[block]
        # equal texts have the same number
        lower = self.lower
        known: dict[str, int] = {}
        same = _zeros(count)
        times = _zeros(count)
        seen = _zeros(count)
        for block, text in enumerate(lower):
            number = known.get(text, -1)
            if number < 0:
                number = known[text] = len(known)
            same[block] = number
            times[number] += 1
        told = coverage(lower, words, self.sayings.signs)
        sum_told = _NOUGHT * (count + 1)
        most_told = 0.0
        for block in range(count):
            sum_told[block + 1] = sum_told[block] + told[block] * words[block]
            if words[block] >= LONG and told[block] > most_told:
                most_told = told[block]
        headline, titled = self.headline, self.titled
        headings = _zeros(count)
        sections = _zeros(count)
        if headline >= 0:
            meeting, up, down = meet(parent, owners[headline])
            count_headings(heading, headline, headings, sections)
        last_heading = 0
        under = 0
        for block in range(count):
            text = lower[block]
            owner = owners[block]
            above = parent[owner]
            own, own_linked = words[block], linked[block]
            length = len(text)
            at = block * width
            # the block
            rows[at] = own
            rows[at + 1] = own_linked / own
            rows[at + 2] = length / own
            rows[at + 3] = (sum_commas[block + 1] - sum_commas[block]) / own
            rows[at + 4] = 1.0 if text[length - 1] in '.!?。！？｡؟۔।॥…"”»' else 0.0
            rows[at + 5] = self.digits[block] / length
            rows[at + 6] = self.capitals[block] / length
            rows[at + 7] = self.bold[block] / own
            rows[at + 8] = heading[block]
            rows[at + 9] = titled[block]
            number = same[block]
            rows[at + 10] = seen[number]
            rows[at + 11] = times[number]
            seen[number] += 1
            at += 12
            # its neighbours
            for distance in (-1, 1):
                other = block + distance
                if 0 <= other < count:
                    rows[at] = words[other]
                    rows[at + 1] = linked[other] / words[other]
                    rows[at + 2] = heading[other]
                    rows[at + 3] = 1.0 if owners[other] == owner or parent[owners[other]] == above else 0.0
                else:
                    rows[at] = rows[at + 1] = rows[at + 2] = rows[at + 3] = -1.0
                at += 4
            for reach in (4, 10):
                low = block - reach if block > reach else 0
                high = block + reach + 1 if block + reach + 1 < count else count
                size = sum_words[high] - sum_words[low]
                rows[at] = size
                rows[at + 1] = (sum_linked[high] - sum_linked[low]) / size
                at += 2
            rows[at] = (sum_commas[high] - sum_commas[low]) / size
            # where it stands
            rows[at + 1] = sum_words[block] / total
            rows[at + 2] = block / count
            rows[at + 3] = long_before[block]
            rows[at + 4] = long_after[block]
            rows[at + 5] = block - h1 if h1 >= 0 else -999.0
            rows[at + 6] = block - last_heading
            rows[at + 7] = under
            if heading[block]:
                last_heading, under = block, heading[block]
            # what holds it
            rows[at + 8] = self.level[owner]
            at += 9
            bits = self.flags[owner]
            for bit in range(BITS):
                rows[at + bit] = 1.0 if bits >> bit & 1 else 0.0
            at += BITS
            # names of what holds it
            for number in range(HINTS):
                rows[at + number] = hints[owner * HINTS + number]
            rows[at + HINTS] = ways[owner]
            at += HINTS + 1
            # its peers
            other = self.three[owner]
            if other >= 0:
                size = sum_words[stop[other]] - sum_words[start[other]]
                rows[at] = peers[other]
                rows[at + 1] = size
                rows[at + 2] = (sum_linked[stop[other]] - sum_linked[start[other]]) / size
            other = self.most[owner]
            if other >= 0:
                size = sum_words[stop[other]] - sum_words[start[other]]
                rows[at + 3] = peers[other]
                rows[at + 4] = size
                rows[at + 5] = (sum_linked[stop[other]] - sum_linked[start[other]]) / size
                rows[at + 6] = stop[other] - start[other]
            other = self.heaviest[owner]
            if other >= 0:
                rows[at + 7] = self.group_words[other] / total
                rows[at + 8] = sum_words[self.group_start[other]] / total
                rows[at + 9] = self.place[other]
                rows[at + 10] = peers[other]
                rows[at + 11] = self.group_words[other] / peers[other]
                rows[at + 12] = stop[other] - start[other]
            at += 13
            kind = self.kind[block]
            rows[at] = kind_blocks[kind]
            rows[at + 1] = kind_words[kind]
            rows[at + 2] = kind_linked[kind] / kind_words[kind]
            rows[at + 3] = kind_words[kind] / total
            if above >= 0:
                rows[at + 4] = self.images[above]
                if parent[above] >= 0:
                    rows[at + 5] = self.images[parent[above]]
            at += 6
            # whether it speaks of what the page says it is about
            rows[at] = told[block]
            for number in range(1, 4):
                other = circles[owner * CIRCLES + number]
                if other >= 0:
                    size = sum_words[stop[other]] - sum_words[start[other]]
                    rows[at + number] = (sum_told[stop[other]] - sum_told[start[other]]) / size
            rows[at + 4] = most_told
            at += 5
            # how far it is from the headline, and where both meet
            if headline >= 0:
                rows[at] = block - headline
                rows[at + 1] = sum_words[block] - sum_words[headline]
                rows[at + 2] = headings[block] - headings[headline]
                rows[at + 3] = sections[block] - sections[headline]
                other = meeting[owner]
                rows[at + 4] = stop[other] - start[other]
                rows[at + 5] = (sum_words[stop[other]] - sum_words[start[other]]) / total
                rows[at + 6] = up[owner]
                rows[at + 7] = down[owner]
                rows[at + 8] = heading[headline]
            else:
                for number in range(4):
                    rows[at + number] = -999.0
                for number in range(4, 9):
                    rows[at + number] = -1.0
            at += 9
            # its circles
            for number in range(CIRCLES):
                other = circles[owner * CIRCLES + number]
                if other >= 0:
                    low, high = start[other], stop[other]
                    size = sum_words[high] - sum_words[low]
                    rows[at] = high - low
                    rows[at + 1] = size
                    rows[at + 2] = (sum_linked[high] - sum_linked[low]) / size
                    rows[at + 3] = size / total
                    rows[at + 4] = size / (high - low)
                    rows[at + 5] = (sum_commas[high] - sum_commas[low]) / size
                    rows[at + 6] = (sum_long[high] - sum_long[low]) / (high - low)
                    rows[at + 7] = (block - low) / (high - low)
                else:
                    for place in range(8):
                        rows[at + place] = -1.0
                at += 8


def _zeros(count: int) -> array[int]:
    return _ZERO * count
