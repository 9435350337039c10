"""`Piece`: one of the 21 pieces, as people see it.

A view on the tables of the core; the engine itself counts in numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import SupportsIndex

from blokus_fast import _core
from blokus_fast.checking import integer
from blokus_fast.moves.tables import PIECE_SIZES, PIECES

__all__ = ["Piece"]

Cells = tuple[tuple[int, int], ...]


@cache
def _orientations() -> dict[int, tuple[int, Cells]]:
    """Map every orientation to its piece's number and its cells."""
    # A board of five rows has room for every orientation at its top left corner.
    found = {}
    pairs = zip(_core.placement_info(5).tolist(), _core.placement_squares(5).tolist(), strict=True)
    for (piece, orientation, row, column), squares in pairs:
        if (row, column) == (0, 0):
            cells = tuple(divmod(square, 5) for square in sorted(squares) if square >= 0)
            found[orientation] = (piece, cells)
    return found


@dataclass(frozen=True, slots=True)
class Piece:
    """One of the 21 pieces.

    Parameters
    ----------
    name : str
        Its name, one of `PIECES`; any case.

    Raises
    ------
    ValueError
        There is no such piece; the message lists the names.
    TypeError
        `name` is not text.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> piece = bf.Piece("v3")
    >>> piece, piece.number, piece.size, piece.orientations
    (Piece('V3'), 3, 3, (5, 6, 7, 8))
    >>> piece.cells()
    ((0, 0), (0, 1), (1, 0))
    >>> print(piece)
    ##
    #
    """

    name: str

    def __post_init__(self) -> None:
        """Check the name."""
        if not isinstance(self.name, str):
            raise TypeError(f"a piece's name must be text, not {self.name!r}")
        name = self.name.strip().upper()
        if name not in PIECES:
            raise ValueError(f"unknown piece {self.name[:60]!r}; valid: {', '.join(PIECES)}")
        object.__setattr__(self, "name", name)

    @classmethod
    def of(cls, orientation: SupportsIndex) -> Piece:
        """Find the piece of an orientation.

        Parameters
        ----------
        orientation : int
            The orientation, 0 to 90.

        Returns
        -------
        Piece
            The piece.

        Raises
        ------
        ValueError
            There is no such orientation.

        Examples
        --------
        >>> from blokus_fast import Piece
        >>> Piece.of(78)
        Piece('X')
        """
        number = integer(orientation, "orientation")
        if number not in _orientations():
            last = len(_orientations()) - 1
            raise ValueError(f"orientation {number} is not in 0..{last}")
        return cls(PIECES[_orientations()[number][0]])

    @property
    def number(self) -> int:
        """Its place in `PIECES`."""
        return PIECES.index(self.name)

    @property
    def size(self) -> int:
        """Number of squares."""
        return PIECE_SIZES[self.number]

    @property
    def orientations(self) -> tuple[int, ...]:
        """Numbers of its orientations, one to eight of them."""
        return tuple(o for o, (piece, _) in _orientations().items() if piece == self.number)

    def cells(self, orientation: SupportsIndex | None = None) -> Cells:
        """Return the squares of an orientation.

        Parameters
        ----------
        orientation : int, optional
            One of `orientations`. Default: the first.

        Returns
        -------
        tuple of (int, int)
            Row and column of every square, from the top left of the smallest rectangle around
            them.

        Raises
        ------
        ValueError
            It is not an orientation of this piece.

        Examples
        --------
        >>> from blokus_fast import Piece
        >>> Piece("I3").cells(), Piece("I3").cells(4)
        (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0)))
        """
        own = self.orientations
        number = own[0] if orientation is None else integer(orientation, "orientation")
        if number not in own:
            raise ValueError(f"{number} is not an orientation of {self.name}: {own}")
        return _orientations()[number][1]

    def __str__(self) -> str:
        """Draw its first orientation in plain text."""
        cells = self.cells()
        rows = [""] * (1 + max(row for row, _ in cells))
        for row, column in cells:
            rows[row] = rows[row].ljust(column) + "#"
        return "\n".join(rows)

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return f"Piece({self.name!r})"

    def _repr_svg_(self) -> str:
        """Draw it for notebooks."""
        from blokus_fast import svg

        return svg.piece(self)
