"""The signs that speak for a title or against it (see `signs.py`).

What a page is called is said in many places, and they differ: `<title>` and Open Graph are written to be found and
clicked, with words and names added; the first heading may be a slogan, or the site's logo. Where they are at odds,
others tell what the page's own name is: the address, the links that lead to it and the breadcrumbs that end in it.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Final

from duramen.metadata.claims import NOWHERE, Claim
from duramen.metadata.elsewhere import NOWHERE_ELSE, Elsewhere
from duramen.metadata.options import Option, Setting
from duramen.metadata.strings import key, word_count
from duramen.metadata.titles import OF_PARTS, parts, says_site, without_prefix, without_site

_CUT: Final = frozenset(("title", "open-graph"))
"""The sources of titles that tend to be more than a title."""
_TOP: Final = 0.1
"""The part of a page's nodes in which logos stand, and few headlines."""
_ENDING = re.compile(r"\.[a-z]{2,5}$")
_digit = re.compile(r"\d")
_number = re.compile(r"\d+[.)]?\s")
_MOST_NUMBERED: Final = 2
"""Headings that begin with a number: where there are more, they are the parts of a list."""
CUT_OFF: Final = ("...", "…")
"""How a title ends that goes on elsewhere."""
_SHORTEST_CUT_OFF: Final = 12

# What one option is made of while claims are still put to it: its value, signs, sources, and nodes of headings.
_Titles = dict[str, tuple[str, set[str], dict[str, None], list[int]]]


def _add_title(merged: _Titles, said: str, value: str, sign: str, source: str, node: int) -> set[str] | None:
    """Put a value, whose key is `said`, to its option and give the option's signs; None for a value without words."""
    if not said:
        return None
    known = merged.get(said)
    if known is None:
        known = merged[said] = (value, set(), {}, [])
    known[1].add(sign)
    known[2][source] = None
    if source == "heading":
        known[3].append(node)
    return known[1]


def title_options(claims: list[Claim], setting: Setting, elsewhere: Elsewhere = NOWHERE_ELSE) -> list[Option[str]]:
    """What the page may be called. The claims are `<title>`, headings and what the head says, as they stand."""
    merged: _Titles = {}
    read: dict[str, tuple[str, str, str]] = {}  # of each value: without the site, the key of that, and its own
    wholes: dict[str, str] = {}
    headings: list[str] = []
    sites, brand, path = setting.sites, setting.brand, setting.path
    of_kind = f"h1 of {setting.kind}"
    for claim in claims:
        value, source, of, node = without_prefix(claim.value), claim.source, claim.of, claim.node
        told = read.get(value)
        if told is None:
            bare = without_site(value, sites, brand)
            said = key(bare)
            told = read[value] = (bare, said, said if bare == value else key(value))
        bare, said, whole = told
        _add_title(merged, said, bare, f"{source} {of}" if of else source, source, node)
        if source in _CUT:
            if source not in wholes:
                wholes[source] = whole
            cut = parts(bare)
            if len(cut) > 1:
                first = bare[cut[0].start : cut[0].end]
                signs = _add_title(merged, key(first), first, f"{source} first part", source, node)
                if signs is not None:  # what stands after a colon is part of a title more often than not
                    signs.add("cut at a colon" if cut[0].mark[:1] == ":" else "cut at a mark")
        elif of == "h1":
            headings.append(said)
        if bare != value:
            _add_title(merged, whole, value, f"{source} whole", source, node)
    same = _merge_joined(merged)
    if same:
        headings = [same.get(heading, heading) for heading in headings]
        wholes = {source: same.get(whole, whole) for source, whole in wholes.items()}
    _drop_cut_off(merged)
    is_list = sum([bool(option[3]) and _is_numbered(option[0]) for option in merged.values()]) > _MOST_NUMBERED
    whole_words = {whole: set(whole.split()) for whole in wholes.values()}
    heading_words = [set(heading.split()) for heading in headings]
    slug = _slug(path)
    names = [
        (name, called) for name, called in zip(elsewhere._fields, elsewhere, strict=True) if called & merged.keys()
    ]
    options = []
    for said, (value, signs, sources, nodes) in merged.items():
        words = set(said.split())
        for source, whole in wholes.items():
            if whole == said:
                continue
            if said in whole and f" {said} " in f" {whole} ":
                signs.add(f"starts {source}" if whole.startswith(said) else f"in {source}")
            elif _shared(words, whole_words[whole]) < 0.3:
                signs.add(f"heading unlike {source}" if nodes else f"unlike {source}")
        if said in headings:
            signs.add("only h1" if len(headings) == 1 else "first h1" if headings[0] == said else "later h1")
            signs.add(of_kind)
        elif headings:
            likest = max([_shared(words, others) for others in heading_words])
            signs.add("like h1" if likest >= 0.5 else "unlike h1")
        if nodes:
            if nodes[0] < _TOP * setting.length:
                signs.add("heading at the top")
        elif len(words) > 1 and "title first part" not in signs and len(parts(value)) > 1:
            signs.add("marked")
        signs.add(_length(len(words) if said.isascii() else word_count(said)))
        if slug:
            signs.add(f"{round(4 * _shared(words, slug))} quarters of slug")
        for name, called in names:
            signs.add(f"in {name}" if said in called else f"not in {name}")
        if path == "/":
            signs.add("home h1" if said in headings else "home")
            signs.add("home whole" if said in wholes.values() else "home heading" if nodes else "home part")
        if is_list and _is_numbered(value):
            signs.add("numbered")
        if says_site(said, sites, brand):
            signs.add("site")
        if said not in OF_PARTS or len(merged) == 1:
            options.append(Option(value, signs, tuple(sources), nodes[0] if nodes else NOWHERE))
    return options


