"""When a search ends: simulations, time, a move that is decided, an ending that is proven."""

import time

import numpy as np
import pytest
from search_tools import near_the_end

import blokus_fast as bf
from blokus_fast.search import MCTS


def test_time_is_a_limit() -> None:
    mcts = MCTS("duo", seed=1)
    begin = time.perf_counter()
    result = mcts.search(bf.Board("duo"), seconds=0.1, early_stop=False)
    assert result.stopped == "time"
    assert result.simulations > 10
    assert 0.09 < time.perf_counter() - begin < 2


@pytest.mark.parametrize("seconds", [0, 0.0, 1e-9])
def test_a_time_that_is_over_still_finds_a_move(seconds: float) -> None:
    board = bf.Board("classic")
    result = MCTS("classic", seed=1).search(board, seconds=seconds)
    assert board.is_legal(result.move)
    assert 1 <= result.simulations <= 64


def test_the_first_of_two_limits_counts() -> None:
    mcts = MCTS("duo", seed=1)
    board = bf.Board("duo")
    assert mcts.search(board, simulations=50, seconds=60).stopped == "simulations"
    assert (
        mcts.search(board, simulations=2**31 - 1, seconds=0.05, early_stop=False).stopped == "time"
    )


def test_a_search_ends_early_when_the_best_move_cannot_change() -> None:
    board = near_the_end("duo", 60)
    mcts = MCTS("duo", seed=1, solve_nodes=0)
    long = mcts.search(board, simulations=200_000)
    if long.stopped == "decided":
        assert long.simulations < 200_000
        first, second = long.visits[:2].tolist()
        assert first - second > 200_000 - long.simulations - 1000
    else:
        assert long.stopped == "solved"
    mcts.clear()
    board = bf.Board("duo")
    one = mcts.search(board, simulations=2000, early_stop=False)
    assert one.simulations == 2000


def test_one_legal_move_is_no_search() -> None:
    rng = np.random.default_rng(4)
    board = bf.Board("duo")
    while board.count_legal() != 1:
        board.push(int(rng.choice(board.legal_ids())))
        if board.is_game_over:
            board = bf.Board("duo")
    result = MCTS("duo", seed=1).search(board, seconds=60)
    assert result.stopped == "only move"
    assert result.seconds < 10
    assert result.move == board.legal_ids()[0]
    assert result.pv[0] == result.move


def test_an_ending_is_proven() -> None:
    """The exact values are those of a full search by brute force."""
    solved = 0
    for variant in ("duo", "junior", "classic-2p"):
        for seed in range(1, 6):
            board = near_the_end(variant, 14, seed)
            # With the solver, or by the tree alone.
            nodes = 200 if seed % 2 else 0
            mcts = MCTS(variant, seed=1, margin=0.5, solve_nodes=nodes)
            result = mcts.search(board, simulations=100_000)
            if len(result.moves) == 1 or not result.solved:
                continue
            solved += 1
            best = brute_force(board)
            margin = result.score[board.player] - result.score[1 - board.player]
            assert result.stopped == "solved"
            assert float(margin) == best, (variant, seed)
            assert result.proven.all() or result.proven[result.moves == result.move].all()
    assert solved >= 8


def brute_force(board: bf.Board) -> int:
    """Return the best margin of the player to move."""
    if board.is_game_over:
        raise AssertionError
    me = board.player
    best = -1000
    for move in board.legal_ids().tolist():
        board.push(move)
        if board.is_game_over:
            scores = board.player_scores()
            margin = scores[me] - scores[1 - me]
        else:
            margin = brute_force(board) * (1 if board.player == me else -1)
        board.pop()
        best = max(best, margin)
    return best


def test_a_solved_position_has_its_line_to_the_end() -> None:
    ended = 0
    for seed in range(1, 9):
        board = near_the_end("duo", 12, seed)
        result = MCTS("duo", seed=1).search(board, simulations=2000)
        if result.stopped != "solved" or result.simulations > 1:
            continue
        for move in result.pv:
            board.push(move)
        assert board.is_game_over
        assert result.score.tolist() == list(board.player_scores())
        ended += 1
    assert ended > 3
