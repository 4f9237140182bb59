"""Naming: names of columns by what they mean in the record.

A column has a role if its values, its place in the record or the page itself show it: the largest linked text is the
title, its link is the URL, an amount of money is the price. Names come, in this order, from header cells and labels
("Salary:"), from the role, from microdata, and from class words that name a field (`field_words`); a column without any
of these is named by the kind of its values. Columns with the common roles have the same names on every page:

    title url image price currency highest_price old_price sale_price rating reviews date author location
    availability phone snippet

Records with a user, a date and a long text are posts, and these columns are `user`, `date` and `text`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Final

from duramen.data_records.columns import TEXT_SOURCES, FieldPath, ValueSource
from duramen.data_records.field_words import find_field_name, name_of_property
from duramen.data_records.prices import read_price
from duramen.data_records.values import ValueKind
from duramen.dom.class_names import to_snake_case
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
MIN_POST_CHARS: Final = 60
"""Mean length of the longest text of posts."""
MIN_SNIPPET_CHARS: Final = 60
"""Mean length of the texts that describe a record."""
MAX_TITLE_CHARS: Final = 250
MIN_ROLE_SHARE: Final = 0.6
"""Share of the records that must have a title, and share of the values that must have the form of a role."""
NAMING_STEPS: Final = 3
"""Elements from the value upwards whose classes may name a column."""

_KIND_NAMES: Final = frozenset(("text", "number", "link"))

_USER = re.compile(r"user|author|member|poster|nick|login|contributor|byline|owner", re.IGNORECASE)
_ABOUT_USER = re.compile(
    r"title|banner|rank|status|info|stat|avatar|since|joined|regist|group|count|image|extra|badge", re.IGNORECASE
)
_PROFILE_URL = re.compile(
    r"[/?&=._-](?:users?|members?|memberlist|membre\d*|profiles?|profil|u|author|mitglied\w*)\b", re.IGNORECASE
)
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
    r"^\W*\d[\d.,kKmM\s]*\s*(?:global\s|customer\s|verified\s)?(?:reviews?|ratings?|bewertungen|avis|rese[ñn]as|recensioni"
    r"|opiniones|opinie|beoordelingen|отзыв\w*|votes?)\b",
    re.IGNORECASE,
)
_PARENTHESIZED = re.compile(r"\(\d[\d.,kK]*\+?\)")
_AVAILABILITY = re.compile(
    r"\b(?:in stock|out of stock|sold out|available|unavailable|not available|pre-?order|backorder(?:ed)?|auf lager"
    r"|lieferbar|ausverkauft|en stock|épuisé|disponible|agotado|disponibile|esaurito|op voorraad|в наличии"
    r"|нет в наличии|only \d+ left)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[^\W\d_][\w .'’-]+,\s(?:[A-Z]{2}\b.*|[^\W\d_][\w .'’-]{2,30})")
_POSTAL_ADDRESS = re.compile(r"\b[A-Z]{2},?\s\d{5}(?:-\d{4})?\b|\b[A-Z]{1,2}\d[A-Z\d]?\s\d[A-Z]{2}\b")
_LOOKS_LIKE_URL = re.compile(r"(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+(?:\s?[/›].*)?")
_SMALL_NUMBER = re.compile(r"(?:[0-9]|10)(?:[.,]\d{1,2})?(?:\s*/\s*(?:5|10))?")
_FRACTION = re.compile(r"\d[.,]\d")
_RATING_CLASS = re.compile(r"rating|review|stars?\b", re.IGNORECASE)
_FILE_SIZE = re.compile(r"\W*\d[\d.,]*\s?(?:bytes|[kmg]i?b?|pages?)\W*", re.IGNORECASE)
_ICON = re.compile(r"\.(?:svg|ico)\b|icon|sprite|/stars?/", re.IGNORECASE)
_COUNTED = re.compile(r"\W*(\d[\d.,]*[kKmM]?)\s*([^\W\d_]{3,}(?:\s[^\W\d_]{3,})?)\W*")
_BYLINE = re.compile(r"(?:by|von|par|por|di)\s+[^\W\d_]", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnEvidence:
    """What is known of a column before it has a name."""

    path: FieldPath
    source: ValueSource
    kind: ValueKind
    label: str = ""
    """The text before the value in every record."""
    header: str = ""
    """The text of the header cell of the table column."""
    texts: tuple[str, ...] = ()
    """The values of the records that have one; "" where a record has none. Values of lists are joined by lines."""
    urls: tuple[str, ...] = ()
    """For each record the target of the link that the value is, or is in; "" where there is none."""
    is_list: bool = False
    itemprop: str = ""
    """The name in microdata."""
    outer_itemprop: str = ""
    """The name of the property whose item the value belongs to: `brand` of `<p itemprop=brand itemscope>`."""
    classes: tuple[str, ...] = ()
    """The `class` of the element, and of the elements around it that hold nothing else."""
    surroundings: str = ""
    """The `class` of the element, and of the elements around it in the record."""
    tags: frozenset[str] = frozenset()
    """The tags of the element, and of those around it in the record."""
    is_line: bool = False
    """True if the value is one line of an element that has several."""
    is_weak: bool = False
    """True for the link of a button ("Read more"): it is a column only if it is the URL of the record."""

    @cached_property
    def filled(self) -> list[str]:
        return [text for text in self.texts if text]

    @cached_property
    def filled_share(self) -> float:
        return len(self.filled) / max(1, len(self.texts))

    @cached_property
    def mean_chars(self) -> float:
        return fmean(map(len, self.filled)) if self.filled else 0.0

    @cached_property
    def distinct_share(self) -> float:
        return len(set(self.filled)) / max(1, len(self.filled))

    @cached_property
    def is_text(self) -> bool:
        return self.source in TEXT_SOURCES

    @cached_property
    def own_label(self) -> str:
        return self.label or self.header

    @cached_property
    def class_name(self) -> str:
        """The field that the classes of the element, or of one near it, name."""
        for value in self.classes[:NAMING_STEPS]:
            for token in value.split():
                if name := find_field_name(token):
                    return name
        return ""

    @cached_property
    def counted_word(self) -> str:
        """What the values count, if all are a number and the same word: `views` of "1 view", "25 views"; else ""."""
        if not self.is_text or self.is_list or self.kind not in ("text", "number"):
            return ""
        matches = [_COUNTED.fullmatch(text) for text in self.filled]
        words = {match[2].lower().rstrip("s") for match in matches if match}
        if len(words) != 1 or not all(match is not None and match[2].islower() for match in matches):
            return ""
        return to_snake_case(max((match[2] for match in matches if match), key=len))

    def has_form(self, form: re.Pattern[str], *, whole: bool = False) -> bool:
        """True if most of the values have a form, or are of it."""
        filled = self.filled
        test = form.fullmatch if whole else form.search
        return sum(test(text) is not None for text in filled) >= max(1, MIN_ROLE_SHARE * len(filled))


@dataclass(frozen=True)
class ColumnName:
    """The name of a column, and its role; a column may have a role and another name, from a header cell."""

    name: str
    role: str = ""


def name_columns(columns: Sequence[ColumnEvidence]) -> list[ColumnName]:
    """A name for each column, no two the same."""
    roles = _find_roles(columns)
    wanted = [_find_name(column, roles.get(number, "")) for number, column in enumerate(columns)]
    _name_links(columns, wanted)
    posts = _find_columns_of_posts(columns)
    wanted = [posts.get(number, name) for number, name in enumerate(wanted)]
    # Those with a role, and those that the page names, have the first right to a name.
    order = sorted(range(len(wanted)), key=lambda number: (number not in posts, number not in roles, number))
    names: dict[int, str] = {}
    used: Counter[str] = Counter()
    taken: set[str] = set()
    for number in order:
        name = unique = wanted[number]
        used[name] += 1
        if used[name] > 1:
            unique = f"{name}_{used[name]}"
        while unique in taken:
            used[name] += 1
            unique = f"{name}_{used[name]}"
        taken.add(unique)
        names[number] = unique
    return [
        ColumnName(names[number], posts.get(number, roles.get(number, "")) if posts else roles.get(number, ""))
        for number in range(len(columns))
    ]


def _name_links(columns: Sequence[ColumnEvidence], names: list[str]) -> None:
    """Name links that have no name by the text that has the same target."""
    name_of_urls = {
        column.urls: name for column, name in zip(columns, names, strict=True) if column.is_text and any(column.urls)
    }
    for number, column in enumerate(columns):
        name = name_of_urls.get(column.urls, "") if names[number] == "link" else ""
        if name and name not in _KIND_NAMES:
            names[number] = f"{name}_link"


def are_posts(names: Sequence[ColumnName]) -> bool:
    """True if the columns are those of posts."""
    return {"user", "date", "text"} <= {name.role for name in names}


def _find_name(column: ColumnEvidence, role: str) -> str:
    if label := to_snake_case(column.own_label):
        if column.source == "link":
            return "url" if role == "url" and not column.header else f"{label}_link"
        return f"{label}_image" if column.source == "image" and column.header else label
    if role:
        return role
    name = _name_of_microdata(column) or column.class_name
    if column.source == "link":
        return f"{name}_link" if name and not name.endswith(("link", "url")) else name or "link"
    if column.source == "image":
        return name if name in ("avatar", "logo") else "icon" if column.has_form(_ICON) else "image"
    if name in ROLES and not _may_have_role(column, name):
        name = ""
    if column.source == "time" or (column.kind == "date" and not name):
        return "date"
    if column.is_text and column.has_form(_LOOKS_LIKE_URL, whole=True) and not column.is_list and column.kind == "text":
        return "displayed_url"
    if column.is_text and column.has_form(_FILE_SIZE, whole=True) and not column.counted_word:
        return "size"
    return column.counted_word or name or column.kind


def _name_of_microdata(column: ColumnEvidence) -> str:
    if not column.itemprop:
        return ""
    if column.itemprop.lower() == "name" and column.outer_itemprop:
        return name_of_property(column.outer_itemprop)
    return name_of_property(column.itemprop)


def _may_have_role(column: ColumnEvidence, role: str) -> bool:
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
    return True


def _find_roles(columns: Sequence[ColumnEvidence]) -> dict[int, str]:
    """The role of each column that has one. Each role has one column."""
    roles: dict[int, str] = {}

    def give(role: str, scores: dict[int, float]) -> None:
        free = {number: score for number, score in scores.items() if number not in roles and score > 0}
        if free:
            roles[max(free, key=lambda number: (free[number], -number))] = role

    def score_each(score: Callable[[ColumnEvidence], float]) -> dict[int, float]:
        return {number: score(column) for number, column in enumerate(columns)}

    main_urls = _find_main_urls(columns)
    give("title", _prefer_shorter(columns, score_each(lambda column: _score_title(column, main_urls))))
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
    if column.has_form(_FILE_SIZE, whole=True) or column.counted_word:
        return 0
    if column.has_form(_LOOKS_LIKE_URL, whole=True) or column.has_form(_AVAILABILITY) or column.has_form(_REVIEWS):
        return 0
    itemprop, name = _name_of_microdata(column), column.class_name
    score = 0.1 + column.distinct_share
    score += 4 * (itemprop == "title")
    score += 3 * bool(HEADING_TAGS & column.tags)
    score += 2.5 * (name == "title") + 1.5 * (name.endswith("name") and not _USER.search(name))
    links = any(column.urls)
    score += 2 * (links and not _links_to_profile(column)) + 1 * (links and column.urls == main_urls)
    score += min(column.mean_chars, 40) / 40
    score += 1.5 * bool(column.header and _TITLE_LABEL.fullmatch(column.header.strip()))
    score -= (
        2 * bool(column.label)
        + 2 * (column.mean_chars > MAX_TITLE_CHARS / 2)
        + 2 * (column.mean_chars > MAX_TITLE_CHARS)
    )
    score -= 2 * (itemprop in ("author", "location", "snippet", "brand", "company"))
    score -= 2 * (
        name in ("author", "user", "location", "snippet", "category", "tag", "brand", "status", "url", "type")
    )
    score -= 1.5 * (column.distinct_share < 0.4) + 1.5 * _links_to_profile(column)
    score -= 1.5 * column.has_form(_PLACE) + 3 * column.has_form(_BYLINE)
    return max(score, 0.05)


def _prefer_shorter(columns: Sequence[ColumnEvidence], scores: dict[int, float]) -> dict[int, float]:
    """The scores without columns that only repeat another candidate with other words: "Add Stool to basket"."""
    candidates = [number for number, score in scores.items() if score > 0]
    for number in candidates:
        if any(_repeats(columns[number], columns[other]) for other in candidates if other != number):
            scores[number] = 0
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
    if column.has_form(_ICON) and column.distinct_share < 0.9:
        return 0
    return 0.1 + column.filled_share + column.distinct_share - 1.0 * is_portrait


def _find_prices(columns: Sequence[ColumnEvidence], roles: dict[int, str]) -> None:
    """Give the roles `price` and `old_price`. The old price is struck through, or named so, or always higher."""
    prices = [
        number
        for number, column in enumerate(columns)
        if number not in roles
        and column.is_text
        and (column.kind == "price" or (column.kind == "number" and "price" in _own_names(column)))
        and (not column.own_label or "price" in column.own_label.lower())
    ]
    old = [number for number in prices if _is_old_price(columns[number])]
    current = [number for number in prices if number not in old]
    if not current:
        current, old = old[:1], old[1:]
    if not current:
        return
    price = max(
        current,
        key=lambda number: (
            "price" in _own_names(columns[number]),
            columns[number].filled_share >= MIN_ROLE_SHARE,
            columns[number].kind == "price",
            columns[number].mean_chars < 20,
            -number,
        ),
    )
    for number in current:
        if number != price and not old and _is_higher(columns[number], columns[price]):
            old = [number]
        elif number != price and not old and _is_higher(columns[price], columns[number]):
            price, old = number, [price]
    if old and columns[price].filled_share < MIN_ROLE_SHARE <= columns[old[0]].filled_share:
        roles[old[0]] = "price"  # few records have a lower price
        roles[price] = "sale_price"
        return
    roles[price] = "price"
    if old:
        roles[old[0]] = "old_price"


def _own_names(column: ColumnEvidence) -> tuple[str, ...]:
    return _name_of_microdata(column), column.class_name


def _is_old_price(column: ColumnEvidence) -> bool:
    return bool(column.tags & _OLD_TAGS) or column.class_name == "old_price"


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
    if "rating" in _own_names(column):
        return 1.5 + 0.5 * has_fractions
    return 1.0 * (has_fractions and _RATING_CLASS.search(column.surroundings) is not None)


def _score_reviews(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label:
        return 0
    if column.has_form(_REVIEWS):
        return 3 - (column.mean_chars > MAX_USER_CHARS)
    names = _own_names(column)
    if column.kind != "number":
        return 0
    if "reviews" in names or "rating" in names or "review_count" in names:
        return 2
    is_near_rating = _RATING_CLASS.search(column.surroundings) is not None and not column.has_form(_FRACTION)
    return 1.0 * column.has_form(_PARENTHESIZED) + 0.5 * is_near_rating


def _score_date(column: ColumnEvidence) -> float:
    if (column.kind != "date" and column.source != "time") or column.own_label or column.mean_chars > MIN_SNIPPET_CHARS:
        return 0
    return 1 + column.filled_share + column.distinct_share + (column.source == "time") - 2 * column.is_list


def _score_author(column: ColumnEvidence) -> float:
    if not column.is_text or column.kind != "text" or column.mean_chars > MAX_USER_CHARS or column.own_label:
        return 0
    names = _own_names(column)
    is_named = "author" in names or any(name in ("user", "user_name", "author_name") for name in names)
    return 2.0 * is_named + 1.5 * _links_to_profile(column) + 1.5 * column.has_form(_BYLINE)


def _score_availability(column: ColumnEvidence) -> float:
    if not column.is_text or column.own_label or column.mean_chars > MAX_USER_CHARS:
        return 0
    return 2.0 * ("availability" in _own_names(column)) + 1.5 * column.has_form(_AVAILABILITY)


def _score_location(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label or column.kind != "text" or column.mean_chars > 100:
        return 0
    names = _own_names(column)
    score = 2.0 * ("location" in names) + 1.0 * any("address" in name or name == "city" for name in names)
    return score + 1.5 * column.has_form(_POSTAL_ADDRESS) + 1.0 * (column.mean_chars < 40 and _are_places(column))


def _are_places(column: ColumnEvidence) -> bool:
    filled = column.filled
    return sum(_PLACE.fullmatch(text) is not None for text in filled) >= 0.8 * len(filled)


def _score_snippet(column: ColumnEvidence) -> float:
    if not column.is_text or column.is_list or column.own_label or column.kind != "text":
        return 0
    is_named = "snippet" in _own_names(column)
    if column.mean_chars < MIN_SNIPPET_CHARS / (2 if is_named else 1):
        return 0
    return column.mean_chars / 1000 + is_named + 0.5 * column.filled_share


# Posts


def _find_columns_of_posts(columns: Sequence[ColumnEvidence]) -> dict[int, str]:
    """Records with a user, a date and a long text are posts: these columns are `user`, `date` and `text`."""
    numbers = range(len(columns))
    texts = [number for number in numbers if columns[number].is_text and columns[number].kind == "text"]
    if not texts:
        return {}
    longest = max(texts, key=lambda number: columns[number].mean_chars)
    dates = [number for number in numbers if columns[number].kind == "date" or columns[number].source == "time"]
    users = [number for number in texts if number != longest and _is_user(columns[number])]
    users.sort(
        key=lambda number: (not _links_to_profile(columns[number]), not _USER.search(_own_name(columns[number])))
    )
    if not dates or not users or columns[longest].mean_chars < MIN_POST_CHARS:
        return {}
    if any(column.kind == "price" for column in columns) or _has_title(columns, longest, users[0]):
        return {}
    user = users[0]
    # No two posts have the same minute. The date on which a member joined is in all posts of the member, often as a
    # line beside the user name.
    posted = max(
        dates,
        key=lambda number: (
            not _is_about_user(columns[number], columns[user]),
            len(set(columns[number].filled)),
        ),
    )
    return {longest: "text", posted: "date", user: "user"}


def _has_title(columns: Sequence[ColumnEvidence], longest: int, user: int) -> bool:
    """True if records have titles of their own with links: they are articles or questions, and no posts."""
    return any(
        number not in (longest, user)
        and column.is_text
        and column.filled_share >= MIN_ROLE_SHARE
        and column.distinct_share >= 0.8
        and (bool(HEADING_TAGS & column.tags) or column.class_name == "title")
        and any(column.urls)
        for number, column in enumerate(columns)
    )


def _is_user(column: ColumnEvidence) -> bool:
    """True if most records have a short value that is named as a user, or that links to a profile."""
    if not 1 < column.mean_chars < MAX_USER_CHARS or 2 * column.filled_share <= 1:
        return False
    if _ABOUT_USER.search(_own_name(column)):
        return False
    names = (column.label, column.header, *(step.name for step in column.path[-NAMING_STEPS:]))
    return _links_to_profile(column) or any(map(_USER.search, names))


def _is_about_user(column: ColumnEvidence, user: ColumnEvidence) -> bool:
    """True if a column is a line of the element with the user name, or its label is about the user ("Joined")."""
    is_beside_user = column.is_line and user.path[: len(column.path)] == column.path
    return is_beside_user or _ABOUT_USER.search(column.label) is not None


def _own_name(column: ColumnEvidence) -> str:
    """The name of the column itself, or of the nearest element around it that has one."""
    return column.itemprop or column.own_label or next((step.name for step in reversed(column.path) if step.name), "")


def _links_to_profile(column: ColumnEvidence) -> bool:
    return _PROFILE_URL.search(next(filter(None, column.urls), "")) is not None
