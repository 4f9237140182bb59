"""Parts that React streams at the end of a page are moved to their places."""

from __future__ import annotations

import duramen
from duramen.dom.streamed_parts import move_streamed_parts

DEFINITION = b"$RC=function(b,a){if(a<b)a.remove()};"


def part(number: int, content: bytes, place: bytes = b"") -> bytes:
    name = b"%d" % number
    call = b'$RS("S:%s","P:%s")' % (name, place) if place else b'$RC("B:%s","S:%s")' % (name, name)
    return b'<div hidden id="S:%s">%s</div><script>%s%s</script>' % (name, content, DEFINITION, call)


def test_part_replaces_its_place_and_the_fallback() -> None:
    html = b'<p>a</p><!--$?--><template id="B:1"></template><i>Loading</i><!--/$--><p>c</p>' + part(1, b"<p>b</p>")
    moved = move_streamed_parts(html)
    assert b"<p>a</p><!--$?--><p>b</p><!--/$--><p>c</p>" in moved
    assert b"Loading" not in moved
    assert moved.count(b"<p>b</p>") == 1


def test_part_may_hold_the_place_of_another() -> None:
    html = (
        b'<main><template id="B:0"></template></main>'
        + part(1, b"<p>inner</p>")
        + part(0, b'<p>outer</p><template id="B:1"></template>')
        + part(2, b"<p>kept</p>")
    )
    moved = move_streamed_parts(html)
    assert moved.startswith(b"<main><p>outer</p><p>inner</p></main>")
    assert b'<div hidden id="S:2"><p>kept</p></div>' in moved  # no place


def test_segment_and_places_that_hold_each_other() -> None:
    html = b'<template id="P:7"></template>' + part(3, b"<p>x</p>", b"7")
    assert move_streamed_parts(html).startswith(b"<p>x</p>")
    cycle = part(1, b'a<template id="B:2"></template>') + part(2, b'b<template id="B:1"></template>')
    moved = move_streamed_parts(cycle)
    assert moved.count(b"a<template") == 1
    assert moved.count(b"b<template") == 1


def test_pages_without_parts_are_unchanged() -> None:
    for html in (b"<p>$RC(</p>", b'<div id="S:1">x</div>', b'<div hidden id="S:1">x</div>$RC("B:1","S:1")', b""):
        assert move_streamed_parts(html) == html


def test_listing_stands_between_its_paragraphs() -> None:
    words = b"The heartwood of an oak carries the tree for centuries, and every ring in it tells of one summer. "
    html = (
        b"<html><body><main><h1>Rings</h1><p>" + words * 2 + b"</p><p>Then run:</p>"
        b'<!--$?--><template id="B:4"></template><!--/$--><p>'
        + words * 2
        + b"</p></main>"
        + part(4, b"<div class=code><pre><code>npm install\nnpm test</code></pre></div>")
        + b"</body></html>"
    )
    assert "Then run:\n\n```\nnpm install\nnpm test\n```\n\nThe heartwood" in duramen.extract(html).markdown
