"""All ways to ask what is legal have to agree: list, mask, count, membership, one by one."""

from __future__ import annotations

import operator
import random
import re
import sys

import numpy as np
import pytest
import reference
from helpers import GAME, GAME_IDS, GAMES, board_after, boards_of_all_phases, output_of
from reference import Position

import blokus_fast as bf


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


def test_a_loop_goes_over_the_moves_that_were_legal_when_it_began() -> None:
    board = board_after("duo", "any", 3, 6)
    expected, view = board.legal_ids().tolist(), board.legal_moves
    loop, other = iter(view), iter(view)
    assert next(other) == expected[0]
    assert operator.length_hint(loop) == len(expected)
    seen = []
    for number in loop:
        seen.append(number)
        if len(seen) < 5:
            board.push(board.legal_ids()[-1])
    assert seen == expected
    assert list(view) == board.legal_ids().tolist() != expected
    del board, view
    assert list(other) == expected[1:]
    for _ in range(2):
        assert list(loop) == []
        with pytest.raises(StopIteration):
            next(loop)
    assert operator.length_hint(loop) == 0


SLICES = [
    *(slice(None), slice(0, 0), slice(3), slice(2, 5), slice(-4, None), slice(None, None, 7)),
    *(slice(None, None, -1), slice(-2, 1, -3), slice(10**30), slice(5, 2), slice(-(10**30), 4, 2)),
]


@pytest.mark.parametrize(
    ("variant", "start"), [*GAMES, ("draft-2p", None)], ids=[*GAME_IDS, "draft-2p"]
)
def test_the_view_is_indexed_like_a_list(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, 2, 9):
        view, listed = board.legal_moves, board.legal_ids().tolist()
        places = range(-len(listed), len(listed), max(1, len(listed) // 25))
        assert [view[i] for i in places] == [listed[i] for i in places]
        assert all(type(view[i]) is int for i in places)
        for part in SLICES:
            assert type(view[part]) is list
            assert view[part] == listed[part]
            assert all(type(number) is int for number in view[part])
        assert list(reversed(view)) == listed[::-1]
        assert list(iter(view)) == listed
        if listed:
            assert view[np.int16(-1)] == listed[-1] == view[np.uint64(len(listed) - 1)]
            assert random.Random(1).choice(view) == random.Random(1).choice(listed)


@pytest.mark.parametrize("plies", [0, 1000], ids=["first", "over"])
def test_indices_beyond_the_legal_moves_say_how_many_there_are(plies: int) -> None:
    board = board_after("classic", "assigned", 2, plies)
    n = 0 if plies else 58
    for index in (n, -n - 1, 2**31, -(2**63), 10**30):
        with pytest.raises(IndexError, match=f"index {index} is out of range for {n} legal moves"):
            board.legal_moves[index]


@pytest.mark.parametrize("index", ["a20", None, 1.0, (1, 2), [0], ...], ids=repr)
def test_only_integers_and_slices_are_indices(index: object) -> None:
    with pytest.raises(TypeError, match="indexed by integers and slices, not"):
        bf.Board("duo").legal_moves[index]  # type: ignore[index]
    with pytest.raises(TypeError):
        bf.Board("duo").legal_moves[0] = 1  # type: ignore[index]


GROWING = """
import blokus_fast as bf

boards = [bf.Board(name) for name in ("junior", "duo", "draft", "classic", "duo")]
loops = [iter(board.legal_moves) for board in boards]
for loop in loops:
    next(loop)
for board, loop in zip(boards, loops):
    assert list(loop) == board.legal_ids().tolist()[1:]
"""


def test_loops_over_small_boards_go_on_when_larger_ones_come() -> None:
    """In a process of its own, where nobody has looped over a large board before."""
    output_of(sys.executable, "-P", "-c", GROWING)


@pytest.mark.parametrize("value", ["b20", None, 1.5, -1, 10**30, 30_433, [0]], ids=repr)
def test_what_is_no_move_is_not_in_the_view(value: object) -> None:
    assert value not in bf.Board("classic").legal_moves


def test_views_are_made_by_boards_only() -> None:
    assert type(bf.Board("duo").legal_moves) is bf.LegalMoves
    with pytest.raises(TypeError, match=r"ask board\.legal_moves"):
        bf.LegalMoves(bf.Board("duo"))


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
