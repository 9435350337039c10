"""Instruction counts of fixed work, by valgrind's callgrind.

Counts do not depend on the load of the machine, and are the same every time. The kernel is the
baseline one, since valgrind does not know AVX-512 and not every computer has it.
"""

from __future__ import annotations

import os
import re
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from .building import GateError, run

__all__ = ["CASES", "baseline_kernel", "count"]

CASES: Final = ("list", "count", "sample")
"""Cases of ``bench_core --fixed``."""

BASELINES: Final = {"x86_64": "v2", "AMD64": "v2", "aarch64": "neon", "arm64": "neon"}


def baseline_kernel(compiler: str) -> str:
    """Return the kernel that every CPU of a compiler's architecture has."""
    return next((name for cpu, name in BASELINES.items() if cpu in compiler), "portable")


def count(bench_core: Path, kernel: str) -> dict[str, float]:
    """Count the instructions of a kernel on all positions of bench_core, without the set-up."""
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(os.cpu_count()) as pool:

        def total(case: str) -> int:
            out = Path(name) / case
            callgrind = ("valgrind", "--tool=callgrind", f"--callgrind-out-file={out}")
            run([*callgrind, bench_core, "--fixed", case, "--kernel", kernel])
            found = re.search(r"^totals: (\d+)", out.read_text(encoding="utf-8"), re.MULTILINE)
            if found is None:
                raise GateError(f"callgrind wrote no total to {out}")
            return int(found[1])

        nothing, *totals = pool.map(total, ("none", *CASES))
    return {case: each - nothing for case, each in zip(CASES, totals, strict=True)}
