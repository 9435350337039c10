"""Whole games of the official Python client on our server, and of our bots in it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest import Result, Server

pytest.importorskip("socha", reason="the official client is in the extra `contest`")

PROGRAM = Path(__file__).parent / "official_client.py"


def meet(one: tuple[str, ...], other: str, path: Path) -> tuple[list[str], Result]:
    """Let the official client play as team one against a bot; return what it printed."""
    with Server(port=0, games=1, opening="Y", save=path, soft=10) as server:
        codes = server.prepare(("official", "ours")).reservations
        program = subprocess.Popen(
            [sys.executable, "-P", str(PROGRAM), str(server.port), codes[0], *one],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        guest = server.invite(bots.make(other, seed=1), reservation=codes[1])
        [result] = server.wait(120)
        out, err = program.communicate(timeout=60)
        guest.join(10)
    assert program.returncode == 0, err
    assert guest.report.problems == []
    assert guest.report.result == result
    return out.splitlines(), result


# Random play never places all pieces: version 5.1 of the client cannot read the state in which
# somebody has, and ends.
@pytest.mark.parametrize("one", [(), ("random",)], ids=["its own logic", "a bot of ours in it"])
def test_a_whole_game_of_the_official_client(one: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "game.blksgf"
    said, result = meet(one, "random", path)
    assert result.regular, result.reason
    team = "ONE" if result.winner == 0 else "TWO"
    assert said[0] == f"winner {team} True {result.reason}"
    assert said[1] == f"score official ONE {' '.join(map(str, result.scores[0]))}"
    assert said[2] == f"score ours TWO {' '.join(map(str, result.scores[1]))}"
    board = bf.records.read(path).end().board()
    assert board.is_game_over
    assert [score + 178 for score in board.player_scores()] == [p[1] for p in result.scores]
