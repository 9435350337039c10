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

NOTES_SIZE: Final = 4096
"""Bytes of the file in which a process notes what it is doing."""

_BEGAN, _LIMIT, _LENGTH, _FIRST = range(4)
_PR_SET_PDEATHSIG: Final = 1


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
    >>> notes.begin([7], idle=60.0); notes.add(3)
    >>> notes.wait_for(5.0)
    >>> notes.numbers, notes.overdue(margin=1.0)
    ((7, 3), False)
    """

    def __init__(self, memory: memoryview) -> None:
        self._memory = memory
        self._most = len(memory) - _FIRST
        self._idle: float | None = None

    def __repr__(self) -> str:
        """Show how much they have room for."""
        return f"<Notes of at most {self._most} bytes>"

    def begin(
        self, numbers: list[int] | tuple[int, ...] = (), *, idle: float | None = None
    ) -> None:
        """Forget what was noted, and note some numbers; `idle` is how long rests may last."""
        self._idle = idle
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
            self._memory[_BEGAN] = 0
            return
        self._memory[_LIMIT] = int(min(seconds, 1e9) * 1e9)
        self._memory[_BEGAN] = time.monotonic_ns()

    def rest(self) -> None:
        """Say that it is done. What follows should not take longer than was said with `begin`."""
        self.wait_for(self._idle)

    def end(self) -> None:
        """Say that the call is done."""
        self._idle = None
        self.rest()

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


def _read(requests: BinaryIO, calls: queue.SimpleQueue[tuple[int, list[str], bytes]]) -> None:
    """Take calls from the other side; when it is gone, this process is of no use."""
    try:
        while True:
            calls.put(pickle.load(requests))
    finally:
        os._exit(0)


def _answer(number: int, call: bytes) -> bytes:
    """Do a call, and pickle what comes of it: its number, whether it went well, and what."""
    try:
        function, task = pickle.loads(call)
        return pickle.dumps((number, True, function(task)))
    except BaseException as error:
        trace = _trace()
        try:
            if not isinstance(error, Exception):
                # An exit that somebody asks for there is no exit here.
                raise TypeError
            data = pickle.dumps((number, False, (error, trace)))
            pickle.loads(data)
        except Exception:
            told = RuntimeError(f"{type(error).__name__}: {_text(error)}")
            return pickle.dumps((number, False, (told, trace)))
        return data


def _text(error: BaseException) -> str:
    """Return what an error says, even of one that cannot say it."""
    try:
        return str(error)
    except Exception:
        return "it cannot be shown"


def _trace() -> str:
    try:
        return traceback.format_exc()
    except Exception:
        return "its traceback cannot be shown"


def _end_with_parent() -> None:
    """Let the system end this process with the other side, whatever it is at then.

    Elsewhere than on Linux it ends as soon as Python notices that its input has ended.
    """
    if sys.platform != "linux":
        return
    with contextlib.suppress(Exception):
        import ctypes

        parent = os.getppid()
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            os._exit(0)


def main() -> None:
    """Answer calls until there are no more."""
    global _notes
    _end_with_parent()
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
    own = os.getpid()
    if hasattr(os, "register_at_fork"):
        # Nor are they for a copy of this process, which has nothing to answer.
        os.register_at_fork(after_in_child=answers.raw.close)
    calls: queue.SimpleQueue[tuple[int, list[str], bytes]] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(requests, calls), daemon=True).start()
    while True:
        number, paths, call = calls.get()
        # Before the call is read: its function may be there.
        sys.path += [path for path in paths if path not in sys.path]
        answer = _answer(number, call)
        if os.getpid() != own:
            os._exit(0)
        _notes.end()
        answers.write(answer)
        answers.flush()


if __name__ == "__main__":
    # As a module of the package it is another one than as the program.
    from blokus_fast.executors import child

    child.main()
