"""The title: split titles into parts, remove the site's name, and make candidates with evidence.

The sources of the title differ. `<title>` and `og:title` are written for search engines and previews, and often have
the name of the site before or after the title, behind a separator. The first heading may be a slogan or the site's
logo. If they disagree, other places support one of them: the URL, links to the page, and breadcrumbs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Final, NamedTuple

from duramen.dom.text import count_key_words, word_key
from duramen.metadata.model import NO_NODE, Candidate, Claim, PageContext
from duramen.metadata.sources.links import NO_LINKED_NAMES, LinkedNames

# Parts of a title

_SEPARATOR = re.compile(r"\s+[|–—\-·•:»«/~<>\\]++\s+|\s*[|»›｜]\s*|:\s+|[-_](?=[一-鿿])|(?<=[一-鿿])[-_]")
_SEPARATOR_CHAR = re.compile(r"[-|–—·•:»«/~<>\\›｜_]")
_PERMALINK_SIGNS: Final = "¶#§\uf0c1"
# What a template writes before a title: a label, a number of new messages, a separator.
_TEMPLATE_PREFIX = re.compile(r"(?:title\s*:\s*|\(\d{1,2}\+?\)\s+|[/|»•·>-]+\s+)(?=\w)", re.IGNORECASE)
_HOME_KEYS: Final = frozenset(
    "home;homepage;home page;main page;index;welcome;startseite;accueil;inicio;главная;首页".split(";")
)
"""Titles of pages without a name of their own."""
SECTION_KEYS: Final = frozenset(
    "menu;main menu;navigation;search;newsletter;newsletters;comments;share;share this;advertisement;sign in;log in"
    ";subscribe;follow us;related;related articles;related news;related posts;related stories;most read;most popular"
    ";相关新闻;相关阅读;相關新聞;热门新闻;推荐阅读;评论;похожие новости;читайте также;комментарии;powiązane"
    ";czytaj także;najczęściej czytane;σχετικά άρθρα;διαβάστε επίσης;σχόλια".split(";")
)
"""Headings of page sections. They are not titles of a page."""
_FORUM_LABELS: Final = frozenset(
    ("view topic", "view thread", "view single post", "thema anzeigen", "voir le sujet", "ver tema", "zobacz temat")
)
"""What forum software writes before the name of a thread."""
_MAX_LABEL_CHARS: Final = 20
_MAX_SITE_NAME_WORDS: Final = 5


class TitlePart(NamedTuple):
    start: int
    end: int
    separator: str
    """The separator between this part and the next; '' after the last."""


@lru_cache(maxsize=128)  # the same title is in many places of a page
def split_title(title: str) -> Sequence[TitlePart]:
    """Split a title at its separators."""
    if not has_separator(title):
        return [TitlePart(0, len(title), "")] if title else []
    parts: list[TitlePart] = []
    start = 0
    for match in _SEPARATOR.finditer(title):
        if match.start() > start:
            parts.append(TitlePart(start, match.start(), match[0].strip()))
        start = match.end()
    if start < len(title):
        parts.append(TitlePart(start, len(title), ""))
    return parts


def has_separator(title: str) -> bool:
    """Return False if the title has no character of a separator, so that it is one part."""
    return _SEPARATOR_CHAR.search(title) is not None


@lru_cache(maxsize=128)
def drop_site_name(title: str, site_names: tuple[str, ...], brand: str) -> str:
    """Return the title without the site's name at its ends; unchanged if nothing else would remain."""
    parts = split_title(title)
    if len(parts) < 2:
        return title
    texts = [title[part.start : part.end] for part in parts]
    first, last = 0, len(parts)
    for index in range(last - 1):
        if _is_label(texts[index], _FORUM_LABELS):
            first = index + 1
    if last - first > 1 and parts[first].separator[:1] != ":" and _is_label(texts[first], _HOME_KEYS):
        first += 1
    if last - first > 1 and parts[last - 2].separator[:1] != ":" and _is_label(texts[last - 1], _HOME_KEYS):
        last -= 1
    while last - first > 1 and is_site_name(texts[last - 1], site_names, brand):
        last -= 1
    while last - first > 1 and is_site_name(texts[first], site_names, brand):
        first += 1
    return title[parts[first].start : parts[last - 1].end] if last - first < len(parts) else title


def _is_label(text: str, labels: frozenset[str]) -> bool:
    return len(text) <= _MAX_LABEL_CHARS and word_key(text) in labels


def drop_template_prefix(title: str) -> str:
    """Return the title without what a template writes before it: "Title: Oaks", "(3) Oaks", "/ Oaks"."""
    match = _TEMPLATE_PREFIX.match(title)
    return title[match.end() :] if match else title


def drop_permalink_sign(heading: str) -> str:
    """Return the text of a heading without the sign of a link to itself."""
    return heading.rstrip(_PERMALINK_SIGNS).rstrip() if heading[-1:] in _PERMALINK_SIGNS else heading


