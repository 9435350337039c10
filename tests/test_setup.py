"""Setting up positions from squares, and everything that can be wrong with one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from helpers import CLASSIC_3P, GAME, board_after, monomino_last, snapshot

import blokus_fast as bf


def again(board: bf.Board, squares: Any = None) -> bf.Board:
    """Set up the position of a board afresh."""
    last = [color for color, flag in enumerate(monomino_last(board)) if flag]
    return bf.set_up(
        board.variant,
        board.grid() if squares is None else squares,
        turn=board.turn,
        player=board.player,
        monomino_last=last,
    )


@GAME
def test_positions_of_games_can_be_set_up_from_their_grid(variant: str, start: str) -> None:
    for plies in (0, 1, 5, 14, 30):
        board = board_after(variant, start, 1, plies)
        if board.is_game_over:
            continue
        copy = again(board)
        assert copy == board
        assert copy.key() == board.key()
        assert snapshot(copy)[6:14] == snapshot(board)[6:14]
        assert copy.move_stack == []
        with pytest.raises(IndexError):
            copy.pop()


@GAME
def test_the_set_up_position_plays_on_like_the_other(variant: str, start: str) -> None:
    board = board_after(variant, start, 2, 17)
    copy = again(board)
    while not board.is_game_over:
        move = int(board.legal_ids()[0])
        board.push(move)
        copy.push(move)
        assert copy == board
    assert copy.is_game_over
    assert copy.player_scores() == board.player_scores()


def test_squares_in_every_form() -> None:
    expected = bf.Board("duo")
    for text in ("e8,d9,e9,f9,e10", "j5"):
        expected.push(expected.parse_move(text))
    cross = bf.Move.parse("e8,d9,e9,f9,e10", 14)
    for blue in (
        ["e8", "d9", "e9", "f9", "e10"],
        ["E10,F9,e9,d9,e8"],
        [cross],
        list(cross.squares),
        np.array(cross.squares),
        cross,
    ):
        assert bf.set_up("duo", {0: blue, 1: ["j5"]}, monomino_last=[1]) == expected


def test_shared_color_and_who_places_it_next() -> None:
    """Each player has placed once, green once: green's next turn belongs to the second player."""
    board = bf.Board(CLASSIC_3P)
    for text in ("a20", "t20", "t1", "a1", "b19,c19", "s19,r19", "s2,r2"):
        board.push(board.parse_move(text))
    assert (board.turn, board.player) == (3, 1)
    copy = bf.set_up(CLASSIC_3P, board.grid(), turn=3, player=1, monomino_last=[3])
    assert copy == board
    assert copy.key() == board.key()


@pytest.mark.parametrize("plies", [1, 2, 3, 4, 5, 6, 9, 14, 22, 39])
def test_three_player_positions_play_on_like_the_other(plies: int) -> None:
    """Whoever is to move: the shared color has to go on with the right player."""
    board = bf.Board(CLASSIC_3P)
    while board.ply < plies:
        board.push(int(board.legal_ids()[-1]))
    copy = again(board)
    for _ in range(12):
        assert (copy.turn, copy.player) == (board.turn, board.player)
        if board.is_game_over:
            break
        move = int(board.legal_ids()[0])
        board.push(move)
        copy.push(move)


def test_turn_goes_on_to_a_color_that_can_move() -> None:
    variant = bf.Variant("two", 6, ["blue", "red"], [["a6"], ["f1"]], pieces=[["1"], ["1", "2"]])
    board = bf.set_up(variant, {"blue": ["a6"], "red": ["f1"]}, turn="blue")
    assert board.turn == 1


def test_hands_can_be_smaller_than_the_rest_of_the_set() -> None:
    board = bf.set_up("duo", {0: ["e10"], 1: ["j5"]}, hands={0: ["2", "W"]})
    assert board.pieces_left(0) == ("2", "W")
    assert len(board.pieces_left(1)) == 20
    counts = [0] * 21
    counts[1] = 1
    assert bf.set_up("duo", {0: ["e10"], 1: ["j5"]}, hands={0: counts}).pieces_left(0) == ("2",)


def test_a_finished_position_is_over() -> None:
    board = board_after("duo", "any", 4, 1000)
    copy = bf.set_up(board.variant, board.grid())
    assert copy.is_game_over
    assert (copy.turn, copy.player) == (-1, -1)


