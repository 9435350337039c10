"""A search that uses all its time is never late, on a machine that has other things to do."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest.thinking import Thinker
from blokus_fast.contest.timing import MoveTime

COMMAND = (sys.executable, "-P", "-m", "blokus_fast")
BOT = "mcts:time=1.8,memory=64"
# Games at a time for each processor: no search has one of its own.
CROWD = 2


@pytest.fixture
def load():
    """Keep every processor busy twice."""
    spin = [sys.executable, "-c", "while True: pass"]
    busy = [subprocess.Popen(spin) for _ in range(2 * (os.cpu_count() or 1))]
    yield
    for process in busy:
        process.kill()
        process.wait()


@pytest.mark.costly
def test_a_search_is_in_time_under_load(load: None) -> None:
    """The short form: some moves, with the margin that the client has."""
    board = bf.Board(bf.variants.software_challenge_2027("W"))
    times = MoveTime(1.0, margin=0.3)
    with Thinker(bots.make("mcts:time=0.9,memory=64", seed=1)) as thinker:
        thinker.begin(board.variant)
        for _ in range(12):
            received = time.monotonic()
            choice = thinker.choose(board, times.deadline(received), times.latest(received))
            times.answered(time.monotonic())
            assert time.monotonic() - received < times.limit
            assert choice.problem is None
            board.push(choice.move)


@pytest.mark.slow
def test_200_games_of_a_search_without_a_late_answer() -> None:
    """As in the contest: 2 s a move by the server's clock, a process for each player."""
    crowd = CROWD * (os.cpu_count() or 1)
    each = -(-200 // crowd)
    servers, clients = [], []
    try:
        for seed in range(crowd):
            server = subprocess.Popen(
                [*COMMAND, "contest-server", "--port", "0", "--games", str(each), "--bot", "random",
                 "--seed", str(seed)],
                stdout=subprocess.PIPE, text=True,
            )  # fmt: skip
            servers.append(server)
            port = server.stdout.readline().split()[-1]
            client = subprocess.Popen(
                [*COMMAND, "contest", "--bot", BOT, "--host", "127.0.0.1", "--port", port,
                 "--survive", "--log_level", "40"],
                stdout=subprocess.DEVNULL,
            )  # fmt: skip
            clients.append(client)
        lines = [line for server in servers for line in server.communicate()[0].splitlines()]
    finally:
        for process in servers + clients:
            process.kill()
            process.wait()
    assert len(lines) == crowd * each >= 200
    late = [line for line in lines if not line.endswith(("more points", "same points"))]
    assert not late, "\n".join(late)
