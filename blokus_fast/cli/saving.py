"""The games of a match on their way to a file: each is there as soon as it is finished."""

from __future__ import annotations

import time
from typing import Final

import click

from blokus_fast.files import check_writable, write_file
from blokus_fast.match import Played
from blokus_fast.records import Record
from blokus_fast.records.writing import record_line

__all__ = ["Saver"]

# So many games are written as they come. With more, the file is written anew only when ten times
# as long has passed as that takes, so that a match of many games does nothing else.
_EACH: Final = 100
_PAUSE: Final = 10.0


class Saver:
    """Writes games to a file, always all of them; without a path it does nothing."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.lines: list[bytes] = []
        self.written = -1
        self.due = 0.0
        if path is not None:
            try:
                check_writable(path)
            except OSError as error:
                raise self._error(error) from None

    def add(self, played: Played) -> None:
        """Take a game that is finished. What cannot be written now may be at the end."""
        if self.path is None:
            return
        self.lines.append(record_line(Record.from_game(played.game)))
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
        """Write what is missing, with a game that was broken off; say whether that worked."""
        if self.path is None:
            return True
        rest = [game for game in played[len(self.lines) :] if game.game.moves]
        self.lines += [record_line(Record.from_game(game.game)) for game in rest]
        # Where nothing was played, there is nothing to put in the place of an old file.
        if self.lines and self.written != len(self.lines):
            try:
                write_file(self.path, self.lines)
            except OSError as error:
                self._error(error).show()
                return False
        return True

    def _error(self, error: OSError) -> click.ClickException:
        return click.ClickException(f"cannot write {self.path}: {error.strerror or error}")
