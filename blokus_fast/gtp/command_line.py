"""Commands that start a program: text to words, by the rules of the system. Runs nothing."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from collections.abc import Sequence
from typing import Final

__all__ = ["join_command", "split_command"]

# Backslashes and the quote behind them; a quote; blanks; what is none of these.
_PART: Final = re.compile(r'(\\*)"|([ \t\r\n]+)|((?:[^\\" \t\r\n]|\\+(?![\\"]))+)')


def split_command(command: str, *, windows: bool | None = None) -> list[str]:
    r"""Split a command into a program and its arguments.

    Parameters
    ----------
    command : str
        The command.
    windows : bool, optional
        Whether to split it as programs on Windows do, where a backslash is an ordinary sign unless
        it stands before a double quote, and a single quote is one too. Default: on Windows so,
        elsewhere as a shell does.

    Returns
    -------
    list of str
        The words.

    Raises
    ------
    ValueError
        A quote is not closed, or a backslash is the last sign.

    Examples
    --------
    >>> from blokus_fast.gtp.command_line import split_command
    >>> split_command("pentobi-gtp --book 'my book.blksgf'", windows=False)
    ['pentobi-gtp', '--book', 'my book.blksgf']
    >>> split_command(r'C:\Games\pentobi-gtp.exe --book "my book.blksgf"', windows=True)
    ['C:\\Games\\pentobi-gtp.exe', '--book', 'my book.blksgf']
    """
    if windows is None:
        windows = os.name == "nt"
    try:
        return _windows_words(command) if windows else shlex.split(command)
    except ValueError:
        raise ValueError(
            f"a quote or an escape is not closed in the command {command[:200]!r}"
        ) from None


def _windows_words(command: str) -> list[str]:
    """Split as the C runtime of Windows does."""
    words: list[str] = []
    word: list[str] | None = None
    quoted = False
    place = 0
    while place < len(command):
        found = _PART.match(command, place)
        assert found is not None
        place = found.end()
        if found[2] is not None and not quoted:
            if word is not None:
                words.append("".join(word))
            word = None
            continue
        word = [] if word is None else word
        if found[1] is None:
            word.append(found[0])
            continue
        # Backslashes count half before a quote, and an odd one makes a sign of it.
        half, odd = divmod(len(found[1]), 2)
        word.append("\\" * half)
        if odd:
            word.append('"')
        elif quoted and command.startswith('"', place):
            word.append('"')
            place += 1
        else:
            quoted = not quoted
    if quoted:
        raise ValueError
    return words if word is None else [*words, "".join(word)]


def join_command(words: Sequence[str]) -> str:
    """Write words as a command that is split into them again."""
    return subprocess.list2cmdline(words) if os.name == "nt" else shlex.join(words)
