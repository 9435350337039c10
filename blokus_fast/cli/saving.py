"""The games of a match on their way out: each is there as soon as it is finished.

They go to one file, to a folder with a file for each, or to the standard output.
"""

from __future__ import annotations

import contextlib
import sys
import time
from pathlib import Path
from typing import Any, Final

import click

from blokus_fast.cli.outputs import DASH, tell_written
from blokus_fast.files import check_writable, write_file
from blokus_fast.match import Played
from blokus_fast.records import Record
from blokus_fast.records.folder import RecordFolder, is_folder
from blokus_fast.records.writing import record_line

__all__ = ["SAVE", "FileSaver", "FolderSaver", "OutputSaver", "Saver", "saver_to"]

SAVE: Final[dict[str, Any]] = {
    "type": click.Path(writable=True, allow_dash=True),
    "metavar": "FILE|FOLDER/|-",
    "help": "Write the games, each when it is finished, to one .blksgf file, or to a folder with a "
    "file for each, as Pentobi needs them; - is the standard output, for `render -`.",
}
"""What the option ``--save`` is."""

# So many games are written as they come. With more, the file is written anew only when ten times
# as long has passed as that takes, so that a match of many games does nothing else.
_EACH: Final = 100
_PAUSE: Final = 10.0


class Saver:
    """Takes games, and writes them nowhere."""

    def add(self, played: Played) -> None:
        """Take a game that is finished. What cannot be written now may be at the end."""

    def finish(self, played: list[Played]) -> bool:
        """Write what is missing, with a game that was broken off; say whether that worked."""
        return True


def saver_to(path: str | None) -> Saver:
    """Return what writes there; whether it can is found out before the first move."""
    if path is None:
        return Saver()
    if path == str(DASH):
        return OutputSaver()
    try:
        return FolderSaver(path) if is_folder(path) else FileSaver(path)
    except OSError as error:
        raise _error(path, error) from None


class FileSaver(Saver):
    """Writes games to one file, always all of them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.lines: list[bytes] = []
        self.written = -1
        self.due = 0.0
        check_writable(path)

    def add(self, played: Played) -> None:
        """Take a game that is finished."""
        self.lines.append(_line(played))
        began = time.monotonic()
        if len(self.lines) > _EACH and began < self.due:
            return
        try:
            write_file(self.path, self.lines)
            self.written = len(self.lines)
        except OSError:
            pass
        now = time.monotonic()
        self.due = now + _PAUSE * (now - began)

    def finish(self, played: list[Played]) -> bool:
        """Write what is missing."""
        self.lines += map(_line, _begun(played[len(self.lines) :]))
        # Where nothing was played, there is nothing to put in the place of an old file.
        if self.lines and self.written != len(self.lines):
            try:
                write_file(self.path, self.lines)
            except OSError as error:
                _error(self.path, error).show()
                return False
        return True


class FolderSaver(Saver):
    """Writes every game to a file of its own in a folder, and says in the end which they are."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.folder = RecordFolder(path)
        self.taken = 0
        self.waiting: list[bytes] = []
        self.files: list[Path] = []

    def add(self, played: Played) -> None:
        """Take a game that is finished."""
        self.taken += 1
        self.waiting.append(_line(played))
        with contextlib.suppress(OSError):
            self._write()

    def _write(self) -> None:
        while self.waiting:
            self.files.append(self.folder.add(self.waiting[0]))
            self.waiting.pop(0)

    def finish(self, played: list[Played]) -> bool:
        """Write what is missing."""
        self.waiting += map(_line, _begun(played[self.taken :]))
        problem = None
        try:
            self._write()
        except OSError as error:
            problem = error
        if self.files:
            first, last = self.files[0], self.files[-1]
            tell_written(first if first == last else f"{first} to {last.name}")
        if problem is not None:
            _error(self.path, problem).show()
        return problem is None


class OutputSaver(Saver):
    """Writes games to what is the standard output when it is made."""

    def __init__(self) -> None:
        if sys.stdout is None:
            raise click.ClickException("there is no standard output")
        self.file = sys.stdout.buffer
        self.taken = 0
        self.failed = False

    def add(self, played: Played) -> None:
        """Take a game that is finished. Where nobody reads any more, the match ends."""
        self.taken += 1
        self._write([played])

    def finish(self, played: list[Played]) -> bool:
        """Write what is missing."""
        if not self.failed:
            self._write(_begun(played[self.taken :]))
        return not self.failed

    def _write(self, played: list[Played]) -> None:
        try:
            self.file.writelines(map(_line, played))
            self.file.flush()
        except OSError:
            self.failed = True
            raise


def _begun(played: list[Played]) -> list[Played]:
    return [game for game in played if game.game.moves]


def _line(played: Played) -> bytes:
    return record_line(Record.from_game(played.game))


def _error(path: str, error: OSError) -> click.ClickException:
    return click.ClickException(f"cannot write {path}: {error.strerror or error}")
