"""Copies of a board, with the moves that led to it and without them, and its pickles."""

from __future__ import annotations

import copy
import pickle
import random
import sys

import numpy as np
import pytest
from helpers import (
    GAME,
    GAME_IDS,
    GAMES,
    board_after,
    boards_of_all_phases,
    output_of,
    random_moves,
    snapshot,
)

import blokus_fast as bf

COPIES = {
    "copy": lambda board: board.copy(),
    "copy.copy": copy.copy,
    "copy.deepcopy": copy.deepcopy,
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
}


@pytest.mark.parametrize("how", COPIES)
@GAME
def test_copies_are_equal_and_do_not_share(variant: str, start: str, how: str) -> None:
    """Play the copy to its end: the original must not notice (and the other way round)."""
    board = board_after(variant, start, 4, 10)
    twin = COPIES[how](board)
    assert twin is not board
    assert snapshot(twin) == snapshot(board)
    before = snapshot(board)
    rng = random.Random(5)
    while not twin.is_game_over:
        twin.push(int(rng.choice(twin.legal_ids())))
    assert snapshot(board) == before
    assert twin != board
    end = snapshot(twin)
    while board.move_stack:
        board.pop()
    assert snapshot(twin) == end


@pytest.mark.parametrize("how", COPIES)
def test_copies_can_be_taken_back_to_the_beginning(how: str) -> None:
    board = COPIES[how](board_after("duo", "any", 4, 12))
    while board.ply:
        board.pop()
    assert board == bf.Board("duo")


@pytest.mark.parametrize("stack", [1, None, "no", np.zeros(3)], ids=repr)
def test_copy_is_told_true_or_false(stack: object) -> None:
    with pytest.raises(TypeError, match="stack must be True or False, not"):
        bf.Board("duo").copy(stack=stack)  # type: ignore[arg-type]


# Copies without the moves that led to them

KINDS = [*GAMES, ("software-challenge-2027", "border")]
KIND = pytest.mark.parametrize(
    ("variant", "start"), KINDS, ids=[*GAME_IDS, "software-challenge-2027"]
)


def without_moves(board: bf.Board) -> list[object]:
    """Return all that can be seen of a board, but for its moves, its pickle and its bytes."""
    hidden = (tuple(board.move_stack), pickle.dumps(board), board._state_bytes())
    return [part for part in snapshot(board) if part not in hidden]


@pytest.mark.parametrize("how", COPIES)
@KIND
def test_a_copy_without_moves_is_the_same_position(variant: str, start: str, how: str) -> None:
    for board in boards_of_all_phases(variant, start, 4, 7):
        before = snapshot(board)
        twin = COPIES[how](board.copy(stack=False))
        assert type(twin) is bf.Board
        assert twin == board
        assert twin.move_stack == []
        assert (twin.ply, twin.round, twin.key()) == (board.ply, board.round, board.key())
        assert without_moves(twin) == without_moves(board)
        if how != "pickle":
            # A pickle without moves is a position that is set up: nobody was skipped, and who can
            # place no more is known at once.
            assert twin.skipped == board.skipped
            assert twin._state_bytes() == board._state_bytes()
        assert snapshot(board) == before


@pytest.mark.parametrize("how", COPIES)
@KIND
def test_a_copy_without_moves_goes_back_no_further(variant: str, start: str, how: str) -> None:
    board = board_after(variant, start, 4, 10)
    kept, twin = snapshot(board), board.copy(stack=False)
    base = snapshot(twin)
    for call in (twin.pop, twin.peek):
        with pytest.raises(IndexError, match="a board without moves"):
            call()
    moves = random_moves(variant, start, 4)[10:]
    for move in moves:
        twin.push(move)
    assert twin.move_stack == list(moves)
    assert twin == board_after(variant, start, 4, 10 + len(moves))
    again = COPIES[how](twin)
    assert snapshot(again) == snapshot(twin)
    for copied in (again, twin):
        assert [copied.pop() for _ in moves] == [*reversed(moves)]
        with pytest.raises(IndexError, match="pop from a board without moves"):
            copied.pop()
        assert snapshot(copied) == base
    assert twin.skipped == board.skipped
    assert snapshot(board) == kept


def test_whom_the_turn_passed_over_is_known_without_the_moves() -> None:
    found = 0
    for seed in range(8):
        board = bf.Board("duo")
        for move in random_moves("duo", "any", seed):
            board.push(move)
            assert board.copy(stack=False).skipped == board.skipped
            found += bool(board.skipped)
    assert found


def test_at_the_beginning_there_are_no_moves_to_leave_behind() -> None:
    board = bf.Board("duo")
    assert pickle.dumps(board.copy(stack=False)) == pickle.dumps(board)
    placed = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}, turn="purple")
    assert pickle.dumps(placed.copy(stack=False)) == pickle.dumps(placed)
    assert placed.copy(stack=False).skipped == placed.skipped


