"""A terminal for tests: runs a program in a pseudo-terminal of a fixed size, and keeps its screen.

It knows the codes that the command line, rich and readline use, and fails at others.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import struct
import subprocess
import time
import unicodedata
from pathlib import Path
from types import TracebackType
from typing import Self

CODE = re.compile(r"\x1b(?:\[([?\d;]*)([A-Za-z@])|[=>])")
MODULE = ("-m", "blokus_fast")


class Screen:
    """What a terminal shows of what is written to it."""

    def __init__(self, rows: int, columns: int) -> None:
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0
        self.scrolled = 0
        """Lines that went out at the top since something was drawn there."""
        self.wrapped = 0
        """Lines that were longer than the screen is wide."""
        self.wraps = True
        """Whether what is too long goes on in the next line."""
        self.drawn = 0
        """How often the screen was drawn in place."""
        self._rest = ""

    def write(self, text: str) -> None:
        """Take some output, which may end within a code."""
        text = self._rest + text
        place = 0
        while place < len(text):
            sign = text[place]
            if sign != "\x1b":
                self._put(sign)
                place += 1
                continue
            code = CODE.match(text, place)
            if code is None:
                if len(text) - place > 30:
                    raise AssertionError(f"unknown code {text[place : place + 30]!r}")
                break
            self._obey(code[1] or "", code[2] or "")
            place = code.end()
        self._rest = text[place:]

    def _put(self, sign: str) -> None:
        if sign == "\r":
            self.column = 0
        elif sign == "\n":
            self._feed()
        elif sign == "\b":
            self.column = max(self.column - 1, 0)
        elif sign >= " ":
            self._show(sign)

    def _show(self, sign: str) -> None:
        """Put a sign into its cells: a wide one has two, an accent goes to the sign before it."""
        if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
            place = max(self.column - 1, 0)
            while place and not self.cells[self.row][place]:
                place -= 1
            self.cells[self.row][place] += sign
            return
        wide = 2 if unicodedata.east_asian_width(sign) in ("W", "F") else 1
        if self.column + wide > self.columns:
            self.wrapped += 1
            if self.wraps:
                self.column = 0
                self._feed()
            else:
                self.column = self.columns - wide
        row = self.cells[self.row]
        row[self.column] = sign
        # The second cell of a wide sign has no sign of its own.
        row[self.column + 1 : self.column + wide] = [""] * (wide - 1)
        self.column += wide

    def _feed(self) -> None:
        if self.row < self.rows - 1:
            self.row += 1
            return
        self.cells = [*self.cells[1:], [" "] * self.columns]
        self.scrolled += 1

    def _obey(self, arguments: str, letter: str) -> None:
        number = int(arguments) if arguments.isdigit() else 0
        if letter == "H":
            self.row = self.column = 0
            self.scrolled = 0
        elif letter == "J":
            if number == 2:
                self.row = self.column = 0
            self.cells[self.row][self.column :] = [" "] * (self.columns - self.column)
            for row in range(self.row + 1, self.rows):
                self.cells[row] = [" "] * self.columns
            self.drawn += 1
        elif letter == "K":
            start = 0 if number == 2 else self.column
            self.cells[self.row][start:] = [" "] * (self.columns - start)
        elif letter in ("P", "@"):
            cells, blank = self.cells[self.row], [" "] * (number or 1)
            if letter == "P":
                del cells[self.column : self.column + (number or 1)]
                cells += blank
            else:
                cells[self.column : self.column] = blank
            del cells[self.columns :]
        elif letter == "A":
            self.row = max(self.row - (number or 1), 0)
        elif letter == "C":
            self.column = min(self.column + (number or 1), self.columns)
        elif letter == "D":
            self.column = max(self.column - (number or 1), 0)
        else:
            if arguments == "?7":
                self.wraps = letter == "h"
            # Colors, and modes of cursor and pasting.
            assert letter in ("m", "h", "l", ""), (arguments, letter)

    @property
    def lines(self) -> list[str]:
        """The screen, line by line, without blanks at the ends."""
        return ["".join(row).rstrip() for row in self.cells]

    @property
    def text(self) -> str:
        """The screen, without empty lines below."""
        return "\n".join(self.lines).rstrip("\n")


class Terminal:
    """A program in a pseudo-terminal."""

    def __init__(
        self, *command: str, rows: int = 24, columns: int = 80, cwd: Path, **env: str
    ) -> None:
        import fcntl
        import pty
        import termios

        self.screen = Screen(rows, columns)
        self.output = ""
        self._typed = 0
        self._read = codecs.getincrementaldecoder("utf-8")()
        self.keyboard, other = pty.openpty()
        fcntl.ioctl(other, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        # None of what a terminal is known by comes from outside.
        names = ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "INPUTRC")
        given = {name: value for name, value in os.environ.items() if name not in names}
        given |= {"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "INPUTRC": os.devnull, **env}
        try:
            self.process = subprocess.Popen(
                command, stdin=other, stdout=other, stderr=other, cwd=cwd, env=given,
                start_new_session=True,
            )  # fmt: skip
        finally:
            os.close(other)

    def wait_for(self, words: str, seconds: float = 60) -> str:
        """Read until words were written since the last key, and are on the screen; return that."""
        deadline = time.monotonic() + seconds
        more = True
        while True:
            since = CODE.sub("", self.output[self._typed :])
            there = words in self.screen.text and words in since
            if there and not (more and self._ready(0.2)):
                return self.screen.text
            if not more or time.monotonic() > deadline:
                raise AssertionError(f"{words!r} is not on the screen:\n{self.screen.text}")
            more = self._take(1)

    def wait_until(self, pattern: str, seconds: float = 60) -> None:
        """Read until a line of the screen has a pattern, however briefly."""
        deadline = time.monotonic() + seconds
        while not any(re.search(pattern, line) for line in self.screen.lines):
            if not self._take(1) or time.monotonic() > deadline:
                raise AssertionError(f"{pattern!r} is not on the screen:\n{self.screen.text}")

    def _ready(self, seconds: float) -> bool:
        return bool(select.select([self.keyboard], [], [], seconds)[0])

    def _take(self, seconds: float) -> bool:
        """Read what there is; tell whether there may be more."""
        if not self._ready(seconds):
            return True
        try:
            data = os.read(self.keyboard, 1024)
        except OSError:
            # So a terminal ends on Linux.
            data = b""
        text = self._read.decode(data)
        self.output += text
        self.screen.write(text)
        return bool(data)

    def type(self, keys: str) -> None:
        """Press keys."""
        self._typed = len(self.output)
        os.write(self.keyboard, keys.encode())

    def end(self, seconds: float = 60) -> int:
        """Read to the end; return the exit code."""
        deadline = time.monotonic() + seconds
        while self._take(1) and time.monotonic() < deadline:
            pass
        return self.process.wait(seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keyboard)
