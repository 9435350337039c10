"""A client of the Go Text Protocol: one line asked, one answer that ends with an empty line."""

from __future__ import annotations

import contextlib
import queue
import subprocess
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

__all__ = ["GtpClient", "GtpError"]


class GtpError(Exception):
    """The program could not be started, died, kept silent or refused a command."""


class GtpClient:
    """A program that speaks GTP on its standard input and output; use it in a `with`.

    Parameters
    ----------
    command : sequence of str
        The program and its arguments.
    timeout : float
        Seconds to wait for an answer.

    Raises
    ------
    GtpError
        The program cannot be started.
    """

    def __init__(self, command: Sequence[str], timeout: float = 300.0) -> None:
        self.command = list(command)
        self.timeout = timeout
        try:
            self._process = subprocess.Popen(
                self.command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                bufsize=1,
            )
        except OSError as error:
            raise GtpError(f"cannot start {self.command[0]}: {error.strerror or error}") from error
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        try:
            for line in self._process.stdout:
                self._lines.put(line.rstrip("\r\n"))
        except ValueError:  # closed while it was read
            pass
        self._lines.put(None)

    def ask(self, command: str) -> str:
        """Send a command; return the answer without its status.

        Raises
        ------
        GtpError
            The program refuses the command, has ended or does not answer in time.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(command + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended(command) from error
        lines: list[str] = []
        while True:
            try:
                line = self._lines.get(timeout=self.timeout)
            except queue.Empty:
                raise GtpError(
                    f"{self.command[0]} did not answer '{command}' within {self.timeout:g} s"
                ) from None
            if line is None:
                raise self._ended(command)
            if line:
                lines.append(line)
            elif lines:
                break
        status, answer = lines[0][:1], "\n".join([lines[0][1:].lstrip("0123456789"), *lines[1:]])
        if status == "?":
            raise GtpError(f"{self.command[0]} refuses '{command}': {answer.strip()}")
        if status != "=":
            raise GtpError(f"{self.command[0]} does not speak GTP: it answers {lines[0]!r}")
        return answer.strip()

    def _ended(self, command: str) -> GtpError:
        code = self._process.wait()
        return GtpError(f"{self.command[0]} ended (exit code {code}) at the command '{command}'")

    def close(self) -> None:
        """End the program."""
        if self._process.poll() is None:
            try:
                self._process.communicate("quit\n", timeout=1)
            except (OSError, ValueError, subprocess.TimeoutExpired):
                self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
