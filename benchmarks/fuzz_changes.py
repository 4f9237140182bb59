"""Random changes to the tags, attributes, texts and bytes of a page, for `fuzz.py`."""

from __future__ import annotations

import gzip
import random
import re

MAX_PAGE_BYTES = 400_000

TOKEN = re.compile(rb"<!--.*?-->|<[^>]*>|[^<]+|<", re.DOTALL)
TAGS = (
    "a abbr article aside b blockquote body br button caption code col dd details div dl dt em font footer form"
    " frameset h1 h2 head html i iframe img input li main math meta nav noscript ol option p plaintext pre"
    " script section select span style sub svg table tbody td template textarea th time title tr ul x-y foreignObject"
).split()
SNIPPETS = [
    b"<script>alert(1)</script>", b"<img src=x onerror=alert(1)>", b"<a href=' java\tscript:alert(1)'>x</a>",
    b"<svg><style><img src=x onerror=alert(1)></style></svg>", b"<math><mtext><table><mglyph><style><!--</style>",
    b"<!--", b"-->", b"<![CDATA[", b"]]>", b"<plaintext>", b"</p>", b"</body></html>", b"<base href='javascript:x'>",
    b"&#0;&#x110000;&lt;script&gt;&amp;amp;", b"\x00\x1b[31m\xff\xfe", b"\xe2\x80\xae\xf0\x9f\x92\xa9\xed\xa0\x80",
    b"<table><tr><td rowspan=65534 colspan=1000>x", b"<ol start=-99999999999999999999><li value=1e9>x",
    b"<time datetime='9999-99-99T99:99'>x</time>", b"<div itemscope itemtype=//schema.org/Person itemprop=author>",
    b"<script type=application/ld+json>{\"@type\":\"Article\",\"author\":[[[{\"name\":null}]]]}</script>",
    b"<div class='comment' id=comment-1><span class=author>A</span><time>now</time><p>reply</p>", b"`*_[]()#|\\~>",
    b"<pre><code class='language-\"><script>'>\n```\n~~~\n</code></pre>", b"<b><i><u><a><font>",
    b"<p style='display:none'>",
]  # fmt: skip


def mutate(chosen: random.Random, seeds: list[bytes], max_bytes: int = MAX_PAGE_BYTES) -> bytes:
    """Return a page that is a seed with some changes to its tags, attributes, texts and bytes."""
    tokens = TOKEN.findall(chosen.choice(seeds)) or [b"x"]
    for _ in range(chosen.randint(1, 8)):
        chosen.choice(CHANGES)(chosen, tokens, seeds)
        if not tokens:
            tokens.append(b"x")
    page = b"".join(tokens)[:max_bytes]
    if chosen.random() < 0.1:
        page = page[: chosen.randrange(len(page) + 1)]
    if chosen.random() < 0.1:
        damaged = bytearray(page or b"x")
        for _ in range(chosen.randint(1, 20)):
            damaged[chosen.randrange(len(damaged))] = chosen.randrange(256)
        page = bytes(damaged)
    if chosen.random() < 0.01:  # other formats, and damaged ones
        page = chosen.choice((gzip.compress(page)[:-9], b"%PDF-1.4 " + page, page.decode("latin-1").encode("utf-16")))
    return page[:max_bytes]


def _range(chosen: random.Random, tokens: list[bytes], longest: int) -> slice:
    start = chosen.randrange(len(tokens))
    return slice(start, start + chosen.randint(1, longest))