def _merge_joined(merged: _Titles) -> dict[str, str]:
    """Make one of the options that differ but in spaces, as of a heading whose words are only set apart by style.

    The one with the most spaces is kept. Told is what the others are now called.
    """
    spaced: dict[str, str] = {}
    for said in merged:
        joined = said.replace(" ", "")
        known = spaced.get(joined)
        if known is None or len(known) < len(said):
            spaced[joined] = said
    if len(spaced) == len(merged):
        return {}
    same = {said: kept for said in merged if (kept := spaced[said.replace(" ", "")]) != said}
    for said, kept in same.items():
        _, signs, sources, nodes = merged.pop(said)
        value, all_signs, all_sources, all_nodes = merged[kept]
        merged[kept] = (value, all_signs | signs, all_sources | sources, all_nodes + nodes)
    return same


def _drop_cut_off(merged: _Titles) -> None:
    """Leave out the options that are cut off, where another goes on: "Why old oaks fall…"."""
    if not any(option[0].endswith(CUT_OFF) for option in merged.values()):
        return
    for said, following in pairwise(sorted(merged)):
        is_cut_off = len(said) >= _SHORTEST_CUT_OFF and merged[said][0].endswith(CUT_OFF)
        if is_cut_off and following.startswith(said):
            del merged[said]


def _is_numbered(value: str) -> bool:
    return value[:1].isdigit() and _number.match(value) is not None


def _slug(path: str) -> set[str]:
    """The words of the last part of an address's path, but for numbers and codes."""
    last = _ENDING.sub("", path.rstrip("/").rpartition("/")[2])
    return {word for word in key(last.replace("_", " ")).split() if not _digit.search(word)}


def _shared(one: set[str], other: set[str]) -> float:
    return 2 * len(one & other) / (len(one) + len(other))


def _length(words: int) -> str:
    if words <= 2:
        return "1 words" if words <= 1 else "2 words"
    return "5 words" if words <= 5 else "15 words" if words <= 15 else "more words"
