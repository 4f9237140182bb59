"""Find the formulas of a page, and the TeX of each.

Generators write one formula in several ways at once: MathML for screen readers, spans or a drawing for the eye, the
TeX in an annotation, a script or an attribute. The sources are read in the order of trust; each is assigned to the
outermost element that belongs to the formula, and the first source for an element counts.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import chain
from typing import Final, NamedTuple

from duramen.dom.lexbor import WordFlags
from duramen.dom.tree import TEXT, Tree
from duramen.structure.asciimath import asciimath_to_tex
from duramen.structure.drawn_formulas import read_spans
from duramen.structure.formula_images import is_tex_description, may_be_formulas, read_image_url
from duramen.structure.latexml_equations import join_equations
from duramen.structure.mathjax import read_drawn_formula
from duramen.structure.mathml import mathml_to_tex
from duramen.structure.tex_source import clean_tex, is_plausible, looks_like_tex
from duramen.structure.text_formulas import has_math_library


class Formula(NamedTuple):
    """A formula of the page."""

    node: int
    """The element that the formula replaces, with its whole subtree."""
    tex: str
    """TeX without delimiters."""
    is_display: bool


# Elements around the source of a formula that belong to it.
_WRAPPER_TAGS: Final = frozenset(("mjx-container", "mjx-assistive-mml", "mjx-math", "math-renderer"))
_WRAPPER_CLASSES: Final = frozenset(
    "katex katex-mathml katex-display katex--inline katex--display katex-inline katex-block MathJax MathJax_Display"
    " MathJax_SVG MathJax_SVG_Display MathJax_CHTML MathJax_MathML MJX_Assistive_MathML mjx-chtml MJXc-display"
    " mwe-math-element mwe-math-mathml-inline mwe-math-mathml-display mwe-math-mathml-a11y hurmet-tex ztext-math"
    " ql-formula".split()
)
_LOOSE_WRAPPER_CLASSES: Final = frozenset(("math-inline", "math-block", "math-display", "arithmatex"))
"""Classes of elements that belong to a formula if they hold nothing else."""
_MAX_WRAPPERS: Final = 6
_DISPLAY_CLASSES: Final = frozenset(
    "katex-display katex--display katex-block MathJax_Display MathJax_SVG_Display MJXc-display math-block math-display"
    " mwe-math-element-block mwe-math-mathml-display mwe-math-fallback-image-display mwe-math-fallback-png-display"
    " ql-img-displayed-formula ql-img-displayed-equation js-display-math display displaymath display_math ltx_equation"
    " tml-display".split()
)

# What MathJax 2 shows, before the script with the source.
_PREVIEW: Final = "MathJax_Preview"
_FRAME_CLASSES: Final = frozenset(
    "MathJax MathJax_Display MathJax_SVG MathJax_SVG_Display MathJax_CHTML MathJax_MathML MathJax_PHTML mjx-chtml"
    " MJXc-display MathJax_Error".split()
)

_FLAT_MATHML: Final = "katex-mathml"
"""On pages of CSDN its MathML has lost its tags: only the text of the symbols and of the annotation is left."""
_SPAN_CLASSES: Final = frozenset((_PREVIEW, _FLAT_MATHML, "katex-html", "MathJax"))
_BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")

# Elements whose text is TeX, with or without delimiters.
_RAW_TAGS: Final = ("math-renderer", "d-math", "math-field", "tex-math")
_RAW_CLASSES: Final = frozenset(
    "math maths math-container math-tex math-inline math-block math-display arithmatex tex latex katex katex-inline"
    " katex-block katex-display js-render-math language-math inline-math display-math inlineMath displaymath stemblock"
    " mathjax-latex ql-formula kdmath".split()
)
_MAX_RAW_NODES: Final = 40
"""Nodes of an element whose text is read as TeX. Drawings of formulas have many more."""
_RAW_MARKUP: Final = frozenset((TEXT, "br", "wbr", "span", "p", "code"))
_CODE_CLASSES: Final = frozenset(("js-render-math", "language-math", "math", "math-inline", "math-display"))

# Elements with TeX in an attribute. The names of the first group are used for TeX alone.
_TEX_ATTRIBUTES: Final = ("data-tex", "data-latex", "data-katex", "data-asciimath")
_OTHER_ATTRIBUTES: Final = ("data-math", "data-formula", "data-expr", "data-equation", "data-value", "data-entry")
_MATHML_ATTRIBUTE: Final = "data-mathml"
_DATA_ATTRIBUTES: Final = frozenset((*_TEX_ATTRIBUTES, *_OTHER_ATTRIBUTES, _MATHML_ATTRIBUTE))
_SUBSTACK_CLASS: Final = "latex-rendered"
_SUBSTACK_ATTRIBUTE: Final = "data-attrs"
_SUBSTACK_KEY: Final = "persistentExpression"
"""Boxes of Substack are empty: their TeX is in a JSON object in an attribute."""
_BLOCK_TYPES: Final = ("block-math", "blockMath", "math-block", "mathBlock")
"""Values of `data-type` for displayed formulas in editors that are built on ProseMirror."""
_NOT_TEX: Final = frozenset("true false yes no on off inline block display auto none null undefined".split())
_MATH_WORDS: Final = WordFlags(
    dict.fromkeys(
        "katex math maths mathjax tex latex arithmatex formula equation eqn equationgroup hurmet kdmath".split(), 1
    )
)
_MATH_TAGS: Final = ("math", "mml:math", "m:math")
_MARKED_TAGS: Final = ("span", "div", "code", "pre", "table", "mjx-math", "amp-mathml")
_BLOCKS: Final = frozenset(("p", "div", "dd", "center", "figure"))
_INLINE_WRAPPERS: Final = frozenset(("span", "a", "b", "i", "em", "strong"))
_MAX_NODES_BESIDE: Final = 8
"""Nodes beside a formula in its block that are looked at, to see whether it stands alone."""


def find_formulas(tree: Tree, within: range | None = None) -> dict[int, Formula]:
    """Return the formulas of a page by their elements, in document order. None is inside another."""
    finder = _Finder(tree, within)
    finder.find()
    if not finder.found:
        return {}
    formulas: dict[int, Formula] = {}
    stop = 0
    for node in sorted({*finder.found, *finder.copies}):
        if node >= stop:
            if node not in finder.copies and node not in tree.hidden:
                formulas[node] = finder.found[node]
            stop = tree.end[node]
    return formulas


def find_formula_copies(tree: Tree) -> set[int]:
    """Return the elements that only repeat a formula beside them: previews of MathJax 2, and its scripts."""
    copies = {copy for _, _, copies in _find_scripts(tree) for copy in copies}
    spans = tree.find_all("span")
    for preview, _ in tree.attribute_values_containing(_PREVIEW, "class", spans):
        after = tree.end[preview]
        if after < len(tree) and tree.parent[after] == tree.parent[preview]:
            if not _FRAME_CLASSES.isdisjoint((tree.attributes[after].get("class") or "").split()):
                copies.add(preview)
    return copies


def _find_scripts(tree: Tree) -> Iterator[tuple[int, int, list[int]]]:
    """Yield the scripts of MathJax 2: the script, the element to replace, and the other elements of the formula."""
    nodes = tree.find_all("script")
    types = zip(nodes, tree.attribute_values("type", nodes), strict=True)
    scripts = {node for node, type_ in types if type_ and type_.strip().lower().startswith("math/")}
    for parent in {tree.parent[script]: None for script in scripts}:
        preview = frame = -1
        for child in tree.children(parent):
            if child in scripts:
                shown = frame if frame >= 0 and tree.end[frame] > frame + 1 else child
                yield child, shown, [node for node in (preview, frame, child) if node >= 0 and node != shown]
                preview = frame = -1
            elif tree.tag[child] == TEXT:
                if not tree.text[child].isspace():
                    preview = frame = -1
            else:
                classes = (tree.attributes[child].get("class") or "").split()
                if _PREVIEW in classes:
                    preview, frame = child, -1
                elif not _FRAME_CLASSES.isdisjoint(classes) or tree.tag[child] == "math":
                    preview, frame = (preview, child) if frame < 0 else (-1, child)
                else:
                    preview = frame = -1


class _Finder:
    """Collects the formulas of one page, from the most trusted source to the least."""

    def __init__(self, tree: Tree, within: range | None) -> None:
        self.tree = tree
        self.within = within
        self.found: dict[int, Formula] = {}
        self.copies: set[int] = set()

    def find(self) -> None:
        tree = self.tree
        maths = self._find_outermost_maths()
        marked, flags = self._find_marked()
        self._read_annotations(maths)
        self._read_scripts()
        self._read_alternative_texts(maths)
        self._read_data_attributes([node for node, flag in zip(marked, flags, strict=True) if flag & 2])
        self._read_json_attributes()
        self._read_images(tree.find_all("img", self.within))
        for tag in _RAW_TAGS:
            marked += tree.find_all(tag)
        self._read_raw_elements(sorted(marked))
        self._read_variables()
        for node in maths:
            root, is_display = self._climb(node)
            if root not in self.found:
                self._add(root, mathml_to_tex(tree, node), is_display or self._is_block_math(node))
        self._read_drawn_formulas()
        self._read_spans(marked)
        if maths:
            self._join_equations(marked)

    def _join_equations(self, marked: list[int]) -> None:
        sources = {node: formula.tex for node, formula in self.found.items()}
        for row, tex in join_equations(self.tree, marked, sources).items():
            self.found[row] = Formula(row, tex, True)

    def _find_marked(self) -> tuple[list[int], list[int]]:
        """Return elements with a class of formulas or with TeX in an attribute, and the flags of each."""
        tree = self.tree
        nodes = [node for tag in ("span", "mjx-math", "amp-mathml") for node in tree.find_all(tag, self.within)]
        marked, flags = tree.find_marked(frozenset(), _MATH_WORDS, _flag_data_attribute, nodes)
        if marked or tree.find_all("math") or has_math_library(tree):  # few pages
            nodes = [node for tag in _MARKED_TAGS for node in tree.find_all(tag, self.within)]
            marked, flags = tree.find_marked(frozenset(), _MATH_WORDS, _flag_data_attribute, sorted(nodes))
        return marked, flags

    def _find_outermost_maths(self) -> list[int]:
        nodes = []
        stop = 0
        for node in sorted(chain.from_iterable(map(self.tree.find_all, _MATH_TAGS))):
            if node >= stop:
                nodes.append(node)
                stop = self.tree.end[node]
        return nodes

    def _classes(self, node: int) -> frozenset[str]:
        return frozenset((self.tree.attributes[node].get("class") or "").split())

    def _climb(self, node: int) -> tuple[int, bool]:
        """Return the outermost element that belongs to a formula, and whether one on the way says it is displayed."""
        tree = self.tree
        root = node
        is_display = self._says_display(root)
        for _ in range(_MAX_WRAPPERS):
            parent = tree.parent[root]
            if parent <= tree.body:
                break
            if tree.tag[parent] not in _WRAPPER_TAGS:
                classes = self._classes(parent)
                if classes.isdisjoint(_WRAPPER_CLASSES):
                    if classes.isdisjoint(_LOOSE_WRAPPER_CLASSES) or not self._holds_only(parent, root):
                        break
            root = parent
            is_display = is_display or self._says_display(root)
        return root, is_display

    def _says_display(self, node: int) -> bool:
        attributes = self.tree.attributes[node]
        classes = (attributes.get("class") or "").split()
        if not _DISPLAY_CLASSES.isdisjoint(classes):
            return True
        if self.tree.tag[node] == "div" and ("arithmatex" in classes or "math" in classes):
            return True
        if (attributes.get("display") or "").lower() in ("block", "true"):
            return True
        display = (attributes.get("data-display") or attributes.get("data-math-style") or "").lower()
        return display in ("block", "true", "display") or attributes.get("data-eeimg") == "2"

    def _is_block_math(self, node: int) -> bool:
        attributes = self.tree.attributes[node]
        return "block" in (attributes.get("display") or "").lower() or attributes.get("mode") == "display"

    def _add(self, root: int, source: str, is_display: bool, *, may_be_alone: bool = False) -> None:
        """Add a formula unless its element has one."""
        if root in self.found:
            return
        tex, delimiters, has_display_style = clean_tex(source)
        if tex.endswith("\\\\") and not tex.endswith("\\\\\\\\"):  # the mark of a displayed formula at Zhihu
            tex, is_display = tex[:-2].rstrip(), True
        if not tex:
            return
        if not is_display and delimiters is None and (may_be_alone or has_display_style):
            is_display = self._is_alone(root)
        self.found[root] = Formula(root, tex, is_display or bool(delimiters))

    def _is_alone(self, node: int) -> bool:
        """Return whether an element is all that its block holds."""
        tree = self.tree
        block = tree.parent[node]
        while tree.tag[block] not in _BLOCKS:
            if tree.tag[block] not in _INLINE_WRAPPERS or not self._holds_only(block, node):
                return False
            block = tree.parent[block]
        return self._holds_only(block, node)

    def _holds_only(self, block: int, node: int) -> bool:
        """Return whether an element holds no text, image or formula but those of a node inside it."""
        tree = self.tree
        if tree.end[block] - block - (tree.end[node] - node) > _MAX_NODES_BESIDE:
            return False
        others = (*range(block + 1, node), *range(tree.end[node], tree.end[block]))
        return all(not tree.text[other].strip() and tree.tag[other] not in ("img", "math") for other in others)

    # The sources, in the order of trust.

    def _read_annotations(self, maths: list[int]) -> None:
        tree = self.tree
        annotations = tree.find_all("annotation")
        encodings = tree.attribute_values("encoding", annotations)
        index = 0
        for node in maths:
            while index < len(annotations) and annotations[index] < node:
                index += 1
            while index < len(annotations) and annotations[index] < tree.end[node]:
                at, encoding = annotations[index], (encodings[index] or "").lower()
                index += 1
                # An unescaped `<` in an annotation makes elements of the rest, and the TeX is lost.
                if "tex" in encoding and all(tag == TEXT for tag in tree.tag[at + 1 : tree.end[at]]):
                    root, is_display = self._climb(node)
                    is_wiki = "mwe-math-element" in self._classes(root)
                    text = "".join(tree.text[at + 1 : tree.end[at]])
                    self._add(root, text, is_display or self._is_block_math(node), may_be_alone=is_wiki)

    def _read_scripts(self) -> None:
        tree = self.tree
        for script, shown, copies in _find_scripts(tree):
            self.copies.update(copies)
            kind = (tree.attributes[script].get("type") or "").strip().lower()
            text = tree.text[script + 1] if tree.end[script] > script + 1 else ""
            is_display = "mode=display" in kind.replace(" ", "")
            if kind.startswith("math/tex"):
                self._add(shown, text, is_display)
            elif kind.startswith("math/asciimath"):
                self._add(shown, asciimath_to_tex(text), is_display)
            elif kind.startswith("math/mml"):
                tex, is_block = _convert_markup(text)
                self._add(shown, tex, is_display or is_block)

    def _read_alternative_texts(self, maths: list[int]) -> None:
        for node, text in zip(maths, self.tree.attribute_values("alttext", maths), strict=True):
            if text and text.strip() and (looks_like_tex(text) or is_plausible(text)):
                root, is_display = self._climb(node)
                is_wiki = "mwe-math-element" in self._classes(root)
                self._add(root, text, is_display or self._is_block_math(node), may_be_alone=is_wiki)

    def _read_data_attributes(self, marked: list[int]) -> None:
        tree = self.tree
        stop = 0
        for node in marked:
            if node < stop:
                continue
            attributes = tree.attributes[node]
            source = next(filter(None, (attributes.get(name) for name in _TEX_ATTRIBUTES[:-1])), "")
            if not source.strip() or source.strip().lower() in _NOT_TEX:
                source = asciimath_to_tex(attributes.get("data-asciimath") or "")
            if not source:
                source = next(filter(None, (attributes.get(name) for name in _OTHER_ATTRIBUTES)), "")
                if not self._is_data_tex(node, source):
                    source = ""
            is_block = False
            if not source and "<math" in (attributes.get(_MATHML_ATTRIBUTE) or ""):
                source, is_block = _convert_markup(attributes.get(_MATHML_ATTRIBUTE) or "")
            if source:
                root, is_display = self._climb(node)
                is_block = is_block or attributes.get("data-type") in _BLOCK_TYPES
                self._add(root, source, is_display or is_block)
                stop = tree.end[node]

    def _read_json_attributes(self) -> None:
        tree = self.tree
        boxes = tree.find_all("div", self.within)
        for node, _ in tree.attribute_values_containing(_SUBSTACK_CLASS, "class", boxes):
            try:
                values = json.loads(tree.attributes[node].get(_SUBSTACK_ATTRIBUTE) or "null")
            except (ValueError, RecursionError):
                continue  # cut off, or not written by Substack
            source = values.get(_SUBSTACK_KEY) if isinstance(values, dict) else None
            if isinstance(source, str):
                self._add(node, source, True)

    def _is_data_tex(self, node: int, source: str) -> bool:
        """Return whether an attribute that may hold anything holds TeX."""
        if not source.strip() or source.strip().lower() in _NOT_TEX:
            return False
        classes = self.tree.attributes[node].get("class") or ""
        return looks_like_tex(source) or (_MATH_WORDS.find(classes) != 0 and is_plausible(source))

    def _read_images(self, images: list[int]) -> None:
        tree = self.tree
        values = [tree.attribute_values(name, images) for name in ("src", "data-src", "alt", "class")]
        if not may_be_formulas(chain.from_iterable(values)):
            return
        for node, url, late_url, description, classes in zip(images, *values, strict=True):
            source = (url and read_image_url(url)) or (late_url and read_image_url(late_url))
            if not source and description and is_tex_description(description, classes or ""):
                source = description
            if source:
                root, is_display = self._climb(node)
                is_display = is_display or tree.attributes[node].get("eeimg") == "2"
                self._add(root, source, is_display, may_be_alone=True)

    def _read_variables(self) -> None:
        """Read `var` elements as TeX where one has a command of TeX: AtCoder typesets them all."""
        tree = self.tree
        variables = [node for node in tree.find_all("var", self.within) if tree.end[node] == node + 2]
        if any("\\" in tree.text[node + 1] and looks_like_tex(tree.text[node + 1]) for node in variables):
            for node in variables:
                if is_plausible(tree.text[node + 1]):
                    self._add(node, tree.text[node + 1], False)

    def _read_drawn_formulas(self) -> None:
        """Read the formulas of which MathJax left nothing but the drawing."""
        tree = self.tree
        containers = tree.find_all("mjx-container", self.within)
        if not containers:
            return
        found = sorted(self.found)
        stop = 0
        for node in containers:
            at = bisect_left(found, node)
            if node >= stop and (at == len(found) or found[at] >= tree.end[node]):
                stop = tree.end[node]  # a container inside is a part of this formula
                root, is_display = self._climb(node)
                tex, _ = _convert_markup(read_drawn_formula(tree, node))
                self._add(root, tex, is_display)

    def _read_spans(self, marked: list[int]) -> None:
        """Read formulas of KaTeX and MathJax 2 that have spans or text, but no source."""
        tree = self.tree
        stop = 0
        for node in marked:
            classes = self._classes(node)
            if node < stop or classes.isdisjoint(_SPAN_CLASSES) or tree.tag[node] in ("code", "pre"):
                continue
            root, is_display = self._climb(node)
            if root in self.found or root in self.copies or node in self.found:
                continue
            if _PREVIEW in classes:
                tex = "".join(tree.text[node : tree.end[node]])
                tex = tex if is_plausible(tex) else ""
            elif _FLAT_MATHML in classes:
                tex = _read_flat_mathml("".join(tree.text[node : tree.end[node]]))
            else:
                tex, _ = _convert_markup(read_spans(tree, node))
            stop = tree.end[node]
            if tex:
                self._add(root, tex, is_display)
                stop = tree.end[root]
                if _PREVIEW in classes and (frame := self._find_frame(root)) >= 0:
                    self.found[frame] = self.found.pop(root)._replace(node=frame)
                    self.copies.add(root)
                    stop = tree.end[frame]

    def _find_frame(self, preview: int) -> int:
        """Return the drawing that stands right behind a preview of MathJax 2, or −1."""
        after = self.tree.end[preview]
        if after >= len(self.tree) or self.tree.parent[after] != self.tree.parent[preview]:
            return -1
        return -1 if self._classes(after).isdisjoint(_FRAME_CLASSES) else after

    def _read_raw_elements(self, marked: list[int]) -> None:
        """Read elements that hold nothing but TeX, which a script of the page would typeset."""
        tree = self.tree
        stop = 0
        for node in marked:
            if node < stop or tree.end[node] - node > _MAX_RAW_NODES:
                continue
            classes = self._classes(node)
            is_raw_tag = tree.tag[node] in _RAW_TAGS
            if not is_raw_tag and classes.isdisjoint(_RAW_CLASSES):
                continue
            if tree.tag[node] in ("code", "pre") and classes.isdisjoint(_CODE_CLASSES):
                continue
            source, number = self._read_raw_text(node)
            if source is None or not source.strip():
                continue
            tex, delimiters, _ = clean_tex(source)
            if delimiters is None and not is_raw_tag and not is_plausible(source):
                continue
            if delimiters is None and ("\\(" in tex or "\\[" in tex or "$" in tex.replace("\\$", "")):
                continue  # prose with formulas in it
            is_display = bool(delimiters) if delimiters is not None else self._says_display(node)
            if delimiters is None:
                is_display = is_display or tree.tag[node] == "pre" or "block" in tree.attributes[node]
            tag = f" \\tag{{{number}}}" if number and "\\tag" not in tex else ""
            self._add(node, tex + tag, is_display)
            stop = tree.end[node]

    def _read_raw_text(self, node: int) -> tuple[str | None, str]:
        """Return the text of an element, and its equation number; None if there is markup that TeX cannot have."""
        tree = self.tree
        pieces = []
        number = ""
        at = node + 1
        while at < tree.end[node]:
            tag = tree.tag[at]
            if tag == TEXT:
                pieces.append(tree.text[at])
            elif tag not in _RAW_MARKUP:
                return None, ""
            elif tag == "br":
                pieces.append("\n")
            elif tag == "span":
                if "eqno" not in self._classes(at):
                    return None, ""
                number = tree.text[at + 1].strip().strip("()") if tree.end[at] > at + 1 else ""
                at = tree.end[at]
                continue
            at += 1
        return "".join(pieces), number


def _read_flat_mathml(text: str) -> str:
    """Return the TeX at the end of the text of MathML that has lost its tags.

    Blank lines separate it from the symbols.
    """
    pieces = [piece for piece in _BLANK_LINES.split(text.strip()) if piece.strip()]
    return pieces[-1] if len(pieces) > 1 else ""


def _flag_data_attribute(name: str) -> int:
    return 2 if name in _DATA_ATTRIBUTES else 0


def _convert_markup(markup: str) -> tuple[str, bool]:
    """Return the TeX of MathML in a string, and whether it is displayed."""
    tree = Tree.parse(markup)
    maths = tree.find_all("math")
    if not maths:
        return "", False
    return mathml_to_tex(tree, maths[0]), tree.attributes[maths[0]].get("display") == "block"
