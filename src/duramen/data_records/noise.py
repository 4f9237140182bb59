"""Noise in records: buttons, menus and sharing links that every record repeats, and that belong to no column."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from duramen.data_records.values import do_most_pass

MIN_NOISE_SHARE: Final = 0.8
"""Share of the values that must be words of the interface."""
MAX_INTERFACE_CHARS: Final = 40

_INTERFACE_TEXTS: Final = frozenset(
    """
    accept|action|actions|ad|add to bag|add to basket|add to cart|add to compare|add to favorites|
    add to wish list|add to wishlist|adicionar ao carrinho|ads|advertisement|advertisement feature|
    aggiungi al carrello|ajouter au panier|antworten|apply|apply now|award|añadir al carrito|back|
    back to top|bekijk|best seller|bestseller|block|book|book now|bookmark|buy|buy it now|buy now|cached|
    call|call now|cancel|choose|choose options|citar|citer|click here|click to enlarge|close|collapse|
    compare|compartir|comprar|condividi|contact|contact us|continue reading|copy link|crosspost|
    czytaj więcej|delen|delete|details|details ansehen|directions|dislike|do koszyka|down|download|
    downvote|drucken|e-mail|easy apply|edit|email|en savoir plus|enlarge|enlarge image|expand|favorite|
    favourite|flag|follow|full story|get directions|get quote|give award|go|go to top|here|hide|
    hide post|hide replies|hide this job|hot|html|ignore|in den warenkorb|info|learn more|leer más|
    lees meer|leggi tutto|ler mais|like|link|lire la suite|listen|listen now|load more|log in|login|
    manage|map|mark as read|mark read|meer|mehr|mehr erfahren|mehr lesen|melden|menu|merken|message|
    more|more details|more info|more information|multiquote|mute|más|más información|new|next|
    not interested|notify me|ok|open|options|order|order now|partager|pause|pdf|permalink|pin|pin it|
    play|play now|plus|pm|prev|previous|print|private message|profile|promoted|quick look|quick view|
    quote|read full story|read more|register|remind me|remove|reply|report|report abuse|report post|
    request info|request quote|reserve|responder|restore|rispondi|rss|répondre|saiba mais|sale|save|
    save job|schedule|scopri di più|see all|see details|see more|select|select all|select options|send|
    send email|send message|set reminder|settings|share|share this|sharethis|shop now|show|show less|
    show more|show replies|sign in|sign up|similar|similar pages|skip|sponsor|sponsored|star|submit|
    subscribe|teilen|toggle|toggle dropdown|toggle navigation|top|top rated|translate|translate this page|
    tweet|undelete|undo|unfollow|unlike|unstar|unsubscribe|up|upload|upvote|ver más|view|view all|
    view details|view map|view more|view product|view profile|view replies|voir|voir plus|vote|vote down|
    vote up|více|warenkorb|watch|watch now|weiterlesen|więcej|zitieren|zobacz|zoom|в корзину|еще|ещё|
    купить|ответить|поделиться|подробнее|цитировать|もっと見る|分享|加入购物车|回复|更多|查看详情|続きを読む|返信
    """.replace("\n", " ").split("|")
)
_INTERFACE: Final = frozenset(" ".join(text.split()) for text in _INTERFACE_TEXTS)
_EDGES = re.compile(r"^[\W_]+|[\W_]+$")
_ACTION_URL = re.compile(
    r"[/?&=._-](?:log-?in|sign-?in|sign-?up|register|sharer?|intent/tweet|pin/create|reply|newreply|compose|quote|report(?:-?(?:talk|post|comment|abuse|spam|ad)\w*)?|"
    r"add-?to-?(?:cart|basket|wishlist|compare)|addtocart|cart|basket|wishlist|edit|delete|print|posting|vote)\b"
    r"|(?:wa\.me|whatsapp:|t\.me/share|mailto:\?|//webcache\.googleusercontent\.|//translate\.google\.|[?&]q=related:)",
    re.IGNORECASE,
)


def is_interface_text(text: str) -> bool:
    """True for the text of a button or a menu: "Add to cart", "Reply", "+ More"."""
    if len(text) > MAX_INTERFACE_CHARS:
        return False
    return all(_EDGES.sub("", " ".join(line.split()).casefold()) in _INTERFACE for line in text.split("\n"))


def are_interface_texts(values: Sequence[str]) -> bool:
    """True if nearly all values are texts of buttons, or have no letters and digits at all."""
    return do_most_pass(_is_noise, values, MIN_NOISE_SHARE)


def _is_noise(value: str) -> bool:
    return is_interface_text(value) or not any(map(str.isalnum, value))


def are_action_urls(urls: Sequence[str]) -> bool:
    """True if nearly all links do something (log in, reply, share), instead of leading to the record."""
    return do_most_pass(lambda url: _ACTION_URL.search(url) is not None, urls, MIN_NOISE_SHARE)


def is_constant(values: Sequence[str]) -> bool:
    """True if all values are the same, but for an ending of the plural: "vote", "votes"."""
    first = values[0].casefold()
    if all(value == values[0] for value in values):
        return True
    stem = first.rstrip("s")
    return len(first) <= MAX_INTERFACE_CHARS and all(value.casefold().rstrip("s") == stem for value in values)
