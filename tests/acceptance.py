"""From an empty folder: does an installed wheel do all that this project is for?

It goes the way of a newcomer: install the wheel, import, play, learn, use it from C and Cython, let
GTP engines meet in the arena, play a game of the contest. ``python3 dev.py acceptance`` builds a
wheel for each Python and calls it; by itself it takes wheels that are there::

    python3 tests/acceptance.py WHEEL... [--python PYTHON]... [--constraint "numpy==1.26.*"]...

It owns environments, processes and the table; what is done in them is in `acceptance_steps.py`.
Every Python gets an environment of its own in an empty folder, and every step a process and an
empty folder: it reaches nothing of the repository, and one that fails does not hide the others.
What cannot be done with a Python (a library has no binaries for it, there is no C compiler) is
skipped, which ``--no-skips`` counts as a fault. The exit code is 0 if nothing failed.

Only the standard library is needed, and the package index, for numpy and the extras.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
SCRIPT = HERE / "acceptance_steps.py"
CONSUMERS = (HERE / "consumers" / "consumer_c.c", HERE / "consumers" / "consumer_cython.pyx")
STEPS = ("import", "play", "learn", "C", "Cython", "GTP", "contest")

# Seconds that a step may take, installing included, and the exit code of one that was skipped.
LIMIT = 600
SKIPPED = 77


@dataclass
class Outcome:
    """How a step went, and the last that it said."""

    result: str
    seconds: float = 0.0
    note: str = ""


@dataclass
class Row:
    """A Python, and how all steps went."""

    python: str
    version: str
    tag: str
    numpy: str = "-"
    outcomes: dict[str, Outcome] = field(default_factory=dict)


ABOUT = """
import sys, sysconfig
free = "t" if sysconfig.get_config_var("Py_GIL_DISABLED") else ""
print(sys.version.split()[0] + free, "cp%d%d-cp%d%d" % (2 * sys.version_info[:2]) + free)
"""


def about(python: str) -> Row:
    """Ask a Python for its version and the tag of its wheels: both with a `t` without the GIL."""
    if shutil.which(python) is None:
        raise SystemExit(f"--python {python}: there is no such program")
    done = subprocess.run([python, "-c", ABOUT], capture_output=True, text=True, check=False)
    if done.returncode or len(done.stdout.split()) != 2:
        raise SystemExit(f"--python {python}: this is no Python 3")
    version, tag = done.stdout.split()
    return Row(python, version, tag)


def run(command: list[str], folder: Path, variables: dict[str, str]) -> tuple[int, str]:
    """Run a command and whatever it starts, to its end or the limit; return code and output."""
    with subprocess.Popen(
        command, cwd=folder, env=variables, start_new_session=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
    ) as child:  # fmt: skip
        try:
            output, _ = child.communicate(timeout=LIMIT)
        except BaseException as error:
            # Ctrl-C, too: what the command has started ends with it.
            if os.name == "nt":
                child.kill()
            else:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGKILL)
            if not isinstance(error, subprocess.TimeoutExpired):
                raise
            return 1, f"not done after {LIMIT} seconds"
        return child.returncode, output


def do(row: Row, step: str, folder: Path, variables: dict[str, str], *commands: list[str]) -> None:
    """Run the commands of a step one after the other; say how it went, and enter it."""
    print(f"  {step:<8}", end="", flush=True)
    start, code, output = time.monotonic(), 0, ""
    for command in commands:
        code, output = run(command, folder, variables)
        if code:
            break
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    result = {0: "ok", SKIPPED: "skipped"}.get(code, "failed")
    note = lines[-1][:200] if lines else f"exit code {code}"
    outcome = row.outcomes[step] = Outcome(result, time.monotonic() - start, note)
    print(f"{result:<8}{outcome.seconds:6.1f} s  {note}", flush=True)
    if result == "failed":
        print("\n".join(f"    | {line}" for line in output.splitlines()), flush=True)


def fitting(wheels: list[Path], tag: str) -> Path | None:
    """Return the wheel for a Python, or None; one that stands alone pip shall judge."""
    found = [wheel for wheel in wheels if f"-{tag}-" in wheel.name or len(wheels) == 1]
    return found[0] if found else None


def accept(row: Row, wheel: Path, constraints: list[str], folder: Path) -> None:
    """Do all steps with one Python in a folder that is empty."""
    print(f"Python {row.version}, {row.python}", flush=True)
    for file in (SCRIPT, *CONSUMERS):
        shutil.copy(file, folder)
    (folder / "constraints.txt").write_text("\n".join(constraints) + "\n")
    programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
    variables = {name: value for name, value in os.environ.items() if name[:6] != "PYTHON"}
    variables["PATH"] = os.pathsep.join([str(programs), os.environ.get("PATH", os.defpath)])
    # What is broken off, and left, goes with the folder.
    (folder / "tmp").mkdir()
    variables |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder / "tmp"))
    variables["PIP_DISABLE_PIP_VERSION_CHECK"] = "1"
    variables["PIP_CONSTRAINT"] = str(folder / "constraints.txt")
    python = str(programs / "python")
    pip = [python, "-m", "pip", "install", "-q", "--no-compile", "--only-binary", ":all:"]
    found = "next((found.version for found in m.distributions(name='numpy')), '-')"
    numpy = f"import importlib.metadata as m; print('numpy', {found})"
    do(
        row, "install", folder, variables, [row.python, "-m", "venv", "env"],
        [*pip, f"{wheel.resolve()}[cli]"], [python, "-P", "-c", numpy],
    )  # fmt: skip
    if row.outcomes["install"].result != "ok":
        return
    row.numpy = row.outcomes["install"].note.split()[-1]
    for step in STEPS:
        (folder / step).mkdir()
        script = [python, "-P", "-W", "error", str(folder / SCRIPT.name), step]
        do(row, step, folder / step, variables, script)


def table(rows: list[Row]) -> str:
    """Return a line for each Python, and one for each step that failed or was skipped."""
    names = ("install", *STEPS)
    lines = [f"{'Python':<10}{'numpy':<9}" + "".join(f"{name:<9}" for name in names)]
    notes = []
    for row in rows:
        outcomes = {name: row.outcomes.get(name, Outcome("-")) for name in names}
        cells = "".join(f"{outcome.result:<9}" for outcome in outcomes.values())
        lines.append(f"{row.version:<10}{row.numpy:<9}{cells}")
        notes += [
            f"{row.version}, {name}, {outcome.result}: {outcome.note}"
            for name, outcome in outcomes.items()
            if outcome.result in ("failed", "skipped")
        ]
    return "\n".join(line.rstrip() for line in (*lines, *notes))


def main(arguments: list[str] | None = None) -> int:
    """Read the arguments, try every Python, show the table; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("wheels", nargs="+", type=Path, metavar="WHEEL", help="one for each Python")
    parser.add_argument("--python", action="append", help="a program, and again for another one")
    parser.add_argument("--constraint", action="append", default=[], help="what pip shall keep to")
    parser.add_argument("--no-skips", action="store_true", help="count what is skipped as failed")
    chosen = parser.parse_args(arguments)
    for wheel in chosen.wheels:
        if not wheel.is_file():
            parser.error(f"{wheel}: there is no such file")
    rows = [about(python) for python in chosen.python or [sys.executable]]
    interrupted = False
    try:
        for row in rows:
            wheel = fitting(chosen.wheels, row.tag)
            if wheel is None:
                row.outcomes["install"] = Outcome("failed", note=f"no wheel is for {row.tag}")
                continue
            with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
                accept(row, wheel, chosen.constraint, Path(folder))
    except KeyboardInterrupt:
        interrupted = True
        print("\ninterrupted")
    print(f"\n{table(rows)}", flush=True)
    bad = {"failed", "skipped"} if chosen.no_skips else {"failed"}
    found = {outcome.result for row in rows for outcome in row.outcomes.values()}
    return 130 if interrupted else int(not found.isdisjoint(bad))


if __name__ == "__main__":
    raise SystemExit(main())
