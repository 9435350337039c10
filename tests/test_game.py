"""Game: play by id, Move and text, undo, skips in the history, and the result."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
import reference
from figures import PASS, games
from helpers import CLASSIC_3P, GAME, random_moves, snapshot
from reference import RULESETS, Position
from reference.scoring import places

import blokus_fast as bf


def picture(game: bf.Game) -> tuple[Any, ...]:
    """Return everything that can be seen of a game."""
    return (
        snapshot(game.board),
        tuple(game.history),
        game.color_scores,
        game.scores,
        tuple(game.ranking),
        tuple(game.winners),
        game.outcome,
        game.is_over,
        game.names,
    )


def finished(variant: str, start: str, seed: int, scoring: str | None = None) -> bf.Game:
    game = bf.Game(variant, start=start, scoring=scoring)
    for move in random_moves(variant, start, seed):
        game.play(move)
    return game


def test_the_example_of_the_readme() -> None:
    game = bf.Game("duo", start="assigned", scoring="advanced")
    move = game.play("e8,d9,e9,f9,e10")
    assert isinstance(move, bf.Move)
    assert (move.piece, move.color) == ("X", 0)
    assert (game.board.turn, game.board.player, game.board.is_game_over) == (1, 1, False)
    assert game.board.count_legal() == game.board.count_legal(color=1) == 414
    assert game.board.count_legal(color=0) > 0
    assert game.color_scores == (-84, -89)
    assert game.scores == (-84, -89)
    assert list(game.history) == [move]


@pytest.mark.parametrize(
    "way",
    [
        lambda number: number,
        np.int32,
        np.uint16,
        np.int64,
        lambda number: bf.Move(number, 14),
        lambda number: bf.Move(number, 14, 0),
        lambda number: bf.Move(number, 14).text,
        lambda number: bf.Move(number, 14).text.upper(),
        lambda number: ", ".join(reversed(bf.Move(number, 14).text.split(","))),
    ],
    ids=["int", "int32", "uint16", "int64", "Move", "colored", "text", "upper", "reversed"],
)
def test_every_way_to_name_a_move(way: Any) -> None:
    game = bf.Game("duo")
    number = game.board.parse_move("e8,d9,e9,f9,e10")
    assert game.play(way(number)).id == number
    assert game.board.move_stack == [number]


@GAME
def test_undo_goes_all_the_way_back(variant: str, start: str) -> None:
    game = bf.Game(variant, start=start)
    pictures = [picture(game)]
    for move in random_moves(variant, start, 2):
        game.play(move)
        pictures.append(picture(game))
    for move in reversed(random_moves(variant, start, 2)):
        assert picture(game) == pictures.pop()
        assert game.undo().id == move
    assert picture(game) == pictures.pop()
    with pytest.raises(IndexError):
        game.undo()


@GAME
def test_forced_skips_stand_in_the_history(variant: str, start: str) -> None:
    met = 0
    for seed in range(2):
        game = bf.Game(variant, start=start)
        twin = Position(RULESETS[variant](start_rule=start))
        for move in random_moves(variant, start, seed):
            twin.play(reference.placements(game.board.size)[move])
            assert game.play(move).id == move
        skips = [(entry.ply, entry.color) for entry in game.history if isinstance(entry, bf.Skip)]
        assert skips == [tuple(skip) for skip in twin.skips if skip.ply < len(twin.history)]
        met += len(skips)
        played = [(e.color, e.id) for e in game.history if isinstance(e, bf.Move)]
        assert played == [(color, placement.id) for _, color, placement in twin.history]
        # Colors come strictly in order once skips are counted in.
        order = game.variant.order
        colors = [entry.color for entry in game.history]
        assert colors == [order[k % len(order)] for k in range(len(colors))]
    assert met


def test_a_color_that_cannot_even_begin_is_skipped_before_the_first_move() -> None:
    """Found by hypothesis: the piece does not fit around the hole in the board."""
    variant = bf.Variant(
        "late",
        6,
        ["blue", "yellow"],
        [["a6"], ["b6"]],
        pieces=[["T4"], ["1"]],
        playable=["......", ".#....", "......", "......", "......", "......"],
    )
    game = bf.Game(variant)
    assert game.board.turn == 1
    move = game.play("b6")
    expected = [bf.Skip(color=0, player=0, ply=0), move]
    assert list(game.history) == expected
    assert list(bf.Game.from_board(game.board).history) == expected
    game.undo()
    assert list(game.history) == expected[:1]


def test_history_of_a_recorded_game_has_its_passes() -> None:
    recorded = games("bonus_duo")[0]
    assert PASS in recorded.moves
    game = bf.Game("duo", start="assigned")
    for text in recorded.moves:
        if text != PASS:
            game.play(text)
    written = [PASS if isinstance(entry, bf.Skip) else str(entry) for entry in game.history]
    assert written == list(recorded.moves)
    skip = next(entry for entry in game.history if isinstance(entry, bf.Skip))
    ply = recorded.moves.index(PASS)
    assert (skip.color, skip.player, skip.ply) == (ply % 2, ply % 2, ply)


@pytest.mark.parametrize("scoring", reference.SCORING_RULES)
@pytest.mark.parametrize("variant", ["classic", "classic-2p", "duo"])
def test_result_of_finished_games(variant: str, scoring: str) -> None:
    for seed in range(3):
        game = finished(variant, "assigned", seed, scoring)
        assert tuple(game.ranking) == places(scoring, game.scores)
        best = min(game.scores) if scoring == "reverse" else max(game.scores)
        assert list(game.winners) == [i for i, s in enumerate(game.scores) if s == best]
        outcome = game.outcome
        assert outcome is not None
        assert (outcome.winners, outcome.ranking) == (game.winners, game.ranking)
        assert (outcome.scores, outcome.color_scores) == (game.scores, game.color_scores)


def test_a_tie_has_several_winners() -> None:
    """Everybody lays the same and is done: one place, and it is shared by all."""
    variant = bf.Variant(
        "tiny",
        8,
        ["blue", "yellow", "red", "green"],
        [["a8"], ["h8"], ["h1"], ["a1"]],
        pieces=[["1"]] * 4,
    )
    game = bf.Game(variant)
    for text in ("a8", "h8", "h1", "a1"):
        assert game.outcome is None
        game.play(text)
    assert game.is_over
    assert game.scores == (20, 20, 20, 20)
    assert list(game.ranking) == [1, 1, 1, 1]
    assert list(game.winners) == [0, 1, 2, 3]


def test_no_outcome_before_the_end() -> None:
    game = bf.Game("classic")
    assert game.outcome is None
    assert list(game.winners) == []
    game.play("a20")
    assert game.outcome is None


@GAME
def test_a_finished_game_takes_no_move(variant: str, start: str) -> None:
    game = finished(variant, start, 3)
    before = picture(game)
    for move in (0, game.history[0], bf.Move(5, game.board.size), "a1", "pass"):
        with pytest.raises(bf.IllegalMoveError):
            game.play(move)
    assert picture(game) == before


@pytest.mark.parametrize("word", ["pass", "PASS", " pass "])
def test_a_voluntary_pass_is_an_error(word: str) -> None:
    game = bf.Game("classic")
    before = picture(game)
    with pytest.raises(bf.IllegalMoveError, match="pass"):
        game.play(word)
    assert picture(game) == before


BAD = [
    (-1, bf.InvalidMoveError),
    (30_433, bf.InvalidMoveError),
    (2**64, bf.InvalidMoveError),
    (-(10**30), bf.InvalidMoveError),
    (np.int64(-1), bf.InvalidMoveError),
    (np.uint64(2**63), bf.InvalidMoveError),
    ("a1,a3", bf.InvalidMoveError),
    ("", bf.InvalidMoveError),
    ("hello", bf.InvalidMoveError),
    ("a21", bf.InvalidMoveError),
    (bf.Move(0, 14), bf.InvalidMoveError),
    (None, TypeError),
    (1.0, TypeError),
    (np.float32(1), TypeError),
    ([1], TypeError),
    (b"a20", TypeError),
    (..., TypeError),
    ("j10", bf.IllegalMoveError),
    ("b19", bf.IllegalMoveError),
]


@pytest.mark.parametrize(("move", "error"), BAD, ids=lambda value: repr(value)[:40])
def test_a_move_that_fails_changes_nothing(move: object, error: type[Exception]) -> None:
    game = bf.Game("classic")
    for text in ("a20", "t20", "t1", "a1"):
        game.play(text)
    before = picture(game)
    with pytest.raises(error):
        game.play(move)
    assert picture(game) == before


@pytest.mark.parametrize("value", [True, False, np.True_], ids=repr)
def test_a_truth_value_is_no_move(value: object) -> None:
    game = bf.Game("classic")
    with pytest.raises(TypeError):
        game.play(value)
    assert game.board.ply == 0


def test_a_move_of_another_color() -> None:
    game = bf.Game("classic")
    before = picture(game)
    with pytest.raises(bf.IllegalMoveError, match=r"turn|yellow"):
        game.play(bf.Move.parse("t20", color=1))
    assert picture(game) == before
    with pytest.raises(bf.IllegalMoveError):
        game.play("t20")  # yellow's corner, and it is blue's turn
    assert picture(game) == before


def test_a_piece_can_be_placed_once_only() -> None:
    game = bf.Game("duo")
    game.play("e10,e9,e8,e7,d7")
    game.play("j5")
    before = picture(game)
    with pytest.raises(bf.IllegalMoveError, match="L5"):
        game.play("f11,f12,f13,f14,g14")
    assert picture(game) == before


def test_an_error_names_the_broken_rule_and_the_move() -> None:
    game = bf.Game("classic")
    with pytest.raises(bf.IllegalMoveError, match=r"b19.*start|start.*b19"):
        game.play("b19,c19")


def test_names_of_players() -> None:
    assert bf.Game("duo", names=["Ann", "Bob"]).names == ("Ann", "Bob")
    assert len(bf.Game("classic").names) == 4
    assert len(bf.Game("classic-2p").names) == 2
    for names in (["Ann"], ["a", "b", "c"], "ab"):
        with pytest.raises(ValueError, match="names"):
            bf.Game("duo", names=names)


def test_unknown_variants_name_the_valid_ones() -> None:
    with pytest.raises(ValueError, match=r"classic.*classic-2p.*duo.*junior"):
        bf.Game("chess")
    with pytest.raises(TypeError):
        bf.Game(7)


@pytest.mark.parametrize("how", [copy.copy, copy.deepcopy, lambda game: game.copy()])
def test_copies_do_not_share(how: Any) -> None:
    game = bf.Game("duo")
    game.play("e10")
    other = how(game)
    assert picture(other) == picture(game)
    before = picture(game)
    other.play("j5")
    assert picture(game) == before
    assert (game.movers, other.movers) == ((0,), (0, 1))
    other.undo()
    assert picture(other) == before
    game.undo()
    assert (game.movers, other.movers) == ((), (0,))


def test_games_can_be_pickled() -> None:
    game = finished("duo", "assigned", 1)
    again = pickle.loads(pickle.dumps(game))
    assert picture(again) == picture(game)


def test_moves_pushed_on_the_board_are_in_the_history() -> None:
    game = bf.Game("classic")
    game.play("a20")
    game.board.push(game.board.parse_move("t20"))
    assert [str(entry) for entry in game.history] == ["a20", "t20"]
    assert [entry.color for entry in game.history] == [0, 1]
    game.board.pop()
    game.board.pop()
    assert list(game.history) == []


def test_three_players_and_the_shared_color() -> None:
    game = bf.Game(CLASSIC_3P)
    deciders = []
    rng = random.Random(2)
    while not game.is_over:
        if game.board.turn == 3:
            deciders.append(game.board.player)
        game.play(int(rng.choice(game.board.legal_ids())))
    assert deciders == [k % 3 for k in range(len(deciders))]
    assert len(game.scores) == len(game.ranking) == 3
    assert game.scores == game.color_scores[:3]
    assert set(game.winners) <= {0, 1, 2}


def test_str_and_repr_tell_how_it_stands() -> None:
    game = bf.Game("duo")
    game.play("e10")
    assert "duo" in repr(game)
    assert isinstance(str(game), str)
