"""Pages and trees for the tests of the default extractor."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st

from duramen.dom import blocks
from duramen.dom.blocks import Blocks
from duramen.dom.tree import Tree
from duramen.methods.auto.boosted_trees import BoostedTrees

DICTIONARY = {"<p>": 9, "<nav>": -30, "<div>": -2, "comment": -25, "post": 20, "body": 7, "role=main": 12, "side": -8}

NEWS = """<!doctype html><title>The oak and the storm</title><meta name=description
content="Half of the crown lay in the garden after the storm, and the wood was kept.">
<body class=post><nav class=side-menu><ul><li><a href=/>Home</a><li><a href=/n>News</a><li><a href=/s>Sport</a></ul>
</nav><div class="post-body" role=main><h1>The oak and the storm</h1>
<p>Half of the crown lay in the garden after the storm, and the wood was kept. It was <b>dried</b> for two years, and
then a table was made of it, which stands in the hall.
<p>Nobody <a href=/r>remembers</a> who planted it.<img src=a.png></div>
<div class=commentList><div class=comment>Nice!</div><div class=comment>So true, 10 of 10.</div>
<div class=comment>Home</div></div>"""

PAGES = [
    "",
    "plain",
    NEWS,
    "<p>One<br><br>two<br>three <b>four</b></p>five<div hidden>six</div><script>seven</script>",
    "<table><tr><td>a<td>b<tr><td>c<td><ul><li>d<li>e</ul></table>",
    "<p>中文，没有空格。</p><p>かな and words</p><p>ไทย</p><p>Слово, и ещё слово.</p><p>Ⅷ İstanbul ΣΑΣ</p>",
    "<div>" * 300 + "deep" + "<p>x" * 30,
    "<frameset><frame></frameset>",
]


def made_pages() -> st.SearchStrategy[str]:
    """Generate pages: unclosed, nested, hidden, linked."""
    tags = "div p ul li table tr td h1 h2 b a span article nav section br blockquote".split()
    pieces = [f"<{tag}>" for tag in tags] + [f"</{tag}>" for tag in tags]
    pieces += ["word ", "Two words, ", "3. ", "字", " ", "<div hidden>", "<img>", "<div class='post-body x'>", "<hr>"]
    pieces += [
        "<div class=comment>",
        "<p class=commentList id=Side>",
        "<div role=main itemprop=Post>",
        "<script>s</script>",
    ]
    return st.lists(
        st.sampled_from([*pieces, "a run of words that is as long as a paragraph has to be to count as one. "]),
        max_size=40,
    ).map("".join)


def blocks_of(html: str) -> Blocks:
    return blocks.find_blocks(Tree.parse(html))


def trees_of(*trees: Any) -> BoostedTrees:
    """Make trees from numbers (leaves) and tuples: feature, threshold, left, right."""
    parts: dict[str, list[Any]] = {part: [] for part in ("root", "feature", "threshold", "left", "right", "value")}

    def write(tree: Any) -> int:
        if not isinstance(tree, tuple):
            parts["value"].append(tree)
            return -len(parts["value"])
        node = len(parts["feature"])
        parts["feature"].append(tree[0])
        parts["threshold"].append(tree[1])
        parts["left"].append(0)
        parts["right"].append(0)
        parts["left"][node] = write(tree[2])
        parts["right"][node] = write(tree[3])
        return node

    parts["root"] = [write(tree) for tree in trees]
    kinds = {"threshold": np.float64, "value": np.float64}
    return BoostedTrees(**{part: np.array(found, kinds.get(part, np.int32)) for part, found in parts.items()})
