"""Planning: a thread splits the inputs a little ahead of the workers and records each split in the plan."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator

from duramen.batch.inputs import growing_split_sizes, input_module, parse_inputs
from duramen.batch.inputs.changes import file_stamp, fingerprint_files, list_stamped_files
from duramen.batch.inputs.io import file_size
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.run_store import RunStore
from duramen.batch.settings import ReadSettings


class Planner:
    """The splits still to be processed, with their numbers. Each is in the plan before it is given out.

    `finished` are the numbers of the splits that are done; at most `ahead` splits wait to be taken.
    """

    def __init__(self, store: RunStore, finished: set[int], ahead: int) -> None:
        self._store = store
        self._finished = finished
        self.earlier = store.read_plan()  # of an interrupted run; raises if an input has changed since
        self.notes = InputNotes(self.earlier.notes.skipped.copy(), list(self.earlier.notes.problems))
        self._ready: queue.Queue[tuple[int, Split] | BaseException | None] = queue.Queue(max(ahead, 1))
        self._stopped = threading.Event()
        self._kind: str | None = None  # of the input that is being split
        self._thread = threading.Thread(target=self._run, name="duramen planning", daemon=True)
        self._thread.start()

    def next(self, timeout: float) -> tuple[int, Split] | None:
        """Return the next split, None after the last. Raises `queue.Empty` if none is ready in time."""
        item = self._ready.get(timeout=timeout) if timeout else self._ready.get_nowait()
        if isinstance(item, BaseException):
            raise item
        return item

    def plan_all(self) -> None:
        """Plan all inputs to their end, without processing a split."""
        while True:
            try:
                if self.next(1.0) is None:
                    return
            except queue.Empty:
                continue

    def stop(self) -> None:
        """Stop planning. An input module that waits for something may take a moment to notice."""
        self._stopped.set()
        while self._thread.is_alive():
            self._stop_input()
            try:
                self._ready.get(timeout=0.05)
            except queue.Empty:
                self._thread.join(0.05)

    def _stop_input(self) -> None:
        stop = getattr(input_module(self._kind), "stop_splitting", None) if self._kind is not None else None
        if stop is not None:
            stop()

    def _run(self) -> None:
        try:
            for number, split in self._all_splits():
                if number not in self._finished:
                    self._put((number, split))
                if self._stopped.is_set():
                    return
            self._put(None)
        except BaseException as error:  # raised again in the thread of the run, by `next`
            self._put(error)

    def _put(self, item: tuple[int, Split] | BaseException | None) -> None:
        while not self._stopped.is_set():
            try:
                self._ready.put(item, timeout=0.1)
            except queue.Full:
                continue
            return

    def _all_splits(self) -> Iterator[tuple[int, Split]]:
        """Give the splits that are in the plan, then new ones."""
        yield from enumerate(self._store.read_splits())
        number = self.earlier.split_count
        limits = growing_split_sizes(number)
        for index, whole in enumerate(parse_inputs(self._store.inputs)):
            if index not in self.earlier.ended:
                for split in self._plan_input(index, whole, limits):
                    yield number, split
                    number += 1

    def _find_splits(
        self, whole: Split, limits: Iterator[int], notes: InputNotes, last: Split | None
    ) -> Iterator[Split]:
        return input_module(whole.kind).find_splits(whole, self._store.settings.reading, limits, notes, last)

    def _plan_input(self, index: int, whole: Split, limits: Iterator[int]) -> Iterator[Split]:
        plan, notes = self._store.plan, InputNotes()
        last = self.earlier.last.get(index)
        for path in list_stamped_files(whole) if last is None else ():
            if (stamp := file_stamp(path)) is not None:
                plan.add({"input": index, "path": path, "stamp": stamp}, sync=False)
        self._kind = whole.kind
        for split in self._find_splits(whole, limits, notes, last):
            line = {"input": index, "piece": split.as_dict(), **self._take_notes(notes, whole.path, split.names)}
            plan.add(line, sync=False)
            yield split
        plan.add({"end": index, **self._take_notes(notes, whole.path)}, sync=False)

    def _take_notes(self, notes: InputNotes, folder: str, names: tuple[str, ...] = ()) -> dict[str, object]:
        """Take what an input module has noted since the last call: it goes into the plan and into `self.notes`.

        The fingerprint covers the files that the module has visited and those of the split.
        """
        fresh: dict[str, object] = {"skipped": dict(notes.skipped), "problems": list(notes.problems)}
        if paths := [os.path.join(folder, name) for name in (*notes.visited_files, *names)]:
            fresh |= {"met": list(notes.visited_files), "seal": fingerprint_files(paths)}
        self.notes.skipped.update(notes.skipped)
        self.notes.problems.extend(notes.problems)
        notes.clear()
        return {name: value for name, value in fresh.items() if value}


def measure_inputs(inputs: list[Split], reading: ReadSettings) -> int | None:
    """Return the sum of the sizes of all splits to come; None if it cannot be known yet."""
    total = 0
    for whole in inputs:
        measure = getattr(input_module(whole.kind), "measure", None)
        size = measure(whole, reading) if measure is not None else file_size(whole.path)
        if size is None:
            return None
        total += size
    return total
