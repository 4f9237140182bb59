"""Language: words, punctuation, sentences, stems, stop words and terms, in many scripts."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from duramen import language
from duramen.language import (
    PERIODS_AND_COMMAS,
    count_punctuation,
    count_sentences,
    count_words,
    porter_stem,
    primary_subtag,
    stem,
    stems,
    stop_words,
    terms,
    word_segmentation,
    words,
    words_and_pairs,
)

LANGUAGES = ("en", "fr", "de", "it", "pt", "ru", "es", "ar", "zh", "ja", "el", "pl")

# A text of many scripts: hypothesis alone would seldom put a mark behind a letter.
mixed = st.lists(
    st.sampled_from(
        [
            "word",
            "Straße",
            "naïve",
            "e\u0301",
            "İZ",
            "हिन्दी",
            "مُحَمَّد",
            "שָׁלוֹם",
            "می\u200cخواهم",
            "東京",
            "かが\u3099",
            "ไทย",
        ]
    )
    | st.sampled_from([" ", "_", "-", ".", ",", "’", "\xad", "\u200b", "❤\ufe0f", "😀", "1", "٣", "\n"])
    | st.characters(),
    max_size=12,
).map("".join)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t!?–—…❤️😀 ", []),
        ("Don't panic", ["don", "t", "panic"]),
        ("L’économie CRÛT, 2nd-hand", ["l", "économie", "crût", "2nd", "hand"]),
        ("snake_case ____ ", ["snake", "case"]),
        ("Straße ΟΔΟΣ", ["straße", "οδος".replace("σ", "ς")]),
        ("Быстрая лиса", ["быстрая", "лиса"]),
        ("मानक हिन्दी है।", ["मानक", "हिन्दी", "है"]),
        ("قال مُحَمَّد: نعم، شكرًا.", ["قال", "مُحَمَّد", "نعم", "شكرًا"]),
        ("שָׁלוֹם עולם", ["שָׁלוֹם", "עולם"]),
        ("نمی\u200cخواهم", ["نمی\u200cخواهم"]),
        ("대한민국은 민주공화국이다.", ["대한민국은", "민주공화국이다"]),
        ("བོད་ཡིག", ["བོད", "ཡིག"]),
        ("東京2024年です。", ["東", "京", "2024", "年", "で", "す"]),
        ("ｶﾀｶﾅ", ["ｶ", "ﾀ", "ｶ", "ﾅ"]),
        ("ที่นี่ ๒๕๖๗", ["ที่", "นี่", "๒๕๖๗"]),
        ("ລາວ", ["ລ", "າ", "ວ"]),
        ("မြန်မာ", ["မြ", "န်", "မာ"]),
        ("iPhone版", ["iphone", "版"]),
    ],
)
def test_words_of_many_scripts(text: str, expected: list[str]) -> None:
    assert words(text) == [unicodedata.normalize("NFC", word) for word in expected]


def test_a_decomposed_letter_is_the_letter() -> None:
    assert words("cafe\u0301 Ёж") == words("café Ёж") == ["café", "ёж"]


def test_soft_hyphens_are_ignored() -> None:
    assert words("Donau\xaddampf") == ["donaudampf"]
    assert words("вы\xadсота") == ["высота"]
    assert words("हि\xadन्दी") == words("हिन्दी")


def test_the_turkish_capital_does_not_break_its_word() -> None:
    assert words("İstanbul") == ["istanbul"]


def test_no_combining_mark_breaks_a_word() -> None:
    for point in range(0x300, 0x10000):
        if unicodedata.category(chr(point))[0] == "M":
            assert len(words(f"б{chr(point)}б")) == 1, hex(point)


def test_the_fast_path_loses_no_letter() -> None:
    for point in range(0x100, sys.maxunicode + 1):
        character = chr(point)
        if not word_segmentation._find_beyond_latin(character):
            assert not character.isalnum(), hex(point)


@given(mixed)
def test_every_word_is_of_letters_digits_and_marks(text: str) -> None:
    for word in words(text):
        # An ideograph newer than this Python's tables is a word too.
        assert word[0].isalnum() or word_segmentation.is_unspaced(word)
        assert all(c.isalnum() or c in "\u200c\u200d" or unicodedata.category(c)[0] == "M" for c in word[1:])


@given(mixed)
def test_count_words_equals_the_number_of_words(text: str) -> None:
    assert count_words(text) == len(words(text))


@given(mixed, st.sampled_from([" Ж", " हि", " 京", " ไ"]))
def test_words_do_not_depend_on_the_other_words(text: str, company: str) -> None:
    # Other company takes the text another way through the code. The emoji's selector is nothing in any of them.
    text = text.replace("\ufe0f", "")
    assert words(text + company)[:-1] == words(text)


@given(mixed)
def test_words_of_words_are_the_same(text: str) -> None:
    first = words(text)
    assert words(" ".join(first)) == first


@given(mixed)
def test_pairs_hold_the_characters_that_words_hold(text: str) -> None:
    assert set("".join(words_and_pairs(text))) == set("".join(words(text)))


def test_pairs_overlap_within_a_run_and_not_beyond() -> None:
    assert words_and_pairs("北京大学，好 map 学生 1") == ["北京", "京大", "大学", "好", "map", "学生", "1"]
    assert words_and_pairs("ที่นี่") == ["ที่นี่"]


PROSE = {
    "en": ("The mayor, who had arrived late, said nothing. Nobody asked her to.", 4, 2),
    "fr": ("Le maire, arrivé en retard, n’a rien dit. Personne ne le lui a demandé…", 4, 2),
    "de": ("Der Bürgermeister, der zu spät kam, sagte nichts. Niemand bat ihn darum!", 3, 2),
    "it": ("Il sindaco, arrivato tardi, non ha detto nulla. Nessuno glielo ha chiesto.", 4, 2),
    "pt": ("O prefeito, que chegou tarde, não disse nada. Alguém lhe perguntou?", 3, 2),
    "ru": ("Мэр, приехавший поздно, ничего не сказал. Никто его не спросил.", 4, 2),
    "es": ("El alcalde, que llegó tarde, no dijo nada. ¿Nadie le preguntó?", 3, 2),
    "zh": ("市长来晚了，什么也没说。没有人问他、劝他……", 5, 2),
    "ja": ("市長は遅れて到着し、何も言わなかった。誰も聞かなかった。", 3, 2),
    "ar": ("وصل رئيس البلدية متأخرًا، ولم يقل شيئًا. هل سأله أحد؟", 2, 2),
    "ur": ("میئر دیر سے آئے، کچھ نہیں کہا۔ کسی نے نہیں پوچھا۔", 3, 2),
    "hi": ("महापौर देर से आए, कुछ नहीं कहा। किसी ने नहीं पूछा।", 3, 2),
    "hy": ("Քաղաքապետը ուշ եկավ, ոչինչ չասաց։ Ոչ ոք չհարցրեց։", 3, 2),
    "am": ("ከንቲባው ዘግይተው መጡ፣ ምንም አላሉም። ማንም አልጠየቀም።", 3, 2),
    "el": ("Ο δήμαρχος, που άργησε, δεν είπε τίποτα. Κανείς δεν τον ρώτησε.", 4, 2),
}


@pytest.mark.parametrize("lang", PROSE)
def test_periods_and_commas_of_many_scripts(lang: str) -> None:
    text, marks, _ = PROSE[lang]
    assert count_punctuation(text) == marks


@pytest.mark.parametrize("lang", PROSE)
def test_sentences_of_many_scripts(lang: str) -> None:
    text, _, sentences = PROSE[lang]
    assert count_sentences(text) == sentences


@pytest.mark.parametrize("text", ["", "Home", "Read more", "新闻 首页", "Über uns", "a;b:c!d?", "©™•"])
def test_menus_have_no_periods_and_commas(text: str) -> None:
    assert count_punctuation(text) == 0


@pytest.mark.parametrize("number", ["1,234.56", "1.234,56", "١،٢٣٤", "١.٥", "１，２３４．５", "1.2.3", "१,२३४"])
def test_a_mark_inside_a_number_does_not_count(number: str) -> None:
    assert count_punctuation(number) == 0
    assert count_punctuation(f"{number}, {number}.") == 2


@pytest.mark.parametrize(("text", "count"), [("1, 2", 1), ("2010.", 1), (",5", 1), ("2010，2011年", 1), ("3。4", 1)])
def test_a_mark_at_the_edge_of_a_number_counts(text: str, count: int) -> None:
    assert count_punctuation(text) == count


def test_an_ellipsis_is_one_and_three_periods_are_three() -> None:
    assert count_punctuation("…") == 1
    assert count_punctuation("...") == 3


@given(st.text(alphabet=st.sampled_from(PERIODS_AND_COMMAS + "abж京 ")))
def test_without_digits_every_mark_counts(text: str) -> None:
    assert count_punctuation(text) == sum(text.count(mark) for mark in PERIODS_AND_COMMAS)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("Breaking news", 0),
        ("example.com and 3.5 km", 0),
        ("J. Smith of the U.S. Navy left.", 1),
        ("A. Smith left, approx. ten times.", 1),
        ("He left... Really?! Yes.", 3),
        ("لم يقل شيئًا. ثم ذهب.", 2),
        ("“Stop.” He did (not much.) Then no more.[12] Done.", 4),
        ("Wie bitte?“ Er ging.", 2),
        ("是吗?是的!好。", 3),
        ("全长３．５公里．", 1),
        ("do visit http://a.example/?q=1 now", 0),
    ],
)
def test_sentence_ends(text: str, count: int) -> None:
    assert count_sentences(text) == count


@pytest.mark.parametrize("text", ["." * 100_000 + "x", "!" * 100_000 + "x", ".)" * 50_000 + "x", "." + " " * 100_000])
def test_long_runs_of_marks_are_read_once(text: str) -> None:
    assert count_sentences(text) <= 1


@pytest.mark.parametrize(
    ("tag", "expected"),
    [("pt-BR", "pt"), ("zh-Hans", "zh"), ("en_US", "en"), (" DE ", "de"), ("el", "el"), ("", ""), (None, "")],
)
def test_the_base_of_a_language_tag(tag: str | None, expected: str) -> None:
    assert primary_subtag(tag) == expected


@pytest.mark.parametrize(
    ("word", "lang", "expected"),
    [
        ("nationalities", "en", "nation"),
        ("nationalities", "en-GB", "nation"),
        ("häusern", "de", "haus"),
        ("continuellement", "fr", "continuel"),
        ("книгами", "ru", "книг"),
        ("bøkene", "nb", "bøk"),
        ("東京", "zh", "東京"),
        ("words", "xx", "words"),
        ("words", None, "words"),
    ],
)
def test_stems(word: str, lang: str | None, expected: str) -> None:
    assert stem(word, lang) == expected
    assert stems([word, word], lang) == [expected, expected]


def test_porter_is_the_original() -> None:
    assert [porter_stem(word) for word in ("caresses", "ponies", "relational", "generously")] == [
        *("caress", "poni", "relat", "gener"),
    ]
    assert stem("generously", "en") == "generous"  # where Snowball's English differs


FUNCTION_WORDS = ("the", "avec", "und", "della", "não", "что", "pero", "هذا", "我们", "から", "και", "jest")


@pytest.mark.parametrize(("lang", "word"), list(zip(LANGUAGES, FUNCTION_WORDS, strict=True)))
def test_stop_words_of_a_language(lang: str, word: str) -> None:
    assert word in stop_words(lang)
    assert stop_words(lang.upper() + "-XX") == stop_words(lang)


def test_stop_words_are_split_like_words() -> None:
    assert {"don", "ll"} <= stop_words("en")
    assert all(words(word) == [word] for word in stop_words("en"))


def test_an_unknown_language_has_no_stop_words() -> None:
    assert stop_words("xx") == stop_words(None) == frozenset()


def test_other_codes_of_a_language_are_known() -> None:
    assert stop_words("nb") == stop_words("no") != frozenset()


def test_terms_are_the_topic_words_of_a_text() -> None:
    assert terms("The 2 dogs' owner doesn't bark; a dog B barked 365 times.", "en") == [
        *("dog", "owner", "bark", "dog", "bark", "time"),
    ]


def test_terms_of_a_script_without_spaces_are_pairs() -> None:
    assert terms("北京大学", "zh") == ["北京", "京大", "大学"]
    assert terms("これは東京です", "ja") == ["は東", "東京", "京で"]


def test_terms_without_a_language_are_words() -> None:
    assert terms("The dogs bark", None) == ["the", "dogs", "bark"]


def test_a_korean_word_of_one_syllable_is_a_term() -> None:
    assert "물" in terms("물 a б", None)


@given(mixed)
def test_terms_are_words_and_no_numbers(text: str) -> None:
    result = terms(text, None)
    assert set(result) <= set(words_and_pairs(text))
    assert not any(term.isdigit() for term in result)


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang not in ("zh", "ja")])
def test_a_text_of_stop_words_has_no_terms(lang: str) -> None:
    assert terms(" ".join(stop_words(lang)), lang) == []


def test_the_package_exports_its_public_names() -> None:
    assert all(hasattr(language, name) for name in language.__all__)
