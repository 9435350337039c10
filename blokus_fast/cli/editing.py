"""Line editing, a history and completion at the keyboard, where the system has readline."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator
from typing import Any, Final

__all__ = ["edited"]

# What ends a word: squares stand between commas.
_ENDS: Final = " ,"


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


def _readline() -> Any:
    """Return the module, where there is a person to use it."""
    if sys.stdin is None or sys.stdout is None:
        return None
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    try:
        import readline
    except ImportError:
        return None
    return readline
