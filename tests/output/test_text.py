"""Plain text output."""

from __future__ import annotations

import pytest
from tests.output.made_pages import EVERYTHING, body, kept, page, text

from duramen.output import OutputOptions, write_text, write_texts
from duramen.output.model import GridPlace, OutputCell
from duramen.output.table_grid import build_grid


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p><b>wo</b>rd", "word"),
        ("<p>a <i> b </i> c", "a b c"),
        ("<p>a\n\t b&nbsp;c", "a b c"),
        ("<p>  a  </p>", "a"),
        ("<p>a<br>b", "a\nb"),
        ("<p>a <br> b", "a\nb"),
        ("<p><br>a<br></p>", "a"),
        ("<p>a<span><br></span><br>b", "a\n\nb"),
        ("<p>soft&shy;hyphen<wbr>ated zero&#8203;width", "softhyphenated zerowidth"),
        ("<p>ك&zwnj;ب 👩&zwj;👧", "ك\u200cب 👩\u200d👧"),
        ("<p>E = mc<sup>2</sup>, H<sub>2</sub>O", "E = mc², H₂O"),
        ("<p>word<sup> 1</sup>", "word ¹"),
        ("<table><tr><td><tr><td><hr><th>a</table>", "a"),
        ("<p>He said <q>yes, <q>no</q></q>.", "He said “yes, ‘no’”."),
        ("<p>漢<ruby>字<rp>(</rp><rt>じ</rt><rp>)</rp></ruby>", "漢字じ"),
        ("<x-a>one</x-a><x-b>two</x-b>", "onetwo"),
    ],
)
def test_inline_text_is_written_as_on_the_screen(html: str, wanted: str) -> None:
    assert text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p><a href=/1>Action</a><a href=/2>Open World</a><a href=/3>3D</a>", "Action Open World 3D"),
        ("<p><span>PvP</span><span>FPS</span><span>Co-op</span>", "PvP FPS Co-op"),
        ("<p>Sort by<button>Ranking</button>", "Sort by Ranking"),
        ("<p><b><i>Read</i></b><a href=/>More</a>", "Read More"),
        ("<p><label>Tyres</label><span>70</span><span>EUR</span>", "Tyres 70 EUR"),
        ("<p><a href=/1>Old</a><!-- --><a href=/2>New</a>", "Old New"),
        ("<p>она<b>Она</b>", "она Она"),
    ],
)
def test_adjacent_elements_are_separate_words_if_their_letters_require_it(html: str, wanted: str) -> None:
    assert text(html) == wanted
    assert text(html.replace("<p>", "<p>and ")) == f"and {wanted}"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p><b>B</b>usuu <span>L</span><span>et</span>", "Busuu Let"),
        ("<p>accelerato<b>r</b> <a>stud</a><a>ies</a>", "accelerator studies"),
        ("<p><i>S</i><i>A</i><i>L</i><i>E</i>", "SALE"),  # letters that a script moves one by one
        ("<p><b>21</b><sup>ST</sup> C<sub>2</sub>H<sub>5</sub>OH", "21ST C₂H₅OH"),
        ("<p><code><b>get</b><i>Element</i></code> <kbd>Ctrl</kbd><kbd>C</kbd>", "getElement CtrlC"),
        ("<pre><b>get</b><i>Element</i></pre>", "getElement"),
        ("<p>16<b>GB</b> <b>19</b><sup>99</sup> <b>19</b><i>99</i>", "16GB 19⁹⁹ 1999"),
        ("<p><i>p</i>H <b>e</b>Bay <i>S</i><i>a</i><i>L</i><i>e</i> <b>20</b><i>V</i>", "pH eBay SaLe 20V"),
        (
            "<p><span>km</span><span>²</span> <math><mi>sin</mi><mn>2</mn><mi>Area</mi></math>",
            "km² $\\sin2\\mathrm{Area}$",
        ),
        ("<p><code><b><i><u><s>get</s></u></i></b><b><i><u><s>Element</s></u></i></b></code>", "getElement"),
        ("<p>pay<!-- -->Pal<i></i>Plus", "payPalPlus"),
        ("<p>共<b>3</b><i>条</i><b>A</b>", "共3条A"),
        ("<p><q>Yes</q><q>No</q> <b>He</b>‘<b>S</b>’", "“Yes”“No” He‘S’"),
    ],
)
def test_adjacent_elements_are_one_word_otherwise(html: str, wanted: str) -> None:
    assert text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<p>a<p>b", "a\n\nb"),
        ("<div>a</div><div>b</div>", "a\nb"),
        ("<div>a<div>b</div>c</div>", "a\nb\nc"),
        ("<div>a<p>b</p>c</div>", "a\n\nb\n\nc"),
        ("<div>a<br><br>b</div><div>c</div>", "a\n\nb\n\nc"),
        ("<h1>a</h1>b", "a\n\nb"),
        ("<h2><div>a</div></h2><p>b", "a\n\nb"),
        ("a<hr>b", "a\n\nb"),
        ("<b>a<div>b</div>c</b>", "a\nb\nc"),
        ("<figure><img src=x><figcaption>a</figcaption></figure>b", "a\n\nb"),
        ("<blockquote><p>a<blockquote>b</blockquote></blockquote>c", "a\n\nb\n\nc"),
        ("", ""),
        (" \n ", ""),
    ],
)
def test_blocks_start_new_lines(html: str, wanted: str) -> None:
    assert text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<ul><li>a<li>b</ul>", "- a\n- b"),
        ("<ul><li><p>a</p><li><p>b</p></ul>", "- a\n- b"),
        ("<ul><li><p>a<p>b<li>c</ul>", "- a\n\n  b\n\n- c"),
        ("<ul><li>a<ul><li>b<li>c</ul><li>d</ul>", "- a\n  - b\n  - c\n- d"),
        ("<ul><li>a</li><ul><li>b</ul></ul>", "- a\n  - b"),
        ("<ul><ul><li>a</ul></ul>", "- a"),
        ("<ol><li>a<li>b</ol>", "1. a\n2. b"),
        ("<ol start=9><li>a<li>b<br>c</ol>", "9. a\n10. b\n    c"),
        ("<ol reversed><li>a<li>b</ol>", "2. a\n1. b"),
        ("<ol><li>a<li value=7>b<li>c</ol>", "1. a\n7. b\n8. c"),
        ("<ol start=-1><li>a</ol>", "- a"),
        ("<div><li>a<li>b</div>", "- a\n- b"),
        ("<ul><li><ul><li>a</ul></ul>", "- - a"),
        ("x<ul><li>a</ul>y", "x\n\n- a\n\ny"),
        ("<dl><dt>a<dd>b<dt>c<dd>d</dl>", "a\n    b\nc\n    d"),
        ("<dl><dt>a<dd><p>b<p>c</dl>", "a\n\n    b\n\n    c"),
    ],
)
def test_list_items_have_signs_and_indentation(html: str, wanted: str) -> None:
    assert text(html) == wanted


