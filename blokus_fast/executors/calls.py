"""`Child`: calls functions in another process, notices when it hangs, and starts it anew.

Owns the other process's life. What runs in it is in `child`.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from typing import Any, Final

from blokus_fast.executors.base import ExecutorError, Lost, OnLost, WorkerLostError
from blokus_fast.executors.child import NOTES_SIZE, Notes
from blokus_fast.waiting import Flag

__all__ = ["Child", "here"]

# Seconds between two looks at what a process is doing; as much later it is ended if it hangs.
_LOOK: Final = 0.1
# What somebody who said how long he takes may take more, before he counts as hanging.
_MARGIN: Final = 1.0
# What is kept of the standard error, in bytes, counted from its end.
_ERRORS_KEPT: Final = 16384
_ATTEMPTS: Final = 3
# How long the threads and what a process has started may take to end after its death.
_PATIENCE: Final = 2.0


class Child:
    """Another process that calls functions, started when it is needed.

    Examples
    --------
    >>> from blokus_fast.executors.calls import Child
    >>> child = Child()
    >>> child.call(abs, -3)
    3
    >>> child.close()
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()
        self._closed = False
        self._busy = False
        self._hung = False
        self._number = 0

    def __repr__(self) -> str:
        """Show whether it can be called."""
        return f"<Child: {'closed' if self._closed else 'busy' if self._busy else 'idle'}>"

    def call(
        self,
        function: Callable[[Any], Any],
        task: Any,
        *,
        on_lost: OnLost | None = None,
        paths: Sequence[str] = (),
    ) -> Any:
        """Call a function there, and wait for its result.

        Parameters
        ----------
        function, task
            What to call, and with what.
        on_lost : callable, optional
            As in `Executor.run`.
        paths : sequence of str
            Where the function's module may be, beside the places that this process knows.

        Returns
        -------
        object
            What the function returns.

        Raises
        ------
        WorkerLostError
            The process has ended too often.
        ExecutorError
            This child is closed, or the process cannot be started.
        Exception
            What the function raises; its traceback there is a note of it.
        """
        for attempt in range(1, _ATTEMPTS + 1):
            answer = self._try(function, task, (*sys.path, *paths), attempt)
            if isinstance(answer, Lost):
                lost = answer
            else:
                went_well, result = answer
                if went_well:
                    return result
                error, trace = result
                error.add_note(f"In a worker's process:\n{trace}")
                raise error
            result = None if on_lost is None else on_lost(task, lost)
            if result is not None:
                return result
        raise WorkerLostError(
            f"{lost}, {_ATTEMPTS} times: {lost.errors.strip()[-300:] or 'it said nothing'}"
        )

    def _try(
        self, function: Callable[[Any], Any], task: Any, paths: Sequence[str], attempt: int
    ) -> Lost | tuple[bool, Any]:
        self._number += 1
        number = self._number
        request = pickle.dumps((number, list(paths), pickle.dumps((function, task))))
        process = self._start()
        assert process.stdin is not None
        try:
            process.stdin.write(request)
            process.stdin.flush()
        except OSError:
            return self._lost(process, attempt)
        # Whatever else comes this way is not its answer, and it will not have another.
        answer = self._answers.get()
        if answer is None or answer[0] != number:
            return self._lost(process, attempt)
        with self._lock:
            self._busy = False
            if self._closed and self._process is not None:
                self._forget()
        return answer[1], answer[2]

    def _start(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._closed:
                raise ExecutorError("the worker is closed")
            self._busy = True
            if self._process is not None:
                return self._process
            self._make_notes()
            self._hung, self._errors = False, bytearray()
            self._answers: queue.SimpleQueue[tuple[int, bool, Any] | None] = queue.SimpleQueue()
            command = [sys.executable, "-P", "-m", "blokus_fast.executors.child", self._name]
            try:
                process = subprocess.Popen(
                    command,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                )
            except OSError as error:
                self._busy = False
                self._forget()
                raise ExecutorError(f"cannot start a worker's process: {error}") from error
            self._process = process
            self._ended = Flag()
            jobs = (
                (self._read, process, self._answers),
                (self._drain, process.stderr, self._errors),
                (self._watch, process, self._ended, self._answers),
            )
            self._threads = [
                threading.Thread(target=job, args=arguments, daemon=True)
                for job, *arguments in jobs
            ]
            for thread in self._threads:
                thread.start()
            return process

    def _make_notes(self) -> None:
        """Make the file in which a process notes what it does, and look into it from here."""
        self._busy = False
        try:
            file, self._name = tempfile.mkstemp(prefix="blokus-fast-")
            try:
                os.truncate(file, NOTES_SIZE)
                self._map = mmap.mmap(file, NOTES_SIZE)
            except BaseException:
                os.unlink(self._name)
                raise
            finally:
                os.close(file)
        except OSError as error:
            raise ExecutorError(f"cannot make a file for a worker's process: {error}") from error
        self._busy = True
        self._memory = memoryview(self._map).cast("q")
        self._notes = Notes(self._memory)

    # The threads. Each closes what it reads: somebody who has escaped may hold it open for long.

    def _read(self, process: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any]) -> None:
        """Take its answers. Where one cannot be read, something else has written there."""
        assert process.stdout is not None
        with process.stdout as stream:
            try:
                while True:
                    number, went_well, result = pickle.load(stream)
                    answers.put((number, went_well, result))
            except Exception as error:
                if not isinstance(error, EOFError):
                    _kill(process)
                answers.put(None)

    def _drain(self, stream: Any, errors: bytearray) -> None:
        """Read what it writes to its standard error, and keep the end."""
        with stream, contextlib.suppress(OSError, ValueError):
            while chunk := stream.read1(4096):
                errors += chunk
                del errors[:-_ERRORS_KEPT]

    def _watch(
        self,
        process: subprocess.Popen[bytes],
        ended: Flag,
        answers: queue.SimpleQueue[Any],
    ) -> None:
        """End the process if something in it takes longer than it has said; notice its end."""
        while not ended.wait(_LOOK):
            if process.poll() is not None:
                # What it has started may hold its output open, and no end of it would be seen.
                ended.wait(_PATIENCE)
                answers.put(None)
                return
            if self._notes.overdue(_MARGIN):
                self._hung = True
                _kill(process)

    def _lost(self, process: subprocess.Popen[bytes], attempt: int) -> Lost:
        """Tell how the process has ended, and clear up after it."""
        try:
            code: int | None = process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            # It has closed its output, or writes nonsense, which is no better than to die.
            _kill(process)
            code = process.wait()
        with self._lock:
            noted, hung = self._notes.numbers, self._hung
            self._busy = False
            self._forget()
            errors = self._errors.decode("utf-8", "replace")
            signal = -code if code is not None and code < 0 else None
            if self._closed:
                raise ExecutorError("the worker is closed")
            ended = (signal, code if signal is None else None)
            return Lost(hung, *ended, noted, errors, attempt, attempt == _ATTEMPTS)

    def _forget(self) -> None:
        """Give back all that belongs to a process that has ended."""
        process, self._process = self._process, None
        if process is not None:
            self._ended.set()
            for thread in self._threads:
                thread.join(_PATIENCE)
            with contextlib.suppress(OSError):
                process.stdin.close()  # type: ignore[union-attr]
        self._memory.release()
        self._map.close()
        with contextlib.suppress(OSError):
            os.unlink(self._name)

    def close(self) -> None:
        """End the process, whatever it does.

        Examples
        --------
        >>> from blokus_fast.executors.calls import Child
        >>> Child().close()
        """
        with self._lock:
            self._closed = True
            process = self._process
            if process is None:
                return
            _kill(process)
            process.wait()
            # Who waits for an answer notices, and clears up himself.
            if not self._busy:
                self._forget()


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process with all that it has started, such as engines, which have their own groups."""
    started: list[Any] = []
    # Without psutil they notice that nobody asks them any more, if they do not hang.
    with contextlib.suppress(Exception):
        import psutil

        started = psutil.Process(process.pid).children(recursive=True)
    with contextlib.suppress(OSError):
        process.kill()
    for child in started:
        with contextlib.suppress(Exception):
            child.kill()


_of_thread = threading.local()


def here(call: tuple[Any, ...]) -> tuple[bool, Any]:
    """Do a call in the process that belongs to this thread, as clusters' workers do it.

    Returns
    -------
    tuple
        Whether it went well, and the result or the error: a cluster has its own ideas of what to
        do with errors that are raised.
    """
    function, task, on_lost, paths = call
    child: Child | None = getattr(_of_thread, "child", None)
    if child is None:
        child = _of_thread.child = Child()
    try:
        return True, child.call(function, task, on_lost=on_lost, paths=paths)
    except Exception as error:
        return False, error
