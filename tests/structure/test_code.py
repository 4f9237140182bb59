"""Blocks of code in the markup of highlighters, editors and generators."""

from __future__ import annotations

import pytest

from duramen.dom.tree import Tree
from duramen.structure.code import CodeBlock, find_code_blocks
from duramen.structure.code_runs import find_code_runs


def find(html: str) -> list[CodeBlock]:
    blocks = find_code_blocks(Tree.parse(html))
    assert all(node == block.node for node, block in blocks.items())
    return list(blocks.values())


def find_one(html: str) -> CodeBlock:
    (block,) = find(html)
    return block


def describe(html: str) -> tuple[str, str, str]:
    """The tag of the one block, its language, and its text."""
    tree = Tree.parse(html)
    (block,) = find_code_blocks(tree).values()
    return tree.tag[block.node], block.language, block.text


LANGUAGES = {
    '<pre class="language-py"><code>a</code></pre>': "python",
    '<pre><code class="lang-js">a</code></pre>': "javascript",
    '<div class="highlight highlight-source-c++"><pre>a</pre></div>': "cpp",
    '<div class="highlight highlight-text-html-basic"><pre>a</pre></div>': "html",
    '<pre class="brush: csharp; toolbar: false">a</pre>': "csharp",
    '<pre><code class="hljs rust">a</code></pre>': "rust",
    '<pre><code class="hljs">a</code></pre>': "",
    '<div class="sourceCode"><pre class="sourceCode haskell"><code>a</code></pre></div>': "haskell",
    '<div class="highlight-console notranslate"><div class="highlight"><pre>a</pre></div></div>': "console",
    '<div class="highlight-default notranslate"><div class="highlight"><pre>a</pre></div></div>': "",
    '<pre data-lang="Go">a</pre>': "go",
    '<pre data-language="plaintext">a</pre>': "",
    '<pre class="language-none">a</pre>': "",
    '<figure class="highlight yml"><pre>a</pre></figure>': "yaml",
    '<pre class="EnlighterJSRAW" data-enlighter-language="php">a</pre>': "php",
    '<pre class="syntaxhighlighter-pre" data-syntaxhighlighter-params="brush: sql; gutter: false">a</pre>': "sql",
    '<pre class="prettyprint lang-cpp s-code-block">a</pre>': "cpp",
    '<pre class="src src-emacs-lisp">a</pre>': "emacs-lisp",
    '<pre class="code-java">a</pre>': "java",
    '<pre class="wp-block-code"><code lang="text" class="language-text">a</code></pre>': "",
    '<div class="lang-en"><pre>a</pre></div>': "",
    '<div class="language-vue"><button class="copy"></button><span class="lang">vue</span><pre>a</pre></div>': "vue",
}


@pytest.mark.parametrize("html", LANGUAGES)
def test_the_language_is_named_in_many_ways(html: str) -> None:
    assert (find_one(html).language, find_one(html).text) == (LANGUAGES[html], "a")


def test_a_label_in_the_header_names_the_language() -> None:
    header = '<div class="code-header"><span>Bash</span><button>Copy</button></div>'
    assert describe(f'<div class="code-block">{header}<pre>ls</pre></div>') == ("div", "bash", "ls")
    assert describe(f"<pre><code>{header}ls</code></pre>") == ("pre", "bash", "ls")


def test_a_file_name_is_neither_in_the_code_nor_in_the_block() -> None:
    tree = Tree.parse('<div class="code-block"><div class="code-header">main.py</div><pre>x = 1</pre></div>')
    (block,) = find_code_blocks(tree).values()
    assert (tree.tag[block.node], block.text) == ("pre", "x = 1")


def test_a_caption_stays_outside_the_block() -> None:
    html = '<figure class="highlight py"><figcaption><span>A loop</span></figcaption><table><tr><td class="gutter">'
    html += '<pre><span class="line">1</span></pre></td><td class="code"><pre>a</pre></td></tr></table></figure>'
    assert describe(html) == ("table", "python", "a")


