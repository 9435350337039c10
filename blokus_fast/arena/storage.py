"""The folder of a run: settings, and every finished game as a line and as a record.

``settings.json`` is written once. Games are appended to ``games.jsonl`` and ``games.blksgf``, each
by a single write, and every record gets a file of its own in ``games/``, for programs that read no
more than one. The first of these is what counts, the others can be made of it, and are when the run
goes on. A line that was cut off is cut away then.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO, Final

from blokus_fast.arena.games import checked_record
from blokus_fast.arena.settings import Settings
from blokus_fast.files import PREFIX, remove_leftovers, write_file
from blokus_fast.records.folder import file_name
from blokus_fast.records.writing import record_line
from blokus_fast.words import counted

__all__ = ["FILES", "GAMES", "RECORDS", "SETTINGS", "ArenaError", "Folder", "read_settings"]

SETTINGS: Final = "settings.json"
GAMES: Final = "games.jsonl"
RECORDS: Final = "games.blksgf"
FILES: Final = "games"


class ArenaError(RuntimeError):
    """A run cannot begin, or cannot go on; the message says why.

    Examples
    --------
    >>> from blokus_fast.arena import ArenaError, run
    >>> try:
    ...     run(["greedy", "random"], "duo", 2, output="no-such-run", resume=True)
    ... except ArenaError as error:
    ...     print(error)
    there is no run to resume in no-such-run: it has no settings.json
    """


def read_settings(path: str | PathLike[str]) -> Settings:
    """Read the settings of the run in a folder.

    Parameters
    ----------
    path : str or path
        The folder.

    Returns
    -------
    Settings
        The settings.

    Raises
    ------
    ArenaError
        There is no run, or its settings are damaged.
    """
    file = Path(path) / SETTINGS
    try:
        return Settings.from_json(json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        raise ArenaError(f"there is no run to resume in {path}: it has no {SETTINGS}") from None
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise ArenaError(f"{file} is damaged: {error}") from error
    except OSError as error:
        raise ArenaError(f"cannot read {file}: {error.strerror or error}") from error


class Folder:
    """The folder of a run, open for more games.

    Parameters
    ----------
    path : str or path
        The folder.
    settings : Settings
        What is to be played.
    resume : bool
        Whether to go on with a run that is there.

    Attributes
    ----------
    path : Path
        The folder.
    done : list of dict
        The results of the games that were there before, in the order in which they ended.

    Raises
    ------
    ArenaError
        There is a run already, or none to resume, or one with other settings, or somebody else
        is at it; a file is damaged, or cannot be written. Nothing has been changed then.

    Examples
    --------
    >>> import tempfile
    >>> from blokus_fast.arena import Settings
    >>> from blokus_fast.arena.storage import Folder
    >>> settings = Settings.make(["greedy", "random"], "duo", 2)
    >>> with tempfile.TemporaryDirectory() as path, Folder(path, settings) as folder:
    ...     folder.done
    []
    """

    def __init__(
        self, path: str | PathLike[str], settings: Settings, *, resume: bool = False
    ) -> None:
        self.path = Path(path)
        self.settings = settings
        self.done: list[dict[str, Any]] = []
        self._files: list[BinaryIO] = []
        with self._told():
            if resume:
                self._resume()
            else:
                self._begin()

    def __repr__(self) -> str:
        """Show where it is, and how many games are in it."""
        return f"<Folder {self.path}: {len(self.done)} games>"

    def _begin(self) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise ArenaError(f"{self.path} is no folder")
        self._check_empty()
        self.path.mkdir(parents=True, exist_ok=True)
        self._open()
        try:
            # Whoever has the lock first begins the run.
            self._check_empty()
            remove_leftovers(self.path, older=0)
            self._write_settings()
            (self.path / FILES).mkdir()
        except BaseException:
            self.close()
            raise

    def _check_empty(self) -> None:
        """See that there is nothing but what a run that never began has left."""
        if not self.path.exists():
            return
        if (self.path / SETTINGS).exists():
            raise ArenaError(
                f"the folder {self.path} has another run in it: resume that run, or name a new "
                "folder"
            )
        for path in self.path.iterdir():
            begun = path.name in (GAMES, RECORDS) and not path.stat().st_size
            if not begun and not path.name.startswith(PREFIX):
                raise ArenaError(
                    f"the folder {self.path} has other files in it, such as {path.name}: name a "
                    "new folder"
                )

    def _write_settings(self) -> None:
        text = json.dumps(self.settings.to_json(), indent=1, allow_nan=False) + "\n"
        write_file(self.path / SETTINGS, text.encode())

    def _resume(self) -> None:
        found = read_settings(self.path)
        if difference := found.difference(self.settings):
            raise ArenaError(f"the run in {self.path} has other settings: {difference}")
        if found.games > self.settings.games:
            raise ArenaError(
                f"the run in {self.path} is of {counted(found.games, 'game')}, which cannot become "
                f"{self.settings.games}"
            )
        self._open()
        try:
            self._read()
            remove_leftovers(self.path, older=0)
            if found.games != self.settings.games:
                self._write_settings()
        except BaseException:
            self.close()
            raise

    def _open(self) -> None:
        # Unbuffered, and at the end wherever that is.
        for name in (GAMES, RECORDS):
            self._files.append(open(self.path / name, "ab", buffering=0))  # noqa: SIM115
        if not _locked(self._files[0]):
            self.close()
            raise ArenaError(f"another process is at the run in {self.path}")

    def _read(self) -> None:
        """Read what has been played, cut away what is not whole, and make the records anew."""
        path = self.path / GAMES
        data = path.read_bytes()
        whole = data.rfind(b"\n") + 1
        numbers, lines = set(), []
        for place, line in enumerate(data[:whole].splitlines(), start=1):
            try:
                result = json.loads(line)
                number = result["number"]
                if number in numbers or not 0 <= number < self.settings.games:
                    raise ValueError(f"game {number} has no place in this run")
                record = checked_record(result, self.settings.labels, self.settings.variant)
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                raise ArenaError(f"{path}, line {place} is damaged: {error}") from error
            numbers.add(number)
            self.done.append(result)
            lines.append(record_line(record))
        if whole < len(data):
            self._files[0].truncate(whole)
        records = self.path / RECORDS
        if records.read_bytes() != b"".join(lines):
            self._files.pop().close()
            write_file(records, lines)
            self._files.append(open(records, "ab", buffering=0))  # noqa: SIM115
        (self.path / FILES).mkdir(exist_ok=True)
        remove_leftovers(self.path / FILES, older=0)
        for result, record_text in zip(self.done, lines, strict=True):
            path = self._file_of(result["number"])
            if not path.exists() or path.read_bytes() != record_text:
                write_file(path, record_text, synced=False)

    def _file_of(self, number: int) -> Path:
        """Return the file of a game's record."""
        return self.path / FILES / file_name(number + 1)

    def add(self, result: dict[str, Any]) -> None:
        """Append a game: all of it, or nothing where something comes between, such as Ctrl-C.

        Raises
        ------
        ArenaError
            It cannot be written. The files are as they were before.
        """
        own = {name: value for name, value in result.items() if name != "record"}
        line = json.dumps(own, separators=(",", ":"), allow_nan=False).encode() + b"\n"
        with self._told():
            record = result["record"].encode()
            sizes = [os.fstat(file.fileno()).st_size for file in self._files]
            try:
                for file, data in zip(self._files, (line, record), strict=True):
                    _append(file, data)
                write_file(self._file_of(result["number"]), record, synced=False)
            except BaseException:
                # All else can be made of the line, but a run that stops here has none of it.
                for file, size in zip(self._files, sizes, strict=True):
                    with contextlib.suppress(OSError):
                        file.truncate(size)
                with contextlib.suppress(OSError):
                    self._file_of(result["number"]).unlink()
                raise

    def close(self) -> None:
        """See that all is on the disk, and let others at it."""
        for file in self._files:
            with contextlib.suppress(OSError):
                os.fsync(file.fileno())
            file.close()
        self._files = []

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Make errors of the system say what they hinder."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise ArenaError(f"cannot write the run in {self.path}: {reason}") from error


def _append(file: BinaryIO, data: bytes) -> None:
    """Append all of it, however little is taken at a time."""
    written = file.write(data)
    while written < len(data):
        written += file.write(data[written:])


def _locked(file: BinaryIO) -> bool:
    """Take a file for this process alone; it is free again when the process ends, however it does.

    Where the system has no such locks, nobody is kept out.
    """
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
