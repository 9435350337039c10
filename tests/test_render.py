"""Pictures of the board in text."""

from __future__ import annotations

import re

import pytest
from helpers import GAME, board_after

import blokus_fast as bf
from blokus_fast.render import board_text, hand_text

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def squares_of(text: str, size: int) -> list[list[str]]:
    """Read the marks of the board back, row by row from the top."""
    rows = text.splitlines()[1 : 1 + size]
    assert [int(row.split()[0]) for row in rows] == list(range(size, 0, -1))
    return [list(row[3 : 3 + 2 * size : 2]) for row in rows]


@GAME
def test_plain_text_shows_every_square(variant: str, start: str) -> None:
    for plies in (0, 1, 7, 30, 1000):
        board = board_after(variant, start, 3, plies)
        text = board_text(board, hands=False)
        assert text.isascii()
        names = board.variant.color_names
        letters = [name[0] for name in names]
        for row, marks in enumerate(squares_of(text, board.size)):
            for column, mark in enumerate(marks):
                color = int(board.grid()[row, column])
                if color < 0:
                    assert mark in ".*+"
                else:
                    assert mark.lower() == letters[color]


def test_the_last_move_is_in_capitals() -> None:
    board = bf.Board("duo")
    for text in ("e10,e9", "j5"):
        board.push(board.parse_move(text))
    marks = squares_of(board_text(board), 14)
    assert (marks[4][4], marks[5][4], marks[9][9]) == ("p", "p", "O")


def test_corners_show_where_the_color_to_move_can_connect() -> None:
    board = board_after("duo", "any", 1, 8)
    marks = squares_of(board_text(board, corners=True), 14)
    shown = [14 * r + c for r, row in enumerate(marks) for c, mark in enumerate(row) if mark == "+"]
    assert shown == board.corner_squares(board.turn).tolist()


def test_hands_and_scores_of_every_color() -> None:
    board = board_after("classic", "assigned", 1, 30)
    text = board_text(board)
    for color, name in enumerate(board.variant.color_names):
        line = next(line for line in text.splitlines() if line[2:].startswith(name))
        assert (line[0] == ">") == (color == board.turn)
        _, score, *pieces = line.replace(">", "").split()
        assert int(score) == board.color_scores()[color]
        assert pieces == list(board.pieces_left(color))


def test_color_only_adds_escape_codes() -> None:
    board = board_after("classic", "assigned", 1, 20)
    colored = board_text(board, color=True)
    assert ESCAPES.search(colored)
    assert len(ESCAPES.sub("", colored).splitlines()) == len(board_text(board).splitlines())


def test_squares_that_are_not_in_play_are_blank() -> None:
    variant = bf.Variant("hole", 3, ["blue"], [["a3"]], playable=["...", ".#.", "..."])
    assert squares_of(board_text(bf.Board(variant)), 3)[1] == [".", " ", "."]


@pytest.mark.parametrize("size", [1, 2, 9, 10, 13, 20])
def test_coordinates_stand_on_all_sides(size: int) -> None:
    text = board_text(bf.Board(bf.Variant("odd", size, ["blue"], [["a1"]])), hands=False)
    lines = text.splitlines()
    letters = " ".join("abcdefghijklmnopqrst"[:size])
    assert len(lines) == size + 2
    assert lines[0] == lines[-1] == f"   {letters}"
    for number, line in zip(range(size, 0, -1), lines[1:-1], strict=True):
        assert line.startswith(f"{number:2d} ")
        assert line.endswith(f" {number:2d}")
    # a1 is the bottom left, and the only start square.
    assert [
        (row, marks.index("*")) for row, marks in enumerate(squares_of(text, size)) if "*" in marks
    ] == [(size - 1, 0)]


def test_the_smallest_board_to_its_end() -> None:
    board = bf.Board(bf.Variant("one", 1, ["blue"], [["a1"]]))
    board.push(0)
    assert board.is_game_over
    assert board_text(board, hands=False).splitlines() == ["   a", " 1 B  1", "   a"]
    assert board_text(board).splitlines()[-1].startswith("  blue   -88  2 I3 V3")


def test_another_move_can_be_made_visible() -> None:
    board = bf.Board("duo")
    first = board.parse_move("e10,e9")
    for text in ("e10,e9", "j5"):
        board.push(board.parse_move(text))
    for last in (first, bf.Move(first, size=14)):
        marks = squares_of(board_text(board, last=last), 14)
        assert (marks[4][4], marks[5][4], marks[9][9]) == ("P", "P", "o")


def test_names_that_begin_alike_are_numbered() -> None:
    board = bf.Board(bf.Variant("alike", 5, ["blue", "black"], [["a5"], ["e1"]]))
    for text in ("a5", "e1"):
        board.push(board.parse_move(text))
    marks = squares_of(board_text(board), 5)
    assert (marks[0][0], marks[4][4]) == ("1", "2")


def test_start_squares_are_marked_as_long_as_somebody_begins_there() -> None:
    board = bf.Board("duo")
    assert squares_of(board_text(board), 14)[9][9] == "*"
    board.push(board.parse_move("j5"))
    marks = squares_of(board_text(board), 14)
    assert (marks[9][9], marks[4][4]) == ("P", "*")
    board.push(board.parse_move("e10"))
    assert "*" not in board_text(board)


def test_start_squares_that_nobody_needs_any_more_are_plain() -> None:
    variant = bf.Variant("spare", 6, ["blue", "red"], [["a6", "f6"], ["a1", "f1"]], start="any")
    board = bf.Board(variant)
    board.push(board.parse_move("a6"))
    assert sum(marks.count("*") for marks in squares_of(board_text(board), 6)) == 3
    board.push(board.parse_move("f1"))
    assert "*" not in board_text(board)


def test_hands_name_doubles_and_say_when_all_is_placed() -> None:
    assert "2x1 2x2 2xI3" in hand_text(bf.Board("junior"))[0]
    board = bf.Board(bf.Variant("two", 2, ["blue"], [["a1"]], pieces=[["1"]]))
    board.push(board.parse_move("a1"))
    assert hand_text(board) == ["  blue    20  all placed"]


def cells(line: str) -> list[tuple[str, str]]:
    """Split a colored row into (background, text) of its squares."""
    found = re.findall(r"\x1b\[48;5;(\d+)[;\dm]*((?:\x1b\[[\d;]*m)?)([^\x1b]{2})", line)
    return [(background, text) for background, _, text in found]


def test_color_shows_each_color_on_its_own_ground() -> None:
    board = board_after("classic", "assigned", 1, 20)
    ground: dict[int, set[str]] = {}
    last = set(bf.Move(board.peek()).squares)
    for row, line in enumerate(board_text(board, color=True).splitlines()[1:21]):
        squares = cells(line)
        assert len(squares) == 20
        for column, (background, text) in enumerate(squares):
            ground.setdefault(int(board.grid()[row, column]), set()).add(background)
            assert (text == "[]") == (20 * row + column in last)
    assert set(ground) == {-1, 0, 1, 2, 3}
    assert all(len(grounds) == 1 for grounds in ground.values())
    assert len(set.union(*ground.values())) == 5
