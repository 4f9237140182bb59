"""A hostile page makes no request in the report, and runs nothing."""

from __future__ import annotations

import pytest
from tests.inspector.conftest import OpenReport

from duramen.dom.tree import Tree
from duramen.inspector.sanitize import sanitize
from duramen.inspector.style_sheets import clean_css

ACTIVE = "script, iframe, object, embed, form, link, base, meta[http-equiv=refresh]"
HOST = "http://hostile.example"
# ruff: noqa: E501
HOSTILE = f"""<!DOCTYPE html><html onclick="alert(1)"><head><base href="{HOST}/" target="_top">
<meta http-equiv="refresh" content="0;url={HOST}/refresh"><link rel="prefetch" href="{HOST}/prefetch">
<link rel="stylesheet" href="{HOST}/sheet.css"><link rel="preload" as="image" href="{HOST}/preload">
<link rel="dns-prefetch" href="{HOST}"><link rel="icon" href="{HOST}/icon"><link rel="manifest" href="{HOST}/manifest">
<script>alert("head"); fetch("{HOST}/script")</script><script src="{HOST}/script.js"></script>
<style>@import "{HOST}/import.css"; @import url({HOST}/import2.css); body {{ background: url({HOST}/background) }}
p {{ background: u\\72l({HOST}/escaped) }} h1 {{ background: image-set("{HOST}/set" 1x) }} @font-face {{ font-family: x; src:
url({HOST}/font) }} h1 {{ font-family: x }} li {{ list-style: url('{HOST}/bullet') }} </st/**/yle><img src=x onerror=alert(2)>
</style></head><body onload="alert('load')" background="{HOST}/body" style="background:url({HOST}/attribute)">
<h1 style="background-image:u\\72 l({HOST}/escaped-attribute)">The hostile page</h1>
<p>This page has a long paragraph of text, so that something of it is kept, and the report has a block to show.</p>
<img src="{HOST}/image" srcset="{HOST}/set 2x" onerror="alert('img')" loading="eager">
<img src="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg'><script>alert(3)</script></svg>">
<picture><source srcset="{HOST}/source"><img src="x" onerror=alert(4)></picture>
<iframe src="{HOST}/frame"></iframe><iframe srcdoc="<script>parent.alert('srcdoc')</script><img src={HOST}/srcdoc>"></iframe>
<svg><use href="{HOST}/use.svg#a"/><use xlink:href="{HOST}/xlink.svg#a"/><image href="{HOST}/svgimage"/><script>alert(5)</script>
<style>@import url({HOST}/svgstyle)</style><a href="javascript:alert(6)"><text>svg</text></a><animate attributeName=href
values="javascript:alert(7)"/><foreignObject><img src={HOST}/foreign onerror=alert(8)></foreignObject></svg>
<object data="{HOST}/object"><embed src="{HOST}/embed"></object><video src="{HOST}/video" poster="{HOST}/poster" autoplay></video>
<audio src="{HOST}/audio" autoplay></audio><form action="{HOST}/form"><input name=a value=b autofocus onfocus=alert(9)>
<button formaction="{HOST}/button">Send the form</button></form><a href="javascript:alert(10)" ping="{HOST}/ping">Click me</a>
<a href="{HOST}/link" target="_top">A link out of here</a><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img
src=1 onerror=alert(11)&gt;"></table></math><noscript><p title="</noscript><img src=x onerror=alert(12)>"></noscript>
<template><img src={HOST}/template></template><textarea></textarea><img src=x onerror=alert(13)></textarea>
<details open ontoggle=alert(14)>Details</details><marquee onstart=alert(15)>Marquee</marquee>
<x-element onclick=alert(16) style="behavior:url({HOST}/htc)">An element of its own</x-element>
<p data-b="7" data-s="k">A block that pretends to be another</p></body></html>"""


def test_a_hostile_page_makes_no_request_and_runs_nothing(open_report: OpenReport) -> None:
    tab = open_report(HOSTILE)
    for tabs in "234":
        tab.press(tabs)
    places = tab.run(
        "[...document.getElementById('frame').contentDocument.querySelectorAll('body *')].map((e) => {"
        " const b = e.getBoundingClientRect(), f = document.getElementById('frame').getBoundingClientRect();"
        " return [f.x + b.x + b.width / 2, f.y + b.y + b.height / 2]; }).filter(([x, y]) => y < 850)"
    )
    for x, y in places:
        tab.click(x, y)
    assert tab.foreign_requests() == []
    assert tab.dialogs == []
    assert tab.errors == []
    assert tab.run("location.protocol") == "file:"
    assert tab.run(f"document.getElementById('frame').contentDocument.querySelectorAll('{ACTIVE}').length") == 0


def test_what_the_sanitizer_writes_has_no_address_and_no_handler() -> None:
    written = sanitize(Tree.parse(HOSTILE))
    page = Tree.parse(written)
    for node in range(len(page)):
        for name, value in page.attributes[node].items():
            assert not name.startswith("on"), (page.tag[node], name)
            if name not in ("title", "content"):
                assert "hostile.example" not in (value or ""), (page.tag[node], name)
    assert "javascript:" not in written.replace('title="javascript:', "")
    assert written.count("<style") == 3
    sheet = "".join(page.text[node + 1] for node in page.find_all("style"))
    assert "hostile.example" not in sheet
    assert "url(" not in sheet.lower()
    assert "@import" not in sheet.lower()


@pytest.mark.parametrize(
    "css",
    [
        "a{background:url(http://x/)}",
        "a{background:URL ( 'http://x/' )}",
        r"a{background:\75\72\6c(http://x/)}",
        r"a{background:u\rl(http://x/)}",
        "a{background:uurl()rl(http://x/)}",
        "a{background:u/**/rl(http://x/)}",
        "a{background:-webkit-image-set('http://x/' 1x)}",
        "@import 'http://x/';",
        "@im\\port url(http://x/);",
        "@font-face{font-family:a;src:url(http://x/)}",
        "a{behavior:url(#x)}",
        "</style><script>alert(1)</script>",
        "</st/**/yle>",
        "<\\/style>",
        "a{b:url(" * 50,
        "a{b:'//x/y'}",
    ],
)
def test_style_sheets_load_nothing(css: str) -> None:
    cleaned = clean_css(css).lower()
    assert "url(" not in cleaned
    assert "image-set(" not in cleaned
    assert "@import" not in cleaned
    assert "</" not in cleaned
    assert "@font-face" not in cleaned


def test_styles_that_load_nothing_stay() -> None:
    css = "@media (width <= 600px) { p > a { color: red; margin: calc(1px + 2px) } }"
    assert clean_css(css) == css