def _delete(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    del tokens[_range(chosen, tokens, 50)]


def _repeat(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    part = _range(chosen, tokens, 30)
    room = MAX_PAGE_BYTES // 2 // max(1, sum(map(len, tokens[part])))
    tokens[part] = tokens[part] * min(chosen.choice((2, 3, 10, 100, 1_000)), max(1, room))


def _move(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    part = _range(chosen, tokens, 30)
    moved = tokens[part]
    del tokens[part]
    place = chosen.randrange(len(tokens) + 1)
    tokens[place:place] = moved


def _splice(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    other = TOKEN.findall(chosen.choice(seeds)) or [b"y"]
    tokens[_range(chosen, tokens, 5)] = other[_range(chosen, other, 200)]


def _insert(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    tokens.insert(chosen.randrange(len(tokens) + 1), chosen.choice(SNIPPETS) * chosen.choice((1, 1, 1, 5, 200)))


def _insert_tags(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    tags = [chosen.choice(TAGS).encode() for _ in range(chosen.randint(1, 3))]
    opened = b"".join(b"<%s>" % tag for tag in tags) * chosen.choice((1, 1, 2, 20, 600, 3_000))
    tokens.insert(chosen.randrange(len(tokens) + 1), opened)


def _rename(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    old, new = chosen.choice(TAGS).encode(), chosen.choice(TAGS).encode()
    pattern = re.compile(rb"(</?)" + old + rb"(?=[\s/>])", re.IGNORECASE)
    tokens[:] = [pattern.sub(rb"\1" + new, token) for token in tokens]


def _change_attributes(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    names = (b"class", b"id", b"style", b"href", b"src", b"itemprop", b"datetime", b"hidden", b"lang", b"rel", b"title")
    values = (
        b"''",
        b"'" + b"x " * 50 + b"'",
        b"comment",
        b"'content article'",
        b"'<b>'",
        b"display:none",
        b"\xff",
        b"'&#0;'",
    )
    for _ in range(chosen.randint(1, 20)):
        place = chosen.randrange(len(tokens))
        if tokens[place].startswith(b"<") and tokens[place].endswith(b">"):
            added = b" %s=%s" % (chosen.choice(names), chosen.choice(values))
            tokens[place] = tokens[place][:-1] + added * chosen.choice((1, 1, 50)) + b">"


def _change_text(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    texts = (b"", b" ", b"x" * 5_000, b"word " * 2_000, "字".encode() * 500, b"\n" * 500, b"*_`[](" * 200, b"1.2.2020")
    tokens[chosen.randrange(len(tokens))] = chosen.choice(texts)


def _add_attributes(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Give a tag very many attributes, or one very long value."""
    count = chosen.choice((50, 1_200, 5_000))
    kind = chosen.randrange(4)
    attributes = (
        b" ".join(b"a%d=%d" % (number, number) for number in range(count)),
        b" ".join(b"class=c%d" % number for number in range(count)),
        b"class='" + b" ".join(b"c%d" % number for number in range(count)) + b"'",
        b"href='" + b"a/../" * count + b"' srcset='" + b"a.png 1x, " * count + b"'",
    )[kind]
    tag = chosen.choice(TAGS).encode()
    tokens.insert(chosen.randrange(len(tokens) + 1), b"<%s %s>" % (tag, attributes))


def _open_raw_text(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Open an element whose content is text, and do not close it, or close it late or in a comment."""
    tag = chosen.choice((b"script", b"style", b"textarea", b"title", b"xmp", b"iframe", b"noframes", b"noscript"))
    place = chosen.randrange(len(tokens) + 1)
    tokens.insert(place, b"<%s>%s" % (tag, chosen.choice((b"", b"<!--", b"<!--<script>", b"</%s-" % tag))))
    if chosen.random() < 0.5:
        tokens.insert(chosen.randrange(place, len(tokens) + 1), b"</%s " % tag)


def _wrap(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Put a part of the page into a template, a shadow root, a drawing, a formula or a select."""
    before, after = chosen.choice(
        (
            (b"<template>", b"</template>"),
            (b"<div><template shadowrootmode=open><slot></slot>", b"</template></div>"),
            (b"<svg><foreignObject>", b"</foreignObject></svg>"),
            (b"<svg><desc><title>", b"</svg>"),
            (b"<math><annotation-xml encoding=text/html>", b"</math>"),
            (b"<math><mi>", b"</mi></math>"),
            (b"<select><option>", b"</select>"),
            (b"<table><caption>", b"</table>"),
            (b"<frameset>", b"</frameset>"),
            (b"<object><param>", b"</object>"),
            (b"<a href=x><button>", b"</button></a>"),
            (b"<![CDATA[", b"]]>"),
        )
    )
    part = _range(chosen, tokens, 200)
    repeats = chosen.choice((1, 1, 1, 3, 100))
    tokens[part] = [before * repeats, *tokens[part], after * chosen.choice((0, 1, repeats))]


def _insert_huge_text(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    texts = "a| |\n|.|-|1|$|`|[|(|\\|&|&lt;|\xa0|$x$ |字|\u0301|👨\u200d|\u202e|e.g. |http://a.b/|a@b.c ".split("|")
    character = chosen.choice(["|", *texts]).encode()
    tokens.insert(chosen.randrange(len(tokens) + 1), character * chosen.choice((1_000, 20_000, 60_000)))


def _insert_bad_characters(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Insert NULs, lone surrogates, noncharacters, controls and cut sequences between and inside tokens."""
    bad = (
        b"\x00 \xed\xa0\x80 \xed\xb0\x80 \xef\xbf\xbf \xef\xbb\xbf \xf4\x90\x80\x80 \xc0\x80 \xe2\x80"
        b" \x1b \x0b \x0c \x7f \xc2\x85 &#xD800; &#xDFFF; &#0; &#x1F; &#128; &#xFFFF; \xe2\x80\xa8 \xe2\x80\xae"
    ).split()
    for _ in range(chosen.randint(1, 30)):
        place = chosen.randrange(len(tokens))
        at = chosen.randrange(len(tokens[place]) + 1)
        tokens[place] = tokens[place][:at] + chosen.choice(bad) + tokens[place][at:]


def _declare_charset(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Declare an encoding that the page does not have, or none that exists."""
    name = chosen.choice(
        b"utf-16 utf-16le utf-7 utf-32 shift_jis euc-jp iso-2022-jp gb18030 big5 koi8-r x-user-defined replacement none"
        b" windows-1252 idna base64 rot13 hex unicode_escape".split()
    )
    declaration = chosen.choice((b"<meta charset=%s>", b"<meta http-equiv=content-type content='a/b; charset=%s'>"))
    tokens.insert(chosen.randrange(min(len(tokens), 5) + 1), declaration % name)
    if chosen.random() < 0.3:
        tokens.insert(0, chosen.choice((b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf", b"\x00\x00\xfe\xff", b"\x1b$B")))


def _refresh(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    """Insert redirections by meta elements, to itself and to schemes that are not of the web."""
    target = chosen.choice((b"page.html", b"javascript:alert(1)", b"data:text/html,x", b"//[::1]/", b"http://[", b""))
    meta = b"<meta http-equiv=refresh content='0;url=%s'><base href='%s'><link rel=canonical href='%s'>" % (
        3 * (target,)
    )
    tokens.insert(chosen.randrange(len(tokens) + 1), meta * chosen.choice((1, 2, 300)))


def _nest_structured_data(chosen: random.Random, tokens: list[bytes], seeds: list[bytes]) -> None:
    depth = chosen.choice((3, 50, 3_000))
    name = chosen.choice((b"author", b"@graph", b"@id", b"mainEntity", b"comment", b"offers", b"itemListElement"))
    opened = b'{"%s":[' % name * depth
    closed = b"]}" * chosen.choice((0, depth))
    tokens.insert(
        chosen.randrange(len(tokens) + 1),
        b"<script type=application/ld+json>" + opened + b'{"@type":"Article","@id":"#a"}' + closed + b"</script>",
    )


CHANGES = [
    _delete, _repeat, _move, _splice, _insert, _insert_tags, _rename, _change_attributes, _change_text, _add_attributes,
    _open_raw_text, _wrap, _insert_huge_text, _insert_bad_characters, _declare_charset, _refresh, _nest_structured_data,
]  # fmt: skip