LINES = {
    "newlines": "<pre>a\n\n  b\n</pre>",
    "breaks": "<pre>a<br><br>  b<br></pre>",
    "chroma": '<pre><code><span class="line"><span class="cl">a\n</span></span><span class="line"><span class="cl">\n'
    '</span></span><span class="line"><span class="cl">  b\n</span></span></code></pre>',
    "shiki": '<pre class="shiki"><code><span class="line">a</span>\n<span class="line"></span>\n'
    '<span class="line">  b</span></code></pre>',
    "lines without newlines": '<pre><code><span class="line">a</span><span class="line"></span>'
    '<span class="line">  b</span></code></pre>',
    "rehype": '<pre><code style="display:grid"><span data-line="">a</span>\n<span data-line=""> </span>\n'
    '<span data-line="">  b</span></code></pre>',
    "hexo": '<pre><span class="line">a</span><br><span class="line"></span><br><span class="line">  b</span><br></pre>',
    "docusaurus": '<pre><code><div class="token-line">a<br></div><div class="token-line"><br></div>'
    '<div class="token-line">  b<br></div></code></pre>',
    "divs": "<pre><div>a</div><div></div><div>  b</div></pre>",
    "divs on lines of the source": '<pre><div class="line">a</div>\n<div class="line"></div>\n'
    '<div class="line">  b</div>\n</pre>',
    "prettify": '<pre class="prettyprint"><ol class="linenums"><li class="L0">a</li><li class="L1"></li>'
    '<li class="L2">  b</li></ol></pre>',
    "doxygen": '<div class="fragment"><div class="line"><a id="l1"></a><span class="lineno">    1</span>a</div>\n'
    '<div class="line"><span class="lineno">    2</span></div>\n<div class="line">'
    '<span class="lineno">    3</span>  b</div>\n</div>',
    "codemirror 6": '<div class="cm-editor"><div class="cm-scroller"><div class="cm-gutters"><div class="cm-gutter">'
    '<div class="cm-gutterElement">1</div></div></div><div class="cm-content"><div class="cm-line">a</div>'
    '<div class="cm-line"><br></div><div class="cm-line">  b</div></div></div></div>',
    "ace": '<div class="ace_editor"><textarea></textarea><div class="ace_gutter">1</div><div class="ace_scroller">'
    '<div class="ace_layer ace_text-layer"><div class="ace_line">a</div><div class="ace_line"></div>'
    '<div class="ace_line">  b</div></div></div></div>',
    "monaco": '<div class="monaco-editor"><div class="margin"><div class="line-numbers">1</div></div>'
    '<div class="view-lines"><div class="view-line"><span>a</span></div><div class="view-line"><span></span></div>'
    '<div class="view-line"><span>&nbsp;&nbsp;b</span></div></div></div>',
    "crayon": '<div class="crayon-syntax"><div class="crayon-toolbar"><span class="crayon-language">C</span></div>'
    '<div class="crayon-plain-wrap"><textarea>a</textarea></div><table class="crayon-table"><tr>'
    '<td class="crayon-nums"><div class="crayon-nums-content"><div class="crayon-num">1</div></div></td>'
    '<td class="crayon-code"><div class="crayon-pre"><div class="crayon-line">a</div>'
    '<div class="crayon-line">&nbsp;</div><div class="crayon-line">&nbsp;&nbsp;b</div></div></td></tr></table></div>',
    "enlighter": '<div class="enlighter-default"><div class="enlighter-toolbar">x</div><div class="enlighter-code">'
    '<div class="enlighter"><div><div>a</div><div></div><div>  b</div></div></div></div></div>',
    "highlight.js line numbers": '<pre><code class="hljs"><table class="hljs-ln"><tbody><tr>'
    '<td class="hljs-ln-numbers" data-line-number="1"></td><td class="hljs-ln-code">a</td></tr>\n'
    '<tr><td class="hljs-ln-numbers" data-line-number="2"></td><td class="hljs-ln-code"></td></tr>\n'
    '<tr><td class="hljs-ln-numbers" data-line-number="3"></td><td class="hljs-ln-code">  b</td></tr>'
    "</tbody></table></code></pre>",
    "cnblogs": '<div class="cnblogs_code"><div class="cnblogs_code_toolbar"><span class="cnblogs_code_copy">'
    '<a href="javascript:void(0);" title="复制代码"><img src="c.gif" alt="复制代码"></a></span></div><pre>'
    '<span style="color: #008080">1</span> a\n<span style="color: #008080">2</span> \n'
    '<span style="color: #008080">3</span>   b</pre></div>',
    "numbers that cannot be selected": '<pre><span style="user-select:none"> 1</span><span>a\n</span>'
    '<span style="user-select:none"> 2</span><span>\n</span><span style="user-select:none"> 3</span>'
    "<span>  b\n</span></pre>",
    "expressive code": '<div class="expressive-code"><figure class="frame"><pre data-language="text"><code>'
    '<div class="ec-line"><div class="gutter"><div class="ln">1</div></div><div class="code">a</div></div>'
    '<div class="ec-line"><div class="gutter"><div class="ln">2</div></div><div class="code"></div></div>'
    '<div class="ec-line"><div class="gutter"><div class="ln">3</div></div><div class="code">  b</div></div>'
    '</code></pre><div class="copy"><button title="Copy"></button></div></figure></div>',
    "react-syntax-highlighter": '<pre><code><span class="linenumber">1</span><span>a\n</span>'
    '<span class="linenumber">2</span>\n<span class="linenumber">3</span><span>  b</span></code></pre>',
    "gatsby highlighted line": '<pre><code><span class="gatsby-highlight-code-line">a</span>\n  b</code></pre>',
}


@pytest.mark.parametrize("name", LINES)
def test_each_line_ends_once(name: str) -> None:
    expected = "a\n  b" if name == "gatsby highlighted line" else "a\n\n  b"
    text = find_one(LINES[name]).text
    assert "\n".join(line.rstrip() for line in text.split("\n")) == expected


def test_tabs_and_inner_spaces_are_kept() -> None:
    assert find_one("<pre>\n\n\tif  x:\n\t\treturn\xa01\n\n</pre>").text == "\tif  x:\n\t\treturn 1"


