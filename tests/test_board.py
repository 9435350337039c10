"""Board: push, pop, what is seen of a position, equality, pictures, objects of other kinds."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import reference
from helpers import (
    GAME,
    GAMES,
    board_after,
    boards_of_all_phases,
    output_of,
    random_moves,
    same_grid,
    snapshot,
)
from reference import Position

import blokus_fast as bf


def test_the_empty_classic_board() -> None:
    board = bf.Board()
    assert (board.size, board.n_moves, board.n_colors, board.n_players) == (20, 30_433, 4, 4)
    assert (board.turn, board.player, board.ply, board.is_game_over) == (0, 0, 0, False)
    assert board == bf.Board("classic")
    assert board.variant == bf.VARIANTS["classic"]
    assert (board.grid() == -1).all()
    assert len(board.pieces_left(0)) == 21
    assert board.move_stack == []


@pytest.mark.parametrize(
    ("variant", "start", "first_moves"),
    [
        ("classic", None, 58),
        ("classic-2p", None, 58),
        ("duo", None, 828),
        ("duo", "assigned", 414),
        ("duo", "any", 828),
        ("junior", None, 189),
        ("junior", "any", 378),
        ("classic", "any", 232),
    ],
)
def test_number_of_first_moves(variant: str, start: str | None, first_moves: int) -> None:
    assert bf.Board(variant, start=start).count_legal() == first_moves


def test_push_and_pop_return_and_show_the_move() -> None:
    board = bf.Board("classic")
    first, second = board.parse_move("a20,b20"), board.parse_move("t20")
    board.push(first)
    board.push(second)
    assert board.move_stack == [first, second]
    assert board.peek() == second
    assert board.ply == 2
    assert board.turn == 2
    assert board.pop() == second
    assert board.pop() == first
    assert board == bf.Board("classic")


@pytest.mark.parametrize("call", ["pop", "peek"])
def test_nothing_to_take_back(call: str) -> None:
    board = bf.Board("duo")
    before = snapshot(board)
    with pytest.raises(IndexError):
        getattr(board, call)()
    assert snapshot(board) == before


@GAME
def test_push_unchecked_does_what_push_does(variant: str, start: str) -> None:
    checked, unchecked = bf.Board(variant, start=start), bf.Board(variant, start=start)
    for move in random_moves(variant, start, 3):
        checked.push(move)
        unchecked.push_unchecked(move)
        assert checked == unchecked
    assert snapshot(checked) == snapshot(unchecked)


@GAME
def test_grid_shows_every_square(variant: str, start: str) -> None:
    twin = Position(reference.RULESETS[variant](start_rule=start))
    board = bf.Board(variant, start=start)
    placements = reference.placements(board.size)
    for move in random_moves(variant, start, 1)[:25]:
        board.push(move)
        twin.play(placements[move])
    assert board.grid().shape == (board.size, board.size)
    assert board.grid().dtype == np.int8
    assert same_grid(board, twin)


def test_grid_is_a_copy() -> None:
    board = bf.Board("duo")
    board.grid()[:] = 3
    assert (board.grid() == -1).all()


def test_returned_arrays_are_copies() -> None:
    board = board_after("classic", "assigned", 1, 12)
    before = snapshot(board)
    for array in (
        board.legal_ids(),
        board.legal_mask(),
        board.own_squares(0),
        board.corner_squares(0),
        board.forbidden_squares(0),
    ):
        array[:] = 0
    assert snapshot(board) == before


@pytest.mark.parametrize("variant", ["classic", "duo", "draft-2p", "software-challenge-2027"])
def test_returned_arrays_own_their_memory(variant: str) -> None:
    board = bf.Board(variant)
    while board.is_drafting:
        board.push(board.legal_ids()[-1])
    size, n = board.size, board.n_actions
    for array, dtype, shape in (
        (board.legal_ids(), np.int32, (board.count_legal(),)),
        (board.legal_ids(color=1), np.int32, (board.count_legal(color=1),)),
        (board.legal_mask(), np.bool_, (n,)),
        (board.legal_mask(color=1), np.bool_, (n,)),
        (board.grid(), np.int8, (size, size)),
        (board.own_squares(0), np.intp, (0,)),
        (board.corner_squares(0), np.intp, (board.corner_mask(0).bit_count(),)),
        (board.forbidden_squares(0), np.intp, (board.forbidden_mask(0).bit_count(),)),
    ):
        assert type(array) is np.ndarray
        assert array.dtype == dtype
        assert array.dtype is np.dtype(dtype)
        assert array.shape == shape
        assert array.flags.owndata
        assert array.flags.carray
        assert array.base is None


@GAME
def test_squares_and_masks_say_the_same(variant: str, start: str) -> None:
    board = board_after(variant, start, 2, 14)
    for color in range(board.n_colors):
        for kind in ("own", "corner", "forbidden"):
            squares = getattr(board, f"{kind}_squares")(color).tolist()
            mask = getattr(board, f"{kind}_mask")(color)
            assert isinstance(mask, int)
            assert squares == [i for i in range(board.size**2) if mask >> i & 1]


def test_pieces_left_and_hand_say_the_same() -> None:
    for variant, start in GAMES:
        board = board_after(variant, start, 2, 9)
        for color in range(board.n_colors):
            hand = board.hand(color)
            assert len(hand) == 21
            names = [name for name, n in zip(bf.PIECES, hand, strict=True) for _ in range(n)]
            assert sorted(board.pieces_left(color)) == sorted(names)


@GAME
def test_positions_of_all_phases_have_a_move_unless_over(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, 7, 5):
        assert board.is_game_over == (board.count_legal() == 0)
        assert board.is_game_over == (board.turn == -1)


# Equality and pictures


def test_equality_is_by_value() -> None:
    assert bf.Board("classic") == bf.Board("classic")
    assert bf.Board("classic") != bf.Board("duo")
    assert bf.Board("duo", start="any") != bf.Board("duo", start="assigned")
    assert bf.Board("duo") != "duo"
    assert (bf.Board("duo") == 3) is False
    one, other = bf.Board("duo"), bf.Board("duo")
    one.push(one.parse_move("e10"))
    assert one != other
    other.push(other.parse_move("j5"))
    assert one != other


def test_a_board_is_not_hashable() -> None:
    with pytest.raises(TypeError):
        hash(bf.Board())


@GAME
def test_repr_and_str_are_readable(variant: str, start: str) -> None:
    board = board_after(variant, start, 1, 6)
    assert variant in repr(board)
    assert eval(repr(board), {"Board": bf.Board}) == board
    assert isinstance(str(board), str)
    assert str(board) != str(bf.Board(variant, start=start))


# Objects that are made in other ways


UNINITIALISED = """
import blokus_fast as bf
from blokus_fast import _core

