"""Writers of kept nodes: plain text, Markdown, HTML and XML.

All writers take the same blocks (`build.py`). So they agree on paragraphs, lists and tables, on what is invisible, and
on every word.
"""

from __future__ import annotations

from duramen.output.figures import add_media
from duramen.output.html import write_html
from duramen.output.markdown import write_markdown
from duramen.output.options import TABLE_FORMATS, OutputOptions, check_table_format
from duramen.output.text import write_text, write_texts
from duramen.output.xml import build_xml_body, write_xml

__all__ = [
    "TABLE_FORMATS",
    "OutputOptions",
    "add_media",
    "build_xml_body",
    "check_table_format",
    "write_html",
    "write_markdown",
    "write_text",
    "write_texts",
    "write_xml",
]
