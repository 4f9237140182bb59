"""XPath: parse expressions, evaluate them on a Tree, and write them.

A small, exact part of XPath 1.0 (W3C, 1999), the part that wrappers are written in. Each expression selects the same
nodes as in a browser or in lxml over the same document.

    paths       /html/body/div[2]   //div   ./p   .//p   .   several, joined by |
    tests       a tag, *, text(); last of all @name, whose results are strings
    predicates  [3]  [last()]  [position()=2]  [@id]  [@id='x']  [count(ancestor::*)=6]
                [td/a]  [.='x']  [preceding-sibling::dt[1]='x']
                contains(…, …)  starts-with(…, …)  concat(…, …)  normalize-space(…)  not(…)
                and  or  ( )  =  !=  <  <=  >  >=

Anything else raises a `UsageError` with its position. Two limits: a Tree has no comments, and in a browser (not in
lxml) the names `svg` and `math` select nothing. `make_portable_xpath` and `make_positional_xpath` avoid both.
"""

from __future__ import annotations

from duramen.xpath.evaluator import Expression, Index, compile, select, select_strings
from duramen.xpath.path_builder import (
    is_writable,
    looks_stable,
    make_class_test,
    make_portable_xpath,
    make_positional_xpath,
    make_step,
    quote_literal,
)
from duramen.xpath.predicates import read_beginning

__all__ = [
    "Expression",
    "Index",
    "compile",
    "is_writable",
    "looks_stable",
    "make_class_test",
    "make_portable_xpath",
    "make_positional_xpath",
    "make_step",
    "quote_literal",
    "read_beginning",
    "select",
    "select_strings",
]
