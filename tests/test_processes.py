"""A task that hangs, dies or fails costs itself only."""

from __future__ import annotations

import os
import time

from duramen.processes import run_tasks


def double(number: int) -> int:
    if number == 3:
        os._exit(7)
    if number == 5:
        time.sleep(600)
    if number == 7:
        raise ValueError("seven")
    return 2 * number


def test_every_task_gives_a_result_or_an_error() -> None:
    done = {one.task: (one.result, one.error) for one in run_tasks(double, range(1, 10), 2, 8.0)}
    assert {task: result for task, (result, _) in done.items() if result is not None} == {
        1: 2,
        2: 4,
        4: 8,
        6: 12,
        8: 16,
        9: 18,
    }
    assert done[3][1] == "its process ended with status 7"
    assert done[5][1] == "no result in 8 s"
    assert done[7][1] == "ValueError: seven"


def test_only_as_many_tasks_are_taken_as_there_are_processes() -> None:
    taken: list[int] = []

    def tasks():  # type: ignore[no-untyped-def]
        for number in (1, 2, 4, 6, 8):
            taken.append(number)
            yield number

    stream = run_tasks(double, tasks(), 1, 60.0)
    next(stream)
    assert len(taken) == 1
    stream.close()


def test_no_tasks_start_no_process() -> None:
    assert list(run_tasks(double, [], 2, 1.0)) == []
