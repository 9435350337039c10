"""The contest's pieces and coordinates, against its own description of them."""

from __future__ import annotations

import pytest

import blokus_fast as bf
from blokus_fast.contest import PlacedPiece, placed_piece
from blokus_fast.contest.pieces import KINDS, PIECE_OF_KIND, ROTATIONS

# As the contest lists them: piece, and its squares as x and y.
SHAPES = """
MONO 00 · DOMINO 00 10 · TRIO_L 00 01 11 · TRIO_I 00 01 02 · TETRO_O 00 10 01 11 ·
TETRO_T 00 10 20 11 · TETRO_I 00 01 02 03 · TETRO_L 00 01 02 12 · TETRO_Z 00 10 11 21 ·
PENTO_L 00 01 02 03 13 · PENTO_T 00 10 20 11 12 · PENTO_V 00 01 02 12 22 ·
PENTO_S 10 20 30 01 11 · PENTO_Z 00 10 11 12 22 · PENTO_I 00 01 02 03 04 ·
PENTO_P 00 10 01 11 02 · PENTO_W 00 01 11 12 22 · PENTO_U 00 01 11 21 20 ·
PENTO_R 01 11 12 21 20 · PENTO_X 10 01 11 21 12 · PENTO_Y 01 10 11 12 13
"""
LISTED = {
    words[0]: [(int(word[0]), int(word[1])) for word in words[1:]]
    for words in (part.split() for part in SHAPES.split("·"))
}
TURNS = {
    "NONE": lambda x, y: (x, y),
    "RIGHT": lambda x, y: (-y, x),
    "MIRROR": lambda x, y: (-x, -y),
    "LEFT": lambda x, y: (y, -x),
}


def squares(piece: PlacedPiece) -> set[int]:
    """Do what the contest says, step by step: turn, flip, push to the corner, move."""
    cells = [TURNS[piece.rotation](x, y) for x, y in LISTED[piece.kind]]
    cells = [(-x, y) if piece.flipped else (x, y) for x, y in cells]
    left, top = min(x for x, _ in cells), min(y for _, y in cells)
    return {(y - top + piece.y) * 20 + x - left + piece.x for x, y in cells}


def test_all_pieces_have_names_both_ways() -> None:
    assert set(PIECE_OF_KIND) == set(LISTED)
    assert set(KINDS) == set(bf.PIECES)


@pytest.mark.parametrize("kind", LISTED)
def test_turned_flipped_and_moved_as_the_contest_has_it(kind: str) -> None:
    for rotation in ROTATIONS:
        for flipped in (False, True):
            piece = PlacedPiece(1, kind, rotation, flipped, 7, 11)
            assert set(piece.squares) == squares(piece)
            assert bf.Move(piece.move).piece == PIECE_OF_KIND[kind]
            assert set(bf.Move(piece.move).squares) == squares(piece)


def test_every_move_can_be_said_and_is_the_same_again() -> None:
    for move in range(30_433):
        piece = placed_piece(move, move % 4)
        assert piece.move == move
        assert piece.color == move % 4
    assert {placed_piece(move, 0).flipped for move in range(30_433)} == {False, True}


def test_a_square_is_counted_from_the_top_left() -> None:
    assert PlacedPiece(0, "MONO", "NONE", False, 19, 0).squares == (19,)
    assert bf.Move(PlacedPiece(0, "MONO", "NONE", False, 19, 0).move).text == "t20"


@pytest.mark.parametrize(
    "piece",
    [
        PlacedPiece(0, "HEXO", "NONE", False, 0, 0),
        PlacedPiece(0, "MONO", "UP", False, 0, 0),
        PlacedPiece(0, "MONO", "NONE", False, -1, 0),
        PlacedPiece(0, "MONO", "NONE", False, 20, 0),
        PlacedPiece(0, "MONO", "NONE", False, 0, 20),
        PlacedPiece(0, "PENTO_I", "NONE", False, 0, 16),
        PlacedPiece(0, "PENTO_I", "RIGHT", False, 16, 0),
        PlacedPiece(0, "PENTO_X", "NONE", False, 18, 0),
    ],
    ids=str,
)
def test_what_is_no_move(piece: PlacedPiece) -> None:
    with pytest.raises(bf.InvalidMoveError):
        _ = piece.move


@pytest.mark.parametrize(("move", "color"), [(-1, 0), (30_433, 0), (0, 4), (0, -1)])
def test_what_cannot_be_said(move: int, color: int) -> None:
    with pytest.raises(ValueError, match="is not in 0"):
        placed_piece(move, color)
