"""The tutorial, as somebody would follow it: the file it builds, its commands, what they print."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "tutorial.md").read_text(encoding="utf-8")


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)


def program() -> str:
    """Return the file that the page builds, block by block."""
    return "\n\n".join(block for block in blocks("python") if not block.startswith(">>>"))


def sessions() -> list[tuple[str, list[str]]]:
    """Return the commands of the package, each with the lines that the page shows below it."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks("console"):
        for line in block.splitlines():
            if line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
    return [(command, shown) for command, shown in found if command.startswith("blokus-fast ")]


def figures(line: str) -> str:
    """Return a line of a table without its blanks, and without what differs from run to run."""
    # Processor time stands behind the margin, at the end of a row.
    return re.sub(r"( [+-]\d+\.\d) +[\d.]+$", r"\1", line.strip()).replace(" ", "")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for needed in ("choix", "click", "matplotlib"):
        pytest.importorskip(needed, reason="the arena is the extra `arena`")
    (tmp_path / "mybot.py").write_text(program(), encoding="utf-8")
    return tmp_path


def test_the_page_has_what_is_tested() -> None:
    assert re.findall(r"^class (\w+)", program(), flags=re.MULTILINE) == [
        "Large",
        "Corners",
        "Room",
    ]
    assert sum(bool(shown) for _, shown in sessions()) == 4
    assert len(sessions()) >= 8


@pytest.mark.costly
def test_commands_print_what_the_page_shows(folder: Path) -> None:
    for command, shown in sessions():
        words = shlex.split(command)[1:]
        done = subprocess.run(
            [sys.executable, "-W", "error", "-m", "blokus_fast", *words],
            cwd=folder,
            capture_output=True,
            encoding="utf-8",
            check=False,
            timeout=300,
        )
        assert done.returncode == 0, (command, done.stderr)
        printed = [figures(line) for line in done.stdout.splitlines()]
        for line in shown:
            assert figures(line) in printed, (
                f"{command}\ndoes not print\n{line}\nbut\n{done.stdout}"
            )
    assert (folder / "analyzed.html").is_file()


def test_the_bot_beats_greedy() -> None:
    """What the title says, by the figures that the test above compares."""
    shown = "\n".join(line for _, lines in sessions() for line in lines)
    score = re.search(r"mybot:Room .* (\d+\.\d) %", shown)
    interval = re.search(r"mybot:Room .*\n.*\[(\d+\.\d), ", shown)
    assert score is not None
    assert interval is not None
    assert float(score[1]) > 80
    assert float(interval[1]) > 50
