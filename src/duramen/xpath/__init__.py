"""Expressions that say where a node stands: made, read and evaluated on a Tree.

A small, exact part of XPath 1.0 (W3C, 1999), the part that wrappers are written in. Each expression selects the same
nodes as in a browser or in lxml over the same document.

    paths       /html/body/div[2]   //div   ./p   .//p   .   several, joined by |
    tests       a tag, *, text(); last of all @name, whose results are strings
    predicates  [3]  [last()]  [position()=2]  [@id]  [@id='x']  [count(ancestor::*)=6]
                [td/a]  [.='x']  [preceding-sibling::dt[1]='x']
                contains(…, …)  starts-with(…, …)  concat(…, …)  normalize-space(…)  not(…)
                and  or  ( )  =  !=  <  <=  >  >=

Anything else is a `UsageError` that says where. Two things to know: comments are no part of a Tree, and in a browser
(not in lxml) the name of a drawing or a formula selects nothing, `//svg` for one. What `portable` and `positional`
write keeps clear of both.
"""

from __future__ import annotations

from duramen.xpath.building import by_attributes, class_token, is_writable, literal, positional
from duramen.xpath.expression import Expression, compile, select, strings
from duramen.xpath.index import Index
from duramen.xpath.naming import looks_stable, portable
from duramen.xpath.terms import beginning_of

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
