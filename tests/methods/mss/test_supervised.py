"""Naive Bayes, the best run of tokens, its constraints, and the setting for pages of any kind."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Mapping
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from duramen import methods
from duramen.dom.page import Page
from duramen.dom.tree import Tree
from duramen.errors import UsageError
from duramen.methods.mss.confidence import compute_confidence
from duramen.methods.mss.model import MssModel, NgramTable, hash_ngrams
from duramen.methods.mss.supervised import MssSupervised, find_best_block
from duramen.methods.mss.tokens import Tokens, hash_term, tokenize
from duramen.methods.mss.variants import MssCleaneval, MssHr, cut_at_horizontal_rule

Odds = Mapping[str, float]
MakeModel = Callable[..., str]


def table(odds: Odds) -> NgramTable:
    """A table of n-grams, each written with spaces between its tokens."""
    keys = {}
    for ngram, value in odds.items():
        terms = np.array([hash_term(term) for term in ngram.split()], np.uint32)
        keys[int(hash_ngrams(terms, len(terms))[0])] = value
    ordered = sorted(keys)
    return NgramTable(np.array(ordered, np.uint32), np.array([keys[key] for key in ordered], np.float16))


@pytest.fixture
def make_model(tmp_path: Path) -> MakeModel:
    """A model file with these log odds."""

    def make(
        unigrams: Odds | None = None,
        trigrams: Odds | None = None,
        tags: Odds | None = None,
        prior: float = 0.0,
        shapes: Odds | None = None,
    ) -> str:
        tags_by_hash = {hash_term(tag): value for tag, value in (tags or {}).items()}
        ordered = sorted(tags_by_hash)
        open_tags = NgramTable(
            np.array(ordered, np.uint32), np.array([tags_by_hash[tag] for tag in ordered], np.float16)
        )
        tables = {0: table(shapes or {}), 1: table(unigrams or {}), 2: NgramTable.empty(), 3: table(trigrams or {})}
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.npz"
        MssModel(prior, tables, open_tags).save(path)
        return str(path)

    return make


def tokens_of(html: str) -> Tokens:
    return tokenize(Tree.parse(html))


def at(tokens: Tokens, term: str) -> int:
    """Where a token first stands."""
    return tokens.terms.tolist().index(hash_term(term))


def test_the_probability_of_an_unseen_trigram_is_one_half(make_model: MakeModel) -> None:
    method = MssSupervised(model=make_model())
    assert method.probabilities(tokens_of("<p>never seen before</p>")).tolist() == [0.5] * 11


def test_a_score_is_the_probability_less_one_half(make_model: MakeModel) -> None:
    tokens = tokens_of("<p>oak tree ring</p>")
    method = MssSupervised(model=make_model(trigrams={"oak tree ring": math.log(3)}))
    probabilities = method.probabilities(tokens)
    oak = at(tokens, "oak")
    assert probabilities[oak] == pytest.approx(0.75, abs=1e-3)
    assert method.scores(tokens, probabilities)[oak] == pytest.approx(0.25, abs=1e-3)
    assert method.scores(tokens, probabilities)[oak + 1] == 0.0


def test_a_trigram_is_a_token_and_the_two_after_it(make_model: MakeModel) -> None:
    tokens = tokens_of("<p>oak tree</p>")
    probabilities = MssSupervised(model=make_model(trigrams={"<p> oak tree": 2.0})).probabilities(tokens)
    assert np.flatnonzero(probabilities > 0.5).tolist() == [at(tokens, "<p>")]


def test_trigram_open_tag_and_prior_are_independent(make_model: MakeModel) -> None:
    model = make_model(trigrams={"oak tree ring": math.log(3)}, tags={"<p>": math.log(3)}, prior=-math.log(3))
    tokens = tokens_of("<p>oak tree ring</p>")
    oak = at(tokens, "oak")
    assert MssSupervised(model=model).probabilities(tokens)[oak] == pytest.approx(0.75, abs=1e-3)
    assert MssSupervised(model=model, open_tag=False).probabilities(tokens)[oak] == pytest.approx(0.5, abs=1e-3)


def test_sharpness_multiplies_the_log_odds(make_model: MakeModel) -> None:
    tokens = tokens_of("<p>oak</p>")
    model = make_model(unigrams={"oak": 2 * math.log(3)})
    assert MssSupervised(model=model, order=1, sharpness=0.5).probabilities(tokens)[at(tokens, "oak")] == pytest.approx(
        0.75, abs=1e-3
    )


def test_the_best_run_is_kept_and_the_reason_has_its_length(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 2.0, "tree": 2.0, "home": -2.0, "</p>": -0.1, "<p>": -0.1})
    content = MssSupervised(model=model, order=1)(Page.parse("<p>home home</p><p>oak tree</p><p>tree</p><p>home</p>"))
    assert content.text == "oak tree\n\ntree"
    assert content.reason == "the run of 5 tokens with the largest sum of scores"


def test_a_page_without_likely_tokens_gives_an_empty_content_with_a_reason(make_model: MakeModel) -> None:
    content = MssSupervised(model=make_model(prior=-1.0))(Page.parse("<p>oak tree</p>"))
    assert not content
    assert content.reason == "no run of tokens is likely to be an article"


def test_a_run_of_tags_alone_gives_an_empty_content(make_model: MakeModel) -> None:
    model = make_model(unigrams={"<img>": 2.0, "oak": -2.0})
    content = MssSupervised(model=model, order=1)(Page.parse("<p>oak</p><img><img>"))
    assert not content
    assert "tags alone" in content.reason


# Back to the page


def test_a_block_may_start_and_end_inside_a_text_node(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 2.0, "tree": 2.0, "home": -2.0, ":": -0.1})
    content = MssSupervised(model=model, order=1)(Page.parse("<p>Home, home: oak-tree oak tree! Home.</p>"))
    assert content.text == "oak-tree oak tree"


class Balance(HTMLParser):
    """Which tags are open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_html_of_a_block_has_its_open_tags_closed(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 2.0, "home": -2.0})
    page = "<div>home<blockquote><p>home <b>oak oak</b></p><p><i>oak oak</i> home</p></blockquote>home</div>"
    html = MssSupervised(model=model, order=1)(Page.parse(page)).html
    balance = Balance()
    balance.feed(html)
    assert balance.open == []
    assert "<strong>oak oak</strong>" in html
    assert "<em>oak oak</em>" in html
    assert "home" not in html


