"""A program whose output is read while nobody waits for it: pipes, threads, limits, the end.

Three threads per process read its output and its errors and write its input, so that neither
side can block the other. `Engine` is what uses it; this file knows GTP's answers, not Blokus.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from typing import IO, Any, Final

from blokus_fast.gtp.errors import EngineStartError
from blokus_fast.gtp.protocol import Answer, AnswerReader

__all__ = ["Process"]

_CHUNK: Final = 65536
# Seconds between looks at the clock: longer waits than some systems have a number for are possible.
_CHECK: Final = 3600.0
# What is kept of the standard error, in bytes, counted from its end.
_ERRORS_KEPT: Final = 65536
# How long the threads and what the program has started may take to end after its death.
_PATIENCE: Final = 2.0


class Process:
    """A running program, its answers and its errors.

    Parameters
    ----------
    command : sequence of str
        Program and arguments.
    cwd : str, optional
        Folder to start it in.
    env : mapping, optional
        Its environment. Default: that of this process.
    max_output : int
        Bytes that it may write for one answer; after that nothing more is read.

    Raises
    ------
    EngineStartError
        It cannot be started.

    Examples
    --------
    >>> import sys
    >>> from blokus_fast.gtp.process import Process
    >>> process = Process([sys.executable, "-c", "print('= yes', end=chr(10) * 2)"])
    >>> process.take(deadline=None)
    Answer(ok=True, id=None, text='yes')
    >>> process.end(grace=5), process.returncode
    (None, 0)
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        max_output: int = 1 << 24,
    ) -> None:
        self._reader = AnswerReader()
        # None wakes who waits, to look at the problem.
        self._answers: queue.SimpleQueue[Answer | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._max_output = max_output
        self._unread = 0
        self._stderr = bytearray()
        self._input: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self.problem = ""
        """Why no more answers will come: ``ended``, ``flooded`` or ``deaf``."""
        options: dict[str, Any] = {}
        if os.name == "posix":
            # A group of its own: Ctrl-C is ours to handle, and its children end with it.
            options["start_new_session"] = True
        try:
            self._process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=cwd,
                env=None if env is None else dict(env),
                **options,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or error
            raise EngineStartError(f"cannot start {command[0]}: {reason}") from error
        streams = (self._process.stdin, self._process.stdout, self._process.stderr)
        work = (self._write_input, self._read_output, self._read_errors)
        self._threads = [
            threading.Thread(target=job, args=(stream,), name=f"gtp {name}", daemon=True)
            for job, stream, name in zip(work, streams, ("input", "output", "errors"), strict=True)
        ]
        for thread in self._threads:
            thread.start()

    def __repr__(self) -> str:
        """Show the number of the process, and whether it runs."""
        return f"<Process {self.pid}: {'running' if self.returncode is None else 'ended'}>"

    # The threads.

    def _write_input(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError):
            while (data := self._input.get()) is not None:
                while data:
                    data = data[stream.write(data) :]
            stream.close()
            return
        with contextlib.suppress(OSError):
            stream.close()
        self._set_problem("deaf")

    def _read_output(self, stream: IO[bytes]) -> None:
        parts: list[bytes] = []
        while True:
            try:
                chunk = stream.read(_CHUNK)
            except OSError:
                chunk = b""
            if not chunk:
                self._set_problem("ended")
                return
            parts.append(chunk)
            lines: list[bytes] = []
            if b"\n" in chunk:
                *lines, rest = b"".join(parts).split(b"\n")
                parts = [rest]
            with self._lock:
                self._unread += len(chunk)
                for line in lines:
                    answer = self._reader.feed(line.decode("utf-8", "replace"))
                    if answer is not None:
                        self._answers.put(answer)
                flooded = self._unread > self._max_output
            if flooded:
                self._set_problem("flooded")
                return

    def _read_errors(self, stream: IO[bytes]) -> None:
        while True:
            try:
                chunk = stream.read(_CHUNK)
            except OSError:
                return
            if not chunk:
                return
            with self._lock:
                self._stderr += chunk
                del self._stderr[:-_ERRORS_KEPT]

    def _set_problem(self, problem: str) -> None:
        with self._lock:
            # That it ended says more than that it does not listen.
            if not self.problem or problem == "ended":
                self.problem = problem
        self._answers.put(None)

    # What the owner calls.

    def send(self, line: str) -> None:
        """Write a line to the program, without waiting for it to read."""
        with self._lock:
            self._reader.noise = ""
            # What comes from now on belongs to this question, unless there is more than it already.
            if self._answers.empty():
                self._unread = 0
        self._input.put(line.encode("utf-8", "surrogateescape") + b"\n")

    def take(self, deadline: float | None) -> Answer | None:
        """Wait for the next answer.

        Parameters
        ----------
        deadline : float or None
            When to stop waiting, in the time of `time.monotonic`.

        Returns
        -------
        Answer or None
            The answer; None if there will be none, for the reason in `problem`.

        Raises
        ------
        TimeoutError
            Time is up.
        """
        while True:
            if self.problem and self._answers.empty():
                return None
            left = _CHECK if deadline is None else min(deadline - time.monotonic(), _CHECK)
            try:
                # What is there already is taken, even if time is up.
                answer = self._answers.get(timeout=max(left, 0))
            except queue.Empty:
                if left <= 0:
                    raise TimeoutError from None
                continue
            if answer is not None:
                return answer

    @property
    def noise(self) -> str:
        """The last line of the output that belonged to no answer."""
        with self._lock:
            return self._reader.noise

    @property
    def stderr(self) -> str:
        """The end of what it has written to its standard error."""
        with self._lock:
            return self._stderr.decode("utf-8", "replace")

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """Its exit code, negative for a signal; None as long as it runs."""
        return self._process.poll()

    def wait(self, seconds: float) -> int | None:
        """Wait for it to end; return its exit code, or None if it still runs."""
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def end(self, grace: float) -> None:
        """Close its input, give it time to end, then end it by force, with all it has started."""
        self._input.put(None)
        try:
            self.wait(grace)
        finally:
            self._kill()
            for thread in self._threads:
                thread.join(_PATIENCE)
            for thread, stream in zip(
                self._threads[1:], (self._process.stdout, self._process.stderr), strict=True
            ):
                # A reader that still waits is held up by somebody who escaped with the pipe.
                if stream is not None and not thread.is_alive():
                    with contextlib.suppress(OSError):
                        stream.close()

    def _kill(self) -> None:
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self.wait(_PATIENCE)
