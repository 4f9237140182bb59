"""Training through the best run of tokens: section 6.2.6."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from duramen.dom.page import Page
from duramen.errors import InputError
from duramen.evaluation.sets import read_set
from duramen.methods.mss.model import MssModel
from duramen.methods.mss.supervised import MssSupervised
from duramen.training.mss import MssTrainingSettings, read_training_pages
from duramen.training.perceptron import Perceptron, TrainingPage

if TYPE_CHECKING:
    from conftest import MakeSet

SETTINGS = MssTrainingSettings(folds=0)


def features(*keys: int) -> np.ndarray:
    return np.array(keys, np.uint32)


def test_only_tokens_on_the_wrong_side_are_corrected() -> None:
    # No token has a positive score at first, so the run is empty and both tokens of the article are missed.
    page = TrainingPage(features(7, 8, 9), features(1, 2, 2), 1, 3)
    model = Perceptron(epochs=1).train([page])
    assert dict(zip(model.tables[3].keys.tolist(), model.tables[3].values.tolist(), strict=True)) == {7: 0, 8: 1, 9: 1}
    assert dict(zip(model.open_tags.keys.tolist(), model.open_tags.values.tolist(), strict=True)) == {1: 0, 2: 2}
    assert model.prior == 2.0
    assert model.card["mistakes"] == [2]


def test_training_ends_when_no_token_is_on_the_wrong_side() -> None:
    page = TrainingPage(features(7, 8, 9), features(1, 2, 2), 1, 3)
    model = Perceptron(epochs=50).train([page])
    assert model.card["mistakes"][-1] == 0
    assert len(model.card["mistakes"]) < 50


def test_the_weights_find_the_article_of_an_unseen_page(make_set: MakeSet, tmp_path: Path) -> None:
    examples = read_set(make_set([{"site": f"site{number}"} for number in range(12)]))
    pages = read_training_pages(examples[1:], SETTINGS).pages
    path = tmp_path / "model.npz"
    Perceptron(average=True).train(pages).save(path)
    assert MssModel.load(path).is_linear
    text = MssSupervised(model=str(path))(Page.parse(examples[0].read())).text
    assert "The oak stands" in text
    assert "Privacy policy" not in text


def test_there_must_be_pages() -> None:
    with pytest.raises(InputError, match="no pages"):
        Perceptron().train([])