def ask(call):
    try:
        call()
    except (TypeError, ValueError, AttributeError, IndexError):
        pass

board = bf.Board.__new__(bf.Board)
for name in dir(board):
    if not name.startswith("__"):
        ask(lambda: getattr(board, name))
        for arguments in ((), (0,), (0, 0), ("a1",)):
            ask(lambda: getattr(board, name)(*arguments))
for call in (repr, str, hash, len, lambda b: b == b, lambda b: b.__reduce__()):
    ask(lambda: call(board))
ask(lambda: bf.perft(board, 2))
for kind in (type(bf.Board().legal_moves), _core.Rules, _core.Tables):
    for make in (kind, lambda: kind.__new__(kind)):
        for use in (len, list, bool, repr, reversed, lambda o: 0 in o, lambda o: o.ids(),
                    lambda o: o[0], lambda o: o[:], bf.Board):
            ask(lambda: use(make()))
"""


def test_objects_that_were_never_initialised_are_harmless() -> None:
    """In a process of its own, since what must not happen is a crash."""
    output_of(sys.executable, "-P", "-c", UNINITIALISED)


def test_a_board_can_be_initialised_again() -> None:
    board = board_after("classic", "assigned", 2, 7)
    board.__init__("duo")
    assert board == bf.Board("duo")
    assert board.move_stack == []


def test_subclasses_are_boards() -> None:
    class Mine(bf.Board):
        pass

    board = Mine("duo")
    board.push(board.parse_move("e10"))
    assert board.count_legal() == 414
    assert board == board.copy()
