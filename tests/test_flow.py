"""Whose turn it is: order, players, skips, shared colors, start rules, round caps, passes."""

from __future__ import annotations

import random

import pytest
from helpers import CLASSIC_3P, GAME, GAMES, board_after, move_id, play

import blokus_fast as bf

CORNERS = ["a20", "t20", "t1", "a1"]
FOUR = ["blue", "yellow", "red", "green"]


def test_colors_take_turns_clockwise_from_the_top_left() -> None:
    board = bf.Board("classic")
    for color, corner in enumerate(CORNERS):
        assert board.turn == board.player == color
        assert board.corner_squares(color).tolist() == list(bf.Move.parse(corner).squares)
        play(board, corner)
    assert board.turn == 0


def test_two_players_alternate_and_own_opposite_corners() -> None:
    board = bf.Board("classic-2p")
    players = []
    for corner in CORNERS:
        players.append(board.player)
        play(board, corner)
    assert players == [0, 1, 0, 1]
    assert (board.turn, board.player) == (0, 0)


@GAME
def test_who_is_not_over_can_move(variant: str, start: str) -> None:
    rng = random.Random(1)
    board = bf.Board(variant, start=start)
    while not board.is_game_over:
        assert board.any_legal(color=board.turn)
        board.push(int(rng.choice(board.legal_ids())))
    assert not any(board.any_legal(color=color) for color in range(board.n_colors))


@GAME
def test_a_color_without_a_move_never_gets_one_again(variant: str, start: str) -> None:
    rng = random.Random(2)
    board = bf.Board(variant, start=start)
    stuck: set[int] = set()
    while not board.is_game_over:
        now = {c for c in range(board.n_colors) if not board.any_legal(color=c)}
        assert stuck <= now
        assert board.turn not in now
        stuck = now
        board.push(int(rng.choice(board.legal_ids())))


@GAME
def test_the_next_color_is_the_next_that_can_move(variant: str, start: str) -> None:
    rng = random.Random(3)
    board = bf.Board(variant, start=start)
    order = board.variant.order
    while not board.is_game_over:
        last = order.index(board.turn)
        board.push(int(rng.choice(board.legal_ids())))
        following = [order[(last + step) % len(order)] for step in range(1, len(order) + 1)]
        able = [color for color in following if board.any_legal(color=color)]
        assert board.turn == (able[0] if able else -1)


def test_one_color_running_out_does_not_end_the_game() -> None:
    variant = bf.Variant(
        "short", 8, ["blue", "red"], [["a8"], ["h1"]], pieces=[["1"], ["1", "2", "I3"]]
    )
    board = play(bf.Board(variant), "a8", "h1")
    assert board.turn == 1
    play(board, "g2,f2")
    assert board.turn == 1
    play(board, "e3,d3,c3")
    assert board.is_game_over
    assert board.color_scores() == (20, 15)


def test_the_game_ends_at_once_with_the_last_piece() -> None:
    """Nobody has to be asked for a pass before the game is over."""
    variant = bf.Variant("one", 6, ["blue", "red"], [["a6"], ["f1"]], pieces=[["1"], ["1"]])
    board = play(bf.Board(variant), "a6", "f1")
    assert board.is_game_over
    assert board.ply == 2


def test_order_of_play_is_data() -> None:
    board = bf.Board(bf.Variant("x", 20, FOUR, [[c] for c in CORNERS], order=[2, 0, 3, 1]))
    turns = []
    for text in ("t1", "a20", "a1", "t20"):
        turns.append(board.turn)
        play(board, text)
    assert turns == [2, 0, 3, 1]
    assert board.turn == 2


# Start rules


def test_assigned_takes_only_the_own_corner() -> None:
    board = bf.Board("classic")
    assert [board.is_legal(move_id(corner)) for corner in CORNERS] == [True, False, False, False]


