"""What a board is handed: ids, colors, texts, names, buffers.

For what is wrong the right exception, and nothing is changed.
"""

from __future__ import annotations

import random

import numpy as np
import pytest
from helpers import GAME, board_after, snapshot

import blokus_fast as bf

INTEGER_KINDS = [
    *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.byte, np.short, np.intc, np.int_, np.longlong, np.intp),
    *(np.ubyte, np.ushort, np.uintc, np.uint, np.ulonglong, np.uintp),
]
HUGE = [2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30]


@pytest.fixture
def board() -> bf.Board:
    return board_after("classic", "assigned", 8, 9)


@pytest.mark.parametrize("call", ["push", "push_unchecked", "move_text", "move"])
@pytest.mark.parametrize("number", [-1, -(2**31), 30_433, 30_434, *HUGE, *(-n for n in HUGE)])
def test_ids_out_of_range(board: bf.Board, call: str, number: int) -> None:
    before = snapshot(board)
    with pytest.raises(bf.InvalidMoveError):
        getattr(board, call)(number)
    assert not board.is_legal(number)
    assert board.why_illegal(number)
    assert snapshot(board) == before


WRONG_TYPES = [None, 1.0, np.float64(1), b"1", [1], (1,), {1}, 1j, ..., np.array([1, 2])]


@pytest.mark.parametrize("call", ["push", "is_legal", "move_text", "why_illegal"])
@pytest.mark.parametrize("value", WRONG_TYPES, ids=repr)
def test_values_that_are_no_id(board: bf.Board, call: str, value: object) -> None:
    before = snapshot(board)
    with pytest.raises(TypeError):
        getattr(board, call)(value)
    assert snapshot(board) == before


@pytest.mark.parametrize("value", [True, False, np.True_, np.False_], ids=repr)
def test_a_truth_value_is_no_id(value: object) -> None:
    board = bf.Board()
    with pytest.raises(TypeError):
        board.push(value)
    assert board == bf.Board()


@pytest.mark.parametrize("kind", INTEGER_KINDS, ids=lambda kind: kind.__name__)
def test_numpy_integers_of_every_kind(kind: type) -> None:
    board = bf.Board("classic")
    assert board.is_legal(kind(0))
    assert kind(0) in board.legal_moves
    assert board.why_illegal(kind(1)) is not None
    assert board.move_text(kind(0)) == "a20"
    assert board.count_legal(color=kind(1)) == 58
    board.push(kind(0))
    assert board.move_stack == [0]
    board.pop()
    board.push_unchecked(kind(0))
    assert type(board.move_stack[0]) is int


def test_move_objects_are_ids() -> None:
    board = bf.Board("classic")
    move = bf.Move.parse("a20")
    assert board.is_legal(move)
    board.push(move)
    assert board.move_stack == [0]


PER_COLOR = [
    *("pieces_left", "hand", "own_squares", "corner_squares", "forbidden_squares"),
    *("own_mask", "corner_mask", "forbidden_mask", "legal_ids", "legal_mask", "count_legal"),
    "any_legal",
]


def ask(board: bf.Board, call: str, color: object) -> object:
    """Call a method that is about a color."""
    if "legal" in call:
        return getattr(board, call)(color=color)
    return getattr(board, call)(color)


@pytest.mark.parametrize("call", PER_COLOR)
@pytest.mark.parametrize("color", [-1, -2, 4, 7, 100, *HUGE, *(-n for n in HUGE)])
def test_colors_out_of_range(board: bf.Board, call: str, color: int) -> None:
    with pytest.raises(ValueError, match=r"colou?r"):
        ask(board, call, color)


def test_colors_that_a_variant_does_not_have() -> None:
    board = bf.Board("duo")
    for call in PER_COLOR:
        with pytest.raises(ValueError, match=r"colou?r"):
            ask(board, call, 2)


@pytest.mark.parametrize("call", PER_COLOR)
@pytest.mark.parametrize("color", ["blue", 1.0, [0]], ids=repr)
def test_colors_of_the_wrong_type(board: bf.Board, call: str, color: object) -> None:
    with pytest.raises(TypeError, match="a color must be its number"):
        ask(board, call, color)


@pytest.mark.parametrize(
    "text",
    ["", " ", ",", "a", "1", "a0", "a21", "u1", "z99", "a99999", "a1,", "a1,a1", "a1,a3", "pass",
     "resign", "a1,a2,a3,a4,a5,a6", "a1;a2", "a-1", "1a", "a1 a2", "\xe41", "a\uff11", "a1\x00",
     "a" * 9999],
)  # fmt: skip
def test_texts_that_are_no_move(board: bf.Board, text: str) -> None:
    before = snapshot(board)
    with pytest.raises(bf.InvalidMoveError):
        board.parse_move(text)
    assert snapshot(board) == before


