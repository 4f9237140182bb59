"""Planning with a cluster: files that must be read to be cut are read by the nodes, not by the driver.

A WARC or JSON Lines file is one task, many of them run at once, and what comes back is the list of its pieces. Folders
and pages from the web are walked and fetched by the driver, as ever.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from duramen.batch import ray_cluster
from duramen.batch.item import Notes, Piece
from duramen.batch.planning import Planning
from duramen.batch.ray_pieces import enter, read_piece
from duramen.batch.settings import Reading
from duramen.batch.sources import growing, inputs_of, source

CUT_THERE: Final = ("warc", "jsonl", "parquet")
"""The kinds of input whose cutting is work."""


class RayPlanning(Planning):
    """As `Planning`; a file that an earlier run had begun to cut is cut to its end here."""

    _there: Iterator[Mapping[str, Any]] | None = None
    _known: dict[str, Mapping[str, Any]]

    def stop(self) -> None:
        """No more pieces are wanted. Who waits for the cluster is not waited for: it ends when that is left."""
        self._stopped.set()

    def _pieces(self, whole: Piece, limits: Iterator[int], notes: Notes, last: Piece | None) -> Iterator[Piece]:
        if last is not None or whole.kind not in CUT_THERE:
            yield from super()._pieces(whole, limits, notes, last)
            return
        found = self._found(whole)
        notes.skipped.update(json.loads(found["skipped"]))
        notes.problems.extend(json.loads(found["problems"]))
        yield from (read_piece(piece) for piece in json.loads(found["pieces"]))

    def _found(self, whole: Piece) -> Mapping[str, Any]:
        """The pieces of an input, whenever they come."""
        if self._there is None:
            self._known = {}
            self._there = self._begin()
        while whole.path not in self._known:
            row = next(self._there)
            self._known[row["path"]] = row
        return self._known.pop(whole.path)

    def _begin(self) -> Iterator[Mapping[str, Any]]:
        begun = self.before.ended | set(self.before.last)
        inputs = enumerate(inputs_of(self._books.inputs))
        wholes = [whole for index, whole in inputs if index not in begun and whole.kind in CUT_THERE]
        rows = [{"kind": whole.kind, "path": whole.path} for whole in wholes]
        order = {"reading": self._books.settings.reading, "folder": os.getcwd()}
        dataset = ray_cluster.data().from_items(rows, override_num_blocks=len(rows))
        return iter(dataset.map(cut, fn_kwargs=order, num_cpus=1).iter_rows())


def cut(row: Mapping[str, Any], reading: Reading, folder: str) -> dict[str, str]:
    """The pieces of an input, with what there is to say of it."""
    enter(folder)
    notes = Notes()
    whole = Piece(row["kind"], row["path"])
    pieces = [json.dumps(piece.as_dict()) for piece in source(whole.kind).cut(whole, reading, growing(), notes, None)]
    told = {"skipped": json.dumps(notes.skipped), "problems": json.dumps(notes.problems)}
    return {"path": row["path"], "pieces": json.dumps(pieces), **told}
