"""Chromium is named, or found, or missed in a sentence that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from duramen.errors import NoBrowserError
from duramen.rendering.find_browser import VARIABLE, find_browser


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment without any browser."""
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def program(path: Path) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    return str(path)


def test_a_named_browser_has_priority(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named, other = program(bare / "named"), program(bare / "other")
    program(bare / "chromium")
    monkeypatch.setenv(VARIABLE, other)
    assert find_browser(named) == named
    assert find_browser("named") == named
    assert find_browser() == other


@pytest.mark.parametrize("name", ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"])
def test_usual_names_are_found(bare: Path, name: str) -> None:
    there = program(bare / name)
    assert find_browser() == there


def test_the_newest_of_playwright_s_browsers_is_found(bare: Path) -> None:
    program(bare / ".cache/ms-playwright/chromium-1100/chrome-linux/chrome")
    newest = program(bare / ".cache/ms-playwright/chromium-1200/chrome-linux/chrome")
    assert find_browser() == newest


def test_without_a_browser_the_error_explains_the_installation(bare: Path) -> None:
    with pytest.raises(NoBrowserError, match=r"apt install chromium.*DURAMEN_CHROMIUM"):
        find_browser()


def test_a_missing_program_is_reported(bare: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(bare / "chromium")
    with pytest.raises(NoBrowserError, match="'/no/such/browser'"):
        find_browser("/no/such/browser")
    monkeypatch.setenv(VARIABLE, "netscape")
    with pytest.raises(NoBrowserError, match="DURAMEN_CHROMIUM: there is no program 'netscape'"):
        find_browser()
