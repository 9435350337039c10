"""The contract of a game, held against random play of every variant, in the way of OpenSpiel.

At every ply: legal ids ascend, lie in range, are never empty unless the game is over; list and
mask agree; texts are unique and read back; a copy is equal and independent. Now and then (the
first plies, then at powers of two) also: pickle, and undo all the way back to the beginning.
"""

from __future__ import annotations

import pickle
import random
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from helpers import CLASSIC_3P

import blokus_fast as bf

PASSING = bf.Variant(
    "passing",
    20,
    ["blue", "yellow", "red", "green"],
    owners=[0, 1, 0, 1],
    start="border",
    first_pieces=["W"],
    max_rounds=25,
    voluntary_pass=True,
)
MASKED = bf.Variant(
    "masked",
    7,
    ["blue", "red", "both"],
    [["a7"], ["g1"], ["g7"]],
    owners=[0, 1, None],
    playable=[".......", ".......", "..##...", "..##...", ".......", ".....#.", "......."],
)
SINGLE = bf.Variant("single", 5, ["only"], [["c3"]])
CONTRACTED = {
    **bf.VARIANTS,
    "classic-3p": CLASSIC_3P,
    "passing": PASSING,
    "masked": MASKED,
    "single": SINGLE,
}


def longest(variant: bf.Variant) -> int:
    """Return a bound on the number of moves of a game."""
    if variant.max_rounds and variant.voluntary_pass:
        return variant.max_rounds * variant.n_colors
    # In Draft every piece is picked before it is placed.
    return (1 + variant.draft) * sum(len(pieces) for pieces in variant.pieces)


def check_legal(board: bf.Board) -> None:
    ids = board.legal_ids()
    assert (np.diff(ids) > 0).all()
    mask = board.legal_mask()
    assert np.flatnonzero(mask).tolist() == ids.tolist()
    assert board.legal_mask(out=np.ones(len(mask), np.int8)).tolist() == mask.tolist()
    if len(ids):
        assert ids[0] >= 0
        assert ids[-1] < len(mask)
    texts = [board.move_text(number) for number in ids.tolist()]
    assert len(set(texts)) == len(texts)
    assert [board.parse_move(text) for text in texts] == ids.tolist()


def check_whose_turn(board: bf.Board) -> None:
    if board.is_game_over:
        assert (board.turn, board.player) == (-1, -1)
        assert board.count_legal() == 0
        return
    assert board.count_legal() > 0
    assert 0 <= board.player < board.n_players
    if board.turn == -1:
        # A player of Draft chooses among colors; only after the pieces are picked.
        assert board.variant.draft
        assert board.legal_ids().max() < board.n_colors * board.n_moves
        return
    assert 0 <= board.turn < board.n_colors
    owner = board.variant.owners[board.turn]
    assert owner is None or owner == board.player


def check_copy(board: bf.Board, rng: random.Random) -> None:
    """A copy is equal, and both go the same way on their own."""
    copy = board.copy()
    assert copy == board
    assert copy.key() == board.key()
    if board.is_game_over:
        return
    move = int(rng.choice(board.legal_ids()))
    copy.push(move)
    assert copy != board
    again = board.copy()
    again.push(move)
    assert again == copy
    assert again.key() == copy.key()


def check_expensive(board: bf.Board, keys: list[int]) -> None:
    assert pickle.loads(pickle.dumps(board)) == board
    copy = board.copy()
    stack = board.move_stack
    for ply in range(board.ply, 0, -1):
        assert copy.ply == ply
        assert copy.key() == keys[ply]
        assert copy.peek() == stack[ply - 1]
        assert copy.pop() == stack[ply - 1]
    assert copy == bf.Board(board.variant)
    for move in stack:
        copy.push(move)
    assert copy == board


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("name", CONTRACTED)
def test_random_simulation(name: str, seed: int) -> None:
    variant = CONTRACTED[name]
    rng = random.Random(f"{name} {seed}")
    board = bf.Board(variant)
    keys = []
    while True:
        keys.append(board.key())
        check_whose_turn(board)
        check_legal(board)
        check_copy(board, rng)
        if board.ply < 10 or board.ply & (board.ply - 1) == 0 or board.is_game_over:
            check_expensive(board, keys)
        if board.is_game_over:
            break
        board.push(int(rng.choice(board.legal_ids())))
    assert board.ply <= longest(variant)
    assert len(board.player_scores()) == board.n_players
    assert len(board.color_scores()) == board.n_colors


def play_to_the_end(name: str, seed: int) -> tuple[list[int], int]:
    rng = random.Random(seed)
    board = bf.Board(CONTRACTED[name])
    while not board.is_game_over:
        board.push(int(rng.choice(board.legal_ids())))
    return board.move_stack, board.key()


def test_many_boards_in_many_threads() -> None:
    """Each thread has boards of its own, and plays what it would play alone."""
    jobs = [(name, seed) for name in CONTRACTED for seed in range(8)]
    alone = [play_to_the_end(*job) for job in jobs]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda job: play_to_the_end(*job), jobs))
    assert together == alone


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10, 60))
@pytest.mark.parametrize("name", CONTRACTED)
def test_long_random_simulation(name: str, seed: int) -> None:
    test_random_simulation(name, seed)
