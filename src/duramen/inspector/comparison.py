"""Other extractions of the page, compared block by block: methods, peers, wrappers, and the gold text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from duramen.dom.page import Page
from duramen.errors import DuramenError
from duramen.evaluation.extractors import Extractor, get_extractor
from duramen.evaluation.metrics.ngrams import word_agreement
from duramen.evaluation.metrics.positions import count_common_words
from duramen.evaluation.sets import Example
from duramen.explanation import BlockExplanation
from duramen.language import words


@dataclass(frozen=True)
class Comparison:
    """Another text of the page, and how much of each block it has."""

    name: str
    kind: str
    """`gold`, `method`, `peer` or `wrapper`."""
    shares: list[int] = field(default_factory=list, repr=False)
    """Per cent of the words of each block that the text has."""
    words: int = 0
    precision: float = 0.0
    """Of our words, with the other text as the reference."""
    recall: float = 0.0
    f1: float = 0.0
    error: str = ""
    """Why there is no text."""


def compare_with(name: str, kind: str, text: str, own_text: str, blocks: Sequence[BlockExplanation]) -> Comparison:
    """Compare our text with another one."""
    reference = words(text)
    counts = count_common_words((block.text for block in blocks), reference)
    agreement = word_agreement(Counter(reference), Counter(words(own_text)))
    shares = [round(100 * common / all_words) if all_words else 0 for common, all_words in counts]
    return Comparison(name, kind, shares, len(reference), agreement.precision, agreement.recall, agreement.f1)


def compare_with_extractor(name: str, page: Page, own_text: str, blocks: Sequence[BlockExplanation]) -> Comparison:
    """Compare our text with that of a method or an installed peer; one that fails says why."""
    try:
        extractor = get_extractor(name)
    except ImportError as error:  # a peer whose own dependencies are missing
        return Comparison(name, "peer", error=f"{type(error).__name__}: {error}")
    kind = "method" if _is_method(extractor) else "peer"
    raw = page.source if isinstance(page.source, bytes) else page.source.encode("utf-8", "replace")
    try:
        text = extractor.run(raw, Example("page", Path("page.html"), url=page.url))
    except Exception as error:  # another project's code, on a page that it may never have seen
        return Comparison(extractor.name, kind, error=f"{type(error).__name__}: {error}")
    return compare_with(extractor.name, kind, text, own_text, blocks)


def compare_with_wrapper(path: Path, page: Page, own_text: str, blocks: Sequence[BlockExplanation]) -> Comparison:
    """Compare our text with that of a wrapper."""
    from duramen.api import load_wrapper
    from duramen.data_records.records_wrapper import RecordsWrapper

    wrapper = load_wrapper(path)
    if isinstance(wrapper, RecordsWrapper):
        raise DuramenError(f"{path} is a wrapper of records: give one that duramen learn wrote")
    return compare_with(path.name, "wrapper", wrapper.extract(page).text, own_text, blocks)


def _is_method(extractor: Extractor) -> bool:
    from duramen import methods

    return extractor.name.partition(":")[0] in methods.names()
