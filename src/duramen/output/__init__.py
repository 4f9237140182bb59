"""The ways to write kept nodes: plain text, Markdown, HTML and XML.

All of them write the same blocks (`blocks.py`), so they agree on what is a paragraph, a list or a table, on what is
invisible, and on every word.
"""

from __future__ import annotations

from duramen.output.html import write_html
from duramen.output.markdown import write_markdown
from duramen.output.options import Options
from duramen.output.text import write_text
from duramen.output.xml import legal_xml, write_xml, xml_body

__all__ = ["Options", "legal_xml", "write_html", "write_markdown", "write_text", "write_xml", "xml_body"]