def test_preformatted_text_is_unchanged() -> None:
    assert text("<pre>\n  def f():\n\n\treturn  1\n</pre>") == "  def f():\n\n\treturn  1"


def test_boxes_and_breaks_in_preformatted_text_start_lines() -> None:
    assert text("<pre><div>a</div><div>  b</div>c<br> d</pre>") == "a\n  b\nc\n d"


def test_preformatted_text_is_indented_with_its_item() -> None:
    assert text("<ul><li><pre>a\n\n b</pre></ul>") == "- a\n\n   b"


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<table><tr><th>a<th>b<tr><td>c<td>d</table>", "a\tb\nc\td"),
        ("<table><tr><td colspan=2>a<td>b<tr><td>c<td>d<td>e</table>", "a\t\tb\nc\td\te"),
        ("<table><tr><td rowspan=2>a<td>b<tr><td>c</table>", "a\tb\n\tc"),
        ("<table><tr><td>a<td><tr><td>b<td>c</table>", "a\nb\tc"),
        ("<table><caption>t</caption><tr><td>a<td>b</table>", "t\n\na\tb"),
        ("<table><tr><th>a<br>b<th>c<tr><td>d<td>e</table>", "a b\tc\nd\te"),
        ("<table><tr><th>a<ul><li>b<li>c</ul><td>d</table>", "a b c\td"),
        ("<table><tr><th><h2>a</h2><p>b<p>c<td>d<pre>e\nf</pre></table>", "a b c\td e f"),
        ("<table><tr><th><p>a</p><td>b</table>", "a\tb"),
        ("<table><tr><th>a<tr><td>b</table>", "a\nb"),
        ("<ul><li><table><tr><td>a<td>b<tr><td>c<td>d</table></ul>", "- a\tb\n  c\td"),
    ],
)
def test_rows_of_data_tables_are_lines_with_tabs(html: str, wanted: str) -> None:
    assert text(html) == wanted


@pytest.mark.parametrize(
    ("html", "wanted"),
    [
        ("<table><tr><td>a<tr><td>b</table>", "a\nb"),
        ("<table><tr><td>a<td><tr><td><td>b</table>", "a\nb"),
        ("<table><tr><td><h2>a</h2><td>b</table>", "a\n\nb"),
        ("<table><tr><td><p>a<p>b<td>c</table>", "a\n\nb\n\nc"),
        ("<table><tr><td>x<td><table><tr><th>a<th>b</table></table>", "x\n\na\tb"),
        ("<table><tr><td>a<td><pre>b</pre></table>", "a\n\nb"),
        ("<table role=presentation><tr><td>a<td>b</table>", "a\nb"),
        ("<table><tr><td>a<ul><li>b<ul><li>c</ul></ul><td>d</table>", "a\n\n- b\n  - c\n\nd"),
        ("<table><tr><td><h2>a</h2><td>b<tr><td>c<td>d</table>", "a\n\nb\nc\nd"),
    ],
)
def test_layout_tables_are_written_as_blocks(html: str, wanted: str) -> None:
    assert text(html) == wanted


