"""A run: inputs in, rows out, on all cores of this machine.

    planning (a thread) ── splits ── workers (processes) ── shards ── journal ── one file, if one was requested

A run can be killed at any moment and resumed. A shard counts once it has its final name and a line in the journal;
work that is repeated gives the same result. At the end, and when a finished run is started again, the shards are
compared with the journal, and those that are missing or damaged are made again.
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from io import BytesIO
from types import FrameType
from typing import BinaryIO

from duramen import methods
from duramen.batch.finished_run import check_single_file, finish_run, load_finished_report, write_report
from duramen.batch.inputs import parse_inputs, resolve_arguments
from duramen.batch.inputs.changes import check_inputs_unchanged, fingerprint_inputs
from duramen.batch.inputs.io import is_remote
from duramen.batch.inputs.splits import InputNotes
from duramen.batch.interfaces import ProgressListener, SplitExecutor, get_logger
from duramen.batch.outputs.checksums import FileDigest, find_damaged_shards
from duramen.batch.outputs.formats import get_output_format
from duramen.batch.outputs.output_paths import (
    REPORT,
    OutputLayout,
    refuse_foreign_output,
    refuse_inputs_in_output,
    remove_run,
)
from duramen.batch.outputs.store import ShardStore
from duramen.batch.planning import Planner, measure_inputs
from duramen.batch.preflight import check_inputs, check_memory
from duramen.batch.row import load_method
from duramen.batch.run_store import Report, RunStore
from duramen.batch.settings import (
    DEFAULT_MEMORY_BYTES,
    MAX_PAGE_BYTES,
    METADATA_FIELDS,
    PAGE_TIMEOUT_SECONDS,
    TABLE_FORMAT,
    ReadSettings,
    RunSettings,
    check_fields,
)
from duramen.batch.sites.stage import check_frames, learn_run_sites, prepare_sites, remove_frames, write_frames
from duramen.batch.tables.table_stage import check_tables, remove_tables, write_run_tables
from duramen.batch.workers.pool import WorkerPool
from duramen.batch.workers.shard import ShardResult, SplitJob
from duramen.errors import InputError, RunError, UsageError
from duramen.output import check_table_format
from duramen.processes import TaskRunner, count_cores, run_tasks

_MAX_REPAIRS = 3
"""How often shards are made again that disappear while the run is active."""
_POLL_SECONDS = 0.1
_POLL_SECONDS_WHILE_IDLE = 0.01
"""While a worker is idle and more splits are being planned."""


class RunStopped(Exception):  # noqa: N818 - not an error
    """A signal stopped the run. Finished rows are safe, and the same command resumes the run."""

    def __init__(self, signal_number: int, report: Report) -> None:
        super().__init__(signal_number)
        self.signal_number = signal_number
        self.report = report


def run(
    inputs: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    method: str = methods.DEFAULT,
    format: str = "text",
    links: bool | None = None,
    images: bool | None = None,
    tables: str = "markdown",
    output_form: str | None = None,
    table_form: str = "csv",
    html_column: str = "html",
    url_column: str = "url",
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    max_bytes: int = MAX_PAGE_BYTES,
    sites: bool = False,
    frame_once: bool = False,
    duplicates: str | None = None,
    fields: Sequence[str] = METADATA_FIELDS,
    modules: Sequence[str] = (),
    jobs: int = 0,
    timeout: float = PAGE_TIMEOUT_SECONDS,
    memory: int | None = DEFAULT_MEMORY_BYTES,
    overwrite: bool = False,
    verify: bool = False,
    progress: ProgressListener | None = None,
) -> Report:
    """Extract many pages in worker processes and write one row for each.

    A run that was interrupted is resumed by the same call. A finished one returns its report, after shards that are
    missing or have another size have been made again.

    Args:
        inputs: pages, folders, WARC, JSON Lines and Parquet files; one path or several
        output: a file that ends in .jsonl, .jsonl.gz, .jsonl.zst or .parquet, or a folder of shards
        method: the name of a method, with its parameters after colons
        format: format of the text: text, markdown or html; "records" for the tables of the pages, which are also
            written to one file for each template of a site
        links: write links, or not; by default they are written in Markdown and HTML
        images: write images, or not; by default they are written in Markdown and HTML
        tables: how Markdown writes tables: markdown, html or csv
        output_form: form of the shards in a folder, one of `OUTPUT_FORMS`; `files` writes one text file per page
        table_form: form of the tables of records: csv or jsonl
        html_column: the column of JSON Lines and Parquet files that holds the pages
        url_column: the column that holds their URLs
        include: patterns of the files to read from folders
        exclude: patterns of the files to leave out
        max_bytes: a larger page becomes an error row
        sites: first learn what the pages of each site have in common, and use it as evidence for `auto`
        frame_once: leave the texts that repeat on a site (menus, footers) out of all rows, and write them once for
            each site to `frames.jsonl`; implies `sites`
        duplicates: mark duplicate rows: exact or near
        fields: the columns of metadata to fill; the others are null
        modules: modules to import in the workers, which register methods
        jobs: worker processes; 0 for one per core
        timeout: seconds allowed for one page
        memory: bytes of address space that a worker may use; None for no limit
        overwrite: discard what an earlier run has written to `output`
        verify: read the output of a finished run and compare its checksums, too
        progress: receives the progress

    Raises:
        UsageError: an argument is wrong, or the output belongs to another run
        InputError: an input has changed since the interrupted run, or the one file of a finished run is damaged
        RunError: the run cannot continue: a full disk, workers that do not start
        RunStopped: SIGINT or SIGTERM stopped the run
    """
    names = [os.fspath(inputs)] if isinstance(inputs, str | os.PathLike) else [os.fspath(name) for name in inputs]
    if any(whole.kind == "addresses" for whole in parse_inputs(names)):
        raise UsageError("URLs and files of URLs are read by the command: duramen run")
    check_table_format(tables)
    reading = ReadSettings(html_column, url_column, tuple(include), tuple(exclude), max_bytes)
    settings = RunSettings(
        method=method,
        format=format,
        links=links,
        images=images,
        tables=tables,
        timeout=timeout,
        memory=memory,
        modules=tuple(modules),
        learn=sites or frame_once,
        frame_once=frame_once,
        duplicates=duplicates,
        fields=check_fields(fields),
        reading=reading,
    )
    layout = OutputLayout.choose(os.fspath(output), output_form, text_root=find_common_folder(names))
    return Run(names, layout, settings, jobs, overwrite, verify, f".{table_form}")(progress)


def find_common_folder(inputs: Sequence[str]) -> str:
    """Return the lowest folder that holds all local inputs: names of text files are relative to it."""
    folders = [name if os.path.isdir(name) else os.path.dirname(name) for name in inputs if "://" not in name]
    try:
        return os.path.commonpath([os.path.abspath(folder) for folder in folders]) if folders else ""
    except ValueError:  # on several drives
        return ""


@dataclass
class Run:
    """A run with its inputs, output and settings. Call it to start or resume it."""

    inputs: Sequence[str]
    layout: OutputLayout
    settings: RunSettings = field(default_factory=RunSettings)
    jobs: int = 0
    """Worker processes; 0 for one per core."""
    overwrite: bool = False
    verify: bool = False
    """Compare the checksums of a finished run, too, not only the sizes."""
    table_suffix: str = ".csv"
    """Format of the tables, if the settings ask for records."""

    def __call__(self, listener: ProgressListener | None = None, stdout: BinaryIO | None = None) -> Report:
        """Process what is not done yet. Rows go to `stdout` in order, if it is given.

        Raises `RunStopped` on SIGINT and SIGTERM, `RunError` if the run cannot continue, and `UsageError` if the
        output belongs to another run.
        """
        refuse_inputs_in_output(self.layout, self.inputs)
        check_memory(self.settings.memory)
        self.settings = _prepare_settings(self.settings, self.layout)
        with redirect_stdout(sys.stderr):  # an imported module may print, and rows may go to standard output
            load_method(self.settings)  # report an unknown method here, not in a worker
        get_output_format(self.layout.suffix).pack([], BytesIO())  # the same for a missing library
        if self.settings.frame_once:
            check_frames(self.layout, self._get_shard_store(), self.overwrite)
        if self.settings.format == TABLE_FORMAT:
            check_tables(self.layout, self._get_shard_store(), self.inputs, self.table_suffix)
        if self.overwrite or load_finished_report(self.layout) is None:  # inputs of a finished run may be gone
            check_inputs(self.inputs, self.settings.reading)
        refuse_foreign_output(self.layout, self.overwrite)
        self.layout.shard_folder.mkdir(parents=True, exist_ok=True)
        with RunStore(self.layout, self.inputs, self.settings, self._clear if self.overwrite else None) as store:
            damaged = None
            if (report := load_finished_report(self.layout)) is not None:
                check_inputs_unchanged(report.inputs, self.inputs, self.settings.reading, self.layout.out)
                damaged = self._find_damage(store, report)
                if not damaged:
                    self._write_tables(report, listener, again=False)
                    return report
                # First, because a run that is killed from here on has to mark its duplicates again.
                (self.layout.run_folder / REPORT).unlink()
            try:
                return self._run(store, damaged, listener, stdout)
            except BrokenPipeError:  # the reader of the rows has closed the pipe
                raise
            except OSError as error:
                where = error.filename or (self.layout.out if self.layout.out != "-" else "standard output")
                raise RunError(f"{where}: {error.strerror or error}") from error

    def _run(
        self,
        store: RunStore,
        damaged: dict[int, str] | None,
        listener: ProgressListener | None,
        stdout: BinaryIO | None,
    ) -> Report:
        """Process what is not done yet. `damaged` are shards of a finished run, if they are known."""
        started = time.monotonic()
        if (note := resolve_arguments(self.inputs).note) is not None:
            get_logger(listener)(note)
        self._learn_sites(store, listener)
        results = store.read_results()
        log = get_logger(listener)
        repaired = self._drop(results, self._check_shards(results) if damaged is None else damaged, log)
        earlier_rows = sum(result.rows for result in results.values())
        if listener is not None:
            total = measure_inputs(parse_inputs(self.inputs), self.settings.reading)
            listener.start(total, sum(result.size for result in results.values()), earlier_rows)
        marks_duplicates = self.settings.duplicates is not None  # then rows are printed after all are known
        report, lost_workers, duplicates = Report(), 0, None
        for attempt in range(_MAX_REPAIRS + 1):
            executor, notes, received = self._extract(store, results, listener, None if marks_duplicates else stdout)
            lost_workers += executor.counts().lost
            report = Report.from_results(results.values(), notes)
            report.seconds = time.monotonic() - started
            report.new_rows = report.rows - earlier_rows
            report.lost_workers, report.repaired = lost_workers, repaired
            if received:
                write_report(self.layout, report)
                raise RunStopped(received[0], report)
            damaged = {} if stdout is not None else self._check_shards(results, checksums=self._can_read_shards)
            if not damaged and marks_duplicates:
                duplicates = self._mark_duplicates(store, results, listener)
                damaged = {} if stdout is not None else self._check_shards(results)
            if not damaged:
                break
            repaired += (sentences := self._drop(results, damaged, log))
            if attempt == _MAX_REPAIRS:
                raise RunError(f"shards are removed or changed while the run is active: {sentences[0]}")
        report.duplicates = duplicates
        if marks_duplicates and stdout is not None:
            for number in range(report.shards):
                self._print_shard(number, stdout)
        report.inputs = fingerprint_inputs(store.plan, len(parse_inputs(self.inputs)))
        self._write_tables(report, listener)
        if self.settings.frame_once:
            write_frames(self.settings, self.layout, self._get_shard_store())
        finish_run(self.layout, report)
        return report

    def _extract(
        self,
        store: RunStore,
        results: dict[int, ShardResult],
        listener: ProgressListener | None,
        stdout: BinaryIO | None,
    ) -> tuple[SplitExecutor, InputNotes, list[int]]:
        """Process all splits without a result. Return the executor, the notes on the input, and signals received."""
        workers = self.jobs or count_cores()
        executor = self._make_executor(workers)
        with _record_signals() as received:
            planner = self._make_planner(store, set(results), workers)
            try:
                with executor:
                    self._process(store, planner, executor, results, received, listener, stdout)
            finally:
                planner.stop()
        return executor, planner.notes, received

    def _get_shard_store(self) -> ShardStore:
        layout = self.layout
        texts = None if layout.text_folder is None else str(layout.text_folder)
        return ShardStore(str(layout.shard_folder), layout.suffix, texts)

    def _check_shards(self, results: Mapping[int, ShardResult], *, checksums: bool = False) -> dict[int, str]:
        """Return what is wrong with finished shards, by number."""
        return find_damaged_shards(results, self._get_shard_store(), checksums=checksums)

    def _drop(
        self, results: dict[int, ShardResult], damaged: Mapping[int, str], log: Callable[[str], None]
    ) -> list[str]:
        """Remove the results of damaged shards, so that they are made again. Return a sentence for each."""
        if not damaged:
            return []
        store = self._get_shard_store()
        for number in damaged:
            store.set_aside(number, self.layout.damaged_folder)
            del results[number]
        sentences = _describe_damage(damaged, store)
        more = f" and {len(damaged) - 1} more" if len(damaged) > 1 else ""
        log(f"missing or damaged, and made again: {sentences[0]}{more}")
        return sentences

    @property
    def _can_read_shards(self) -> bool:
        """Whether checksums are compared at the end of a run: reading the shards takes little time here."""
        return True

    def _find_damage(self, store: RunStore, report: Report) -> dict[int, str]:
        """Compare a finished run with its output. Return what is wrong with its shards, by number.

        Raises an `InputError` if what is damaged cannot be made again.
        """
        layout = self.layout
        if layout.single_file is not None:
            check_single_file(layout.single_file, report, layout.text_folder, verify=self.verify)
            return {}
        damaged = self._check_shards(store.read_results(), checksums=self.verify)
        if not damaged:
            return {}
        for path in [split.path for number, split in enumerate(store.read_splits()) if number in damaged]:
            if path and not is_remote(path) and not os.path.exists(path):
                sentence = _describe_damage(damaged, self._get_shard_store())[0]
                raise InputError(f"{layout.out}: {sentence} cannot be made again, because {path} is gone")
        check_inputs(self.inputs, self.settings.reading)
        return damaged

    def _clear(self) -> None:
        remove_run(self.layout)
        remove_tables(self.layout)
        remove_frames(self.layout, self._get_shard_store())

    def _write_tables(self, report: Report, listener: ProgressListener | None, *, again: bool = True) -> None:
        """Write the tables of a run with records; not `again`: only if they are missing."""
        if self.settings.format == TABLE_FORMAT:
            store, log = self._get_shard_store(), get_logger(listener)
            write_run_tables(self.layout, store, report.shards, self.table_suffix, log, again=again)

    def _make_planner(self, store: RunStore, finished: set[int], ahead: int) -> Planner:
        return Planner(store, finished, ahead)

    def _make_executor(self, workers: int) -> SplitExecutor:
        return WorkerPool(workers, self.settings, self.layout)

    def _learn_sites(self, store: RunStore, listener: ProgressListener | None) -> None:
        workers = self.jobs or count_cores()
        # Not a planner but the way to make one: its thread plans at once, and other runs are planned by `_extract`.
        learn_run_sites(
            store,
            lambda: self._make_planner(store, set(), workers),
            workers,
            get_logger(listener),
            self._run_tasks,
        )

    def _mark_duplicates(
        self, store: RunStore, results: dict[int, ShardResult], listener: ProgressListener | None
    ) -> int:
        """Mark the duplicates in all finished shards and return their number."""
        from duramen.batch.dedup import duplicates  # only runs that mark duplicates load it

        def record(number: int, digest: FileDigest) -> None:
            results[number] = replace(results[number], shard_bytes=digest.bytes, shard_sha256=digest.sha256)
            store.record(results[number])

        kind, log = self.settings.duplicates or "", get_logger(listener)
        log(f"looking for duplicates ({kind})")
        row_counts = {number: result.rows for number, result in results.items()}
        marked = duplicates.mark_duplicates(
            self._get_shard_store(),
            row_counts,
            kind,
            self.layout.run_folder,
            self.jobs or count_cores(),
            self._run_tasks,
            record,
        )
        log(f"marked {marked.duplicates:,} of {marked.rows:,} {'row' if marked.rows == 1 else 'rows'} as duplicates")
        return marked.duplicates

    @property
    def _run_tasks(self) -> TaskRunner:
        return run_tasks

    def _process(
        self,
        store: RunStore,
        planner: Planner,
        executor: SplitExecutor,
        results: dict[int, ShardResult],
        received: list[int],
        listener: ProgressListener | None,
        stdout: BinaryIO | None,
    ) -> None:
        """Give splits to the executor and record the results, until all is done or a signal comes."""
        printed, size = 0, sum(result.size for result in results.values())
        has_more = True
        while not received and (has_more or executor.busy):
            while has_more and executor.idle > 0:
                try:
                    planned = planner.next(0)
                except queue.Empty:
                    break
                if planned is None:
                    has_more = False
                    executor.close()
                else:
                    executor.start_job(SplitJob(planned[0], planned[1]))
            is_waiting_for_plan = has_more and executor.idle > 0
            for result in executor.collect(_POLL_SECONDS_WHILE_IDLE if is_waiting_for_plan else _POLL_SECONDS):
                store.record(result)
                results[result.number] = result
                size += result.size
            while stdout is not None and printed in results:
                self._print_shard(printed, stdout)
                printed += 1
            if listener is not None:
                counts = executor.counts()
                listener.update(counts, size + counts.size)

    def _print_shard(self, number: int, stdout: BinaryIO) -> None:
        path = self.layout.shard_path(number)
        with path.open("rb") as shard:
            shutil.copyfileobj(shard, stdout)
        stdout.flush()
        path.unlink()


def _describe_damage(damaged: Mapping[int, str], store: ShardStore) -> list[str]:
    return [f"{store.name(number)} ({reason})" for number, reason in damaged.items()]


def _prepare_settings(settings: RunSettings, layout: OutputLayout) -> RunSettings:
    """Complete the settings for the workers, and report what the optional stages lack."""
    if settings.duplicates is not None:
        from duramen.batch.dedup.duplicates import check_kind

        check_kind(settings.duplicates)
    return prepare_sites(settings, layout) if settings.learn else settings


@contextmanager
def _record_signals() -> Iterator[list[int]]:
    """Record SIGINT and SIGTERM instead of stopping at once; the second signal raises `KeyboardInterrupt`."""
    received: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield received
        return

    def record(number: int, frame: FrameType | None) -> None:
        received.append(number)
        if len(received) > 1:
            raise KeyboardInterrupt

    handlers = {number: signal.signal(number, record) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield received
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
