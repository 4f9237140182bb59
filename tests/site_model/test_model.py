"""What other pages of a site add to `auto`, and what they must not change."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from tests.expected_outputs import cases
from tests.wrappers.sample_site import TOPICS, page, site

import duramen
from duramen import Page, SiteModel, SiteModels
from duramen.dom.blocks import find_blocks
from duramen.errors import InputError
from duramen.methods.auto import method
from duramen.site_model.evidence import LIST_SHARE, SiteCounts
from duramen.site_model.model import MAX_PAGES, is_copy
from duramen.site_model.sketch import MAX_BLOCKS, SHINGLES_PER_BLOCK, PageSketch, find_shingles

LETTER = "<p>Sign up for our weekly letter and read what the ring of the Daily Ring has found for you.</p>"


def spans(content: duramen.Content) -> tuple[object, ...]:
    return content.spans, content.confidence, content.reason, content.page_type, content.method


def test_with_nothing_known_it_is_exactly_auto() -> None:
    for topic in range(3):
        alone = page(topic)
        assert spans(SiteModel().extract(alone)) == spans(duramen.extract(alone))
        assert spans(SiteModels().extract(alone)) == spans(duramen.extract(alone))


@pytest.mark.parametrize("folder", cases(), ids=lambda folder: folder.name)
def test_with_nothing_known_every_page_is_extracted_as_by_auto(folder: Path) -> None:
    alone = Page.parse((folder / "page.html").read_bytes())
    for favor in ("precision", "balance", "recall"):
        expected = spans(duramen.extract(alone, favor=favor))
        assert spans(SiteModel().extract(alone, favor=favor)) == expected
        # Neither the page itself nor a site that is unknown is evidence.
        assert spans(SiteModel.learn([alone]).extract(alone, favor=favor)) == expected


def test_the_page_itself_and_its_copies_are_no_evidence() -> None:
    one = page(0)
    copy = Page.parse(str(duramen.extract(one).html) + "")  # another page of the same text has another key
    model = SiteModel.learn([one])
    assert spans(model.extract(one)) == spans(duramen.extract(one))
    assert len(model) == 1
    again = Page.parse(
        f"<html><head><title>All about the {TOPICS[0][0]} today | The Daily Ring</title></head><body>"
        f"<p>Print this page.</p>{copy.tree and duramen.extract(one).html}</body></html>"
    )
    assert is_copy(model.sketch(again), model.sketch(one))
    assert "other page" not in model.extract(again).reason


def test_text_that_repeats_on_other_pages_loses_log_odds() -> None:
    pages = [page(topic, inside=LETTER) for topic in range(6)]
    model = SiteModel.learn(pages[:5])
    blocks = find_blocks(pages[5].tree)
    evidence = model.evidence(pages[5])
    assert len(evidence) == len(blocks)
    letter = next(at for at, text in enumerate(blocks.text) if text.startswith("Sign up"))
    [item] = [item for item in evidence[letter].items if item.kind == "repeated"]
    assert item.sentence == "repeated on 5 of 5 pages"
    assert item.log_odds < -1.0
    own = next(at for at, text in enumerate(blocks.text) if text.startswith("The glacier has its"))
    assert all(item.kind != "repeated" for item in evidence[own].items)
    assert "5 other pages" in model.extract(pages[5]).reason


def test_on_a_list_of_things_the_evidence_counts_half(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = [page(topic, inside=LETTER) for topic in range(6)]
    model = SiteModel.learn(pages[:5])
    added = []
    for is_list in (False, True):
        monkeypatch.setattr(method, "is_list_of_things", lambda types, is_list=is_list: is_list)
        monkeypatch.setattr(method, "add_log_odds", lambda p, log_odds: added.append(log_odds) or p)
        model.extract(pages[5])
    whole, half = added
    assert whole.min() < -1.0
    assert np.allclose(half, LIST_SHARE * whole)


def test_the_explanation_of_a_list_shows_the_half_that_counts() -> None:
    pages = [page(topic, inside=LETTER) for topic in range(6)]
    model = SiteModel.learn(pages[:5])

    def find_repeated(types: dict[str, float]) -> float:
        content = replace(model.extract(pages[5]), type_log_odds=types)
        opposing = (one for block in content.explain().blocks for one in block.opposing)
        return min(one.contribution for one in opposing if one.feature == "site repeated")

    assert find_repeated({"listing": 1.0}) == LIST_SHARE * find_repeated({"article": 1.0})


def test_text_that_repeats_with_another_number_or_name_is_nearly_repeated() -> None:
    note = (
        "<p>You have read {} of the five free stories that each of our readers may read in a month of the year, and "
        "after that the paper asks for a small sum of money, which goes to the people who wrote about {}.</p>"
    )
    pages = [page(topic, inside=note.format(topic, TOPICS[topic][0])) for topic in range(5)]
    counts = SiteCounts([SiteModel().sketch(one) for one in pages[:4]])
    sketch = SiteModel().sketch(pages[4])
    at = next(at for at, text in enumerate(find_blocks(pages[4].tree).text) if text.startswith("You have read"))
    assert counts.count_pages_with_text(sketch)[at] == 0
    assert counts.count_pages_with_near_text(sketch)[at] == 4


def test_a_label_in_an_article_is_no_boilerplate_but_one_among_others_is() -> None:
    pages = [
        page(topic, inside="<h2>Summary</h2><p>In short, a {0} is a {0}, and so on.</p>".replace("{0}", name))
        for topic, (name, _) in enumerate(TOPICS[:6])
    ]
    model = SiteModel.learn(pages[:5])
    blocks = find_blocks(pages[5].tree)
    by_text = dict(zip(blocks.text, model.evidence(pages[5]), strict=True))
    assert by_text["Summary"].log_odds > -0.6
    assert any(item.sentence == "repeated on 5 of 5 pages" for item in by_text["Home"].items)


def test_numbers_and_listings_are_not_compared() -> None:
    html = "<html><body><pre>import os</pre><p>1 2 3</p><p>Words of a text.</p></body></html>"
    sketch = SiteModel().sketch(html)
    assert [bool(text) for text in sketch.texts.tolist()] == [False, False, True]


def test_a_sample_does_not_depend_on_the_order_and_is_bounded() -> None:
    html = "<html><body><p>This is the story of number {} of many, as {} told it to all of us.</p></body></html>"
    sketches = [SiteModel().sketch(html.format(number * "x", number * "y")) for number in range(1, MAX_PAGES + 9)]
    forward, backward = SiteModel(), SiteModel()
    for sketch in sketches:
        forward.add_sketch(sketch)
    for sketch in reversed(sketches):
        backward.add_sketch(sketch)
    assert len(forward) == MAX_PAGES
    assert forward.to_json() == backward.to_json()
    halves = [SiteModel(), SiteModel()]
    for number, sketch in enumerate(sketches):
        halves[number % 2].add_sketch(sketch)
    assert halves[0].merge(halves[1]).to_json() == forward.to_json()


def test_a_page_with_very_many_blocks_is_cut_to_those_with_the_most_words() -> None:
    count = MAX_BLOCKS + 10
    zeros = np.zeros(count, np.uint64)
    sketch = PageSketch(
        1, 0, np.arange(count, dtype=np.uint64), zeros, np.arange(count), np.zeros(count),
        np.zeros((count, SHINGLES_PER_BLOCK), np.uint64),
    )  # fmt: skip
    assert sketch.cut().words.min() == 10
    assert sketch.cut().shingles.shape == (MAX_BLOCKS, SHINGLES_PER_BLOCK)


def test_json_gives_the_same_evidence() -> None:
    model = SiteModel.learn(site(4), site="ring.example")
    read = SiteModel.from_json(model.to_json())
    assert read.site == "ring.example"
    assert read.to_json() == model.to_json()
    assert read.evidence(page(6)) == model.evidence(page(6))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"format": "x"}, "is no site model"),
        ({"version": 99}, "later version"),
        ({"version": "1"}, "is damaged"),
        ({"site": 3}, "its site is not a string"),
        ({"pages": [{}]}, "it has no 'texts'"),
        ({"pages": [3]}, "is damaged"),
        ({"pages": None}, "is damaged"),
    ],
)
def test_damaged_json_is_refused(change: dict[str, object], message: str) -> None:
    values = json.loads(SiteModel.learn(site(2)).to_json())
    with pytest.raises(InputError, match=message):
        SiteModel.from_json(json.dumps(values | change))


@pytest.mark.parametrize("name", ["texts", "places", "words", "log_odds", "shingles", "key", "title"])
def test_damaged_pages_are_refused(name: str) -> None:
    values = json.loads(SiteModel.learn(site(2)).to_json())
    values["pages"][0][name] = "!"
    with pytest.raises(InputError, match="is damaged"):
        SiteModel.from_json(json.dumps(values))


def test_files_that_are_missing_or_no_text_are_refused(tmp_path: object) -> None:
    from pathlib import Path

    folder = Path(str(tmp_path))
    with pytest.raises(InputError, match="no such file"):
        SiteModel.load(folder / "none.json")
    (folder / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not text in UTF-8"):
        SiteModel.load(folder / "binary.json")
    SiteModel.learn(site(2)).save(folder / "model.json")
    assert len(SiteModel.load(folder / "model.json")) == 2


def test_pages_are_grouped_by_host_and_template() -> None:
    models = SiteModels()
    for topic in range(4):
        models.add(replace(page(topic), url="https://www.ring.example/a"))
    table = "<html><body><table class=list><tr><td>Oak</td><td>Ash</td></tr></table><div class=foot><p>Foot</p></div>"
    models.add(Page.parse(table, url="https://ring.example/list"))
    models.add(Page.parse(table, url="https://other.example/"))
    assert sorted(models.by_host) == ["other.example", "ring.example"]
    assert sorted(len(model) for model in models.by_host["ring.example"]) == [1, 4]


def test_pages_that_are_extracted_together_learn_from_each_other() -> None:
    pages = [page(topic, inside=LETTER) for topic in range(5)]
    contents = list(SiteModels().extract_together(pages))
    model = SiteModel.learn(pages)
    assert [content.text for content in contents if isinstance(content, duramen.Content)] == [
        model.extract(one).text for one in pages
    ]


def test_scripts_without_spaces_have_shingles() -> None:
    assert find_shingles(["订阅我们的每周通讯，阅读我们为您找到的内容。"]).all()


def test_empty_pages_add_nothing() -> None:
    model = SiteModel.learn(["", "<html></html>", "<p>"])
    assert len(model) == 0
    assert not model.extract("")