# Constraints

COMMENTED = "<p>oak oak oak</p><hr><p>tree tree</p><hr><p>tree</p>"


def test_the_rule_ends_the_article(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 2.0, "tree": 2.0})
    page = Page.parse(COMMENTED)
    assert MssSupervised(model=model, order=1)(page).text.split() == ["oak"] * 3 + ["tree"] * 3
    assert MssHr(model=model, order=1)(page).text.split() == ["oak"] * 3


def test_a_block_without_a_rule_is_not_cut() -> None:
    tokens = tokens_of("<p>oak</p><hr><p>tree</p>")
    start = at(tokens, "tree")
    assert cut_at_horizontal_rule(tokens, start, len(tokens)) == (start, len(tokens))


def test_a_block_that_starts_with_a_rule_is_empty() -> None:
    tokens = tokens_of("<hr>oak")
    rule = at(tokens, "<hr>")
    scores = np.full(len(tokens), -0.5)
    scores[rule : rule + 2] = 0.5
    assert find_best_block(scores, tokens) == (rule, rule + 2)
    assert find_best_block(scores, tokens, (cut_at_horizontal_rule,)) is None


def test_constraints_may_be_own_functions(make_model: MakeModel) -> None:
    def first_four(tokens: Tokens, start: int, stop: int) -> tuple[int, int]:
        return start, min(start + 4, stop)

    def not_the_first(tokens: Tokens, start: int, stop: int) -> tuple[int, int]:
        return start + 1, stop

    model = make_model(unigrams={"oak": 2.0}, prior=-1.0)
    method = MssSupervised(model=model, order=1, constraints=(first_four, not_the_first))
    assert method(Page.parse("<p>oak oak oak oak oak oak</p>")).text == "oak oak oak"


# The three confidences of section 6.2.4


def test_confidence_is_the_geometric_mean_around_both_borders() -> None:
    p = np.array([0.9, 0.2, 0.1, 0.8, 0.7, 0.3, 0.6, 0.9, 0.4, 0.5, 0.9])
    # Tokens 3 to 7 are the article, and the window is 2: tokens 1–2, 3–4, 6–7 and 8–9 count.
    by_hand = (0.8 * 0.9) * (0.8 * 0.7) * (0.6 * 0.9) * (0.6 * 0.5)
    assert compute_confidence(p, 3, 8, window=2) == pytest.approx(by_hand ** (1 / 8))


def test_confidence_at_the_edges_of_the_page_uses_fewer_tokens() -> None:
    p = np.array([0.5, 0.8, 0.2])
    assert compute_confidence(p, 0, 2, window=2) == pytest.approx((0.5 * 0.8 * 0.5 * 0.8 * 0.8) ** (1 / 5))


def test_one_wrong_token_does_not_make_the_confidence_zero() -> None:
    assert 0.0 < compute_confidence(np.array([0.1, 0.0, 1.0, 1.0, 0.0]), 1, 4) < 0.1


def test_confidence_of_all_tokens_and_of_the_block_alone() -> None:
    p = np.array([0.1, 0.8, 0.6, 0.3])
    assert compute_confidence(p, 1, 3, formula="all") == pytest.approx((0.9 * 0.8 * 0.6 * 0.7) ** (1 / 4))
    assert compute_confidence(p, 1, 3, formula="inside") == pytest.approx((0.8 * 0.6) ** (1 / 2))