def test_the_block_takes_gutter_table_and_buttons_with_it() -> None:
    html = (
        '<div class="wrap"><div class="highlight"><table class="highlighttable"><tr><td class="linenos"><pre>1\n2</pre>'
    )
    html += '</td><td class="code"><pre>a\nb</pre></td></tr></table><button>Copy</button></div></div><p>Text</p>'
    tree = Tree.parse(html)
    (block,) = find_code_blocks(tree).values()
    assert tree.attributes[block.node]["class"] == "highlight"
    assert block.text == "a\nb"


def test_a_table_of_numbers_without_classes_is_a_gutter() -> None:
    html = "<div class=code><table><tr><td><pre>1\n2</pre></td><td><pre>a\nb</pre></td></tr></table></div>"
    assert describe(html) == ("div", "", "a\nb")


def test_numbers_alone_are_a_block() -> None:
    assert [block.text for block in find("<pre>print(5)</pre><pre>5</pre>")] == ["print(5)", "5"]
    assert find_one("<pre class=lineno>1\n2</pre>").text == "1\n2"


def test_numbers_that_are_part_of_the_code_stay() -> None:
    assert find_one(
        '<pre><span class="m">10</span> GOTO 20\n<span class="m">20</span> END\n<span>x</span></pre>'
    ).text == ("10 GOTO 20\n20 END\nx")


def test_syntax_classes_are_no_buttons() -> None:
    assert find_one('<pre><span class="token header">Host: x</span>\n<span class="hljs-title">y</span></pre>').text == (
        "Host: x\ny"
    )


def test_code_of_several_lines_without_pre() -> None:
    assert describe("<p><code>a<br>\n&nbsp;b</code></p>") == ("p", "", "a\n b")
    assert describe('<p>Run:</p><code class="language-sh">\n  a\n    b\n</code>') == ("code", "bash", "a\n  b")


@pytest.mark.parametrize(
    "html",
    [
        "<p>Use <code>ls</code> here.</p>",
        "<p>Use <code>ls\n-l</code> here.</p>",
        "<table><tr><td><code>a<br>b</code></td></tr></table>",
        "<textarea>x = 1\ny = 2</textarea>",
        "<div class='fragment'><p>Text</p></div>",
        "<pre> \n </pre>",
    ],
)
def test_no_block(html: str) -> None:
    assert find(html) == []


def test_plain_preformatted_text_is_a_block_without_language() -> None:
    assert describe("<p>A poem</p><pre>Roses\n  are red</pre>") == ("pre", "", "Roses\n  are red")


def test_blocks_do_not_nest() -> None:
    html = '<div class="CodeMirror"><pre class="CodeMirror-line">a</pre><pre class="CodeMirror-line">b</pre></div>'
    assert find_one(html).text == "a\nb"
    assert find_one("<pre>a<pre>b</pre></pre>").text == "a\nb"


def test_two_blocks_of_one_box_stay_apart() -> None:
    assert [block.text for block in find('<div class="highlight"><pre>a</pre><pre>b</pre></div>')] == ["a", "b"]


def runs(html: str) -> list[str]:
    return [run.text for run in find_code_runs(Tree.parse(html))]


def test_paragraphs_of_one_code_each_are_a_run() -> None:
    assert runs("<p>Do</p><p><code>cd x</code></p>\n<p><code>ls -l</code></p><div></div><p><code>q</code></p>") == [
        "cd x\nls -l"
    ]
    assert runs("<p>Do</p><p><code>left</code></p>\n<p><code>right</code></p><p>End</p>") == []
    tree = Tree.parse("<p>Do</p><p><code>cd x</code></p>\n<p><code>ls -l</code></p><p><code>q</code></p><p>End</p>")
    (run,) = find_code_runs(tree)
    assert run.text == "cd x\nls -l\nq"
    assert (tree.tag[run.first], tree.tag[run.stop]) == ("p", "p")
    assert tree.text[run.stop + 1] == "End"


def test_lines_of_one_code_each_are_a_run() -> None:
    assert runs("<div><code>cd x</code><br>\n<code>ls -l</code><br><code>rm y</code></div>") == ["cd x\nls -l\nrm y"]


@pytest.mark.parametrize(
    "html",
    [
        "<p><code>oak</code></p><p><code>ls -l</code></p>",
        "<p><code>cd x</code></p><p>and <code>ls -l</code></p><p><code>rm y</code></p>",
        "<p><code>cd x</code> <code>ls -l</code> <code>rm y</code></p>",
        "<ul><li><code>cd x</code></li><li><code>ls -l</code></li><li><code>rm y</code></li></ul>",
        "<div><code>Java</code></div><div><code>Python</code></div><div><code>Ruby</code></div>",
        '<div class="syntaxhighlighter"><div class="line"><code>a b</code></div><div class="line"><code>c d'
        "</code></div>"
        '<div class="line"><code>e f</code></div></div>',
    ],
)
def test_no_run(html: str) -> None:
    assert runs(html) == []
