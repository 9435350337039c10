"""The contest's names and coordinates, and our move ids: the two ways between them.

The contest says which piece is turned and flipped how, and where the top left of its box is; x goes
to the right, y down. We count placements. Knows nothing of XML and of positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Final, SupportsIndex

from blokus_fast import _core
from blokus_fast.checking import integer
from blokus_fast.errors import InvalidMoveError
from blokus_fast.moves.pieces import Piece
from blokus_fast.moves.tables import move_table

__all__ = ["COLORS", "KINDS", "PIECE_OF_KIND", "ROTATIONS", "SIZE", "PlacedPiece", "placed_piece"]

SIZE: Final = 20
"""Rows and columns of the contest's board."""

COLORS: Final = ("BLUE", "YELLOW", "RED", "GREEN")
"""The contest's names of the colors 0 to 3."""

ROTATIONS: Final = ("NONE", "RIGHT", "MIRROR", "LEFT")
"""The contest's names of a turn by so many quarters, clockwise."""

# Each kind: our piece, and the squares of its base shape as (x, y).
_SHAPES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        "MONO": ("1", "00"),
        "DOMINO": ("2", "00 10"),
        "TRIO_L": ("V3", "00 01 11"),
        "TRIO_I": ("I3", "00 01 02"),
        "TETRO_O": ("O", "00 10 01 11"),
        "TETRO_T": ("T4", "00 10 20 11"),
        "TETRO_I": ("I4", "00 01 02 03"),
        "TETRO_L": ("L4", "00 01 02 12"),
        "TETRO_Z": ("Z4", "00 10 11 21"),
        "PENTO_L": ("L5", "00 01 02 03 13"),
        "PENTO_T": ("T5", "00 10 20 11 12"),
        "PENTO_V": ("V5", "00 01 02 12 22"),
        "PENTO_S": ("N", "10 20 30 01 11"),
        "PENTO_Z": ("Z5", "00 10 11 12 22"),
        "PENTO_I": ("I5", "00 01 02 03 04"),
        "PENTO_P": ("P", "00 10 01 11 02"),
        "PENTO_W": ("W", "00 01 11 12 22"),
        "PENTO_U": ("U", "00 01 11 21 20"),
        "PENTO_R": ("F", "01 11 12 21 20"),
        "PENTO_X": ("X", "10 01 11 21 12"),
        "PENTO_Y": ("Y", "01 10 11 12 13"),
    }
)

PIECE_OF_KIND: Final[Mapping[str, str]] = MappingProxyType(
    {kind: piece for kind, (piece, _) in _SHAPES.items()}
)
"""Our name of a piece, by the contest's, in the contest's order (read-only)."""

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {piece: kind for kind, piece in PIECE_OF_KIND.items()}
)
"""The contest's name of a piece, by ours (read-only)."""


@dataclass(frozen=True, slots=True)
class PlacedPiece:
    """A placement as the contest says it.

    Parameters
    ----------
    color : int
        The color, 0 to 3.
    kind : str
        The contest's name of the piece, one of `PIECE_OF_KIND`.
    rotation : str
        How its base shape is turned, one of `ROTATIONS`.
    flipped : bool
        Whether it is flipped from left to right after that.
    x, y : int
        Column and row of the top left of its box, from the top left of the board.

    Notes
    -----
    Two that cover the same squares are the same move, and have the same id, but are not equal.

    Examples
    --------
    >>> from blokus_fast.contest import PlacedPiece
    >>> piece = PlacedPiece(0, "TRIO_L", "RIGHT", False, 3, 0)
    >>> piece.move, piece.squares
    (1883, (3, 4, 23))
    """

    color: int
    kind: str
    rotation: str
    flipped: bool
    x: int
    y: int

    @property
    def move(self) -> int:
        """Id of the move.

        Raises
        ------
        InvalidMoveError
            There is no such piece, or it does not fit on the board.
        """
        orientation = _orientations().get((self.kind, self.rotation, self.flipped))
        if orientation is None:
            raise InvalidMoveError(f"there is no piece {self.kind!r} turned {self.rotation!r}")
        number = -1
        if 0 <= self.x < SIZE and 0 <= self.y < SIZE:
            number = int(move_table(SIZE).ids_by_anchor[orientation, self.y, self.x])
        if number < 0:
            raise InvalidMoveError(f"{self.kind} at x={self.x}, y={self.y} is not on the board")
        return number

    @property
    def squares(self) -> tuple[int, ...]:
        """Indices of its squares, ascending: y * 20 + x."""
        found = move_table(SIZE).squares[self.move].tolist()
        return tuple(sorted(square for square in found if square >= 0))


def placed_piece(move: SupportsIndex, color: int) -> PlacedPiece:
    """Say a move as the contest does.

    Parameters
    ----------
    move : int
        Id of the placement.
    color : int
        The color that plays it, 0 to 3.

    Returns
    -------
    PlacedPiece
        The piece, turned as little as possible.

    Raises
    ------
    InvalidMoveError
        The id is not that of a placement.
    ValueError
        There is no such color.

    Examples
    --------
    >>> from blokus_fast.contest import placed_piece
    >>> placed_piece(1883, 0)
    PlacedPiece(color=0, kind='TRIO_L', rotation='RIGHT', flipped=False, x=3, y=0)
    """
    number, table = integer(move, "move"), move_table(SIZE)
    if not 0 <= number < table.count:
        raise InvalidMoveError(f"move id {number} is not in 0..{table.count - 1}")
    if color not in range(len(COLORS)):
        raise ValueError(f"color {color} is not in 0..{len(COLORS) - 1}")
    _, orientation, row, column = table.info[number].tolist()
    kind, rotation, flipped = _turns()[orientation]
    return PlacedPiece(color, kind, rotation, flipped, column, row)


@cache
def _orientations() -> dict[tuple[str, str, bool], int]:
    """Map kind, rotation and flip to our orientation."""
    ours = {
        frozenset(Piece.of(orientation).cells(orientation)): orientation
        for orientation in range(int(_core.placement_info(5)[:, 1].max()) + 1)
    }
    found = {}
    for kind, (_, text) in _SHAPES.items():
        cells = [(int(word[0]), int(word[1])) for word in text.split()]
        for rotation in ROTATIONS:
            for flipped in (False, True):
                turned = [(-x, y) if flipped else (x, y) for x, y in cells]
                left, top = (min(values) for values in zip(*turned, strict=True))
                shape = frozenset((y - top, x - left) for x, y in turned)
                found[kind, rotation, flipped] = ours[shape]
            cells = [(-y, x) for x, y in cells]
    return found


@cache
def _turns() -> dict[int, tuple[str, str, bool]]:
    """Map our orientation to the first kind, rotation and flip that give it."""
    found: dict[int, tuple[str, str, bool]] = {}
    # Not flipped, where that will do.
    for turn, orientation in sorted(_orientations().items(), key=lambda item: item[0][2]):
        found.setdefault(orientation, turn)
    return found
