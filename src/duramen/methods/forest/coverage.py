"""COVERAGE: the deepest region that holds most signifiers.

The baseline of Oita and Senellart, FOREST, 2012, section 3.5: as FOREST, with the sum of the weights of the different
signifiers that an element holds (equation 6) in the place of J × U. As in the paper, and unlike `forest`, nothing
follows the choice of the region; `refined=yes` changes that.

Among several pages a paragraph has no chance: it has no pattern in common with others. On one page alone each element
is its own pattern, and the level, which favours deep ones, would make the richest paragraph the article. So there the
level only decides between elements that hold the same signifiers: the smallest lowest common ancestor, which the
measure stands for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from duramen.methods.forest.forest import Forest
from duramen.methods.registry import register
from duramen.wrappers import Settings


@register
@dataclass(frozen=True)
class Coverage(Forest):
    name: ClassVar[str] = "coverage"
    summary: ClassVar[str] = "the deepest region that holds most of the page's signifiers; baseline of forest"
    paper: ClassVar[str] = "Oita and Senellart, FOREST, 2012, section 3.5"

    measure: str = "coverage"
    refined: bool = False

    def _alone(self) -> Settings:
        return replace(self.settings, level=False)
