"""How far long work is: shown on a terminal, nowhere else, and ended by Ctrl-C."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("click", reason="the command line is the extra `cli`")
pytest.importorskip("rich", reason="the command line is the extra `cli`")
pytest.importorskip("pty", reason="there are no pseudo-terminals")

from terminal import Terminal

PROGRAM = (sys.executable, "-m", "blokus_fast")


def test_a_long_count_shows_how_far_it_is(tmp_path: Path) -> None:
    with Terminal(*PROGRAM, "perft", "classic", "6", cwd=tmp_path) as terminal:
        terminal.wait_until(r"first move +0/58 .* 0%")
        # What lies behind one first move is more than one step.
        terminal.wait_until(r"first move +\d+/58 .* [1-9]%", 300)
        assert "Ctrl-C" in terminal.screen.text
        terminal.process.send_signal(signal.SIGINT)
        assert terminal.end() == 130
        lines = terminal.screen.text.splitlines()
        # The bar is gone.
        assert re.fullmatch(
            r"interrupted: [\d,]+ move sequences counted, \d+ of .* done", lines[-1]
        )
        assert not any("%" in line for line in lines)
        assert terminal.screen.wrapped == 0


def test_a_measurement_shows_how_far_it_is(tmp_path: Path) -> None:
    words = ("bench", "--variant", "duo", "--seconds", "0.3")
    with Terminal(*PROGRAM, *words, cwd=tmp_path) as terminal:
        terminal.wait_until("0/7 .*legal list")
        terminal.wait_until("3/7 .*push")
        assert terminal.end() == 0
        assert "/7" not in terminal.screen.text
        assert "native playout" in terminal.screen.text
        assert terminal.screen.wrapped == 0


@pytest.mark.parametrize("words", [("perft", "classic", "4"), ("bench", "--seconds", "0")])
def test_where_nobody_looks_nothing_is_shown(words: tuple[str, ...], tmp_path: Path) -> None:
    done = subprocess.run(
        [*PROGRAM, *words], capture_output=True, text=True, cwd=tmp_path, timeout=120, check=True
    )
    assert "\x1b" not in done.stdout + done.stderr
    assert "%" not in done.stderr
