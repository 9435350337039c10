"""Position text: every position there and back, and no text that does harm."""

from __future__ import annotations

import pickle
import random
import re
from dataclasses import replace

import pytest
from helpers import GAME, boards_of_all_phases
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import variants

import blokus_fast as bf
from blokus_fast import _core
from blokus_fast.variants.text import parse_variant, variant_text

RELAXED = settings(deadline=None, suppress_health_check=list(HealthCheck))
EMPTY = "/".join(["14."] * 14)


def assert_there_and_back(board: bf.Board) -> None:
    text = bf.position_text(board)
    again = bf.parse_position(text)
    assert again == board
    assert (again.key(), again.ply, again.turn, again.player) == (
        board.key(),
        board.ply,
        board.turn,
        board.player,
    )
    assert again.legal_ids().tolist() == board.legal_ids().tolist()
    assert again.player_scores() == board.player_scores()
    assert again.move_stack == []
    assert bf.position_text(again) == text
    assert "\n" not in text
    assert text.isascii()


def assert_has_column(error: Exception) -> None:
    assert re.match(r"column [1-9]\d*: .", str(error))


def play(variant: bf.Variant, seed: int, plies: int) -> bf.Board:
    rng = random.Random(seed)
    board = bf.Board(variant)
    while not board.is_game_over and board.ply < plies:
        board.push(int(rng.choice(board.legal_ids())))
    return board


@GAME
def test_positions_of_all_phases(variant: str, start: str) -> None:
    for board in boards_of_all_phases(variant, start, seed=5, step=6):
        assert_there_and_back(board)


@RELAXED
@given(st.sampled_from(sorted(bf.VARIANTS)), st.integers(0, 2**32), st.integers(0, 200))
def test_positions_of_shipped_variants(name: str, seed: int, plies: int) -> None:
    assert_there_and_back(play(bf.variant(name), seed, plies))


@settings(RELAXED, max_examples=60)
@given(variants(), st.integers(0, 2**32), st.integers(0, 40))
def test_positions_of_drawn_variants(variant: bf.Variant, seed: int, plies: int) -> None:
    board = play(variant, seed, plies)
    assert_there_and_back(board)
    assert bf.parse_position(bf.position_text(board), variant) == board


@settings(RELAXED, max_examples=30)
@given(
    st.sampled_from(sorted(bf.VARIANTS)),
    st.sampled_from(["assigned", "any", "border"]),
    st.sampled_from(list(bf.SCORING_RULES)),
    st.integers(0, 2**32),
)
def test_start_and_scoring_are_kept(name: str, start: str, scoring: str, seed: int) -> None:
    assert_there_and_back(play(bf.variant(name, start=start, scoring=scoring), seed, 12))


def test_what_the_text_looks_like() -> None:
    board = bf.Board("duo", start="assigned", scoring="net")
    assert bf.position_text(board) == f"duo {EMPTY} a start=assigned scoring=net"
    board.push(board.parse_move("e10"))
    rows = EMPTY.split("/")
    rows[4] = "4.a9."
    assert bf.position_text(board) == f"duo {'/'.join(rows)} b start=assigned scoring=net last=a"


def test_repr_evaluates_back() -> None:
    board = play(bf.variant("classic-3p"), 3, 30)
    assert eval(repr(board), {"Board": bf.Board}) == board
    game = bf.Game.from_board(board, names=["Ann", "B'ob", "C\\"])
    again = eval(repr(game), {"Board": bf.Board, "Game": bf.Game})
    assert (again.board, again.names) == (board, game.names)
    plain = bf.Game("duo")
    assert "names" not in repr(plain)
    assert eval(repr(plain), {"Board": bf.Board, "Game": bf.Game}).board == plain.board


def test_boards_from_text_are_full_boards() -> None:
    board = play(bf.variant("software-challenge-2027"), 2, 50)
    again = bf.Board.from_text(bf.position_text(board))
    assert pickle.loads(pickle.dumps(again)) == board
    with pytest.raises(IndexError):
        again.pop()
    move = int(again.legal_ids()[0])
    again.push(move)
    assert pickle.loads(pickle.dumps(again)) == again
    assert again.pop() == move
    assert again == board


def test_games_go_on_from_a_text_as_they_would_have() -> None:
    for name in bf.VARIANTS:
        board = play(bf.variant(name), 7, 95)
        again = bf.parse_position(bf.position_text(board))
        rng = random.Random(8)
        while not board.is_game_over:
            move = int(rng.choice(board.legal_ids()))
            board.push(move)
            again.push(move)
            assert again == board
        assert again.is_game_over
        assert again.player_scores() == board.player_scores()


def test_set_up_positions_and_smaller_hands() -> None:
    board = bf.set_up(
        "duo", {0: ["e10"], 1: ["j5"]}, hands={0: ["2", "I5"], 1: []}, monomino_last=[0]
    )
    assert "hand-a=2,I5" in bf.position_text(board)
    assert "hand-b= " in bf.position_text(board)
    assert_there_and_back(board)
    shared = bf.set_up("classic-3p", {0: ["a20"]}, turn=1, player=1)
    assert_there_and_back(shared)
    for player in range(3):
        assert_there_and_back(bf.set_up("classic-3p", {0: ["a20"]}, turn=3, player=player))


