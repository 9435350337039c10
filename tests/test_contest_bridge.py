"""Our rules and those of the official Python client, move by move; and our bots in it."""

from __future__ import annotations

import random
from typing import Any

import pytest
from contest_tools import PENTOMINOES

import blokus_fast as bf
from blokus_fast import bots
from blokus_fast.contest.following import action_of, said_action
from blokus_fast.contest.pieces import KINDS, PIECE_OF_KIND
from blokus_fast.variants import software_challenge_2027

socha = pytest.importorskip("socha", reason="the official client is in the extra `contest`")
bridge = pytest.importorskip("blokus_fast.contest.bridge", reason="the extra `contest`")

RULES = socha.GameRuleLogic


def new_state(opening: str) -> Any:
    shape = socha.PieceShape.all()[list(PIECE_OF_KIND).index(KINDS[opening])]
    return socha.GameState(start_piece=shape)


def perform(state: Any, move: Any) -> None:
    """Do what the server does with a move."""
    RULES.perform_move(state, move)
    if state.has_valid_colors():
        RULES.remove_invalid_colors(state)


def compare(state: Any, board: bf.Board) -> None:
    """Legal moves as sets, scores, the turn, and whether the game is over."""
    assert state.is_over() == board.is_game_over
    for color, theirs in enumerate(bridge._COLORS):
        assert state.get_points_for_color(theirs) == board.color_scores()[color] + 89
    for player, team in enumerate((socha.TeamEnum.One, socha.TeamEnum.Two)):
        assert state.get_points_for_team(team) == board.player_scores()[player] + 2 * 89
    again = bridge.from_state(state)
    assert (again.grid() == board.grid()).all()
    assert [again.hand(color) for color in range(4)] == [board.hand(color) for color in range(4)]
    assert again.is_game_over == board.is_game_over
    if board.is_game_over:
        return
    assert (again.turn, again.round) == (board.turn, board.round)
    assert int(state.current_color()) == board.turn
    assert state.turn == 4 * board.round + board.turn
    ids = board.legal_ids()
    assert again.legal_ids().tolist() == ids.tolist()
    pieces = RULES.get_all_possible_moves(state)
    theirs = {bridge._said(socha.Move.set_move(piece)).move for piece in pieces}
    assert theirs == set(ids[ids < board.n_moves].tolist())


# Every opening, and who passes how often in turn; the long form has all of both.
CHANCES = (0.0, 0.25, 0.9)
PASSING = [
    pytest.param(opening, chance, marks=() if j == i % 3 else pytest.mark.slow)
    for i, opening in enumerate(PENTOMINOES)
    for j, chance in enumerate(CHANCES)
]


@pytest.mark.parametrize(("opening", "passing"), PASSING)
def test_both_play_by_the_same_rules(opening: str, passing: float) -> None:
    rng = random.Random(f"{opening} {passing}")
    state, board = new_state(opening), bf.Board(software_challenge_2027(opening))
    while True:
        compare(state, board)
        if board.is_game_over:
            break
        ids = board.legal_ids()
        may_pass = bool(board.placements(board.turn))
        move = int(rng.choice(ids[: len(ids) - may_pass]))
        if may_pass and rng.random() < passing:
            move = board.n_moves
        theirs = bridge.to_move(board, move)
        assert bridge.from_move(board, theirs) == move
        perform(state, theirs)
        board.push(move)


def test_every_move_means_the_same_to_both() -> None:
    """Placed on the board, each covers the squares that it covers here."""
    rng = random.Random(1)
    for opening in PENTOMINOES:
        board = bf.Board(software_challenge_2027(opening))
        for move in rng.sample(board.legal_ids().tolist(), 30):
            state = new_state(opening)
            perform(state, bridge.to_move(board, move))
            after = board.copy()
            after.push(move)
            assert (bridge.from_state(state).grid() == after.grid()).all()


def test_turned_and_flipped_in_another_way_it_is_the_same_move() -> None:
    board = bf.Board(software_challenge_2027("X"))
    move = int(board.legal_ids()[0])
    piece = bridge.to_move(board, move).as_piece()
    for rotation in socha.Rotation.all():
        for flipped in (False, True):
            same = socha.Piece(piece.color, piece.kind, rotation, flipped, piece.position)
            assert bridge.from_move(board, socha.Move.set_move(same)) == move


def test_a_skip() -> None:
    board = bf.Board(software_challenge_2027("X"))
    skip = socha.Move.skip_move(socha.Color.BLUE)
    with pytest.raises(bf.IllegalMoveError):
        bridge.from_move(board, skip)
    with pytest.raises(bf.IllegalMoveError):
        bridge.to_move(board, board.n_moves)
    for _ in range(4):
        board.push(int(board.legal_ids()[0]))
    assert bridge.from_move(board, skip) == board.n_moves
    assert bridge.to_move(board, board.n_moves) == skip
    with pytest.raises(bf.IllegalMoveError, match="BLUE's turn"):
        bridge.from_move(board, socha.Move.skip_move(socha.Color.RED))


def test_moves_that_are_none() -> None:
    board = bf.Board(software_challenge_2027("X"))
    off = socha.Piece(
        socha.Color.BLUE, socha.PieceShape.PentoX, socha.Rotation.NONE, False,
        socha.Coordinate(19, 19),
    )  # fmt: skip
    with pytest.raises(bf.InvalidMoveError, match="not on the board"):
        bridge.from_move(board, socha.Move.set_move(off))
    for nothing in (None, 3, "a1", off):
        with pytest.raises(bf.InvalidMoveError, match="a move of the official client"):
            bridge.from_move(board, nothing)
    with pytest.raises(bf.InvalidMoveError):
        bridge.to_move(board, 10**6)
    with pytest.raises(bf.IllegalMoveError):
        bridge.to_move(board, 0)
    with pytest.raises(TypeError):
        bridge.from_state(board)


def test_a_bot_in_the_official_client() -> None:
    """Both sides are ours, behind two handlers; every move is legal to the official rules."""
    handlers = [bridge.BotHandler(bots.make(name, seed=1)) for name in ("corner", "random")]
    state = new_state("Y")
    moves = 0
    while not state.is_over():
        for handler in handlers:
            handler.on_update(state)
        move = handlers[int(state.current_color()) % 2].calculate_move()
        perform(state, move)
        moves += 1
    for handler in handlers:
        handler.on_game_left()
    assert moves > 40
    assert state.win_condition() == socha.TeamEnum.One


def test_a_handler_whose_bot_fails_still_moves(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        def choose(self, board: bf.Board) -> int:
            raise ValueError("no")

    handler = bridge.BotHandler(Broken())
    with pytest.raises(RuntimeError, match="no state"):
        handler.calculate_move()
    state = new_state("F")
    handler.on_update(state)
    RULES.perform_move(state, handler.calculate_move())
    handler.on_game_left()
    assert "Broken failed" in caplog.text


def test_without_the_official_client_the_message_says_what_to_install() -> None:
    import subprocess
    import sys

    code = "import sys; sys.modules['socha'] = None; import blokus_fast.contest.bridge"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "pip install '.[contest]'" in done.stderr
    board = bf.Board(software_challenge_2027("X"))
    move = said_action(board, int(board.legal_ids()[0]))
    assert board.is_legal(action_of(board, move))
