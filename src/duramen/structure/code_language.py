"""Names of programming languages: in class attributes, in data attributes, and in the header of a code block.

HTML recommends `language-x`. Prettify writes `lang-x`, GitHub `highlight-source-x`, Sphinx `highlight-x`,
SyntaxHighlighter `brush: x`, Crayon `lang:x`, org-mode `src-x`. Hexo, highlight.js and Pandoc write the bare name
beside `highlight`, `hljs` or `sourceCode`: there, only known names count.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from duramen.dom.tree import Attributes

_ALIASES: Final = {
    alias: name
    for name, aliases in {
        "assembly": "asm nasm gas armasm x86asm",
        "bash": "sh shell source-shell shellscript shell-script",
        "batch": "bat batchfile dosbatch cmd",
        "c": "c-lang clang",
        "csharp": "c# cs c-sharp c_sharp dotnet",
        "cpp": "c++ cxx cplusplus cc c-plus-plus hpp",
        "clojure": "clj cljs clojurescript",
        "coffeescript": "coffee coffee-script",
        "console": "shell-session shellsession sh-session terminal bash-session ps1con doscon",
        "css": "css3",
        "dockerfile": "docker",
        "elixir": "ex exs",
        "erlang": "erl",
        "fsharp": "f# fs",
        "fortran": "f90 f95 fortran-modern",
        "go": "golang",
        "graphql": "gql",
        "haskell": "hs",
        "html": "html5 htm xhtml html-basic text-html-basic markup html-xml",
        "ini": "dosini cfg properties-ini",
        "java": "java8",
        "javascript": "js node nodejs mjs cjs ecmascript jscript",
        "julia": "jl",
        "kotlin": "kt kts",
        "latex": "tex",
        "lisp": "common-lisp commonlisp cl",
        "makefile": "make mk bsdmake",
        "markdown": "md mkd gfm",
        "matlab": "octave-matlab",
        "objective-c": "objc objectivec obj-c objective_c mm",
        "ocaml": "ml",
        "perl": "pl pm",
        "php": "php3 php5 php-template",
        "powershell": "ps1 posh pwsh ps",
        "protobuf": "proto protocol-buffer protocolbuffers",
        "python": "py python3 py3 python2 ipython ipython3 py2 sage",
        "r": "rlang splus rscript",
        "ruby": "rb irb jruby",
        "rust": "rs",
        "sql": "tsql t-sql plsql pl-sql",
        "swift": "swift5",
        "typescript": "ts",
        "vb": "vbnet vb.net visualbasic visual-basic vbscript vba",
        "vim": "viml vimscript",
        "xml": "text-xml xsl xslt svg rss atom plist",
        "yaml": "yml",
        "zig": "ziglang",
    }.items()
    for alias in aliases.split()
}
_KNOWN: Final = frozenset(
    "actionscript ada agda apache apl applescript arduino asciidoc astro awk basic bibtex brainfuck cmake cobol coq"
    " crystal csv cuda cython d dart delphi diff django dot elisp elm emacs-lisp erb fish forth gherkin glsl gnuplot"
    " gradle groovy haml handlebars haxe hcl hlsl http jinja jinja2 jq json json5 jsonc jsonp jsonnet jsx lean lean4"
    " less liquid llvm log lua mathematica mdx mermaid mips mojo nginx nim nix org pascal patch plantuml postgresql"
    " processing prolog properties pug puppet purescript pycon qml racket razor reason regex rest rst sass scala scheme"
    " scss smalltalk solidity sparql stan stata stylus svelte systemverilog tcl terraform thrift toml tsx turtle twig"
    " v vala verilog vhdl vue wasm wat webassembly wolfram xquery zsh".split()
) | frozenset(_ALIASES.values())
_NO_LANGUAGE: Final = frozenset(
    "plaintext plain plain-text text txt none no nohighlight no-highlight undefined null unknown auto autodetect"
    " default raw output literal code hljs highlight highlighter notranslate generic other en en-us en-gb de fr es"
    " es-es pt pt-br it ru zh zh-cn zh-hans zh-hant ja ko nl ar tr uk cs-cz".split()
)
"""What is written in the place of a language where none is meant; languages that people speak are among them."""

_EXPLICIT = re.compile(
    r"(?:^|\s)(?:language-|lang-|lang:|highlight-source-|highlight-text-|brush:\s*|src-|code-lang-|gatsby-code-)([A-Za-z0-9_+#.-]+)"
)
_SPHINX = re.compile(r"(?:^|\s)highlight-([A-Za-z0-9_+#.-]+)")
_BESIDE_BARE_NAMES: Final = frozenset(
    ("highlight", "hljs", "sourcecode", "code", "shiki", "prettyprint", "codehilite", "hl", "syntax", "brush", "src")
)
_ONE_LETTER_NAMES: Final = frozenset(("c", "r"))
_LANGUAGE_ATTRIBUTES: Final = (
    "data-lang",
    "data-language",
    "data-enlighter-language",
    "data-code-language",
    "data-syntax",
    "language",
)
_PARAMETERS: Final = "data-syntaxhighlighter-params"
_MAX_CLASS_CHARS: Final = 500
_MAX_NAME_CHARS: Final = 30


def normalize_language(name: str) -> str:
    """Return the usual name of a language in lower case: "py" is "python"; "" for "plaintext" and the like."""
    name = name.strip().lower().rstrip(";,.")
    if not name or len(name) > _MAX_NAME_CHARS or name in _NO_LANGUAGE or name.isdigit():
        return ""
    return _ALIASES.get(name, name)


def find_known_language(name: str) -> str:
    """Return the usual name of a language if it is a known one, or ""."""
    name = normalize_language(name)
    return name if name in _KNOWN else ""


def find_language(attributes: Attributes, *, is_code: bool) -> str:
    """Return the language that the attributes of an element name, or "".

    With `is_code`, the element is a `pre` or `code`, whose class may be the bare name of a language.
    """
    classes = attributes.get("class")
    if classes and (language := _find_in_classes(classes[:_MAX_CLASS_CHARS], is_code)):
        return language
    for name in _LANGUAGE_ATTRIBUTES:
        value = attributes.get(name)
        if value and " " not in value and (language := normalize_language(value)):
            return language
    # `lang` is the language that people speak, but on code many authors write that of the code.
    if is_code and (language := find_known_language(attributes.get("lang") or "")):
        return language
    parameters = attributes.get(_PARAMETERS)
    return _find_in_classes(parameters[:_MAX_CLASS_CHARS], False) if parameters else ""


@lru_cache(maxsize=1 << 10)
def _find_in_classes(classes: str, is_code: bool) -> str:
    for match in _EXPLICIT.finditer(classes):
        if language := normalize_language(match[1]):
            return language
    for match in _SPHINX.finditer(classes):
        if language := find_known_language(match[1]) or find_known_language(match[1].partition("+")[0]):
            return language
    names = classes.split()
    if "blob-wrapper" in names:  # a file on GitHub, or a Gist
        return next((normalize_language(name[5:]) for name in names if name.startswith("type-")), "")
    if is_code or not _BESIDE_BARE_NAMES.isdisjoint(name.lower() for name in names):
        for name in names:
            if (len(name) > 1 or name in _ONE_LETTER_NAMES) and (
                language := find_known_language(name.removeprefix("code-"))
            ):
                return language
    return ""
