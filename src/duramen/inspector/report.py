"""The data of a report, and the HTML file around it."""

from __future__ import annotations

import json
from base64 import b64encode
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cache, partial
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from duramen import __version__, methods
from duramen.content import Content
from duramen.dom.page import Page
from duramen.errors import UsageError
from duramen.evaluation import peers
from duramen.explanation import BlockExplanation, Explanation, FeatureEvidence
from duramen.inspector.comparison import Comparison, compare_with, compare_with_extractor, compare_with_wrapper
from duramen.inspector.output_lines import BlockIndex, StringTable, list_comments, render_outputs, write_outputs
from duramen.inspector.sanitize import make_marks, sanitize
from duramen.methods.auto.method import Auto
from duramen.site_model import SiteModel
from duramen.site_model.fusion import extract_fused
from duramen.site_model.model import MAX_PAGES
from duramen.site_model.model_json import FORMAT as SITE_MODEL_FORMAT
from duramen.wrapper_file import find_format, read_wrapper_text
from duramen.wrappers import Wrapper
from duramen.wrappers.wrapper_json import load_wrapper

FAVORS: Final = ("precision", "balance", "recall")
MAX_EXPLAINED_BLOCKS: Final = 20_000
"""On a page with more blocks, only those that are kept, uncertain or probable get their features."""
_SHOWN_FEATURES: Final = 4
_MAX_RECORD_ROWS: Final = 2000
_COUNTS_END: Final = "stand above the page's cut-off"
_MAX_SOURCE_CHARS: Final = 8_000_000
"""A longer page is not part of the report, and no fixture can be made of it."""

SiteExtractor = Callable[..., Content]
"""Extracts a page by `auto`, with the evidence of its site; named arguments are options of `auto`."""


@dataclass(frozen=True)
class InspectOptions:
    """What a report shows."""

    methods: tuple[str, ...] = ("auto",)
    """The method that is inspected, then methods and peers to compare it with."""
    wrappers: tuple[Path, ...] = ()
    """Wrappers to compare with."""
    site: Path | None = None
    """What is known of the page's site, for the method `auto`: a wrapper, a site model, or a folder of its pages."""
    records: bool = False
    gold: str | None = None
    """The correct text."""
    name: str = "page.html"
    """The file or the URL of the page."""


def make_report(page: Page, options: InspectOptions | None = None) -> str:
    """Return the report of a page: one HTML file that needs no network."""
    return fill_template(make_data(page, options or InspectOptions()))


def make_data(page: Page, options: InspectOptions) -> dict[str, Any]:
    """Return the data of a report, ready for JSON."""
    main, *others = options.methods
    strings = StringTable()
    site = None if options.site is None else _load_site(options.site)
    extract = _get_method(main, site)
    content = extract(page)
    explanation = content.explain()
    blocks = explanation.blocks
    find_block = _make_finder(blocks)
    comparisons = _list_comparisons(page, options, others, content.text, blocks)
    marks = make_marks((block.index, block.node, block.first, block.last) for block in blocks)
    return {
        "version": __version__,
        "page": _describe_page(page, content, options),
        "frame": sanitize(page.tree, marks),
        "blocks": _write_blocks(explanation, strings),
        "summary": _write_summary(explanation),
        "variants": _write_variants(page, main, site, content, explanation, strings),
        "comparisons": [asdict(comparison) for comparison in comparisons],
        "metadata": _write_metadata(explanation, find_block),
        "comments": list_comments(content, find_block),
        "records": _write_records(page, find_block) if options.records else None,
        "strings": strings.strings,
    }


def _get_method(name: str, site: SiteExtractor | None) -> Callable[[Page], Content]:
    """Return the method of this name; `auto` with the evidence of a site, if given."""
    if name not in methods.names() and name in peers.names():
        raise UsageError(f"{name} is a peer: it can be compared, but not inspected; use --method auto,{name}")
    method = methods.get(name)
    if site is None:
        return method
    if not isinstance(method, Auto):
        raise UsageError(f"--site is for the method auto, not for {name}")
    return partial(site, **asdict(method))


def _load_site(path: Path) -> SiteExtractor:
    """Return the extraction by `auto` with the evidence of a site.

    The path is that of a wrapper, a site model or a folder of pages.
    """
    if path.is_dir():
        pages = sorted(file for file in path.rglob("*") if file.suffix in (".html", ".htm"))
        return SiteModel.learn(file.read_bytes() for file in pages[:MAX_PAGES]).extract
    if find_format(read_wrapper_text(path)) == SITE_MODEL_FORMAT:
        return SiteModel.load(path).extract
    wrapper = load_wrapper(path)
    if isinstance(wrapper, Wrapper):
        return partial(extract_fused, wrapper)
    return lambda page, **options: extract_fused(wrapper.choose_wrapper(page), page, **options)


