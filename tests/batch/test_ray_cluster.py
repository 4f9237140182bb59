"""Joining and leaving a cluster, and what cannot be: without starting one."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.batch.batch_pages import pages_warc, run

from duramen.batch.inputs.io import get_filesystem
from duramen.batch.outputs.store import ShardStore, write_anywhere
from duramen.batch.ray import cluster as ray_cluster
from duramen.batch.ray.run import choose_remote_layout, expand_remote_inputs
from duramen.errors import InputError, MissingExtraError, UsageError


class FakeRay:
    """As much of Ray as joining takes."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.calls: list[Any] = []

    def is_initialized(self) -> bool:
        return bool(self.calls) and self.calls[-1] != "shutdown"

    def init(self, **options: Any) -> None:
        self.calls.append(options)
        if self.error is not None:
            raise self.error

    def shutdown(self) -> None:
        self.calls.append("shutdown")


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    made = FakeRay()
    monkeypatch.setattr(ray_cluster, "import_ray", lambda: made)
    monkeypatch.setattr(ray_cluster, "check_reachable", lambda address: None)
    return made


def test_an_unreachable_cluster_is_reported_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    made = FakeRay()
    monkeypatch.setattr(ray_cluster, "import_ray", lambda: made)
    with (
        pytest.raises(InputError, match=r"no Ray cluster at 127\.0\.0\.1:1: "),
        ray_cluster.connect("127.0.0.1:1", None),
    ):
        pass
    assert not made.calls


def test_a_local_cluster_is_the_default_and_its_store_is_small(fake: FakeRay) -> None:
    with ray_cluster.connect(None, 2):
        pass
    options, end = fake.calls
    assert (options["address"], options["num_cpus"], end) == ("local", 2, "shutdown")
    assert options["object_store_memory"] == ray_cluster.OBJECT_STORE_BYTES
    assert options["include_dashboard"] is False


def test_the_cluster_is_left_even_after_an_error(fake: FakeRay) -> None:
    with pytest.raises(KeyboardInterrupt), ray_cluster.connect("head:6379", None):
        raise KeyboardInterrupt
    assert fake.calls[0]["address"] == "head:6379"
    assert fake.calls[-1] == "shutdown"


def test_a_cluster_that_was_joined_before_is_not_left(fake: FakeRay) -> None:
    fake.calls.append("by hand")
    with ray_cluster.connect(None, None):
        pass
    assert fake.calls == ["by hand"]


def test_a_missing_cluster_is_reported(fake: FakeRay) -> None:
    fake.error = ConnectionError("could not connect to head:1\nand a long story")
    sentence = "no Ray cluster at head:1: could not connect to head:1"
    with pytest.raises(InputError, match=f"^{sentence}$"), ray_cluster.connect("head:1", None):
        pass


def test_usage_statistics_and_automatic_clusters_are_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "1")
    monkeypatch.setenv("RAY_ENABLE_AUTO_CONNECT", "1")
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtraError, match=r"duramen\[ray\]"):
        ray_cluster.import_ray()
    assert os.environ["RAY_USAGE_STATS_ENABLED"] == os.environ["RAY_ENABLE_AUTO_CONNECT"] == "0"


def test_the_output_in_an_object_store_is_a_folder() -> None:
    with pytest.raises(UsageError, match="a folder of shards"):
        choose_remote_layout("s3://bucket/out.jsonl.gz", None)
    with pytest.raises(UsageError, match="a folder of shards"):
        choose_remote_layout("s3://bucket/out", "files")


@pytest.mark.parametrize(("path", "extra"), [("s3://bucket/out", "s3"), ("gs://bucket/out", "gs")])
def test_a_missing_library_of_a_store_names_the_extra(path: str, extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("fsspec")
    for name in ("s3fs", "gcsfs"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=rf"duramen\[{extra}\]"):
        get_filesystem(path)


def test_an_unknown_store_is_reported() -> None:
    pytest.importorskip("fsspec")
    with pytest.raises(InputError, match="fsspec does not support nowhere://"):
        get_filesystem("nowhere://bucket/out")


@pytest.mark.parametrize("kind", ["memory://test-ray/{}", "file://{}"])
def test_files_in_a_store_appear_complete(kind: str, tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    shard_store = ShardStore(kind.format(tmp_path), ".jsonl.gz")
    shard_store.replace(3, [{"text": "one"}, {"text": "two"}])
    shard_store.replace(3, [{"text": "three"}])
    assert list(shard_store.read_rows(3)) == [{"text": "three"}]

    def fail(file: object) -> None:
        raise OSError("no room")

    with pytest.raises(OSError, match="no room"):
        write_anywhere(shard_store.path(3), fail)
    assert list(shard_store.read_rows(3)) == [{"text": "three"}]
    system, name = get_filesystem(shard_store.folder)
    assert [Path(path).name for path in system.ls(name, detail=False)] == ["part-00003.jsonl.gz"]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (("-o", "s3://bucket/out"), "object stores are written to with --engine ray"),
        (("-o", "out", "--address", "head:6379"), "add --engine ray"),
    ],
)
def test_options_that_need_a_cluster_are_refused_without(
    options: tuple[str, ...], sentence: str, tmp_path: Path
) -> None:
    pytest.importorskip("fastwarc")
    done = run(pages_warc(tmp_path / "c.warc.gz", 1), *options)
    assert done.returncode == 2
    assert sentence in done.stderr


def test_patterns_and_folders_of_a_store_are_expanded(tmp_path: Path) -> None:
    pytest.importorskip("fsspec")
    for name in ("b.warc.gz", "a.warc.gz", "deep/page.html", "deep/rows.jsonl", "notes.txt"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    here = tmp_path.as_uri()
    warcs = [f"{here}/a.warc.gz", f"{here}/b.warc.gz"]
    assert expand_remote_inputs(["local/*.warc", f"{here}/*.warc.gz"]) == ["local/*.warc", *warcs]
    assert expand_remote_inputs([f"{here}/"]) == [*warcs, f"{here}/deep/page.html", f"{here}/deep/rows.jsonl"]
    assert expand_remote_inputs([warcs[0], "https://example.org/"]) == [warcs[0], "https://example.org/"]
    with pytest.raises(UsageError, match="no pages"):
        expand_remote_inputs([f"{here}/*.warc.zst"])
