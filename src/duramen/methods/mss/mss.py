"""Maximum subsequence segmentation as we would run it: trigrams alone, tempered, and cleaned.

The supervised method of Pasternack and Roth (WWW 2009) with three changes, each measured by site on the articles of
wcxb-dev (`benchmarks/mss_paper.py`). The open tag is left out: it is the same for all words of a paragraph, so naive
Bayes counts it again and again, and it drowns the trigrams. Log odds are tempered before they become probabilities,
because naive Bayes is too sure of itself: a run of a few hundred words of which it is certain then no longer outweighs
all that speaks against it. And the block is cleaned of lists of links, gently (`duramen.methods.mss.cleaning`).

A fourth change is for languages that the model has not met: a trigram that was never seen is judged by its shape, in
which all words are alike and only symbols and tags differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from duramen.methods.mss.supervised import MssSupervised
from duramen.methods.registry import register


@register
@dataclass(frozen=True)
class Mss(MssSupervised):
    name: ClassVar[str] = "mss"
    summary: ClassVar[str] = "mss-supervised by trigrams alone, tempered, and cleaned of lists of links"
    paper: ClassVar[str] = "after Pasternack and Roth, WWW 2009"

    open_tag: bool = False
    sharpness: float = 0.3
    back_off: bool = True
    clean: str = "gentle"