def fill_template(data: dict[str, Any] | None, *, serve: str = "") -> str:
    """Return the page of the inspector with the data of a report; `serve` is the path of a server, if there is one."""
    written = json.dumps({"report": data, "serve": serve}, ensure_ascii=False, separators=(",", ":"))
    # Inside a script element no tag may begin; U+2028 and U+2029 end lines in old parsers of JavaScript.
    for character in "<>&\u2028\u2029":
        written = written.replace(character, f"\\u{ord(character):04x}")
    script = _read("inspector.js")
    digest = b64encode(sha256(script.encode()).digest()).decode()
    connections = "connect-src 'self'; " if serve else ""
    policy = (
        f"default-src 'none'; script-src 'sha256-{digest}'; style-src 'unsafe-inline'; img-src data:; {connections}"
        "base-uri 'none'; form-action 'none'"
    )
    title = f"{data['page']['title'] or data['page']['name']} — duramen" if data else "duramen inspector"
    parts = {
        "POLICY": policy.replace('"', "&quot;"),
        "TITLE": title.replace("&", "&amp;").replace("<", "&lt;"),
        "SCRIPT": script,
        "DATA": written,
    }
    out = []
    for number, piece in enumerate(_read("template.html").split("%%")):  # in one pass: the data may contain anything
        out.append(parts[piece] if number % 2 else piece)
    return "".join(out)


@cache
def _read(name: str) -> str:
    return files("duramen.inspector").joinpath(name).read_text("utf-8")


def _describe_page(page: Page, content: Content, options: InspectOptions) -> dict[str, Any]:
    source = page.html
    return {
        "name": options.name,
        "url": page.url,
        "title": content.metadata.title or "",
        "chars": len(source),
        "source": source if len(source) <= _MAX_SOURCE_CHARS else None,
    }


def _make_finder(blocks: Sequence[BlockExplanation]) -> Callable[[int | None], int]:
    starts = [block.first for block in blocks]

    def find_block(node: int | None) -> int:
        """Return the first block at or after a node, or the last one; −1 for no node."""
        return -1 if node is None or not starts else min(bisect_left(starts, node), len(starts) - 1)

    return find_block


def _write_blocks(explanation: Explanation, strings: StringTable) -> dict[str, list[Any]]:
    """Return the blocks as columns."""
    blocks = explanation.blocks
    is_large = len(blocks) > MAX_EXPLAINED_BLOCKS
    shown = [not is_large or block.kept or block.is_uncertain or (block.probability or 0.0) >= 0.05 for block in blocks]
    return {
        "text": [block.text for block in blocks],
        "words": [block.words for block in blocks],
        "xpath": [strings.add(block.xpath) for block in blocks],
        "hidden": [strings.add(block.hidden) if block.hidden else -1 for block in blocks],
        "comment": [strings.add(block.comment) if block.comment else -1 for block in blocks],
        "repeated": [block.repeated_pages for block in blocks],
        "first": [_round(block.first_probability) for block in blocks],
        "score": [_round(block.score) for block in blocks],
        "for": [
            _write_evidence(block.supporting, strings) if is_shown else []
            for block, is_shown in zip(blocks, shown, strict=True)
        ],
        "against": [
            _write_evidence(block.opposing, strings) if is_shown else []
            for block, is_shown in zip(blocks, shown, strict=True)
        ],
        "plainest": [
            _choose_plainest(block.opposing, strings) if is_shown else -1
            for block, is_shown in zip(blocks, shown, strict=True)
        ],
    }


def _choose_plainest(evidence: Sequence[FeatureEvidence], strings: StringTable) -> int:
    """Return the phrase for one line: the strongest feature of the block itself, or else the strongest of all."""
    return next((strings.add(one.phrase) for one in (*(one for one in evidence if one.is_own), *evidence)), -1)


def _write_evidence(evidence: Sequence[FeatureEvidence], strings: StringTable) -> list[list[float]]:
    return [[strings.add(one.phrase), round(one.contribution, 2)] for one in evidence[:_SHOWN_FEATURES]]


