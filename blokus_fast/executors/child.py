"""The process in which a worker's calls run, and what it notes for those who watch it.

Run as ``python -m blokus_fast.executors.child FILE``: reads pickled calls from its standard input,
writes pickled answers to its standard output, and ends with its input. What the calls themselves
print goes to the standard error. `Child` in `calls` is the other side.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import queue
import signal
import sys
import threading
import time
import traceback
from typing import BinaryIO, Final

__all__ = ["NOTES_SIZE", "Notes", "notes"]

NOTES_SIZE: Final = 16384
"""Bytes of the file in which a process notes what it is doing."""

_BEGAN, _LIMIT, _LENGTH, _FIRST = range(4)


class Notes:
    """Numbers that a process notes, which live on when it is gone.

    Noting is as cheap as assigning to a list, so it can be done at every move of a game.

    Parameters
    ----------
    memory : memoryview of int64
        Where to: memory that is shared with a file.

    Examples
    --------
    >>> from blokus_fast.executors.child import NOTES_SIZE, Notes
    >>> notes = Notes(memoryview(bytearray(NOTES_SIZE)).cast("q"))
    >>> notes.begin([7]); notes.add(3)
    >>> notes.wait_for(5.0)
    >>> notes.numbers, notes.overdue(margin=1.0)
    ((7, 3), False)
    """

    def __init__(self, memory: memoryview) -> None:
        self._memory = memory
        self._most = len(memory) - _FIRST

    def begin(self, numbers: list[int] | tuple[int, ...] = ()) -> None:
        """Forget what was noted, and note some numbers."""
        self.rest()
        self._memory[_LENGTH] = 0
        for number in numbers:
            self.add(number)

    def add(self, number: int) -> None:
        """Note one more number; what there is no room for is left out."""
        length = self._memory[_LENGTH]
        if length < self._most:
            self._memory[_FIRST + length] = number
            self._memory[_LENGTH] = length + 1

    def put(self, index: int, number: int) -> None:
        """Put a number in the place of one that was noted."""
        self._memory[_FIRST + index] = number

    def wait_for(self, seconds: float | None) -> None:
        """Say that something begins now that should not take longer; None: it may."""
        if seconds is None:
            self.rest()
            return
        self._memory[_LIMIT] = int(min(seconds, 1e9) * 1e9)
        self._memory[_BEGAN] = time.monotonic_ns()

    def rest(self) -> None:
        """Say that it is done."""
        self._memory[_BEGAN] = 0

    @property
    def numbers(self) -> tuple[int, ...]:
        """What was noted."""
        length = max(0, min(self._memory[_LENGTH], self._most))
        return tuple(self._memory[_FIRST : _FIRST + length])

    def overdue(self, margin: float) -> bool:
        """Whether something has taken longer than was said, by more than a margin in seconds."""
        began = self._memory[_BEGAN]
        passed = time.monotonic_ns() - began
        return began != 0 and passed > self._memory[_LIMIT] + margin * 1e9


_notes = Notes(memoryview(bytearray(NOTES_SIZE)).cast("q"))


def notes() -> Notes:
    """Return the notes of this process; outside a worker's process nobody reads them."""
    return _notes


def _read(requests: BinaryIO, calls: queue.SimpleQueue[tuple[list[str], bytes]]) -> None:
    """Take calls from the other side; when it is gone, this process is of no use."""
    try:
        while True:
            calls.put(pickle.load(requests))
    finally:
        os._exit(0)


def _answer(call: bytes) -> bytes:
    """Do a call, and pickle what comes of it: whether it went well, and what."""
    try:
        function, task = pickle.loads(call)
        return pickle.dumps((True, function(task)))
    except BaseException as error:
        trace = traceback.format_exc()
        try:
            if not isinstance(error, Exception):
                # An exit that somebody asks for there is no exit here.
                raise TypeError
            data = pickle.dumps((False, (error, trace)))
            pickle.loads(data)
        except Exception:
            return pickle.dumps((False, (RuntimeError(f"{type(error).__name__}: {error}"), trace)))
        return data


def main() -> None:
    """Answer calls until there are no more."""
    global _notes
    with open(sys.argv[1], "r+b") as file:
        _notes = Notes(memoryview(mmap.mmap(file.fileno(), NOTES_SIZE)).cast("q"))
    # Where the system lets it be, the file has no name any more, and cannot be left behind.
    with contextlib.suppress(OSError):
        os.unlink(sys.argv[1])
    # Duplicates are not inherited by programs that a call starts, which could keep them open.
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    # Ctrl-C is for the one who started all this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    calls: queue.SimpleQueue[tuple[list[str], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, calls), daemon=True).start()
    while True:
        paths, call = calls.get()
        # Before the call is read: its function may be there.
        sys.path += [path for path in paths if path not in sys.path]
        answer = _answer(call)
        _notes.rest()
        answers.write(answer)
        answers.flush()


if __name__ == "__main__":
    # As a module of the package it is another one than as the program.
    from blokus_fast.executors import child

    child.main()