def test_the_formula_is_a_parameter_of_the_method(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 2.0, "ash": -1.0}, prior=0.0)
    page = Page.parse("<p>ash oak oak ash ash ash ash ash ash ash ash ash ash ash ash</p>")
    by_formula = {
        formula: MssSupervised(model=model, order=1, open_tag=False, window=1, confidence=formula)(page).confidence
        for formula in ("window", "all", "inside")
    }
    inside, outside = 1 / (1 + np.exp(-2.0)), 1 / (1 + np.exp(-1.0))
    assert by_formula["inside"] == pytest.approx(inside, abs=1e-3)
    assert by_formula["window"] == pytest.approx((inside * inside * outside * outside) ** (1 / 4), abs=1e-3)
    assert by_formula["all"] < by_formula["window"]
    with pytest.raises(UsageError, match="confidence is one of"):
        MssSupervised(confidence="none")


def test_the_cube_of_scores_makes_certain_tokens_decide(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 8.0, "ash": -1.0}, prior=0.0)
    plain = MssSupervised(model=model, order=1, open_tag=False)
    few = Page.parse("<p>oak ash ash ash oak oak oak oak</p>")
    assert plain(few).text == "oak oak oak oak"
    assert dataclasses.replace(plain, exponent=3)(few).text == "oak ash ash ash oak oak oak oak"
    with pytest.raises(UsageError, match="exponent is 1 or 3"):
        MssSupervised(exponent=2)


def test_a_model_without_tag_pairs_says_so() -> None:
    with pytest.raises(UsageError, match="--tag-pairs"):
        MssSupervised(tag_pair=True)(Page.parse("<p>text</p>"))


# Section 7.7


def test_an_unseen_token_is_scored_by_both_neighbors(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": math.log(3), "ring": math.log(3), "home": -1.0})
    tokens = tokens_of("<p>oak zebra ring home</p>")
    probabilities = MssCleaneval(model=model).probabilities(tokens)
    assert probabilities[at(tokens, "zebra")] == pytest.approx(0.9, abs=1e-3)
    assert probabilities[at(tokens, "ring")] == pytest.approx(0.75, abs=1e-3)


def test_neighbors_do_not_add_the_prior_again(make_model: MakeModel) -> None:
    model = make_model(unigrams={"oak": 1.0, "ring": 1.0}, prior=-1.0)
    tokens = tokens_of("<p>oak zebra ring</p>")
    zebra = MssCleaneval(model=model).probabilities(tokens)[at(tokens, "zebra")]
    assert zebra == pytest.approx(1 / (1 + math.exp(-1.0)), abs=1e-3)


def test_a_page_of_unseen_tokens_has_only_neutral_ones(make_model: MakeModel) -> None:
    tokens = tokens_of("zebra")
    assert set(MssCleaneval(model=make_model()).probabilities(tokens).tolist()) == {0.5}


def test_the_bias_is_added_to_every_score(make_model: MakeModel) -> None:
    tokens = tokens_of("zebra")
    method = MssCleaneval(model=make_model())
    assert method.scores(tokens, method.probabilities(tokens)).tolist() == pytest.approx([0.14] * len(tokens))


def test_the_bias_makes_the_content_longer(make_model: MakeModel) -> None:
    # The gap in the middle costs 6 × 0.1 without the bias and nothing with it.
    odds = {"oak": 0.85, "home": -0.41, "<p>": -0.41, "</p>": -0.41, "<body>": -9.0, "</body>": -9.0}
    model = make_model(unigrams=odds)
    page = Page.parse("<p>oak oak oak</p><p>home home home home</p><p>oak oak</p>")
    assert MssCleaneval(model=model, bias=0.0)(page).text.split() == ["oak"] * 3
    assert MssCleaneval(model=model)(page).text.split() == ["oak"] * 3 + ["home"] * 4 + ["oak"] * 2


def test_an_unseen_trigram_can_be_scored_by_its_shape(make_model: MakeModel) -> None:
    model = make_model(trigrams={"oak ash elm": -2.0}, shapes={"<WORD> <WORD> <WORD>": 3.0})
    tokens = tokens_of("<p>oak ash elm yew fir</p>")
    odds = MssSupervised(model=model, open_tag=False, back_off=True).probabilities(tokens)
    by_letter = MssSupervised(model=model, open_tag=False).probabilities(tokens)
    seen, unseen = at(tokens, "oak"), at(tokens, "ash")
    assert odds[seen] == by_letter[seen] == pytest.approx(1 / (1 + math.exp(2)))
    assert odds[unseen] == pytest.approx(1 / (1 + math.exp(-3)))
    assert by_letter[unseen] == 0.5


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mss:order=7", "order is 1, 2 or 3"),
        ("mss:sharpness=0", "sharpness must be above 0"),
        ("mss-hr:window=0", "window must be 1 or more"),
        ("mss-cleaneval:clean=foo", "clean is one of paper, gentle, or nothing"),
        ("mss-semi:window=-5", "window must be 1 or more"),
        ("mss-semi:factor=-1", "factor must not be below 0"),
    ],
)
def test_parameters_out_of_range_raise_an_error_at_once(spec: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        methods.get(spec)
