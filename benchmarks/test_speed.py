"""Speed of the engine as Python sees it. Run ``pytest benchmarks``; the figures are reported.

Every case visits all positions once a round; ``extra_info`` holds positions and moves a second.
Speed is gated elsewhere (benchmarks/gate), as a ratio to a frozen reference.
"""

import random
from collections.abc import Callable

import numpy as np
import pytest
from pytest_benchmark.fixture import BenchmarkFixture

import blokus_fast as bf


def measure(
    benchmark: BenchmarkFixture,
    boards: list[bf.Board],
    visit: Callable[[bf.Board], object],
    moves: int = 0,
) -> None:
    """Time one visit of all boards and note what it comes to."""

    def visit_all() -> None:
        for board in boards:
            visit(board)

    benchmark(visit_all)
    if benchmark.stats is None:  # --benchmark-disable
        return
    median = benchmark.stats.stats.median
    benchmark.extra_info["positions_per_second"] = round(len(boards) / median)
    benchmark.extra_info["ns_per_position"] = round(1e9 * median / len(boards))
    if moves:
        benchmark.extra_info["moves_per_second"] = round(moves / median)


@pytest.mark.benchmark(group="list")
def test_list(benchmark, boards):
    buffer = np.empty(40000, dtype=np.uint16)
    total = sum(board.legal_ids(out=buffer) for board in boards)
    assert total == sum(len(board.legal_ids()) for board in boards)
    measure(benchmark, boards, lambda board: board.legal_ids(out=buffer), total)


@pytest.mark.benchmark(group="list, new array")
def test_list_new_array(benchmark, boards):
    total = sum(len(board.legal_ids()) for board in boards)
    measure(benchmark, boards, lambda board: board.legal_ids(), total)


@pytest.mark.benchmark(group="count")
def test_count(benchmark, boards):
    total = sum(board.count_legal() for board in boards)
    assert total == sum(len(board.legal_ids()) for board in boards)
    measure(benchmark, boards, lambda board: board.count_legal(), total)


@pytest.mark.benchmark(group="mask")
def test_mask(benchmark, boards):
    mask = np.empty(boards[0].n_actions, dtype=np.bool_)
    total = sum(int(board.legal_mask(out=mask).sum()) for board in boards)
    assert total == sum(board.count_legal() for board in boards)
    measure(benchmark, boards, lambda board: board.legal_mask(out=mask), total)


@pytest.mark.benchmark(group="push and pop")
def test_push_pop(benchmark, boards):
    rng = random.Random(1)
    moves = {id(board): rng.choice(board.legal_ids().tolist()) for board in boards}
    keys = [board.key() for board in boards]

    def push_pop(board: bf.Board) -> None:
        board.push(moves[id(board)])
        board.pop()

    measure(benchmark, boards, push_pop, len(boards))
    assert keys == [board.key() for board in boards]


@pytest.mark.benchmark(group="copy")
def test_copy(benchmark, boards):
    assert all(board.copy() == board for board in boards)
    measure(benchmark, boards, lambda board: board.copy())


@pytest.mark.benchmark(group="copy without moves")
def test_copy_without_moves(benchmark, boards):
    assert all(board.copy(stack=False) == board for board in boards)
    measure(benchmark, boards, lambda board: board.copy(stack=False))


@pytest.mark.benchmark(group="loop")
def test_loop(benchmark, boards):
    def loop(board: bf.Board) -> None:
        for _ in board.legal_moves:
            pass

    measure(benchmark, boards, loop, sum(len(board.legal_moves) for board in boards))


@pytest.mark.benchmark(group="random playout in Python")
@pytest.mark.parametrize("variant", ["classic", "duo"])
def test_playout(benchmark, variant):
    rng = random.Random(1)
    start = bf.Board(variant)

    def playout() -> int:
        board = start.copy()
        while not board.is_game_over:
            board.push_unchecked(rng.choice(board.legal_ids()))
        return board.ply

    assert 20 < playout() <= 84
    benchmark(playout)
