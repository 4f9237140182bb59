"""The report in Chromium shows what the Python side says."""

from __future__ import annotations

import json
from base64 import b64decode
from pathlib import Path

import pytest
from tests.inspector.conftest import EXAMPLES, OpenReport

import duramen
from duramen.dom.page import Page

SOURCE = (EXAMPLES / "page.html").read_bytes()
BAR_COLORS = {True: (0x1B, 0x8A, 0x4C), False: (0x9A, 0xA3, 0xAF)}
"""The bar at the left of a block, by whether it was kept."""
UNCERTAIN_GROUND = "rgba(216, 140, 0, 0.2)"


@pytest.fixture(scope="module")
def explanation() -> duramen.Explanation:
    return duramen.extract(Page.parse(SOURCE, url="https://example.org/page")).explain()


def test_the_colors_on_the_screen_are_the_kept_blocks(
    open_report: OpenReport, explanation: duramen.Explanation
) -> None:
    tab = open_report(SOURCE)
    checked = 0
    for block in explanation.blocks:
        # Every kind of block, but not all of them: a screenshot takes a while.
        if block.index % 6 and block.state != "uncertain":
            continue
        x, y, _, height = tab.place_of(block.index)
        if x < 0:  # the page puts it off the screen
            continue
        pixel = tab.screenshot().getpixel((int(x) + 1, int(y + height / 2)))
        assert pixel == BAR_COLORS[block.kept], block
        ground = tab.run(f"getComputedStyle(elementsOf[{block.index}][0]).backgroundColor")
        assert (ground == UNCERTAIN_GROUND) == block.is_uncertain, block
        checked += 1
    assert checked > 8
    assert tab.errors == []


def test_header_card_and_legend_count_the_same_blocks(open_report: OpenReport) -> None:
    source = (EXAMPLES / "news.html").read_bytes()
    explanation = duramen.extract(Page.parse(source)).explain(features=False)
    read = [block for block in explanation.blocks if block.step != "hidden"]
    kept, dropped = explanation.kept, [block for block in read if not block.kept]
    hidden = len(explanation.blocks) - len(read)
    assert hidden
    tab = open_report(source)
    header = tab.run("document.getElementById('address').textContent")
    assert header.endswith(f"{len(kept)} of {len(read)} visible blocks kept, {hidden} hidden")
    words = sum(block.words for block in kept), sum(block.words for block in read)
    assert tab.run("document.getElementById('words').textContent") == f"{words[0]} of {words[1]}"
    legend = " ".join(tab.run("document.getElementById('legend').innerText").split())
    for name, blocks in (("kept", kept), ("dropped", dropped)):
        unsure = sum(block.is_uncertain for block in blocks)
        assert f"{name} {len(blocks)}" + (f" ({unsure} uncertain)" if unsure else "") in legend
    assert f"hidden {hidden}" in legend


def test_print_shows_the_whole_page(open_report: OpenReport) -> None:
    tab = open_report(SOURCE)
    before = tab.run("document.getElementById('frame').clientHeight")
    tab.call("Emulation.setEmulatedMedia", media="print")
    tab.run("window.dispatchEvent(new Event('beforeprint'))")
    frame, page, view = tab.run(
        "(() => { const f = document.getElementById('frame'); return [f.clientHeight,"
        " f.contentDocument.documentElement.scrollHeight, f.parentElement.clientHeight]; })()"
    )
    assert before < page == frame <= view
    tab.call("Emulation.setEmulatedMedia", media="")
    tab.run("window.dispatchEvent(new Event('afterprint'))")
    assert tab.run("document.getElementById('frame').clientHeight") == before
    pdf = b64decode(tab.call("Page.printToPDF")["data"])
    assert pdf.count(b"/Type /Page\n") + pdf.count(b"/Type /Page ") > 2


def test_hover_shows_the_facts_of_a_block(open_report: OpenReport, explanation: duramen.Explanation) -> None:
    tab = open_report(SOURCE)
    block = next(one for one in explanation.blocks if one.kept and one.words > 40)
    x, y, width, height = tab.place_of(block.index)
    tab.point(x + width / 2, y + height / 2)
    tab.wait_for(f"state.hot === {block.index}")
    shown = tab.run("document.getElementById('facts').innerText")
    assert block.text[:60] in shown
    assert block.reason in shown
    assert block.xpath in shown
    assert f"probability {block.probability:.2f}" in shown
    assert block.supporting[0].phrase in shown
    assert block.opposing[0].phrase in shown


