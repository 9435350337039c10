"""The 21 shapes, all ways to lay them, and every placement on a board in the order of its id."""

from __future__ import annotations

from functools import cache
from itertools import count
from typing import NamedTuple

from reference.notation import parse

Square = tuple[int, int]
"""(row, column); row 0 is the top row."""

# Each shape in some position near the bottom left corner of a board.
SHAPES = {
    "1": "a1",
    "2": "a1,a2",
    "I3": "a1,a2,a3",
    "V3": "a1,a2,b1",
    "I4": "a1,a2,a3,a4",
    "L4": "a1,b1,a2,a3",
    "T4": "a1,b1,c1,b2",
    "O": "a1,b1,a2,b2",
    "Z4": "a2,b2,b1,c1",
    "F": "b1,a2,b2,b3,c3",
    "I5": "a1,a2,a3,a4,a5",
    "L5": "a1,b1,a2,a3,a4",
    "N": "a1,a2,b2,b3,b4",
    "P": "a1,a2,b2,a3,b3",
    "T5": "b1,b2,a3,b3,c3",
    "U": "a1,b1,c1,a2,c2",
    "V5": "a1,b1,c1,a2,a3",
    "W": "a3,a2,b2,b1,c1",
    "X": "b1,a2,b2,c2,b3",
    "Y": "a1,a2,a3,a4,b3",
    "Z5": "a3,b3,b2,b1,c1",
}
PIECE_NAMES = tuple(SHAPES)
SIZES = {name: len(text.split(",")) for name, text in SHAPES.items()}

# The eight symmetries of the square, each as what becomes of (row, column).
SYMMETRIES = (
    lambda r, c: (r, c),
    lambda r, c: (r, -c),
    lambda r, c: (-r, c),
    lambda r, c: (-r, -c),
    lambda r, c: (c, r),
    lambda r, c: (c, -r),
    lambda r, c: (-c, r),
    lambda r, c: (-c, -r),
)


class Placement(NamedTuple):
    """A piece lying somewhere on a board."""

    id: int
    piece: str
    squares: frozenset[Square]


def to_origin(squares: set[Square] | frozenset[Square]) -> list[Square]:
    """Push a shape against row 0 and column 0 and list its squares in order."""
    top = min(row for row, _ in squares)
    left = min(column for _, column in squares)
    return sorted((row - top, column - left) for row, column in squares)


@cache
def orientations(piece: str) -> tuple[tuple[Square, ...], ...]:
    """Return the different ways in which a piece can lie, ordered by their squares."""
    shape = parse(SHAPES[piece], 5)
    images = [to_origin({turn(row, column) for row, column in shape}) for turn in SYMMETRIES]
    return tuple(sorted({tuple(image) for image in images}))


@cache
def board_squares(size: int) -> tuple[Square, ...]:
    """Return the squares of a board, row by row from the top left."""
    return tuple((row, column) for row in range(size) for column in range(size))


@cache
def placements(size: int) -> tuple[Placement, ...]:
    """Return every placement that fits the board; a placement's index is its id."""
    # The same tuple objects everywhere, which makes comparing sets much faster.
    same = {square: square for square in board_squares(size)}
    ids = count()
    found = []
    for piece in PIECE_NAMES:
        for shape in orientations(piece):
            for row, column in board_squares(size):
                squares = [(row + r, column + c) for r, c in shape]
                if all(square in same for square in squares):
                    kept = frozenset(same[square] for square in squares)
                    found.append(Placement(next(ids), piece, kept))
    return tuple(found)


@cache
def placements_of(size: int, piece: str) -> tuple[Placement, ...]:
    """Return the placements of one piece."""
    return tuple(placement for placement in placements(size) if placement.piece == piece)


@cache
def _by_squares(size: int) -> dict[frozenset[Square], Placement]:
    return {placement.squares: placement for placement in placements(size)}


def placement_of(squares: frozenset[Square], size: int) -> Placement:
    """Return the placement that covers exactly these squares (KeyError: there is none)."""
    return _by_squares(size)[squares]


def edge_neighbours(square: Square) -> list[Square]:
    """Return the four squares that share an edge, on the board or not."""
    row, column = square
    return [(row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)]


def corner_neighbours(square: Square) -> list[Square]:
    """Return the four squares that share only a corner, on the board or not."""
    row, column = square
    return [(row + r, column + c) for r in (-1, 1) for c in (-1, 1)]
