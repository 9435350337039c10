"""All ways to ask what is legal have to agree: list, mask, count, membership, one by one."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
import reference
from helpers import GAME_IDS, GAMES, board_after, boards_of_all_phases
from reference import Position

import blokus_fast as bf

GAME = pytest.mark.parametrize(("variant", "start"), GAMES, ids=GAME_IDS)


def assert_all_ways_agree(board: bf.Board, color: int | None) -> None:
    """Ask the same question in every way there is, for every id."""
    ids = board.legal_ids(color=color)
    listed = ids.tolist()
    assert ids.dtype.kind == "i"
    assert listed == sorted(set(listed))
    mask = board.legal_mask(color=color)
    assert mask.dtype == bool
    assert mask.shape[0] >= board.n_moves
    assert np.flatnonzero(mask).tolist() == listed
    assert board.count_legal(color=color) == len(listed)
    assert board.any_legal(color=color) == bool(listed)
    legal = set(listed)
    answers = [number for number in range(len(mask)) if board.is_legal(number, color=color)]
    assert answers == listed
    reasons = [board.why_illegal(number, color=color) for number in range(0, len(mask), 7)]
    for number, reason in zip(range(0, len(mask), 7), reasons, strict=True):
        assert (reason is None) == (number in legal)
        assert reason is None or (isinstance(reason, str) and reason)


@GAME
def test_all_ways_agree_for_every_id_and_color(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, 1, 12):
        for color in (None, *range(board.n_colors)):
            assert_all_ways_agree(board, color)


@GAME
def test_the_view_agrees_with_the_list(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, 2, 6):
        view = board.legal_moves
        listed = board.legal_ids().tolist()
        assert list(view) == listed
        assert all(type(number) is int for number in view)
        assert len(view) == len(listed)
        assert bool(view) == bool(listed)
        assert view.ids().tolist() == listed
        members = [number for number in range(board.n_moves) if number in view]
        assert members == listed


def test_the_view_is_lazy_and_follows_the_board() -> None:
    board = bf.Board("classic")
    view = board.legal_moves
    assert len(view) == 58
    board.push(board.parse_move("a20"))
    board.push(board.parse_move("t20"))
    board.push(board.parse_move("t1"))
    board.push(board.parse_move("a1"))
    assert list(view) == board.legal_ids().tolist()
    assert board.parse_move("b19") not in view  # the monomino is spent
    assert board.parse_move("b19,c19") in view


def test_changing_the_board_within_a_loop_is_safe() -> None:
    """Push and pop while the view is being read: every move appears once, in order."""
    board = board_after("duo", "any", 3, 6)
    expected = board.legal_ids().tolist()
    seen = []
    for number in board.legal_moves:
        seen.append(number)
        board.push(number)
        board.pop()
    assert seen == expected


@pytest.mark.parametrize("value", ["b20", None, 1.5, -1, 10**30, 30_433, [0]], ids=repr)
def test_what_is_no_move_is_not_in_the_view(value: object) -> None:
    assert value not in bf.Board("classic").legal_moves


def test_view_has_a_readable_repr() -> None:
    assert "58" in repr(bf.Board("classic").legal_moves)


@GAME
def test_every_legal_move_can_be_pushed_and_no_other(variant: str, start: str) -> None:
    rng = random.Random(4)
    for board in boards_of_all_phases(variant, start, 5, 9):
        legal = set(board.legal_ids().tolist())
        for number in [*legal, *rng.sample(range(board.n_moves), 300)]:
            if number in legal:
                board.push(number)
                assert board.pop() == number
            else:
                with pytest.raises(bf.IllegalMoveError):
                    board.push(number)


@GAME
def test_colors_not_to_move_are_answered_as_if_they_were(variant: str, start: str) -> None:
    """The legal moves of a color depend on the board alone, not on whose turn it is."""
    board = board_after(variant, start, 6, 13)
    twin = Position(reference.RULESETS[variant](start_rule=start))
    placements = reference.placements(board.size)
    for number in board.move_stack:
        twin.play(placements[number])
    for color in range(board.n_colors):
        expected = [placement.id for placement in twin.legal(color)]
        assert board.legal_ids(color=color).tolist() == expected
        assert board.count_legal(color=color) == len(expected)


# Reasons. Each of the twin's broken rules and the words that the engine's message must hold.

WORDS = {
    "not in hand": r"hand|left|already",
    "off board": r"board|play",
    "overlaps": r"overlap|occupied|taken",
    "own edge": r"edge",
    "no own corner": r"corner",
    "start": r"start|rim|border",
}


@GAME
def test_the_reason_is_a_rule_that_is_broken(variant: str, start: str) -> None:
    rng = random.Random(12)
    board = board_after(variant, start, 7, 15)
    twin = Position(reference.RULESETS[variant](start_rule=start))
    placements = reference.placements(board.size)
    for number in board.move_stack:
        twin.play(placements[number])
    met = set()
    for color in range(board.n_colors):
        for placement in rng.sample(placements, 2500):
            broken = twin.broken_rules(color, placement)
            reason = board.why_illegal(placement.id, color=color)
            assert (reason is None) == (not broken)
            if reason is not None:
                assert any(re.search(WORDS[rule], reason) for rule in broken), (reason, broken)
                if len(broken) == 1:
                    met |= broken
    assert {"not in hand", "overlaps", "own edge", "no own corner"} <= met


def only_broken(text: str, moves: str, color: int | None = None) -> str:
    """Return the reason against a move that breaks exactly one rule, in Classic."""
    board = bf.Board("classic")
    for move in moves.split():
        board.push(board.parse_move(move))
    reason = board.why_illegal(board.parse_move(text), color)
    assert reason is not None
    if color is None:
        with pytest.raises(bf.IllegalMoveError) as caught:
            board.push(board.parse_move(text))
        assert reason in str(caught.value)
    return reason


CORNERS = "a20 t20 t1 a1"


def test_reason_misses_the_start_square() -> None:
    assert "start" in only_broken("b20,c20", "")


def test_reason_piece_not_in_hand() -> None:
    assert "1" in only_broken("b19", CORNERS)


def test_reason_overlaps() -> None:
    assert "a20" in only_broken("a20,b20,c20", CORNERS)


def test_reason_touches_own_edge() -> None:
    assert "edge" in only_broken("b20,c20,b19", CORNERS)


def test_reason_no_own_corner() -> None:
    assert "corner" in only_broken("j10,j11", CORNERS)


def test_reason_of_another_color() -> None:
    """What one color may do, another may not: blue's corner is not red's."""
    assert "corner" in only_broken("b19,c19", CORNERS, color=2)


def test_reason_outside_the_playable_squares() -> None:
    variant = bf.Variant(
        "hole", 5, ["blue"], [["a5"]], playable=[".....", ".#...", ".....", ".....", "....."]
    )
    board = bf.Board(variant)
    reason = board.why_illegal(board.parse_move("a5,b5,b4"))
    assert reason is not None
    assert "b4" in reason


def test_reason_not_a_first_piece() -> None:
    variant = bf.Variant("drawn", 14, ["blue"], [["a14"]], first_pieces=["W"])
    board = bf.Board(variant)
    reason = board.why_illegal(board.parse_move("a14"))
    assert reason is not None
    assert "1" in reason
    assert set(bf.Move(number, 14).piece for number in board.legal_moves) == {"W"}


def test_reason_game_over() -> None:
    board = board_after("duo", "any", 1, 1000)
    reason = board.why_illegal(0)
    assert reason is not None
    assert "over" in reason
