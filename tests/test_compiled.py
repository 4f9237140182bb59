"""Compiled modules give the same results as their Python source.

The results for a set of pages, ordinary and hostile, are computed here and in a process that hides the extensions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from array import array
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest

import duramen
from duramen.build_info import COMPILED_MODULES, describe_build
from duramen.dom import lexbor
from duramen.dom.page import Page
from duramen.dom.tree_queries import find_json_ld_elements, find_meta_elements, find_rel_links, select_css

TESTS = Path(__file__).parent

WORDS = lexbor.WordFlags({"post": 1, "author": 2, "byline": 4, "date": 8, "rel": 16})

HOSTILE = [
    "",
    "plain text\n\nand more",
    "<p>",
    "<frameset><frame src=a></frameset>",
    "<b>" * 4000 + "x",
    "<div>" * 4000 + "deep",
    "<p><b><i>" * 1200,
    "<table><tr><td>" * 300 + "cell",
    "<svg><foreignObject><p>in a drawing</p></foreignObject><linearGradient/><a xlink:href=b xml:lang=en>c</a></svg>",
    "<foreignobject>not in a drawing</foreignobject><lineargradient>",
    "<math><annotation-xml encoding='text/html'><p>in a formula</p></annotation-xml></math>",
    "<p hidden>a<p hidden=until-found>b<p style='DISPLAY : None'>c<p style=';visibility:hidden'>d<p style='none'>e",
    "<div hidden id=S:1f>streamed</div><div hidden id=S:x>hidden</div>",
    "<body style='display:none'><div hidden>" + "<p>nearly all text is hidden</p>" * 20 + "</div>",
    "<button aria-controls='a b'>open</button><div hidden id=a><p>answer</p></div><nav><p hidden id=b>menu</p></nav>",
    "<p class='postAuthor' id=byLine>a<p class='POSTauthor'>b<p class=é>c<p class='a-author_date'>d<p rel=author>e",
    f"<p class='{'x ' * 200}author'>long",
    "<p class>a<p class=''>b<p CLASS=c>d<p onclick='x' data-date='y'>e<my-tag id=f>g</my-tag>",
    "<template><p>inert</p></template><noscript><p>" + "without scripts " * 30 + "</p></noscript>",
    "<!-- a --><?b c?><p>\x00\ufffd\U0001f600 é&nbsp;&lt;&#0;</p><![CDATA[d]]>",
    '<script>var a = {"author": \'x\', \'Date\':1, "byline_": 2, "dаte": 3, "post\\": 4}</script><p>\u4e2d\u6587',
    "<meta name=author content=a><meta property=og:title name=title content=b><meta content=c><meta name=d>"
    "<link rel=CANONICAL href=/e><link rel='image_src' href=f><a rel='tag' href=g>h</a><a rel=nofollow href=i>j</a>"
    '<script type=\'application/LD+JSON\'>{"@type": "Article", "headline": "k"}</script>',
    "<title/><script/>" + "<p>swallowed</p>" * 200,
]


def read_pages() -> list[str | bytes]:
    return [*HOSTILE, *(path.read_bytes() for path in sorted(TESTS.glob("pages/*/page.html")))]


def describe_page(html: str | bytes) -> dict[str, object]:
    """Return everything that a compiled module has a part in, as JSON."""
    page = Page.parse(html)
    tree = page.tree
    nodes = [node for node, tag in enumerate(tree.tag) if tag != "#text"]
    combinations, which = tree.attribute_combinations(("class", "id", "role"), array("q", nodes))
    content = duramen.extract(page)
    return {
        "arrays": [tree.tag, tree.parent, tree.end, tree.text, tree.depth],
        "text nodes": tree.text_nodes,
        "attributes": list(tree.attributes),
        "values": [tree.attribute_values(name, nodes) for name in ("class", "href", "xlink:href", "viewbox")],
        "combinations": [combinations, list(which)],
        "hidden": sorted(tree.hidden),
        "marked": tree.find_marked(frozenset(["p", "time"]), WORDS, lambda name: 32 * (name == "data-date")),
        "flags": [WORDS.find(value) for value in tree.attribute_values("class", nodes) if value],
        "quoted": [lexbor.find_quoted(text, WORDS) for text in tree.text if text],
        "described": [
            find_meta_elements(tree),
            find_rel_links(tree, "link"),
            find_rel_links(tree, "a"),
            find_json_ld_elements(tree),
        ],
        "tags": [tree.find_all(tag) for tag in ("p", "a", "foreignObject", "foreignobject", "my-tag")],
        "css": [select_css(tree, selector) for selector in ("p", "[class]", "div > p:first-child")],
        "output": [content.to(name, links=True, images=True) for name in ("text", "markdown", "html", "xml")],
        "metadata": content.metadata.as_dict(),
    }


def write_descriptions(path: str) -> None:
    results = {"build": describe_loaded(), "pages": [describe_page(html) for html in read_pages()]}
    Path(path).write_text(json.dumps(results, default=str), "utf-8")


def describe_loaded() -> list[str]:
    """Return the compiled modules that are loaded as extensions."""
    return [
        name for name in COMPILED_MODULES if name in sys.modules and not str(sys.modules[name].__file__).endswith(".py")
    ]


def test_compiled_modules_give_the_results_of_their_source(tmp_path: Path) -> None:
    if describe_build() == "pure Python":
        pytest.skip("no module is compiled: run `make compile`")
    for arguments in (["compiled.json"], ["pure.json"]):
        command = [sys.executable, *(["-m", "tests.run_pure"] if arguments == ["pure.json"] else []), __file__]
        subprocess.run([*command, str(tmp_path / arguments[0])], check=True, cwd=TESTS.parent)
    compiled, pure = (json.loads((tmp_path / name).read_text("utf-8")) for name in ("compiled.json", "pure.json"))
    assert compiled["build"]
    assert not pure["build"]
    for number, (one, other) in enumerate(zip(compiled["pages"], pure["pages"], strict=True)):
        for name in one:
            assert one[name] == other[name], f"{name} of page {number}"


DRAWINGS = "foreignObject linearGradient clipPath textPath feBlend animateMotion".split()


@pytest.mark.parametrize("is_pure", [False, True], ids=["compiled", "pure"])
@pytest.mark.parametrize("is_drawing_first", [False, True])
def test_names_of_tags_do_not_depend_on_pages_read_before(is_pure: bool, is_drawing_first: bool) -> None:
    code = """
