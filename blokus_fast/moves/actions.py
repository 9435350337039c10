"""What an action id of a variant stands for: the views of Draft's actions, and action texts.

An action is what `Board.push` takes. Mostly it is a placement, and its id that of a `Move`. In
variants with a draft it is a placement with its color (`DraftMove`) or a pick (`Pick`); with a
voluntary pass there is one id more (`Pass`). The core asks here what an id or a text means.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field

from blokus_fast._core import Board
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.moves.move import PASS_TEXT, Move, NoPlacement, Pass
from blokus_fast.moves.notation import parse_move
from blokus_fast.moves.tables import PIECES, move_table
from blokus_fast.variants.definition import Variant

__all__ = ["DraftMove", "Pick", "describe", "parse"]

PICK_WORD = "pick"
_CLASSIC_COLORS = ("blue", "yellow", "red", "green")


@dataclass(frozen=True, slots=True, repr=False)
class DraftMove(Move):
    """A placement in Draft, where the id tells the color too.

    Parameters
    ----------
    id : int
        Id of the action: color * number of placements + id of the placement.
    size : int
        Rows of the board, 1 to 20.
    color : int, optional
        The color; it follows from the id, whatever is given.
    color_name : str, optional
        Name of the color, for the text. Default: as in Classic.

    Raises
    ------
    InvalidMoveError
        The id is out of range.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> move = bf.DraftMove(2 * 30433 + 400)
    >>> move.color, move.piece, move.text, move.placement
    (2, '2', 'red a20,b20', Move(400, size=20, color=2))
    """

    color_name: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        """Check the id, and derive the color."""
        number, size = operator.index(self.id), operator.index(self.size)
        count = move_table(size).count
        if not 0 <= number < 4 * count:
            raise InvalidMoveError(f"action id {number} is out of range: 0 to {4 * count - 1}")
        object.__setattr__(self, "id", number)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "color", number // count)
        if not self.color_name:
            object.__setattr__(self, "color_name", _CLASSIC_COLORS[number // count])

    def __repr__(self) -> str:
        """Show the call that makes the move, and what it is."""
        name = self.color_name
        own = "" if name == _CLASSIC_COLORS[self.color or 0] else f", color_name={name!r}"
        return f"DraftMove({self.id}, size={self.size}, color={self.color}{own})"

    @property
    def _number(self) -> int:
        return self.id % move_table(self.size).count

    @property
    def placement(self) -> Move:
        """The placement alone, as other variants know it."""
        return Move(self._number, self.size, self.color)

    @property
    def text(self) -> str:
        """Name of the color, and the squares as in `Move.text`."""
        return f"{self.color_name} {move_table(self.size).text(self._number)}"


@dataclass(frozen=True, slots=True, repr=False)
class Pick(NoPlacement):
    """A piece that a player takes in Draft's first phase.

    It covers no squares, and has -1 for orientation, row and column.

    Parameters
    ----------
    id : int
        Id of the action: number of colors * number of placements + 21 * color + piece.
    size : int
        Rows of the board, 1 to 20.
    color : int, optional
        The color of the piece; it follows from the id, whatever is given.
    n_colors : int
        Number of colors of the variant.

    Raises
    ------
    InvalidMoveError
        The id is out of range.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> pick = bf.Board("draft").move(4 * 30433 + 9)
    >>> str(pick), pick.piece, pick.color, pick.squares
    ('pick F', 'F', 0, ())
    """

    n_colors: int = field(default=4, compare=False)

    def __post_init__(self) -> None:
        """Check the id, and derive the color."""
        number, size = operator.index(self.id), operator.index(self.size)
        first = self.n_colors * move_table(size).count
        last = first + self.n_colors * len(PIECES) - 1
        if not first <= number <= last:
            raise InvalidMoveError(f"pick id {number} is out of range: {first} to {last}")
        object.__setattr__(self, "id", number)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "color", (number - first) // len(PIECES))

    def __repr__(self) -> str:
        """Show the call that makes the pick, and what it is."""
        fewer = "" if self.n_colors == 4 else f", n_colors={self.n_colors}"
        return f"Pick({self.id}, size={self.size}, color={self.color}{fewer})"

    @property
    def piece(self) -> str:
        """Name of the piece, one of `PIECES`."""
        return PIECES[(self.id - self.n_colors * move_table(self.size).count) % len(PIECES)]

    @property
    def text(self) -> str:
        """The word ``pick`` and the piece; its color is the one that is being drafted."""
        return f"{PICK_WORD} {self.piece}"


def describe(number: int, variant: Variant, color: int) -> Move:
    """Return the view of an action.

    Parameters
    ----------
    number : int
        Id of the action.
    variant : Variant
        The variant.
    color : int
        The color to move, -1 for none.

    Returns
    -------
    Move
        A `Move`, `Pass`, `DraftMove` or `Pick`.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.moves.actions import describe
    >>> str(describe(0, bf.variant("duo"), 1)), str(describe(0, bf.variant("draft"), -1))
    ('a14', 'blue a20')
    """
    count = move_table(variant.size).count
    if variant.draft:
        if number >= variant.n_colors * count:
            return Pick(number, variant.size, n_colors=variant.n_colors)
        return DraftMove(number, variant.size, color_name=variant.color_names[number // count])
    if variant.voluntary_pass and number == count:
        return Pass(number, variant.size, color if color >= 0 else None)
    return Move(number, variant.size, color if color >= 0 else None)


def parse(text: str, board: Board, color: int | None = None) -> int:
    """Read the text of an action.

    Parameters
    ----------
    text : str
        As `Move.text` writes it, in any case. In Draft the name of the color may be left out
        where only one color can place the squares.
    board : Board
        The position: it tells the variant, and in Draft the color that is being drafted.
    color : int, optional
        In Draft the color that is meant where the text names none.

    Returns
    -------
    int
        Id of the action, legal or not.

    Raises
    ------
    InvalidMoveError
        The text stands for no action, or in Draft for several.
    IllegalMoveError
        In Draft: the text names no color, and no color can place the squares.
    TypeError
        `text` is not text.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.moves.actions import parse
    >>> board = bf.Board("draft")
    >>> parse("Pick f", board) == 4 * board.n_moves + 9, parse("RED a20", board)
    (True, 60866)
    """
    variant = board.variant
    if variant.voluntary_pass and isinstance(text, str) and text.strip().lower() == PASS_TEXT:
        return board.n_moves
    if not variant.draft or not isinstance(text, str):
        return parse_move(text, variant.size)
    word, _, rest = text.strip().partition(" ")
    if word.lower() == PICK_WORD and rest.strip():
        return _parse_pick(rest.strip(), board, color)
    named, squares = _split_color(text.strip(), variant)
    number = parse_move(squares, variant.size)
    if named is None:
        named = _color_of(squares, number, board) if color is None else color
    return named * board.n_moves + number


def _parse_pick(name: str, board: Board, color: int | None) -> int:
    """Read the piece of a pick."""
    if name.upper() not in PIECES:
        raise InvalidMoveError(
            f"'{PICK_WORD} {name[:60]}' is not a pick: the pieces are {', '.join(PIECES)}"
        )
    variant = board.variant
    if color is None:
        # Outside the draft phase no color is right, and the board says so.
        color = board.turn if board.is_drafting else variant.order[-1]
    return variant.n_colors * board.n_moves + color * len(PIECES) + PIECES.index(name.upper())


def _split_color(text: str, variant: Variant) -> tuple[int | None, str]:
    """Take the name of a color off the beginning of a text, the longest one that fits."""
    by_length = sorted(enumerate(variant.color_names), key=lambda item: -len(item[1]))
    for number, name in by_length:
        if text.lower().startswith(name.lower() + " "):
            return number, text[len(name) :]
    return None, text


def _color_of(squares: str, number: int, board: Board) -> int:
    """Find the color of a placement whose text names none."""
    names = board.variant.color_names
    if board.is_drafting:
        return board.turn  # not allowed yet, in any color
    if board.is_game_over:
        return 0
    reasons = [board.why_illegal(c * board.n_moves + number) for c in range(board.n_colors)]
    able = [color for color, reason in enumerate(reasons) if reason is None]
    if len(able) == 1:
        return able[0]
    if able:
        raise InvalidMoveError(
            f"{squares} can be {' or '.join(names[color] for color in able)}: "
            f"name the color, as in '{names[able[0]]} {squares}'"
        )
    every = "; ".join(f"{name}: {reason}" for name, reason in zip(names, reasons, strict=True))
    raise IllegalMoveError(f"{squares} can be placed in no color: {every}")
