"""`Move`: a placement as people see it, and `Pass`.

Of a board it knows no more than whether it belongs there; what else an action may be is in
`actions`.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from blokus_fast.checking import integer
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.moves.notation import parse_move
from blokus_fast.moves.tables import PIECES, checked_size, move_table, range_text

if TYPE_CHECKING:
    from blokus_fast._core import Board

__all__ = ["PASS_TEXT", "Move", "NoPlacement", "Pass"]

PASS_TEXT = "pass"
_MOST_COLORS = 4


def _plain_id(move: Move) -> int:
    """Return what was given as the id of a move as a plain int."""
    try:
        return operator.index(move.id)
    except TypeError:
        kind = type(move).__name__
        given = f"not {type(move.id).__name__}"
        if isinstance(move.id, str):
            given = f"not {move.id!r:.60}: text is read by Move.parse or Board.parse_move"
        raise TypeError(f"the id of a {kind} must be an integer, {given}") from None


def _checked_color(color: int) -> int:
    """Return a color as a plain int."""
    if type(color) is not int:
        color = integer(color, "color")
    if not 0 <= color < _MOST_COLORS:
        raise ValueError(f"color {color} is not in 0..{_MOST_COLORS - 1}, nor None")
    return color


@dataclass(frozen=True, slots=True)
class Move:
    """A placement of a piece, as people see it.

    Parameters
    ----------
    id : int
        Id of the move; numpy integers are welcome.
    size : int
        Rows of the board, 1 to 20.
    color : int, optional
        The color that plays it, 0 to 3, where known. Not looked at by ``==`` and ``hash``.

    Raises
    ------
    InvalidMoveError
        The id is out of range.
    ValueError
        `size` is out of range, or `color` is not in 0..3.
    TypeError
        `id` or `size` is not an integer, or `color` neither that nor None. Text is read by
        `Move.parse`.

    Notes
    -----
    Wherever the engine takes an id, it takes a `Move`, and refuses one of another board size or
    of another color than the one to move.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> move = bf.Move.parse("d9,e9,f9,e8,e10", size=14)
    >>> move.piece, move.orientation, move.row, move.column
    ('X', 78, 4, 3)
    >>> move.text, move.squares
    ('e8,d9,e9,f9,e10', (60, 73, 74, 75, 88))
    >>> bf.Move(int(move), size=14) == move
    True
    """

    id: int
    size: int = 20
    color: int | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        """Check the id, and make it a plain int."""
        number, size = _plain_id(self), checked_size(self.size)
        count = move_table(size).count
        if not 0 <= number < count:
            raise InvalidMoveError(range_text(number, size, count))
        object.__setattr__(self, "id", number)
        object.__setattr__(self, "size", size)
        if self.color is not None:
            object.__setattr__(self, "color", _checked_color(self.color))

    @classmethod
    def parse(cls, text: str, size: int = 20, color: int | None = None) -> Move:
        """Read a move from its text.

        Parameters
        ----------
        text : str
            Squares in any order and any case, joined with commas.
        size : int
            Rows of the board, 1 to 20.
        color : int, optional
            The color that plays it, 0 to 3.

        Returns
        -------
        Move
            The move.

        Raises
        ------
        InvalidMoveError
            The text is no move on a board of that size.
        ValueError
            `size` or `color` is out of range.
        TypeError
            `text` is not a str, or `color` no integer.

        Examples
        --------
        >>> from blokus_fast import Move
        >>> Move.parse("A1,b1").piece
        '2'
        """
        return cls(parse_move(text, size), size, color)

    @property
    def _number(self) -> int:
        """Id of the placement, where the id is one of a wider range."""
        return self.id

    @property
    def piece(self) -> str:
        """Name of the piece, a str, one of `PIECES`.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("a1,b1").piece
        '2'
        """
        return PIECES[int(move_table(self.size).info[self._number, 0])]

    @property
    def orientation(self) -> int:
        """Number of the orientation, an int from 0 to 90; `Piece` has what they look like.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("a1,b1").orientation, bf.Move.parse("a1,a2").orientation
        (1, 2)
        """
        return int(move_table(self.size).info[self._number, 1])

    @property
    def row(self) -> int:
        """Topmost row that it covers, an int, 0 at the top.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("a1,a2", size=20).row
        18
        """
        return int(move_table(self.size).info[self._number, 2])

    @property
    def column(self) -> int:
        """Leftmost column that it covers, an int, 0 at the left.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("b1,c1").column
        1
        """
        return int(move_table(self.size).info[self._number, 3])

    @property
    def squares(self) -> tuple[int, ...]:
        """Indices of its squares, ``row * size + column``, ascending: a tuple of int.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("a20,b20,a19", size=20).squares
        (0, 1, 20)
        """
        squares = move_table(self.size).squares[self._number].tolist()
        return tuple(sorted(square for square in squares if square >= 0))

    @property
    def text(self) -> str:
        """Canonical text, a str: squares row by row from row 1, a to z within a row.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> bf.Move.parse("B20,A20,a19").text
        'a19,a20,b20'
        """
        return move_table(self.size).text(self._number)

    def _id_on(self, board: Board, color: int | None = None) -> int:
        """Return the id that it has on a board, or raise; the core asks this of any move.

        `color` is who is meant to play it; by default whoever is to move.
        """
        self._check_size(board)
        if board.variant.draft:
            # Actions hold the color there. Where nobody tells it, the squares may.
            named = self.color if self.color is not None else color
            if named is None:
                return board.parse_move(self.text)
            if not 0 <= named < board.n_colors:
                raise InvalidMoveError(f"{self!r}: there is no color {named} here")
            return board.rules.placement_action(named, self.id)
        meant = board.turn if color is None else color
        if self.color is not None and self.color != meant and not board.is_game_over:
            names = dict(enumerate(board.variant.color_names))
            mine = names.get(self.color, f"color {self.color}")
            raise IllegalMoveError(
                f"it is {names[meant]}'s turn, not {mine}'s"
                if color is None
                else f"{self.text} is a move of {mine}, not of {names[meant]}"
            )
        return self.id

    def _check_size(self, board: Board) -> None:
        if self.size != board.size:
            raise InvalidMoveError(
                f"{self!r} is a move on another board: this one has {board.size} rows"
            )

    def __index__(self) -> int:
        """Return the id."""
        return self.id

    def __str__(self) -> str:
        """Return the canonical text."""
        return self.text

    def __repr__(self) -> str:
        """Show the call that makes the move, and what it is."""
        color = "" if self.color is None else f", color={self.color}"
        return f"{type(self).__name__}({self.id}, size={self.size}{color})"

    def _repr_svg_(self) -> str:
        """Draw it on an empty board for notebooks."""
        from blokus_fast import svg

        return svg.move(self)


class NoPlacement(Move):
    """A move that covers nothing: what `Pass` and `Pick` have in common."""

    __slots__ = ()

    @property
    def orientation(self) -> int:
        """No orientation, -1."""
        return -1

    @property
    def row(self) -> int:
        """No row, -1."""
        return -1

    @property
    def column(self) -> int:
        """No column, -1."""
        return -1

    @property
    def squares(self) -> tuple[int, ...]:
        """No squares."""
        return ()


@dataclass(frozen=True, slots=True, repr=False)
class Pass(NoPlacement):
    """A turn that a color gives up although it could place.

    Only variants with `voluntary_pass` know it. Its id is the number of placements; it has no
    squares, the piece ``pass``, and -1 for orientation, row and column.

    Parameters
    ----------
    id : int
        Number of placements on a board of that size.
    size : int
        Rows of the board, 1 to 20.
    color : int, optional
        The color that passes, where known.

    Raises
    ------
    InvalidMoveError
        The id is another number.
    ValueError
        `size` is out of range, or `color` is not in 0..3.

    Examples
    --------
    >>> from blokus_fast.moves import Pass
    >>> move = Pass(30433, size=20)
    >>> str(move), move.piece, move.squares
    ('pass', 'pass', ())
    """

    def __post_init__(self) -> None:
        """Check the id."""
        count = move_table(self.size).count
        if self.id != count:
            raise InvalidMoveError(f"the id of a pass is {count}, not {self.id}")
        if self.color is not None:
            object.__setattr__(self, "color", _checked_color(self.color))

    def _id_on(self, board: Board, color: int | None = None) -> int:
        self._check_size(board)
        meant = board.turn if color is None else color
        action = board.rules.pass_action
        if action is None:
            raise IllegalMoveError(f"{board.variant.name} knows no pass")
        if self.color is not None and self.color != meant and not board.is_game_over:
            raise IllegalMoveError(f"it is a pass of color {self.color}, not {meant}")
        return action

    @property
    def piece(self) -> str:
        """The word ``pass``."""
        return PASS_TEXT

    @property
    def text(self) -> str:
        """The word ``pass``."""
        return PASS_TEXT
