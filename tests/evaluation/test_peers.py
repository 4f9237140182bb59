"""The peers, where they are installed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from duramen.evaluation import peers
from duramen.evaluation.sets import Example

STORY = (
    "The oak stands in the middle of the yard, and nobody remembers who planted it. In autumn its leaves cover the "
    "roof of the shed, the well, and the bench beside the door. Children climb it, and cats sleep in it all day."
)
PAGE = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>The oak</title></head><body>"
    "<ul><li><a href=/>Home</a></li><li><a href=/n>News</a></li></ul><div class=article><h1>The oak</h1>"
    + "".join(f"<p>{STORY.replace('oak', tree)}</p>" for tree in ("oak", "elm", "ash", "yew"))
    + "</div><footer><a href=/i>Imprint</a></footer></body></html>"
).encode()
INSTALLED = [name for name in peers.names() if name not in peers.missing()] or [
    pytest.param("", marks=pytest.mark.skip(reason="no peer is installed: pip install 'duramen[peers]'"))
]


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.parametrize("lang", ["en", "?", "de", "xx"])
@pytest.mark.filterwarnings("ignore")
def test_a_peer_turns_bytes_into_the_story(name, lang):
    peer = peers.get(name)
    text = peer.run(PAGE, Example("a", Path("a.html"), lang=lang))
    assert peer.version
    if lang in ("en", "?"):  # what a peer makes of English with foreign stop words is its own affair
        assert "nobody remembers who planted it" in " ".join(text.split())
        assert "<" not in text


@pytest.mark.parametrize(
    ("lang", "html", "language"),
    [
        ("ru", "<html lang=de>", "ru"),
        ("?", '<!doctype html><HTML class=x lang="de-AT">', "de"),
        ("zh/en", "<html xml:lang='el' lang='el'>", "el"),
        ("?", "<html><body lang=de>", "en"),
    ],
)
def test_the_language_is_the_sets_or_the_pages_or_english(lang, html, language):
    assert peers._language(Example("a", Path("a.html"), lang=lang), html) == language


def test_peers_are_imported_on_first_use():
    modules = [peer.module for peer in peers._PEERS.values()]
    code = f"import sys, duramen.evaluation, duramen.cli.evaluate; print([m for m in {modules} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
