"""Instruction counts of fixed work, by valgrind's callgrind.

Counts do not depend on the load of the machine, and are the same every time. The kernel is the
baseline one, since valgrind does not know AVX-512 and not every computer has it.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from .building import GateError, run

__all__ = ["CORE_CASES", "PYTHON_CASES", "count_core", "count_python", "inclusive_counts"]

CORE_CASES: Final = ("list", "count", "sample")
"""Cases of ``bench_core --fixed``."""

PYTHON_CASES: Final = {
    "push": "5Board_{}push",
    "pop": "5Board_{}pop",
    "copy": "5Board_{}copy",
    "legal_ids(out=)": "5Board_{}legal_ids",
    "playouts": "{}_playouts",
    "batch sample": "5Batch_{}_draw",
    "batch step": "5Batch_{}_step",
    "batch mask": "5Batch_{}_mask",
    "batch list": "5Batch_{}_list",
}
"""Functions that Python calls, and how Cython names them (`{}` stands for a number)."""

_WORK: Final = Path(__file__).with_name("python_work.py")


def _callgrind(command: Iterable[str | Path], out: Path, *options: str, **variables: str) -> str:
    return run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", *options, *command],
        variables,
    )


def _total(out: Path) -> int:
    found = re.search(r"^totals: (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
    if found is None:
        raise GateError(f"callgrind wrote no total to {out}")
    return int(found[1])


def count_core(bench_core: Path, kernel: str) -> dict[str, float]:
    """Count the instructions of the kernel on all positions of bench_core, without the set-up."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:

        def count(case: str) -> int:
            out = Path(name) / case
            _callgrind([bench_core, "--fixed", case, "--kernel", kernel], out)
            return _total(out)

        nothing, *totals = pool.map(count, ("none", *CORE_CASES))
    return {case: total - nothing for case, total in zip(CORE_CASES, totals, strict=True)}


def _symbols(library: Path) -> dict[str, str]:
    """Return the symbol of the wrapper that Python calls, for each case."""
    if shutil.which("nm") is None:
        raise GateError("nm (binutils) is needed to find the functions of the extension")
    names = re.findall(r"\S+$", run(["nm", library]), re.MULTILINE)
    found = {}
    for case, form in PYTHON_CASES.items():
        pattern = re.compile(r"__pyx_pw_11blokus_fast_5_core_" + form.format(r"\d+"))
        matches = [name for name in names if pattern.fullmatch(name)]
        if len(matches) != 1:
            raise GateError(f"{case}: {len(matches)} functions in {library.name} match {pattern}")
        found[case] = matches[0]
    return found


def inclusive_counts(profile: str) -> dict[str, tuple[int, int]]:
    """Read a callgrind profile: function -> (calls, instructions of it and all that it calls).

    A function's name is written once, with a number in brackets that stands for it later on.
    """
    names: dict[str, str] = {}
    counts: dict[str, tuple[int, int]] = {}
    called = ""
    calls = 0
    for line in profile.splitlines():
        if found := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            if found[2]:
                names[found[1]] = found[2]
            if line.startswith("cfn"):
                called = found[1]
        elif line.startswith("calls="):
            calls = int(line[6:].split()[0])
        elif calls:
            # The line behind "calls=" has where the call is, and what it cost.
            so_far = counts.get(called, (0, 0))
            counts[called] = (so_far[0] + calls, so_far[1] + int(line.split()[1]))
            calls = 0
    return {names[number]: count for number, count in counts.items()}


def count_python(site: Path, kernel: str) -> dict[str, float]:
    """Count the instructions of calls from Python, from the wrapper inwards."""
    import numpy

    (library,) = (site / "blokus_fast").glob("_core.*.so")
    symbols = _symbols(library)
    # -S: an editable install would put itself before the folder that is to be measured.
    path = os.pathsep.join([str(site), str(Path(numpy.__file__).parents[1])])
    with tempfile.TemporaryDirectory() as name:
        out = Path(name) / "python"
        said = _callgrind(
            [sys.executable, "-S", _WORK],
            out,
            *[f"--toggle-collect={symbol}" for symbol in symbols.values()],
            PYTHONPATH=path,
            PYTHONHASHSEED="0",
            BLOKUS_FAST_KERNEL=kernel,
        )
        counts = inclusive_counts(out.read_text(encoding="utf-8"))
    expected = dict(line.rsplit(" ", 1) for line in said.splitlines())
    result: dict[str, float] = {}
    for case, symbol in symbols.items():
        calls, count = counts.get(symbol, (0, 0))
        if calls != int(expected[case]):
            raise GateError(
                f"{case}: callgrind saw {calls} calls of {symbol} where there were {expected[case]}"
            )
        result[case] = count
    return result
