"""Builds bench_core in a folder of its own, and names what figures depend on: compiler and CPU."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

__all__ = [
    "ROOT",
    "GateError",
    "build_bench_core",
    "compiler_name",
    "cpu_name",
    "run",
]

ROOT: Final = Path(__file__).resolve().parents[2]


class GateError(Exception):
    """The gate could not do its work; the message says why."""


def run(
    command: Sequence[str | Path], variables: Mapping[str, str] | None = None, cwd: Path = ROOT
) -> str:
    """Run a command; return what it prints, or raise GateError with its last lines."""
    words = [str(word) for word in command]
    done = subprocess.run(
        words,
        cwd=cwd,
        env={**os.environ, **(variables or {})},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        said = "\n".join((done.stdout + done.stderr).splitlines()[-30:])
        raise GateError(f"exit code {done.returncode} from: {' '.join(words)}\n{said}")
    return done.stdout


def build_bench_core(folder: Path, wrap: Path | None = None) -> Path:
    """Build bench_core with CMake; return the program.

    With `wrap`, a C file that replaces functions (see cmake/bench.cmake), a second program
    `bench_core_wrapped` is built beside it.
    """
    if shutil.which("cmake") is None:
        raise GateError(
            "cmake is needed to build bench_core, and was not found (pip install cmake)"
        )
    if not (ROOT / "CMakeLists.txt").exists():
        raise GateError(f"the gate builds from the source tree, and {ROOT} has no CMakeLists.txt")
    configure: list[str | Path] = [
        "cmake", "-S", ROOT, "-B", folder, "-DCMAKE_BUILD_TYPE=Release",
        "-DSKBUILD_PROJECT_NAME=blokus_fast", "-DSKBUILD_PROJECT_VERSION=0",
        "-DBLOKUS_FAST_BENCH=ON", f"-DPython_EXECUTABLE={sys.executable}",
        f"-DBLOKUS_FAST_BENCH_WRAP={wrap or ''}",
    ]  # fmt: skip
    if shutil.which("ninja") and not (folder / "CMakeCache.txt").exists():
        configure += ["-G", "Ninja"]
    run(configure)
    run(["cmake", "--build", folder, "--parallel", str(os.cpu_count() or 1)])
    return folder / "bench_core"


def compiler_name(bench_folder: Path) -> str:
    """Return compiler, version and architecture of a build of bench_core."""
    built = json.loads((bench_folder / "bench_build.json").read_text(encoding="utf-8"))
    return f"{built['compiler']} {built['version']} {built['architecture']}"


def cpu_name() -> str:
    """Return the model of the CPU, with the numbers that tell models of one name apart."""
    fields: dict[str, str] = {}
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            name, _, value = line.partition(":")
            fields.setdefault(name.strip(), value.strip())
    except OSError:
        pass
    if "model name" in fields:
        numbers = [fields.get(name, "?") for name in ("cpu family", "model", "stepping")]
        return f"{fields['model name']} ({'-'.join(numbers)})"
    if sys.platform == "darwin":
        return run(["sysctl", "-n", "machdep.cpu.brand_string"]).strip()
    return platform.processor() or platform.machine()
