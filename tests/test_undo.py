"""A pop restores everything, down to the bytes of the state."""

from __future__ import annotations

import random

import pytest
from helpers import GAME, board_after, snapshot, state_bytes

import blokus_fast as bf


@pytest.mark.parametrize("seed", range(2))
@GAME
def test_back_to_the_beginning_byte_by_byte(variant: str, start: str, seed: int) -> None:
    rng = random.Random(seed)
    board = bf.Board(variant, start=start)
    seen = [snapshot(board)]
    moves = []
    while not board.is_game_over:
        moves.append(int(rng.choice(board.legal_ids())))
        board.push(moves[-1])
        seen.append(snapshot(board))
    assert len(moves) > 10
    while moves:
        assert snapshot(board) == seen.pop()
        assert board.pop() == moves.pop()
    assert snapshot(board) == seen.pop()
    assert board == bf.Board(variant, start=start)


@GAME
def test_the_state_fits_in_512_bytes_and_says_everything(variant: str, start: str) -> None:
    first, later = bf.Board(variant, start=start), board_after(variant, start, 1, 12)
    assert 0 < len(state_bytes(first)) == len(state_bytes(later)) <= 512
    assert state_bytes(first) != state_bytes(later)
    while later.ply:
        later.pop()
    assert state_bytes(first) == state_bytes(later)


@GAME
def test_wandering_to_and_fro_ends_where_the_moves_lead(variant: str, start: str) -> None:
    """Random pushes and pops, then compare with a board that played only the moves that stayed."""
    rng = random.Random(3)
    board = bf.Board(variant, start=start)
    for _ in range(400):
        if board.ply and (board.is_game_over or rng.random() < 0.42):
            board.pop()
        else:
            board.push(int(rng.choice(board.legal_ids())))
    fresh = bf.Board(variant, start=start)
    for move in board.move_stack:
        fresh.push(move)
    assert snapshot(fresh) == snapshot(board)


@GAME
def test_every_legal_move_leaves_no_trace(variant: str, start: str) -> None:
    rng = random.Random(8)
    board = bf.Board(variant, start=start)
    while not board.is_game_over:
        if board.ply % 8 == 3:
            before = snapshot(board)
            for move in board.legal_ids().tolist():
                board.push(move)
                board.pop()
            assert snapshot(board) == before
        board.push(int(rng.choice(board.legal_ids())))


def test_undo_of_the_monomino_as_last_piece() -> None:
    """Placed, taken back, another piece placed: the flag must not stay."""
    variant = bf.Variant("two", 6, ["only"], [["a6"]], pieces=[["1", "2"]])
    board = bf.Board(variant)
    board.push(board.parse_move("a6"))
    board.pop()
    board.push(board.parse_move("a6,b6"))
    board.push(board.parse_move("c5"))
    assert board.color_scores() == (20,)
    board.pop()
    board.pop()
    board.push(board.parse_move("a6"))
    board.push(board.parse_move("b5,c5"))
    assert board.color_scores() == (15,)
    board.pop()
    assert board.color_scores() == (-2,)
    board.pop()
    assert board.color_scores() == (-3,)