def test_a_game_goes_on_from_a_copy_without_moves() -> None:
    board = board_after("classic", "assigned", 4, 21)
    game = bf.Game.from_board(board.copy(stack=False))
    assert game.moves == ()
    assert game.scores == board.player_scores()
    move = game.play(int(board.legal_ids()[0]))
    assert game.undo() == move
    with pytest.raises(IndexError):
        game.undo()


def test_the_stack_is_left_behind_by_name_only() -> None:
    with pytest.raises(TypeError):
        bf.Board("duo").copy(False)  # type: ignore[misc]


def test_a_copy_without_moves_keeps_the_class_and_its_attributes() -> None:
    class Mine(bf.Board):
        pass

    board = Mine("duo")
    board.note = ["mine"]
    board.push(board.parse_move("e10"))
    twin = board.copy(stack=False)
    assert type(twin) is Mine
    assert twin.note is board.note
    assert (twin == board, twin.move_stack) == (True, [])


def test_long_games_are_copied_with_and_without_their_moves() -> None:
    """More moves than a board has room for in itself."""
    board = bf.Board("draft")
    rng = random.Random(1)
    while not board.is_game_over:
        board.push(int(rng.choice(board.legal_ids())))
    assert board.ply > 110
    twin, bare = board.copy(), board.copy(stack=False)
    assert twin == bare == board
    assert twin.move_stack == board.move_stack
    assert bare.move_stack == []
    # What was a long game's goes on as another.
    bare.__init__("duo")  # type: ignore[misc]
    assert snapshot(bare) == snapshot(bf.Board("duo"))
    while board.move_stack:
        assert twin.pop() == board.pop()
        assert twin == board
    assert board == bf.Board("draft")


# Pickles


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_pickle_protocol_keeps_the_position(protocol: int) -> None:
    """Not the position at the beginning of the game, as seen elsewhere."""
    board = board_after("classic", "assigned", 6, 20)
    again = pickle.loads(pickle.dumps(board, protocol))
    assert again == board
    assert again.ply == 20
    assert snapshot(again) == snapshot(board)


def test_pickle_keeps_rules_that_are_not_the_default() -> None:
    board = bf.Board("duo", start="assigned", scoring="reverse")
    again = pickle.loads(pickle.dumps(board))
    assert again.variant == board.variant
    assert again.count_legal() == 414
    assert again.player_scores() == (0, 0)


def test_pickle_keeps_a_variant_of_ones_own() -> None:
    variant = bf.Variant("tiny", 8, ["blue", "red"], [["a8"], ["h1"]])
    board = bf.Board(variant)
    board.push(board.parse_move("a8,b8"))
    again = pickle.loads(pickle.dumps(board))
    assert snapshot(again) == snapshot(board)


DAMAGE = """
import random
import blokus_fast as bf

rng = random.Random(1)
board = bf.Board("duo")
for _ in range(8):
    board.push(int(rng.choice(board.legal_ids())))
board = bf.set_up(board.variant, board.grid())
for _ in range(4):
    board.push(int(rng.choice(board.legal_ids())))
make, arguments = board.__reduce__()[:2]
JUNK = [0, 1, -1, 2, 7, 13_728, 13_729, 2**15, 2**31, 2**63, -(2**40)]
JUNK += [None, "a", b"a", 1.5, (), [[]]]

def damaged(value):
    if isinstance(value, (tuple, list)) and value and rng.random() < 0.85:
        value = list(value)
        where = rng.randrange(len(value))
        if rng.random() < 0.15:
            del value[where]
        elif rng.random() < 0.15:
            value.extend(value * rng.choice([1, 40]))
        else:
            value[where] = damaged(value[where])
        return value
    return rng.choice(JUNK)

sound = 0
for _ in range(6000):
    try:
        again = make(*damaged(arguments))
    except (ValueError, TypeError, OverflowError, AttributeError):
        continue
    sound += 1
    again.key(), again.grid(), repr(again), again.color_scores(), again.player_scores()
    for color in range(again.n_colors):
        again.legal_ids(color=color), again.hand(color), again.own_mask(color)
    for _ in range(4):
        if not again.is_game_over:
            again.push(int(again.legal_ids()[0]))
    while again.move_stack:
        again.pop()
    again.legal_mask()
assert sound
"""


def test_damaged_pickles_never_crash() -> None:
    """What a pickle holds, changed at random: an error or a sound board (in its own process)."""
    output_of(sys.executable, "-P", "-c", DAMAGE)


def test_cut_pickles_raise() -> None:
    data = pickle.dumps(board_after("duo", "any", 1, 9))
    for length in range(0, len(data), 7):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError)):
            pickle.loads(data[:length])
