"""The label at the start of a note, which the writers put before the note themselves."""

from __future__ import annotations

import re

from duramen.output.elements import ATOMIC, CODE
from duramen.output.model import OutputBlock


def remove_label(block: OutputBlock, label: str) -> OutputBlock:
    """Return the first block of a note without its label.

    Examples: "1. As in …", "[1] As in …", "* As in …"; ". As in …", where only the end of a label is left.

    A number or a letter alone may be the first word of the note, so that it needs a bracket or a full stop.
    """
    mark = re.escape(label)
    end = r"[\])）〕】]\s*[.:]?|[.:、]\s" if label[-1:].isalnum() else r"[\])）.:]?"
    pattern = re.compile(rf"\s*(?:[\[(（〔【]?\s*{mark}\s*(?:{end})|[.:)\]]\s)\s*(?=\S)")
    if block.runs:
        first = block.runs[0]
        if first.image_url is None and not first.marks & (ATOMIC | CODE) and (match := pattern.match(first.text)):
            return block._replace(runs=[first._replace(text=first.text[match.end() :]), *block.runs[1:]])
    elif match := pattern.match(block.text):
        return block._replace(text=block.text[match.end() :])
    return block