def test_click_selects_and_a_pane_highlights_the_page(
    open_report: OpenReport, explanation: duramen.Explanation
) -> None:
    tab = open_report(SOURCE)
    block = next(one for one in explanation.blocks if one.kept and one.words > 40)
    x, y, width, height = tab.place_of(block.index)
    tab.click(x + width / 2, y + height / 2)
    tab.wait_for(f"state.selected === {block.index}")
    assert tab.run(f"'sel' in elementsOf[{block.index}][0].dataset")
    for key, name in (("2", "text"), ("4", "html")):
        tab.press(key)
        tab.wait_for(f"state.tab === {json.dumps(name)}")
        line = tab.run("(document.querySelector('.line.sel') || {}).textContent")
        assert block.text[:30] in line
    other = next(one for one in explanation.dropped if one.words > 5 and one.index > block.index)
    tab.press("1")
    tab.run(f"list.ensure({other.index})")
    tab.click_on(f'.row[data-b="{other.index}"]')
    tab.wait_for(f"state.selected === {other.index} && 'sel' in elementsOf[{other.index}][0].dataset")


def test_rendered_outputs_highlight_the_page(open_report: OpenReport, explanation: duramen.Explanation) -> None:
    tab = open_report(SOURCE)
    tab.press("3")
    block = next(one for one in explanation.blocks if one.kept and one.words > 40)
    frame = "document.querySelector('#panel iframe')"
    tab.wait_for(f"{frame}?.contentDocument?.querySelector('[data-b=\"{block.index}\"]')")
    x, y = tab.run(
        f"(() => {{ const f = {frame}.getBoundingClientRect(), e = {frame}.contentDocument"
        f".querySelector('[data-b=\"{block.index}\"]'); e.scrollIntoView({{block: 'center'}});"
        " const b = e.getBoundingClientRect(); return [f.x + b.x + b.width / 2, f.y + b.y + b.height / 2]; })()"
    )
    tab.point(x, y)
    tab.wait_for(f"'hot' in elementsOf[{block.index}][0].dataset")


@pytest.mark.parametrize("name", ["page.html", "news.html"])
def test_the_expectation_at_the_cutoff_of_each_variant(open_report: OpenReport, name: str) -> None:
    source = (EXAMPLES / name).read_bytes()
    tab = open_report(source)
    for number, favor in enumerate(("precision", "balance", "recall")):
        tab.run(f"document.querySelectorAll('#favor button')[{number}].click()")
        explanation = duramen.extract(Page.parse(source, url="https://example.org/page"), favor=favor).explain()
        cutoff = next(one for one in explanation.cutoffs if one.probability == explanation.threshold)
        assert tab.run("expected(variant().threshold)[1]") == cutoff.blocks
        shown = tab.run("document.getElementById('expect').innerText").replace("\n", " ")
        for part in ("precision", "recall", "f1"):
            label = part if part != "f1" else "F1"
            assert f"{label} {getattr(cutoff, part):.2f}" in shown


@pytest.mark.parametrize("threshold", [0.05, 0.5, 0.92])
def test_the_slider_keeps_what_python_keeps_at_that_cutoff(
    open_report: OpenReport, explanation: duramen.Explanation, threshold: float
) -> None:
    tab = open_report(SOURCE)
    tab.run(
        f"(() => {{ const s = document.getElementById('cut'); s.value = {threshold};"
        " s.dispatchEvent(new Event('input')); })()"
    )
    kept = tab.run("[...Array(total).keys()].filter(isKept)")
    assert kept == [block.index for block in explanation.kept_at(threshold)]
    cutoff = [one for one in explanation.cutoffs if one.probability >= threshold][-1]
    shown = tab.run("document.getElementById('expect').innerText")
    assert f"precision {cutoff.precision:.2f}" in shown.replace("\n", " ")
    assert f"F1 {cutoff.f1:.2f}" in shown.replace("\n", " ")
    tab.click_on("#cut-reset")
    assert tab.run("[...Array(total).keys()].filter(isKept)") == [block.index for block in explanation.kept]


def test_favor_shows_the_other_extraction(open_report: OpenReport) -> None:
    tab = open_report(SOURCE)
    for number, favor in ((0, "precision"), (2, "recall")):
        tab.run(f"document.querySelectorAll('#favor button')[{number}].click()")
        other = duramen.extract(Page.parse(SOURCE, url="https://example.org/page"), favor=favor)
        assert tab.run("outputLines('text').join('\\n')").strip() == other.to("text", links=True, images=True).strip()
        kept = [block.index for block in other.explain().kept]
        assert tab.run("[...Array(total).keys()].filter(isKept)") == kept


def test_options_change_the_output(open_report: OpenReport) -> None:
    tab = open_report(SOURCE)
    content = duramen.extract(Page.parse(SOURCE, url="https://example.org/page"))
    tab.run("state.options = {links: false, images: false, comments: true}")
    assert tab.run("outputLines('markdown').join('\\n')") == content.to(
        "markdown", links=False, images=False, comments=True
    )


