"""Moves as people see them, and everything that turns moves into something else.

A move is a placement of a piece on a board of a given size, and its id an integer from 0 to
the number of placements less one. What is where:

- `move`: `Move`, `Pass`, and what moves without squares have in common
- `actions`: what else an id may stand for, `DraftMove` and `Pick`, and texts of actions
- `notation`: the text of single squares and moves
- `conversions`: whole arrays of ids, squares, placements and texts
- `tables`: what an id stands for on boards of each size
- `pieces`: `Piece`

`actions` knows variants, which know moves; so it is not imported here.
"""

from __future__ import annotations

from blokus_fast.moves.conversions import (
    moves_to_placements,
    moves_to_squares,
    moves_to_text,
    placements_to_moves,
    squares_to_moves,
    text_to_moves,
)
from blokus_fast.moves.move import PASS_TEXT, Move, Pass
from blokus_fast.moves.notation import move_text, parse_move, parse_square, square_text
from blokus_fast.moves.tables import PIECE_SIZES, PIECES

__all__ = [
    "PASS_TEXT",
    "PIECES",
    "PIECE_SIZES",
    "Move",
    "Pass",
    "move_text",
    "moves_to_placements",
    "moves_to_squares",
    "moves_to_text",
    "parse_move",
    "parse_square",
    "placements_to_moves",
    "square_text",
    "squares_to_moves",
    "text_to_moves",
]
