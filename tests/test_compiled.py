"""What is compiled gives what its source gives, and Python runs the source wherever nothing is compiled."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
import sys
import time
from array import array
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import duramen
from duramen import compiled, output, walk
from duramen.lists import heads, shape
from duramen.lists.outline import Outline
from duramen.metadata import strings
from duramen.output import Options, html, markdown, text, xml
from duramen.tree import Tree

ROOT = Path(__file__).parent.parent
MODULES = [heads, shape, strings]  # what is marked is known once it is imported
TWINS = [name for name, (_, twin) in compiled.marked.items() if twin is not None]

needs_twins = pytest.mark.skipif(not TWINS, reason="nothing is compiled here: there was no C compiler to do it")
needs_use_of_twins = pytest.mark.skipif(compiled.in_use() == "pure Python", reason="nothing compiled is in use")

PAGES = [
    "",
    "plain",
    "<p>One, <b>two</b>.<p>Three<br><br>four &amp; f\u00adive\u200b.",
    "<!doctype html><title>T</title><!-- c --><?php x ?><template><p>inert</p></template><my-tag><x:y>odd</x:y>",
    "<svg viewBox='1' xlink:href=k ViewBox=2><a href=x class='é\ufffd'>y</a></svg><p class hidden=x>",
    "<script type='application/LD+JSON'>{}</script><script type=ld+jso>1</script><link type=ld+json rel='a tag' href=x>"
    "<link rel=CANONICAL href=c><link rel=image_src href=d><link rel=stylesheet href=e><a rel='x Tag' href=f>g</a>"
    "<script>2</script><svg><script xlink:type=ld+json>3</script></svg><my-tag type='x ld+json' rel=license href=y>",
    "<div hidden>a</div><p style='DISPLAY : none'>b<p style='color:red;visibility:hidden'>c<i hidden=until-found>d</i>",
    "<script>s</script><noscript>" + "<p>Without scripts. " * 30 + "</noscript><svg><text>t</text></svg>",
    "<ul><li>a<li>b<ol start=7><li>c<li value=9>d</ol><li><p>e<p>f</ul><li>stray<dl><dt>t<dd>d<dd>e</dl>",
    "<table><caption>C<tr><th>a<th colspan=2>b<tr><td rowspan=2>c<td>d<td>e<tr><td><ul><li>f<li>g</ul></table>",
    "<table><tr><td><h2>layout</h2><table><tr><td>inner</table></table>",
    "<blockquote><p>q<pre>  v\n\n <b>w</b>\n</pre><hr><figure><img src=/i.png alt=x><figcaption>f</figure>",
    "<p>say <q>he <q>said</q></q> <a href='/l'>link</a> <code>x</code><sup>2</sup> <del>gone</del><dialog open>d",
    "<frameset><frame></frameset>",
    "<meta property=og:title content=a name=b><meta name=b content=''><meta name='' itemprop=c content=é>"
    "<meta content=d><link rel=canonical href=/x><link rel=canonical><link rel=tag href=/y><link rel=tag href=/z>"
    "<p rel=tag content=e><svg><a rel=tag xlink:href=k>t</a></svg>"
    "<a REL='tag license' HREF=/l>u<a href=/m>v<a rel=tag property=p content=q href=n>",
    "<svg xml:lang=a lang=b xlink:role=c role=d class=x>y</svg>"
    "<p lang=e role=f class=x id><p class=x id=''><p class=x>",
    "<b>" * 600 + "deep" + "<p>x" * 20,
    "\ufffd\ud83d <p>中文。日本\u3000語 ا\u200cب",
    "<i>a</i>\n  <i>b</i>\n  <i>c</i> é<i>d</i>\n  <i>e</i> é<i>f</i> ab<i>g</i> é<i>h</i>"
    + " " * 70
    + "<i>j</i>"
    + " " * 70,
]


WORDS = {"x": 1, "b": 2, "é": 4, "longer": 8, "ab": 16, "http": 32}
_NAMED = [
    "x",
    "X",
    "b",
    "aB",
    "a",
    "Ab",
    "aX",
    "-",
    "_",
    " ",
    "0",
    "é",
    "\u0130",
    "longer",
    "looooooooong" * 9,
    "\n",
    "/",
]


@needs_twins
@given(*(st.lists(st.sampled_from(_NAMED), max_size=6).map("".join) for _ in range(3)))
@example("aB", "xAb", "AB")
@example("aB aB", "", "Longer")
@example("x" * 299, "b", "")
@example("y " * 149, "x", "")
@example("y " * 149 + "y", "x", "")
def test_elements_are_marked_alike(classes: str, name: str, rel: str) -> None:
    data = f'<p class="{classes}" id="{name}"><a rel="{rel}" href="{name}">a</a><i class="{classes}" data-x>'.encode()
    first, second = (
        [found[4].marked(0, frozenset(("b",)), words, len), found[4].wording(words, "href", [4])]
        for found, words in zip(
            twice("duramen.walk.arrays", data, sys.maxsize), twice("duramen.walk.Vocabulary", WORDS), strict=True
        )
    )
    assert first == second
    read = [{"class": classes, "id": name}, {"rel": rel, "href": name}, {"class": classes, "data-x": None}]
    own = [(node, "p", attributes) for node, attributes in zip((3, 4, 6), read, strict=True)]
    (nodes, marks), _ = first
    told = walk.marked(own, frozenset(), walk.Vocabulary(WORDS), len)
    assert [marks[nodes.index(node)] for node in told[0]] == told[1]


@needs_twins
@given(
    st.lists(st.sampled_from([*"\"'\\_ :aé中", "date", "Date", "pub_date", "a" * 30, "a" * 31]), max_size=9).map(
        "".join
    )
)
@example('"date"pub_date\\"')
@example("'" + "a" * 31 + "'" + '"date')
def test_the_same_names_are_quoted(text: str) -> None:
    names = dict.fromkeys(("date", "pub_date", "a" * 31, "a" * 30, "a"), 1)
    words = zip(both("duramen.walk.quoted"), twice("duramen.walk.Vocabulary", names), strict=True)
    first, second = (quoted(text, vocabulary) for quoted, vocabulary in words)
    assert first == second


def both(name: str) -> tuple[Callable[..., Any], Callable[..., Any]]:
    source, twin = compiled.marked[name]
    assert twin is not None
    return source, twin


def twice(name: str, *arguments: object) -> tuple[Any, Any]:
    source, twin = both(name)
    return source(*arguments), twin(*arguments)


def page(draw_from: str = "div p ul ol li table tr td b i q pre h2 blockquote noscript br script") -> Any:
    pieces = [f"<{tag}>" for tag in draw_from.split()] + [f"</{tag}>" for tag in draw_from.split()]
    pieces += ["word ", " ", "\n", "é\u00a0", "<div hidden>", "<a href=/x>", "<img src=y alt=z>", "<!-- -->", "<x-y>"]
    return st.lists(st.sampled_from(pieces), max_size=40).map("".join)


def examples(test: Any) -> Any:
    for source in PAGES:
        test = example(source)(test)
    return test


@needs_twins
@examples
@given(page())
def test_the_arrays_are_the_same(source: str) -> None:
    data = source.encode("utf-8", "replace")
    (*lists, elements), (*others, more) = twice("duramen.walk.arrays", data, sys.maxsize)
    assert lists == others
    assert len(elements) == len(more) == len(lists[0])
    assert [elements.attributes(i) for i in range(len(more))] == [more.attributes(i) for i in range(len(more))]
    assert elements.hidden() == more.hidden()
    assert elements.selected("p,b,[hidden],p") == more.selected("p,b,[hidden],p")
    own = [i for i, tag in enumerate(lists[0]) if tag != "#text"]
    assert elements.read(own) == more.read(own)
    for name in ("class", "href", "viewbox", "nowhere", "lang", "xml:lang"):
        assert elements.values(name, own) == more.values(name, own)
    for tag in ("p", "a", "link", "meta", "my-tag", "x:y", "nowhere", "#text"):
        assert elements.places(tag) == more.places(tag) == [i for i, one in enumerate(lists[0]) if one == tag]
    for but in (frozenset[str](), frozenset(("og:title", "tag"))):
        assert elements.remarks(but) == more.remarks(but)
        for names in twice("duramen.walk.Names", but):
            assert more.remarks(names) == elements.remarks(but)
    assert elements.linked_data() == more.linked_data()
    for part in ("x", "k", "ä", "\ufffd", "\ud83d", "a longer part"):
        for name in ("href", "class"):
            assert elements.containing(part, name, own) == more.containing(part, name, own)
    names, nodes = ("class", "id", "role", "hidden"), array("q", own)
    combinations, which = elements.combinations(names, nodes)
    assert (combinations, which) == more.combinations(names, nodes)
    assert [combinations[number] for number in which] == [
        tuple(map(attributes.get, names)) for attributes in elements.read(own)
    ]
    assert len(set(combinations)) == len(combinations)
    source_words, twin_words = (both("duramen.walk.Vocabulary")[form](WORDS) for form in (0, 1))
    for tells in (lambda name: {"hidden": 1, "href": 32}.get(name, 0), lambda name: name.startswith("data-"), len):
        for start, chosen in ((0, frozenset(("p", "x:y", "svg"))), (2, frozenset[str]())):
            marked = elements.marked(start, chosen, source_words, tells)
            assert marked == more.marked(start, chosen, twin_words, tells)
            some = own[1::2]
            marked = elements.marked(start, chosen, source_words, tells, some)
            assert marked == more.marked(start, chosen, twin_words, tells, some)
            assert set(marked[0]) <= set(some)
    for tag in ("a", "link", "p", "x:y", "nowhere"):
        assert elements.related(tag) == more.related(tag)
    for name in ("class", "href", "nowhere"):
        assert elements.wording(source_words, name, own) == more.wording(twin_words, name, own)
    places, others = twice("duramen.walk.places", lists[0], "p")
    assert places == others
    body, other = twice("duramen.walk.body", lists[0], lists[2])
    assert body == other
    assert lists[0][body] == ("body" if "body" in lists[0] else "html")
    for top in (0, body):
        below = range(top + 1, lists[2][top])
        above, other = twice("duramen.walk.above", lists[1], below, top)
        assert above == other == sorted({lists[1][node] for node in below} - {top})
    wanted = ("p", "li", "#text", "nowhere")
    found, others = twice("duramen.walk.places_of", lists[0], wanted)
    assert found == others == {tag: [i for i, one in enumerate(lists[0]) if one == tag] for tag in wanted}
    long, texts = twice("duramen.walk.longer", lists[3], 4)
    assert long == texts == [place for place, text in enumerate(lists[3]) if len(text) > 4]
    assert twice("duramen.walk.arrays", data, 2) == (None, None) or len(lists[0]) <= 3
    depths, deeper = twice("duramen.walk.depths", lists[1])
    assert depths == deeper
    assert twice("duramen.walk.count", data * 300, ord("<")) == (data.count(b"<") * 300,) * 2


STYLES = [
    "display:none", "DISPLAY :\n NONE", "color:red;display: none", "displaynone", "x display:none", "display:nonesuch",
    "visibility : hidden", ";;visibility:hidden", "visibility:visible", "dısplay:none", " display:none",
    "diſplay:none", "display:none", "display:", "display", "", ";", "display: none", "no:display:none",
]  # fmt: skip


@needs_twins
@given(st.lists(st.sampled_from([*STYLES, "; ", "display", ":", "none", " "]), max_size=4).map("".join))
@example("")
def test_the_same_is_hidden(style: str) -> None:
    ways = [
        "",
        "hidden",
        "hidden=until-found",
        "hidden=S",
        "hidden id=S:1f",
        "hidden id=S:",
        "hidden id=S:1g",
        "id=S:1",
    ]
    data = "".join(f"<p style='{style}' {way}>a" for way in ways).encode()
    first, second = (found[4].hidden() for found in twice("duramen.walk.arrays", data, sys.maxsize))
    assert first == second


@needs_twins
@given(st.binary(max_size=40) | st.text(max_size=20).map(lambda text: text.encode("utf-8", "surrogatepass")))
@example(b"0123456789abcdef" + b"\xc3\xa9" * 9)
@example(b"\xed\xa0\x80")
@example(b"\xe0\x80\x80")
@example(b"\xf4\x90\x80\x80")
@example(b"\xf0\x9f\x98")
def test_the_same_is_utf8(data: bytes) -> None:
    first, second = twice("duramen.walk.is_utf8", data)
    assert first == second


@needs_twins
@given(st.text("ab \n\t\0\x1c\u00a0\u3000\u00ad\u200b\u200cé", max_size=9))
def test_white_space_is_collapsed_alike(text: str) -> None:
    first, second = twice("duramen.output.inline.collapsed", text)
    assert first == second


@needs_twins
def test_attributes_outlive_the_parser() -> None:
    source, twin = both("duramen.walk.arrays")
    for arrays in (source, twin):
        elements = [arrays(b"<p class=a id=b>" + b"x" * number, sys.maxsize)[4] for number in range(50)]
        assert [found.attributes(3) for found in elements] == [{"class": "a", "id": "b"}] * 50
        with pytest.raises(IndexError):
            elements[0].attributes(5)


@needs_twins
@examples
@given(page())
def test_the_same_is_visible(source: str) -> None:
    tree = Tree.parse(source)
    for name in ("duramen.visibility.invisible", "duramen.visibility.text_nodes"):
        first, second = twice(name, tree)
        assert first == second


@needs_twins
@examples
@given(page())
def test_the_same_text_is_tidied(source: str) -> None:
    tree = Tree.parse(source)
    for node in range(len(tree)):
        first, second = twice("duramen.metadata.strings.text_of", tree, node, 40)
        assert first == second
    for name in ("tidy", "key"):
        first, second = twice(f"duramen.metadata.strings.{name}", source)
        assert first == second


@needs_twins
@examples
@given(page())
def test_the_same_is_written(source: str) -> None:
    tree = Tree.parse(source)
    middle = len(tree) // 2
    for spans in ([range(len(tree))], [range(tree.body, middle), range(middle + 1, len(tree))], []):
        for options in (Options(), Options(links=True, images=True, base="https://example.org/")):
            written = [_written(tree, spans, options, form) for form in (0, 1)]
            assert written[0] == written[1]


@needs_twins
@examples
@given(page("div ul li table tr td dl dt dd p a h3 noscript"))
def test_the_same_lists_are_seen(source: str) -> None:
    tree = Tree.parse(source)
    outline = Outline.of(tree)
    first, second = twice("duramen.lists.outline._outlined", tree)
    assert first == second
    first, second = twice("duramen.lists.outline.evenly_filled", outline)
    assert first == second
    for _, node, _ in first:
        items, others = twice("duramen.lists.heads.items_of", outline, node)
        assert items == others
        tags = [tree.tag[item] for item in items]
        heads, more = twice("duramen.lists.heads.find_heads", outline, items, tags)
        assert heads == more
        for starts, _, _ in heads:
            records, runs = twice("duramen.lists.heads.runs", tags, items, starts)
            assert records == runs
            _same_measures(tree, records)


def _same_measures(tree: Tree, records: tuple[tuple[int, ...], ...]) -> None:
    for arguments in ((records,), (records, 0.9)):  # each with an outline of its own, which keeps the shapes
        source, twin = both("duramen.lists.shape.regularity")
        assert source(Outline.of(tree), *arguments) == twin(Outline.of(tree), *arguments)
    first, second = twice("duramen.lists.outline.spread", Outline.of(tree), records, 0.75)
    assert first == second
    shapes, others = zip(
        *(twice("duramen.lists.shape.shape_of", Outline.of(tree), run) for run in records), strict=True
    )
    assert shapes == others
    first, second = twice("duramen.lists.shape.likeness", shapes[0], shapes[-1])
    assert first == second


def _written(tree: Tree, spans: list[range], options: Options, form: int) -> list[str]:
    plain, rich = (both(f"duramen.output.blocks.{name}")[form] for name in ("plain_blocks", "rich_blocks"))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text, "plain_blocks", plain)
        for writer in (markdown, html, xml):
            patch.setattr(writer, "rich_blocks", rich)
        writers = (output.write_text, output.write_markdown, output.write_html, output.write_xml)
        return [write(tree, spans, options) for write in writers]


@needs_twins
def test_where_one_twin_was_compiled_all_were() -> None:
    sources = ROOT / "src" / "duramen"
    besides = [path for ending in ("pxd", "pyx") for path in sources.rglob(f"*.{ending}")]
    besides = [path for path in besides if path.with_suffix(".py").exists()]  # the others declare what several share
    wanted = {"_".join(path.relative_to(sources).with_suffix("").parts) for path in besides}
    found = {path.name.partition(".")[0] for path in Path(compiled.__file__).parent.iterdir()}
    assert wanted <= found  # Cython refused the others: what it said is in the output of the build


@needs_twins
@pytest.mark.skipif(compiled.in_use() != "compiled", reason="the sources have changed since, or DURAMEN_PURE is set")
def test_a_marked_function_stands_for_its_twin() -> None:
    from duramen import walk

    source, twin = both("duramen.walk.arrays")
    assert walk.arrays is twin
    assert walk.arrays is not source


@needs_twins
def test_a_twin_of_another_source_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["duramen.compiled.walk"]
    look_up = compiled._twin.__wrapped__
    assert look_up("duramen.walk") is module
    monkeypatch.setattr(module, "CHECKSUM_OF_SOURCE", module.CHECKSUM_OF_SOURCE ^ 1)
    assert look_up("duramen.walk") is None


@needs_twins
def test_a_twin_is_not_used_that_calls_one_of_another_source(monkeypatch: pytest.MonkeyPatch) -> None:
    caller, called = (sys.modules[f"duramen.compiled.metadata_{name}"] for name in ("strings", "characters"))
    look_up = compiled._twin.__wrapped__
    monkeypatch.setattr(compiled, "_twin", look_up)  # nothing is remembered
    assert caller.CALLED_IN_C == ["duramen.metadata.characters"]
    assert look_up("duramen.metadata.strings") is caller
    monkeypatch.setattr(called, "CHECKSUM_OF_SOURCE", called.CHECKSUM_OF_SOURCE ^ 1)
    assert look_up("duramen.metadata.strings") is None


def test_a_function_without_a_twin_stands_for_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "marked", {})
    assert compiled.faster(twice) is twice
    assert list(compiled.marked.values()) == [(twice, None)]
    assert compiled.in_use() == "pure Python"


def _run(*arguments: str, **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "duramen", *arguments],
        env=os.environ | environment,
        capture_output=True,
        check=True,
        timeout=60,
    )
    return done.stdout.decode("utf-8")


def test_pure_python_can_be_chosen_and_writes_the_same() -> None:
    assert _run("--version", DURAMEN_PURE="1") == f"duramen {duramen.__version__} (pure Python)\n"
    asked = ("extract", str(ROOT / "examples" / "page.html"), "--format", "json")
    assert _run(*asked, DURAMEN_PURE="1") == _run(*asked, DURAMEN_PURE="0")


ENDLESS = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored where the tests run in the background
from duramen import Page, visibility
from duramen.output import write_text
html = "<div><p>A few words <b>of</b> text.</p></div>" * 5000
print("ready", flush=True)
while True:
    tree = Page.parse(html).tree
    visibility.text_nodes(tree)
    write_text(tree, [range(len(tree))])
"""


