"""Print an explanation for a terminal: `duramen extract --explain`."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from io import StringIO
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from duramen.explanation import BlockExplanation, Explanation, FeatureEvidence

_STYLES = {"kept": "green", "dropped": "bright_black", "uncertain": "yellow"}
_SIGNS = {"kept": "+", "dropped": "-", "uncertain": "?"}
_MAX_TEXT_CHARS = 160
_SHOWN_FEATURES = 2
_MIN_WIDTH, _MAX_WIDTH = 80, 140
_SHOWN_CUTOFFS = 9


def write_explanation(explanation: Explanation, *, is_terminal: bool) -> str:
    """Return an explanation as text, with colors for a terminal."""
    from rich.console import Console

    width = min(max(shutil.get_terminal_size((120, 40)).columns, _MIN_WIDTH), _MAX_WIDTH)
    buffer = StringIO()
    console = Console(
        file=buffer, width=width, force_terminal=is_terminal, no_color=not is_terminal, highlight=False, soft_wrap=False
    )
    _print_summary(console, explanation)
    console.print(_make_block_table(explanation.blocks))
    if explanation.steps:
        console.print(_make_step_table(explanation))
    if explanation.cutoffs:
        console.print(_make_cutoff_table(explanation))
    if explanation.metadata:
        console.print(_make_metadata_table(explanation))
    lines = buffer.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _print_summary(console: Console, explanation: Explanation) -> None:
    from rich.text import Text

    console.print(Text(f"method {explanation.method}: {explanation.reason}", style="bold"))
    facts = [f"confidence {explanation.confidence:.2f}"]
    if explanation.threshold is not None:
        facts.append(f"cut-off {explanation.threshold:.2f}")
    if explanation.expected_f1 is not None:
        facts.append(f"expected F1 {explanation.expected_f1:.2f}")
    if explanation.page_types:
        types = [f"{name} {share:.0%}" for name, share in explanation.page_types.items() if share >= 0.01]
        facts.append(f"page type {', '.join(types)}")
    console.print(Text("; ".join(facts)))


def _make_block_table(blocks: Sequence[BlockExplanation]) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    title = "Blocks: + kept, - dropped; ?+ kept and ?- dropped, but uncertain"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name, justify in (("", "left"), ("p", "right"), ("words", "right"), ("step", "left")):
        table.add_column(name, justify=justify, no_wrap=True)  # type: ignore[arg-type]
    table.add_column("text and reason", ratio=1)
    for block in blocks:
        style = _STYLES[block.state]
        sign = _SIGNS[block.state] + (" " if block.state != "uncertain" else "+" if block.kept else "-")
        cell = Text(_shorten(block.text), style=style)
        for note in _list_notes(block):
            cell.append(f"\n  {note}", style="dim")
        probability = "" if block.probability is None else f"{block.probability:.2f}"
        table.add_row(Text(sign, style=style), probability, str(block.words), block.step, cell)
    return table


def _list_notes(block: BlockExplanation) -> list[str]:
    notes = [block.xpath]
    if block.step not in ("threshold", "method"):
        notes.append(block.reason)
    notes += [why for why in (block.hidden, block.comment) if why and why not in block.reason]
    if block.repeated_pages:
        notes.append(f"repeated on {block.repeated_pages} other pages of the site")
    for sign, evidence in (("for", block.supporting), ("against", block.opposing)):
        if evidence:
            notes.append(f"{sign}: {_join_evidence(evidence)}")
    return notes


def _join_evidence(evidence: Sequence[FeatureEvidence]) -> str:
    return "; ".join(f"{one.phrase} ({one.contribution:+.1f})" for one in evidence[:_SHOWN_FEATURES])


def _make_step_table(explanation: Explanation) -> RenderableType:
    from rich.table import Table

    table = Table(title="Steps that changed something", title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name in ("step", "added", "removed", "kept", "what it does"):
        table.add_column(name, justify="left" if name in ("step", "what it does") else "right")
    for step in explanation.steps:
        table.add_row(step.name, str(len(step.added)), str(len(step.removed)), str(step.kept), step.description)
    return table


def _make_cutoff_table(explanation: Explanation) -> RenderableType:
    from rich.table import Table

    title = "What to expect at other cut-offs; the row with > is that of the page"
    table = Table(title=title, title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name in ("", "cut-off", "blocks", "words", "precision", "recall", "F1"):
        table.add_column(name, justify="right")
    cutoffs = explanation.cutoffs
    chosen = [at for at, cutoff in enumerate(cutoffs) if cutoff.probability == explanation.threshold]
    step = max(1, len(cutoffs) // _SHOWN_CUTOFFS)
    for at in sorted({*range(0, len(cutoffs), step), len(cutoffs) - 1, *chosen}):
        cutoff = cutoffs[at]
        scores = [f"{value:.3f}" for value in (cutoff.precision, cutoff.recall, cutoff.f1)]
        mark = ">" if at in chosen else ""
        table.add_row(mark, f"{cutoff.probability:.2f}", str(cutoff.blocks), str(cutoff.words), *scores)
    return table


def _make_metadata_table(explanation: Explanation) -> RenderableType:
    from rich.table import Table
    from rich.text import Text

    table = Table(title="Metadata: each value, and every claim", title_justify="left", box=None, padding=(0, 1, 0, 0))
    for name in ("field", "value", "source", "weight"):
        table.add_column(name, justify="right" if name == "weight" else "left", ratio=1 if name == "value" else None)
    for field in explanation.metadata:
        value = Text(_shorten(field.value) or "none", style="bold")
        table.add_row(field.name, value, field.source, f"{field.confidence:.2f}" if field.value else "")
        for claim in field.claims:
            source = f"{claim.source} {claim.detail}".strip()
            table.add_row("", Text(f"  {_shorten(claim.value)}", style="dim"), source, f"{claim.weight:+.2f}")
    return table


def _shorten(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _MAX_TEXT_CHARS else text[: _MAX_TEXT_CHARS - 1].rstrip() + "…"
