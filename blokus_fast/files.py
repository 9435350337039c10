"""Writing files so that each is whole: the new one, or else the old one as it was.

All that this package writes to a path goes through here. Knows nothing of what is in a file.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterable, Iterator
from os import PathLike
from typing import BinaryIO, Final

__all__ = [
    "check_writable",
    "remove_leftovers",
    "replaced",
    "same_file",
    "write_file",
    "write_new",
]

# What has such a name is open already, and would not notice that it was replaced.
_OPEN: Final = ("/dev/fd/", "/dev/std", "/proc/")
# What temporary files are called.
PREFIX: Final = ".blokus-fast-"
SUFFIX: Final = ".tmp"
# Windows would make CR LF of LF otherwise.
_FLAGS: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def replaced(target: str | PathLike[str], *, synced: bool = True) -> Iterator[BinaryIO]:
    """Open a file to write it anew; it takes the old one's place when all is written.

    What is written goes to a temporary file in the same folder, which is on the disk before it is
    given its name. An error, a full disk or the end of the process leaves an old file as it was;
    only a process that is killed leaves the temporary file, too, a hidden one that ends in
    ``.tmp``. The old file's mode is kept, a symbolic link goes on to point where it did, and what
    is no file, such as a pipe or a device, is written to as it is.

    Parameters
    ----------
    target : str or path
        The file.
    synced : bool
        Whether to wait until it is on the disk. What can be made again need not: it may be empty
        after the computer, not only the process, has stopped.

    Yields
    ------
    binary file
        What to write to.

    Raises
    ------
    OSError
        It cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from blokus_fast.files import replaced
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "games.txt")
    ...     for text in (b"old", b"new"):
    ...         with replaced(path) as file:
    ...             _ = file.write(text)
    ...     [found.name for found in Path(folder).iterdir()], path.read_text()
    (['games.txt'], 'new')
    """
    path = os.fsdecode(target)
    with _named(path):
        place, old = _place(path)
        if place is not None:
            temporary, descriptor = _temporary(place)
    if place is None:
        with open(path, "wb") as file:
            yield file
        return
    try:
        with open(descriptor, "wb") as file:
            if old is not None:
                _take_after(temporary, old)
            yield file
            file.flush()
            if synced:
                os.fsync(descriptor)
        with _named(path):
            os.replace(temporary, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise


def write_file(
    target: str | PathLike[str], data: bytes | Iterable[bytes], *, synced: bool = True
) -> None:
    """Write a file as a whole, in the way of `replaced`.

    Parameters
    ----------
    target : str or path
        The file.
    data : bytes or iterable of bytes
        What is to be in it.
    synced : bool
        As for `replaced`.

    Raises
    ------
    OSError
        It cannot be written; an old file is as it was.

    Examples
    --------
    >>> import os, tempfile
    >>> from blokus_fast.files import write_file
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_file(os.path.join(folder, "hello.txt"), b"hello")
    ...     os.path.getsize(os.path.join(folder, "hello.txt"))
    5
    """
    with replaced(target, synced=synced) as file:
        file.writelines([data] if isinstance(data, bytes) else data)


def write_new(target: str | PathLike[str], data: bytes) -> None:
    """Write a file that is not there yet, as a whole; of two who try, one gets the name.

    Parameters
    ----------
    target : str or path
        The file.
    data : bytes
        What is to be in it.

    Raises
    ------
    FileExistsError
        Something of that name is there.
    OSError
        It cannot be written.

    Examples
    --------
    >>> import os, tempfile
    >>> from blokus_fast.files import write_new
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_new(os.path.join(folder, "hello.txt"), b"hello")
    ...     try:
    ...         write_new(os.path.join(folder, "hello.txt"), b"bye")
    ...     except FileExistsError:
    ...         os.listdir(folder), os.path.getsize(os.path.join(folder, "hello.txt"))
    (['hello.txt'], 5)
    """
    path = os.path.abspath(os.fsdecode(target))
    with _named(os.fsdecode(target)):
        temporary, descriptor = _temporary(path)
        try:
            with open(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(descriptor)
            _give_new_name(temporary, path)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(temporary)


def check_writable(target: str | PathLike[str]) -> None:
    """Find out whether a file could be written, and change nothing.

    Parameters
    ----------
    target : str or path
        The file.

    Raises
    ------
    OSError
        It could not, for instance since there is no such folder.

    Examples
    --------
    >>> from blokus_fast.files import check_writable
    >>> check_writable("no/such/folder/game.blksgf")
    Traceback (most recent call last):
    ...
    FileNotFoundError: [Errno 2] No such file or directory: 'no/such/folder/game.blksgf'
    """
    path = os.fsdecode(target)
    with _named(path):
        place, _ = _place(path)
        if place is not None:
            temporary, descriptor = _temporary(place)
            os.close(descriptor)
            os.unlink(temporary)
        elif not os.access(path, os.W_OK):
            raise _error(errno.EACCES, path)


def remove_leftovers(folder: str | PathLike[str], older: float = 3600.0) -> None:
    """Remove the temporary files that killed processes have left in a folder.

    Parameters
    ----------
    folder : str or path
        The folder.
    older : float
        Seconds that such a file has not been written to: a younger one may still be in use.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from blokus_fast.files import PREFIX, remove_leftovers
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = Path(folder, f"{PREFIX}0123456789abcdef.tmp").write_text("half a")
    ...     remove_leftovers(folder, older=0)
    ...     list(Path(folder).iterdir())
    []
    """
    before = time.time() - older
    with os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(PREFIX) and entry.name.endswith(SUFFIX):
                with contextlib.suppress(OSError):
                    if entry.stat().st_mtime <= before:
                        os.unlink(entry.path)


def same_file(one: str | PathLike[str], other: str | PathLike[str]) -> bool:
    """Tell whether two paths lead to one file, by links or otherwise.

    Parameters
    ----------
    one, other : str or path
        The paths; what is not there is not the same as anything.

    Returns
    -------
    bool
        Whether they do.

    Examples
    --------
    >>> from blokus_fast.files import same_file
    >>> same_file(".", "./."), same_file(".", "no-such-file")
    (True, False)
    """
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False


def _place(path: str) -> tuple[str | None, os.stat_result | None]:
    """Return where a file is, past links, and what it is; no place where it is not a file."""
    try:
        old = os.stat(path)
    except FileNotFoundError:
        if not os.path.basename(path):
            raise
        # Behind a link that leads nowhere, the file is made.
        return os.path.realpath(path), None
    if stat.S_ISDIR(old.st_mode):
        raise _error(errno.EISDIR, path)
    if not stat.S_ISREG(old.st_mode) or os.path.abspath(path).startswith(_OPEN):
        return None, None
    if not os.access(path, os.W_OK):
        # A file that nobody may write could be replaced all the same.
        raise _error(errno.EACCES, path)
    return os.path.realpath(path), old


def _temporary(place: str) -> tuple[str, int]:
    """Make an empty file beside a place; return its name and an open descriptor."""
    folder = os.path.dirname(place)
    while True:
        name = os.path.join(folder, f"{PREFIX}{os.urandom(8).hex()}{SUFFIX}")
        with contextlib.suppress(FileExistsError):
            return name, os.open(name, _FLAGS, 0o666)


def _give_new_name(temporary: str, path: str) -> None:
    """Give a file a name that nothing has; the old one may stay as well."""
    if os.name == "nt":
        os.rename(temporary, path)
        return
    try:
        os.link(temporary, path)
    except OSError as error:
        # Not every file system has links. Between the look and the rename nothing is held.
        if isinstance(error, FileExistsError) or os.path.lexists(path):
            raise _error(errno.EEXIST, path) from None
        os.rename(temporary, path)


def _take_after(temporary: str, old: os.stat_result) -> None:
    """Give a file the owner and the mode of another, as far as that is possible."""
    if hasattr(os, "chown"):
        with contextlib.suppress(OSError):
            os.chown(temporary, old.st_uid, old.st_gid)
    with contextlib.suppress(OSError):
        os.chmod(temporary, stat.S_IMODE(old.st_mode))


def _error(number: int, path: str) -> OSError:
    return OSError(number, os.strerror(number), path)


@contextlib.contextmanager
def _named(path: str) -> Iterator[None]:
    """Let errors about temporary files name the file that was to be written."""
    try:
        yield
    except OSError as error:
        if error.errno is None or error.filename in (None, path):
            raise
        raise OSError(error.errno, error.strerror, path) from None
