"""What a person types at the prompt of Python: text for moves, print, outcome, modules at hand."""

from __future__ import annotations

import subprocess
import sys

import pytest

import blokus_fast as bf
from blokus_fast.render import board_text


def test_moves_are_taken_as_text() -> None:
    board = bf.Board("classic")
    number = board.parse_move("a20,b20,c20")
    assert board.is_legal("a20,b20,c20")
    assert not board.is_legal("b20,c20,d20")
    assert "a20,b20,c20" in board.legal_moves
    assert "b20,c20,d20" not in board.legal_moves
    assert board.why_illegal("b20,c20,d20") == board.why_illegal(board.parse_move("b20,c20,d20"))
    assert board.move("a20,b20,c20") == board.move(number)
    assert board.move_text(" C20,a20,B20 ") == "a20,b20,c20"
    board.push("a20,b20,c20")
    assert board.peek() == number
    with pytest.raises(bf.IllegalMoveError, match="a18,a19"):
        board.push("a18,a19")
    assert board.ply == 1


@pytest.mark.parametrize("text", ["", "zz", "a20,c20", "a99", "hello there"])
def test_a_text_that_is_no_move_is_said(text: str) -> None:
    board = bf.Board("classic")
    for ask in (board.push, board.is_legal, board.legal_moves.__contains__, board.move):
        with pytest.raises(bf.InvalidMoveError):
            ask(text)
    assert board.ply == 0


def test_text_in_draft_and_of_passes() -> None:
    board = bf.Board("draft")
    assert board.is_legal("pick F")
    assert "pick F" in board.legal_moves
    board.push("pick F")
    assert not board.is_legal("pick F")


def test_what_is_no_move_is_told_what_is() -> None:
    board = bf.Board("duo")
    for wrong in (1.5, None, [3], b"a20"):
        with pytest.raises(TypeError, match="an integer id, a Move or its text, not"):
            board.push(wrong)  # type: ignore[arg-type]


def test_print_draws() -> None:
    board = bf.Board("duo")
    board.push("e10,f10")
    assert str(board) == board_text(board)
    assert f"{board}" == board_text(board)
    assert repr(board).startswith("Board.from_text(")


@pytest.mark.parametrize("name", ["classic", "classic-3p", "duo", "junior", "draft"])
def test_outcome_is_that_of_the_game(name: str) -> None:
    game = bf.Game(name)
    assert game.board.outcome() is None
    assert game.outcome is None
    assert game.winners == ()
    while not game.is_over:
        game.play(game.board.legal_ids()[-1])
    outcome = game.board.outcome()
    assert outcome is not None
    assert outcome == game.outcome
    assert outcome.scores == game.scores
    assert outcome.ranking == game.ranking
    assert outcome.winners == game.winners
    assert outcome.winners == tuple(p for p, place in enumerate(game.ranking) if place == 1)
    assert outcome.color_scores == game.color_scores


def test_modules_are_there_without_an_import_of_their_own() -> None:
    code = (
        "import sys, blokus_fast as bf\n"
        "late = [name for name in dir(bf) if f'blokus_fast.{name}' not in sys.modules]\n"
        "assert 'blokus_fast.bots' not in sys.modules and 'blokus_fast.svg' not in sys.modules\n"
        "assert {'bots', 'svg', 'gtp', 'render', 'replay', 'search', 'arena'} <= set(dir(bf))\n"
        "print(bf.bots.make('greedy').choose(bf.Board('duo')) in bf.Board('duo').legal_moves)\n"
        "print(bf.svg.board(bf.Board('duo'))[:4], bf.render.board_text is not None)\n"
        "print(bf.gtp.__name__, bf.replay.__name__)\n"
    )
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True)
    assert done.stdout.split("\n") == [
        "True",
        "<svg True",
        "blokus_fast.gtp blokus_fast.replay",
        "",
    ], done.stderr
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        bf.nothing  # noqa: B018


def test_outcome_where_the_lowest_score_wins() -> None:
    board = bf.Board("duo", scoring="reverse")
    while not board.is_game_over:
        board.push(board.legal_ids()[0])
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.scores[outcome.winners[0]] == min(outcome.scores)