@pytest.mark.skipif(os.name != "posix", reason="sends a signal")
def test_ctrl_c_stops_compiled_loops() -> None:
    with subprocess.Popen([sys.executable, "-c", ENDLESS], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=20)
    assert b"KeyboardInterrupt" in error


def test_tuples_are_declared_as_they_are() -> None:
    """C reads them by place: a field that was put elsewhere would be read as another."""
    declared = (ROOT / "src" / "duramen" / "metadata" / "tuples.pxd").read_text("utf-8")
    told = re.findall(r"ctypedef class ([\w.]+)\.(\w+) |cdef inline \w+ (\w+)\(self|GET_ITEM\(self, (\d+)\)", declared)
    fields: dict[str, list[str]] = {}
    for module, name, field, place in told:
        if module:
            fields[f"{module}.{name}"] = known = []
        elif field:
            known.append(field)
        else:
            assert int(place) == len(known) - 1, known
    assert {name.rpartition(".")[2] for name in fields} == {"Claim", "Author", "Found", "Option", "Setting"}
    for name, known in fields.items():
        module, _, kind = name.rpartition(".")
        assert getattr(import_module(module), kind)._fields == tuple(known)


@needs_twins
def test_a_twin_is_left_aside_where_a_tuple_that_it_reads_has_changed() -> None:
    twin = import_module("duramen.compiled.metadata_signs")
    assert set(twin.SHAPES) == {"duramen.metadata.claims", "duramen.metadata.options"}
    options = import_module("duramen.metadata.options")
    assert compiled._is_of(options, twin.SHAPES["duramen.metadata.options"])
    assert not compiled._is_of(options, twin.SHAPES["duramen.metadata.options"] ^ 1)


@needs_use_of_twins
def test_the_collector_does_not_look_through_the_lists_of_a_tree() -> None:
    tree = Tree.parse("<p>One, <b>two</b>.")
    assert not any(map(gc.is_tracked, (tree.tag, tree.parent, tree.end, tree.text)))


@needs_use_of_twins
def test_no_node_is_marked_that_is_none() -> None:
    *_, elements = walk.arrays(b"<p class=a>x", 100)
    for node in (-1, -2, 5, sys.maxsize):
        with pytest.raises(IndexError):
            elements.marked(0, frozenset(), walk.Vocabulary(WORDS), len, [node])
