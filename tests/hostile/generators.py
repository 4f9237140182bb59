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
GENERATORS = MARKUP | LISTS
