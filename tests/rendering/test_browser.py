"""What Chromium makes of a page, and what no page can make of Chromium."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import duramen
from duramen.dom.page import Page
from duramen.dom.tree import Box, Tree
from duramen.errors import NoBrowserError, RenderError, UsageError
from duramen.rendering import devtools
from duramen.rendering.browser import Browser

# A picture of 1 by 1 pixel.
DOT = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"


def box(tree: Tree, identity: str) -> Box | None:
    assert tree.box is not None
    return next(tree.box[node] for node in range(len(tree)) if tree.attributes[node].get("id") == identity)


def height(tree: Tree, identity: str) -> float:
    position = box(tree, identity)
    assert position is not None
    return position[3]


def test_elements_have_the_boxes_of_their_style(browser: Browser) -> None:
    html = (
        "<!doctype html><style>body { margin: 0 } #a { width: 300px; height: 50px }</style>"
        "<div id=a>x</div>"
        "<div id=b style='position: absolute; left: 20px; top: 2000px; width: 7.5px; height: 9px'></div>"
    )
    tree = browser.render(Page.parse(html)).tree
    assert box(tree, "a") == (0, 0, 300, 50)
    assert box(tree, "b") == (20, 2000, 7.5, 9)


def test_elements_off_the_screen_have_no_box(browser: Browser) -> None:
    page = browser.render(Page.parse("<p id=a hidden>x</p><p id=b>y</p><div id=c style='display: none'>z</div>"))
    assert box(page.tree, "a") is None
    assert box(page.tree, "b") is not None
    assert box(page.tree, "c") is None


def test_closed_elements_have_no_box(browser: Browser) -> None:
    html = "<details><summary id=s>a</summary><p id=p>b</details><div hidden=until-found><p id=q>c</div><dialog id=d>e"
    tree = browser.render(Page.parse(html)).tree
    assert box(tree, "s")
    assert [box(tree, name) for name in "pqd"] == [None, None, None]


def test_a_frame_has_the_size_of_the_style_for_its_url(browser: Browser) -> None:
    html = "<style>[src*=film] { width: 77px; border: 0 }</style><iframe id=a title='<' src='http://film.invalid/x'>"
    tree = browser.render(Page.parse(html + "</iframe><iframe id=b SRC = //film.invalid/y></iframe>")).tree
    assert [box(tree, name)[2] for name in "ab"] == [77, 77]  # type: ignore[index]


def test_names_in_the_page_hide_nothing_of_it(browser: Browser) -> None:
    names = "getBoundingClientRect getClientRects checkVisibility parentNode nodeName getElementsByTagName"
    fields = "".join(f"<input name={name}><img name={name}>" for name in names.split())
    page = Page.parse(f"<form id=Map>{fields}</form><p id=Element>x")
    assert browser.boxes(page).unplaced == 0
    tree = browser.render(page).tree
    assert box(tree, "Map")
    assert box(tree, "Element")


def test_the_page_itself_is_left_without_boxes(browser: Browser) -> None:
    page = Page.parse("<p>x")
    browser.render(page)
    assert page.tree.box is None


def test_a_page_is_laid_out_in_the_mode_that_its_doctype_asks_for(browser: Browser) -> None:
    body = "<body id=b><p>x"
    assert height(browser.render(Page.parse(body)).tree, "b") > 900  # quirks: the body fills the window
    assert height(browser.render(Page.parse("<!doctype html>" + body)).tree, "b") < 100


def test_pictures_that_the_page_carries_are_drawn(browser: Browser) -> None:
    assert height(browser.render(Page.parse(f"<img id=i src='{DOT}'>")).tree, "i") == 1


PAGES = {
    "empty": "",
    "plain text": "one\n\ntwo",
    "frames": "<frameset><frame src=a></frameset>",
    "plaintext": "<plaintext>x</div>",
    "broken table": "<table><td><p>a<div>b</table>",
    "drawing": "<svg><foreignObject><div>a</div></foreignObject></svg><math><mi>x</mi></math>",
    "template": "<template><p>x</template><p>y",
    "shadow": "<div><template shadowrootmode=open><p>x</template></div><p>y",
    "controls": "<details><summary>a</summary>b</details><input><select><option>x</select><video controls></video>",
    "frame in a page": "<iframe srcdoc='<p>inside'></iframe><p>y",
    "noscript": "<noscript><p>a<div>b</div></noscript><p>c",
    "generated": "<style>p::before { content: 'x' }</style><p>y<li>z",
    "deeply nested": "<div>" * 30_000 + "x",
    "unclosed formatting": "<b>" * 200 + "<p>x" * 20,
    "half a pair": "<p>half \ud83c</p>",
    "nul": "<p>a\0b</p>",
    "byte order mark": "\ufeff<p>x",
    "streamed part": '<template id="B:1"></template><p>y<div hidden id="S:1"><ul><li>a<li>b<li>c</ul></div>'
    '<script>$RC("B:1","S:1")</script>',
}


@pytest.mark.parametrize("html", PAGES.values(), ids=PAGES.keys())
def test_the_two_trees_agree(browser: Browser, html: str) -> None:
    boxes = browser.boxes(Page.parse(html))
    assert boxes.unplaced <= 1  # at the ceiling of nesting they may differ by one
    assert any(boxes.box)


def test_other_encodings_are_accepted(browser: Browser) -> None:
    page = Page.parse("<meta charset=iso-8859-5><p>текст</p>".encode("iso-8859-5"))
    assert browser.boxes(page).unplaced == 0


ESCAPES = {
    "refresh": "<meta http-equiv=refresh content='0;url=about:blank'><p id=p>x",
    "refresh in capitals": "<META CONTENT='0;url=http://other.invalid/' HTTP-EQUIV='Refresh'><p id=p>x",
    "frame": "<iframe srcdoc=\"<meta http-equiv=refresh content='0;url=about:blank'>\"></iframe><p id=p>x",
    "script": "<script>location = 'about:blank'; for (;;);</script><p id=p>x",
    "event": "<body onload='for (;;);'><p id=p>x",
}


@pytest.mark.parametrize("html", ESCAPES.values(), ids=ESCAPES.keys())
def test_no_page_gets_away_without_scripts(browser: Browser, html: str) -> None:
    assert box(browser.render(Page.parse(html)).tree, "p")
    assert box(browser.render(Page.parse("<p id=q>next")).tree, "q")


class _Server(http.server.BaseHTTPRequestHandler):
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        body = {"/style.css": b"#p { height: 77px }", "/moved": b""}.get(self.path, b"#p { height: 99px }")
        self.send_response(302 if self.path == "/moved" else 200)
        self.send_header("Content-Type", "text/css")
        if self.path == "/moved":
            self.send_header("Location", "/style.css")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (_Server,), {"asked": asked})
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}", asked
        running.shutdown()


LOADING = (
    "<link rel=stylesheet href=/style.css><link rel=stylesheet href={0}/style.css><link rel=preconnect href={0}>"
    "<link rel=prefetch href={0}/fetched><style>@import '{0}/import'; p {{ background: url({0}/picture) }}</style>"
    "<img src={0}/image><iframe src={0}/frame></iframe><p id=p>x<script src={0}/script></script>"
    "<video src={0}/video autoplay></video><object data={0}/object></object>"
)


@pytest.mark.parametrize("scripts", [False, True])
def test_no_request_is_sent_by_default(chromium: str, server: tuple[str, list[str]], scripts: bool) -> None:
    address, asked = server
    code = (
        f"fetch('{address}/fetch'); new WebSocket('{address.replace('http', 'ws')}/socket'); open('{address}/window')"
    )
    html = LOADING.format(address) + f"<script>{code}</script>"
    with Browser(chromium, scripts=scripts, deadline=120) as browser:
        page = browser.render(Page.parse(html, url=f"{address}/page"))
    assert box(page.tree, "p")
    assert asked == []


def test_with_the_network_styles_are_loaded_but_never_the_page(chromium: str, server: tuple[str, list[str]]) -> None:
    address, asked = server
    html = "<!doctype html><link rel=stylesheet href=moved><p id=p>x<meta http-equiv=refresh content='0;url=/other'>"
    with Browser(chromium, network=True, deadline=120) as browser:
        page = browser.render(Page.parse(html, url=f"{address}/page?a=*#top"))
    assert height(page.tree, "p") == 77
    assert "/style.css" in asked
    assert not {"/page?a=*", "/other"} & set(asked)


SCRIPTS = {
    "alert": "alert('x'); confirm('y'); prompt('z')",
    "opens windows": "open('about:blank'); print()",
    "never done": "setInterval(() => fetch('/x'), 10)",
}


@pytest.fixture(scope="module")
def scripted(chromium: str) -> Iterator[Browser]:
    with Browser(chromium, scripts=True, deadline=120) as shared:
        yield shared


@pytest.mark.parametrize("code", SCRIPTS.values(), ids=SCRIPTS.keys())
def test_scripts_cannot_stop_it(scripted: Browser, code: str) -> None:
    html = f"<p id=p>x</p><script>document.body.append(document.createElement('section')); {code}</script>"
    page = scripted.render(Page.parse(html))
    assert "section" in page.tree.tag
    assert box(page.tree, "p")


LEAVING = {
    "at once": "location = 'http://other.invalid/'",
    "asking to stay": "onbeforeunload = () => 'stay'; location = 'http://other.invalid/'",
    "for nowhere": "location.replace('about:blank')",
    "after a while": "setTimeout(() => location = 'about:blank', 30)",
    "once loaded": "onload = () => location = 'http://other.invalid/'",
}


@pytest.mark.parametrize("code", LEAVING.values(), ids=LEAVING.keys())
def test_a_page_whose_script_leaves_for_another_is_whole(scripted: Browser, code: str) -> None:
    page = scripted.render(Page.parse(f"<script>{code}</script>" + "<p>x" * 3000))
    assert page.tree.tag.count("p") == 3000
    assert "b" in scripted.render(Page.parse("<script>document.write('<b>next</b>')</script>")).tree.tag


def test_boxes_are_those_that_the_page_itself_would_measure(scripted: Browser) -> None:
    measure = """for (const element of document.querySelectorAll('*')) {
        const {x, y, width, height} = element.getBoundingClientRect();
        element.setAttribute('data-box', [x, y, width, height].join());
    }"""
    html = (
        "<!doctype html><style>td { padding: 3.3px } #f { float: right; transform: scale(.5) }</style>"
        "<h1>Trees</h1><table><tr><td>oak<td>ash <b>and a long text that goes on and on in bold, "
        + "over lines, "
        * 40
        + "</b></table><div id=f>aside <img width=20 height=10></div>"
        "<ul><li>one<li style='position: relative; top: -5px'>two</ul>"
        f"<details><summary>s</summary><p>not shown</details><script>{measure}</script>"
    )
    tree = scripted.render(Page.parse(html)).tree
    assert tree.box is not None
    for node in range(tree.body, len(tree)):
        if (rendered := tree.box[node]) and (measured := tree.attributes[node].get("data-box")):
            assert rendered == pytest.approx([float(side) for side in measured.split(",")], abs=0.02), tree.tag[node]


def test_with_scripts_there_are_no_boxes_of_the_original_page(scripted: Browser) -> None:
    with pytest.raises(UsageError, match="use render"):
        scripted.boxes(Page.parse("<p>x"))


def test_several_pages_at_once_come_back_in_their_order(browser: Browser) -> None:
    pages = [Page.parse(f"<!doctype html><p id=p style='height: {number}px'>x") for number in range(1, 30)]
    rendered = [page for page in browser.render_all(pages, tabs=3) if isinstance(page, Page)]
    assert [height(page.tree, "p") for page in rendered] == list(range(1, 30))


def test_the_same_page_has_the_same_boxes(browser: Browser, chromium: str) -> None:
    page = Page.parse("<h1>Trees</h1>" + "<p>of some <b>kind</b> or another, " * 50)
    with Browser(chromium) as other:
        assert browser.boxes(page).box == browser.boxes(page).box == other.boxes(page).box


def test_the_function_render(chromium: str, tmp_path: Path) -> None:
    file = tmp_path / "page.html"
    file.write_text("<p id=p>x")
    assert box(duramen.render(file).tree, "p") == box(duramen.render("<p id=p>x").tree, "p") is not None


def test_the_function_render_takes_scripts_and_network(chromium: str) -> None:
    script = "<p id=p>x<script>document.body.append('made')</script>"
    assert "made" in duramen.render(script, scripts=True).tree.text
    assert box(duramen.render("<p id=p>x", network=True).tree, "p") is not None


def test_a_program_that_is_not_a_browser_is_reported(tmp_path: Path) -> None:
    program = tmp_path / "browser"
    program.write_text("#!/bin/sh\necho the sails are torn >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(NoBrowserError, match="does not start: the sails are torn"):
        Browser(str(program)).boxes(Page.parse("<p>x"))


@pytest.mark.parametrize("wrong", [{"width": 0}, {"height": 10**9}, {"deadline": 0.0}, {"deadline": float("nan")}])
def test_impossible_settings_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        Browser(**wrong)  # type: ignore[arg-type]


def test_a_page_too_large_for_the_pipe_is_refused_and_no_other(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(devtools, "MAX_MESSAGE_BYTES", 5_000)
    with pytest.raises(RenderError, match="bytes"):
        browser.boxes(Page.parse("<p>" + "x" * 6_000))
    assert browser.boxes(Page.parse("<p>x")).unplaced == 0
