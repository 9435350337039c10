"""The 21 pieces and their 91 orientations, derived from drawings.

Owns the order of pieces and orientations, and with it the meaning of every move id:
neither may ever change (networks are trained on them). Knows nothing of boards or colors.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

Cell = tuple[int, int]
"""(row, column), row 0 at the top."""

Shape = tuple[Cell, ...]
"""Cells in ascending order, moved so that the smallest row and column are 0."""

# One drawing a piece; the order is that of the rules and numbers the pieces 0 to 20.
DRAWINGS = {
    "1": "#",
    "2": "##",
    "I3": "###",
    "V3": "## #.",
    "I4": "####",
    "L4": "### #..",
    "T4": "### .#.",
    "O": "## ##",
    "Z4": "##. .##",
    "F": ".## ##. .#.",
    "I5": "#####",
    "L5": "#### #...",
    "N": ".### ##..",
    "P": "## ## #.",
    "T5": "### .#. .#.",
    "U": "#.# ###",
    "V5": "#.. #.. ###",
    "W": "#.. ##. .##",
    "X": ".#. ### .#.",
    "Y": "#### .#..",
    "Z5": "##. .#. .##",
}


@dataclass(frozen=True)
class Orientation:
    """One of the distinct ways in which a piece can lie."""

    piece: int
    cells: Shape

    @property
    def height(self) -> int:
        """Rows of the bounding box."""
        return 1 + max(row for row, _ in self.cells)

    @property
    def width(self) -> int:
        """Columns of the bounding box."""
        return 1 + max(column for _, column in self.cells)

    @property
    def edges(self) -> Shape:
        """Cells outside the piece that share an edge with it (may be negative)."""
        around = {
            (r + dr, c + dc) for r, c in self.cells for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0))
        }
        return tuple(sorted(around - set(self.cells)))

    @property
    def corners(self) -> Shape:
        """Cells that touch the piece at a corner only (may be negative)."""
        around = {
            (r + dr, c + dc)
            for r, c in self.cells
            for dr, dc in ((-1, -1), (-1, 1), (1, -1), (1, 1))
        }
        return tuple(sorted(around - set(self.cells) - set(self.edges)))


def parse(drawing: str) -> Shape:
    """Read a drawing whose rows are separated by blanks."""
    return normalise(
        (row, column)
        for row, line in enumerate(drawing.split())
        for column, mark in enumerate(line)
        if mark == "#"
    )


def normalise(cells: Iterable[Cell]) -> Shape:
    """Move cells to the top left and sort them."""
    cells = list(cells)
    top = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted((row - top, column - left) for row, column in cells))


def turn(shape: Shape) -> Shape:
    """Turn by a quarter, clockwise."""
    return normalise((column, -row) for row, column in shape)


def flip(shape: Shape) -> Shape:
    """Mirror left and right."""
    return normalise((row, -column) for row, column in shape)


def distinct_orientations(shape: Shape) -> list[Shape]:
    """Return the distinct results of turning and flipping, sorted by their cells."""
    found = set()
    for start in (shape, flip(shape)):
        for _ in range(4):
            found.add(start)
            start = turn(start)
    return sorted(found)


NAMES = tuple(DRAWINGS)
PIECES = tuple(parse(drawing) for drawing in DRAWINGS.values())
ORIENTATIONS = tuple(
    Orientation(piece, cells)
    for piece, shape in enumerate(PIECES)
    for cells in distinct_orientations(shape)
)
# Distances of a cell from the top left of its box: the boards that a kernel has to shift.
OFFSETS = tuple(sorted({cell for o in ORIENTATIONS for cell in o.cells}))
