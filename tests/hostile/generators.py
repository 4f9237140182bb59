"""Pages of any size that are hard on a reader: each a function of a number of elements."""

from __future__ import annotations

from collections.abc import Callable

Generator = Callable[[int], str]

TEXT = "Oaks grow slowly, and their wood is hard."


def _fill(before: str, part: str, after: str = "") -> Generator:
    """Return a generator that repeats a part; `{0}` in it is its number."""
    return lambda size: before + "".join(part.format(number) for number in range(size)) + after


def _nest(opening: str, closing: str, inside: str = TEXT) -> Generator:
    return lambda size: opening * size + inside + closing * size


def _nest_deep(opening: str, part: str, levels: int = 480) -> Generator:
    """Return a generator of parts below many open elements: a walk over the ancestors of each is long."""
    return lambda size: opening * levels + "".join(part.format(number) for number in range(size))


def _join(*generators: Generator) -> Generator:
    return lambda size: "".join(generator(size) for generator in generators)


MARKUP: dict[str, Generator] = {
    "paragraphs": _fill("<article>", f"<p>{TEXT} {{0}}</p>"),
    "attributes of one tag": lambda size: f"<p {' '.join(f'a{n}=1' for n in range(20 * size))}>{TEXT}</p>",
    "attributes of html": _fill("", "<html a{0}=1>", TEXT),
    "names of tags": _fill("", "<x-{0}>oak</x-{0}>"),
    "names of attributes": _fill("", "<p a-{0}=1>oak</p>"),
    "classes": _fill("", "<div class='a{0} b{0} content'>oak wood</div>"),
    "ids": _fill("", "<p id=i{0}>oak wood is hard</p>"),
    "unclosed div": _fill("", "<div>oak"),
    "unclosed b": _fill("", "<b>oak<p>wood"),
    "unclosed font": _fill("", "<font size={0}>oak<p>wood"),
    "unclosed a": _fill("", "<a href=/{0}>oak<div>wood"),
    "end tags": _fill("<svg>" + "<g>" * 500, "</x>"),
    "nested div": _nest("<div>", "</div>"),
    "nested quotes": _nest("<blockquote><p>oak wood", "</blockquote>"),
    "nested itemscope": _nest("<div itemscope itemtype=https://schema.org/Article itemprop=author>oak", "</div>"),
    "nested spans": _nest("<span class=author>oak", "</span>"),
    "itemscopes": _fill("<div itemscope>", "<div itemprop=author itemscope><span itemprop=name>Ann {0}</span></div>"),
    "item references": lambda size: (
        f"<div itemscope itemtype=https://schema.org/Article itemref='{' '.join(f'r{n}' for n in range(size))}'></div>"
        + "".join(f"<p id=r{n} itemprop=author itemscope itemref=r{n}>oak</p>" for n in range(size))
    ),
    "hentries": _nest("<div class='h-entry hentry'><p class='p-author h-card'>oak</p>", "</div>"),
    "metas": _fill("<head>", "<meta property=article:tag content='oak {0}'><meta name=author content='Ann Oak {0}'>"),
    "JSON-LD": _fill(
        "<script type=application/ld+json>[",
        '{{"@type": "Article", "@id": "#{0}", "author": {{"@id": "#{0}"}}}},',
        "{}]</script>",
    ),
    "bylines": _fill(
        "<article>", "<p class=byline>By Ann Oak{0} on 3 May 2020</p><time datetime=2020-05-03>3 May</time>"
    ),
    "headings": _fill("<title>Oaks</title>", "<h1>Oaks {0}</h1><p>Oak wood is hard.</p>"),
    "images": _fill("<article>", "<figure><img src=/{0}.png alt=oak><figcaption>Oak {0}</figcaption></figure>"),
    "links": _fill("<nav>", "<a href=/{0}>Oak {0}</a> "),
    "breaks": _fill("<p>", "oak {0}<br>"),
    "bold and italic": _fill("<p>", "<b>oak</b><i>wood</i>.{0} "),
    "preformatted": _fill("<pre>", "oak {0}  \n"),
    "hidden": _fill("", "<div style='display:none'><p>oak wood {0}</p></div>"),
    "scripts": _fill("", "<script>if (a<b) c = '{0}';</script>"),
    "entities": _fill("<p>", "&lt;oak&gt;&amp;&#{0};&notit;"),
}
LISTS: dict[str, Generator] = {
    "list": _fill("<ul>", "<li><a href=/{0}>Oak {0}</a> <span class=price>{0} €</span></li>", "</ul>"),
    "definitions": _fill("<dl>", "<dt>Oak {0}</dt><dd>It is hard.</dd>", "</dl>"),
    "table": _fill("<table>", "<tr><td>Oak {0}</td><td>hard</td><td>{0}</td></tr>", "</table>"),
    "wide table": _fill("<table><tr>", "<td>oak {0}</td>", "</tr></table>"),
    "cards": _fill("<div class=cards>", "<div class=card><h3><a href=/{0}>Oak {0}</a></h3><p>Hard wood.</p></div>"),
    "comments": _fill(
        "<article><p>Oaks.</p></article><section id=comments>",
        "<div class=comment id=comment-{0}><b class=author>Ann {0}</b> <time>3 May 2020</time><p>I like {0}.</p></div>",
        "</section>",
    ),
    "nested comments": _join(
        lambda size: "<section id=comments class=comments>",
        _nest("<div class=comment><b class=author>Ann</b> <time>3 May 2020</time><p>I like oaks.</p>", "</div>"),
    ),
    "nested list": _nest("<ul><li>oak", "</ul>"),
    "nested table": _nest("<table><tr><td>oak", "</table>"),
    "row spans": _fill("<table>", "<tr><td rowspan=65534>x<td>y"),
    "row and column spans": _fill("<table>", "<tr><td rowspan=1000 colspan=1000>x"),
}
COMMENT = (
    "<div class=comment id=comment-{0}><b class=author>Ann {0}</b> <time>3 May 2020</time><p>I like {0}.</p></div>"
)
DEEP: dict[str, Generator] = {
    "deep div": _nest_deep("<div>", f"<p>{TEXT} {{0}}</p>"),
    "deep div of short paragraphs": _nest_deep("<div>", "<p>o{0}"),
    "deep classes": _nest_deep("<div class='content a' id=b>", "<p class=c{0}>oak</p>"),
    "deep quotes": _nest_deep("<blockquote>", "<p>oak{0}"),
    "deep list": _nest_deep("<ul><li>", "<p>oak{0}", 240),
    "deep list of items": _nest_deep("<ul><li>", "<li>oak{0}", 240),
    "deep table": _nest_deep("<table><tr><td>", "<p>oak{0}", 120),
    "deep table of rows": _nest_deep("<table><tr><td>", "<tr><td>oak{0}", 120),
    "deep spans": _nest_deep("<span class=author>", "<i>o{0}</i> "),
    "deep itemscope": _nest_deep(
        "<div itemscope itemtype=https://schema.org/Article itemprop=author>", "<b itemprop=name>o{0}</b>"
    ),
    "deep comments": _nest_deep("<div class=comment>", COMMENT),
    "deep details": _nest_deep("<details><summary>oak</summary>", "<p>oak{0}"),
    "deep definitions": _nest_deep("<dl><dt>oak<dd>", "<dd>oak{0}", 240),
    "deep figures": _nest_deep("<figure>", "<img src=/{0}.png><figcaption>o{0}</figcaption>"),
    "deep links": _nest_deep("<div>", "<a href=/{0}>oak {0}</a> "),
    "deep headings": _nest_deep("<section>", "<h2>Oak {0}</h2><p>Oak."),
    "deep code": _nest_deep("<div class=highlight>", "<pre><code>o{0}</code></pre>"),
    "deep drawing": _nest_deep("<svg>", "<g><text>o{0}</text></g>"),
    "deep formula": _nest_deep("<math><mrow>", "<mi>o{0}</mi>", 240),
    "deep hidden": _nest_deep("<div style=display:none>", "<p>oak{0}"),
    "deep quote of lines": lambda size: "<blockquote>" * 480 + "<pre>" + "o\n" * size,
    "deep list of lines": lambda size: "<ul><li>" * 240 + "<pre>" + "o\n" * size,
}
STRUCTURE: dict[str, Generator] = {
    "notes": _join(
        _fill("<p>", "oak<sup id=r{0}><a href=#n{0}>{0}</a></sup> "),
        _fill("<ol class=footnotes>", "<li id=n{0}>Note {0} <a href=#r{0}>↩</a></li>", "</ol>"),
    ),
    "references to one note": _fill(
        "<ol class=footnotes><li id=n>Note</li></ol><p>", "oak<sup id=r{0}><a href=#n>1</a></sup> "
    ),
    "plain notes": _join(_fill("<p>", "oak<sup>{0}</sup> "), _fill("<hr>", "<p><sup>{0}</sup> Note {0}.</p>")),
    "equal plain notes": _join(_fill("<p>", "oak<sup>1</sup> "), _fill("<hr>", "<p><sup>1</sup> Note.</p>")),
    "side notes": _fill("<p>", "oak<label for=s{0}></label><input id=s{0} type=checkbox><span class=sidenote>o</span>"),
    "dollars": _fill("<p>", "$x_{0} "),
    "double dollars": _fill("<p>", "$$ x_{0} \\( y "),
    "open formulas": _fill("<p>", "\\begin{{align}} \\[ x_{0} "),
    "formula elements": _fill("<p>", "<math><mfrac><mi>x</mi><mn>{0}</mn></mfrac></math> "),
    "one formula": _fill("<math>", "<msup><mi>x</mi><mn>{0}</mn></msup><mo>+</mo>", "</math>"),
    "TeX scripts": _fill("<p>", "<script type=math/tex>x_{0}^{{2}}</script> "),
    "TeX braces": lambda size: "<p>\\(" + "{" * size + "x" + "}" * size + "\\)</p><script type=math/tex>" + "{" * size,
    "code": _fill("<article>", "<pre><code class=language-python>x = {0}\ny = 2</code></pre>"),
    "one listing": _fill("<pre class=highlight><code>", "<span class=k>def</span> <span class=n>f{0}</span>\n"),
    "numbered listing": _fill(
        "<table class=highlight>", "<tr><td class=lineno>{0}</td><td class=code>x = {0}</td></tr>"
    ),
    "fences": lambda size: "<pre>" + "\n".join("`" * n for n in range(int(size**0.5) + 1)) + "</pre>",
    "back ticks": _fill("<p>", "<code>`{0}``</code> "),
    "callouts": _fill("<article>", "<div class='admonition note'><p class=admonition-title>Note</p><p>o{0}</p></div>"),
    "embeds": _fill("<article>", "<iframe src=https://www.youtube.com/embed/{0}></iframe><video src={0}.mp4></video>"),
    "definition list of links": _fill("<dl>", "<dt><a href=#{0}>o</a><dd><a name={0}>x</a>"),
    "tables": _fill("<article>", "<table><tr><th>o<th>w<tr><td>{0}<td>x</table>"),
    "table of columns": lambda size: (
        "<table>" + "<tr>" + "<th>o" * int(size**0.5) + ("<tr>" + "<td>x" * int(size**0.5)) * int(size**0.5)
    ),
    "srcset": lambda size: "<img src=a.png srcset='" + ", ".join(f"a{n}.png {n}w" for n in range(size)) + "'>",
    "pictures": _fill("<p>", "<picture><source srcset='a{0}.webp 1x, b{0}.webp 2x'><img src={0}.png></picture>"),
    "one picture": _fill("<picture>", "<source srcset={0}.webp>", "<img src=a.png></picture>"),
    "noscript images": _fill("<p>", "<img src=spinner.gif data-src={0}.png><noscript><img src={0}.png></noscript>"),
    "definition terms": _fill("<dl>", "<dt>Oak {0}", "<dd>hard</dl>"),
    "options": _fill("<select>", "<option>oak {0}", "</select>"),
    "ruby": _fill("<ruby>", "字<rt>o{0}</rt>"),
    "templates": _fill("", "<div><template shadowrootmode=open><p>oak {0}</p></template></div>"),
    "frames": _fill("<frameset>", "<frame src={0}>"),
    "subscripts": _fill("<p>", "o<sub>{0}</sub><sup>2</sup>"),
    "nested subscripts": _nest("<sub>o", "</sub>"),
    "nested callouts": _nest("<div class='admonition note'><p class=admonition-title>Note</p><p>oak", "</div>"),
    "nested details": _nest("<details><summary>oak</summary><p>wood", "</details>"),
    "nested side notes": _nest("<label class=sidenote-number></label><span class=sidenote>oak", "</span>"),
    "nested formulas": _nest("<math><msup><mi>x</mi><mrow>", "</mrow></msup></math>"),
    "nested formula spans": _nest("<span class=katex><span class=katex-html>x", "</span></span>"),
    "formula spans": _fill(
        "<p>", "<span class=katex><span class=katex-html><span class=mord>x{0}</span></span></span> "
    ),
    "one formula of spans": _fill("<span class=katex><span class=katex-html>", "<span class=mord>x</span>", "</span>"),
    "nested stacks": _join(
        lambda size: "<span class=katex-html>",
        _nest("<span class=mfrac><span class=vlist><span>x", "</span></span></span>"),
    ),
    "formulas without tags": _fill("<p>", "<span class=katex-mathml>x\n \n x_{0}</span>"),
    "formula previews": _fill("<p>", "<span class=MathJax_Preview>x_{0}</span><span class=MathJax>x{0}</span>"),
    "TeX commands": lambda size: "<p>\\(" + "\\frac{x}" * size + "\\) and $" + "\\left(" * size + "$",
    "TeX definitions": _fill("<p>\\(", "\\def\\a{{\\a\\a}}\\a{0} ", "\\)"),
    "notes in attributes": _fill("<p>", "oak<sup data-footnote='A note of oak {0}.'>{0}</sup> "),
    "buttons of notes": _fill(
        "<p>",
        "oak<a><sup class=footnote_plugin_tooltip_text>{0}</sup></a><span class=footnote_tooltip>Oak {0}.</span> ",
    ),
    "streamed parts": _join(
        _fill("<article>", '<p>oak {0}</p><template id="B:{0}"></template>'),
        _fill("", '<div hidden id="S:{0}"><p>wood {0}</p></div><script>$RC("B:{0}","S:{0}")</script>'),
    ),
    "streamed parts in parts": _join(
        _fill('<template id="B:0"></template>', ""),
        lambda size: "".join(
            f'<div hidden id="S:{n:x}"><p>wood<template id="B:{n + 1:x}"></template></div>'
            f'<script>$RC("B:{n:x}","S:{n:x}")</script>'
            for n in range(size)
        ),
    ),
    "streamed parts without end": _join(
        _fill("<p>", '<template id="B:{0}"></template><div hidden id="S:{0}">oak'), _fill("", '$RC("B:{0}","S:{0}")')
    ),
    "equal streamed parts": _fill(
        '<template id="B:1"></template>',
        '<template id="B:1"></template><div hidden id="S:1">oak</div><script>$RC("B:1","S:1")',
    ),
    "tables by role": _fill(
        "<article>", "<div role=table><div role=row><i role=columnheader>o</i><i role=cell>{0}</i></div></div>"
    ),
    "one table by role": _fill("<div role=table>", "<div role=row><i role=cell>o</i><i role=cell>{0}</i></div>"),
    "nested tables by role": _nest(
        "<div role=table><div role=row><i role=cell>o</i><div role=cell>", "</div></div></div>"
    ),
    "nested boxes by role": _nest("<div role=table>", "</div>"),
    "wide table of LaTeXML": _fill(
        "<span class=ltx_tabular><span class=ltx_tr>", "<span class='ltx_td ltx_colspan_9'>o{0}</span>"
    ),
    "nested tables of LaTeXML": _nest(
        "<span class=ltx_tabular><span class=ltx_tr><b class=ltx_td>o</b><span class=ltx_td>", ""
    ),
    "drawn boxes": _fill("<ul>", "<li><div class='checkbox checkbox-on'></div>oak {0}"),
    "nested quotes of code": _nest("<blockquote><pre>a\nb</pre>", "</blockquote>"),
    "quotes of code": _fill("<article>", "<blockquote><pre>a = {0}\nb</pre></blockquote>"),
    "carriage returns": lambda size: "<pre>" + "a&#13;" * size + "</pre>",
    "references in TeX": lambda size: "<p>\\(" + "&amp;lt; " * size + "\\)<script type=math/tex>" + "&lt;" * size,
    "nested notes in attributes": _nest("<sup data-footnote='A note of oak.'>", "</sup>", "1"),
    "quotes of posts": _fill(
        "<article>",
        "<p>Oak {0}.<aside class=quote><div class=title>Ann:</div><blockquote>Wood.</blockquote></aside>",
    ),
    "nested quotes of posts": _nest(
        "<aside class=quote><div class=title>Ann:</div><blockquote><p>o", "</blockquote></aside>"
    ),
    "previews of links": _fill("<article>", "<p>o<aside class=onebox data-onebox-src=/{0}><h3>Oak</h3></aside>"),
    "lines of code": _fill("<article>", "<p><code>x = {0};</code></p>"),
    "images with maps": _fill("<map name=m>", "<area href=/{0} alt=oak>", "</map>"),
}
TEXTS: dict[str, Generator] = {
    "one word": lambda size: "<p>" + "o" * (10 * size),
    "spaces": lambda size: "<p>oak" + " " * (10 * size) + "wood",
    "line ends": lambda size: "<pre>oak" + "\n" * (10 * size) + "wood",
    "no-break spaces": lambda size: "<p>oak" + "\xa0" * (10 * size) + "wood",
    "digits": lambda size: "<p class=date>" + "1" * (10 * size) + "<time>" + "2020-01-" * size,
    "dates": _fill("<p>", "3 May 2020, 1.2.2020, 2020/02/03 {0} "),
    "prices": _fill("<p class=price>", "€ 1.000,{0} $3 "),
    "commas": lambda size: "<p class=author>By " + "," * (10 * size),
    "authors": lambda size: "<p class=author>By " + "Ann Oak, " * size,
    "and": lambda size: "<meta name=author content='" + "Ann and " * size + "'>",
    "title": lambda size: "<title>" + "Oak | wood - " * size + "</title><h1>" + "Oak | wood - " * size + "</h1>",
    "stars": lambda size: "<p>" + "*_[" * (3 * size) + "](" * size,
    "less than": lambda size: "<p>" + "&lt;a " * size,
    "pipes": lambda size: "<table><tr><th>a<th>b<tr><td>" + "|" * (5 * size) + "<td>" + "\\|" * size,
    "URL": lambda size: "<p><a href='/" + "a/../" * size + "'>oak</a><base href='" + "x/" * size + "'>",
    "query": lambda size: "<link rel=canonical href='https://a.example/?" + "a=1&" * size + "'>",
    "style": lambda size: "<p style='" + "color: red; " * size + "'>oak",
    "class": lambda size: "<p class='" + "post content " * size + "'>oak",
    "long class": lambda size: "<p class='" + "postContent-" * size + "'>oak",
    "comment": lambda size: "<p>oak<!--" + "-" * (10 * size) + "<p>wood",
    "comments of markup": _fill("<p>", "oak<!-- {0} -->"),
    "open comments": _fill("<p>", "oak<!-- {0} "),
    "open tags": _fill("", "<p class='"),
    "open scripts": _fill("", "<script>oak<!--<script>"),
    "CDATA": _fill("<svg>", "<![CDATA[ oak {0} "),
    "dots": lambda size: "<p>" + "." * (10 * size),
    "letters and dots": lambda size: "<p>" + "e.g." * (3 * size),
    "sentences": lambda size: "<p>" + "Oak. " * (2 * size),
    "ideographs": lambda size: "<p>" + "字。" * (2 * size),
    "combining": lambda size: "<p>a" + "\u0301" * (5 * size),
    "mixed scripts": lambda size: "<p>" + "aбअ字ก " * size,
    "one JSON-LD text": lambda size: (
        '<script type=application/ld+json>{"articleBody":"' + "oak\\n" * size + '"}</script>'
    ),
    "deep JSON-LD": lambda size: "<script type=application/ld+json>" + '{"author":[' * size,
    "broken JSON-LD": _fill("<script type=application/ld+json>{", '"a{0}": "b", // c\n'),
    "JSON-LD scripts": _fill("", '<script type=application/ld+json>{{"@id":"#{0}","author":{{"@id":"#0"}}}}</script>'),
    "JSON-LD lists": lambda size: (
        '<script type=application/ld+json>{"@graph":[' + "[" * size + "]" * size + "]}</script>"
    ),
    "meta content": lambda size: "<meta name=description content='" + "Oaks grow, slowly. " * size + "'>",
    "hreflang": _fill("<head>", "<link rel=alternate hreflang=en href=/{0}>"),
    "tags": _fill("<p class=tags>", "<a rel=tag href=/{0}>Oak {0}</a> "),
    "times": _fill("<article>", "<time datetime=2020-01-01T00:00:{0}>3 May {0}</time> "),
    "bread crumbs": _fill("<nav class=breadcrumb>", "<a href=/{0}>Oak</a> » "),
    "pages": _fill("<div class=pagination>", "<a href=?page={0}>{0}</a> "),
}
RECORDS: dict[str, Generator] = {
    "records of many fields": lambda size: (
        "<ul>"
        + "".join(
            "<li>" + "".join(f"<b class=c{n}>o{n}</b>" for n in range(int(size**0.5))) for _ in range(int(size**0.5))
        )
    ),
    "records of classes": _fill("<ul>", "<li class=c{0}><a class=d{0} href=/{0}>Oak {0}</a><b class=e{0}>{0} €</b>"),
    "uneven records": lambda size: (
        "<div>" + "".join(f"<div class=r><a href=/{n}>Oak</a>{'<b>x</b>' * (n % 17)}</div>" for n in range(size))
    ),
    "alternating records": _fill("<div>", "<h3>Oak {0}</h3><p>hard</p><a href=/{0}>more</a>"),
    "flat siblings": lambda size: (
        "<div>"
        + "".join(
            f"<{('p', 'b', 'i', 'a', 'h3', 'ul')[n * n % 6]}>o{n}</{('p', 'b', 'i', 'a', 'h3', 'ul')[n * n % 6]}>"
            for n in range(size)
        )
    ),
    "lists of lists": _fill("<div>", "<ul><li>o{0}<li>w<li>x</ul>"),
    "two lists": _join(_fill("<ul>", "<li><a href=/{0}>o{0}</a>", "</ul>"), _fill("<ol>", "<li><b>{0}</b> w", "</ol>")),
    "records with long values": lambda size: "<ul>" + f"<li><a href=/x>{'oak ' * size}</a><b>{'wood ' * size}</b>" * 5,
    "labels": _fill("<div>", "<p><b>Wood:</b> oak {0}</p>"),
    "definition records": _fill("<div>", "<dl><dt>Price<dd>{0} €<dt>Wood<dd>oak</dl>"),
    "product": _fill("<div itemscope itemtype=https://schema.org/Product>", "<b itemprop=offers>{0}</b>"),
    "products": _fill(
        "<div>",
        "<div itemscope itemtype=https://schema.org/Product><b itemprop=name>o{0}</b><i itemprop=price>{0}</i></div>",
    ),
    "records with a word each": _fill("<ul>", "<li><i>alpha{0}</i><b>beta{0}</b><u>gamma{0}</u>"),
    "sections": _fill("<div>", "<h2>Oak {0}</h2><ul><li><a href=/{0}>x</a><li><a href=/b{0}>y</a></ul>"),
    "posts": _fill(
        "<div class=thread>",
        "<div class=post><a class=username href=/u{0}>Ann {0}</a><time datetime=2020-05-03>3 May</time>"
        "<div class=body>I like oak {0}.</div></div>",
    ),
    "replies": _fill(
        "<ol class=commentlist>",
        "<li class=comment id=c{0}><cite>Ann {0}</cite><p>@Ann{0} oak</p><ul class=children>",
        "",
    ),
    "replies to one": _fill(
        "<section id=comments>",
        "<div class=comment id=c{0}><b class=author>Ann</b><a href=#c0>in reply to</a><time>3 May 2020</time>"
        "<p>o{0}</p></div>",
    ),
    "grid of spans": lambda size: (
        "<table>" + "".join(f"<tr><td rowspan={n % 50}>x<td colspan={n % 7}>y<td>z" for n in range(size))
    ),
    "header cells": _fill("<table>", "<tr><th>Oak {0}<td>x"),
    "columns": lambda size: (
        "<table><tr>" + "".join(f"<th>Oak {n}" for n in range(size // 2)) + "<tr>" + "<td>x" * (size // 2)
    ),
    "bodies": _fill("<table>", "<tbody><tr><td>o{0}<td>x</tbody>"),
}
INVENTED: dict[str, Generator] = {
    "misnested formatting": _fill("", "<b><i><p>oak {0}</b></i></p>"),
    "misnested table": _fill("<table>", "<b>oak {0}<tr><i>x<td>y</i></b>"),
    "foster parents": _fill("<table>", "oak {0} <div>w</div>"),
    "misnested links": _fill("<p>", "<a href=/{0}><div><a href=/b{0}>oak</div></a>"),
    "crossed formatting": _fill("<p>", "<b>o<i>a</b>k</i> "),
    "stacks of formatting": _fill(
        "<p>", "<b><i><u><s><em><strong><code><q>oak {0}</q></code></strong></em></s></u></i></b> "
    ),
    "equal ids": _join(
        _fill("<p>", "oak<sup id=r><a href=#n>1</a></sup> "),
        _fill("<ol class=footnotes>", "<li id=n>Note <a href=#r>↩</a>"),
    ),
    "back links of one note": _join(
        _fill("<p>", "oak<sup id=r{0}><a href=#n1>1</a></sup> "),
        _fill("<ol class=footnotes><li id=n1>Note ", "<a href=#r{0}>↩</a>"),
    ),
    "notes in notes": _fill(
        "<ol class=footnotes>", "<li id=n{0}>Note<sup id=r{0}><a href=#n{0}>{0}</a></sup> <a href=#r{0}>↩</a></li>"
    ),
    "anchors in circles": _fill("<p>", "<a id=a{0} href=#b{0}>o</a><a id=b{0} href=#a{0}>p</a>"),
    "bases": _fill("<head>", "<base href=https://a{0}.example/x/><link rel=canonical href=/{0}>"),
    "refreshes": _fill("<head>", "<meta http-equiv=refresh content='0;url=/{0}'>"),
    "URLs in text": _fill("<p>", "https://a{0}.example/b?c=d&e={0}#f, a.b+c@oak{0}.example "),
    "one mail address": lambda size: "<p>" + "a." * size + "@" + "b." * size,
    "one long attribute": lambda size: f"<p data-x='{'oak ' * size}'>{TEXT}</p>",
    "one long description": lambda size: f"<article><p>{TEXT}<img src=a.png alt='{'*_[]()!`' * size}'>",
    "one data image": lambda size: f"<article><p>{TEXT}<img src='data:image/png;base64,{'A' * (10 * size)}'>",
    "relative images": _fill("<article>", "<p>o<img src=img/{0}.png>"),
    "srcset of commas": lambda size: f"<article><p>{TEXT}<img srcset='{',' * (5 * size)}a{' ' * (5 * size)}'>",
    "class lists": _fill("", "<p class='" + " ".join(f"c{n}" for n in range(40)) + " d{0}'>oak"),
    "classes of one element": lambda size: (
        f"<div class='{' '.join(f'post-c{n}' for n in range(size))}'><p>{TEXT}</p></div>"
    ),
    "style sheet": _fill("<style>", ".c{0} > p:hover {{ display: none }} ", "</style><p class=c1>oak"),
    "named entities": lambda size: "<p>" + "&amp;&lt;&gt;&quot;&nbsp;" * size,
    "broken entities": lambda size: "<p>" + "&&#x;&#;&am&copy&not&#xD800;&#x110000;" * size,
    "bidirectional text": lambda size: "<p>" + "\u202eoak\u202c \u2066wood\u2069 شجرة " * size,
    "characters without width": lambda size: "<p>oak" + "\u200b\u200d\ufeff\u00ad" * size,
    "one line of ideographs": lambda size: "<article><p>" + "橡树的木材很硬" * size,
    "marks of Markdown": lambda size: "".join(f"<p># oak {n}<p>{n}. oak<p>- x<p>===" for n in range(size)),
    "brackets": lambda size: "<p>" + "[" * size + "oak" + "]" * size + "(x)" * size,
    "JSON-LD circle": lambda size: (
        '<script type=application/ld+json>{"@graph":['
        + ",".join(
            f'{{"@id":"#{n}","@type":"Article","author":{{"@id":"#{(7 * n + 1) % size}"}},'
            f'"mainEntity":{{"@id":"#{(n + 1) % size}"}}}}'
            for n in range(size)
        )
        + "]}</script>"
    ),
    "deep JSON-LD objects": lambda size: (
        "<script type=application/ld+json>" + '{"@type":"Article","isPartOf":' * size + "1" + "}" * size + "</script>"
    ),
    "state of a script": lambda size: (
        '<script id=__NEXT_DATA__ type=application/json>{"props":{"items":['
        + ",".join(f'{{"id":{n},"title":"Oak {n}","price":{n}}}' for n in range(size))
        + "]}}</script>"
    ),
    "circle of item references": lambda size: "".join(
        f"<div id=i{n} itemscope itemprop=author itemtype=https://schema.org/Person"
        f" itemref='i{(n + 1) % size} i{7 * n % size}'>o</div>"
        for n in range(size)
    ),
    "dates of all forms": _fill(
        "<article>", "<p>Published on May 3, 2020 at 5:{0} pm; updated 2020-05-03; il y a 3 jours; 2020年5月3日"
    ),
    "authors of all forms": _fill(
        "<article>", "<span class=author rel=author itemprop=author>By Ann Oak {0} and Bob Elm, PhD</span> | "
    ),
    "capital words": lambda size: "<p class=author>" + "Ann " * size,
    "lists with headings": _fill("<ul>", "<li><h3>Oak {0}</h3><ul><li><h4>x</h4><p>y</ul>"),
    "reversed list": _fill("<ol reversed start=999999999>", "<li value=-{0}>oak {0}"),
    "groups of definitions": _fill("<dl>", "<div><dt>o{0}<dt>p<dd>x<dd>y</div>"),
    "nested definitions": _nest("<dl><dt>o<dd>", "</dl>"),
    "spans of all sizes": lambda size: (
        "<table>"
        + "".join(f"<tr><td rowspan={n % 30 + 1} colspan={n * 7 % 30 + 1}>x<td rowspan=0>y" for n in range(size))
    ),
    "table of tables": _fill("<table>", "<tr><td><table><tr><td>o{0}</table>"),
    "wide columns": _fill("<table>", "<colgroup span=1000><col span=1000 class=c{0}></colgroup><tr><td>x"),
    "breaks in cells": lambda size: "<table><tr><td>" + "o<br>" * size + "<td>" + "x<br>" * size,
    "listings in cells": _fill("<table>", "<tr><td><pre>x = {0}\n</pre>"),
    "wide matrix": _fill("<math><mtable><mtr>", "<mtd><mi>x</mi></mtd>", "</mtr></mtable></math>"),
    "TeX in attributes": _fill(
        "<p>", "<span class=math data-tex='x_{0}'>x</span> <img class=tex alt='$x_{0}$' src=x> "
    ),
    "nested environments": lambda size: "<p>" + "\\begin{a}" * size + "x" + "\\end{a}" * size,
    "nested drawings of formulas": _nest(
        "<mjx-container><mjx-math><mjx-mfrac>", "</mjx-mfrac></mjx-math></mjx-container>", "<mjx-mi>x</mjx-mi>"
    ),
    "drawings": _fill("<article>", "<svg><g><path d='M0 0L{0} 1'/><text>oak</text><title>o</title></g></svg>"),
    "nested templates": _nest("<template><div>o", "</div></template>"),
    "nested shadow roots": _nest("<div><template shadowrootmode=open><slot>o</slot>", "</template></div>"),
    "threads": lambda size: (
        "<section class=comments>"
        + "".join(
            f"<ul><li class=comment id=c{n}><b class=author>Ann {n}</b><time>3 May 2020</time><p>oak {n}"
            + ("</ul>" * 20 if n % 20 == 19 else "")
            for n in range(size)
        )
    ),
    "rows of 50 columns": lambda size: "<table>" + ("<tr>" + "<td>1" * 50) * (size // 10 + 2),
    "one wide row": lambda size: "<table>" + "<tr><td>oak<td>1" * size + "<tr>" + "<td>x" * 99,
    "bodies of pages": _fill("<p>oak", "<head><title>o{0}</title></head><body class=c{0}>"),
}
GENERATORS = MARKUP | LISTS | DEEP | STRUCTURE | TEXTS | RECORDS | INVENTED