def test_a_table_of_one_wide_row_and_many_short_rows_is_layout() -> None:
    def table(width: int, rows: int) -> str:
        return text("<table><tr>" + "<td>a" * width + "<tr><td>b" * rows + "</table>")

    assert table(200, 9) == "\n".join(["\t".join(["a"] * 200), *["b"] * 9])
    assert "\t" not in table(200, 40)


def test_rows_without_spanning_cells_are_their_own_grid() -> None:
    plain = [[OutputCell((), False, 1, 1) for _ in range(width)] for width in (3, 1, 2)]
    below = build_grid([[OutputCell((), False, 2, 1)], *plain])
    assert below is not None
    assert build_grid(plain) == [[GridPlace(cell) for cell in row] for row in plain] == below[1:]


def test_a_table_of_holes_is_layout() -> None:
    assert "\t" not in text("<table>" + "<tr><td colspan=1000>a<td>b" * 9 + "</table>")


@pytest.mark.parametrize(
    "html",
    [
        "<script>x</script>",
        "<style>x</style>",
        "<noscript>x</noscript>",
        "<template>x</template>",
        "<p hidden>x</p>",
        "<p style='color:red;DISPLAY : none'>x</p>",
        "<span style=visibility:hidden>x</span>",
        "<input value=x>",
        "<select><option>x</select>",
        "<datalist><option>x</datalist>",
        "<textarea>x</textarea>",
        "<svg><title>x</title></svg>",
        "<iframe>x</iframe>",
        "<object>x</object>",
        "<video>x</video>",
        "<audio>x</audio>",
        "<canvas>x</canvas>",
        "<progress>x</progress>",
        "<dialog>x</dialog>",
        "<math><semantics><annotation>x</annotation></semantics></math>",
    ],
)
def test_invisible_elements_are_omitted(html: str) -> None:
    assert text(f"<p>a</p>{html}<p>b</p>") == "a\n\nb"


def test_an_open_dialog_is_visible() -> None:
    assert text("<dialog open>a</dialog>") == "a"


def test_links_are_omitted_by_default() -> None:
    tree = page("<p>see <a href='/x'>this</a>.")
    assert write_text(tree, body(tree)) == "see this."
    assert write_text(tree, body(tree), OutputOptions(links=True)) == "see this (/x)."


def test_images_are_omitted_by_default() -> None:
    tree = page("<p>see <img src=x.png alt='a  cat'> and <img src=y.png>")
    assert write_text(tree, body(tree)) == "see and"
    assert write_text(tree, body(tree), OutputOptions(images=True)) == "see [a cat] (x.png) and [image] (y.png)"


def test_urls_are_resolved_against_the_base() -> None:
    tree = page("<a href='../x'>a</a><img src=y.png alt=b>")
    options = OutputOptions(links=True, images=True, base="https://example.com/a/b/")
    assert write_text(tree, body(tree), options) == "a (https://example.com/a/x)[b] (https://example.com/a/b/y.png)"


@pytest.mark.parametrize(
    "image",
    [
        "src='data:image/gif;base64,R0' data-src=x.png",
        "data-src=x.png",
        "src=/img/blank.gif data-original=x.png",
        "src='' data-lazy-src=x.png",
        "srcset='y.png 1x, x.png 2x'",
        "srcset='y,w_200.png 200w,x.png 400w, z.png 300w' src=z.png",
        "src=y.png data-src=x.png",
    ],
)
def test_lazy_loaded_images_are_found(image: str) -> None:
    tree = page(f"<img alt=a {image}>")
    assert write_text(tree, body(tree), EVERYTHING) == "[a] (x.png)"


def test_an_image_without_a_url_is_omitted() -> None:
    tree = page("<img alt=a><img alt=b src='data:image/png;base64,AAAA'>c")
    assert write_text(tree, body(tree), EVERYTHING) == "c"


def test_several_parts_are_written_as_one_by_one() -> None:
    tree = page("<ul><li>One<li>Two <b>three</b></ul><noscript>Please enable scripts</noscript>")
    parts = [kept(tree, "One"), kept(tree, "Two ", "three"), []]
    assert write_texts(tree, parts) == [write_text(tree, spans) for spans in parts] == ["- One", "- Two three", ""]
