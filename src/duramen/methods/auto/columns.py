"""What the numbers of a block are called, in their order, and what some of them stand for."""

from __future__ import annotations

CIRCLES = 5
"""How many circles are looked at, the block's own element among them."""

FLAGS: dict[str, int] = {
    **{"article": 1, "main": 2, "nav": 4, "footer": 8, "header": 16, "aside": 32, "form": 64, "ul": 128, "ol": 128},
    **{"li": 256, "table": 512, "td": 512, "tr": 512, "blockquote": 1024, "pre": 2048, "figure": 4096},
    **{"figcaption": 4096, "dl": 8192, "dd": 8192, "dt": 8192, "p": 16384},
}
"""Elements that a block stands in, at any distance; those that mean the same share a bit."""
ROLES = {"navigation": 4, "banner": 16, "contentinfo": 8, "complementary": 32, "main": 2, "article": 1}
BITS = 15

HEADINGS = {"h1": 1, "h2": 2, "h3": 3, "h4": 4, "h5": 5, "h6": 6}

HINTS = 10
"""How many numbers names give, but for the way."""

NAMES: list[str] = [
    # the block
    *"words links length commas end digits capitals bold heading title repeated repeats".split(),
    # its neighbours
    *(f"{what}{where}" for where in ("-1", "+1") for what in ("words", "links", "heading", "together")),
    *"words4 links4 words10 links10 commas10".split(),
    # where it stands
    *"before share long_before long_after from_h1 from_heading under".split(),
    # what holds it
    *"level article main nav footer header aside form list item table quote pre figure definition paragraph".split(),
    # names of what holds it
    *"own near lowest highest sum around1 around2 around3 tag lowest_word way".split(),
    # its peers
    *"peers3 peers3_words peers3_links peers peers_words peers_links peers_blocks".split(),
    *"group_share group_before group_place group_size group_words group_blocks".split(),
    *"alike alike_words alike_links alike_share images1 images2".split(),
    # whether it speaks of what the page says it is about
    *"told told1 told2 told3 told_page".split(),
    # how far it is from the headline, and where both meet
    *"from_headline words_from_headline headings_from_headline sections_from_headline".split(),
    *"with_headline_blocks with_headline_share with_headline_up with_headline_down headline_level".split(),
    # its circles
    *(
        f"circle{number}_{what}"
        for number in range(CIRCLES)
        for what in ("blocks", "words", "links", "share", "mean", "commas", "long", "place")
    ),
]
COUNT = len(NAMES)
