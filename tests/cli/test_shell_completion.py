"""`duramen --completion`: the scripts, in the shells that they are for."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from duramen.cli.dispatch import VERBS

if TYPE_CHECKING:
    from tests.cli.conftest import Run


def complete_in_bash(script: str, *words: str) -> list[str]:
    """The words that bash offers for the last of these."""
    quoted = " ".join(f"'{word}'" for word in words)
    call = f"COMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _duramen"
    lines = f"{script}\n{call}; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "--norc", "-c", lines], capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.skipif(not shutil.which("bash"), reason="bash is not installed")
@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (["duramen", ""], [*VERBS, "-h", "--help", "--version", "--completion"]),
        (["duramen", "rec"], ["records", "record"]),
        (["duramen", "--completion", ""], ["bash", "zsh", "fish"]),
        (["duramen", "extract", "--fav"], ["--favor"]),
        (["duramen", "extract", "--favor", ""], ["precision", "recall"]),
        (["duramen", "extract", "page.html", "--tables", "h"], ["html"]),
        (["duramen", "run", "crawl", "--as", "p"], ["parquet"]),
        (["duramen", "train", "au"], ["auto"]),
        (["duramen", "train", "auto", "--tr"], ["--trees"]),
        (["duramen", "extract", ""], []),  # file names, which bash adds itself
    ],
)
def test_bash_completes(words: list[str], offered: list[str], run: Run) -> None:
    assert complete_in_bash(run("--completion", "bash").out, *words) == offered


@pytest.mark.skipif(not shutil.which("fish"), reason="fish is not installed")
@pytest.mark.parametrize(
    ("line", "offered"),
    [("duramen rec", {"records", "record"}), ("duramen extract --favor ", {"precision", "recall"})],
)
def test_fish_completes(line: str, offered: set[str], run: Run, tmp_path: Path) -> None:
    (tmp_path / "duramen.fish").write_text(run("--completion", "fish").out, "utf-8")
    words = f"source {tmp_path / 'duramen.fish'}; complete -C '{line}'"
    environment = {"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(["fish", "-c", words], capture_output=True, text=True, env=environment, check=True)
    assert {answer.partition("\t")[0] for answer in done.stdout.splitlines()} == offered


@pytest.mark.skipif(not shutil.which("zsh"), reason="zsh is not installed")
def test_zsh_accepts_the_script(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "_duramen"
    script.write_text(run("--completion", "zsh").out, "utf-8")
    subprocess.run(["zsh", "-n", str(script)], check=True)
    words = f"autoload -U compinit; compinit -D; source {script}; print $_comps[duramen]"
    done = subprocess.run(["zsh", "-f", "-c", words], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "_duramen"


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_verb_and_option_is_in_the_script(shell: str, run: Run) -> None:
    script = run("--completion", shell).out
    for word in (*VERBS, "favor", "html-column", "allow-private", "no-links"):
        assert word in script


def test_an_unknown_shell_is_refused(run: Run) -> None:
    with pytest.raises(SystemExit, match=r"^2$"):
        run("--completion", "csh")
