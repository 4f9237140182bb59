"""Planning with a cluster: files that must be read to be split are read by the nodes.

A WARC, JSON Lines or Parquet file is one task, and many run at once; each returns the splits of its file. The driver
walks folders and downloads pages itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from typing import Any, Final

from duramen.batch.inputs import growing_split_sizes, input_module, parse_inputs
from duramen.batch.inputs.splits import InputNotes, Split
from duramen.batch.planning import Planner
from duramen.batch.ray import cluster
from duramen.batch.ray.split_tasks import enter_folder, load_split
from duramen.batch.settings import ReadSettings

KINDS_SPLIT_BY_NODES: Final = ("warc", "jsonl", "parquet")
"""The kinds of input that must be read to be split."""


class RayPlanner(Planner):
    """Like `Planner`. A file that an earlier run has begun to split is split to its end by the driver."""

    _node_results: Iterator[Mapping[str, Any]] | None = None
    _results_by_path: dict[str, Mapping[str, Any]]

    def stop(self) -> None:
        """Stop planning, without waiting for the thread: it ends when the run leaves the cluster."""
        self._stopped.set()

    def _find_splits(
        self, whole: Split, limits: Iterator[int], notes: InputNotes, last: Split | None
    ) -> Iterator[Split]:
        if last is not None or whole.kind not in KINDS_SPLIT_BY_NODES:
            yield from super()._find_splits(whole, limits, notes, last)
            return
        result = self._wait_for(whole)
        notes.skipped.update(json.loads(result["skipped"]))
        notes.problems.extend(json.loads(result["problems"]))
        yield from (load_split(split) for split in json.loads(result["splits"]))

    def _wait_for(self, whole: Split) -> Mapping[str, Any]:
        """Wait for the splits of an input."""
        if self._node_results is None:
            self._results_by_path = {}
            self._node_results = self._start_nodes()
        while whole.path not in self._results_by_path:
            row = next(self._node_results)
            self._results_by_path[row["path"]] = row
        return self._results_by_path.pop(whole.path)

    def _start_nodes(self) -> Iterator[Mapping[str, Any]]:
        begun = self.earlier.ended | set(self.earlier.last)
        inputs = enumerate(parse_inputs(self._store.inputs))
        new = [whole for index, whole in inputs if index not in begun and whole.kind in KINDS_SPLIT_BY_NODES]
        rows = [{"kind": whole.kind, "path": whole.path} for whole in new]
        arguments = {"reading": self._store.settings.reading, "folder": os.getcwd()}
        dataset = cluster.get_ray_data().from_items(rows, override_num_blocks=len(rows))
        return iter(dataset.map(split_input, fn_kwargs=arguments, num_cpus=1).iter_rows())


def split_input(row: Mapping[str, Any], reading: ReadSettings, folder: str) -> dict[str, str]:
    """Split an input on a node; return its splits and notes."""
    enter_folder(folder)
    notes = InputNotes()
    whole = Split(row["kind"], row["path"])
    splits = input_module(whole.kind).find_splits(whole, reading, growing_split_sizes(), notes, None)
    return {
        "path": row["path"],
        "splits": json.dumps([json.dumps(split.as_dict()) for split in splits]),
        "skipped": json.dumps(notes.skipped),
        "problems": json.dumps(notes.problems),
    }
