"""The inspector: one HTML report that shows a page, what was kept and dropped of it, and why.

    sanitize        the page without scripts and without requests, its blocks marked
    css             style sheets without requests
    report          the data of a report, and the HTML file
    output_lines    text, Markdown and HTML of a content, each line with its block
    comparison      the text of another method, a peer, a wrapper or the gold, by blocks
    server          `duramen inspect --serve`

`template.html` and `inspector.js` are the page of the report; they use no library.
"""

from duramen.inspector.report import InspectOptions, make_report

__all__ = ["InspectOptions", "make_report"]