def test_any_takes_every_corner_that_is_free() -> None:
    board = bf.Board("classic", start="any")
    assert all(board.is_legal(move_id(corner)) for corner in CORNERS)
    play(board, "t1")
    assert [board.is_legal(move_id(corner)) for corner in CORNERS] == [True, True, False, True]
    play(board, "a20,b20")
    assert [board.is_legal(move_id(corner)) for corner in CORNERS] == [False, True, False, True]


def test_border_takes_the_rim_and_nothing_else() -> None:
    board = bf.Board("classic", start="border")
    squares = {bf.Move(number).squares[0] for number in board.legal_ids().tolist() if number < 400}
    rim = {r * 20 + c for r in range(20) for c in range(20) if {r, c} & {0, 19}}
    assert squares == rim
    assert len(rim) == 76


def test_second_duo_player_covers_the_other_start_square() -> None:
    for first, second in (("e10", "j5"), ("j5", "e10")):
        board = play(bf.Board("duo"), first)
        assert board.count_legal() == 414
        assert all(
            bf.Move(move, 14).squares.count(bf.Move.parse(second, 14).squares[0])
            for move in board.legal_moves
        )


def test_the_start_rule_is_per_color_not_per_round() -> None:
    """Red did not get to open in the first round; it still has to begin in its corner."""
    variant = bf.Variant(
        "late",
        20,
        FOUR,
        [[corner] for corner in CORNERS],
        max_rounds=9,
    )
    board = bf.set_up(variant, {0: ["a20"], 1: ["t20"], 3: ["a1"]}, turn=0)
    play(board, "b19,c19", "s19,r19")
    assert board.turn == 2
    assert board.count_legal() == 58
    assert not board.is_legal(move_id("j10"))


# Three players


def test_the_shared_color_goes_round() -> None:
    board = bf.Board(CLASSIC_3P)
    rng = random.Random(8)
    deciders: list[int] = []
    while not board.is_game_over:
        if board.turn == 3:
            deciders.append(board.player)
        else:
            assert board.player == board.turn
        board.push(int(rng.choice(board.legal_ids())))
    assert deciders == [k % 3 for k in range(len(deciders))]
    assert len(deciders) > 3
    assert len(board.player_scores()) == 3
    assert board.player_scores() == board.color_scores()[:3]


def test_turns_in_which_the_shared_color_is_skipped_do_not_count() -> None:
    """Its second placement belongs to the second player, whenever it comes."""
    variant = bf.Variant(
        "three",
        20,
        FOUR,
        [[corner] for corner in CORNERS],
        owners=[0, 1, 2, None],
        voluntary_pass=True,
    )
    board = bf.Board(variant)
    rounds = [
        (*CORNERS[:3], "a1"),
        ("b19,c19", "s19,r19", "s2,r2", "pass"),
        ("d18,e18,f18", "q18,p18,o18", "q3,p3,o3", "b2,c2"),
        ("pass", "pass", "pass", "pass"),
        ("pass", "pass", "pass", "d3,e3,f3"),
        ("pass", "pass", "pass", "g4,g5,g6,g7"),
    ]
    deciders = []
    for texts in rounds:
        play(board, *texts[:3])
        assert board.turn == 3
        deciders.append(board.player)
        play(board, texts[3])
    # Turns in which nothing was placed leave it to the same player.
    assert deciders == [0, 1, 1, 2, 2, 0]


def test_a_shared_color_that_is_stuck_is_passed_over() -> None:
    variant = bf.Variant(
        "three",
        20,
        FOUR,
        [[corner] for corner in CORNERS],
        owners=[0, 1, 2, None],
        pieces=[bf.PIECES, bf.PIECES, bf.PIECES, ["1"]],
    )
    board = play(bf.Board(variant), *CORNERS)
    assert board.ply == 4
    play(board, "b19,c19", "s19,r19", "s2,r2")
    assert board.turn == 0
    assert board.player == 0


# Round caps and passes