NAMED = {0: "blue", 1: "yellow", 2: "red", 3: "green"}
WRONG = {
    "no start square": ({0: ["b19"]}, r"blue.*a20"),
    "another's start square": ({0: ["t20"]}, r"blue.*a20"),
    "not connected": ({0: ["a20", "c18,d18"]}, r"blue.*c18.*corner"),
    "far away": ({2: ["t1", "j10,j11"]}, r"red.*j1.*corner"),
    "two pieces at an edge": ({0: ["a20,b20", "c20"]}, r"blue.*edge"),
    "six squares in a row": ({0: ["a20", "b20", "c20", "d20", "e20", "f20"]}, r"blue.*6"),
    "a block of nine": ({3: [f"{c}{r}" for c in "abc" for r in (1, 2, 3)]}, r"green.*9"),
    "the same piece twice": ({0: ["a20", "b19"]}, r"blue.*piece 1 "),
    "square of two colors": ({0: ["a20,b20"], 1: ["t20", "b20"]}, r"b20.*blue.*yellow"),
    "off board": ({0: ["a21"]}, r"blue.*a21"),
    "no square": ({0: ["hello"]}, r"blue.*hello"),
    "no piece": ({0: ["a20,b20,d20"]}, r"blue"),
    "index too large": ({0: [400]}, r"blue.*400"),
    "index too small": ({0: [-1]}, r"blue.*-1"),
    "no index": ({0: [1.5]}, r"blue.*1\.5"),
    "nothing": ({0: [None]}, r"blue"),
    "move of another board": ({0: [bf.Move(0, 14)]}, r"blue"),
    "color twice": ({0: ["a20"], "blue": ["a20"]}, r"blue"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_and_where(name: str) -> None:
    squares, message = WRONG[name]
    with pytest.raises(bf.InvalidPositionError, match=message):
        bf.set_up("classic", squares)


@pytest.mark.parametrize("color", [4, -1, "purple", None, 1.5], ids=repr)
def test_colors_that_are_not_there(color: object) -> None:
    with pytest.raises(ValueError, match="color"):
        bf.set_up("classic", {color: ["a20"]})


@pytest.mark.parametrize(
    "grid",
    [
        np.full((14, 14), -1),
        np.full(400, -1),
        np.full((20, 20), -1.0),
        np.full((20, 20), 4),
        np.full((20, 20), 0),
        np.full((20, 20), True),
        [["a"]],
        "text",
    ],
    ids=["small", "flat", "float", "color 4", "all blue", "bool", "letters", "text"],
)
def test_grids_that_are_no_position(grid: object) -> None:
    with pytest.raises(bf.InvalidPositionError):
        bf.set_up("classic", grid)


HANDS = {
    "placed and in hand": {0: ["1"]},
    "twice": {0: ["2", "2"]},
    "unknown piece": {0: ["Q"]},
    "too many counts": {0: [0] * 22},
    "negative count": {0: [-1] + [0] * 20},
    "huge count": {0: [10**9] + [0] * 20},
}


@pytest.mark.parametrize("name", HANDS)
def test_hands_that_do_not_add_up(name: str) -> None:
    with pytest.raises(bf.InvalidPositionError, match="blue"):
        bf.set_up("classic", {0: ["a20"]}, hands=HANDS[name])


def test_a_monomino_that_is_not_there_cannot_be_last() -> None:
    with pytest.raises(bf.InvalidPositionError, match=r"blue.*monomino"):
        bf.set_up("classic", {0: ["a20,b20"]}, monomino_last=[0])


def test_turns_and_players_that_are_not_there() -> None:
    for turn in (4, -1, "violet"):
        with pytest.raises(ValueError, match="color"):
            bf.set_up("classic", {}, turn=turn)
    with pytest.raises(ValueError, match="player"):
        bf.set_up("classic", {}, turn=0, player=9)
    with pytest.raises(bf.InvalidPositionError):
        bf.set_up("classic", {}, turn=0, player=1)


def test_squares_that_are_not_in_play() -> None:
    variant = bf.Variant("hole", 4, ["blue"], [["a4"]], playable=["....", ".#..", "....", "...."])
    with pytest.raises(bf.InvalidPositionError, match="b3"):
        bf.set_up(variant, {0: ["a4", "b3"]})


def test_the_first_piece_has_to_be_an_allowed_one() -> None:
    variant = bf.Variant("drawn", 14, ["blue"], [["a14"]], first_pieces=["W"])
    with pytest.raises(bf.InvalidPositionError, match=r"blue.*W"):
        bf.set_up(variant, {0: ["a14"]})


def test_border_start_needs_the_rim() -> None:
    with pytest.raises(bf.InvalidPositionError, match=r"blue.*rim"):
        bf.set_up("classic", {0: ["j10"]}, start="border")
    assert bf.set_up("classic", {0: ["j1"]}, start="border").ply == 1


def test_any_start_takes_every_start_square() -> None:
    assert bf.set_up("classic", {0: ["t1"]}, start="any", turn=1).turn == 1
    with pytest.raises(bf.InvalidPositionError):
        bf.set_up("classic", {0: ["t1"]}, start="assigned")


def test_turns_are_colors_whatever_the_order_of_play() -> None:
    colors, corners = ["a", "b", "c"], [["a8"], ["h8"], ["h1"]]
    variant = bf.Variant("own order", 8, colors, corners, order=(2, 0, 1))
    squares = {color: square for color, square in zip(colors, corners, strict=True)}
    for color, name in enumerate(colors):
        for turn in (color, name):
            board = bf.set_up(variant, squares, turn=turn)
            assert (board.turn, board.player, board.skipped) == (color, color, ())
            board.push(board.legal_ids()[0])
            assert board.turn == {0: 1, 1: 2, 2: 0}[color]
    assert bf.set_up(variant, squares).turn == 2
    # Who has nothing left is passed over, to the next in the order of play.
    board = bf.set_up(variant, squares, turn="a", hands={"a": []})
    assert (board.turn, board.skipped) == (1, (0,))
