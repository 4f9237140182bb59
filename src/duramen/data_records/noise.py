"""Noise in records: buttons, menus and sharing links that every record repeats, and that belong to no column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

MIN_NOISE_SHARE: Final = 0.8
"""Share of the values that must be words of the interface."""
MAX_INTERFACE_CHARS: Final = 40

_INTERFACE_TEXTS: Final = frozenset(
    """
    add to cart|add to basket|add to bag|add to wishlist|add to wish list|add to favorites|add to compare|compare|buy|buy
    now|buy it now|shop now|order|order now|quick view|quick look|view|view all|view more|view details|view product|see
    more|see all|see details|show more|show less|show|hide|more|more info|more information|more details|learn more|read
    more|continue reading|read full story|full story|details|info|select options|choose options|options|select|choose|
    edit|delete|remove|cancel|save|restore|undelete|undo|submit|send|close|open|apply|ok|reply|quote|multiquote|report|
    report abuse|report post|flag|share|share this|tweet|pin|pin it|like|dislike|unlike|follow|unfollow|subscribe|
    unsubscribe|permalink|link|copy link|print|email|e-mail|download|upload|login|log in|sign in|sign up|register|vote|
    vote up|vote down|up|down|upvote|downvote|accept|ignore|block|message|send message|pm|private message|contact|
    contact us|call|call now|book|book now|reserve|get directions|directions|map|view map|cached|similar|similar pages|
    translate this page|next|previous|prev|back|top|go to top|back to top|expand|collapse|hide replies|show replies|
    view replies|bookmark|favorite|favourite|watch|star|unstar|sponsor|sponsored|ad|ads|advertisement|promoted|new|sale|
    hot|mehr|weiterlesen|mehr erfahren|mehr lesen|details ansehen|in den warenkorb|warenkorb|merken|antworten|zitieren|
    melden|teilen|drucken|lire la suite|en savoir plus|voir plus|voir|plus|ajouter au panier|répondre|citer|partager|
    leer más|ver más|más|más información|añadir al carrito|comprar|responder|citar|compartir|leggi tutto|scopri di più|
    aggiungi al carrello|rispondi|condividi|ler mais|saiba mais|adicionar ao carrinho|lees meer|meer|bekijk|delen|
    подробнее|ещё|еще|в корзину|купить|ответить|цитировать|поделиться|więcej|czytaj więcej|do koszyka|zobacz|více|
    もっと見る|続きを読む|返信|更多|回复|分享|查看详情|加入购物车|view profile|profile|go|click here|here|rss|pdf|html|
    advertisement feature|load more|remind me|set reminder|notify me|request info|request quote|get quote|apply now|
    easy apply|save job|not interested|hide this job|skip|play|pause|mute|watch now|listen|listen now|play now|zoom|
    enlarge|enlarge image|click to enlarge|top rated|best seller|bestseller|mark as read|mark read|select all|actions|
    action|menu|toggle|toggle dropdown|toggle navigation|settings|manage|hide post|give award|award|crosspost|schedule|send email|translate|sharethis
    """.replace("\n", " ").split("|")
)
_INTERFACE: Final = frozenset(" ".join(text.split()) for text in _INTERFACE_TEXTS)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_ACTION_URL = re.compile(
    r"[/?&=._-](?:log-?in|sign-?in|sign-?up|register|sharer?|intent/tweet|pin/create|reply|newreply|quote|report|"
    r"add-?to-?(?:cart|basket|wishlist|compare)|addtocart|cart|basket|wishlist|edit|delete|print|posting|vote)\b"
    r"|(?:wa\.me|whatsapp:|t\.me/share|mailto:\?)",
    re.IGNORECASE,
)


def is_interface_text(text: str) -> bool:
    """True for the text of a button or a menu: "Add to cart", "Reply", "+ More"."""
    if len(text) > MAX_INTERFACE_CHARS:
        return False
    return all(_EDGES.sub("", " ".join(line.split()).casefold()) in _INTERFACE for line in text.split("\n"))


def are_interface_texts(values: Sequence[str]) -> bool:
    """True if nearly all values are texts of buttons, or have no letters and digits at all."""
    noise = sum(is_interface_text(value) or not any(map(str.isalnum, value)) for value in values)
    return noise >= MIN_NOISE_SHARE * len(values)


def are_action_urls(urls: Sequence[str]) -> bool:
    """True if nearly all links do something (log in, reply, share), instead of leading to the record."""
    return sum(_ACTION_URL.search(url) is not None for url in urls) >= MIN_NOISE_SHARE * len(urls)


def is_constant(values: Sequence[str]) -> bool:
    """True if all values are the same, but for an ending of the plural: "vote", "votes"."""
    first = values[0].casefold()
    if all(value == values[0] for value in values):
        return True
    stem = first.rstrip("s")
    return len(first) <= MAX_INTERFACE_CHARS and all(value.casefold().rstrip("s") == stem for value in values)
