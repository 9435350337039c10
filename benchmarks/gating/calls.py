"""Times calls from Python, in units of one that Python itself does: a copy of a dict of 8.

Both make an object or look into one, so that figures in that unit are the same, but for a fifth,
for every Python, compiler and CPU that was tried. What kernels need is left out, by asking where
they have nothing to do; but for moves, which ask whether a color can still move.
"""

from __future__ import annotations

import random
import statistics
import time
import timeit
from typing import Any, Final

import numpy as np

import blokus_fast as bf

__all__ = ["VARIANT", "measure"]

VARIANT: Final = "classic"

# Few, so that they stay in the caches: how fast memory is would be another question.
N_GAMES: Final = 4
EVERY: Final = 8
REPEAT: Final = 20
N_BATCH: Final = 256

# What is timed: the loop over all boards, as timeit takes it.
LOOPS: Final = {
    "nothing": "for board in boards: pass",
    "unit": "for copy in units: copy()",
    "push + pop": "for push, pop, move in pairs:\n  push(move)\n  pop()",
    "copy": "for board in boards: board.copy()",
    "copy(stack=False)": "for board in boards: board.copy(stack=False)",
    "legal_ids(), at an end": "for board in ends: board.legal_ids()",
    "legal_ids(out=), at an end": "for board in ends: board.legal_ids(out)",
    "count_legal, at an end": "for board in ends: board.count_legal()",
    "legal_moves": "for board in boards:\n  for move in board.legal_moves: pass",
    "lists": "for moves in lists:\n  for move in moves: pass",
}


def _positions() -> dict[str, Any]:
    """Return what the loops go over: positions of random games, and ends of games, as many."""
    rng = random.Random(2026)
    boards, ends = [], []
    for _ in range(N_GAMES):
        board = bf.Board(VARIANT)
        while not board.is_game_over:
            boards.append(board.copy())
            board.push_unchecked(rng.choice(board.legal_ids().tolist()))
        ends.append(board)
    boards = boards[::EVERY]
    lists = [board.legal_ids().tolist() for board in boards]
    return {
        "boards": boards,
        "ends": [ends[i % N_GAMES] for i in range(len(boards))],
        "lists": lists,
        "pairs": [
            (board.push, board.pop, moves[0]) for board, moves in zip(boards, lists, strict=True)
        ],
        "units": [dict.fromkeys(range(8)).copy for _ in boards],
        "out": np.empty(40000, np.uint16),
    }


def _step_time() -> float:
    """Play a batch to the end; return the seconds that a step of one game took."""
    batch = bf.BatchBoard(N_BATCH, VARIANT)
    spent, steps = 0.0, 0
    while not batch.done.all():
        steps += N_BATCH - int(batch.done.sum())
        actions = batch.sample_actions(1)
        start = time.thread_time()
        batch.step(actions)
        spent += time.thread_time() - start
    return spent / steps


def measure(rounds: int) -> tuple[dict[str, float], float]:
    """Time all loops once a round; return the medians in units, and the unit in ns.

    The unit of a round is that round's: the load of the machine weighs on both.
    """
    names = _positions()
    n_boards, n_moves = len(names["boards"]), sum(map(len, names["lists"]))
    timers = {
        case: timeit.Timer(loop, timer=time.thread_time, globals=names)
        for case, loop in LOOPS.items()
    }
    found: dict[str, list[float]] = {}
    units = []
    for _ in range(rounds):
        times = {case: timer.timeit(REPEAT) / REPEAT / n_boards for case, timer in timers.items()}
        nothing = times.pop("nothing")
        net = {case: seconds - nothing for case, seconds in times.items()}
        unit = net.pop("unit")
        loops = net.pop("legal_moves") - net.pop("lists")
        net["legal_moves, a move"] = loops * n_boards / n_moves
        net["step of a batch, a game"] = _step_time()
        for case, seconds in net.items():
            found.setdefault(case, []).append(seconds / unit)
        units.append(unit * 1e9)
    return (
        {case: statistics.median(values) for case, values in found.items()},
        statistics.median(units),
    )
