"""Waiting for threads so that Ctrl-C leaves nothing locked.

Locks, queues and threads written in C are safe. What the standard library builds of them in Python
(`threading.Condition`, and with it `Event`, `queue.Queue` and futures) is not: where the interrupt
comes between two of its lines, a lock stays taken, and whoever wants it waits for ever.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from queue import Empty, SimpleQueue
from typing import Any, Final, TypeVar

__all__ = ["Flag", "one_ahead"]

T = TypeVar("T")
R = TypeVar("R")

_LOOK: Final = 1.0


class Flag:
    """What is raised once, and can be waited for, like `threading.Event`.

    Examples
    --------
    >>> from blokus_fast.waiting import Flag
    >>> flag = Flag()
    >>> flag.wait(0.01)
    False
    >>> flag.set()
    >>> flag.wait(), flag.is_set()
    (True, True)
    """

    def __init__(self) -> None:
        self._is_set = False
        # What is in it wakes one who waits; he puts it back for the next.
        self._wake: SimpleQueue[None] = SimpleQueue()

    def __repr__(self) -> str:
        """Show whether it is set."""
        return f"<Flag: {'set' if self._is_set else 'not set'}>"

    def is_set(self) -> bool:
        """Whether it was raised."""
        return self._is_set

    def set(self) -> None:
        """Raise it."""
        self._is_set = True
        self._wake.put(None)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until it is raised, or for so long; return whether it is."""
        end = None if seconds is None else time.monotonic() + seconds
        while not self._is_set:
            left = _LOOK if end is None else end - time.monotonic()
            if left <= 0:
                return False
            with contextlib.suppress(Empty):
                self._wake.get(timeout=min(left, _LOOK))
                self._wake.put(None)
        return True


def one_ahead(function: Callable[[T], R], items: Sequence[T]) -> Iterator[R]:
    """Yield the results of a function, while a thread makes the next one.

    Examples
    --------
    >>> from blokus_fast.waiting import one_ahead
    >>> list(one_ahead(len, ["a", "bc"]))
    [1, 2]
    """
    answers: SimpleQueue[tuple[bool, Any]] = SimpleQueue()

    def work(item: T) -> None:
        try:
            answers.put((True, function(item)))
        except BaseException as error:
            answers.put((False, error))

    thread: threading.Thread | None = None
    try:
        for k in range(len(items) + 1):
            ready = None if thread is None else answers.get()
            if k < len(items):
                coming = threading.Thread(target=work, args=(items[k],), daemon=True)
                coming.start()
                thread = coming
            if ready is not None:
                went_well, result = ready
                if not went_well:
                    raise result
                yield result
    finally:
        if thread is not None:
            thread.join()
