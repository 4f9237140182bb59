"""A made-up site whose readers' comments look like its articles, as the paper's freep.com."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from duramen.dom.page import Page
from duramen.errors import InputError, UsageError
from duramen.methods.mss.semi import MssSemi
from duramen.methods.mss.supervised import MssSupervised
from duramen.methods.mss.tokens import hash_term, tokenize
from duramen.training.counts import TokenCounts
from duramen.training.semi import train_semi, train_semi_sources

WORDS = "oak elm ash fir bark leaf root ring".split()


def prose(words: random.Random, paragraphs: int) -> str:
    return "".join(f"<p>{' '.join(words.choices(WORDS, k=12))}.</p>" for _ in range(paragraphs))


def page(number: int, *, comments: int) -> Page:
    words = random.Random(number)
    return Page.parse(
        f"<ul><li>Home</li><li>News</li><li>Sport</li></ul><h3>Story</h3>{prose(words, 40)}"
        "<ul><li>Share</li><li>Print</li><li>Save</li></ul><h4>Readers write</h4>"
        f"{prose(words, comments)}<address>Terms, privacy, imprint, and who we are</address>"
    )


def site() -> list[Page]:
    """Ten pages, four of them with long comments.

    What follows the comments is new to the supervised model, so it is less sure of the blocks that end there.
    """
    return [page(number, comments=8 if number % 5 < 2 else 0) for number in range(10)]


@pytest.fixture
def supervised(tmp_path: Path) -> str:
    """A model of prose against lists, learned from pages of another site."""
    counts = TokenCounts()
    for number in range(100, 140):
        words = random.Random(number)
        menu = f"<ul>{'<li>Home</li><li>Blog</li>' * 30}</ul>"
        tokens = tokenize(Page.parse(f"{menu}{prose(words, 8)}{menu}").tree)
        terms = tokens.terms.tolist()
        start, stop = terms.index(hash_term("<p>")), len(terms) - terms[::-1].index(hash_term("</p>"))
        counts.add(tokens, start, stop)
    path = tmp_path / "supervised.npz"
    counts.model().save(path)
    return str(path)


def test_the_borders_of_a_site_are_learned_from_its_own_pages(supervised: str, tmp_path: Path) -> None:
    pages = site()
    before = [MssSupervised(model=supervised)(page).text for page in pages]
    assert sum("Readers write" in text for text in before) == 4  # comments are taken for the article

    train_semi(pages, model=supervised).save(tmp_path / "semi.npz")
    after = [MssSemi(model=str(tmp_path / "semi.npz"))(page).text for page in pages]
    assert not any("Readers write" in text for text in after)
    assert all(text.count(".") == 40 for text in after)


def test_the_model_works_on_unseen_pages(supervised: str, tmp_path: Path) -> None:
    train_semi(site(), model=supervised).save(tmp_path / "semi.npz")
    text = MssSemi(model=str(tmp_path / "semi.npz"))(page(77, comments=8)).text
    assert text.count(".") == 40
    assert "Readers" not in text


def test_the_model_has_only_trigrams_and_their_importance(supervised: str) -> None:
    model = train_semi(site(), model=supervised)
    assert [len(model.tables[order]) > 0 for order in (1, 2, 3)] == [False, False, True]
    assert len(model.open_tags) == 0
    assert model.importance.keys.tolist() == model.tables[3].keys.tolist()
    assert model.importance.values.min() >= 0.0
    assert model.importance.values.max() <= 1.0


def test_the_card_has_the_parameters_of_the_training(supervised: str) -> None:
    card = train_semi(site(), model=supervised, iterations=3).card
    assert card["algorithm"] == "semi-supervised"
    assert card["pages"] == 10
    assert card["sources"] == {"all": 10}
    assert card["start"]["file"] == supervised
    assert (
        card["parameters"] | {"kept": 0.6, "window": 10, "distance": 64, "factor": 24.0, "iterations": 3}
        == card["parameters"]
    )
    assert card["iterations"][0]["pages"] == 6
    assert card["iterations"][0]["changed"] > 0
    assert 0.0 < card["iterations"][0]["confidence"] <= 1.0
    assert len(card["iterations"]) <= 3


def test_pages_are_chosen_from_each_source(supervised: str) -> None:
    card = train_semi(site(), model=supervised, groups=["a"] * 5 + ["b"] * 4 + ["c"]).card
    assert card["sources"] == {"a": 5, "b": 4, "c": 1}
    assert card["iterations"][0]["pages"] == 3 + 2 + 1


def test_sources_may_be_given_by_name(supervised: str) -> None:
    pages = site()
    card = train_semi_sources({"a": pages[:5], "b": pages[5:]}, model=supervised).card
    assert card["sources"] == {"a": 5, "b": 5}


def test_the_model_is_the_same_each_time(supervised: str) -> None:
    first, second = train_semi(site(), model=supervised), train_semi(iter(site()), model=supervised)
    assert first.tables[3].values.tolist() == second.tables[3].values.tolist()
    assert first.importance.values.tolist() == second.importance.values.tolist()


def test_no_pages_is_an_error() -> None:
    with pytest.raises(InputError, match="there are no pages to learn from"):
        train_semi([])


def test_pages_without_an_article_are_an_error(supervised: str) -> None:
    with pytest.raises(InputError, match="no article was found on any of the 2 pages"):
        train_semi([Page.parse("<ul><li>Home</li><li>Blog</li></ul>")] * 2, model=supervised)


def test_training_cannot_start_from_a_semi_supervised_model(supervised: str, tmp_path: Path) -> None:
    train_semi(site(), model=supervised).save(tmp_path / "semi.npz")
    with pytest.raises(InputError, match="was itself learned from unlabeled pages"):
        train_semi(site(), model=str(tmp_path / "semi.npz"))


def test_parameters_out_of_range_raise_an_error(supervised: str) -> None:
    with pytest.raises(UsageError, match="kept"):
        train_semi(site(), model=supervised, kept=60)


def test_fewer_groups_than_pages_is_an_error(supervised: str) -> None:
    with pytest.raises(ValueError, match="more pages than groups"):
        train_semi(site(), model=supervised, groups=["a"])
