"""What a page says of itself: title, authors, dates and the rest, each with where it came from and how sure it is.

    metadata = duramen.extract(html).metadata
    metadata.title, metadata.authors, metadata.published
    metadata.how("published")       # Found(value, source, confidence)

A file a source: `meta` (Open Graph, Dublin Core, Twitter, `citation_*`, plain names), `json_ld`, `microdata` (and
RDFa), `microformats` (hAtom, h-entry, and names of classes), `relations`, `times`, `bylines` (and datelines),
`addresses`, `scripts`. Each makes *claims*; `agreement` says where the head's are enough, `signs` puts together those
that mean the same, and `choosing` chooses. `described` reads whole items (`items`) and entries (`entries`) of the body
for the fields on which the head is silent.
"""

from __future__ import annotations

from duramen.metadata.claims import Author, Found
from duramen.metadata.images import Image
from duramen.metadata.language import detect_language
from duramen.metadata.reading import Metadata

__all__ = ["Author", "Found", "Image", "Metadata", "detect_language"]
