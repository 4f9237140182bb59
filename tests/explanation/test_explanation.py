"""`content.explain()`: the same decision as the extraction, with the step and the reasons for each block."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duramen
from duramen import methods
from duramen.dom.blocks import find_blocks
from duramen.methods.auto import context_features, explain_steps, features
from duramen.methods.auto.contributions import find_contributions
from duramen.methods.auto.explain_steps import STEP_DESCRIPTIONS
from duramen.methods.auto.feature_phrases import NAMES, OWN_FEATURES, PHRASES, write_phrase
from duramen.methods.auto.method import STEP_NAMES, Auto, Trace
from duramen.methods.auto.model import load
from duramen.methods.auto.threshold import expect_scores, maximize_expected_f1
from duramen.xpath import select
from duramen.xpath.path_builder import make_positional_xpath

PAGES = sorted((Path(__file__).parents[1] / "pages").glob("*/page.html"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "news.html"


@pytest.fixture(scope="module")
def example() -> duramen.Content:
    return duramen.extract(EXAMPLE)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.parent.name)
def test_the_explanation_decides_as_the_extraction(path: Path) -> None:
    content = duramen.extract(path)
    explanation = content.explain(features=False)
    text_nodes = {node for block in explanation.kept for node in (block.first, block.last)}
    assert all(any(node in span for span in content.spans) for node in text_nodes)
    assert explanation.reason == content.reason
    assert bool(explanation.kept) == bool(content)
    firsts = [block.first for block in explanation.blocks]
    assert firsts == sorted(firsts)
    assert all(block.reason for block in explanation.blocks)
    # What no span covers was dropped.
    dropped = [block.first for block in explanation.dropped if block.step != "hidden"]
    assert not [node for node in dropped if any(node in span for span in content.spans)]


def test_each_step_has_its_blocks(example: duramen.Content) -> None:
    explanation = example.explain()
    kept: set[int] = set()
    for step in explanation.steps:
        kept |= set(step.added)
        kept -= set(step.removed)
        assert step.kept == len(kept)
    assert kept == {block.index for block in explanation.kept}
    headline = next(block for block in explanation.blocks if block.text.startswith("Night trains"))
    assert (headline.step, headline.kept) == ("headline", True)


def test_every_step_is_described() -> None:
    assert set(STEP_DESCRIPTIONS) == {"threshold", *STEP_NAMES}


def test_every_feature_has_a_phrase() -> None:
    assert (*features.NAMES, *context_features.NAMES) == NAMES
    assert set(PHRASES) == set(NAMES)
    for name in NAMES:
        for value in (-999.0, -1.0, 0.0, 0.5, 1.0, 7.0, 99.0):
            phrase = write_phrase(name, value)
            assert "{" not in phrase
            assert phrase[0].islower() or phrase[0].isdigit() or phrase[0] == "-"


def test_contributions_add_up_to_the_scores(example: duramen.Content) -> None:
    model = load("")
    trace = Trace()
    Auto().extract(example.page, trace=trace)
    assert trace.result is not None
    for trees, lines in ((model.first, features.COUNT), (model.second, len(NAMES))):
        matrix = trace.result.features.matrix[:lines]
        bias, contributions = find_contributions(trees, matrix)
        assert np.allclose(contributions.sum(axis=0) + bias, trees.score(matrix), atol=1e-9)


def test_the_evidence_belongs_to_its_side(example: duramen.Content) -> None:
    explanation = example.explain()
    scored = [block for block in explanation.blocks if block.probability is not None]
    assert all(block.supporting or block.opposing for block in scored)
    for block in scored:
        assert all(one.contribution > 0 for one in block.supporting)
        assert all(one.contribution < 0 for one in block.opposing)
        assert list(block.supporting) == sorted(block.supporting, key=lambda one: -one.contribution)


def test_evidence_names_containers_and_own_features(example: duramen.Content) -> None:
    evidence = [one for block in example.explain().blocks for one in (*block.supporting, *block.opposing)]
    phrases = {one.phrase for one in evidence if one.feature.startswith("container3_") and one.value != -1.0}
    assert phrases
    assert all("<" in phrase and "container 3" not in phrase for phrase in phrases)
    assert {one.feature for one in evidence if one.is_own} <= OWN_FEATURES <= set(NAMES)
    assert any(one.is_own for one in evidence)
    assert write_phrase("cluster_blocks", 1.0) == "the page has 1 block of this kind"


def test_kept_blocks_are_above_the_cutoff_or_exactly_at_it(example: duramen.Content) -> None:
    explanation = example.explain(features=False)
    for block in explanation.kept:
        if block.step == "threshold":
            relation = "exactly" if block.probability == explanation.threshold else "above"
            assert f"{relation} the cut-off" in block.reason


def test_cutoffs_are_those_of_the_selection() -> None:
    generator = np.random.default_rng(4)
    for _ in range(20):
        count = int(generator.integers(1, 40))
        words, p = generator.integers(1, 50, count).astype(float), generator.random(count)
        cluster = generator.integers(0, 5, count)
        selection = maximize_expected_f1(words, p, cluster)
        scores = expect_scores(words, p, cluster)
        assert scores[:, 2].max() == pytest.approx(selection.expected_f1)
        assert int(scores[:, 2].argmax()) + 1 == selection.kept.sum()
        assert ((scores >= 0.0) & (scores <= 1.0)).all()
        assert (np.diff(scores[:, 1]) >= -1e-12).all()  # more blocks never lower recall
        # Blocks that no simulated reference has lower precision, and recall stays.
        rare = np.append(p, 1e-4)
        more = expect_scores(np.append(words, 9.0), rare, np.append(cluster, 0), count + 1)
        assert len(more) == count + 1
        assert more[-1, 1] == pytest.approx(scores[-1, 1])
        assert more[-1, 0] < scores[-1, 0]


@pytest.mark.parametrize("name", ["news.html", "page.html"])
def test_favor_moves_the_expectation_to_its_side(name: str) -> None:
    found = {}
    for favor in ("precision", "balance", "recall"):
        content = duramen.extract(EXAMPLE.with_name(name), favor=favor)
        explanation = content.explain(features=False)
        found[favor] = next(one for one in explanation.cutoffs if one.probability == explanation.threshold)
        assert explanation.confidence == content.confidence
    precision, balance, recall = found.values()
    assert precision.blocks < recall.blocks
    assert precision.recall <= balance.recall <= recall.recall
    assert precision.precision >= balance.precision >= recall.precision
    assert balance.f1 >= max(precision.f1, recall.f1)


def test_the_threshold_keeps_what_was_kept(example: duramen.Content) -> None:
    explanation = example.explain(features=False)
    assert explanation.threshold is not None
    assert explanation.kept_at(explanation.threshold) == explanation.kept
    assert len(explanation.kept_at(0.0)) > len(explanation.kept) > len(explanation.kept_at(0.95))
    assert sum(explanation.page_types.values()) == pytest.approx(1.0)
    assert max(explanation.page_types, key=explanation.page_types.__getitem__) == explanation.page_type


def test_hidden_blocks_and_comments_say_why(example: duramen.Content) -> None:
    explanation = example.explain(features=False)
    hidden = next(block for block in explanation.blocks if "free articles" in block.text)
    assert (hidden.kept, hidden.step, hidden.probability) == (False, "hidden", None)
    assert hidden.hidden == "<div id=paywall> around it has the attribute hidden"
    comment = next(block for block in explanation.blocks if block.text.startswith("Finally!"))
    assert comment.comment is not None
    assert "harbor_walker" in comment.comment
    styled = duramen.extract("<p>Seen.</p><p style='color:red; DISPLAY : none'>Not seen.</p>").explain()
    assert [block.hidden for block in styled.blocks] == [None, "<p> around it has the style display: none"]


def test_content_that_only_a_script_shows_is_explained() -> None:
    sentence = "Heartwood is the dead wood in the middle of a trunk, and it holds the tree up for centuries, they say. "
    menu = "".join(f"<li><a href=/{number}>Timber, number {number}</a></li>" for number in range(40))
    page = f"<title>Heartwood</title><ul>{menu}</ul><div style='display:none'>{f'<p>{sentence * 3}</p>' * 8}</div>"
    explanation = duramen.extract(page).explain()
    assert explanation.steps[0].name == "hidden"
    kept = next(block for block in explanation.kept if block.text.startswith("Heartwood"))
    assert kept.hidden is not None
    assert "step hidden shows" in kept.reason


def test_paths_select_the_blocks(example: duramen.Content) -> None:
    tree = example.page.tree
    for block in example.explain(features=False).blocks:
        assert block.xpath == make_positional_xpath(tree, block.node)
        assert select(tree, block.xpath) == [block.node]


@pytest.mark.parametrize("name", ["econ", "mss-simple", "longest-cell"])
def test_other_methods_explain_by_their_reason(name: str) -> None:
    content = methods.get(name)(duramen.Page.parse(EXAMPLE.read_bytes()))
    explanation = content.explain()
    assert {block.step for block in explanation.blocks} <= {"method", "hidden"}
    assert all(content.reason in block.reason for block in explanation.blocks if block.step == "method")
    assert explanation.cutoffs == ()
    assert bool(explanation.kept) == bool(content)


@pytest.mark.parametrize("html", ["", "<p>", "<div>x", "<script>x</script>", "<div>" * 3000 + "x"])
def test_pages_with_little_or_nothing(html: str) -> None:
    explanation = duramen.extract(html).explain()
    assert len(explanation.blocks) == len(find_blocks(duramen.Page.parse(html).tree))


def test_metadata_has_every_claim_with_source_and_weight(example: duramen.Content) -> None:
    fields = {field.name: field for field in example.explain(features=False).metadata}
    title = fields["title"]
    assert title.value == "Night trains return to the coast line"
    assert {claim.source for claim in title.claims} == {"heading", "title", "open-graph"}
    assert title.candidates[0].value == title.value
    assert title.candidates[0].probability == max(one.probability for one in title.candidates)
    assert fields["site"].claims[0].weight == 0.85
    assert fields["authors"].value == "Lena Okafor"
    assert all(claim.node is None or claim.node >= 0 for field in fields.values() for claim in field.claims)


def test_a_site_says_what_it_repeats() -> None:
    sentence = (
        "{} is what this page is about, and no other page of the site says what it says about {}, as far as we know."
    )
    pages = [
        f"<title>{name}</title><div class=banner>Every week a new letter about trees, free for all our readers.</div>"
        f"<div class=post>{''.join(f'<p>{sentence.format(name, name)} {number}</p>' for number in range(5))}</div>"
        for name in ("Oak", "Ash", "Elm", "Yew", "Fir", "Larch")
    ]
    model = duramen.SiteModel.learn(pages[1:])
    explanation = model.extract(pages[0]).explain()
    banner = next(block for block in explanation.blocks if block.text.startswith("Every week"))
    assert banner.repeated_pages == 5
    assert any(one.feature.startswith("site ") for one in (*banner.opposing, *banner.supporting))
    assert "other pages of the site" in explanation.reason
    assert all(block.repeated_pages == 0 for block in explanation.blocks if "Oak" in block.text)


def test_extract_explain_prints_it(capsys: pytest.CaptureFixture[str]) -> None:
    from duramen.cli import main

    assert main(["extract", str(EXAMPLE), "--explain"]) == 0
    printed = capsys.readouterr().out
    for part in ("method auto", "cut-off", "Kept by the step headline", "/html[1]/body[1]", "for: ", "against: "):
        assert part in printed
    for part in ("What to expect at other cut-offs", "Metadata: each value", "open-graph og:title"):
        assert part in printed
    assert "\x1b" not in printed
    assert main(["extract", str(EXAMPLE), "--explain", "--format", "json"]) == 2


def test_evidence_is_limited_on_pages_with_too_many_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    html = "<title>Oaks</title><article>" + "<p>Oak wood is hard.</p>" * 40
    whole = duramen.extract(html).explain()
    monkeypatch.setattr(explain_steps, "_MIN_EVIDENCE_BLOCKS", 10)
    limited = duramen.extract(html).explain()
    assert "only the first 10 of 40 blocks have evidence: the page has too many for its size" in limited.reason
    assert "have evidence" not in whole.reason
    read = [block for block in limited.blocks if block.score is not None]
    assert [bool(block.supporting or block.opposing) for block in read] == [True] * 10 + [False] * 30
    for one, other in zip(limited.blocks, whole.blocks, strict=True):
        assert one.score == pytest.approx(other.score)
        assert (one.kept, one.probability) == (other.kept, other.probability)
