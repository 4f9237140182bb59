"""Features in words: one phrase for each name of `features` and `context_features`.

A phrase has the value as a number (`{n}`), as a percentage (`{percent}`) or as a distance (`{distance}`, "3 blocks
after"). A pair of phrases is for a feature that is present or not: the first for 0, the second for any other value.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.methods.auto import context_features, features
from duramen.methods.auto.features import CONTAINERS, FAR_BLOCKS, NO_DISTANCE

_FLAGS: Final = {
    "article": "an article element",
    "main": "the main element",
    "nav": "a navigation element",
    "footer": "a footer",
    "header": "a header",
    "aside": "an aside",
    "form": "a form",
    "list": "a list",
    "item": "a list item",
    "table": "a table",
    "quote": "a quotation",
    "pre": "preformatted text",
    "figure": "a figure",
    "definition": "a definition list",
    "paragraph": "a paragraph element",
}
OWN_FEATURES: Final = frozenset(
    (
        *("words", "links", "chars", "commas", "ends_sentence", "digits", "capitals", "bold", "heading"),
        *("title_share", "title_words", "earlier_copies", "copies", "own_score"),
        *_FLAGS,
    )
)
"""Features of the block itself, which a reader of the page can check at once."""
_CONTAINERS: Final = ("its own element", "the container around it", *(f"container {n} around it" for n in (2, 3, 4)))

PHRASES: Final[dict[str, str | tuple[str, str]]] = {
    "words": "it has {n} words",
    "links": "{percent} of its words are in links",
    "chars": "its words have {n} characters on average, spaces included",
    "commas": "it has {n} commas and periods per word",
    "ends_sentence": ("it does not end like a sentence", "it ends like a sentence"),
    "digits": "{percent} of its characters are digits",
    "capitals": "{percent} of its characters are capitals",
    "bold": "{percent} of its words are bold",
    "heading": ("it is no heading", "it is a heading of level {n}"),
    "title_share": ("it does not repeat the title", "it repeats the title of the page"),
    "earlier_copies": ("its text comes for the first time", "its text came {n} times before"),
    "copies": "its text is on the page {n} times",
    "words-1": "the block before has {n} words",
    "links-1": "{percent} of the block before is links",
    "heading-1": ("the block before is no heading", "the block before is a heading"),
    "together-1": ("the block before is elsewhere", "the block before is beside it, in the same element"),
    "words+1": "the block after has {n} words",
    "links+1": "{percent} of the block after is links",
    "heading+1": ("the block after is no heading", "the block after is a heading"),
    "together+1": ("the block after is elsewhere", "the block after is beside it, in the same element"),
    "words_within_4": "within four blocks there are {n} words",
    "links_within_4": "{percent} of the words within four blocks are in links",
    "words_within_10": "within ten blocks there are {n} words",
    "links_within_10": "{percent} of the words within ten blocks are in links",
    "commas_within_10": "within ten blocks there are {n} commas and periods per word",
    "words_before": "{percent} of the words of the page come before it",
    "blocks_before": "{percent} of the blocks of the page come before it",
    "since_paragraph": "the last paragraph is {distance} before it",
    "until_paragraph": "the next paragraph is {distance} after it",
    "from_h1": "the first h1 is {signed}",
    "from_heading": "the heading above it is {distance} away",
    "under_heading": "the heading above it has level {n}",
    "level": "it is {n} elements deep in the page",
    **{name: (f"it is not in {phrase}", f"it is in {phrase}") for name, phrase in _FLAGS.items()},
    "own_score": "the class names of its element (score {n})",
    "nearest_score": "the nearest class names around it (score {n})",
    "lowest_score": "the class names around it that speak most against content (score {n})",
    "highest_score": "the class names around it that speak most for content (score {n})",
    "score_sum": "all class names around it (score {n})",
    "parent_score": "the class names of the parent (score {n})",
    "parent2_score": "the class names two levels up (score {n})",
    "parent3_score": "the class names three levels up (score {n})",
    "tag_score": "the tags around it (score {n})",
    "lowest_class_score": "one class name around it (score {n})",
    "path_weight": "the words of all class names and tags around it (weight {n})",
    "three_peers": "its nearest container has {n} similar siblings",
    "three_peers_words": "its container with similar siblings has {n} words",
    "three_peers_links": "{percent} of the words of its container with similar siblings are in links",
    "peers": "one of its containers has {n} similar siblings, the most of all",
    "peers_words": "its container with most similar siblings has {n} words",
    "peers_links": "{percent} of the words of its container with most similar siblings are in links",
    "peers_blocks": "its container with most similar siblings has {n} blocks",
    "group_share": "{percent} of the words of the page are in its largest group of similar siblings",
    "group_before": "{percent} of the words of the page come before its group of similar siblings",
    "group_place": "{n} similar siblings come before its own container",
    "group_size": "its group of similar siblings has {n} members",
    "group_words": "the similar siblings around it have {n} words on average",
    "group_blocks": "its container among similar siblings has {n} blocks",
    "cluster_blocks": "the page has {n} blocks of this kind",
    "cluster_words": "blocks of this kind have {n} words together",
    "cluster_links": "{percent} of the words in blocks of this kind are in links",
    "cluster_share": "{percent} of the words of the page are in blocks of this kind",
    "parent_images": ("its parent has no image", "its parent has {n} images"),
    "parent2_images": ("the element two levels up has no image", "the element two levels up has {n} images"),
    "title_words": "it has {percent} of the words of the title",
    **{
        f"container{rank}_title_words": f"{_CONTAINERS[rank]} has {{percent}} of the words of the title"
        for rank in (1, 2, 3)
    },
    "page_title_words": "one paragraph of the page has {percent} of the words of the title",
    "from_headline": "the headline is {signed}",
    "words_from_headline": "it is {n} words after the headline",
    "headings_from_headline": "it is {n} headings after the headline",
    "sections_from_headline": "it is {n} sections after the headline",
    "headline_ancestor_blocks": "the lowest element with it and the headline has {n} blocks",
    "headline_ancestor_share": "the lowest element with it and the headline has {percent} of the words",
    "headline_ancestor_up": "the element with it and the headline is {n} levels above the headline",
    "headline_ancestor_down": "the element with it and the headline is {n} levels above it",
    "headline_level": ("the headline is no heading element", "the headline has heading level {n}"),
    **{
        f"container{rank}_{name}": phrase.format(container=_CONTAINERS[rank])
        for rank in range(CONTAINERS)
        for name, phrase in {
            "blocks": "{container} has {{n}} blocks",
            "words": "{container} has {{n}} words",
            "links": "{{percent}} of the words of {container} are in links",
            "share": "{container} has {{percent}} of the words of the page",
            "mean_words": "the blocks of {container} have {{n}} words on average",
            "commas": "{container} has {{n}} commas and periods per word",
            "paragraphs": "{{percent}} of the blocks of {container} are paragraphs",
            "place": "it is at {{percent}} of {container}",
        }.items()
    },
    "p": "by itself it looks like content with {percent}",
    "p-2": "the block two before looks like content with {percent}",
    "p-1": "the block before looks like content with {percent}",
    "p+1": "the block after looks like content with {percent}",
    "p+2": "the block two after looks like content with {percent}",
    **{f"p_container{rank}": f"{_CONTAINERS[rank]} looks like content with {{percent}}" for rank in range(CONTAINERS)},
    "p_cluster": "blocks of its kind look like content with {percent}",
    "p_most": "the surest block of the page looks like content with {percent}",
    "p_mean": "the page as a whole looks like content with {percent}",
    "content_before": "{percent} of the expected content comes before it",
    "content_after": "{percent} of the expected content comes after it",
    "in_run": ("it is outside the best run of blocks", "it is in the best run of blocks"),
    "from_run": ("it is not away from the best run of blocks", "the best run of blocks is {signed}"),
    "p_run": "the best run of blocks looks like content with {percent}",
    "p_within_4": "the four blocks on either side look like content with {percent}",
    "p_within_10": "the ten blocks on either side look like content with {percent}",
    "surer_content": "{percent} of the expected content is in blocks that are as sure or surer",
    "surer_words": "{percent} of the words are in blocks that are as sure or surer",
    "f1_if_last": "with it as the last kept block, the expected F1 is {percent} of the best",
    "from_core": "the block with most expected content is {signed}",
    "core_ancestor_blocks": "the lowest element with it and the surest content has {n} blocks",
    "core_ancestor_p": "the lowest element with it and the surest content looks like content with {percent}",
    "core_ancestor_up": "the element with it and the surest content is {n} levels above that content",
    "core_ancestor_down": "the element with it and the surest content is {n} levels above it",
}

NAMES: Final = (*features.NAMES, *context_features.NAMES)


_MISSING: Final = {
    "words-1": "no block comes before it",
    "links-1": "no block comes before it",
    "heading-1": "no block comes before it",
    "together-1": "no block comes before it",
    "words+1": "no block comes after it",
    "links+1": "no block comes after it",
    "heading+1": "no block comes after it",
    "together+1": "no block comes after it",
    "p-2": "fewer than two blocks come before it",
    "p-1": "no block comes before it",
    "p+1": "no block comes after it",
    "p+2": "fewer than two blocks come after it",
    **{name: "the page has no headline" for name in features.NAMES if name.startswith("headline_")},
    **{
        name: "there is no container around it" if name[9] == "1" else f"it is in fewer than {name[9]} containers"
        for name in features.NAMES
        if name.startswith("container") and not name.endswith("_title_words")
    },
}
"""What −1 means, for features that have it where the thing does not exist."""
_NO_DISTANCE: Final = {
    "from_h1": "the page has no h1",
    **{name: "the page has no headline" for name in features.NAMES if name.endswith("from_headline")},
}


_PLURAL: Final = re.compile(
    r"(?<![\d.,])(1 (?:similar )?(?:block|word|time|member|image|heading|section|sibling|level|element))(s)\b"
)


_CONTAINER_FEATURE: Final = re.compile(r"(?:p_)?container(\d)(?:_|$)")


def is_own(name: str, value: float) -> bool:
    """Return whether a feature is about the block itself; what a block is not tells a reader little."""
    return name in OWN_FEATURES and (value != 0.0 or isinstance(PHRASES[name], str))


def find_container_rank(name: str) -> int:
    """Return which container around the block a feature is about; 0 for other features."""
    match = _CONTAINER_FEATURE.match(name)
    return int(match[1]) if match else 0


def write_container_phrase(name: str, value: float, element: str) -> str:
    """Return a feature of a container in words, with the name of the element."""
    return write_phrase(name, value).replace(_CONTAINERS[find_container_rank(name)], f"{element} around it")


@lru_cache(maxsize=50_000)  # blocks of one page have many values in common
def write_phrase(name: str, value: float) -> str:
    """Return a feature and its value in words."""
    if value == -1.0 and name in _MISSING:
        return _MISSING[name]
    if value == NO_DISTANCE and name in _NO_DISTANCE:
        return _NO_DISTANCE[name]
    if value >= FAR_BLOCKS and name in ("since_paragraph", "until_paragraph"):
        return "no paragraph comes before it" if name == "since_paragraph" else "no paragraph comes after it"
    phrase = PHRASES[name]
    if isinstance(phrase, tuple):
        phrase = phrase[bool(value)]
    side = " before it" if value > 0 else " after it" if value < 0 else ""
    written = phrase.format(
        n=f"{value:.0f}" if value == int(value) or abs(value) >= 10 else f"{value:.2g}",
        percent=f"{value:.0%}",
        distance=_count_blocks(value),
        signed=_count_blocks(abs(value)) + side,
    )
    return _PLURAL.sub(r"\1", written)


def _count_blocks(value: float) -> str:
    return "1 block" if value == 1 else f"{value:.0f} blocks"
