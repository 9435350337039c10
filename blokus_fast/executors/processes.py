"""`ProcessExecutor`: as many processes of this computer as there are workers."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Final

from blokus_fast.checking import called_back
from blokus_fast.executors.base import Executor, ExecutorError, OnLost
from blokus_fast.executors.calls import Child
from blokus_fast.shown import call_text
from blokus_fast.waiting import Flag

__all__ = ["ProcessExecutor"]

_LOOK: Final = 0.01


@dataclass(eq=False, slots=True)
class _Job:
    """A call, and what came of it."""

    function: Callable[[Any], Any]
    task: Any
    on_lost: OnLost | None
    ready: SimpleQueue[_Job]
    unwanted: Flag
    is_done: bool = False
    result: Any = None
    error: BaseException | None = None


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
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, workers=self.workers)

    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_lost: OnLost | None = None,
    ) -> Iterator[tuple[Any, Any]]:
        """Call a function for every task; see `Executor.run`."""
        called_back(on_lost, "on_lost")
        self._start()
        coming = iter(tasks)
        ready: SimpleQueue[_Job] = SimpleQueue()
        running: list[_Job] = []
        unwanted = Flag()
        try:
            while True:
                # One more than there are workers: whoever is ready finds something to do.
                while len(running) <= self.workers:
                    try:
                        task = next(coming)
                    except StopIteration:
                        break
                    job = _Job(function, task, on_lost, ready, unwanted)
                    self._jobs.put(job)
                    running.append(job)
                if not running:
                    return
                job = ready.get()
                running.remove(job)
                if job.error is not None:
                    raise job.error
                yield job.task, job.result
        finally:
            # Nobody wants what is not done yet.
            unwanted.set()
            if any(not job.is_done for job in running):
                self._end_children()
                # One that came back as the interrupt came was counted by nobody.
                while any(not job.is_done for job in running):
                    time.sleep(_LOOK)

    def _start(self) -> None:
        if self._is_closed:
            raise ExecutorError("the executor is closed")
        while len(self._threads) < self.workers:
            name = f"blokus-fast worker {len(self._threads)}"
            thread = threading.Thread(target=self._work, name=name, daemon=True)
            thread.start()
            self._threads.append(thread)

    def _work(self) -> None:
        while (job := self._jobs.get()) is not None:
            if not job.unwanted.is_set():
                try:
                    job.result = self._call(job.function, job.task, job.on_lost)
                except BaseException as error:
                    job.error = error
            job.is_done = True
            job.ready.put(job)
        # For the next: an interrupt may have kept one from the list of threads.
        self._jobs.put(None)

    def _call(self, function: Callable[[Any], Any], task: Any, on_lost: OnLost | None) -> Any:
        with self._lock:
            if self._is_closed:
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
        with self._lock:
            self._is_closed = True
        self._jobs.put(None)
        self._end_children()
        for thread in self._threads:
            thread.join()
