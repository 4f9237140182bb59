"""XPath: parse expressions, evaluate them on a Tree, and write them.

A small, exact part of XPath 1.0 (W3C, 1999), the part that wrappers are written in. Each expression selects the same
nodes as in a browser or in lxml over the same document.

    paths       /html/body/div[2]   //div   ./p   .//p   .   several, joined by |
    tests       a tag, *, text(); last of all @name, whose results are strings
    predicates  [3]  [last()]  [position()=2]  [@id]  [@id='x']  [count(ancestor::*)=6]
                [td/a]  [.='x']  [preceding-sibling::dt[1]='x']
                contains(…, …)  starts-with(…, …)  concat(…, …)  normalize-space(…)  not(…)
                and  or  ( )  =  !=  <  <=  >  >=

Anything else is a `UsageError` that says where. Two limits: a Tree has no comments, and in a browser (not in lxml) the
names `svg` and `math` select nothing. What `portable` and `positional` write avoids both.
"""

from __future__ import annotations

from duramen.xpath.build import by_attributes, class_token, is_writable, literal, looks_stable, portable, positional
from duramen.xpath.evaluate import Expression, Index, compile, select, strings
from duramen.xpath.predicates import beginning_of

__all__ = [
    "Expression",
    "Index",
    "beginning_of",
    "by_attributes",
    "class_token",
    "compile",
    "is_writable",
    "literal",
    "looks_stable",
    "portable",
    "positional",
    "select",
    "strings",
]
