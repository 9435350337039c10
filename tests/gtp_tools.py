"""What the tests of GTP share: engines to start, and a watch on what they leave behind."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FAKE = Path(__file__).parent / "data" / "fake_engine.py"
OURS = [sys.executable, "-m", "blokus_fast", "gtp"]
PROC = Path("/proc")


def fake(*faults: str) -> list[str]:
    """Return the command of an engine with faults."""
    return [sys.executable, "-S", "-E", str(FAKE), *faults]


def all_processes() -> Iterator[tuple[int, str, int, int]]:
    """Yield number, state, parent and group of every process."""
    for folder in PROC.glob("[0-9]*"):
        try:
            status = (folder / "stat").read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        state, parent, group = status.rpartition(")")[2].split()[:3]
        yield int(folder.name), state, int(parent), int(group)


def children() -> set[int]:
    """Return the processes that this one has started, dead ones that nobody waited for too."""
    return {number for number, _, parent, _ in all_processes() if parent == os.getpid()}


def in_group(pid: int) -> set[int]:
    """Return an engine and the processes that it has started, as long as they live."""
    return {number for number, state, _, group in all_processes() if group == pid and state != "Z"}


def open_files() -> int:
    """Return how many files are open."""
    folder = PROC / "self" / "fd"
    return len(list(folder.iterdir())) if folder.exists() else 0


def threads() -> set[int | None]:
    """Return the threads that serve engines."""
    return {thread.ident for thread in threading.enumerate() if thread.name.startswith("gtp ")}


@contextmanager
def nothing_left() -> Iterator[None]:
    """Hold that no process, no thread and no open file is left that was not there before."""
    processes, running, files = children(), threads(), open_files()
    yield
    # What was killed may take a moment to go.
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        if children() <= processes and threads() <= running and open_files() <= files:
            break
        time.sleep(0.01)
    assert children() <= processes
    assert threads() <= running
    assert open_files() <= files
