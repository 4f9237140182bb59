"""Comments: what readers wrote under a page, each with its author, its date, its text, and what it replies to."""

from __future__ import annotations

from duramen.comments.comment import Comment
from duramen.comments.finding import find_comments
from duramen.comments.writing import add_comments

__all__ = ["Comment", "add_comments", "find_comments"]
