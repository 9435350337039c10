"""What an action id of a variant stands for: the views of Draft's actions, and action texts.

An action is what `Board.push` takes. Mostly it is a placement, and its id that of a `Move`. In
variants with a draft it is a placement with its color (`DraftMove`) or a pick (`Pick`); with a
voluntary pass there is one id more (`Pass`). How ids are made of these is the engine's to know
(`Rules.decode_actions` and its like). The core asks here what an id or a text means.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, field
from typing import SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board, Rules
from blokus_fast.checking import integer
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.moves.move import PASS_TEXT, Move, NoPlacement, Pass, _plain_id
from blokus_fast.moves.notation import _short, parse_move
from blokus_fast.moves.tables import PIECES, checked_size, move_table
from blokus_fast.variants.definition import Variant

__all__ = ["DraftMove", "Pick", "describe", "parse", "placements_of", "resolve", "view"]

# Kinds of actions, as the engine numbers them.
PLACEMENT, PICK, PASS = 1, 2, 3
PICK_WORD = "pick"
_SOME_PIECE = "F"
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
        number, size = _plain_id(self), checked_size(self.size)
        count = move_table(size).count
        if not 0 <= number < 4 * count:
            raise InvalidMoveError(f"action id {number} is not in 0..{4 * count - 1}")
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

    def _id_on(self, board: Board, color: int | None = None) -> int:
        self._check_size(board)
        if not board.variant.draft:
            raise InvalidMoveError(f"{self!r} is a move of Draft, not of {board.variant.name}")
        if color is not None and color != self.color:
            names = board.variant.color_names
            raise IllegalMoveError(f"{self} is {self.color_name}'s, not {names[color]}'s")
        return self.id

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
        number, size = _plain_id(self), checked_size(self.size)
        n_colors = integer(self.n_colors, "n_colors")
        if not 1 <= n_colors <= len(_CLASSIC_COLORS):
            raise InvalidMoveError(f"n_colors {n_colors} is not in 1..{len(_CLASSIC_COLORS)}")
        object.__setattr__(self, "n_colors", n_colors)
        first = self.n_colors * move_table(size).count
        last = first + self.n_colors * len(PIECES) - 1
        if not first <= number <= last:
            raise InvalidMoveError(f"pick id {number} is not in {first}..{last}")
        object.__setattr__(self, "id", number)
        object.__setattr__(self, "size", size)
        object.__setattr__(self, "color", (number - first) // len(PIECES))

    def __repr__(self) -> str:
        """Show the call that makes the pick, and what it is."""
        fewer = "" if self.n_colors == 4 else f", n_colors={self.n_colors}"
        return f"Pick({self.id}, size={self.size}, color={self.color}{fewer})"

    def _id_on(self, board: Board, color: int | None = None) -> int:
        self._check_size(board)
        variant = board.variant
        if not variant.draft or variant.n_colors != self.n_colors:
            raise InvalidMoveError(f"{self!r} is a pick of another game, not of {variant.name}")
        if color is not None and color != self.color:
            names = variant.color_names
            raise IllegalMoveError(f"{self} is {names[self.color or 0]}'s, not {names[color]}'s")
        return self.id

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
    return view(variant._rules(), number, color)


def view(rules: Rules, number: int, color: int) -> Move:
    """Return the view of an action, as `describe` does, where the rules are at hand."""
    variant = rules.variant
    kind, named, _, _ = rules.decode_action(number)
    if kind == PICK:
        return Pick(number, variant.size, n_colors=variant.n_colors)
    if kind == PLACEMENT and variant.draft:
        return DraftMove(number, variant.size, color_name=variant.color_names[named])
    return (Pass if kind == PASS else Move)(number, variant.size, color if color >= 0 else None)


def placements_of(rules: Rules, actions: npt.ArrayLike) -> npt.NDArray[np.int32]:
    """Return the ids of placements without their colors; -1 for what places nothing.

    Parameters
    ----------
    rules : Rules
        The rules of a board or batch, its attribute `rules`.
    actions : array_like of int, shape (m,)
        Ids of actions.

    Returns
    -------
    ndarray of int32, shape (m,)
        Ids of `Move`.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.moves.actions import placements_of
    >>> placements_of(bf.Board("draft").rules, [2 * 30433 + 400, 4 * 30433 + 9]).tolist()
    [400, -1]
    """
    ids = np.ascontiguousarray(actions, np.int32)
    return np.ascontiguousarray(rules.decode_actions(ids)[:, 3])


def resolve(board: Board, move: SupportsIndex | Move | str, color: int | None = None) -> int:
    """Return the id of an action, whatever form it comes in.

    Parameters
    ----------
    board : Board
        The position.
    move : int, Move or str
        An id, a move, or text.
    color : int, optional
        The color that is meant to play it; in Draft the color of the piece. Default: whoever is
        to move; in Draft what the text or the move says, or the squares tell.

    Returns
    -------
    int
        Id of an action of the board, legal or not.

    Raises
    ------
    InvalidMoveError
        It cannot be a move on this board.
    IllegalMoveError
        It is another color's move, or a pass where there is none.
    TypeError
        It is neither an integer, a `Move` nor text.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.moves.actions import resolve
    >>> board = bf.Board("duo")
    >>> resolve(board, "e10"), resolve(board, bf.Move(60, size=14)), resolve(board, 60)
    (60, 60, 60)
    >>> resolve(board, bf.Move(60))
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidMoveError: Move(60, size=20) is a move on another board: ...
    """
    variant = board.variant
    if isinstance(move, str):
        if move.strip().lower() == PASS_TEXT and not variant.voluntary_pass:
            if board.is_game_over:
                raise IllegalMoveError("the game is over")
            if variant.draft:
                raise IllegalMoveError("a player who can pick or place must do so")
            name = variant.color_names[board.turn]
            raise IllegalMoveError(f"{name} cannot pass: a color that can place must place")
        return _for_color(parse(move, board, color), board, color)
    if isinstance(move, Move):
        return move._id_on(board, color)
    try:
        if isinstance(move, bool):
            raise TypeError
        number = operator.index(move)
    except TypeError:
        raise TypeError(f"a move is an id, a Move or text, not {type(move).__name__}") from None
    if not 0 <= number < board.n_actions:
        raise InvalidMoveError(f"move id {number} is not in 0..{board.n_actions - 1}")
    return _for_color(number, board, color)


def _for_color(number: int, board: Board, color: int | None) -> int:
    """Return an id that tells its color, in Draft, if that is the color that is meant."""
    if color is not None and board.variant.draft:
        view(board.rules, number, -1)._id_on(board, color)
    return number


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
    action = board.rules.pass_action
    if action is not None and isinstance(text, str) and text.strip().lower() == PASS_TEXT:
        return action
    if not variant.draft or not isinstance(text, str):
        try:
            return parse_move(text, variant.size)
        except InvalidMoveError:
            if text.split()[:1] and text.split()[0].lower() == PICK_WORD:
                raise InvalidMoveError(
                    f"{_short(text)} is not a move: {variant.name} has no picks, its moves are "
                    "squares such as 'a1,b1'"
                ) from None
            raise
    word, _, rest = text.strip().partition(" ")
    if word.lower() == PICK_WORD:
        return _parse_pick(rest.strip(), board, color)
    named, squares = _split_color(text.strip(), variant)
    try:
        number = parse_move(squares, variant.size)
    except InvalidMoveError:
        # Squares that are no piece are told as such, even where only picks are allowed.
        if not board.is_drafting or "," in text:
            raise
        name = text.strip().upper()
        wanted = name if name in PIECES else _SOME_PIECE
        raise InvalidMoveError(
            f"{_short(text)} is not a pick: in the draft phase a move is the word {PICK_WORD} and "
            f"a piece, such as '{PICK_WORD} {wanted}'"
        ) from None
    if named is None:
        named = _color_of(squares, number, board) if color is None else color
    return board.rules.placement_action(named, number)


def _parse_pick(name: str, board: Board, color: int | None) -> int:
    """Read the piece of a pick."""
    if name.upper() not in PIECES:
        raise InvalidMoveError(
            f"{_short(f'{PICK_WORD} {name}'.strip())} is not a pick such as "
            f"'{PICK_WORD} {_SOME_PIECE}': the pieces are {', '.join(PIECES)}"
        )
    variant = board.variant
    if color is None:
        # Outside the draft phase no color is right, and the board says so.
        color = board.turn if board.is_drafting else variant.order[-1]
    return board.rules.pick_action(color, PIECES.index(name.upper()))


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
    actions = [board.rules.placement_action(c, number) for c in range(board.n_colors)]
    reasons = [board.why_illegal(action) for action in actions]
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