def is_site_name(text: str, site_names: Sequence[str], brand: str) -> bool:
    """Return whether a text is the name of the site."""
    return is_site_key(word_key(text), site_names, brand)


def is_site_key(key: str, site_names: Sequence[str], brand: str) -> bool:
    """Return whether a word key is that of the site's name: a given name, the brand, or its initials."""
    if not key:
        return True
    joined, word_count = key.replace(" ", ""), key.count(" ") + 1
    if any(word_key(name).replace(" ", "") == joined for name in site_names):
        return True
    if len(brand) < 2:
        return False
    if joined == brand or (len(joined) >= 3 and brand.startswith(joined)):
        return True
    if 1 < word_count == len(brand) and "".join([word[0] for word in key.split()]) == brand:
        return True
    return len(brand) >= 3 and brand in joined and word_count <= _MAX_SITE_NAME_WORDS


def title_similarity(first: str, second: str) -> float:
    """Return the Dice coefficient of the words of two titles, 0 to 1; repeated words count as often."""
    first_words, second_words = word_key(first).split(), word_key(second).split()
    unmatched: dict[str, int] = {}
    for word in second_words:
        unmatched[word] = unmatched.get(word, 0) + 1
    shared = 0
    for word in first_words:
        if unmatched.get(word):
            unmatched[word] -= 1
            shared += 1
    total = len(first_words) + len(second_words)
    return 2 * shared / total if total else 0.0


# Candidates

TRUNCATION_MARKS: Final = ("...", "…")
"""The end of a title that was cut off."""
_MIN_TRUNCATED_CHARS: Final = 12
_SOURCES_WITH_SITE_NAME: Final = frozenset(("title", "open-graph"))
_TOP_SHARE: Final = 0.1
"""The share of a page's nodes that is its top. Logos are there, and few headlines."""
_MIN_SIMILARITY: Final = 0.3
_MIN_HEADING_SIMILARITY: Final = 0.5
_MAX_NUMBERED_HEADINGS: Final = 2
"""If more headings begin with a number, they are the items of a list."""
_FILE_EXTENSION = re.compile(r"\.[a-z]{2,5}$")
_DIGIT = re.compile(r"\d")
_NUMBER_PREFIX = re.compile(r"\d+[.)]?\s")


@dataclass
class _TitleDraft:
    """A candidate while claims are still added to it."""

    value: str
    evidence: set[str] = field(default_factory=set)
    sources: dict[str, None] = field(default_factory=dict)
    heading_nodes: list[int] = field(default_factory=list)


_Drafts = dict[str, _TitleDraft]
"""Drafts by the word key of their value."""


def title_candidates(
    claims: list[Claim], context: PageContext, linked_names: LinkedNames = NO_LINKED_NAMES
) -> list[Candidate[str]]:
    """Make the candidates for the title from the claims of `<title>`, headings and the head, with their evidence."""
    drafts, whole_keys, heading_keys = _draft_candidates(claims, context)
    renamed = _merge_differently_spaced(drafts)
    if renamed:
        heading_keys = [renamed.get(key, key) for key in heading_keys]
        whole_keys = {source: renamed.get(key, key) for source, key in whole_keys.items()}
    _drop_truncated(drafts)
    numbered_headings = [draft for draft in drafts.values() if draft.heading_nodes and _is_numbered(draft.value)]
    is_numbered_list = len(numbered_headings) > _MAX_NUMBERED_HEADINGS
    words_of_whole = {key: set(key.split()) for key in whole_keys.values()}
    heading_words = [set(key.split()) for key in heading_keys]
    slug_words = _read_slug_words(context.url_path)
    linked = [(name, keys) for name, keys in linked_names._asdict().items() if keys & drafts.keys()]
    candidates = []
    for key, draft in drafts.items():
        words, evidence = set(key.split()), draft.evidence
        for source, whole_key in whole_keys.items():
            if whole_key == key:
                continue
            if f" {key} " in f" {whole_key} ":
                evidence.add(f"starts {source}" if whole_key.startswith(key) else f"in {source}")
            elif _dice(words, words_of_whole[whole_key]) < _MIN_SIMILARITY:
                evidence.add(f"heading unlike {source}" if draft.heading_nodes else f"unlike {source}")
        if key in heading_keys:
            is_first = heading_keys[0] == key
            evidence.add("only h1" if len(heading_keys) == 1 else "first h1" if is_first else "later h1")
            evidence.add(f"h1 of {context.page_kind}")
        elif heading_keys:
            similarity = max(_dice(words, other) for other in heading_words)
            evidence.add("like h1" if similarity >= _MIN_HEADING_SIMILARITY else "unlike h1")
        if draft.heading_nodes:
            if draft.heading_nodes[0] < _TOP_SHARE * context.node_count:
                evidence.add("heading at the top")
        elif len(words) > 1 and "title first part" not in evidence and len(split_title(draft.value)) > 1:
            evidence.add("has separator")
        evidence.add(_length_feature(len(words) if key.isascii() else count_key_words(key)))
        if slug_words:
            evidence.add(f"{round(4 * _dice(words, slug_words))} quarters of slug")
        for name, keys in linked:
            evidence.add(f"in {name}" if key in keys else f"not in {name}")
        if context.url_path == "/":
            evidence.add("home h1" if key in heading_keys else "home")
            is_whole = key in whole_keys.values()
            evidence.add("home whole" if is_whole else "home heading" if draft.heading_nodes else "home part")
        if is_numbered_list and _is_numbered(draft.value):
            evidence.add("numbered")
        if is_site_key(key, context.site_names, context.brand):
            evidence.add("site")
        if key not in SECTION_KEYS or len(drafts) == 1:
            node = draft.heading_nodes[0] if draft.heading_nodes else NO_NODE
            candidates.append(Candidate(draft.value, evidence, tuple(draft.sources), node))
    return candidates


