"""The command line ``blokus-fast``.

Needs the extra ``cli`` (click and rich), which nothing else in the package imports.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NoReturn

from blokus_fast import _starting
from blokus_fast.extras import install_hint

__all__ = ["main"]


def main(args: Sequence[str] | None = None) -> NoReturn:
    """Run the command line, and leave the interpreter with its exit code.

    Parameters
    ----------
    args : sequence of str, optional
        What stands behind the program's name. Default: the process's own arguments.

    Raises
    ------
    SystemExit
        Always; with code 2 for wrong usage, or where click or rich are missing, 1 where
        the output cannot be written, and 130 after Ctrl-C.

    Examples
    --------
    >>> from blokus_fast.cli import main
    >>> try:
    ...     main(["perft", "duo", "1"])
    ... except SystemExit as end:
    ...     print("exit code", end.code)
    duo (any), depth 1: 828 move sequences
    exit code 0
    """
    if sys.stderr is None:
        # What is said there would go to the standard output, among what is printed.
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - to the end
    missing = [name for name in ("click", "rich") if find_spec(name) is None]
    if missing:
        print(
            f"blokus-fast: the command line needs {' and '.join(missing)}. "
            f"Install it with: {install_hint('cli')}",
            file=sys.stderr,
        )
        raise SystemExit(2)
    try:
        from blokus_fast.cli.app import cli

        try:
            _starting.ready()
            cli.main(args, prog_name="blokus-fast")
        finally:
            # Else the interpreter does it, and says in its own words that it cannot.
            if sys.stdout is not None:
                sys.stdout.flush()
    except OSError as error:
        if error.errno == errno.EPIPE:
            # Nobody reads any more, and the interpreter would try once more.
            _forget_output()
            raise SystemExit(1) from None
        what = "the standard output" if error.filename is None else error.filename
        print(f"Error: cannot write {what}: {error.strerror or error}", file=sys.stderr)
        _forget_output()
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        print(_starting.INTERRUPTED, file=sys.stderr)
        raise SystemExit(_starting.INTERRUPTED_CODE) from None
    raise SystemExit(0)


def _forget_output() -> None:
    """Let the end of the interpreter write nowhere what could not be written."""
    if sys.stdout is not None:
        with contextlib.suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, sys.stdout.fileno())
            os.close(nowhere)
