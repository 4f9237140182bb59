"""Peers that write Markdown, where they are installed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from duramen.errors import UsageError
from duramen.evaluation import defuddle, markdown_peers
from duramen.evaluation.defuddle import Defuddle, DefuddleError
from duramen.evaluation.sets import Example

STORY = "The oak stands in the middle of the yard, and nobody remembers who planted it, nor when it was."
PAGE = (
    "<!doctype html><html lang=en><head><meta charset=utf-8><title>The oak</title></head><body><article>"
    "<h1>The oak</h1>"
    + "".join(f"<p>{STORY.replace('oak', tree)}</p>" for tree in ("oak", "elm", "ash", "yew"))
    + "<h2>Its leaves</h2><p>Leaves are <b>green</b>.</p></article></body></html>"
).encode()
INSTALLED = [name for name in markdown_peers.names() if name not in markdown_peers.find_missing()] or [
    pytest.param("", marks=pytest.mark.skip(reason="no peer is installed: pip install 'duramen[peers]'"))
]
needs_node = pytest.mark.skipif(shutil.which("node") is None, reason="Node is not installed")

# Stands for Defuddle: converts what it is told to, and fails, ends or hangs on demand.
FAKE_MODULE = """
exports.Defuddle = async (html, url, options) => {
  console.log("noise");
  if (html === "fail") throw new Error("broken page");
  if (html === "end") process.exit(1);
  if (html === "hang") while (true) {}
  return { contentMarkdown: `# ${html}\\n${url} ${options.markdown} ${options.useAsync}` };
};
"""


@pytest.fixture
def fake_defuddle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    package = tmp_path / "node_modules" / "defuddle"
    (package / "dist").mkdir(parents=True)
    (package / "dist" / "node.js").write_text(FAKE_MODULE)
    (package / "package.json").write_text(json.dumps({"version": "9.8"}))
    monkeypatch.setenv(defuddle.MODULES_VARIABLE, str(package.parent))
    return package


@pytest.mark.parametrize("name", INSTALLED)
@pytest.mark.filterwarnings("ignore")
def test_a_peer_writes_markdown(name: str) -> None:
    peer = markdown_peers.get(name)
    markdown = peer.run(PAGE, Example("a", Path("a.html"), url="https://e.org/"))
    assert peer.version
    assert "nobody remembers who planted it" in " ".join(markdown.split())
    assert "## Its leaves" in markdown
    assert "**green**" in markdown


@needs_node
def test_defuddle_answers_page_after_page(fake_defuddle: Path) -> None:
    peer = markdown_peers.get("defuddle")
    assert peer.version == "9.8"
    for text in ("one ünd\ntwo", "two"):
        markdown = peer.run(text.encode(), Example("a", Path("a.html"), url="https://e.org/"))
        assert markdown == f"# {text}\nhttps://e.org/ true false"


@needs_node
def test_defuddle_goes_on_after_a_failure(fake_defuddle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    peer = Defuddle()
    with pytest.raises(DefuddleError, match="broken page"):
        peer.convert("fail", None)
    with pytest.raises(DefuddleError, match="the process of Node ended"):
        peer.convert("end", None)
    monkeypatch.setattr(defuddle, "MAX_SECONDS", 2.0)
    with pytest.raises(DefuddleError, match="after 2 seconds"):
        peer.convert("hang", None)
    monkeypatch.undo()
    assert peer.convert("next", None).startswith("# next")


def test_missing_defuddle_is_a_clear_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(defuddle.MODULES_VARIABLE, raising=False)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageError, match="npm install defuddle linkedom"):
        markdown_peers.check("defuddle")
    monkeypatch.setenv(defuddle.MODULES_VARIABLE, str(tmp_path / "none"))
    assert "which DURAMEN_NODE_MODULES names" in markdown_peers.find_missing()["defuddle"]


@pytest.mark.usefixtures("fake_defuddle")
def test_missing_node_is_a_clear_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(UsageError, match="this needs Node"):
        Defuddle()