@pytest.mark.parametrize("rounds", [1, 2, 5])
def test_a_cap_of_rounds_means_that_many_full_rounds(rounds: int) -> None:
    variant = bf.Variant("cap", 20, FOUR, [[c] for c in CORNERS], max_rounds=rounds)
    board = bf.Board(variant)
    while not board.is_game_over:
        board.push(int(board.legal_ids()[-1]))
    assert board.ply == 4 * rounds
    assert board.turn == board.player == -1
    assert board.count_legal() == 0
    board.pop()
    assert not board.is_game_over
    assert board.turn == 3


def test_a_skipped_turn_counts_as_a_turn_of_its_round() -> None:
    variant = bf.Variant(
        "cap",
        20,
        FOUR,
        [[corner] for corner in CORNERS],
        pieces=[bf.PIECES, ["1"], bf.PIECES, ["1"]],
        max_rounds=3,
    )
    board = bf.Board(variant)
    while not board.is_game_over:
        board.push(int(board.legal_ids()[-1]))
    assert board.ply == 4 + 2 + 2


def test_a_pass_is_no_move_where_it_is_not_allowed() -> None:
    board = bf.Board("classic")
    assert len(board.legal_mask()) == board.n_moves
    with pytest.raises(bf.InvalidMoveError):
        board.push(board.n_moves)


def test_a_voluntary_pass_after_the_first_piece() -> None:
    variant = bf.Variant(
        "passing", 20, FOUR, [[c] for c in CORNERS], max_rounds=25, voluntary_pass=True
    )
    board = bf.Board(variant)
    skip = board.n_moves
    assert not board.is_legal(skip)
    with pytest.raises(bf.IllegalMoveError):
        board.push(skip)
    play(board, *CORNERS)
    assert board.is_legal(skip)
    assert board.legal_ids()[-1] == skip
    before = board.copy()
    board.push(skip)
    assert board.turn == 1
    assert not board.is_legal(skip, color=0)
    assert board.any_legal(color=0)
    for _ in range(3):
        board.push(skip)
    assert board.turn == 0  # a pass is for one turn, not for good
    assert board.count_legal() > 1
    for _ in range(4):
        board.pop()
    assert board == before


def test_passing_all_the_time_ends_with_the_last_round() -> None:
    variant = bf.Variant(
        "passing", 20, FOUR, [[c] for c in CORNERS], max_rounds=25, voluntary_pass=True
    )
    board = play(bf.Board(variant), *CORNERS)
    while not board.is_game_over:
        board.push(board.n_moves)
    assert board.ply == 100


def test_first_pieces_can_be_demanded() -> None:
    """The contest's figure: 272 ways to begin at the rim with W."""
    variant = bf.Variant(
        "contest", 20, FOUR, owners=[0, 1, 0, 1], start="border", first_pieces=["W"]
    )
    board = bf.Board(variant)
    assert board.count_legal() == 272
    assert {bf.Move(number).piece for number in board.legal_moves} == {"W"}


def test_no_game_is_longer_than_its_pieces() -> None:
    for variant, start in GAMES:
        board = board_after(variant, start, 5, 1000)
        assert board.ply <= sum(len(pieces) for pieces in board.variant.pieces)


def test_passing_for_ever_ends_before_the_counters_do() -> None:
    variant = bf.Variant(
        name="patient",
        size=5,
        color_names=("blue",),
        start_squares=(("a5",),),
        pieces=(("1", "2"),),
        voluntary_pass=True,
    )
    board = bf.Board(variant)
    board.push(board.parse_move("a5"))
    for _ in range(0xF000 - 1):
        board.push(board.n_moves)
    assert (board.ply, board.round) == (0xF000, 0xF000)
    assert not board.is_game_over
    with pytest.raises(bf.IllegalMoveError, match="pass is not allowed"):
        board.push(board.n_moves)
    assert board.legal_ids().tolist()
    board.push(int(board.legal_ids()[0]))
    assert board.is_game_over
