"""Make all tables and figures of the documents again: the four papers, the leaderboards, speed, scaling, calibration.

    make evidence DATA=/path/to/sets                       # all parts that are not current; an hour or two
    make evidence DATA=/path/to/sets OPTIONS=--full        # every page in the parts that take samples; many hours
    python benchmarks/evidence.py DATA --part econ,mss     # these parts
    python benchmarks/evidence.py DATA --jobs 1            # one part at a time (default: one for each processor)
    python benchmarks/evidence.py DATA --sample            # a trial of every part on a few pages, in build/evidence/
    python benchmarks/evidence.py --list                   # what is current, stale or missing
    python benchmarks/evidence.py --mark-stale             # write "stale since" into documents older than their code

A part is a command and the document it writes. Each document gets a stamp (`evidence_stamp.py`). A part whose
document is current is left out, so a run that was stopped goes on where it ended; `--again` makes it again. Parts that
take long read a sample, which the stamp names; `--full` makes them again on every page. Parts that measure time run
last, one after the other. A part that fails is reported, its document stays as it was, and the next part follows. At
the end the tables of README.md, and the figures that hand-written documents quote (`figures.py`), are written from the
results. Needs Chromium, and the extras batch, evaluation, peers and training, which `make evidence` installs; a part
says which one it misses.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from evidence_stamp import BENCHMARKS, ROOT, make_fingerprint, mark_stale, put_stamp, read_stale, read_stamp

DOCS = ROOT / "docs"
SAMPLE = ROOT / "build" / "evidence"
OTHER_QUESTIONS = tuple(
    f"duramen.{name}"
    for name in (
        "article batch cli comments data_records explanation integrations metadata net rendering"
        " output.html output.markdown output.markdown_inline output.xml"
        " evaluation.defuddle evaluation.markdown_peers evaluation.structure"
    ).split()
)
"""Packages and modules that have no part in the text of a page, nor in its scores."""
SAMPLE_PAGES, SAMPLE_PAGES_OF_SITE = 40, 6
"""Pages of a set and of a site in a trial."""
NO_OUTPUT = (*OTHER_QUESTIONS, "duramen.structure")


@dataclass(frozen=True)
class Part:
    """A command and the document that it writes.

    The names in braces in the command are filled in by `Maker`.
    """

    name: str
    command: str
    document: str
    """Below docs/. The command writes it to `{out}`; without `{out}`, prints it or writes it to `{docs}` (`prints`)."""
    modules: tuple[str, ...]
    models: tuple[str, ...] = ()
    without: tuple[str, ...] = OTHER_QUESTIONS
    sample: str = ""
    """Options that make the part read a sample, in place of `{sample}` unless `--full` is given."""
    pages: str = "every page"
    """The pages that it reads with these options, as the stamp says it."""
    prints: bool = False
    """Whether the command prints the document."""
    has_notes: bool = False
    """Whether its result is a part of the document, between markers; what is around them is written by hand."""
    needs: tuple[str, ...] = ()
    """The sets it reads."""
    extras: tuple[str, ...] = ()
    """The extras of duramen it needs, beside those for pictures."""
    is_parallel: bool = False
    """Whether it uses all processors by itself, or what other parts have made: it runs after them, alone."""
    is_timed: bool = False
    """Whether it measures time, and so runs while no other part does."""
    status_is_finding: bool = False
    """Whether status 1 is a finding that the document has (a limit exceeded, a page not scored), not a failure."""

    def fingerprint(self) -> str:
        return make_fingerprint(self.modules, self.models, self.without)


BEGIN, END = "<!-- measured: begin -->\n", "<!-- measured: end -->\n"
"""The markers of the result in a document with notes."""

FULL = {"leaderboard": "--pages 0"}
"""Options of a part with `--full`, if every page is not its default."""

EXTRAS = {
    "batch": ("fastwarc",),
    "evaluation": ("matplotlib", "lxml"),
    "peers": ("trafilatura", "readability", "resiliparse", "justext", "boilerpy3", "newspaper"),
    "training": ("lightgbm", "scipy"),
}
"""Modules of each extra, by which it is found to be missing."""


def find_missing_extras(extras: Iterable[str]) -> dict[str, list[str]]:
    """Return the extras that are not installed, each with its missing modules."""
    missing = {extra: [one for one in EXTRAS[extra] if importlib.util.find_spec(one) is None] for extra in extras}
    return {extra: modules for extra, modules in missing.items() if modules}


ARTICLE_SETS = ("articles-2012-dev", "languages-dev", "news-sites-dev", "cleaneval-dev", "feed-sites-dev")
RECORD_SETS = ("records-yamada-dev", "records-zhao1-dev", "records-modern-dev")
TRAINING = ("duramen.training.auto.train",)
ALL_TEXT = ("wcxb-dev", *ARTICLE_SETS, "news-world-dev", "chinese-dev", "forums-dev")
_RECORDS = ("duramen.data_records", "duramen.evaluation.records_results")
_AUTO = ("duramen.methods.auto.method", "duramen.evaluation.score")

PARTS = (
    # Parts that take long come first, so that the processors are busy until the end.
    Part(
        "calibration",
        "{python} benchmarks/auto_choices.py {data} -o {out} --pictures {pictures}"
        " --models build/auto-models/{training}",
        "results/auto.md",
        ("auto_choices",),
        needs=("wcxb-dev", "news-world-dev", "chinese-dev", "forums-dev"),
        extras=("training",),
    ),
    Part(
        "forest",
        "{python} benchmarks/forest_paper.py {data} -o {out} --pictures {pictures} {sample}",
        "results/forest.md",
        ("forest_paper", *_AUTO),
        ("auto.npz",),
        sample="--sites 12 --pages 11",
        pages="at most 12 sites of each set and 11 pages of each site",
        needs=("news-sites-dev", "feed-sites-dev", "articles-2012-dev"),
        extras=("peers",),
    ),
    Part(
        "leaderboard",
        "{python} benchmarks/leaderboard.py {data} {sample} --docs {docs} --scored build/leaderboard/{fingerprint}",
        "leaderboard.md",
        ("leaderboard", *_AUTO),
        ("auto.npz", "mss.npz"),
        sample="--pages 100",
        pages="at most 100 pages of each set, drawn at random",
        needs=ALL_TEXT,
        extras=("peers",),
    ),
    Part(
        "learning-curve",
        "{python} benchmarks/auto_curve.py {data} -o {out} {sample}",
        "results/auto-curve.md",
        ("auto_curve",),
        sample="--limit 500",
        pages="the first 500 sites of each set",
        needs=("wcxb-dev", "news-world-dev", "chinese-dev", "forums-dev"),
        extras=("training",),
    ),
    Part(
        "auto-steps",
        "{python} benchmarks/auto_steps.py {data} -o {out} --models build/auto-models/{training}",
        "results/auto-steps.md",
        ("auto_steps",),
        ("auto.npz",),
        is_parallel=True,
        needs=ALL_TEXT,
        extras=("training",),
    ),
    Part(
        "forest-choices",
        "{python} benchmarks/forest_choices.py {data} -o {out}",
        "results/forest-choices.md",
        ("forest_choices",),
        pages="at most 8 pages of each site; 12 sites of a set in the last table",
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
        "{python} benchmarks/site_curve.py {data} -o {out} --pictures {pictures} {sample}",
        "results/sites.md",
        ("site_curve", *_AUTO),
        ("auto.npz",),
        sample="--sites 30",
        pages="at most 30 sites of each set, drawn at random",
        needs=("news-sites-dev", "feed-sites-dev", "articles-2012-dev", "news-world-dev"),
        extras=("peers",),
    ),
    Part(
        "mss",
        "{python} benchmarks/mss_paper.py {data} -o {out} --pictures {pictures}",
        "results/mss.md",
        ("mss_paper", "duramen.methods.longest_cell"),
        ("mss.npz",),
        needs=("wcxb-dev", "news-sites-dev", "cleaneval-dev"),
        extras=("peers",),
    ),
    Part(
        "mss-variants",
        "{python} benchmarks/mss_variants.py {data} -o {out}",
        "results/mss-variants.md",
        ("mss_variants",),
        ("mss.npz",),
        needs=("wcxb-dev", "news-sites-dev", "cleaneval-dev"),
    ),
    Part(
        "regions",
        "{python} benchmarks/regions_paper.py {data} -o {out} --pictures {pictures}",
        "results/regions.md",
        ("regions_paper",),
        without=("duramen.cli", "duramen.batch", "duramen.explanation"),
        needs=RECORD_SETS,
    ),
    Part(
        "scores-records",
        "{python} -m duramen evaluate {sets} --records --method records --write-scores {out} -o build/evidence-scores",
        "scores-records.md",
        _RECORDS,
        ("auto.npz",),
        without=("duramen.cli", "duramen.batch", "duramen.explanation"),
        has_notes=True,
        needs=(*RECORD_SETS, "serps-dev", "courts-dev", "listings-dev", "forums-dev"),
        status_is_finding=True,
    ),
    Part(
        "lists-on-articles",
        "{python} -m duramen evaluate {sets} --records --method records --write-scores {out} -o build/evidence-lists",
        "results/lists-on-articles.md",
        _RECORDS,
        ("auto.npz",),
        without=("duramen.cli", "duramen.batch", "duramen.explanation"),
        has_notes=True,
        needs=("wcxb-dev", "articles-2012-dev"),
        status_is_finding=True,
    ),
    Part(
        "vips",
        "{python} benchmarks/mss_vips.py {data} -o {out}",
        "results/vips.md",
        ("mss_vips", "duramen.methods.vips.method"),
        ("mss.npz",),
        needs=("news-sites-dev",),
    ),
    Part(
        "structure",
        "{python} -m duramen evaluate {sets} --structure --method auto --peers --write-scores {out}"
        " -o build/evidence-structure",
        "results/structure.md",
        ("duramen.evaluation.structure_results", *_AUTO),
        ("auto.npz",),
        without=("duramen.cli", "duramen.batch", "duramen.explanation", "duramen.integrations", "duramen.net"),
        has_notes=True,
        needs=("structure-dev",),
        extras=("peers",),
        status_is_finding=True,
    ),
    Part(
        "scores-metadata",
        "{python} -m duramen evaluate {sets} --metadata --write-scores {out}",
        "scores-metadata.md",
        ("duramen.metadata", "duramen.evaluation.metadata"),
        without=("duramen.cli", "duramen.batch", "duramen.data_records", "duramen.explanation"),
        needs=("wcxb-dev",),
        extras=("peers",),
    ),
    Part(
        "econ",
        "{python} benchmarks/econ_paper.py {data} -o {out}",
        "results/econ.md",
        ("econ_paper", "duramen.methods.coreex", *_AUTO),
        ("auto.npz",),
        needs=("chinese-dev", "languages-dev", "news-world-dev"),
    ),
    Part(
        "mss-scaling",
        "{python} benchmarks/mss_scaling.py -o {out} --pictures {pictures}",
        "results/mss-scaling.md",
        ("mss_scaling",),
        without=NO_OUTPUT,
        is_timed=True,
        status_is_finding=True,
        pages="generated pages",
    ),
    Part(
        "speed",
        "{python} benchmarks/speed.py {data}/wcxb-dev --peers --every 75 --json {docs}/results/speed.json",
        "speed.md",
        ("speed", *_AUTO),
        ("auto.npz",),
        pages="every 75th page of wcxb-dev",
        prints=True,
        needs=("wcxb-dev",),
        extras=("peers",),
        is_timed=True,
        status_is_finding=True,
    ),
    Part(
        "batch",
        "{python} benchmarks/batch_speed.py {data} {sample}",
        "results/batch.md",
        ("batch_speed", "duramen.batch", *_AUTO),
        ("auto.npz",),
        without=("duramen.explanation", "duramen.integrations", "duramen.net", "duramen.rendering"),
        sample="--every 6 --megabytes 300",
        pages="every sixth page of all sets, 300 MB for the memory",
        prints=True,
        extras=("batch", "peers"),
        is_timed=True,
        status_is_finding=True,
    ),
)


@dataclass(frozen=True)
class Check:
    """The state of one document."""

    part: Part
    path: Path
    state: str
    """current, stale (and says so), outdated (and does not say so) or missing."""


def check_documents(docs: Path = DOCS, parts: Sequence[Part] = PARTS, *, full: bool = False) -> Iterator[Check]:
    """Compare every document with the code that it measures.

    If `full`, a document that was made of a sample is outdated, too.
    """
    for part in parts:
        path = docs / part.document
        if not path.is_file():
            yield Check(part, path, "missing")
            continue
        text = path.read_text("utf-8")
        stamp = read_stamp(text)
        is_current = stamp is not None and _has_scripts(part) and stamp.fingerprint == part.fingerprint()
        if full and part.sample and f": {part.pages}." in text:
            is_current = False
        yield Check(part, path, "stale" if read_stale(text) else "current" if is_current else "outdated")


def _has_scripts(part: Part) -> bool:
    """Return whether the scripts of a part exist: one of them may be missing in an export without benchmarks."""
    return all("." in name or (BENCHMARKS / f"{name}.py").is_file() for name in part.modules)


@dataclass(frozen=True)
class Maker:
    """Makes parts: where the sets are, where the documents go, and how much is read."""

    data: Path
    docs: Path
    full: bool = False
    trial: str = ""
    """The pages of a trial, as the stamp says it."""
    threads: int = 0
    """Threads of the libraries that train models; 0: as many as they choose."""

    def make(self, part: Part) -> bool:
        """Run the command of a part and stamp its document; return whether it succeeded."""
        if not self._can_be_made(part):
            return False
        out = self.docs / part.document
        fresh = out.with_suffix(".new")
        fresh.unlink(missing_ok=True)  # that of a run that was killed
        (self.docs / "results").mkdir(parents=True, exist_ok=True)
        command = self._write_command(part, fresh)
        started = perf_counter()
        environment = os.environ | ({"OMP_NUM_THREADS": str(self.threads)} if self.threads else {})
        done = subprocess.run(
            shlex.split(command),
            cwd=ROOT,
            check=False,
            stdout=subprocess.PIPE if part.prints else subprocess.DEVNULL,
            text=True,
            env=environment,
        )
        is_finding = part.status_is_finding and done.returncode == 1 and (part.prints or fresh.is_file())
        if done.returncode != 0 and not is_finding:
            fresh.unlink(missing_ok=True)
            print(f"{part.name}: failed with status {done.returncode}: {command}", file=sys.stderr)
            return False
        if part.prints:
            fresh.write_text(done.stdout, "utf-8")
        written = fresh if fresh.is_file() else out
        text = written.read_text("utf-8")
        if part.has_notes:
            text = put_between_markers(out if out.is_file() else DOCS / part.document, text)
        pages = self.trial or ("every page" if self.full and part.sample else part.pages)
        text = put_stamp(text, part.name, part.fingerprint(), self._show_command(part), pages)
        written.write_text(text, "utf-8")
        written.replace(out)
        note = ", with a finding of its command (status 1)" if is_finding else ""
        print(f"{part.name}: {out}, {perf_counter() - started:.0f} s{note}", file=sys.stderr)
        return True

    def _can_be_made(self, part: Part) -> bool:
        missing = [name for name in part.needs if not (self.data / name).is_dir()]
        lacking = find_missing_extras(["evaluation", *part.extras])
        if missing:
            print(f"{part.name}: left out, because {self.data} has no {', no '.join(missing)}", file=sys.stderr)
        elif not _has_scripts(part):
            print(f"{part.name}: left out, because its script is missing", file=sys.stderr)
        elif lacking:
            modules = ", ".join(one for each in lacking.values() for one in each)
            print(f"{part.name}: needs {modules}:  pip install 'duramen[{','.join(lacking)}]'", file=sys.stderr)
        return not (missing or lacking) and _has_scripts(part)

    def _write_command(self, part: Part, fresh: Path) -> str:
        places = {"python": sys.executable, "data": self.data, "out": fresh, "docs": self.docs}
        values = {name: shlex.quote(str(place)) for name, place in places.items()}
        values["pictures"] = shlex.quote(str(self.docs / "pictures"))
        # Scores of single pages are kept from one run to the next: not those of other code, nor those of a trial.
        kind = "" if self.docs == DOCS else "trial-"
        values["fingerprint"] = f"{kind}{part.fingerprint()}"
        values["training"] = f"{kind}{make_fingerprint(TRAINING, without=OTHER_QUESTIONS)}"
        values["sets"] = " ".join(shlex.quote(str(self.data / name)) for name in part.needs)
        return part.command.format(**values, sample=self._choose_sample(part))

    def _choose_sample(self, part: Part) -> str:
        if self.full:
            return FULL.get(part.name, "")
        return part.sample

    def _show_command(self, part: Part) -> str:
        """Return the command of a part as a reader would type it."""
        shown = {"python": "python", "data": "DATA", "out": f"docs/{part.document}", "pictures": "docs/pictures"}
        shown |= {"docs": "docs", "fingerprint": "CODE", "training": "CODE", "sets": " ".join(part.needs)}
        return " ".join(part.command.format(**shown, sample=self._choose_sample(part)).split())


def put_between_markers(document: Path, measured: str) -> str:
    """Return a document with notes, with a new result between its markers."""
    text = document.read_text("utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"{document} has no place for its result: {BEGIN.strip()} and {END.strip()}")
    return f"{text[: text.index(BEGIN)]}{BEGIN}\n{measured.strip()}\n\n{text[text.index(END) :]}"


def make_parts(parts: Sequence[Part], make: Callable[[Part], bool], jobs: int) -> list[str]:
    """Make parts, and return the names of those that failed.

    Several are made at a time. Those that measure time, or use all processors, follow one after the other.
    """
    alone = sorted((part for part in parts if part.is_timed or part.is_parallel), key=lambda part: part.is_timed)
    together = [part for part in parts if part not in alone]
    with ThreadPoolExecutor(jobs) as pool:
        made = list(pool.map(make, together))
    made += [make(part) for part in alone]
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
    parser.add_argument("--full", action="store_true", help="every page in all parts; many hours")
    processors = os.cpu_count() or 1
    parser.add_argument(
        "--jobs", type=int, default=processors, metavar="N", help="parts at a time (default: %(default)s)"
    )
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
    checks = list(check_documents(docs, parts, full=arguments.full))
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
    jobs = max(1, arguments.jobs)
    with tempfile.TemporaryDirectory(prefix="duramen-") as folder:
        data, trial = arguments.data.resolve(), ""
        if arguments.sample:
            data, trial = sample_data(data, Path(folder, "data")), f"at most {SAMPLE_PAGES} pages of each set, a trial"
        maker = Maker(data, docs.resolve(), arguments.full, trial, threads=max(1, processors // jobs))
        failed = make_parts(wanted, maker.make, jobs)
    if docs == DOCS:
        scripts = ("front_page.py", "figures.py")
        failed += [
            name for name in scripts if subprocess.run([sys.executable, BENCHMARKS / name], check=False).returncode
        ]
    made = len(wanted) - len({*failed} & {part.name for part in wanted})
    print(f"{made} parts made, {len(parts) - len(wanted)} were current", file=sys.stderr)
    if failed:
        print(f"not made: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
