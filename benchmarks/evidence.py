"""Make all tables and figures of the documents again: the four papers, the leaderboards, speed, scaling, calibration.

    make evidence DATA=/path/to/sets                       # all parts that are not current; hours
    python benchmarks/evidence.py DATA --part econ,mss     # these parts
    python benchmarks/evidence.py DATA --jobs 2            # two parts at a time; parts that measure time run alone
    python benchmarks/evidence.py DATA --sample            # a trial of every part on a few pages, in build/evidence/
    python benchmarks/evidence.py --list                   # what is current, stale or missing
    python benchmarks/evidence.py --mark-stale             # write "stale since" into documents older than their code

A part is a command and the documents it writes. Each document gets a stamp (`evidence_stamp.py`). A part whose
documents are current is left out, so a run that was stopped goes on where it ended; `--again` makes it again. A part
that fails is reported, its documents stay as they were, and the next part follows. At the end the tables of README.md
are written from the results. Peers need  pip install 'duramen[peers]', training  'duramen[training]', tables of records
and pictures  'duramen[evaluation]'; a part says which extra it misses.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from evidence_stamp import BENCHMARKS, ROOT, make_fingerprint, mark_stale, put_stamp, read_stale, read_stamp

DOCS = ROOT / "docs"
SAMPLE = ROOT / "build" / "evidence"
OTHER_QUESTIONS = tuple(
    f"duramen.{name}" for name in "article batch cli comments data_records integrations metadata net rendering".split()
)
"""Packages that have no part in the text of a page."""
SAMPLE_PAGES, SAMPLE_PAGES_OF_SITE = 40, 6
"""Pages of a set and of a site in a trial."""
NO_OUTPUT = (*OTHER_QUESTIONS, "duramen.structure")


@dataclass(frozen=True)
class Part:
    """A command and what it writes. `{data}`, `{out}`, `{pictures}` and `{sets}` are filled in."""

    name: str
    command: str
    documents: tuple[str, ...]
    """Below docs/. The first is written by the command to `{out}`."""
    modules: tuple[str, ...]
    models: tuple[str, ...] = ()
    without: tuple[str, ...] = OTHER_QUESTIONS
    needs_stamp: bool = True
    """Whether a document without a stamp is outdated: False if its script is also run by itself."""
    needs: tuple[str, ...] = ()
    """The sets it reads."""
    extras: tuple[str, ...] = ()
    """The extras of duramen it needs, beside those for pictures."""
    is_timed: bool = False
    """Whether it measures time, and so runs while no other part does."""
    status_is_finding: bool = False
    """Whether status 1 is a finding that the document has (a limit exceeded, a page not scored), not a failure."""

    def fingerprint(self) -> str:
        return make_fingerprint(self.modules, self.models, self.without)


EXTRAS = {
    "evaluation": ("matplotlib", "lxml"),
    "peers": ("trafilatura", "readability", "resiliparse", "justext", "boilerpy3", "newspaper"),
    "training": ("lightgbm", "scipy"),
}
"""Modules of each extra, by which it is found to be missing."""


def find_missing_extras(extras: Iterable[str]) -> dict[str, list[str]]:
    """Return the extras that are not installed, each with the modules that are missing."""
    missing = {extra: [one for one in EXTRAS[extra] if importlib.util.find_spec(one) is None] for extra in extras}
    return {extra: modules for extra, modules in missing.items() if modules}


ARTICLE_SETS = ("articles-2012-dev", "languages-dev", "news-sites-dev", "cleaneval-dev", "feed-sites-dev")
RECORD_SETS = ("records-yamada-dev", "records-zhao1-dev", "records-modern-dev")
ALL_TEXT = ("wcxb-dev", *ARTICLE_SETS, "news-world-dev", "chinese-dev", "forums-dev")
_AUTO = ("duramen.methods.auto.method", "duramen.evaluation.score")

PARTS = (
    Part(
        "econ",
        "{python} benchmarks/econ_paper.py {data} -o {out}",
        ("results/econ.md",),
        ("econ_paper", "duramen.methods.coreex", *_AUTO),
        ("auto.npz",),
        needs=("chinese-dev", "languages-dev", "news-world-dev"),
    ),
    Part(
        "mss",
        "{python} benchmarks/mss_paper.py {data} -o {out} --pictures {pictures}",
        ("results/mss.md",),
        ("mss_paper", "duramen.methods.longest_cell"),
        ("mss.npz",),
        needs=("wcxb-dev", "news-sites-dev", "cleaneval-dev"),
    ),
    Part(
        "mss-variants",
        "{python} benchmarks/mss_variants.py {data} -o {out}",
        ("results/mss-variants.md",),
        ("mss_variants",),
        needs=("wcxb-dev", "news-sites-dev", "cleaneval-dev"),
    ),
    Part(
        "vips",
        "{python} benchmarks/mss_vips.py {data} -o {out}",
        ("results/vips.md",),
        ("mss_vips", "duramen.methods.vips.method"),
        ("mss.npz",),
        needs=("news-sites-dev",),
    ),
    Part(
        "mss-scaling",
        "{python} benchmarks/mss_scaling.py -o {out} --pictures {pictures}",
        ("results/mss-scaling.md",),
        ("mss_scaling",),
        without=NO_OUTPUT,
        is_timed=True,
        status_is_finding=True,
    ),
    Part(
        "forest",
        "{python} benchmarks/forest_paper.py {data} -o {out} --pictures {pictures}",
        ("results/forest.md",),
        ("forest_paper", *_AUTO),
        ("auto.npz",),
        needs=("news-sites-dev", "feed-sites-dev", "articles-2012-dev"),
        extras=("peers",),
    ),
    Part(
        "forest-choices",
        "{python} benchmarks/forest_choices.py {data} -o {out}",
        ("results/forest-choices.md",),
        ("forest_choices",),
        needs=(
            "news-sites-dev",
            "feed-sites-dev",
            "articles-2012-dev",
            "languages-dev",
            "wcxb-dev",
            "news-world-dev",
        ),
    ),
    Part(
        "sites",
        "{python} benchmarks/site_curve.py {data} -o {out} --pictures {pictures}",
        ("results/sites.md",),
        ("site_curve", *_AUTO),
        ("auto.npz",),
        needs_stamp=False,
        needs=("news-sites-dev", "feed-sites-dev", "articles-2012-dev", "news-world-dev"),
        extras=("peers",),
    ),
    Part(
        "regions",
        "{python} benchmarks/regions_paper.py {data} -o {out} --pictures {pictures}",
        ("results/regions.md",),
        ("regions_paper",),
        without=("duramen.cli", "duramen.batch"),
        needs=RECORD_SETS,
    ),
    Part(
        "leaderboard",
        "{python} benchmarks/leaderboard.py {data} --pages 100 --docs {docs} --scored build/leaderboard/{fingerprint}",
        ("leaderboard.md",),
        ("leaderboard", *_AUTO),
        ("auto.npz", "mss.npz"),
        needs_stamp=False,
        needs=ALL_TEXT,
        extras=("peers",),
    ),
    Part(
        "scores-records",
        "{python} -m duramen evaluate {sets} --records --method region,xpath-rank,tag-path --write-scores {out}",
        ("scores-records.md",),
        ("duramen.methods.regions.main_list", "duramen.methods.regions.xpath_rank", "duramen.evaluation.records"),
        without=("duramen.cli", "duramen.batch"),
        needs=(*RECORD_SETS, "forums-dev"),
        status_is_finding=True,
    ),
    Part(
        "scores-metadata",
        "{python} -m duramen evaluate {sets} --metadata --write-scores {out}",
        ("scores-metadata.md",),
        ("duramen.metadata", "duramen.evaluation.metadata"),
        without=("duramen.cli", "duramen.batch", "duramen.data_records"),
        needs=("wcxb-dev",),
    ),
    Part(
        "speed",
        "{python} benchmarks/speed.py {data}/wcxb-dev --peers --every 75 --json {docs}/results/speed.json",
        ("speed.md",),
        ("speed", *_AUTO),
        ("auto.npz",),
        needs_stamp=False,
        needs=("wcxb-dev",),
        extras=("peers",),
        is_timed=True,
        status_is_finding=True,
    ),
    Part(
        "calibration",
        "{python} benchmarks/auto_choices.py {data} -o {out} --pictures {pictures}",
        ("results/auto.md",),
        ("auto_choices",),
        needs=("wcxb-dev", "news-world-dev", "chinese-dev", "forums-dev"),
        extras=("training",),
    ),
    Part(
        "auto-steps",
        "{python} benchmarks/auto_steps.py {data} -o {out}",
        ("results/auto-steps.md",),
        ("auto_steps",),
        ("auto.npz",),
        needs=ALL_TEXT,
        extras=("training",),
    ),
    Part(
        "learning-curve",
        "{python} benchmarks/auto_curve.py {data} -o {out}",
        ("results/auto-curve.md",),
        ("auto_curve",),
        needs=("wcxb-dev", "news-world-dev", "chinese-dev", "forums-dev"),
        extras=("training",),
    ),
)


@dataclass(frozen=True)
class Check:
    """The state of one document."""

    part: Part
    path: Path
    state: str
    """current, stale (and says so), outdated (and does not say so), missing, or unknown: it has no stamp."""


def check_documents(docs: Path = DOCS, parts: Sequence[Part] = PARTS) -> Iterator[Check]:
    """Compare every document with the code it measures."""
    for part in parts:
        fingerprint = part.fingerprint() if _has_scripts(part) else ""
        for name in part.documents:
            path = docs / name
            if not path.is_file():
                yield Check(part, path, "missing")
                continue
            text = path.read_text("utf-8")
            stamp = read_stamp(text)
            if read_stale(text):
                state = "stale"
            elif stamp is None:
                state = "outdated" if part.needs_stamp else "unknown"
            else:
                state = "current" if stamp.fingerprint == fingerprint else "outdated"
            yield Check(part, path, state)


def _has_scripts(part: Part) -> bool:
    """Return whether the scripts of a part exist: one of them may be missing in an export without benchmarks."""
    return all("." in name or (BENCHMARKS / f"{name}.py").is_file() for name in part.modules)


def make_part(part: Part, data: Path, docs: Path, pages: str) -> bool:
    """Run the command of a part and stamp its documents; return whether it succeeded."""
    missing = [name for name in part.needs if not (data / name).is_dir()]
    if missing:
        print(f"{part.name}: left out, because {data} has no {', no '.join(missing)}", file=sys.stderr)
        return False
    if not _has_scripts(part):
        print(f"{part.name}: left out, because its script is missing", file=sys.stderr)
        return False
    if lacking := find_missing_extras(["evaluation", *part.extras]):
        modules = ", ".join(one for each in lacking.values() for one in each)
        print(f"{part.name}: needs {modules}:  pip install 'duramen[{','.join(lacking)}]'", file=sys.stderr)
        return False
    out = docs / part.documents[0]
    fresh = out.with_suffix(".new")
    (docs / "results").mkdir(parents=True, exist_ok=True)
    places = {"python": sys.executable, "data": data, "out": fresh, "docs": docs, "pictures": docs / "pictures"}
    values = {name: shlex.quote(str(place)) for name, place in places.items()}
    # Scores of single pages are kept from one run to the next: not those of other code, nor those of a trial.
    values["fingerprint"] = part.fingerprint() if docs == DOCS else f"trial-{part.fingerprint()}"
    values["sets"] = " ".join(shlex.quote(str(data / name)) for name in part.needs)
    command = part.command.format(**values)
    started = perf_counter()
    to_stdout = "{out}" not in part.command
    done = subprocess.run(shlex.split(command), cwd=ROOT, check=False, capture_output=to_stdout, text=True)
    is_finding = part.status_is_finding and done.returncode == 1 and (to_stdout or fresh.is_file())
    if done.returncode != 0 and not is_finding:
        fresh.unlink(missing_ok=True)
        print(f"{part.name}: failed with status {done.returncode}: {command}", file=sys.stderr)
        if to_stdout:
            print(done.stderr[-2000:], file=sys.stderr)
        return False
    if to_stdout and not part.documents[0].startswith("leaderboard"):
        fresh.write_text(done.stdout, "utf-8")
    written = fresh if fresh.is_file() else out
    text = put_stamp(written.read_text("utf-8"), part.name, part.fingerprint(), _show_command(part), pages)
    written.write_text(text, "utf-8")
    written.replace(out)
    note = ", with a finding of its command (status 1)" if is_finding else ""
    print(f"{part.name}: {out}, {perf_counter() - started:.0f} s{note}", file=sys.stderr)
    return True


def _show_command(part: Part) -> str:
    """Return the command of a part as a reader would type it."""
    shown = {"python": "python", "data": "DATA", "out": f"docs/{part.documents[0]}", "pictures": "docs/pictures"}
    shown |= {"docs": "docs", "fingerprint": "CODE"}
    return part.command.format(**shown, sets=" ".join(part.needs))


def make_parts(parts: Sequence[Part], data: Path, docs: Path, pages: str, jobs: int) -> list[str]:
    """Make parts, several at a time, then those that measure time one after the other; return those that failed."""
    together = [part for part in parts if not part.is_timed]
    alone = [part for part in parts if part.is_timed]
    with ThreadPoolExecutor(jobs) as pool:
        made = list(pool.map(lambda part: make_part(part, data, docs, pages), together))
    made += [make_part(part, data, docs, pages) for part in alone]
    return [part.name for part, is_made in zip([*together, *alone], made, strict=True) if not is_made]


def sample_data(data: Path, folder: Path) -> Path:
    """Write small copies of the sets: the first sites, a few pages of each; the pages are links to the originals."""
    for manifest in sorted(data.glob("*/manifest.jsonl")):
        own = folder / manifest.parent.name
        own.mkdir(parents=True)
        for entry in manifest.parent.iterdir():
            if entry.name != manifest.name:
                (own / entry.name).symlink_to(entry.resolve())
        lines: list[str] = []
        by_site: Counter[str] = Counter()
        with manifest.open(encoding="utf-8") as rows:
            for line in rows:
                site = str(json.loads(line).get("site") or "")
                if by_site[site] < SAMPLE_PAGES_OF_SITE and len(lines) < SAMPLE_PAGES:
                    by_site[site] += 1
                    lines.append(line)
        (own / manifest.name).write_text("".join(lines), "utf-8")
    return folder


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, nargs="?", help="the folder of the sets")
    parser.add_argument("--part", help="names of parts, with commas (default: all)")
    parser.add_argument("--sample", action="store_true", help="a few pages, written to build/evidence/")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="parts at a time (default: 1)")
    parser.add_argument("--again", action="store_true", help="make parts again that are current")
    parser.add_argument("--list", action="store_true", help="print the state of each document")
    parser.add_argument("--mark-stale", action="store_true", help="mark documents that are older than their code")
    parser.add_argument("-o", "--output", type=Path, help="the folder of the documents (default: docs)")
    arguments = parser.parse_args()
    names = arguments.part.split(",") if arguments.part else [part.name for part in PARTS]
    unknown = sorted({*names} - {part.name for part in PARTS})
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}: choose from {', '.join(part.name for part in PARTS)}")
    parts = [part for part in PARTS if part.name in names]
    docs = arguments.output or (SAMPLE if arguments.sample else DOCS)
    checks = list(check_documents(docs, parts))
    if arguments.list or arguments.mark_stale:
        for check in checks:
            if arguments.mark_stale and check.state == "outdated":
                check.path.write_text(mark_stale(check.path.read_text("utf-8")), "utf-8")
            print(f"{check.state:9} {check.part.name:16} {check.path}")
        return 0
    if arguments.data is None or not arguments.data.is_dir():
        parser.error("name the folder of the sets: make evidence DATA=/path/to/sets")
    current = {check.part.name for check in checks if check.state == "current"}
    wanted = [part for part in parts if arguments.again or part.name not in current]
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        data, pages = arguments.data.resolve(), "every page"
        if arguments.sample:
            data, pages = sample_data(data, Path(folder, "data")), f"at most {SAMPLE_PAGES} pages of each set, a trial"
        failed = make_parts(wanted, data, docs.resolve(), pages, max(1, arguments.jobs))
    if docs == DOCS and {"leaderboard", "speed"} & ({part.name for part in wanted} - {*failed}):
        subprocess.run([sys.executable, str(BENCHMARKS / "front_page.py")], cwd=ROOT, check=True)
    print(f"{len(wanted) - len(failed)} parts made, {len(parts) - len(wanted)} were current", file=sys.stderr)
    if failed:
        print(f"not made: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
