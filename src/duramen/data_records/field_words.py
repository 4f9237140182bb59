"""Names of fields from class names and microdata.

Class names are written for style sheets. Only words that name a field are used, from a list of such words:
`card__title` is a title, `typo-body` and `yb-z` are nothing.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.class_names import remove_bem_block, split_words, to_snake_case

MAX_TOKEN_CHARS: Final = 80
"""A longer class token is made by a program."""
MAX_NAME_WORDS: Final = 3


def _same(name: str, words: str) -> dict[str, str]:
    return dict.fromkeys(words.split(), name)


_NAME_OF_WORD: Final = {
    **_same("title", "title titel titre titulo titolo heading headline subject"),
    **_same("image", "image img photo picture thumb thumbnail cover"),
    **_same("price", "price prices preis prix precio prezzo prijs pris cena pricing"),
    **_same("rating", "rating ratings stars bewertung"),
    **_same("reviews", "reviews"),
    **_same("date", "date datetime timestamp pubdate datum fecha published posted dateline"),
    **_same("author", "author autor auteur autore byline writer"),
    **_same("user", "user username nick nickname poster member"),
    **_same("snippet", "snippet excerpt summary description abstract teaser intro blurb synopsis desc"),
    **_same("location", "location locality place venue"),
    **_same("availability", "availability stock instock"),
    **_same("phone", "phone telephone tel"),
    **{
        word: word
        for word in (
            "name url permalink avatar logo score vote votes count comments replies views likes downloads answers"
            " points followers forks sold bids review updated modified created time start end deadline brand maker"
            " seller shop store vendor manufacturer publisher company employer organization school department team"
            " agency artist director label city address street state country region zip postcode area district"
            " neighborhood province county delivery shipping category categories tag tags genre type model sku"
            " isbn color colour size weight height width length depth year duration runtime distance quantity"
            " number id code rank position level status condition language format pages edition volume issue"
            " version license fax email website site domain host source hours schedule event job role gender age"
            " party beds bedrooms baths bathrooms rooms sqft mileage fuel engine transmission make calories"
            " servings ingredients currency discount savings offer deal salary fee rent amount total cost judge"
            " court docket case citation parties plaintiff defendant reputation badge difficulty popularity"
            " subtitle speaker topic topics caption quote answer question signature cuisine producer product"
            " specification specs feature features amenities capacity power speed frequency"
        ).split()
    },
}
"""Class words that name a field, and the name."""
_NEUTRAL_WORD = re.compile(
    r"(?:wrap|wrapper|container|inner|outer|box|block|item|text|span|div|link|field|value|label|cell|content|info|data"
    r"|area|group|holder|section|element|line|row|col|column|list|post|small|large|medium|main|unit|module|component"
    r"|desktop|mobile|display|details?|meta|raw|full|short|long|new|hyperlink|anchor|html|body|tooltip|current|final)\d*"
)
"""Words that may follow the word of a field: `price-wrapper`."""
_MEASURES: Final = frozenset(
    (
        "size color colour width height length depth weight level number position type time source duration start end"
    ).split()
)
"""Words that utility classes begin with: `size-4`, `color-muted`. They name a field only at the end of a class, and not
after the word of something that style sheets describe: `link-color`."""
_DEGREE = re.compile(r"small|large|medium|mini|base|normal|full|short|long|\d+")
_STYLED_WORD = re.compile(
    r"link|text|font|line|border|bg|background|icon|button|btn|justify|items|self|flex|align|content|float"
)
_OLD_PRICE_WORD = re.compile(
    r"old|was|original|regular|before|strike\w*|crossed|compare\w*|rrp|msrp|retail|previous|former|alt|uvp|statt|list"
)
_SYSTEM_PREFIX = re.compile(r"(?:views-field(?:-field)?|field--?name(?:-field)?)-(?=[a-z])")
"""What content management systems write before the name of a field."""
_SYSTEM_CLASSES: Final = frozenset(("views-field", "field", "field-item", "field-content"))
_BEM_MODIFIER = re.compile(r"(?<=\w)--[\w-]+$")

PROPERTY_NAMES: Final = {
    **_same("title", "name headline title jobtitle"),
    **_same("url", "url sameas"),
    **_same("image", "image thumbnailurl contenturl logo photo"),
    **_same("price", "price lowprice basesalary"),
    **_same("highest_price", "highprice"),
    **_same("currency", "pricecurrency"),
    **_same("rating", "ratingvalue aggregaterating"),
    **_same("reviews", "reviewcount ratingcount"),
    **_same("date", "datepublished datecreated uploaddate dateposted startdate"),
    **_same("author", "author creator"),
    **_same("snippet", "description abstract"),
    **_same("location", "address addresslocality location joblocation"),
    **_same("availability", "availability"),
    **_same("phone", "telephone"),
    **_same("company", "hiringorganization"),
}
"""Properties of schema.org, in lower case, that have one of the common names."""


def name_of_property(name: str) -> str:
    """The name of a column for a property of schema.org."""
    local = name.split()[0].rpartition("/")[2].rpartition("#")[2] if name.split() else ""
    return PROPERTY_NAMES.get(local.lower()) or to_snake_case(local)


@lru_cache(maxsize=1 << 12)
def find_field_name(token: str) -> str:
    """The field that a class token names, in snake case; "" if it names none."""
    if len(token) > MAX_TOKEN_CHARS or token in _SYSTEM_CLASSES:
        return ""
    system = _SYSTEM_PREFIX.match(token)
    if system:
        return to_snake_case(token[system.end() :].removeprefix("field-"))
    words = split_words(_BEM_MODIFIER.sub("", remove_bem_block(token)), split_digits=True)
    while words and (_NEUTRAL_WORD.fullmatch(words[-1]) or words[-1].isdigit()) and words[-1] not in _NAME_OF_WORD:
        last = words.pop()
        if _DEGREE.fullmatch(last) and words and words[-1] in _MEASURES:
            return ""
    if len(words) > 1 and words[-1] in _MEASURES and _STYLED_WORD.fullmatch(words[-2]):
        return ""
    if "price" in map(_NAME_OF_WORD.get, words) and any(map(_OLD_PRICE_WORD.fullmatch, words)):
        return "old_price"
    if not words or words[-1] not in _NAME_OF_WORD:
        return ""  # `color-fg-muted`: an unknown word after the field makes the class one of style
    names: list[str] = []
    for word in reversed(words):
        name = _NAME_OF_WORD.get(word)
        if name is None:
            break
        names.insert(0, name)
    names = list(dict.fromkeys(names))
    if names[-1] in ("title", "snippet", "price", "rating", "date", "image", "author", "url"):
        return names[-1]  # `product-title`: the list is one of products
    return "_".join(names[-MAX_NAME_WORDS:])
