"""Numbers of move sequences. Skipped colors cost no depth."""

from __future__ import annotations

import pytest
from helpers import GAME, board_after, snapshot

import blokus_fast as bf

FIGURES = {
    ("classic", "assigned"): (58, 3_364, 195_112, 11_316_496, 1_898_244_648),
    ("duo", "assigned"): (414, 171_396, 89_204_762),
    ("junior", "assigned"): (189, 35_721, 8_665_264),
}
# What the ordinary run counts. The rest takes a slow machine, or a kernel without SIMD, minutes.
QUICK_NODES = 12_000_000


def cases(quick: bool):
    return [
        pytest.param(variant, start, depth, nodes, id=f"{variant}-{start}-{depth}")
        for (variant, start), counts in FIGURES.items()
        for depth, nodes in enumerate(counts, 1)
        if (nodes <= QUICK_NODES) == quick
    ]


@pytest.mark.parametrize(("variant", "start", "depth", "nodes"), cases(quick=True))
def test_perft(variant: str, start: str, depth: int, nodes: int) -> None:
    assert bf.perft(bf.Board(variant, start=start), depth) == nodes


@pytest.mark.slow
@pytest.mark.parametrize(("variant", "start", "depth", "nodes"), cases(quick=False))
def test_deep_perft(variant: str, start: str, depth: int, nodes: int) -> None:
    assert bf.perft(bf.Board(variant, start=start), depth) == nodes


def count_by_hand(board: bf.Board, depth: int) -> int:
    """Count leaves with push and pop, and look at every node on the way."""
    ids = board.legal_ids().tolist()
    assert bool(ids) == board.any_legal() == (not board.is_game_over)
    assert int(board.legal_mask().sum()) == len(ids) == board.count_legal()
    if depth == 1:
        return len(ids)
    total = 0
    for move in ids:
        board.push(move)
        total += count_by_hand(board, depth - 1)
        board.pop()
    return total


@GAME
def test_perft_is_the_count_by_push_and_pop(variant: str, start: str) -> None:
    """In the middle and near the end of games, where colors are skipped and games end early."""
    for plies in (30, 45, 60):
        board = board_after(variant, start, 5, plies)
        while board.count_legal() > 60:
            board.push(int(board.legal_ids()[-1]))
        for depth in (1, 2):
            assert bf.perft(board, depth) == count_by_hand(board, depth)


@GAME
def test_divide_adds_up_to_perft(variant: str, start: str) -> None:
    for plies in (0, 9, 40):
        board = board_after(variant, start, 6, plies)
        before = snapshot(board)
        parts = bf.divide(board, 2)
        assert list(parts) == board.legal_ids().tolist()
        assert sum(parts.values()) == bf.perft(board, 2)
        for move, nodes in list(parts.items())[::17]:
            board.push(move)
            assert bf.perft(board, 1) == nodes
            board.pop()
        assert snapshot(board) == before


def test_depth_zero_is_one_position() -> None:
    assert bf.perft(bf.Board("duo"), 0) == 1
    assert bf.perft(board_after("duo", "any", 1, 1000), 0) == 1


def test_a_finished_game_has_no_sequences() -> None:
    board = board_after("duo", "any", 1, 1000)
    assert bf.perft(board, 1) == 0
    assert bf.perft(board, 3) == 0
    assert bf.divide(board, 2) == {}


@pytest.mark.parametrize("depth", [-1, -(10**20)])
def test_negative_depths(depth: int) -> None:
    with pytest.raises((ValueError, OverflowError)):
        bf.perft(bf.Board("duo"), depth)


@pytest.mark.parametrize("board", [None, "duo", 3])
def test_boards_of_the_wrong_type(board: object) -> None:
    with pytest.raises(TypeError):
        bf.perft(board, 2)
    with pytest.raises(TypeError):
        bf.divide(board, 2)


@pytest.mark.parametrize("depth", [None, "2", 1.5])
def test_depths_of_the_wrong_type(depth: object) -> None:
    with pytest.raises(TypeError):
        bf.perft(bf.Board("duo"), depth)
