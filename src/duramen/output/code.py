"""The language of a piece of code, where the page says it."""

from __future__ import annotations

import re

from duramen.dom.tree import Tree

# `language-x` is what HTML recommends; `lang-x` is Prettify's, `highlight-source-x` GitHub's, `brush: x` an old one.
_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|brush:\s*)([A-Za-z0-9_+#.-]+)")


def code_language(tree: Tree, node: int) -> str:
    """The name of the language of the code in a `pre`, or "": said on it, right inside it or close around it."""
    near = [node]
    inside = next((child for child in tree.children(node) if tree.tag[child] == "code"), None)
    if inside is not None:
        near.append(inside)
    for around in tree.ancestors(node):
        near.append(around)
        if len(near) > 3 or tree.tag[around] not in ("div", "figure", "section"):
            break
    for place in near:
        found = _LANGUAGE.search(tree.attributes[place].get("class") or "")
        if found:
            return found[1]
    return ""