import json, sys
from duramen import Page
print(json.dumps([Page.parse(html).tree.tag[-1] for html in json.loads(sys.argv[1])]))
"""
    pairs = [[f"<{name.lower()}>", f"<svg><{name}>"] for name in DRAWINGS]
    pages = [html for pair in pairs for html in (reversed(pair) if is_drawing_first else pair)] * 2
    hide = "from tests.run_pure import hide_extensions\nhide_extensions()\n" if is_pure else ""
    command = [sys.executable, "-c", hide + code, json.dumps(pages)]
    printed = subprocess.run(command, check=True, capture_output=True, cwd=TESTS.parent).stdout
    assert json.loads(printed) == [html.rpartition("<")[2][:-1] for html in pages]


def test_every_compiled_module_has_a_source() -> None:
    for name in COMPILED_MODULES:
        path = Path(str(import_module("duramen").__file__)).parents[1].joinpath(*name.split("."))
        assert path.with_suffix(".pyx").exists() or path.with_suffix(".py").exists()


def test_a_library_without_the_functions_of_lexbor_gives_a_warning_and_the_plain_path(tmp_path: Path) -> None:
    code = """
import sys, warnings
from importlib.abc import Loader, MetaPathFinder
from importlib.util import spec_from_loader

class Failing(Loader, MetaPathFinder):
    def find_spec(self, name, path, target=None):
        return spec_from_loader(name, self) if name == "duramen.dom._lexbor" else None
    def exec_module(self, module):
        raise ImportError("the library of selectolax does not export lxb_dom_node_next_noi")

sys.meta_path.insert(0, Failing())
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import duramen
    print(duramen.Page.parse("<p>text</p>").tree.tag)
print([str(warning.message) for warning in caught if warning.category is RuntimeWarning])
"""
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    tags, messages = printed.splitlines()
    assert tags == "['html', 'head', 'body', 'p', '#text']"
    assert messages.count("slower Python code, because the library of selectolax does not export") == 1


@pytest.mark.skipif(sys.platform == "win32", reason="Windows cannot fork")
def test_an_installation_without_extensions_says_once_that_it_is_slower() -> None:
    code = """
import multiprocessing
from tests.run_pure import hide_extensions

def read():
    hide_extensions()
    import duramen
    duramen.Page.parse("<p>text</p>")
    duramen.Page.parse("<p>more text</p>")

if __name__ == "__main__":
    worker = multiprocessing.get_context("fork").Process(target=read)
    worker.start()
    worker.join()
    assert worker.exitcode == 0
    read()
"""
    command = [sys.executable, "-c", code]
    printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=TESTS.parent).stderr
    assert printed.count("slower Python code, because it was installed without a C compiler") == 1


def test_the_version_without_extensions_has_no_warning_besides_its_sentence() -> None:
    code = """
from tests.run_pure import hide_extensions
hide_extensions()
from duramen import build_info
from duramen.cli import main

def describe_build():  # the real one asks for extensions, and hide_extensions refuses the question
    import duramen.dom.lexbor
    return "pure Python"

build_info.describe_build = describe_build
main(["--version"])
"""
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=TESTS.parent)
    assert "pure Python" in done.stdout
    assert done.stderr == ""


def test_the_build_is_described() -> None:
    extensions = [
        name for name in COMPILED_MODULES if (spec := find_spec(name)) and not str(spec.origin).endswith(".py")
    ]
    expected = {0: "pure Python", len(COMPILED_MODULES): "compiled"}
    assert describe_build() == expected.get(len(extensions), "partly compiled")


if __name__ == "__main__":
    write_descriptions(sys.argv[1])
