"""A folder of records, one game a file: what programs read that take no file of several games."""

from __future__ import annotations

import os
import re
from os import PathLike
from pathlib import Path
from typing import Final

from blokus_fast.files import check_writable, write_new
from blokus_fast.shown import call_text

__all__ = ["RecordFolder", "file_name", "is_folder"]

_NAME: Final = re.compile(r"game-([0-9]{4,9})\.blksgf", re.ASCII)


def is_folder(path: str | PathLike[str]) -> bool:
    """Tell whether a path means a folder: there is one, or the path ends in a slash.

    Examples
    --------
    >>> from blokus_fast.records.folder import is_folder
    >>> is_folder("games.blksgf"), is_folder("games/"), is_folder(".")
    (False, True, True)
    """
    text = os.fspath(path)
    ends = (os.sep,) if os.altsep is None else (os.sep, os.altsep)
    return text.endswith(ends) or os.path.isdir(text)


def file_name(number: int) -> str:
    """Return what the file of a game is called.

    Parameters
    ----------
    number : int
        Its number, from 1 on.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> from blokus_fast.records.folder import file_name
    >>> file_name(17)
    'game-0017.blksgf'
    """
    return f"game-{number:04d}.blksgf"


class RecordFolder:
    """A folder that games are written to: ``game-0001.blksgf``, ``game-0002.blksgf`` and so on.

    Numbers go on behind those that are there: no file is ever written over, not even where two
    runs write to one folder at the same time.

    Parameters
    ----------
    path : str or path
        The folder, which is made if it is not there.

    Raises
    ------
    OSError
        It cannot be made, or not be written to.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.records.folder import RecordFolder
    >>> with tempfile.TemporaryDirectory() as path:
    ...     for _ in range(2):
    ...         print(RecordFolder(path).add(b"(;GM[Blokus Duo])").name)
    game-0001.blksgf
    game-0002.blksgf
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self.path.mkdir(parents=True, exist_ok=True)
        check_writable(self.path / "game.blksgf")
        found = (_NAME.fullmatch(name) for name in os.listdir(self.path))
        self._last = max((int(match[1]) for match in found if match), default=0)

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, str(self.path))

    def add(self, line: bytes) -> Path:
        """Write a game to a file of its own.

        Parameters
        ----------
        line : bytes
            The record.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        OSError
            It cannot be written; there is no such file then.
        """
        while True:
            path = self.path / file_name(self._last + 1)
            try:
                write_new(path, line)
            except FileExistsError:
                self._last += 1
                continue
            self._last += 1
            return path
