"""Reader comments of a page: each with its author, its date, its text, and the comment it replies to."""

from __future__ import annotations

from duramen.comments.finder import find_comments
from duramen.comments.model import Comment
from duramen.comments.serialize import add_comments

__all__ = ["Comment", "add_comments", "find_comments"]
