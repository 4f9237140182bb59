"""What is asked of every character of a string: as tables and expressions ask it, and in one pass where compiled."""

from __future__ import annotations

from typing import Final

LOWER_WORDS: Final = bytes([ord(chr(code).lower()) if chr(code).isalnum() or code == 95 else 32 for code in range(128)])
"""Of each ASCII character what stands for it in a key (`strings.key`): itself in lower case, or a space."""
_TABLE: Final = LOWER_WORDS * 2  # to translate bytes is five times as quick as a string


def ascii_key(value: str) -> str:
    """The words of a value of ASCII in lower case, with one space between them."""
    said = value.encode("ascii").translate(_TABLE).decode()
    is_spaced = "  " in said or said[:1] == " " or said[-1:] == " "
    return " ".join(said.split()) if is_spaced else said


def is_tidy(value: str) -> bool:
    """Whether a reader sees every character as it stands, and no space stands at the ends or beside another.

    It may be so where this says no: to tell it takes Python longer than to tidy the value.
    """
    return False
