"""Atomic writes."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from duramen.files import write_atomically


def test_a_link_stays_and_its_target_is_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("old")
    link.symlink_to(target)
    write_atomically(link, lambda file: file.write(b"new"))
    assert link.is_symlink()
    assert target.read_text() == "new"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_written_and_not_replaced(tmp_path: Path) -> None:
    pipe, received = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, lambda file: file.write(b"text"))
    reader.join()
    assert received == [b"text"]
    assert pipe.is_fifo()


def test_an_error_names_the_file_and_leaves_the_old_one(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def fail(_: object) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, fail, sync=False)
    assert caught.value.filename == str(path)
    assert [(entry.name, entry.read_text()) for entry in tmp_path.iterdir()] == [("file", "old")]


def test_a_name_of_the_maximum_length_can_be_written(tmp_path: Path) -> None:
    write_atomically(tmp_path / ("x" * 255), lambda file: file.write(b"text"))
    assert [len(entry.name) for entry in tmp_path.iterdir()] == [255]
