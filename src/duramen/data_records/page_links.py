"""Links of a page as a whole: the URL that its relative links refer to, and the next page of its list."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import urlsplit

from duramen.dom.page import Page
from duramen.dom.text import read_text
from duramen.dom.tree import Tree
from duramen.dom.urls import join_url

MAX_LINK_CHARS: Final = 30
"""Length of the text of a link to the next page."""
MAX_PAGE_LINKS: Final = 20_000
_MAX_PAGER_DEPTH: Final = 5

_NEXT = re.compile(
    r"(?:(?:go to )?next(?: page| \d+)?(?: results?)?|older(?: posts| entries)?|more results|nächste(?: seite)?|weiter"
    r"|vor|suivante?s?|page suivante|siguientes?|próxima|próximo|avanti|successiv[ao]|pagina successiva|volgende|nästa"
    r"|næste|neste|seuraava|następna|dalej|další|következő|sonraki|следующая|далее|вперед|вперёд|επόμενη|下一页|下一頁|下页|次へ"
    r"|次のページ|다음|[›»→>]|>>|»»)",
    re.IGNORECASE,
)
_EDGES = re.compile(r"^[\s»›→>…|·\[\]()]+(?=\w)|(?<=\w)[\s»›→>…|·\[\]()]+$")
_PAGER_NAME = re.compile(r"pag(?:er|ing|inat|es|e-?n)|(?:^|[-_\s])nav", re.IGNORECASE)
_NEXT_CLASS = re.compile(r"(?:^|[-_\s])next(?:$|[-_\s])", re.IGNORECASE)
_DISABLED = re.compile(r"disabled|inactive", re.IGNORECASE)
_CURRENT = re.compile(r"(?:^|[-_\s])(?:current|active|selected|cur|on|here|this)(?:$|[-_\s])", re.IGNORECASE)
_PAGE_NUMBER = re.compile(r"\d{1,4}")


def find_base_url(page: Page) -> str | None:
    """The URL that relative links refer to: from the page's URL, `<base>`, or what the page says about its address."""
    if page.base and page.base.startswith("http"):
        return page.base
    address = find_address(page)
    return join_url(address, page.base) if page.base and address else page.base or address


def find_address(page: Page) -> str | None:
    """The URL of a page: the given one, else that of `<link rel=canonical>` or of `og:url`."""
    if page.url:
        return page.url
    tree = page.tree
    for node in tree.find_all("link"):
        attributes = tree.attributes[node]
        if "canonical" in (attributes.get("rel") or "").lower().split() and _is_absolute(attributes.get("href")):
            return (attributes.get("href") or "").strip()
    for node in tree.find_all("meta"):
        attributes = tree.attributes[node]
        if (attributes.get("property") or attributes.get("name") or "").lower() == "og:url":
            if _is_absolute(attributes.get("content")):
                return (attributes.get("content") or "").strip()
    return None


def _is_absolute(url: str | None) -> bool:
    return (url or "").strip().lower().startswith(("http://", "https://"))


def find_next_page(page: Page) -> str | None:
    """The URL of the next page of a list; None if the page has no link to one.

    A link with `rel=next`, else one whose text or label is a word for "next", else the number after the current one in
    a row of page numbers. The URL has the host of the page.
    """
    tree, base = page.tree, find_base_url(page)
    for tag in ("link", "a"):
        for node in tree.find_all(tag)[:MAX_PAGE_LINKS]:
            if "next" in (tree.attributes[node].get("rel") or "").lower().split():
                if url := _resolve(page, base, tree.attributes[node].get("href")):
                    return url
    named: list[tuple[int, int, str]] = []
    numbered: dict[int, str] = {}
    for node in tree.find_all("a")[:MAX_PAGE_LINKS]:
        attributes = tree.attributes[node]
        url = _resolve(page, base, attributes.get("href"))
        if url is None:
            continue
        text = " ".join(read_text(tree, node, max_chars=MAX_LINK_CHARS + 1).split())
        labels = (text, attributes.get("aria-label") or "", attributes.get("title") or "")
        is_next = any(len(label) <= MAX_LINK_CHARS and _is_next(label) for label in labels)
        has_class = _NEXT_CLASS.search(attributes.get("class") or "") is not None
        if is_next or has_class or _PAGE_NUMBER.fullmatch(text):
            is_in_pager = _is_in_pager(tree, node)
            if (is_next or has_class) and (is_in_pager or (is_next and text[:1].isalpha())):
                if not _DISABLED.search(attributes.get("class") or ""):
                    named.append((-(2 * is_in_pager + is_next), node, url))
            elif is_in_pager and _PAGE_NUMBER.fullmatch(text):
                numbered.setdefault(int(text), url)
    if named:
        return min(named)[2]
    current = _find_current_number(tree) if numbered else None
    return numbered.get(current + 1) if current is not None else None


def _is_next(label: str) -> bool:
    return _NEXT.fullmatch(_EDGES.sub("", label.strip())) is not None


def _resolve(page: Page, base: str | None, href: str | None) -> str | None:
    """The absolute URL of another page of the same host; a relative URL, if the page has no address."""
    href = (href or "").strip()
    if not href or href.startswith(("#", "javascript:", "mailto:", "tel:", "data:")):
        return None
    url = join_url(base, href)
    if url is None:
        return None
    try:
        parts, here = urlsplit(url), urlsplit(base or "")
    except ValueError:  # "http://[broken"
        return None
    if here.hostname and parts.hostname != here.hostname:
        return None
    own = find_address(page)
    if own and url.partition("#")[0] == own.partition("#")[0]:
        return None
    return None if parts.hostname and parts.path in ("", "/") and not parts.query else url  # the home page


def _is_in_pager(tree: Tree, node: int) -> bool:
    """True if an element near the link is named as a row of page numbers."""
    for depth, above in enumerate(tree.ancestors_or_self(node)):
        if depth > _MAX_PAGER_DEPTH:
            break
        attributes = tree.attributes[above]
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''} {attributes.get('aria-label') or ''}"
        if _PAGER_NAME.search(names):
            return True
    return False


def _find_current_number(tree: Tree) -> int | None:
    """The number of the current page in a row of page numbers."""
    for tag in ("a", "span", "li", "strong", "b", "em", "button"):
        for node in tree.find_all(tag)[:MAX_PAGE_LINKS]:
            if tree.end[node] - node > 4:
                continue
            attributes = tree.attributes[node]
            is_current = (
                attributes.get("aria-current") in ("page", "true")
                or _CURRENT.search(attributes.get("class") or "") is not None
                or (tag in ("strong", "b", "em") and tree.tag[tree.parent[node]] != "a")
            )
            text = read_text(tree, node, max_chars=8).strip() if is_current else ""
            if _PAGE_NUMBER.fullmatch(text) and _is_in_pager(tree, node):
                return int(text)
    return None
