"""Board: push, pop, copies, equality, pictures, pickle, and what happens on bad input."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys

import numpy as np
import pytest
import reference
from helpers import (
    GAME_IDS,
    GAMES,
    board_after,
    boards_of_all_phases,
    random_moves,
    same_grid,
    snapshot,
)
from reference import Position

import blokus_fast as bf

GAME = pytest.mark.parametrize(("variant", "start"), GAMES, ids=GAME_IDS)
INTEGER_KINDS = [
    *(np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64),
    *(np.byte, np.short, np.intc, np.int_, np.longlong, np.intp),
    *(np.ubyte, np.ushort, np.uintc, np.uint, np.ulonglong, np.uintp),
]
HUGE = [2**31 - 1, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30]


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


# Copies

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
    result = subprocess.run(
        [sys.executable, "-P", "-c", DAMAGE], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr[-2000:]


def test_cut_pickles_raise() -> None:
    data = pickle.dumps(board_after("duo", "any", 1, 9))
    for length in range(0, len(data), 7):
        with pytest.raises((pickle.UnpicklingError, EOFError, ValueError)):
            pickle.loads(data[:length])


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
    result = subprocess.run(
        [sys.executable, "-P", "-c", UNINITIALISED], capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr[-2000:]


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


# Bad input: the right exception, and nothing changed


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


WRONG_TYPES = [None, 1.0, np.float64(1), b"1", [1], (1,), {1}, 1j, object(), np.array([1, 2])]


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


@GAME
def test_positions_of_all_phases_have_a_move_unless_over(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, 7, 5):
        assert board.is_game_over == (board.count_legal() == 0)
        assert board.is_game_over == (board.turn == -1)


def test_hands_that_do_not_fit_leave_a_board_as_it_was() -> None:
    board = bf.Board("draft-2p")
    board.push(int(board.legal_ids()[0]))
    before = board._state_bytes()
    with pytest.raises(ValueError, match="player"):
        board.__init__("draft-2p", hands=[{"blue": ["1"]}])  # type: ignore[misc]
    assert board._state_bytes() == before
    assert board.ply == 1


@pytest.mark.parametrize("stack", [1, None, "no", np.zeros(3)], ids=repr)
def test_copy_is_told_true_or_false(stack: object) -> None:
    with pytest.raises(TypeError, match="stack must be True or False, not"):
        bf.Board("duo").copy(stack=stack)  # type: ignore[arg-type]
