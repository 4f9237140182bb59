"""Hooks of the documentation site: pages that are generated, and links that lead out of the folder docs/.

Generated are the home page (README.md), the documents at the top of the repository, the options of the command line
(from its parsers) and the cards of the models.
"""

from __future__ import annotations

import argparse
import json
import os
import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).parents[1]
TOP_DOCUMENTS = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "LICENSE": "license.md",
}
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_ITEM = re.compile(r" *(?:[-*]|\d+\.) ")
_INSIDE_ITEM = re.compile(r"^ {2,3}(?=\S)")
_FENCE = re.compile(r"^(```\w+) \w+$", re.MULTILINE)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Show the version of duramen in the header and the footer."""
    from duramen import __version__

    config.site_name = f"duramen {__version__}"
    config.copyright = f"duramen {__version__}, Apache-2.0"
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages."""
    for source, target in TOP_DOCUMENTS.items():
        text = (ROOT / source).read_text("utf-8")
        files.append(File.generated(config, target, content=f"# License\n\n{text}" if source == "LICENSE" else text))
    files.append(File.generated(config, "reference/cli.md", content=write_command_line()))
    files.append(File.generated(config, "reference/model-cards.md", content=write_model_cards()))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Lead links to pages of the site; links to other files of the repository become plain text."""
    sources = {target: source for source, target in TOP_DOCUMENTS.items()}
    here = page.file.src_uri
    place = sources.get(here, f"docs/{here}")

    def lead(match: re.Match[str]) -> str:
        image, text, link = match.groups()
        path, mark, anchor = link.partition("#")
        if not path or "://" in path or path.startswith("mailto:"):
            return match[0]
        target = posixpath.normpath(posixpath.join(posixpath.dirname(place), path))
        target = TOP_DOCUMENTS.get(target, target.removeprefix("docs/") if target.startswith("docs/") else "")
        if not target or files.get_file_from_path(target) is None:
            return text
        return f"{image}[{text}]({posixpath.relpath(target, posixpath.dirname(here) or '.')}{mark}{anchor})"

    pieces = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        _FENCE.sub(r"\1", piece) if piece.startswith("```") else indent_lists(_LINK.sub(lead, piece))
        for piece in pieces
    )


def indent_lists(markdown: str) -> str:
    """Write lists as Python-Markdown reads them: four spaces inside an item, an empty line before a list."""
    lines: list[str] = []
    in_list = False
    for line in markdown.split("\n"):
        after_empty_line = not lines or not lines[-1].strip()
        if _ITEM.match(line):
            if not after_empty_line and not _ITEM.match(lines[-1]):
                lines.append("")
            in_list = True
        elif line.strip() and not line.startswith(" ") and after_empty_line:
            in_list = False
        lines.append(_INSIDE_ITEM.sub("    ", line) if in_list else line)
    return "\n".join(lines)


def write_command_line() -> str:
    """Return the page of all verbs and options, from their parsers."""
    os.environ["COLUMNS"] = "78"  # of the help texts: the width of the page
    from duramen.cli.dispatch import build_parser

    parser = build_parser()
    parts = [
        "# Command line: all options",
        "This page is written from the parsers of the verbs. [Command line, by task](../command-line.md) has examples.",
        f"```text\n{parser.format_help()}```",
    ]
    for name, verb in parser.verb_parsers.items():
        parts += [f"## duramen {name}", f"```text\n{verb.format_help()}```"]
        for action in verb._actions:
            if isinstance(action, argparse._SubParsersAction):
                for inner, inner_parser in action.choices.items():
                    parts += [f"### duramen {name} {inner}", f"```text\n{inner_parser.format_help()}```"]
    return "\n\n".join(parts) + "\n"


def write_model_cards() -> str:
    """Return the page of the models that duramen contains."""
    from duramen.methods.auto.model import AutoModel
    from duramen.methods.mss.model import MssModel

    models = ROOT / "src" / "duramen" / "models"
    cards: dict[str, Any] = {
        "auto.npz": AutoModel.load(models / "auto.npz").card,
        "mss.npz": MssModel.load(models / "mss.npz").card,
    }
    parts = [
        "# Model cards",
        "Each model has a card: the sets it was trained on, with their licences, the parameters of the training, and"
        " the scores on sites that it has not seen. `duramen train auto --show FILE` prints it.",
    ]
    for name, card in cards.items():
        sets = "".join(
            f"- {one['name']}: {one['pages']} pages of {one['sites']} sites; {one['credit']}\n" for one in card["sets"]
        )
        parts += [
            f"## {name}",
            f"{card['algorithm']}, trained on {card['date'][:10]} with duramen {card['duramen']}:\n\n{sets}",
            f"```json\n{json.dumps(card, indent=2, ensure_ascii=False)}\n```",
        ]
    return "\n\n".join(parts) + "\n"
