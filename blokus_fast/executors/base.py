"""What an executor is, its errors, and `open_executor`, which finds it by name."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Final, Self, SupportsIndex

from blokus_fast.checking import integer_or_none

__all__ = [
    "Executor",
    "ExecutorError",
    "Lost",
    "OnLost",
    "WorkerLostError",
    "available_cpus",
    "open_executor",
]

_MOST_WORKERS: Final = 1024


class ExecutorError(RuntimeError):
    """An executor cannot be had, or has ended; the message says why.

    Examples
    --------
    >>> from blokus_fast.executors import ExecutorError, open_executor
    >>> try:
    ...     open_executor("abacus")
    ... except ExecutorError as error:
    ...     print(error)
    unknown executor 'abacus'; valid: processes, dask, or the address of a Dask scheduler
    """


class WorkerLostError(ExecutorError):
    """A task's process has ended again and again before it had a result.

    Examples
    --------
    >>> from blokus_fast.executors import ExecutorError, WorkerLostError
    >>> issubclass(WorkerLostError, ExecutorError)
    True
    """


@dataclass(frozen=True)
class Lost:
    """What is known of a call whose process has ended, or was ended since it took too long.

    Attributes
    ----------
    hung : bool
        Whether it was ended, because something took longer than it had said.
    signal : int or None
        The signal that ended the process, if one did.
    code : int or None
        Its exit code, if it ended by itself.
    noted : tuple of int
        What it had noted last, see `child.Notes`.
    errors : str
        The end of what it had written to its standard error.
    attempt : int
        How many processes the task has lost.
    is_last : bool
        Whether it is not tried any more.

    Examples
    --------
    >>> from blokus_fast.executors import Lost
    >>> print(Lost(hung=False, signal=11, code=None, noted=(), errors=""))
    its process ended by signal 11
    """

    hung: bool
    signal: int | None
    code: int | None
    noted: tuple[int, ...]
    errors: str
    attempt: int = 1
    is_last: bool = False

    @property
    def by_others(self) -> bool:
        """Whether somebody else ended the process: no program is killed of itself."""
        # SIGKILL and SIGTERM: what people send, and systems that run out of memory.
        return not self.hung and self.signal in (9, 15)

    def __str__(self) -> str:
        """Say in words how it ended."""
        if self.hung:
            return "gave no answer"
        if self.signal is not None:
            return f"its process ended by signal {self.signal}"
        return f"its process ended with exit code {self.code}"


OnLost = Callable[[Any, Lost], Any]
"""Makes a result of a task whose process was lost; None: the task is done once more."""


class Executor(ABC):
    """Calls functions for tasks, several at the same time.

    Attributes
    ----------
    workers : int
        How many calls run at the same time.

    Examples
    --------
    >>> import math
    >>> from blokus_fast.executors import open_executor
    >>> with open_executor("processes", workers=2) as executor:
    ...     sorted(executor.run(math.factorial, [3, 4]))
    [(3, 6), (4, 24)]
    """

    workers: int

    def __repr__(self) -> str:
        """Show how many calls run at a time."""
        return f"<{type(self).__name__}: {self.workers} workers>"

    @abstractmethod
    def run(
        self,
        function: Callable[[Any], Any],
        tasks: Iterable[Any],
        *,
        on_lost: OnLost | None = None,
    ) -> Iterator[tuple[Any, Any]]:
        """Call a function for every task, and hand out task and result as they come.

        Parameters
        ----------
        function : callable
            Takes a task. It can be pickled, and so can tasks and results: what a module defines.
        tasks : iterable
            The tasks. They are taken as workers become free, not all at once.
        on_lost : callable, optional
            Is called in the worker with a task and `Lost` when the task's process has ended
            before there was a result, and returns a result, or None to do the task once more,
            up to three times in all. Default: always once more.

        Yields
        ------
        tuple
            A task and its result, in the order in which they become ready.

        Raises
        ------
        WorkerLostError
            A task has lost its process too often.
        ExecutorError
            The cluster is gone.
        Exception
            What the function raises.
        """

    @abstractmethod
    def close(self) -> None:
        """End what still runs, and give everything back."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def available_cpus() -> int:
    """Return how many processors this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def open_executor(name: str = "processes", workers: SupportsIndex | None = None) -> Executor:
    """Make an executor.

    Parameters
    ----------
    name : str
        ``processes``: processes of this computer. ``dask``: a Dask cluster of its own on this
        computer. Anything with a colon is the address of a Dask scheduler, such as
        ``tcp://10.0.0.1:8786``.
    workers : int, optional
        How many calls run at the same time. Default: the processors that there are; with a
        cluster of others, the threads of its workers.

    Returns
    -------
    Executor
        The executor, to be closed or used in a ``with`` statement.

    Raises
    ------
    ExecutorError
        There is no executor of that name, Dask is not installed, or no scheduler answers.
    ValueError
        The number of workers is not in 1..1024.

    Examples
    --------
    >>> from blokus_fast.executors import open_executor
    >>> with open_executor(workers=1) as executor:
    ...     list(executor.run(abs, [-2, -5]))
    [(-2, 2), (-5, 5)]
    """
    count = integer_or_none(workers, "workers")
    if count is not None and not 1 <= count <= _MOST_WORKERS:
        raise ValueError(f"workers must be in 1..{_MOST_WORKERS}, not {count}")
    if name == "processes":
        from blokus_fast.executors.processes import ProcessExecutor

        return ProcessExecutor(available_cpus() if count is None else count)
    if name == "dask" or ":" in name:
        from blokus_fast.executors.cluster import DaskExecutor

        return DaskExecutor(None if name == "dask" else name, count)
    raise ExecutorError(
        f"unknown executor {name!r}; valid: processes, dask, or the address of a Dask scheduler"
    )
