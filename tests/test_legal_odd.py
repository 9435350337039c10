"""All ways to ask what is legal agree in variants that nobody plays, and in Draft."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from step import draft_variants
from strategies import CHOICES, RELAXED, variants
from test_legal import assert_all_ways_agree

import blokus_fast as bf

HOLES = bf.Variant(
    "holes",
    7,
    ["a", "b"],
    [["a7"], ["g1"]],
    playable=["......#", ".#..#..", "...#...", "##.....", ".....##", ".#.....", "...#..."],
)


@settings(RELAXED, max_examples=150)
@given(variant=st.one_of(variants(), draft_variants()), choices=CHOICES)
def test_all_ways_agree_in_drawn_variants(variant: bf.Variant, choices: list[int]) -> None:
    board = bf.Board(variant)
    for ply, choice in enumerate(choices):
        if ply % 4 == 0 or board.is_game_over:
            for color in (None, *range(board.n_colors)):
                assert_all_ways_agree(board, color)
        if board.is_game_over:
            break
        ids = board.legal_ids()
        board.push(int(ids[choice % len(ids)]))


def covers_a_hole(board: bf.Board, action: int) -> bool:
    holes = board.grid().ravel() == -2
    return bool(holes[list(bf.Move(action, size=board.size).squares)].any())


def test_no_hole_is_ever_covered() -> None:
    board = bf.Board(HOLES)
    while not board.is_game_over:
        batch = bf.BatchBoard(1, HOLES)
        batch[0] = board
        for action in range(board.n_moves):
            if covers_a_hole(board, action):
                assert not board.is_legal(action)
                assert action not in board.legal_moves
                assert batch._illegal(np.array([action], np.int32)) == [0]
        board.push(board.legal_ids()[-1])


def test_a_pass_is_only_for_whoever_is_to_move() -> None:
    board = bf.Board("software-challenge-2027")
    for _ in range(8):
        board.push(board.legal_ids()[0])
    assert board.is_legal(board.n_moves)
    for color in range(4):
        ids = board.legal_ids(color=color).tolist()
        may = color == board.turn
        assert (board.n_moves in ids) == may
        assert board.is_legal(board.n_moves, color=color) == may
        assert board.legal_mask(color=color)[board.n_moves] == may
        assert board.count_legal(color) == len(ids)


def draft_board(plies: int) -> bf.Board:
    board = bf.Board("draft-2p")
    for ply in range(plies):
        ids = board.legal_ids()
        board.push(ids[ply * 7919 % len(ids)])
    return board


@pytest.mark.parametrize("plies", [84, 90, 100])
def test_a_placement_of_draft_belongs_to_one_color(plies: int) -> None:
    board = draft_board(plies)
    for action in board.legal_ids().tolist():
        own = action // board.n_moves
        for color in range(4):
            assert board.is_legal(action, color=color) == (color == own)
            reason = board.why_illegal(action, color=color)
            assert reason == (None if color == own else "a move of another color")


@pytest.mark.parametrize("plies", [0, 5, 30])
def test_a_pick_belongs_to_the_color_that_is_drafted(plies: int) -> None:
    board = draft_board(plies)
    for color in range(4):
        mask = board.legal_mask(color=color)
        expected = board.legal_ids().tolist() if color == board.turn else []
        assert np.flatnonzero(mask).tolist() == expected
        assert board.legal_ids(color=color).tolist() == expected
        assert board.count_legal(color) == len(expected)


BROKEN: dict[str, tuple[str, list[str], str]] = {
    "in another's squares": ("duo", ["e10", "j5"], "e10,f10"),
    "beside its own": ("duo", ["e10", "j5"], "f10,g10"),
    "away from its own": ("duo", ["e10", "j5"], "a1,b1"),
    "off the start": ("duo", [], "a1,b1"),
    "a piece again": ("duo", ["e10", "j5"], "f11"),
    "not the opening": ("software-challenge-2027", [], "a20"),
    "a pass at once": ("software-challenge-2027", [], "pass"),
    "a hole": ("holes", [], "a7,a6,b6"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_batches_refuse_what_breaks_a_rule(name: str) -> None:
    variant, moves, text = BROKEN[name]
    board = bf.Board(HOLES if variant == "holes" else variant)
    for move in moves:
        board.push(board.parse_move(move))
    batch = bf.BatchBoard(3, board.variant)
    for number in range(3):
        batch[number] = board
    actions: Any = batch.sample_actions(1)
    actions[1] = board.parse_move(text)
    with pytest.raises(bf.IllegalMoveError, match=r"games \[1\]"):
        batch.step(actions)
    assert all(batch[number] == board for number in range(3))
    assert not board.is_legal(int(actions[1]))
    with pytest.raises(bf.IllegalMoveError):
        board.push(int(actions[1]))


def test_counts_of_all_colors_where_one_may_pass() -> None:
    corners = [["a8"], ["h8"], ["h1"], ["a1"]]
    board = bf.Board(
        bf.Variant("passes", 8, list("abcd"), corners, voluntary_pass=True, max_rounds=9)
    )
    while not board.is_game_over:
        for color in range(4):
            ids = board.legal_ids(color=color)
            assert (board.n_moves in ids) == (color == board.turn and board.own_mask(color) != 0)
            assert board.count_legal(color) == board.legal_mask(color=color).sum() == len(ids)
        board.push(board.legal_ids()[0])
