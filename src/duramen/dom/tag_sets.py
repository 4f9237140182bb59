"""Sets of HTML elements by name. Other modules derive their own sets from these."""

from __future__ import annotations

from typing import Final

HEADING_TAGS: Final = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
SECTION_HEADING_TAGS: Final = frozenset(("h2", "h3", "h4"))
"""Headings of parts of a page: "Comments", "Related articles"."""

TABLE_CELL_TAGS: Final = frozenset(("td", "th"))

BLOCK_TAGS: Final = HEADING_TAGS | frozenset(
    "html body div section article main header footer nav aside address center details summary form fieldset legend"
    " hgroup search tbody thead tfoot marquee p ul ol menu dir li blockquote pre listing xmp plaintext dl dt dd table"
    " tr td th caption figure figcaption hr".split()
)
"""Elements that start a new line."""

INLINE_TAGS: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rb ruby s samp small span"
    " strike strong sub sup time tt u var wbr".split()
)
"""Elements that neither break a line nor separate words: `<b>W</b>ord` is one word."""

SCRIPT_TAGS: Final = frozenset(("script", "style", "noscript", "template"))
"""Elements for the browser: pages of one template differ in them without visible effect."""

INVISIBLE_TAGS: Final = SCRIPT_TAGS | frozenset(
    "head title svg iframe object video audio canvas select option optgroup datalist textarea input rp annotation"
    " annotation-xml noframes embed applet progress meter".split()
)
"""Elements whose text is not on the screen, or is in a control and not part of the page's text."""

RAW_TEXT_TAGS: Final = frozenset("iframe script style title textarea noembed noframes xmp".split())
"""Elements whose content is text up to their end tag, not markup."""

VOID_TAGS: Final = frozenset("area base br col embed hr img input link meta param source track wbr".split())
"""Elements without an end tag."""

KNOWN_TAGS: Final = (
    BLOCK_TAGS
    | INLINE_TAGS
    | INVISIBLE_TAGS
    | VOID_TAGS
    | frozenset("#text html head body math rt rtc rp rbc map picture button slot portal frame frameset dialog".split())
    | frozenset("noembed noindex colgroup center font output keygen menuitem spacer basefont bgsound blink".split())
)
"""Elements of HTML, also old ones. Others are parts of formulas and drawings, and elements of single sites."""
