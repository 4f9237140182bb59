"""Expressions select the same nodes in Chromium as on a tree.

The page holds a script that evaluates the expressions by `document.evaluate` and writes the numbers of the nodes it
finds into the page; Chromium prints the page and ends. No driver is needed.
"""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from duramen.dom.tree import Tree
from duramen.xpath import make_portable_xpath, make_positional_xpath, select

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)

PAGE = """<!doctype html><html lang=en id=root><head><meta charset=utf-8><title>t</title></head><body class="home">
<!-- a comment parts the texts around it --><div id=top>one<!-- here too -->two<a href=/>x</a></div>
<div id=wrap><div class="post story"><h1>t</h1><p>1<p class="lead  first">2 <b>b</b> <i>i</i><p>3</div>
<div class="post storyline"><p hidden>4</p><p data-n=2>5</p></div><div class="teaser&#10;story">6</div></div>
<div itemprop=articleBody id="it's &quot;it&quot;"><span>7</span><span title="">8</span></div>
<svg><g><a id=z>9</a></g></svg><o:p>10</o:p><x-y>11</x-y><div id=post-48151><em>12</em><em>13</em></div>
<table id=t><tr><td>14<td>15<tr><td>16<table><tr><td>17</table></table>
<math><mi>x</mi></math><template><p>18</p></template><ul><li>19<li>20<ul><li>21</ul></ul></body></html>"""

EXPRESSIONS = [
    "/html/body/div[2]/div",
    "//p",
    "//p[1]",
    "//p[last()]",
    "//p[position() = 2]",
    "//p[position() < last()]",
    "//div//p[2]",
    "//*[3]",
    "//*[@id]",
    "//*[@id][1]",
    "//p[@hidden]",
    "//p[@hidden='']",
    "//p[not(@hidden)][2]",
    "//span[@title='']",
    "//p[@data-n=2]",
    "//p[@data-n > 1]",
    "//p[not(0 < '1e3')]",
    "//div[contains(@class, 'story')]",
    "//div[contains(concat(' ', normalize-space(@class), ' '), ' story ')]",
    "//p[contains(concat(' ', normalize-space(@class), ' '), ' first ')]",
    "//div[starts-with(@id, 'post-')]",
    "//div[@id=concat('it', \"'\", 's \"it\"')]",
    "//div[@id='top' or @id='wrap' and @class]",
    "//div[(@id='top' or @id='wrap') and not(@class)]",
    "//*[count(ancestor::*)=4]",
    "//text()[2]",
    "//li//text()",
    "//b | //i | //h1 | //b",
    "//tr[2]/td",
    "//table[@id='t']//tr[1]",
    "./body/ul",
    ".//li",
    "//x-y",
]

SCRIPT = """<script id=script>
const script = document.getElementById("script"), nodes = new Map(), found = [];
script.remove();
const walk = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
for (let node = walk.root; node; node = walk.nextNode()) nodes.set(node, nodes.size);
for (const expression of EXPRESSIONS) {
  const result = document.evaluate(expression, document.documentElement, null, 7, null), numbers = [];
  for (let i = 0; i < result.snapshotLength; i++) numbers.push(nodes.get(result.snapshotItem(i)));
  found.push(numbers);
}
document.body.innerHTML = "<pre>" + JSON.stringify(found) + "</pre>";
</script></body>"""


def evaluate(page: str, expressions: list[str], folder: Path) -> list[list[int]]:
    """What each expression selects in Chromium: the numbers of elements and texts in document order."""
    script = SCRIPT.replace("EXPRESSIONS", json.dumps(expressions).replace("<", "\\u003c"))
    file = folder / "page.html"
    file.write_text(page.replace("</body>", script), "utf-8")
    command = [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}"]
    command += ["--virtual-time-budget=10000", "--dump-dom", file.as_uri()]
    shown = subprocess.run(command, capture_output=True, timeout=60, check=True).stdout.decode()
    written = re.search("<pre>(.*)</pre>", shown, re.DOTALL)
    assert written, shown
    found: list[list[int]] = json.loads(html.unescape(written[1]))
    return found


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: install Debian's package 'chromium'")
def test_chromium_selects_the_same_nodes(tmp_path: Path) -> None:
    tree = Tree.parse(PAGE)
    nodes = range(len(tree))
    written = [make_portable_xpath(tree, node) for node in nodes] + [
        make_positional_xpath(tree, node) for node in nodes
    ]
    *found, drawing = evaluate(PAGE, [*EXPRESSIONS, *written, "//svg"], tmp_path)
    wanted = {expression: select(tree, expression) for expression in EXPRESSIONS}
    assert dict(zip(EXPRESSIONS, found, strict=False)) == wanted
    assert all(wanted.values()), "an expression that selects nothing tests little"
    assert found[len(EXPRESSIONS) :] == [[node] for node in nodes] * 2
    assert drawing == [], "browsers find drawings by name now: they need no `*` any more"