def _draft_candidates(claims: list[Claim], context: PageContext) -> tuple[_Drafts, dict[str, str], list[str]]:
    """Draft the candidates: each claim without the site's name, whole, and up to its first separator.

    Return also the word keys of whole titles by source, and the word keys of the `<h1>` elements.
    """
    drafts: _Drafts = {}
    whole_keys: dict[str, str] = {}
    heading_keys: list[str] = []
    for claim in claims:
        source = claim.source
        whole = drop_template_prefix(claim.value)
        bare = drop_site_name(whole, context.site_names, context.brand)
        bare_key, whole_key = word_key(bare), word_key(whole)
        _add_draft(drafts, bare_key, bare, f"{source} {claim.detail}" if claim.detail else source, claim)
        if source in _SOURCES_WITH_SITE_NAME:
            whole_keys.setdefault(source, whole_key)
            parts = split_title(bare)
            if len(parts) > 1:
                first = bare[parts[0].start : parts[0].end]
                draft = _add_draft(drafts, word_key(first), first, f"{source} first part", claim)
                if draft is not None:  # what follows a colon usually belongs to the title
                    is_colon = parts[0].separator[:1] == ":"
                    draft.evidence.add("cut at a colon" if is_colon else "cut at a separator")
        elif claim.detail == "h1":
            heading_keys.append(bare_key)
        if bare != whole:
            _add_draft(drafts, whole_key, whole, f"{source} whole", claim)
    return drafts, whole_keys, heading_keys


def _add_draft(drafts: _Drafts, key: str, value: str, feature: str, claim: Claim) -> _TitleDraft | None:
    """Add a value to its draft; return None for a value without words."""
    if not key:
        return None
    draft = drafts.setdefault(key, _TitleDraft(value))
    draft.evidence.add(feature)
    draft.sources[claim.source] = None
    if claim.source == "heading":
        draft.heading_nodes.append(claim.node)
    return draft


def _merge_differently_spaced(drafts: _Drafts) -> dict[str, str]:
    """Merge drafts that differ only in spaces, and return the new key of each merged one.

    The words of a heading may be separated by style sheets only. The draft with the most spaces is kept.
    """
    longest: dict[str, str] = {}
    for key in drafts:
        joined = key.replace(" ", "")
        if joined not in longest or len(longest[joined]) < len(key):
            longest[joined] = key
    renamed = {key: best for key in drafts if (best := longest[key.replace(" ", "")]) != key}
    for key, kept_key in renamed.items():
        merged, kept = drafts.pop(key), drafts[kept_key]
        kept.evidence |= merged.evidence
        kept.sources |= merged.sources
        kept.heading_nodes += merged.heading_nodes
    return renamed


def _drop_truncated(drafts: _Drafts) -> None:
    """Drop the drafts that were cut off if another draft continues them: "Why old oaks fall…"."""
    if not any(draft.value.endswith(TRUNCATION_MARKS) for draft in drafts.values()):
        return
    for key, next_key in pairwise(sorted(drafts)):
        is_truncated = len(key) >= _MIN_TRUNCATED_CHARS and drafts[key].value.endswith(TRUNCATION_MARKS)
        if is_truncated and next_key.startswith(key):
            del drafts[key]


def _is_numbered(value: str) -> bool:
    return _NUMBER_PREFIX.match(value) is not None


def _read_slug_words(path: str) -> set[str]:
    """Return the words of the last segment of a URL's path, without numbers and codes."""
    slug = _FILE_EXTENSION.sub("", path.rstrip("/").rpartition("/")[2])
    return {word for word in word_key(slug.replace("_", " ")).split() if not _DIGIT.search(word)}


def _dice(first: set[str], second: set[str]) -> float:
    return 2 * len(first & second) / (len(first) + len(second))


def _length_feature(words: int) -> str:
    if words <= 2:
        return "1 words" if words <= 1 else "2 words"
    return "5 words" if words <= 5 else "15 words" if words <= 15 else "more words"
