"""Waiting for threads: what comes, and that Ctrl-C at whatever moment leaves nobody waiting."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import blokus_fast
from blokus_fast.contest import Server
from blokus_fast.executors import processes
from blokus_fast.waiting import Flag, one_ahead

PATIENCE = 60

pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


def with_interrupts(work: Callable[[], object]) -> int:
    """Do some work again and again, with Ctrl-C one call or return later each time.

    Returns the number of steps, when the work was done before the interrupt came. The interrupt is
    one by a tracer: the code of the library that waits is traced as well, but for what starts a
    thread. That waits for an event of its own, and nothing can be done about it; what it may leave
    is a thread that does nothing.
    """
    steps, ended = 0, False

    def all_of_them() -> None:
        nonlocal steps, ended
        while not ended:
            left = steps

            def trace(frame: Any, event: str, argument: Any) -> Any:
                nonlocal left
                # An interrupt is looked for as functions begin, and behind calls, not at each line:
                # between a call of `__enter__` and the block it is not.
                frame.f_trace_lines = False
                if is_starting(frame):
                    return trace
                left -= 1
                if left < 0:
                    raise KeyboardInterrupt
                return trace

            sys.settrace(trace)
            try:
                work()
                # An interrupt while Python tidies up is told to nobody.
                ended = left >= 0
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(None)
            steps += not ended

    thread = threading.Thread(target=all_of_them, daemon=True)
    thread.start()
    before = -1
    while thread.is_alive() and steps > before:
        before = steps
        thread.join(PATIENCE)
    assert not thread.is_alive(), f"Ctrl-C at step {steps} left it waiting for ever"
    assert ended
    return steps


def is_starting(frame: Any) -> bool:
    """Whether a frame belongs to `Thread.start`."""
    while frame is not None:
        if frame.f_code is threading.Thread.start.__code__:
            return True
        frame = frame.f_back
    return False


class Child:
    """A worker's process that is none: what is looked at is who waits for it."""

    def call(self, function: Callable[[Any], Any], task: Any, *, on_lost: Any) -> Any:
        time.sleep(0.001)
        return function(task)

    def close(self) -> None:
        pass


def test_interrupts_while_processes_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "Child", Child)

    def work() -> None:
        executor = processes.ProcessExecutor(2)
        try:
            assert sorted(executor.run(abs, [-1, -2, -3, -4])) == [
                (-4, 4),
                (-3, 3),
                (-2, 2),
                (-1, 1),
            ]
        finally:
            executor.close()

    assert with_interrupts(work) > 30


def test_interrupts_while_the_next_is_made() -> None:
    def work() -> None:
        assert list(one_ahead(abs, [-1, -2, -3])) == [1, 2, 3]

    assert with_interrupts(work) > 10


def test_interrupts_while_a_flag_is_waited_for() -> None:
    def work() -> None:
        flag = Flag()
        thread = threading.Thread(target=flag.set, daemon=True)
        try:
            thread.start()
            assert flag.wait()
        finally:
            # What a server does when it is interrupted.
            flag.set()
            assert flag.is_set()

    assert with_interrupts(work) > 10


def test_a_flag_is_raised_for_all_who_wait() -> None:
    flag, seen = Flag(), []
    threads = [threading.Thread(target=lambda: seen.append(flag.wait(PATIENCE))) for _ in range(3)]
    for thread in threads:
        thread.start()
    began = time.monotonic()
    assert not flag.wait(0.05)
    assert time.monotonic() - began >= 0.05
    flag.set()
    flag.set()
    for thread in threads:
        thread.join()
    assert seen == [True] * 3
    assert time.monotonic() - began < PATIENCE / 2
    assert flag.wait(0)


def test_results_come_in_order_and_one_is_made_meanwhile() -> None:
    made: list[int] = []

    def make(k: int) -> int:
        made.append(k)
        return 10 * k

    results = one_ahead(make, [1, 2, 3])
    assert next(results) == 10
    end = time.monotonic() + PATIENCE
    while made != [1, 2] and time.monotonic() < end:
        time.sleep(0.001)
    time.sleep(0.05)
    assert made == [1, 2]
    assert list(results) == [20, 30]
    assert list(one_ahead(make, [])) == []


def test_an_error_comes_where_its_result_would() -> None:
    results = one_ahead(lambda k: 1 // k, [1, 0, 2])
    assert next(results) == 1
    with pytest.raises(ZeroDivisionError):
        next(results)
    assert list(results) == []


def test_a_server_that_is_interrupted_closes() -> None:
    """The lock of the event that it waits for would stay taken, and `close` wait for it."""
    with Server(port=0) as server:
        assert with_interrupts(lambda: server.wait(0.01)) > 5


def test_nothing_waits_by_what_an_interrupt_can_leave_locked() -> None:
    unsafe = re.compile(
        r"threading\.(Event|Condition|Barrier|Semaphore|Timer)\b|queue\.Queue|concurrent\.futures"
    )
    package = Path(blokus_fast.__file__).parent
    found = [
        f"{file.relative_to(package)}: {match[0]}"
        for file in sorted(package.rglob("*.py"))
        for match in unsafe.finditer(file.read_text(encoding="utf-8"))
        if file.name != "waiting.py"
    ]
    assert found == []