@pytest.mark.parametrize("text", [None, 5, b"a1", ["a1"]], ids=repr)
def test_move_texts_of_the_wrong_type(board: bf.Board, text: object) -> None:
    with pytest.raises(TypeError):
        board.parse_move(text)


def test_illegal_moves_leave_the_board_as_it_was(board: bf.Board) -> None:
    before = snapshot(board)
    rng = random.Random(9)
    legal = set(board.legal_ids().tolist())
    for number in rng.sample(range(board.n_moves), 400):
        if number not in legal:
            with pytest.raises(bf.IllegalMoveError):
                board.push(number)
    assert snapshot(board) == before


@GAME
def test_a_finished_game_takes_no_move(variant: str, start: str) -> None:
    board = board_after(variant, start, 2, 1000)
    assert board.is_game_over
    assert (board.turn, board.player) == (-1, -1)
    before = snapshot(board)
    for number in (0, 17, board.n_moves - 1):
        assert not board.is_legal(number)
        with pytest.raises(bf.IllegalMoveError):
            board.push(number)
    assert snapshot(board) == before
    assert board.count_legal() == 0
    assert list(board.legal_moves) == []


@pytest.mark.parametrize("value", ["", "Classic 2p", "chess", "classic-5p", "x" * 500])
def test_unknown_variants_name_the_valid_ones(value: str) -> None:
    with pytest.raises(ValueError, match=r"classic.*duo.*junior"):
        bf.Board(value)


@pytest.mark.parametrize("value", [3, None, 1.5, ["duo"], b"duo"], ids=repr)
def test_variants_of_the_wrong_type(value: object) -> None:
    with pytest.raises(TypeError):
        bf.Board(value)


def test_unknown_start_and_scoring_rules_name_the_valid_ones() -> None:
    with pytest.raises(ValueError, match=r"assigned.*any.*border"):
        bf.Board("duo", start="free")
    with pytest.raises(ValueError, match=r"advanced.*basic.*placed.*net.*reverse"):
        bf.Board("duo", scoring="golf")


def test_hands_that_do_not_fit_leave_a_board_as_it_was() -> None:
    board = bf.Board("draft-2p")
    board.push(int(board.legal_ids()[0]))
    before = board._state_bytes()
    with pytest.raises(ValueError, match="player"):
        board.__init__("draft-2p", hands=[{"blue": ["1"]}])  # type: ignore[misc]
    assert board._state_bytes() == before
    assert board.ply == 1


# Buffers of the caller's


def test_out_receives_ids_and_mask() -> None:
    board = board_after("duo", "any", 1, 8)
    ids = board.legal_ids()
    room = np.full(board.n_moves + 64, -7, np.int32)
    count = board.legal_ids(out=room)
    assert count == len(ids)
    assert room[:count].tolist() == ids.tolist()
    assert (room[count + 64 :] == -7).all()
    mask = np.full(board.n_moves, 9, np.uint8).view(bool)
    assert board.legal_mask(out=mask) is mask
    assert np.flatnonzero(mask).tolist() == ids.tolist()


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(3, bool),
        np.zeros(30_433, np.float64),
        np.zeros(2 * 30_433, bool)[::2],
        np.zeros((30_433, 2), bool)[:, 0],
        b"\0" * 30_433,
        [0] * 30_433,
        "text",
        7,
    ],
    ids=["short", "float", "strided", "column", "bytes", "list", "text", "int"],
)
def test_masks_that_do_not_fit(board: bf.Board, out: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        board.legal_mask(out=out)


@pytest.mark.parametrize(
    "out",
    [
        np.zeros(2, np.int32),
        np.zeros(40_000, np.float32),
        np.zeros(80_000, np.int32)[::2],
        b"\0" * 160_000,
        [0] * 40_000,
        7,
    ],
    ids=["short", "float", "strided", "bytes", "list", "int"],
)
def test_id_buffers_that_do_not_fit(board: bf.Board, out: object) -> None:
    with pytest.raises((TypeError, ValueError)):
        board.legal_ids(out=out)


def test_read_only_buffers_are_refused(board: bf.Board) -> None:
    mask = np.zeros(board.n_moves, bool)
    mask.flags.writeable = False
    with pytest.raises((TypeError, ValueError)):
        board.legal_mask(out=mask)
    assert not mask.any()
