"""Lines from the keyboard: edited and completed, where there is a terminal and readline."""

from __future__ import annotations

import contextlib
import io
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

__all__ = ["can_edit", "edited", "read_line"]

# What ends a word: squares stand between commas.
_ENDS: Final = " ,"
_STANDARD_OUTPUT: Final = 1
_ESCAPES: Final = "backslashreplace"


@contextlib.contextmanager
def edited(words: Callable[[str, str], list[str]]) -> Iterator[None]:
    """Let `input` edit lines, and complete words with the Tab key.

    Parameters
    ----------
    words : callable
        Gets what stands before a word, and the word so far; returns what it may become.

    Examples
    --------
    >>> from blokus_fast.cli.editing import edited
    >>> with edited(lambda before, word: []):
    ...     pass
    """
    readline = _readline()
    if readline is None:
        yield
        return
    found: list[str] = []

    def complete(word: str, number: int) -> str | None:
        if number == 0:
            # An error would be lost within readline.
            found[:] = words(readline.get_line_buffer()[: readline.get_begidx()], word)
        return found[number] if number < len(found) else None

    old = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims(_ENDS)
    # The readline of macOS is another one.
    other = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if other else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(old[0])
        readline.set_completer_delims(old[1])


def can_edit() -> bool:
    """Tell whether lines are edited and completed.

    Examples
    --------
    >>> from blokus_fast.cli.editing import can_edit
    >>> can_edit() in (True, False)
    True
    """
    return _readline() is not None


def read_line(prompt: str) -> str:
    """Ask for a line, whatever there is of input and output.

    Parameters
    ----------
    prompt : str
        What to say before it.

    Returns
    -------
    str
        The line; bytes that are no text are in it as escapes.

    Raises
    ------
    EOFError
        There are no more lines, or nothing to read them from.
    """
    if sys.stdin is None:
        raise EOFError
    if isinstance(sys.stdin, io.TextIOWrapper) and sys.stdin.errors != _ESCAPES:
        # Possible only before the first read.
        with contextlib.suppress(io.UnsupportedOperation):
            sys.stdin.reconfigure(errors=_ESCAPES)
    if sys.stdout is not None:
        return input(prompt)
    # Nobody is looking, and `input` would refuse.
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line


def _readline() -> Any:
    """Return the module, where there is a person to use it, and `input` does so."""
    if sys.stdin is None or sys.stdout is None:
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    # Records may have the standard output to themselves, and all else the standard error: there
    # `input` edits nothing.
    if sys.stdout.fileno() != _STANDARD_OUTPUT:
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline
