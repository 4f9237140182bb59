"""Words, sentences and punctuation in every script; stems, stop words and terms by language."""

from __future__ import annotations

from duramen.language.punctuation import PERIODS_AND_COMMAS, count_punctuation, count_sentences
from duramen.language.vocabulary import guess_language, porter_stem, primary_subtag, stem, stems, stop_words, terms
from duramen.language.word_segmentation import count_words, tokens, words, words_and_pairs

__all__ = [
    "PERIODS_AND_COMMAS",
    "count_punctuation",
    "count_sentences",
    "count_words",
    "guess_language",
    "porter_stem",
    "primary_subtag",
    "stem",
    "stems",
    "stop_words",
    "terms",
    "tokens",
    "words",
    "words_and_pairs",
]
