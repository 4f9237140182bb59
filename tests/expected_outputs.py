"""Make all outputs of a page or a site, through the public API only.

A case is a folder of `tests/pages`. It holds `page.html`, an optional `case.json`, and the folder `expected`. The
keys of `case.json`: `about` says what the case is for, `url` where the page came from, `methods` names methods beside
the default one whose text is pinned too, `must` and `must_not` have texts that must be kept and must not.

A site is a folder of `tests/sites_pages`. It holds pages of one template, an optional `case.json`, and the folder
`expected`. The wrapper is learned from the first pages and applied to all of them.

`python -m tests.write_expected` writes the files; `test_expected_outputs.py` compares them.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import duramen

HERE: Final = Path(__file__).parent
PAGES: Final = HERE / "pages"
SITES: Final = HERE / "sites_pages"
LEARNED_FROM: Final = 4
"""The number of pages that a wrapper is learned from."""

OUTPUTS: Final = (
    "text.txt",
    "markdown.md",
    "markdown-links-images.md",
    "content.html",
    "content-links-images.html",
    "content.json",
    "content.xml",
    "metadata.json",
    "comments.json",
    "records.json",
    "summary.json",
)
"""The files that every case has."""


def cases() -> list[Path]:
    """The folders of all cases."""
    return sorted(path.parent for path in PAGES.glob("*/page.html"))


def sites() -> list[Path]:
    """The folders of all sites."""
    return sorted(path for path in SITES.iterdir() if path.is_dir())


def settings(folder: Path) -> dict[str, Any]:
    """What `case.json` says; nothing where there is none."""
    path = folder / "case.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def output_names(folder: Path) -> list[str]:
    """The names of the files that `make_outputs` makes, without making them."""
    return [*OUTPUTS, *(f"text-{method}.txt" for method in settings(folder).get("methods", ()))]


def site_output_names(folder: Path) -> list[str]:
    """The names of the files that `make_site_outputs` makes, without making them."""
    return ["wrapper.json", *(f"{path.stem}.txt" for path in sorted(folder.glob("*.html")))]


def make_outputs(folder: Path) -> dict[str, str]:
    """All outputs of a case: the name of each file, and what it holds."""
    page_settings = settings(folder)
    source = (folder / "page.html").read_bytes()
    content = duramen.extract(source, url=page_settings.get("url"))
    table = duramen.records(source, url=page_settings.get("url"))
    made = {
        "text.txt": content.to("text"),
        "markdown.md": content.to("markdown"),
        "markdown-links-images.md": content.to("markdown", links=True, images=True),
        "content.html": content.to("html"),
        "content-links-images.html": content.to("html", links=True, images=True),
        "content.json": _dumped(json.loads(content.to("json"))),
        "content.xml": content.to("xml"),
        "metadata.json": _dumped(content.metadata.as_dict()),
        "comments.json": _dumped([comment.as_dict() for comment in content.comments]),
        "records.json": _dumped(
            {
                "reason": table.reason,
                "xpath": table.xpath,
                "record_xpath": table.record_xpath,
                "fields": [{"name": field.name, "kind": field.kind} for field in table.columns],
                "rows": table.rows,
            }
        ),
        "summary.json": _dumped(
            {
                "page_type": content.page_type,
                "confidence": round(content.confidence, 3),
                "reason": content.reason,
                "is_article": bool(content.is_article),
                "is_article_reason": content.is_article.reason,
                "xpath": content.xpath,
            }
        ),
    }
    for method in page_settings.get("methods", ()):
        made[f"text-{method}.txt"] = duramen.extract(source, url=page_settings.get("url"), method=method).text
    return {name: _ended(text) for name, text in made.items()}


def make_site_outputs(folder: Path) -> dict[str, str]:
    """All outputs of a site: the wrapper, and the text of each page by it."""
    base = settings(folder).get("url", f"https://{folder.name}.example/")
    paths = sorted(folder.glob("*.html"))
    pages = [duramen.Page.parse(path.read_bytes(), base + path.name) for path in paths]
    wrapper = duramen.learn(pages[:LEARNED_FROM])
    made = {"wrapper.json": _saved(wrapper)}
    for path, page in zip(paths, pages, strict=True):
        made[f"{path.stem}.txt"] = wrapper.extract(page).text
    return {name: _ended(text) for name, text in made.items()}


def read_expected(folder: Path, name: str) -> str:
    """The expected output of a case or a site, with its line ends as they are."""
    return (folder / "expected" / name).read_bytes().decode("utf-8")


def write_expected(folder: Path) -> list[str]:
    """Write the expected outputs of a case or a site. Return the names of the files that changed."""
    made = make_outputs(folder) if (folder / "page.html").exists() else make_site_outputs(folder)
    expected = folder / "expected"
    expected.mkdir(exist_ok=True)
    changed = [*_remove_others(expected, made)]
    for name, text in made.items():
        path, data = expected / name, text.encode("utf-8")
        if not path.exists() or path.read_bytes() != data:
            path.write_bytes(data)
            changed.append(name)
    return changed


def _remove_others(expected: Path, names: Iterable[str]) -> list[str]:
    """Remove files that no output is made for. Return their names."""
    stale = sorted(path for path in expected.iterdir() if path.name not in names)
    for path in stale:
        path.unlink()
    return [path.name for path in stale]


def _saved(wrapper: duramen.Wrapper) -> str:
    """What `save` writes, as JSON with the counts of its boilerplate sorted: their order may differ between runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "wrapper.json"
        wrapper.save(path)
        saved = json.loads(path.read_text("utf-8"))
    for name in ("paths", "texts"):
        saved["boilerplate"][name] = dict(sorted(saved["boilerplate"][name].items()))
    return _dumped(saved)


def _dumped(value: object) -> str:
    """JSON that a person can read and compare line by line."""
    return json.dumps(value, indent=1, ensure_ascii=False)


def _ended(text: str) -> str:
    """The text with one newline after it, as files of text have; an empty output is an empty file."""
    return text if not text or text.endswith("\n") else text + "\n"
