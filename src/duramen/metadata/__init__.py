"""Metadata of a page: title, authors, dates and other fields, each with its source and confidence.

    metadata = duramen.extract(html).metadata
    metadata.title, metadata.authors, metadata.published
    metadata.evidence("published")       # FieldValue(value, source, confidence)

How a field gets its value:

    sources/       1. Each source reads the page and makes claims (`Claim`): `<meta>`, JSON-LD, bylines, the URL, …
    shortcuts      2. If claims of the head agree, their value is the answer.
    title          3. Else claims with the same meaning become a candidate (`Candidate`) with evidence: the names of
    authors           its places and of its relations to other candidates.
    dates
    scoring        4. The candidate with the highest sum of learned weights (`weights`) is the answer, with its
                      probability as the confidence; no answer if that is too low.
    other_fields   Fields without scoring: the first source in a fixed order.
    metadata       `Metadata`, which does this for each field on first use.

`author_names`, `duramen.dom.text` and `duramen.dom.dates` read the values; `serialize` writes the result.
"""

from __future__ import annotations

from duramen.metadata.images import Image
from duramen.metadata.language_detection import detect_language
from duramen.metadata.metadata import Metadata
from duramen.metadata.model import Author, FieldValue

__all__ = ["Author", "FieldValue", "Image", "Metadata", "detect_language"]
