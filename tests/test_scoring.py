"""The five scoring rules, on plain numbers and on whole games."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import reference
from figures import PASS, games
from helpers import GAME, random_moves
from reference.scoring import places

import blokus_fast as bf
from blokus_fast.scoring import ScoringRule, ranking, rewards, scoring_rule

RULES = reference.SCORING_RULES

# (squares placed, squares left, monomino last): score by each rule.
TABLE = {
    (0, 89, False): {"advanced": -89, "basic": -89, "placed": 0, "net": -89, "reverse": 0},
    (80, 9, False): {"advanced": -9, "basic": -9, "placed": 80, "net": 71, "reverse": 80},
    (80, 9, True): {"advanced": -9, "basic": -9, "placed": 80, "net": 71, "reverse": 80},
    (88, 1, False): {"advanced": -1, "basic": -1, "placed": 88, "net": 87, "reverse": 88},
    (89, 0, False): {"advanced": 15, "basic": 0, "placed": 89, "net": 104, "reverse": 89},
    (89, 0, True): {"advanced": 20, "basic": 0, "placed": 89, "net": 109, "reverse": 89},
}


def test_the_shipped_rules() -> None:
    assert list(bf.SCORING_RULES) == list(RULES)
    lowest = {name for name, rule in bf.SCORING_RULES.items() if rule.lowest_wins}
    assert lowest == {"reverse"}


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("case", TABLE)
def test_scores_of_a_color(case: tuple[int, int, bool], rule: str) -> None:
    placed, left, monomino_last = case
    expected = TABLE[case][rule]
    assert reference.score(rule, placed, left, monomino_last) == expected
    score = scoring_rule(rule).score(
        placed, left, all_placed=left == 0, monomino_last=monomino_last
    )
    assert score == expected


def play_on_board(texts: tuple[str, ...], variant: str, scoring: str) -> bf.Board:
    board = bf.Board(variant, start="assigned", scoring=scoring)
    for text in texts:
        if text != PASS:
            board.push(board.parse_move(text))
    return board


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", ["bonus_classic", "bonus_duo"])
def test_scores_of_games_with_a_bonus(name: str, rule: str) -> None:
    """Games in which somebody placed everything, some with the monomino last and some without."""
    bonuses = set()
    for game in games(name):
        board = play_on_board(game.moves, name.removeprefix("bonus_"), rule)
        expected = tuple(
            reference.score(rule, points - bonus, 89 - (points - bonus), bonus == 20)
            for points, bonus in zip(game.points, game.bonus, strict=True)
        )
        assert board.color_scores() == expected
        bonuses |= set(game.bonus)
    assert bonuses == {0, 15, 20}


@pytest.mark.parametrize("rule", RULES)
@GAME
def test_the_board_and_the_rule_as_data_agree(variant: str, start: str, rule: str) -> None:
    board = bf.Board(variant, start=start, scoring=rule)
    data = scoring_rule(rule)
    for move in random_moves(variant, start, 9):
        board.push(move)
    for color, score in enumerate(board.color_scores()):
        placed = len(board.own_squares(color))
        left = sum(reference.SIZES[name] for name in board.pieces_left(color))
        assert score == data.score(placed, left, all_placed=left == 0)


def test_two_colors_of_a_player_are_added() -> None:
    board = bf.Board("classic-2p")
    for text in ("a20", "t20,s20", "t1,t2,t3", "a1,a2,a3,a4"):
        board.push(board.parse_move(text))
    assert board.color_scores() == (-88, -87, -86, -85)
    assert board.player_scores() == (-88 - 86, -87 - 85)


def test_junior_has_no_bonus_and_88_squares() -> None:
    board = bf.Board("junior")
    assert board.color_scores() == (-88, -88)
    assert board.variant.scoring_name == "basic"


@pytest.mark.parametrize(
    ("scores", "highest", "lowest"),
    [
        ((5, 5, 5, 5), (1, 1, 1, 1), (1, 1, 1, 1)),
        ((9, 7, 7, 1), (1, 2, 2, 4), (4, 2, 2, 1)),
        ((-3, 20, -3), (2, 1, 2), (1, 3, 1)),
        ((0, -1), (1, 2), (2, 1)),
    ],
)
def test_ranking_shares_places(scores, highest, lowest) -> None:
    assert ranking(scores) == highest == places("advanced", scores)
    assert ranking(scores, lowest_wins=True) == lowest == places("reverse", scores)


@pytest.mark.parametrize(
    ("kind", "highest", "lowest"),
    [
        ("score", [[5, 5, 5], [9, 0, -3]], [[-5, -5, -5], [-9, 0, 3]]),
        ("win", [[1 / 3, 1 / 3, 1 / 3], [1, 0, 0]], [[1 / 3, 1 / 3, 1 / 3], [0, 0, 1]]),
        ("rank", [[0, 0, 0], [1, 0, -1]], [[0, 0, 0], [-1, 0, 1]]),
    ],
)
def test_rewards(kind, highest, lowest) -> None:
    scores = [[5, 5, 5], [9, 0, -3]]
    for lowest_wins, expected in ((False, highest), (True, lowest)):
        found = rewards(scores, kind, lowest_wins=lowest_wins)
        assert found.dtype == np.float32
        assert np.array_equal(found, np.array(expected, np.float32))
        assert not np.signbit(found[found == 0]).any()
        # One game, or any number of axes before the players.
        assert np.array_equal(rewards(scores[1], kind, lowest_wins=lowest_wins), found[1])
        cube = np.array([[scores], [scores]], np.int32)
        assert np.array_equal(rewards(cube, kind, lowest_wins=lowest_wins)[1, 0], found)
        assert rewards(np.empty((0, 3)), kind, lowest_wins=lowest_wins).shape == (0, 3)


def test_rewards_of_ties_of_one_player_and_of_others_arrays() -> None:
    assert rewards([7, 2, 7, 1], "win").tolist() == [0.5, 0, 0.5, 0]
    assert np.allclose(rewards([7, 2, 7, 1], "rank"), [2 / 3, -1 / 3, 2 / 3, -1])
    assert rewards([[3]], "rank").tolist() == [[0]]
    assert rewards([[3]], "win").tolist() == [[1]]
    given = np.array([1, 2], np.float32)
    rewards(given)[0] = 9
    assert given.tolist() == [1, 2]


@pytest.mark.parametrize("kind", ["gold", "share", "", "x" * 1000])
def test_unknown_rewards_name_the_valid_ones(kind) -> None:
    with pytest.raises(ValueError, match=r"^unknown reward .{2,70}; valid: score, win, rank$"):
        rewards([1, 2], kind)


def test_unknown_rules_name_the_valid_ones() -> None:
    for call in (scoring_rule, lambda name: bf.Game("duo", scoring=name)):
        with pytest.raises(ValueError, match=r"advanced.*basic.*placed.*net.*reverse"):
            call("golf")


@pytest.mark.parametrize("rule", [None, 3, ["basic"]])
def test_rules_of_the_wrong_type(rule: object) -> None:
    with pytest.raises(TypeError):
        scoring_rule(rule)


def test_a_rule_of_ones_own() -> None:
    rule = ScoringRule("mine", placed=2, left=-3, all_placed=100, monomino_last=7)
    board = bf.Board("duo", scoring=rule)
    board.push(board.parse_move("e10"))
    assert board.color_scores() == (2 - 3 * 88, -3 * 89)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"name": None}, TypeError),
        ({"name": " "}, ValueError),
        ({"left": 0.5}, TypeError),
        ({"placed": True}, TypeError),
        ({"placed": 10_001}, ValueError),
        ({"left": -(10**9)}, ValueError),
        ({"all_placed": 2**31}, ValueError),
        ({"monomino_last": "5"}, TypeError),
        ({"lowest_wins": 1}, TypeError),
    ],
)
def test_rules_that_the_core_could_not_hold(values: dict[str, Any], error: type[Exception]) -> None:
    """Half points were cut off, and large ones ran over without a word."""
    with pytest.raises(error):
        ScoringRule(**{"name": "mine", **values})


def test_the_largest_scores_fit() -> None:
    rule = ScoringRule("mine", placed=-10_000, left=10_000)
    pieces = [[piece for piece in bf.PIECES for _ in range(7)]]
    board = bf.Board(bf.Variant("all", 20, ["x"], [["a1"]], pieces=pieces, scoring=rule))
    assert board.color_scores() == (7 * 89 * 10_000,)
    assert bf.parse_position(bf.position_text(board)) == board
