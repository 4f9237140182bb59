"""Every command and every snippet in the documents does what the document says.

The conventions, for README.md and docs/:

- A block marked `console` contains commands after `$ `; a command that ends in a backslash continues in the next line.
  The lines after a command are its output, standard error included; a line `…` or `...` stands for any number of lines.
  Without output lines, any output is accepted. A command must succeed, unless its shown output has a line that begins
  with `duramen: ` or `duramen …: error:`.
- A block marked `python` is executed, as a doctest if it has `>>>`; the blocks of a document share their names.
- A block marked `console chromium` or `python chromium` is skipped if there is no Chromium.
- Blocks with another mark, such as `sh`, are not run: they install packages or use the network.

The blocks of a document run in order in one folder, which contains the files of examples/ twice: in `examples/` and at
the top.
"""

from __future__ import annotations

import doctest
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from markdown_it import MarkdownIt

import duramen

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted([*ROOT.glob("README.md"), *(ROOT / "docs").rglob("*.md")])
ANYTHING = {"…", "..."}
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
AN_ERROR = re.compile(r"duramen( \w+)?:( error:)? ")


class Block(NamedTuple):
    line: int
    kind: str
    content: str
    needs: str = ""


class Command(NamedTuple):
    line: int
    words: str
    output: list[str]


def blocks(markdown: str) -> Iterator[Block]:
    for token in MarkdownIt().parse(markdown):
        if token.type == "fence" and token.map:
            kind, _, needs = token.info.strip().partition(" ")
            yield Block(token.map[0] + 1, kind, token.content, needs)


def commands(block: Block) -> Iterator[Command]:
    current: Command | None = None
    for line, text in enumerate(block.content.splitlines(), block.line + 1):
        if text.startswith("$ "):
            if current:
                yield current
            current = Command(line, text[2:], [])
        elif current is None:
            raise AssertionError(f"line {line}: a console block begins with a command")
        elif current.words.endswith("\\") and not current.output:
            current = current._replace(words=f"{current.words}\n{text}")
        else:
            current.output.append(text)
    if current:
        yield current


def matches(shown: list[str], real: list[str]) -> bool:
    """Whether the real output is the shown one, with any number of lines for an ellipsis."""
    parts = ["(?:.*\n)*" if line.strip() in ANYTHING else re.escape(line.rstrip()) + "\n" for line in shown]
    return re.fullmatch("".join(parts), "".join(f"{line.rstrip()}\n" for line in real)) is not None


def run_command(command: Command, folder: Path, environment: dict[str, str]) -> None:
    done = subprocess.run(
        command.words,
        shell=True,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        timeout=120,
    )
    message = f"line {command.line}: $ {command.words}\n{done.stdout}"
    # Empty lines before and after the output are ignored.
    shown = "\n".join(command.output).strip("\n").splitlines()
    if shown:
        assert matches(shown, done.stdout.strip("\n").splitlines()), message
    if not any(AN_ERROR.match(line) for line in shown):
        assert done.returncode == 0, message


def run_python(block: Block, names: dict[str, Any], document: str) -> None:
    if ">>>" not in block.content:
        exec(compile("\n" * block.line + block.content, document, "exec"), names)
        return
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    test = doctest.DocTestParser().get_doctest(block.content, names, document, document, block.line)
    messages: list[str] = []
    outcome = doctest.DocTestRunner(optionflags=flags, verbose=False).run(test, out=messages.append, clear_globs=False)
    names.update(test.globs)
    assert not outcome.failed, "".join(messages)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    work = tmp_path / "work"
    shutil.copytree(ROOT / "examples", work)
    shutil.copytree(ROOT / "examples", work / "examples")
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """An environment in which `duramen` and `python` are those under test."""
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, words in (("duramen", f'"{sys.executable}" -m duramen'), ("python", f'"{sys.executable}"')):
        (programs / name).write_text(f'#!/bin/sh\nexec {words} "$@"\n')
        (programs / name).chmod(0o755)
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "FORCE_COLOR"))}
    return {
        **kept,
        "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(duramen.__file__).parents[1]),
        "PYTHONUTF8": "1",
        "COLUMNS": "80",
        "NO_COLOR": "1",
    }


def test_there_are_documents() -> None:
    assert [path for path in DOCUMENTS if path.name == "command-line.md"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_the_document_is_true(document: Path, folder: Path, environment: dict[str, str]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks(document.read_text(encoding="utf-8")):
        if block.needs == "chromium" and not CHROMIUM:
            continue
        if block.kind == "console":
            for command in commands(block):
                run_command(command, folder, environment)
        elif block.kind == "python":
            run_python(block, names, document.name)


def block_of(text: str, kind: str = "console") -> Block:
    return next(blocks(f"```{kind}\n{text}\n```\n"))


@pytest.mark.parametrize(
    "text",
    [
        "$ echo one",
        "$ echo one\none",
        "$ printf '1\\n2\\n3\\n'\n1\n…",
        "$ printf '1\\n2\\n3\\n'\n...\n3",
        "$ echo one \\\n  two\none two",
        "$ echo one > file\n$ cat file\none",
        "$ echo 'duramen: wrong' >&2; exit 1\nduramen: wrong",
        "$ duramen --version | cut -d ' ' -f 2\n" + duramen.__version__,
    ],
)
def test_a_true_console_block_passes(text: str, folder: Path, environment: dict[str, str]) -> None:
    for command in commands(block_of(text)):
        run_command(command, folder, environment)


@pytest.mark.parametrize("text", ["$ false", "$ echo one\ntwo", "$ echo one\none\ntwo", "$ echo one; exit 1\none"])
def test_a_false_console_block_fails(text: str, folder: Path, environment: dict[str, str]) -> None:
    with pytest.raises(AssertionError, match="line 2"):
        run_command(next(commands(block_of(text))), folder, environment)


def test_a_console_block_begins_with_a_command() -> None:
    with pytest.raises(AssertionError, match="begins with a command"):
        list(commands(block_of("echo one")))


def test_python_blocks_share_their_names() -> None:
    names: dict[str, Any] = {}
    run_python(block_of("a = 1", "python"), names, "document")
    run_python(block_of(">>> b = a + 1\n>>> b\n2", "python"), names, "document")
    assert names["b"] == 2


@pytest.mark.parametrize("text", ["assert 1 == 2", ">>> 1\n2"])
def test_a_false_python_block_fails(text: str) -> None:
    with pytest.raises(AssertionError):
        run_python(block_of(text, "python"), {}, "document")


LINK = re.compile(r"\]\(([^)\s]+)\)")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    outside_code = re.sub(r"^```.*?^```", "", document.read_text("utf-8"), flags=re.M | re.S)
    links = [link.partition("#")[0] for link in LINK.findall(outside_code) if "://" not in link]
    lost = [link for link in links if link and not (document.parent / link).exists()]
    assert not lost
    assert document.stat().st_size > 0