def test_the_shared_player_is_kept_where_it_does_not_follow() -> None:
    board = bf.parse_position(bf.position_text(bf.set_up("classic-3p", {}, turn=0)) + " shared=2")
    assert bf.position_text(board).endswith("a shared=2")
    for move in ("a20", "t20", "t1"):
        board.push(board.parse_move(move))
    assert (board.turn, board.player) == (3, 2)


def test_draft_with_given_hands() -> None:
    hands = [{0: ["1", "I5"]}, {1: ["2"], 3: ["X", "1"]}]
    board = bf.Board("draft-2p", hands=hands)
    assert_there_and_back(board)
    board.push(int(board.legal_ids()[0]))
    assert_there_and_back(board)


def test_a_game_that_ends_by_its_rounds() -> None:
    variant = replace(bf.variant("duo"), name="short", max_rounds=2)
    board = play(variant, 1, 99)
    assert board.is_game_over
    assert board.ply == 4
    assert_there_and_back(board)


def test_variants_of_ones_own() -> None:
    rule = bf.ScoringRule("my rule", placed=2, left=-3, all_placed=7, lowest_wins=True)
    variant = bf.Variant(
        'odd {name} "x" é\n', 6, ["b c", "]"], [["a6"], ["f1"]], scoring=rule, max_rounds=9
    )
    assert parse_variant(variant_text(variant)) == variant
    board = play(variant, 4, 5)
    assert_there_and_back(board)
    named = bf.position_text(board).replace(variant_text(variant), "mine", 1)
    with pytest.raises(bf.InvalidPositionError, match=r"column 1: 'mine' is no shipped variant"):
        bf.parse_position(named)
    mine = replace(variant, name="mine")
    assert bf.parse_position(named, mine) == play(mine, 4, 5)
    with pytest.raises(bf.InvalidPositionError, match="column 1: "):
        bf.parse_position(bf.position_text(board), mine)


ROWS = "14./14./14./14./4.a9./14./14./14./14./9.b4./14./14./14./14."
BAD = [
    ("", 1, "single blanks"),
    ("duo", 4, "a variant, a board"),
    (f"duo  {ROWS} a", 5, "single blanks"),
    (f"duo {ROWS} a ", len(ROWS) + 8, "single blanks"),
    (f"chess {ROWS} a", 1, "chess"),
    ("{} x a", 1, "variant"),
    ('{"name":1} x a', 1, "variant"),
    ('{"name":"x","sise":3} x a', 1, "sise"),
    ("{" * 9999 + " x a", 1, "variant"),
    ("[] x a", 1, "no shipped variant"),
    ("duo 14./14. a", 12, "2 rows"),
    (f"duo {ROWS}/14. a", 5 + len(ROWS) + 1, "15 rows"),
    (f"duo 13./{ROWS[4:]} a", 8, "1 squares too short"),
    (f"duo 15./{ROWS[4:]} a", 5, "more than 14"),
    (f"duo 1411./{ROWS[4:]} a", 5, "no count"),
    (f"duo 014./{ROWS[4:]} a", 5, "no count"),
    (f"duo 14/{ROWS[4:]} a", 7, "count without"),
    (f"duo 13.e/{ROWS[4:]} a", 8, "'e' is neither"),
    (f"duo 13.c/{ROWS[4:]} a", 8, "no color 'c'"),
    (f"duo 13.a/{ROWS[4:]} a", 5, "not connected"),
    (f"duo {EMPTY.replace('14.', '14a')} a", 5, "more than a piece"),
    (f"duo {ROWS} e", 6 + len(ROWS), "not a color"),
    (f"duo {ROWS} c", 6 + len(ROWS), "no color"),
    (f"duo {ROWS} a0", 6 + len(ROWS), "not shared"),
    (f"duo {ROWS} 0", 6 + len(ROWS), "takes a color"),
    (f"duo {ROWS} -", 6 + len(ROWS), "not over"),
    (f"duo {ROWS} a round", 8 + len(ROWS), "no option"),
    (f"duo {ROWS} a round=1", 8 + len(ROWS), "no option 'round'"),
    (f"duo {ROWS} a ply=1", 12 + len(ROWS), "do not fit the pieces"),
    (f"duo {ROWS} a ply=99999999999", 12 + len(ROWS), "ply is a number"),
    (f"duo {ROWS} a ply=3 ply=3", 14 + len(ROWS), "twice"),
    (f"duo {ROWS} a start=corner", 14 + len(ROWS), "corner"),
    (f"duo {ROWS} a scoring=", 16 + len(ROWS), "advanced"),
    (f"duo {ROWS} a hand-a=2,Q", 17 + len(ROWS), "no piece 'Q'"),
    (f"duo {ROWS} a hand-a=2,2", 15 + len(ROWS), "2 of the piece 2"),
    (f"duo {ROWS} a hand-a=1", 15 + len(ROWS), "more than its set has"),
    (f"duo {ROWS} a hand-c=2", 8 + len(ROWS), "no option"),
    (f"duo {ROWS} a hand-0a=2", 8 + len(ROWS), "no option"),
    (f"duo {ROWS} a hand-a=", 6 + len(ROWS), "cannot place"),
    (f"duo {ROWS} a hand-a= hand-b=", 6 + len(ROWS), "nobody can place"),
    (f"duo {ROWS} a last=c", 13 + len(ROWS), "'c' is not one of"),
    (f"duo {ROWS} a last=aa", 14 + len(ROWS), "'a' is not one of"),
    (f"duo {EMPTY} a last=a", 13 + len(EMPTY), "cannot be the last piece"),
    (f"duo {ROWS} a shared=1", 8 + len(ROWS), "no option"),
    (f"duo {ROWS} a placed=1,1", 8 + len(ROWS), "no option"),
]


