"""Ctrl-C while the command line is still being imported: a line and an exit code, no traceback.

The package is imported before its `__main__`, so it is the package that sees to it; only where it
is the program that was started, and until `ready`.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from types import FrameType
from typing import Final, NoReturn

__all__ = ["INTERRUPTED", "INTERRUPTED_CODE", "ready"]

INTERRUPTED: Final = "interrupted"
"""What is said of a command that Ctrl-C has ended."""

INTERRUPTED_CODE: Final = 130
"""What a shell expects of a program that was interrupted."""

_PROGRAM: Final = "blokus-fast"


def _is_program() -> bool:
    """Tell whether this process runs the command line."""
    # Python looks for the module behind -m with that in the place of the program's name.
    if sys.argv[:1] == ["-m"]:
        words = sys.orig_argv
        return words[words.index("-m") + 1 :][:1] == ["blokus_fast"] if "-m" in words else False
    name = os.path.basename(sys.argv[0]) if sys.argv else ""
    return name.removesuffix(".exe") == _PROGRAM


def _end(number: int, frame: FrameType | None) -> NoReturn:
    """End at once: nothing was begun that wants to be ended in another way."""
    try:
        os.write(2, f"{INTERRUPTED}\n".encode())
    finally:
        os._exit(INTERRUPTED_CODE)


def _begin() -> None:
    """Let Ctrl-C end the process quietly, if it runs the command line."""
    if _is_program() and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        # It is not possible in another thread than the first.
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, _end)


def ready() -> None:
    """Let Ctrl-C raise KeyboardInterrupt again."""
    if signal.getsignal(signal.SIGINT) is _end:
        signal.signal(signal.SIGINT, signal.default_int_handler)


_begin()
