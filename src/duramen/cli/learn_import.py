"""`duramen learn --import`: wrappers from site rules of the ftr-site-config format."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from duramen.cli.outputs import write_file
from duramen.cli.progress import count_pages, escape_controls, say
from duramen.errors import DuramenError, UsageError

if TYPE_CHECKING:
    from duramen.dom.page import Page
    from duramen.metadata import Metadata
    from duramen.wrappers import SamplePage, Wrapper
    from duramen.wrappers.site_config import ImportedRules

MIN_AGREEMENT = 0.5
"""A rule conflicts with a page if the words that it keeps and those of `auto` agree less."""
RULE_NAMES = {"authors": "author", "published": "date"}
"""What the format of the rules calls the fields."""


def import_rules(args: argparse.Namespace, paths: Sequence[str]) -> int:
    """Write the wrappers of rule files, and report conflicts with the pages that are given."""
    from duramen.wrappers.site_config import find_rule_files, read_rules

    for name in ("update", "feed", "query", "signifiers", "k", "explain"):
        if getattr(args, name):
            raise UsageError(f"--import makes wrappers of rules and learns nothing: leave --{name} out")
    if args.output is None:
        raise UsageError("no output was named: add -o site.json for one file of rules, or -o wrappers/ for a folder")
    if len(paths) < len(args.modules):
        raise UsageError("--import names rules and something that is no file: import them apart")
    files = [file for path in paths for file in find_rule_files(Path(path))]
    imported: list[ImportedRules] = []
    failed = 0
    for file in files:
        try:
            rules = read_rules(file)
        except DuramenError as error:
            failed += 1
            say(str(error))
            continue
        imported.append(rules)
        if not args.quiet:
            for note in rules.notes:
                say(f"{file.name}: {note}")
    wrappers = {rules.host: rules.wrapper for rules in imported if rules.wrapper is not None}
    written = _write(wrappers, args.output, as_folder=len(files) > 1)
    if not args.quiet:
        rules_count = "1 file" if len(files) == 1 else f"{len(files)} files"
        say(f"{rules_count} of rules, {len(wrappers)} with a wrapper: {written}")
    failed += _check_pages(args, wrappers) if args.inputs else 0
    return 1 if failed or not wrappers else 0


def _write(wrappers: dict[str, Wrapper], output: str, *, as_folder: bool) -> str:
    from duramen.wrappers.wrapper_json import format_wrapper

    if not as_folder and not output.endswith("/"):
        for wrapper in wrappers.values():
            write_file(Path(output), format_wrapper(wrapper))
        return output
    folder = Path(output)
    if folder.is_file() or folder.suffix == ".json":
        raise UsageError(f"several wrappers are written to a folder: give -o the name of one, not {output}")
    folder.mkdir(parents=True, exist_ok=True)
    for host, wrapper in wrappers.items():
        write_file(folder / f"{host}.json", format_wrapper(wrapper))
    return output


def _check_pages(args: argparse.Namespace, wrappers: dict[str, Wrapper]) -> int:
    """Compare the rules with the pages of their hosts, and return how many pages could not be read."""
    from duramen.cli.inputs import ReadLimits
    from duramen.cli.learn_pages import SamplePageReader

    args.download = 0
    reader = SamplePageReader(args, ReadLimits(args.timeout, args.max_size))
    pages = reader.read_all()
    without = 0
    for page in pages:
        wrapper = _find_wrapper(page, wrappers)
        if wrapper is None:
            without += 1
            continue
        for conflict in find_conflicts(wrapper, page.name or "", page.page):
            say(escape_controls(f"{page.name}: {conflict}"))
    if without and not args.quiet:
        say(f"not checked, because no rule is for their host or their URL is unknown: {count_pages(without)}")
    return reader.failed


def _find_wrapper(page: SamplePage, wrappers: dict[str, Wrapper]) -> Wrapper | None:
    """Return the wrapper of the longest host name that the page's host ends with."""
    from urllib.parse import urlsplit

    host = urlsplit(page.page.url or "").hostname or ""
    labels = host.split(".")
    names = [".".join(labels[at:]) for at in range(len(labels))] + [f"www.{host}"]
    return next((wrappers[name] for name in names if name in wrappers), None)


def find_conflicts(wrapper: Wrapper, name: str, page: Page) -> list[str]:
    """Return where imported rules and a page contradict each other."""
    from duramen.site_model.comparison import compare_with_auto

    conflicts = []
    compared = compare_with_auto(wrapper, [(name, page)]).pages[0]
    if not wrapper.find_region(page.tree):
        conflicts.append(f"the rule for the body selects nothing: {wrapper.xpath}")
    elif not wrapper.find_spans(page.tree):
        conflicts.append(f"the rule for the body selects no text: {wrapper.xpath}")
    elif compared.agreement < MIN_AGREEMENT:
        conflicts.append(
            f"the rule for the body and auto agree by {compared.agreement:.0%}: {compared.only_wrapper:,} words of the "
            f"rule alone, {compared.only_auto:,} of auto alone"
        )
    if wrapper.headlines and wrapper.find_headline(page.tree) is None:
        conflicts.append("the rule for the title selects nothing")
    return conflicts + _find_field_conflicts(wrapper, page)


def _find_field_conflicts(wrapper: Wrapper, page: Page) -> list[str]:
    """Return where the rules for metadata contradict the metadata of a page."""
    from duramen import xpath
    from duramen.metadata import Metadata

    alone, ruled = Metadata.read(page), Metadata.read(page, field_nodes=wrapper.find_field_nodes(page.tree))
    conflicts = []
    for field, expression in wrapper.fields:
        rule = RULE_NAMES.get(field, field)
        found = len(xpath.select(page.tree, expression))
        shown, read = _format_field(alone, field), _format_field(ruled, field)
        if not found and shown:
            conflicts.append(f"the rule for the {rule} selects nothing, but the page says {shown}")
        elif found > 1:
            conflicts.append(f"the rule for the {rule} selects {found} elements, so that it is not used")
        elif shown and read != shown:
            conflicts.append(f"the rule for the {rule} gives {read}, but the page says {shown}")
    return conflicts


def _format_field(metadata: Metadata, field: str) -> str:
    """Return the value of a field that a rule may be for; dates by day."""
    return (
        str(metadata.published or "")[:10]
        if field == "published"
        else ", ".join(author.name for author in metadata.authors)
    )
