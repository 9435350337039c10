"""Do the engines agree, and how long do they take: rounds in turn, medians."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

import blokus_fast as bf

from .engines import BlokusEngine, BlokusRl, Official, Ours, Record

__all__ = ["CASES", "Timing", "check_engine", "check_positions", "measure"]

CASES: Final = {
    "list": "list the legal moves of a position",
    "apply": "apply a move",
    "copy": "copy a position",
    "copy_moves": "copy a position and its past moves",
    "game": "random game, move by move from Python",
    "playout": "random game, native playout",
}

N_GAMES: Final = 3
N_PLAYOUTS: Final = 2000
N_REPEATS: Final = 25


@dataclass(frozen=True)
class Timing:
    """Median time of one case in one engine, and what ours takes in the same rounds."""

    case: str
    package: str
    microseconds: float
    ratio: float
    """Median over the rounds of this time over ours."""


def check_positions(ours: Ours, other: BlokusRl | Official, records: Sequence[Record]) -> str:
    """Compare all legal moves and scores; return what was found in a sentence."""
    positions = moves = 0
    wrong: list[str] = []
    for number, record in enumerate(records):
        pairs = zip(ours.positions(record), other.positions(record), strict=True)
        for ply, (board, game) in enumerate(pairs):
            mine, its = board.legal_ids(), other.legal_ids(game)
            # A pass, where there is one, is no placement.
            mine = mine[mine < board.n_moves]
            positions += 1
            moves += len(mine)
            if not np.array_equal(mine, its):
                wrong.append(
                    f"game {number}, ply {ply}: {len(mine)} legal moves here, {len(its)} there"
                )
        mine_scores, its_scores = ours.scores(record), other.scores(record)
        if mine_scores != its_scores:
            wrong.append(f"game {number}: scores {mine_scores} here, {its_scores} there")
    if wrong:
        return f"{other.package}: {len(wrong)} DISAGREEMENTS, first: {'; '.join(wrong[:3])}"
    return (
        f"{other.package}: the same legal moves in all {positions} positions "
        f"({moves:,} moves), the same final scores in all {len(records)} games"
    )


def check_engine(engine: BlokusEngine, games: int) -> str:
    """Replay games of blokus-engine here; compare the squares that a turn may begin with."""
    turns = 0
    wrong: list[str] = []
    for number in range(games):
        board = bf.Board("classic")
        for color, squares, allowed in engine.turns():
            mine = board.legal_ids()
            by_squares = {frozenset(bf.Move(move).squares): move for move in mine.tolist()}
            union = frozenset().union(*by_squares)
            move = by_squares.get(frozenset(squares))
            if board.turn != color or move is None or union != allowed:
                wrong.append(
                    f"game {number}, ply {board.ply}: color {color} (here {board.turn}), "
                    f"{len(allowed)} squares to begin with (here {len(union)}), "
                    f"its move is {'legal' if move is not None else 'illegal'} here"
                )
                break
            turns += 1
            board.push(move)
    if wrong:
        return (
            f"{engine.package}: {len(wrong)} DISAGREEMENTS in {games} games after {turns} turns "
            f"in agreement, first: {wrong[0]}"
        )
    return f"{engine.package}: the same squares to play on in all {turns} turns of {games} games"


def _time(work: Callable[[], None], n: int) -> float:
    """Return the CPU time of a piece of work in microseconds per unit."""
    start = time.process_time_ns()
    work()
    return (time.process_time_ns() - start) / n / 1000


def measure(
    ours: Ours,
    others: Sequence[BlokusRl | BlokusEngine | Official],
    records: list[Record],
    rounds: int,
) -> list[Timing]:
    """Time all cases of all engines, one after the other in every round."""
    placements = sum(map(len, records))
    works: dict[tuple[str, str], tuple[Callable[[], None], int]] = {}
    seeds = range(N_GAMES)
    for engine in (ours, *others):
        name = engine.package
        works["game", name] = (partial(engine.random_games, seeds), len(seeds))
        if isinstance(engine, BlokusEngine):
            continue
        positions = [position for record in records for position in engine.positions(record)]
        # Ours is quick: often enough that a clock can tell, and another kernel be changed to.
        times = N_REPEATS if engine is ours else 1
        works["list", name] = (partial(engine.list_moves, positions * times), placements * times)
        if isinstance(engine, Official):
            works["apply", name] = (engine.replayer(records), placements)
            continue
        # A copy is quick in all of them.
        many, n = positions * N_REPEATS, placements * N_REPEATS
        works["copy", name] = (partial(engine.copy, many), n)
        if isinstance(engine, Ours):
            works["copy_moves", name] = (partial(engine.copy_moves, many), n)
        works["apply", name] = (partial(engine.replay, records), placements)
    works["playout", ours.package] = (partial(ours.playouts, N_PLAYOUTS), N_PLAYOUTS)
    names = [ours.package]
    for kernel in ours.slower_kernels():
        names.append(f"{ours.package}, {kernel}")
        for case in ("list", "playout"):
            work, n = works[case, ours.package]
            works[case, names[-1]] = (partial(ours.with_kernel, kernel, work), n)
    took_in: dict[tuple[str, str], list[float]] = {key: [] for key in works}
    for number in range(rounds + 1):  # the first warms up
        for key, (work, n) in works.items():
            took = _time(work, n)
            if number:
                took_in[key].append(took)
    timings = []
    for case in CASES:
        for name in (*names, *(engine.package for engine in others)):
            key = (case, name)
            if key not in took_in:
                continue
            mine = took_in[case, ours.package]
            ratios = [its / my for its, my in zip(took_in[key], mine, strict=True)]
            timings.append(
                Timing(case, key[1], statistics.median(took_in[key]), statistics.median(ratios))
            )
    return timings
