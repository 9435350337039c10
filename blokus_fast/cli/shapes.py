"""Pieces as small drawings for the terminal, several in a row.

Pure functions from names of pieces to lines. Half blocks put two rows of a piece into one line, in
which its squares are square; without them a square is a ``#``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from blokus_fast.moves import PIECES
from blokus_fast.moves.pieces import Piece

__all__ = ["Drawn", "draw_pieces", "shape_lines"]

# Characters of a name and of a shape, at least and at most.
_NAME: Final = 2
_LONGEST: Final = 5

_HALVES: Final = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}


@dataclass(frozen=True, slots=True)
class Drawn:
    """A piece to be drawn: what it is called, its shape's name, and how both are painted.

    `paint_name` and `paint` get the name, and a line of the shape, and return them with codes.
    """

    name: str
    piece: str
    paint: Callable[[str], str] = str
    paint_name: Callable[[str], str] = str


@cache
def shape_lines(piece: str, blocks: bool) -> tuple[str, ...]:
    """Draw a piece, as flat as it can lie.

    Parameters
    ----------
    piece : str
        Its name.
    blocks : bool
        Whether to draw in half blocks.

    Returns
    -------
    tuple of str
        Lines of the same length.

    Examples
    --------
    >>> from blokus_fast.cli.shapes import shape_lines
    >>> shape_lines("X", False), shape_lines("X", True), shape_lines("P", True)
    ((' # ', '###', ' # '), ('▄█▄', ' ▀ '), ('██▀',))
    """
    found = Piece(piece)
    shapes = [found.cells(number) for number in found.orientations]
    cells = min(shapes, key=lambda shape: max(row for row, _ in shape))
    rows = 1 + max(row for row, _ in cells)
    columns = range(1 + max(column for _, column in cells))
    if not blocks:
        return tuple(
            "".join("#" if (row, column) in cells else " " for column in columns)
            for row in range(rows)
        )
    return tuple(
        "".join(_HALVES[(row, column) in cells, (row + 1, column) in cells] for column in columns)
        for row in range(0, rows, 2)
    )


def draw_pieces(
    pieces: Sequence[Drawn], width: int, *, blocks: bool, spaced: bool = False
) -> list[str]:
    r"""Draw pieces, several in a row, flat ones first.

    Parameters
    ----------
    pieces : sequence of Drawn
        The pieces.
    width : int
        Characters of a line, at least as many as a piece takes.
    blocks : bool
        Whether to draw in half blocks.
    spaced : bool
        Whether to leave an empty line between rows.

    Returns
    -------
    list of str
        Lines, of which none is longer.

    Examples
    --------
    >>> from blokus_fast.cli.shapes import Drawn, draw_pieces
    >>> pieces = [Drawn(name, name) for name in ("V3", "I5", "X")]
    >>> print(*draw_pieces(pieces, 26, blocks=False), sep="\n")
    I5 #####
    V3 ##
       #
    X   #
       ###
        #
    """
    names = max([_NAME, *(len(one.name) for one in pieces)])
    # Name, blank, shape, and a blank that the last one needs not.
    cell = names + 1 + _LONGEST + 1
    in_a_row = max(1, (width + 1) // cell)
    ordered = sorted(
        pieces,
        key=lambda one: (len(shape_lines(one.piece, blocks)), PIECES.index(one.piece)),
    )
    lines: list[str] = []
    place = 0
    while place < len(ordered):
        height = len(shape_lines(ordered[place].piece, blocks))
        row = [
            one
            for one in ordered[place : place + in_a_row]
            if len(shape_lines(one.piece, blocks)) == height
        ]
        place += len(row)
        if lines and spaced:
            lines.append("")
        for number in range(height):
            line, gap = "", 0
            for one in row:
                # Names stand in the first line.
                name = (one.name if number == 0 else "").ljust(names + 1)
                shape = shape_lines(one.piece, blocks)[number]
                line += f"{' ' * gap}{one.paint_name(name)}{one.paint(shape)}"
                gap = cell - len(name) - len(shape)
            lines.append(line.rstrip())
    return lines