def _write_summary(explanation: Explanation) -> dict[str, Any]:
    return {
        "pageType": explanation.page_type,
        "pageTypes": {name: round(share, 3) for name, share in explanation.page_types.items()},
    }


def _write_variants(
    page: Page, main: str, site: SiteExtractor | None, content: Content, explanation: Explanation, strings: StringTable
) -> list[dict[str, Any]]:
    """Return the extractions that the toggles choose from: for `auto` one for each `favor`, else one."""
    found = [("", content, explanation)]
    name, _, parameters = main.partition(":")
    if name == "auto" and "favor=" not in parameters:
        for favor in FAVORS:
            if favor != "balance":
                other = _get_method(f"{main}{',' if parameters else ':'}favor={favor}", site)(page)
                found.append((favor, other, other.explain(features=False)))
        found[0] = ("balance", content, explanation)
        found.sort(key=lambda one: FAVORS.index(one[0]))
    written: dict[Any, dict[str, Any]] = {}  # many variants keep the same
    variants = []
    for favor, other, explained in found:
        key = other.spans, other.page_type
        if key not in written:
            index = BlockIndex(explained.blocks)
            written[key] = {
                "outputs": write_outputs(other, index, strings),
                "rendered": render_outputs(other, index, strings),
            }
        variants.append(_write_variant(favor, other, explained, explanation.blocks, strings) | written[key])
    return variants


def _write_variant(
    favor: str, content: Content, explanation: Explanation, blocks: Sequence[BlockExplanation], strings: StringTable
) -> dict[str, Any]:
    by_start = {block.first: block for block in explanation.blocks}
    own = [by_start.get(block.first) for block in blocks]  # a variant may read the page with hidden elements
    return {
        "favor": favor,
        "method": content.method,
        "note": _write_note(content.reason),
        "confidence": round(content.confidence, 4),
        "threshold": explanation.threshold,
        "expectedF1": _round(explanation.expected_f1),
        "kept": "".join("1" if block and block.kept else "0" for block in own),
        "step": [strings.add(block.step) if block else -1 for block in own],
        "why": [strings.add(block.reason) if block else -1 for block in own],
        "p": [_round(block.probability) if block else None for block in own],
        "steps": [
            {"name": step.name, "does": step.description, "added": len(step.added), "removed": len(step.removed)}
            for step in explanation.steps
        ],
        # Probabilities are not rounded: the cut-off of the page is one of them, and two may differ by little.
        "cutoffs": [[cutoff.probability, *(round(value, 4) for value in cutoff[1:])] for cutoff in explanation.cutoffs],
    }


def _write_note(reason: str) -> str:
    """Return the reason of a content without the counts of `auto`: the header counts what the report shows."""
    counts, _, rest = reason.partition(_COUNTS_END)
    return rest.lstrip(" ;,:") if counts != reason else reason


def _list_comparisons(
    page: Page, options: InspectOptions, others: Sequence[str], text: str, blocks: Sequence[BlockExplanation]
) -> list[Comparison]:
    comparisons = []
    if options.gold is not None:
        comparisons.append(compare_with("gold", "gold", options.gold, text, blocks))
    comparisons += [compare_with_extractor(name, page, text, blocks) for name in others]
    comparisons += [compare_with_wrapper(path, page, text, blocks) for path in options.wrappers]
    return comparisons


def _write_metadata(explanation: Explanation, find_block: Callable[[int | None], int]) -> list[dict[str, Any]]:
    return [
        {
            "name": field.name,
            "value": field.value,
            "source": field.source,
            "confidence": round(field.confidence, 3),
            "claims": [
                [claim.value, f"{claim.source} {claim.detail}".strip(), round(claim.weight, 2), find_block(claim.node)]
                for claim in field.claims
            ],
            "candidates": [
                [one.value, round(one.score, 2), round(one.probability, 3), list(one.evidence.items())[:8]]
                for one in field.candidates[:8]
            ],
        }
        for field in explanation.metadata
    ]


def _write_records(page: Page, find_block: Callable[[int | None], int]) -> dict[str, Any]:
    from duramen.api import records

    table = records(page)
    rows = table.rows[:_MAX_RECORD_ROWS]
    return {
        "reason": table.reason,
        "names": table.names,
        "rows": [[_to_cell(row.get(name)) for name in table.names] for row in rows],
        "blocks": [find_block(record[0]) if record else -1 for record in table.records[: len(rows)]],
        "count": len(table.rows),
    }


def _to_cell(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _round(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
