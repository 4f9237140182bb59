"""What a page says of itself: title, authors, dates and the rest, each with where it came from and how sure it is."""

from __future__ import annotations

from duramen.metadata.reading import Metadata

__all__ = ["Metadata"]
