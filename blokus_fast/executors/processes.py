"""`ProcessExecutor`: as many processes of this computer as there are workers."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any

from blokus_fast.executors.base import Executor, ExecutorError, OnLost
from blokus_fast.executors.calls import Child

__all__ = ["ProcessExecutor"]


class ProcessExecutor(Executor):
    """Calls run in processes of this computer, each of which belongs to a thread that waits.

    Parameters
    ----------
    workers : int
        How many.

    Examples
    --------
    >>> from blokus_fast.executors.processes import ProcessExecutor
    >>> with ProcessExecutor(2) as executor:
    ...     dict(executor.run(len, ["", "ab"]))["ab"]
    2
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self._children: list[Child] = []
        self._free: list[Child] = []
        self._lock = threading.Lock()
        self._threads: ThreadPoolExecutor | None = ThreadPoolExecutor(workers, "blokus-fast worker")

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_lost: OnLost | None = None,
    ) -> Iterator[tuple[Any, Any]]:
        """Call a function for every task; see `Executor.run`."""
        if self._threads is None:
            raise ExecutorError("the executor is closed")
        coming = iter(tasks)
        running: dict[Future[Any], Any] = {}
        try:
            while True:
                # One more than there are workers: whoever is ready finds something to do.
                while len(running) <= self.workers:
                    try:
                        task = next(coming)
                    except StopIteration:
                        break
                    running[self._threads.submit(self._call, function, task, on_lost)] = task
                if not running:
                    return
                done, _ = wait(running, return_when=FIRST_COMPLETED)
                for future in [future for future in running if future in done]:
                    yield running.pop(future), future.result()
        finally:
            # Nobody wants what is not done yet.
            for future in running:
                future.cancel()
            if any(not future.done() for future in running):
                self._end_children()
                wait(running)

    def _call(self, function: Callable[[Any], Any], task: Any, on_lost: OnLost | None) -> Any:
        with self._lock:
            if self._threads is None:
                raise ExecutorError("the executor is closed")
            if self._free:
                child = self._free.pop()
            else:
                child = Child()
                self._children.append(child)
        try:
            return child.call(function, task, on_lost=on_lost)
        finally:
            with self._lock:
                if child in self._children:
                    self._free.append(child)

    def _end_children(self) -> None:
        with self._lock:
            children, self._children, self._free = self._children, [], []
        for child in children:
            child.close()

    def close(self) -> None:
        """End all processes."""
        threads, self._threads = self._threads, None
        if threads is not None:
            threads.shutdown(wait=False, cancel_futures=True)
            self._end_children()
            threads.shutdown()
