"""The text of squares and moves, written and read one at a time.

Squares are indices `row * size + column` with row 0 at the top. In text a square is a column
letter and a row number counted from the bottom, so `a1` is the bottom left.
"""

from __future__ import annotations

import re
from typing import SupportsIndex

from blokus_fast.checking import integer
from blokus_fast.errors import InvalidMoveError
from blokus_fast.moves.tables import LETTERS, checked_size, move_table, range_text

__all__ = ["move_text", "parse_move", "parse_square", "square_text"]

_SQUARE = re.compile(r"([A-Za-z])([1-9][0-9]?)")
# What people put between squares, beside the comma that belongs there.
_BETWEEN = re.compile(r"[\s,;:.|/+-]+")


def _short(text: str) -> str:
    """Quote a text for a message, cut where it is long."""
    return repr(text) if len(text) <= 60 else repr(text[:60]) + "..."


def square_text(square: SupportsIndex, size: int = 20) -> str:
    """Write a square as text.

    Parameters
    ----------
    square : int
        Index of the square, `row * size + column`, row 0 at the top.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    str
        Column letter and row number from the bottom.

    Raises
    ------
    ValueError
        The square is not on the board.

    Examples
    --------
    >>> from blokus_fast.moves import square_text
    >>> square_text(0), square_text(399), square_text(0, 14)
    ('a20', 't1', 'a14')
    """
    index, size = integer(square, "square"), checked_size(size)
    if not 0 <= index < size * size:
        raise ValueError(f"square {index} is not on a {size} by {size} board")
    return LETTERS[index % size] + str(size - index // size)


def parse_square(text: str, size: int = 20) -> int:
    """Read a square.

    Parameters
    ----------
    text : str
        Column letter and row number from the bottom, such as `e10`; any case.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    int
        Index of the square, `row * size + column`, row 0 at the top.

    Raises
    ------
    ValueError
        The text is no square, or the square is not on the board.
    TypeError
        `text` is not text.

    Examples
    --------
    >>> from blokus_fast.moves import parse_square
    >>> parse_square("a20"), parse_square("E10", 14)
    (0, 60)
    """
    if not isinstance(text, str):
        raise TypeError(f"a square is text such as 'a1', not {text!r}")
    size = checked_size(size)
    return _square(text, size)


def _square(text: str, size: int) -> int:
    """Read a square on a board whose size is one."""
    match = _SQUARE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{_short(text)} is not a square such as 'a1'")
    column = ord(match[1].lower()) - ord("a")
    row = size - int(match[2])
    if row < 0 or column >= size:
        raise ValueError(f"square {_short(text)} is not on a {size} by {size} board")
    return row * size + column


def move_text(move: SupportsIndex, size: int = 20) -> str:
    """Write a move as text.

    Parameters
    ----------
    move : int or Move
        Id of the move.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    str
        Its squares joined with commas: row by row from row 1, a to z within a row.

    Raises
    ------
    InvalidMoveError
        The id is out of range.
    TypeError
        `move` is not an integer.

    Examples
    --------
    >>> from blokus_fast.moves import move_text, parse_move
    >>> move_text(parse_move("B1, a2, A1"))
    'a1,b1,a2'
    """
    table = move_table(size)
    number = integer(move, "move")
    if not 0 <= number < table.count:
        raise InvalidMoveError(range_text(number, size, table.count))
    return table.text(number)


def parse_move(text: str, size: int = 20) -> int:
    """Read a move.

    Parameters
    ----------
    text : str
        Squares in any order and any case, joined with commas; blanks around them are skipped.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    int
        Id of the move.

    Raises
    ------
    InvalidMoveError
        Something is no square, is off the board, stands twice, or the squares are no piece.
    ValueError
        `size` is out of range.
    TypeError
        `text` is not text.

    Examples
    --------
    >>> from blokus_fast.moves import parse_move
    >>> parse_move("a20")
    0
    >>> parse_move("a20,t1")
    Traceback (most recent call last):
    ...
    blokus_fast.errors.InvalidMoveError: 'a20,t1' is not a piece
    """
    if not isinstance(text, str):
        raise TypeError(f"a move's text must be str, not {type(text).__name__}")
    size = checked_size(size)
    if not text.strip():
        raise InvalidMoveError(f"{_short(text)} is not a move: it names no square")
    parts = text.split(",")
    if len(parts) > 5:
        raise InvalidMoveError(f"{_short(text)} is not a move: more than five squares")
    try:
        squares = sorted(_square(part, size) for part in parts)
    except ValueError as error:
        why = _commas(text) or error
        raise InvalidMoveError(f"{_short(text)} is not a move: {why}") from None
    if len(set(squares)) < len(squares):
        raise InvalidMoveError(f"{_short(text)} is not a move: a square stands twice")
    number = move_table(size).ids_by_squares.get(tuple(squares))
    if number is None:
        raise InvalidMoveError(f"{_short(text)} is not a piece")
    return number


def _commas(text: str) -> str:
    """Say what stands between squares, if a text has squares with something else between them."""
    words = [word for word in _BETWEEN.split(text) if word]
    if not 2 <= len(words) <= 5 or not all(map(_SQUARE.fullmatch, words)):
        return ""
    if all(_SQUARE.fullmatch(part.strip()) for part in text.split(",")):
        return ""
    return f"squares are separated by commas, as in '{','.join(words)}'"
