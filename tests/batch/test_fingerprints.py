"""What two texts are compared by."""

from __future__ import annotations

import random

import numpy as np
import pytest

from duramen.batch.dedup import fingerprints
from duramen.errors import MissingExtraError

pytest.importorskip("rensa")

# A change of these makes old outputs and new ones mark different rows: raise the version of the schema.
EXACT = [[17256382315588570554, 11663323520077386078]]
NEAR = [4092299247, 3887521216, 3625803025]


def text_of(words: int, seed: int = 0) -> list[str]:
    choice = random.Random(seed)
    return [f"w{choice.randrange(10**6)}" for _ in range(words)]


def likeness(one: str, other: str) -> float:
    first, second = fingerprints.make_signatures([one, other])
    return float((first == second).mean())


def test_white_space_does_not_change_the_fingerprint() -> None:
    one, other, another = fingerprints.hash_texts(["a tree\n\nfalls ", "a  tree falls", "a tree fell"])
    assert (one == other).all()
    assert (one != another).any()


def test_a_text_without_words_has_no_fingerprint() -> None:
    assert not fingerprints.hash_texts(["", " \n"]).any()
    assert not fingerprints.make_band_keys(fingerprints.make_signatures(["", "…!"])).any()


def test_a_lone_surrogate_is_not_an_error() -> None:
    assert fingerprints.hash_texts(["\ud800"]).any()
    assert fingerprints.make_signatures(["\ud800 and a word"]).any()


@pytest.mark.parametrize("share", [0.5, 0.8, 0.95])
def test_similarity_is_the_share_of_common_runs(share: float) -> None:
    words = text_of(3000)
    both = round(3000 * 2 * share / (1 + share))
    other = words[:both] + text_of(3000 - both, seed=1)
    assert likeness(" ".join(words), " ".join(other)) == pytest.approx(share, abs=0.15)


def test_a_text_with_one_changed_word_is_similar_and_shares_a_band() -> None:
    words = text_of(500)
    signatures = fingerprints.make_signatures([" ".join(words), " ".join([*words[:250], "other", *words[251:]])])
    one, other = fingerprints.make_band_keys(signatures)
    assert (one == other).any()


def test_texts_without_common_runs_share_no_band() -> None:
    one, other = fingerprints.make_band_keys(
        fingerprints.make_signatures([" ".join(text_of(500)), " ".join(text_of(500, seed=1))])
    )
    assert not (one == other).any()


def test_scripts_without_spaces_are_compared_by_characters() -> None:
    text = "樹木の心材は辺材より色が濃く乾いていて腐りにくい。" * 2
    assert likeness(text, text.replace("濃く", "薄く", 1)) > 0.5
    assert len(fingerprints.make_shingles("樹木の心材は")) == 2


def test_fingerprints_are_the_same_in_every_version() -> None:
    assert fingerprints.hash_texts(["heartwood"]).tolist() == EXACT
    assert fingerprints.make_signatures(["heartwood is the wood inside"])[0, :3].tolist() == NEAR


def test_without_rensa_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rensa", None)
    with pytest.raises(MissingExtraError, match=r"duramen\[duplicates\]"):
        fingerprints.make_signatures(["a text"])


def test_band_keys_depend_on_their_own_hashes_only() -> None:
    signatures = fingerprints.make_signatures([" ".join(text_of(50))])
    changed = signatures.copy()
    changed[0, 0] ^= np.uint32(1)
    assert (fingerprints.make_band_keys(signatures) != fingerprints.make_band_keys(changed)).sum() == 1
