"""Stems, stop words and terms, by language.

Stems are Snowball's (M. F. Porter, "Snowball: a language for stemming algorithms", 2001) and, for those who need the
original, Porter's (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980). Stop words are those of
the stopwords-iso collection: 58 languages, Modern Greek and Thai among them. Its lists are wide; the English one
holds words such as "computer" that a narrower list would keep.

Both libraries are read when a text first needs them; neither is needed to import duramen.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from duramen.language.segmentation import is_unspaced, words, words_and_pairs

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek", "en": "english",
    "eo": "esperanto", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "ne": "nepali", "nl": "dutch", "no": "norwegian", "pl": "polish",
    "pt": "portuguese", "ro": "romanian", "ru": "russian", "sr": "serbian", "st": "sesotho", "sv": "swedish",
    "ta": "tamil", "tr": "turkish", "yi": "yiddish",
}  # fmt: skip

# Other codes that pages give for the same language: both forms of Norwegian, codes withdrawn by ISO, kinds of Chinese.
_ALIASES = {"nb": "no", "nn": "no", "in": "id", "iw": "he", "ji": "yi", "mo": "ro", "cmn": "zh", "yue": "zh"}

_STEMS_KEPT = 1 << 16  # a page has some 1,000 different words; stemming one takes 10 µs and more, finding it 0.1


def base(lang: str | None) -> str:
    """The language of a language tag, without country and script: "pt-BR" is "pt"; "" where there is none."""
    return (lang or "").strip().replace("_", "-").partition("-")[0].lower()


def stem(word: str, lang: str | None) -> str:
    """The stem of a lower-case word; the word itself in a language that has no stemmer here."""
    algorithm = _algorithm(lang)
    return _stem(word, algorithm) if algorithm else word


def stems(words: Iterable[str], lang: str | None) -> list[str]:
    """The stem of each word, in order."""
    algorithm = _algorithm(lang)
    return [_stem(word, algorithm) for word in words] if algorithm else list(words)


def porter(word: str) -> str:
    """The stem of a lower-case English word by Porter's algorithm of 1980."""
    return _stem(word, "porter")


@lru_cache(maxsize=128)
def stop_words(lang: str | None) -> frozenset[str]:
    """The stop words of a language, in lower case, cut as `words` cuts them; none for an unknown language.

    An entry with an apostrophe or a hyphen, which `words` would never give back, stands for its parts: "don't" for
    "don" and "t". An entry of several words, as the Vietnamese list has them, is left out.
    """
    from stopwordsiso import stopwords

    found: set[str] = set()
    for entry in stopwords(_known(lang)):
        if is_unspaced(entry):
            found.add(entry)
        elif " " not in entry:
            found.update(words(entry))
    return frozenset(found)


def terms(text: str, lang: str | None) -> list[str]:
    """What a text is about, for weighing by frequency: stems without stop words, numbers and lone letters.

    Scripts without spaces give overlapping pairs of characters (see `words_and_pairs`); a pair is a stop word when
    it is listed or when both its characters are.

    >>> terms("The 3 dogs were barking at a dog.", "en")
    ['dog', 'bark', 'dog']
    """
    stop = stop_words(lang)
    kept = [word for word in words_and_pairs(text) if word not in stop and not _says_nothing(word, stop)]
    return stems(kept, lang)


def _says_nothing(word: str, stop: frozenset[str]) -> bool:
    if is_unspaced(word):
        return all(character in stop for character in words(word))
    # Below U+1000 stand the alphabets; past it a single character may be a whole word, as in Korean.
    return word.isdigit() or (len(word) == 1 and word < "\u1000")


def _known(lang: str | None) -> str:
    language = base(lang)
    return _ALIASES.get(language, language)


@lru_cache(maxsize=128)
def _algorithm(lang: str | None) -> str | None:
    name = _SNOWBALL.get(_known(lang))
    if name is None:
        return None
    import snowballstemmer

    return name if name in snowballstemmer.algorithms() else None  # older releases know fewer languages


@lru_cache(maxsize=_STEMS_KEPT)
def _stem(word: str, algorithm: str) -> str:
    import snowballstemmer

    # A new stemmer each time: it keeps the word it works on in itself, so two threads must not share one. It is made
    # in half a microsecond.
    stemmed: str = snowballstemmer.stemmer(algorithm).stemWord(word)
    return stemmed
