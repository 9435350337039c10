"""Run Cython so that what it writes does not depend on where one builds.

Called by CMake as ``transpile.py SOURCES ARGUMENTS``, where SOURCES is the root of the sources and
the arguments are Cython's own, with ``--output-file``. Cython names source files as they are seen
from the folder that it runs in, which therefore is the root; in the list of what the file depends
on, CMake would take such names for others, so that they are made absolute there.
"""

import os
import sys
from pathlib import Path

from Cython.Compiler.Main import main

BETWEEN = " \\\n  "


def make_absolute(depfile: Path) -> None:
    """Make the paths of a list absolute: target, colon, and what it depends on."""
    target, *sources = depfile.read_text(encoding="utf-8").rstrip().split(BETWEEN)
    paths = [os.path.abspath(target.removesuffix(":")) + ":", *map(os.path.abspath, sources)]
    depfile.write_text(BETWEEN.join(paths) + "\n", encoding="utf-8")


if __name__ == "__main__":
    root = sys.argv.pop(1)
    output = Path(sys.argv[sys.argv.index("--output-file") + 1]).absolute()
    os.chdir(root)
    # It ends the process itself when something is wrong.
    main(command_line=1)
    make_absolute(Path(f"{output}.dep"))
