"""Roles: what a column is in the record, by its values, its place and its names.

The largest linked text is the title, its link is the URL, an amount of money is the price. Each role has one column.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final

from duramen.data_records.column_evidence import (
    MIN_ROLE_SHARE,
    ColumnEvidence,
    links_to_profile,
    name_of_microdata,
)
from duramen.data_records.prices import read_price
from duramen.dom.tag_sets import HEADING_TAGS

ROLES: Final = (
    "title",
    "url",
    "image",
    "price",
    "currency",
    "highest_price",
    "old_price",
    "sale_price",
    "rating",
    "reviews",
    "date",
    "author",
    "location",
    "availability",
    "phone",
    "snippet",
)
"""The common roles, in the order of the columns of a table."""
MAX_USER_CHARS: Final = 40
"""Mean length of user names."""
MIN_SNIPPET_CHARS: Final = 60
"""Mean length of the texts that describe a record."""
MAX_TITLE_CHARS: Final = 250
MIN_LINKED_CHARS: Final = 10
"""Mean length of a link that is the title, where the element around it has more text; numbers of cases are shorter."""
USER_WORD = re.compile(r"user|author|member|poster|nick|login|contributor|byline|owner", re.IGNORECASE)
_OLD_TAGS: Final = frozenset(("del", "s", "strike"))
_TITLE_LABEL = re.compile(
    r"(?:\w+\s)?(?:title|name|headline|subject|product|item|case|case name|style|caption|description|titel|titre|título"
    r"|event|company|book|song|team|player|course|position|job|document|article|topic|parties|opinion)s?",
    re.IGNORECASE,
)
_RATING = re.compile(
    r"(?<![\d.,])\d{1,2}(?:[.,]\d+)?\s*(?:/|out of|of|von|sur|de|di|van|av|из)\s*(?:5|10|100)\b"
    r"|(?<![\d.,])[0-5](?:[.,]\d+)?\s*(?:stars?|★)",
    re.IGNORECASE,
)
_REVIEWS = re.compile(
    r"^\W*+\d[\d.,kKmM\s]*+(?:[^\W\d_]{2,12}\s)?(?:reviews?|ratings?|bewertungen|avis|rese[ñn]as|recensioni"
    r"|opiniones|opinie|beoordelingen|отзыв\w*|votes?)\b",
    re.IGNORECASE,
)
_REVIEWS_URL = re.compile(r"reviews?\b|ratings?\b|bewertung|opiniones", re.IGNORECASE)
_PARENTHESIZED = re.compile(r"\(\d[\d.,kK]*\+?\)")
_AVAILABILITY = re.compile(
    r"\b(?:in stock|out of stock|sold out|available|unavailable|not available|pre-?order|backorder(?:ed)?|auf lager"
    r"|lieferbar|ausverkauft|en stock|épuisé|disponible|agotado|disponibile|esaurito|op voorraad|в наличии"
    r"|нет в наличии|only \d+ left)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[^\W\d_][\w .'’-]+,\s(?:[A-Z]{2}\b.*|[^\W\d_][\w .'’-]{2,30})")
_POSTAL_ADDRESS = re.compile(r"\b[A-Z]{2},?\s\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b")
LOOKS_LIKE_URL = re.compile(r"(?:https?://|www\.)\S+|[\w-]++(?:\.[\w-]+)*\.[^\W\d_]{2,}(?:\s?[/›].*)?")
_SMALL_NUMBER = re.compile(r"(?:[0-9]|10)(?:[.,]\d{1,2})?(?:\s*/\s*(?:5|10))?")
_FRACTION = re.compile(r"\d[.,]\d")
_RATING_CLASS = re.compile(r"rating|review|stars?\b", re.IGNORECASE)
FILE_SIZE = re.compile(r"\W*+\d[\d.,]*+\s?(?:bytes|[kmg]i?b?|pages?)\W*", re.IGNORECASE)
ICON = re.compile(r"\.(?:svg|ico)\b|icon|sprite|/stars?/", re.IGNORECASE)
_PRICE_LABEL = re.compile(
    r"price|preis|prix|precio|preço|prezzo|prijs|\bcena|цена|^\W*"
    r"(?:now|only|from|starting (?:at|from)|jetzt|nur|ab|por|ahora|desde|[aà] partir de|nu|vanaf|ora|teraz|od)\W*$",
    re.IGNORECASE,
)
_OLD_PRICE_LABEL = re.compile(
    r"\W*(?:(?:was|de|before|instead of|statt|uvp|rrp|msrp|antes|avant|au lieu de|prima|van|zamiast)\b"
    r"|(?:list|old|regular|retail|original)\s+price)\W*$",
    re.IGNORECASE,
)
_BYLINE = re.compile(r"^\W*(?:by|von|par|por|di)\s+[^\W\d_]", re.IGNORECASE)


def find_roles(columns: Sequence[ColumnEvidence]) -> dict[int, str]:
    """The role of each column that has one. Each role has one column."""
    roles: dict[int, str] = {}

    def give(role: str, scores: dict[int, float]) -> None:
        free = {number: score for number, score in scores.items() if number not in roles and score > 0}
        if free:
            roles[max(free, key=lambda number: (free[number], -number))] = role

    def score_each(score: Callable[[ColumnEvidence], float]) -> dict[int, float]:
        return {number: score(column) for number, column in enumerate(columns)}

    main_urls = _find_main_urls(columns)
    titles = _prefer_shorter(columns, score_each(lambda column: _score_title(column, main_urls)))
    give("title", _prefer_linked(columns, titles))
    title = next((columns[number] for number, role in roles.items() if role == "title"), None)
    title_urls = title.urls if title is not None and any(title.urls) else main_urls
    give("url", score_each(lambda column: _score_url(column, title_urls)))
    give("image", score_each(_score_image))
    _find_prices(columns, roles)
    give("rating", score_each(_score_rating))
    give("reviews", score_each(_score_reviews))
    give("date", score_each(_score_date))
    give("author", score_each(_score_author))
    give("availability", score_each(_score_availability))
    give("phone", score_each(lambda column: column.filled_share if column.kind == "phone" and column.is_text else 0))
    give("location", score_each(_score_location))
    give("snippet", score_each(_score_snippet))
    return roles


def may_have_role(column: ColumnEvidence, role: str) -> bool:
    """False if the values contradict what a class says: `price` without a digit, `date` without a date."""
    match role:
        case "price" | "old_price":
            return column.kind in ("price", "number")
        case "date":
            return column.kind == "date" or column.source == "time"
        case "rating" | "reviews":
            return sum(any(map(str.isdigit, text)) for text in column.filled) >= MIN_ROLE_SHARE * len(column.filled)
        case "url":
            return column.source == "link"
        case "image":
            return column.source == "image"
        case "title":
            return column.is_text
        case "snippet":
            return column.is_text and column.kind == "text"
    return True


def _find_main_urls(columns: Sequence[ColumnEvidence]) -> tuple[str, ...]:
    """The link targets that are most likely those of the records: different in each, and in nearly all of them."""
    links = [column for column in columns if column.source == "link" and not column.is_list]
    links = [column for column in links if column.filled_share >= MIN_ROLE_SHARE and column.distinct_share > 0.5]
    if not links:
        return ()
    counts = Counter(column.urls for column in links)
    return max(links, key=lambda column: (not column.is_weak, counts[column.urls], round(column.filled_share, 1))).urls


def _score_title(column: ColumnEvidence, main_urls: tuple[str, ...]) -> float:
    if not column.is_text or column.is_list or column.filled_share < MIN_ROLE_SHARE:
        return 0
    if column.kind != "text" or not column.mean_chars >= 1.5:
        return 0
    if column.has_form(FILE_SIZE, whole=True) or column.counted_word:
        return 0
    if column.has_form(LOOKS_LIKE_URL, whole=True) or column.has_form(_AVAILABILITY) or column.has_form(_REVIEWS):
        return 0
    itemprop, name = name_of_microdata(column), column.class_name
    score = 0.1 + column.distinct_share
    score += 4 * (itemprop == "title")
    score += 3 * bool(HEADING_TAGS & column.tags)
    score += 2.5 * (name == "title") + 1.5 * (name.endswith("name") and not USER_WORD.search(name))
    links = any(column.urls)
    score += 2 * (links and not links_to_profile(column)) + 1 * (links and column.urls == main_urls)
    score += min(column.mean_chars, 40) / 40
    is_labeled = _TITLE_LABEL.fullmatch(column.own_label.strip(" :")) is not None
    score += 1.5 * is_labeled
    score -= (
        2 * bool(column.label and not is_labeled)
        + 2 * (column.mean_chars > MAX_TITLE_CHARS / 2)
        + 2 * (column.mean_chars > MAX_TITLE_CHARS)
    )
    score -= 2 * (itemprop in ("author", "location", "snippet", "brand", "company", "seller"))
    score -= 2 * (
        name in ("author", "user", "location", "snippet", "category", "tag", "brand", "status", "url", "type")
    )
    score -= 1.5 * (column.distinct_share < 0.4) + 1.5 * links_to_profile(column)
    score -= 1.5 * column.has_form(_PLACE) + 3 * column.has_form(_BYLINE)
    score -= 2 * column.differs_in_numbers + 3 * column.is_code
    return score if score > 0.05 else 0.05 / (1.05 - score)  # a title there is, and these are in order, too


def _prefer_shorter(columns: Sequence[ColumnEvidence], scores: dict[int, float]) -> dict[int, float]:
    """The scores without columns that only repeat another candidate with other words: "Add Stool to basket"."""
    candidates = [number for number, score in scores.items() if score > 0]
    for number in candidates:
        if any(_repeats(columns[number], columns[other]) for other in candidates if other != number):
            scores[number] = 0
    return scores


def _prefer_linked(columns: Sequence[ColumnEvidence], scores: dict[int, float]) -> dict[int, float]:
    """The scores with the best one for the linked or bold text in the best candidate: the title in "Title (2012)"."""
    best = max(scores, key=lambda number: (scores[number], -number), default=-1)
    if best < 0 or scores[best] <= 0:
        return scores
    around = columns[best]
    for number, column in enumerate(columns):
        is_inside = len(column.path) > len(around.path) and column.path[: len(around.path)] == around.path
        is_lead = column.path and column.path[-1].tag in ("a", "b", "strong")
        if not is_inside or not scores[number] or not is_lead or column.mean_chars < MIN_LINKED_CHARS:
            continue
        if column.filled_share >= around.filled_share and column.distinct_share >= MIN_ROLE_SHARE:
            return scores | {number: scores[best] + 1}
    return scores


def _repeats(longer: ColumnEvidence, shorter: ColumnEvidence) -> bool:
    """True if each value of one column is a value of the other with the same words around it."""
    pairs = [(mine, theirs) for mine, theirs in zip(longer.texts, shorter.texts, strict=True) if mine and theirs]
    if len(pairs) < MIN_ROLE_SHARE * len(longer.texts) or len(pairs) < 3:
        return False
    if any(len(mine) <= len(theirs) or theirs not in mine for mine, theirs in pairs):
        return False
    return len({mine.replace(theirs, "\0", 1) for mine, theirs in pairs}) == 1


def _score_url(column: ColumnEvidence, title_urls: tuple[str, ...]) -> float:
    if column.source != "link" or column.is_list or column.filled_share < MIN_ROLE_SHARE:
        return 0
    if column.urls == title_urls:
        return 3
    same = sum(mine == theirs != "" for mine, theirs in zip(column.urls, title_urls, strict=False))
    return 2 if same >= MIN_ROLE_SHARE * len(column.urls) else 0


def _score_image(column: ColumnEvidence) -> float:
    if column.source != "image":
        return 0
    is_portrait = column.class_name in ("avatar", "logo", "user", "author")
    if column.has_form(ICON) and column.distinct_share < 0.9:
        return 0
    return 0.1 + column.filled_share + column.distinct_share - 1.0 * is_portrait


def _find_prices(columns: Sequence[ColumnEvidence], roles: dict[int, str]) -> None:
    """Give the roles `price` and `old_price`. The old price is struck through, or named so, or always higher."""
    prices = [
        number
        for number, column in enumerate(columns)
        if number not in roles
        and column.is_text
        and (column.kind == "price" or (column.kind == "number" and "price" in own_names(column)))
        and (not column.own_label or _PRICE_LABEL.search(column.own_label) or _OLD_PRICE_LABEL.match(column.own_label))
    ]
    old = [number for number in prices if _is_old_price(columns[number])]
    current = [number for number in prices if number not in old]
    if not current and old and _OLD_PRICE_LABEL.match(columns[old[0]].own_label):
        roles[old[0]] = "old_price"
        return
    if not current:
        current, old = old[:1], old[1:]
    if not current:
        return
    price = max(
        current,
        key=lambda number: (
            columns[number].filled_share >= MIN_ROLE_SHARE,
            "price" in own_names(columns[number]),
            columns[number].kind == "price",
            columns[number].mean_chars < 20,
            -number,
        ),
    )
    for number in current:
        if number == price or old:
            continue
        higher, lower = (number, price) if _is_higher(columns[number], columns[price]) else (price, number)
        if not _is_higher(columns[higher], columns[lower]):
            continue
        if MIN_ROLE_SHARE <= columns[lower].filled_share < columns[higher].filled_share:
            price = higher  # an old price stands beside a price: the lower one is of used things, or for members
        else:
            price, old = lower, [higher]
    if old and columns[price].filled_share < MIN_ROLE_SHARE <= columns[old[0]].filled_share:
        roles[old[0]] = "price"  # few records have a lower price
        roles[price] = "sale_price"
        return
    roles[price] = "price"
    if old:
        roles[old[0]] = "old_price"


def own_names(column: ColumnEvidence) -> tuple[str, ...]:
    return name_of_microdata(column), column.class_name


def _is_old_price(column: ColumnEvidence) -> bool:
    if column.tags & _OLD_TAGS or column.class_name == "old_price":
        return True
    return _OLD_PRICE_LABEL.match(column.own_label) is not None


def _is_higher(one: ColumnEvidence, other: ColumnEvidence) -> bool:
    """True if the prices of one column are higher in all records that have both, and there are some."""
    pairs = [
        (mine.amount, theirs.amount)
        for my_text, their_text in zip(one.texts, other.texts, strict=True)
        if (mine := read_price(my_text)) and (theirs := read_price(their_text))
    ]
    return bool(pairs) and all(mine > theirs for mine, theirs in pairs)


def _score_rating(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label:
        return 0
    if column.has_form(_RATING):
        return 3 - (column.mean_chars > MAX_USER_CHARS)
    if (
        column.kind != "number"
        or column.has_form(_PARENTHESIZED)
        or not all(map(_SMALL_NUMBER.fullmatch, column.filled))
    ):
        return 0
    has_fractions = column.has_form(_FRACTION)
    if "rating" in own_names(column):
        return 1.5 + 0.5 * has_fractions
    return 1.0 * (has_fractions and _RATING_CLASS.search(column.surroundings) is not None)


def _score_reviews(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label:
        return 0
    if column.has_form(_REVIEWS):
        return 3 - (column.mean_chars > MAX_USER_CHARS)
    names = own_names(column)
    if column.kind != "number":
        return 0
    if "reviews" in names or "rating" in names or "review_count" in names:
        return 2
    if any(_REVIEWS_URL.search(url) for url in column.urls):
        return 1.5
    is_near_rating = _RATING_CLASS.search(column.surroundings) is not None and not column.has_form(_FRACTION)
    return 1.0 * column.has_form(_PARENTHESIZED) + 0.5 * is_near_rating


def _score_date(column: ColumnEvidence) -> float:
    if (column.kind != "date" and column.source != "time") or column.own_label or column.mean_chars > MIN_SNIPPET_CHARS:
        return 0
    if not any(any(map(str.isdigit, text)) for text in column.filled):
        return 0  # "asked"
    is_unlikely = column.is_list or column.is_clock
    return 1 + column.filled_share + column.distinct_share + (column.source == "time") - 2 * is_unlikely


def _score_author(column: ColumnEvidence) -> float:
    if not column.is_text or column.kind != "text" or column.mean_chars > MAX_USER_CHARS or column.own_label:
        return 0
    if column.mean_chars <= 1:
        return 0
    names = own_names(column)
    is_named = "author" in names or any(name in ("user", "user_name", "author_name") for name in names)
    return 2.0 * is_named + 1.5 * links_to_profile(column) + 1.5 * column.has_form(_BYLINE)


def _score_availability(column: ColumnEvidence) -> float:
    if not column.is_text or column.own_label or column.mean_chars > MAX_USER_CHARS:
        return 0
    return 2.0 * ("availability" in own_names(column)) + 1.5 * column.has_form(_AVAILABILITY)


def _score_location(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label or column.kind != "text" or column.mean_chars > 100:
        return 0
    names = own_names(column)
    score = 2.0 * ("location" in names) + 1.0 * any("address" in name or name == "city" for name in names)
    return score + 1.5 * column.has_form(_POSTAL_ADDRESS) + 1.0 * (column.mean_chars < 40 and _are_places(column))


def _are_places(column: ColumnEvidence) -> bool:
    filled = column.filled
    return sum(_PLACE.fullmatch(text) is not None for text in filled) >= 0.8 * len(filled)


def _score_snippet(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label or column.kind != "text":
        return 0
    is_named = "snippet" in own_names(column)
    if column.mean_chars < MIN_SNIPPET_CHARS / (2 if is_named else 1):
        return 0
    return column.mean_chars / 1000 + is_named + 0.5 * column.filled_share