def test_keyboard(open_report: OpenReport, explanation: duramen.Explanation) -> None:
    tab = open_report(SOURCE)
    tab.press("j")
    tab.press("j")
    assert tab.run("state.selected") == 1
    tab.press("k")
    assert tab.run("state.selected") == 0
    tab.press("n")
    assert tab.run("state.selected") == next(one.index for one in explanation.blocks if one.is_uncertain)
    tab.press("/")
    assert tab.run("document.activeElement.id") == "search"
    tab.call("Input.insertText", text="newsletter")
    assert tab.run("document.querySelectorAll('#panel .row').length") == 1
    tab.press("Escape")
    tab.press("?")
    assert tab.run("document.getElementById('help-dialog').open")


def test_marks_become_partial_gold_that_evaluate_reads(
    open_report: OpenReport, explanation: duramen.Explanation, tmp_path: Path
) -> None:
    from duramen.evaluation import evaluate, read_set

    tab = open_report(SOURCE, name="page.html")
    kept, dropped = explanation.kept[2], explanation.dropped[1]
    for block, key in ((kept, "+"), (dropped, "-")):
        tab.run(f"select({block.index}, 'keys')")
        tab.press(key)
    tab.press("9")
    tab.click_on("#save-marks")
    saved = tab.run("window.lastSaved")
    assert saved["must"] == [kept.text]
    assert saved["must_not"] == [dropped.text]
    assert "source" not in saved
    (tmp_path / "page.html").write_bytes(SOURCE)
    marks = tmp_path / "page.marks.json"
    marks.write_text(json.dumps(saved), "utf-8")
    tab.click_on("#save-fixture")
    fixture = tmp_path / "page.fixture.json"
    fixture.write_text(json.dumps(tab.run("window.lastSaved")), "utf-8")
    for path in (marks, fixture):
        (row,) = evaluate(read_set(path), ["auto"], timed=False).leaderboard()
        assert (row.must, row.must_not, row.words.f1) == (1.0, 0.0, 1.0)


def test_comparison_colors_the_difference(open_report: OpenReport, explanation: duramen.Explanation) -> None:
    gold = "\n".join(block.text for block in [explanation.dropped[1], *explanation.kept[3:]])
    tab = open_report(SOURCE, gold=gold)
    tab.run(
        "(() => { const s = document.getElementById('compare'); s.value = 0; s.dispatchEvent(new Event('change')); })()"
    )
    assert tab.run(f"letter({explanation.kept[0].index})") == "o"
    assert tab.run(f"letter({explanation.dropped[1].index})") == "t"
    assert tab.run(f"letter({explanation.kept[5].index})") == "b"
    assert "only ours" in tab.run("document.getElementById('panel').innerText")


def test_dark_and_print_and_roles(open_report: OpenReport) -> None:
    tab = open_report(SOURCE)
    light = tab.run("getComputedStyle(document.body).backgroundColor")
    tab.press("t")
    assert tab.run("getComputedStyle(document.body).backgroundColor") != light
    tab.call("Emulation.setEmulatedMedia", media="print")
    assert tab.run("getComputedStyle(document.querySelector('main')).display") == "block"
    tab.call("Emulation.setEmulatedMedia", media="")
    nodes = tab.call("Accessibility.getFullAXTree")["nodes"]
    roles = {node["role"]["value"] for node in nodes if not node["ignored"]}
    assert {"tab", "tablist", "tabpanel", "slider", "main", "toolbar", "Iframe"} <= roles
    unnamed = [
        node["role"]["value"]
        for node in nodes
        if not node["ignored"]
        and node["role"]["value"] in ("button", "slider", "combobox", "checkbox", "searchbox", "tab")
        and not node.get("name", {}).get("value")
    ]
    assert unnamed == []


def test_a_page_of_five_megabytes_stays_usable(open_report: OpenReport) -> None:
    sentence = "The oak stood at the edge of the field, and every year it grew a little, as trees do in good soil. "
    paragraphs = "".join(f"<p>{number}. {sentence * 24}</p>" for number in range(2100))
    html = f"<title>Trees</title><nav><a href=/>Home</a></nav><article><h1>Trees</h1>{paragraphs}</article>"
    assert len(html) > 5_000_000
    tab = open_report(html, methods=("auto:favor=balance",))
    assert tab.run("total") > 2100
    # Only a part of a long list is made, and a jump makes what it needs.
    tab.press("2")
    assert 0 < tab.run("document.querySelectorAll('#panel .line').length") < 1000
    tab.run("select(2000, 'keys')")
    tab.wait_for("document.querySelector('#panel [data-b=\"2000\"]') && 'sel' in elementsOf[2000][0].dataset")
    tab.press("j")
    assert tab.run("state.selected") == 2001
    assert tab.errors == []


def test_the_files_of_the_package_are_small_and_complete() -> None:
    from importlib.resources import files

    package = files("duramen.inspector")
    assert len(package.joinpath("inspector.js").read_bytes()) < 200_000
    template = package.joinpath("template.html").read_text("utf-8")
    assert "://" not in template.replace("https://…", "").replace("https://example.org/article", "")