@pytest.mark.parametrize(("text", "column", "message"), BAD, ids=lambda value: repr(value)[:40])
def test_errors_name_the_column(text: str, column: int, message: str) -> None:
    with pytest.raises(bf.InvalidPositionError) as caught:
        bf.parse_position(text)
    assert str(caught.value).startswith(f"column {column}: ")
    assert message in str(caught.value)


CLASSIC = "/".join(["20."] * 20)
BAD_OTHERS = [
    (f"classic-3p {CLASSIC} d", "a player must stand"),
    (f"classic-3p {CLASSIC} d3", "no player 3"),
    (f"draft {CLASSIC} a", "takes a player"),
    (f"draft {CLASSIC} a1", "not the turn"),
    (f"draft {CLASSIC} a0 hand-1a=X", "picked in turn"),
    (f"draft {CLASSIC} b1 hand-0a=X", "not the turn"),
    (f"draft {CLASSIC} 1 hand-0a=I5", "not to move"),
    (f"draft {CLASSIC} 0 hand-0a=I5 hand-1a=I5", "more than its set has"),
    (f"draft {CLASSIC} 0 hand-0a=I5 placed=1,0,0,0", "not how many lie on the board"),
    (f"draft {CLASSIC} 0 hand-0a=I5 placed=x", "no number"),
    (f"draft a19./{CLASSIC[4:]} a0", "while they are picked"),
    (f"software-challenge-2027 {CLASSIC} a round=24", "all rounds"),
    (f"software-challenge-2027 {CLASSIC} a round=25", "from 0 to 24"),
]


@pytest.mark.parametrize(("text", "message"), BAD_OTHERS, ids=lambda value: value[-30:])
def test_errors_of_other_variants(text: str, message: str) -> None:
    with pytest.raises(bf.InvalidPositionError, match=r"^column \d+: ") as caught:
        bf.parse_position(text)
    assert message in str(caught.value)


@pytest.mark.parametrize("value", [None, 3, b"duo"])
def test_what_is_no_text(value: object) -> None:
    with pytest.raises(TypeError):
        bf.parse_position(value)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        bf.parse_position(f"duo {ROWS} a", "duo")  # type: ignore[arg-type]


SAMPLES = [
    bf.position_text(play(bf.variant(name), 11, plies))
    for name in bf.VARIANTS
    for plies in (0, 9, 90, 300)
]


@settings(RELAXED, max_examples=300)
@given(
    st.sampled_from(SAMPLES),
    st.lists(
        st.tuples(
            st.floats(0, 1),
            st.sampled_from([0, 1, 3]),
            st.sampled_from([*"abcd./0123456789-=, {}[]"]),
        ),
        max_size=4,
    ),
)
def test_damaged_texts(text: str, changes: list[tuple[float, int, str]]) -> None:
    for where, length, sign in changes:
        place = int(where * len(text))
        text = text[:place] + sign + text[place + length :]
    try:
        board = bf.parse_position(text)
    except bf.InvalidPositionError as error:
        assert_has_column(error)
    else:
        assert_there_and_back(board)
        for color in range(board.n_colors):
            board.corner_squares(color)


@RELAXED
@given(st.text(max_size=60))
def test_any_text(text: str) -> None:
    for candidate in (text, f"duo {text} a", f"duo {ROWS} {text}", f"duo {ROWS} a {text}=1"):
        try:
            bf.parse_position(candidate)
        except bf.InvalidPositionError as error:
            assert_has_column(error)


def test_the_core_checks_what_it_is_given() -> None:
    board = bf.Board("duo")
    none = [()] * 2
    hands = [board.hand(0), board.hand(1)]
    for rest in [
        (-1, 0, 1, -1),
        (70000, 0, 1, -1),
        (0, 0, 3, -1),
        (0, 0, -1, -1),
        (0, 70000, 1, 0),
    ]:
        with pytest.raises(bf.InvalidPositionError):
            _core._set_up(board.variant, none, hands, 0, 0, 0, (), rest)
