"""Cutting the inputs into pieces, in a thread of its own: ahead of the workers, but never far."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Iterator

from duramen.batch.books import Books
from duramen.batch.changes import seal, stamp, stamped
from duramen.batch.item import Notes, Piece
from duramen.batch.opening import file_size
from duramen.batch.settings import Reading
from duramen.batch.sources import growing, inputs_of, source


class Planning:
    """The pieces that are still to be done, with their numbers; each stands in the plan before it is given out."""

    def __init__(self, books: Books, done: set[int], ahead: int) -> None:
        self._books = books
        self._done = done
        self.before = books.planned()  # what an earlier run has planned; raises where an input has changed since
        self.notes = Notes(self.before.notes.skipped.copy(), list(self.before.notes.problems))
        self._ready: queue.Queue[tuple[int, Piece] | BaseException | None] = queue.Queue(max(ahead, 1))
        self._stopped = threading.Event()
        self._kind: str | None = None  # of the input that is being cut
        self._thread = threading.Thread(target=self._run, name="duramen planning", daemon=True)
        self._thread.start()

    def next(self, timeout: float) -> tuple[int, Piece] | None:
        """The next piece; None when there are no more. Raises `queue.Empty` when none is ready in time."""
        found = self._ready.get(timeout=timeout) if timeout else self._ready.get_nowait()
        if isinstance(found, BaseException):
            raise found
        return found

    def stop(self) -> None:
        """No more pieces are wanted; a source that is waiting for something may take a moment to notice."""
        self._stopped.set()
        while self._thread.is_alive():
            self._stop_source()
            try:
                self._ready.get(timeout=0.05)
            except queue.Empty:
                self._thread.join(0.05)

    def _stop_source(self) -> None:
        stop = getattr(source(self._kind), "stop", None) if self._kind is not None else None
        if stop is not None:
            stop()

    def _run(self) -> None:
        try:
            for number, piece in self._all():
                if number not in self._done:
                    self._put((number, piece))
                if self._stopped.is_set():
                    return
            self._put(None)
        except BaseException as error:  # whatever it is, it is the run's to answer
            self._put(error)

    def _put(self, found: tuple[int, Piece] | BaseException | None) -> None:
        while not self._stopped.is_set():
            try:
                self._ready.put(found, timeout=0.1)
            except queue.Full:
                continue
            return

    def _all(self) -> Iterator[tuple[int, Piece]]:
        """What was planned before, then what is yet to be cut."""
        yield from enumerate(self._books.pieces())
        number = self.before.pieces
        limits = growing(number)
        for index, whole in enumerate(inputs_of(self._books.inputs)):
            if index not in self.before.ended:
                for piece in self._cut(index, whole, limits):
                    yield number, piece
                    number += 1

    def _pieces(self, whole: Piece, limits: Iterator[int], notes: Notes, last: Piece | None) -> Iterator[Piece]:
        return source(whole.kind).cut(whole, self._books.settings.reading, limits, notes, last)

    def _cut(self, index: int, whole: Piece, limits: Iterator[int]) -> Iterator[Piece]:
        books, notes = self._books, Notes()
        last = self.before.last.get(index)
        for path in stamped(whole) if last is None else ():
            if (now := stamp(path)) is not None:
                books.plan.add({"input": index, "path": path, "stamp": now}, sync=False)
        self._kind = whole.kind
        for piece in self._pieces(whole, limits, notes, last):
            told = {"input": index, "piece": piece.as_dict(), **self._noted(notes, whole.path, piece.names)}
            books.plan.add(told, sync=False)
            yield piece
        books.plan.add({"end": index, **self._noted(notes, whole.path)}, sync=False)

    def _noted(self, notes: Notes, folder: str, names: tuple[str, ...] = ()) -> dict[str, object]:
        """What a source has noted since it was asked last: it goes into the plan with the piece, and is known here.
        The seal is that of the files which it and the piece have come to."""
        fresh: dict[str, object] = {"skipped": dict(notes.skipped), "problems": list(notes.problems)}
        if paths := [os.path.join(folder, name) for name in (*notes.met, *names)]:
            fresh |= {"met": list(notes.met), "seal": seal(paths)}
        self.notes.skipped.update(notes.skipped)
        self.notes.problems.extend(notes.problems)
        notes.clear()
        return {name: noted for name, noted in fresh.items() if noted}


def total_size(inputs: list[Piece], reading: Reading) -> int | None:
    """What the sizes of all pieces will come to; None where that is not to be known yet."""
    total = 0
    for whole in inputs:
        measure = getattr(source(whole.kind), "size", None)
        size = measure(whole, reading) if measure is not None else file_size(whole.path)
        if size is None:
            return None
        total += size
    return total
