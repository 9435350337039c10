"""The command line ``blokus-fast``.

Needs the extra ``cli`` (click and rich), which nothing else in the package imports.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from typing import NoReturn

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
        Always; with code 2 for wrong usage, or where click or rich are missing, and 1 where
        the output cannot be written.

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
    from blokus_fast.cli.app import cli

    try:
        cli.main(args, prog_name="blokus-fast")
    except OSError as error:
        # Mostly a full disk behind the standard output; click itself sees to a closed pipe.
        print(f"Error: {error}", file=sys.stderr)
        raise SystemExit(1) from None
    raise SystemExit(0)
