"""Where work is done: in processes of this computer."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from typing import Any

__all__ = ["Executor", "open_executor"]


class Executor:
    """Processes that do tasks."""

    def __init__(self, pool: ProcessPoolExecutor, workers: int) -> None:
        self._pool = pool
        self._workers = workers

    def run(
        self, function: Callable[[Any], Any], tasks: Iterable[Any]
    ) -> Iterator[tuple[Any, Any]]:
        """Yield each task with what the function returned, as they finish."""
        waiting = iter(tasks)
        under_way: dict[Any, Any] = {}
        while True:
            while len(under_way) < 2 * self._workers:
                try:
                    task = next(waiting)
                except StopIteration:
                    break
                under_way[self._pool.submit(function, task)] = task
            if not under_way:
                return
            done, _ = wait(under_way, return_when=FIRST_COMPLETED)
            for future in done:
                yield under_way.pop(future), future.result()


def _start() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextlib.contextmanager
def open_executor(name: str = "processes", workers: int | None = None) -> Iterator[Executor]:
    """Open an executor."""
    if name != "processes":
        raise ValueError(f"unknown executor {name!r}; valid: processes")
    count = workers or os.cpu_count() or 1
    pool = ProcessPoolExecutor(
        count, mp_context=multiprocessing.get_context("spawn"), initializer=_start
    )
    try:
        yield Executor(pool, count)
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
