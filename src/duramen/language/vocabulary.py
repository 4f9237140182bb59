"""Stems, stop words and terms by language, and the language of a text.

Stems are Snowball's (M. F. Porter, "Snowball: a language for stemming algorithms", 2001) or, for papers that use
the original, Porter's (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980). Stop words are those of
the stopwords-iso collection: 58 languages, Modern Greek and Thai among them. Its lists are long; the English one
has words such as "computer" that shorter lists do not have.

Both libraries are imported when a text first needs them, so that importing duramen is fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from duramen.language.word_segmentation import is_unspaced, words, words_and_pairs

_SNOWBALL_ALGORITHMS = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

# Other codes of the same languages: both forms of Norwegian, codes withdrawn by ISO, varieties of Chinese.
_LANGUAGE_ALIASES = {"nb": "no", "nn": "no", "in": "id", "iw": "he", "ji": "yi", "mo": "ro", "cmn": "zh", "yue": "zh"}

_GUESSED_LANGUAGES: Final = (
    "en ar bg ca cs da de el es et eu fa fi fr ga hi hr hu hy id it ja ko lt lv nl no pl pt ro ru sk sl sv th tr uk ur"
    " vi zh".split()
)
_MIN_STOP_WORD_SHARE: Final = 0.2
"""A smaller share of stop words occurs now and then in a text of any language."""

_MAX_CACHED_STEMS = 1 << 16
# A page has about 1,000 different words. Stemming one takes 10 µs or more, a lookup in the cache 0.1 µs.


def primary_subtag(lang: str | None) -> str:
    """Return the language of a language tag, without region and script: "pt" for "pt-BR", "" for None."""
    return (lang or "").strip().replace("_", "-").partition("-")[0].lower()


def stem(word: str, lang: str | None) -> str:
    """Return the stem of a lower-case word; the word itself if the language has no stemmer here."""
    algorithm = _algorithm(lang)
    return _stem(word, algorithm) if algorithm else word


def stems(words: Iterable[str], lang: str | None) -> list[str]:
    """Return the stem of each word, in order."""
    algorithm = _algorithm(lang)
    return [_stem(word, algorithm) for word in words] if algorithm else list(words)


def porter_stem(word: str) -> str:
    """Return the stem of a lower-case English word by Porter's algorithm of 1980."""
    return _stem(word, "porter")


@lru_cache(maxsize=128)
def stop_words(lang: str | None) -> frozenset[str]:
    """Return the stop words of a language, in lower case, split as `words` splits them; none for an unknown language.

    An entry with an apostrophe or a hyphen, which `words` never returns, is replaced by its parts: "don't" by "don" and
    "t". Entries of several words, which the Vietnamese list has, are left out.
    """
    from stopwordsiso import stopwords

    stop: set[str] = set()
    for entry in stopwords(_resolve_alias(lang)):
        if is_unspaced(entry):
            stop.add(entry)
        elif " " not in entry:
            stop.update(words(entry))
    return frozenset(stop)


def terms(text: str, lang: str | None) -> list[str]:
    """Return the terms of a text, to be weighted by frequency: stems without stop words, numbers and single letters.

    Scripts without spaces give overlapping pairs of characters (see `words_and_pairs`); a pair is a stop word if
    it is listed or if both of its characters are.

    >>> terms("The 3 dogs were barking at a dog.", "en")
    ['dog', 'bark', 'dog']
    """
    stop = stop_words(lang)
    kept = [word for word in words_and_pairs(text) if word not in stop and not _is_no_term(word, stop)]
    return stems(kept, lang)


def guess_language(words: Sequence[str]) -> str | None:
    """Return the language with the most stop words among these words; None if even these are few.

    Stop words are half of a text in their language, and few of them are words of another one.
    """
    counts = Counter(words)
    total = sum(counts.values())
    languages_by_word = _languages_by_stop_word()
    stop_words: Counter[str] = Counter()
    for word, count in counts.items():
        for name in languages_by_word.get(word, ()):
            stop_words[name] += count
    # The lists differ in length, but the right list has nearly all of the frequent words.
    best = max(_GUESSED_LANGUAGES, key=lambda name: stop_words[name])
    return best if total and stop_words[best] >= _MIN_STOP_WORD_SHARE * total else None


@cache
def _languages_by_stop_word() -> dict[str, list[str]]:
    languages: dict[str, list[str]] = {}
    for name in _GUESSED_LANGUAGES:
        for word in stop_words(name):
            languages.setdefault(word, []).append(name)
    return languages


def _is_no_term(word: str, stop: frozenset[str]) -> bool:
    if word.isascii():  # most words, without a search for other scripts
        return len(word) == 1 or word.isdigit()
    if is_unspaced(word):
        return all(character in stop for character in words(word))
    # Alphabets are below U+1000. Above it a single character can be a whole word, as in Korean.
    return word.isdigit() or (len(word) == 1 and word < "\u1000")


def _resolve_alias(lang: str | None) -> str:
    language = primary_subtag(lang)
    return _LANGUAGE_ALIASES.get(language, language)


@lru_cache(maxsize=128)
def _algorithm(lang: str | None) -> str | None:
    name = _SNOWBALL_ALGORITHMS.get(_resolve_alias(lang))
    if name is None:
        return None
    import snowballstemmer

    return name if name in snowballstemmer.algorithms() else None  # older releases have fewer languages


@lru_cache(maxsize=_MAX_CACHED_STEMS)
def _stem(word: str, algorithm: str) -> str:
    import snowballstemmer

    # A new stemmer each time, which takes half a microsecond: a stemmer stores the word that it works on, so two
    # threads must not share one.
    stemmed: str = snowballstemmer.stemmer(algorithm).stemWord(word)
    return stemmed
