"""Superscripts and subscripts as Unicode characters: x², H₂O."""

from __future__ import annotations

import re
from typing import Final

_SUPERSCRIPTS: Final = dict(
    zip("0123456789+-−=()abcdefghijklmnoprstuvwxyz", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻ", strict=True)
)
_SUBSCRIPTS: Final = dict(zip("0123456789+-−=()aeioruvxhjklmnpst", "₀₁₂₃₄₅₆₇₈₉₊₋₋₌₍₎ₐₑᵢₒᵣᵤᵥₓₕⱼₖₗₘₙₚₛₜ", strict=True))

_MAX_CHARS: Final = 12
_ORDINAL = re.compile(r"(?:st|nd|rd|th|er|ère|re|e|ème|eme|o|a|os|as|º|ª|tm|sm|®|©|™|℠)\.?\Z", re.IGNORECASE)


def raise_text(text: str) -> str | None:
    """Return a text in superscript characters; None if there are none for it.

    Words stay words: characters exist for many letters, but nobody searches for "ˢᵗ". A single letter is an exponent.
    """
    return _convert(text, _SUPERSCRIPTS)


def lower_text(text: str) -> str | None:
    """Return a text in subscript characters; None if there are none for it."""
    return _convert(text, _SUBSCRIPTS)


def is_plain_superscript(text: str) -> bool:
    """Return whether a superscript is read as part of its word: the ending of an ordinal number, a trademark sign."""
    return _ORDINAL.match(text) is not None


def _convert(text: str, characters: dict[str, str]) -> str | None:
    if not text or len(text) > _MAX_CHARS or (len(text) > 1 and any(map(str.isalpha, text))):
        return None
    converted = [characters.get(character) for character in text]
    return None if None in converted else "".join(filter(None, converted))
