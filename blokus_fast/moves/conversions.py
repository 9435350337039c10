"""Moves in bulk: ids, squares, placements and texts as numpy arrays, both ways.

Every function takes and returns arrays of any shape. For single moves see `notation` and `Move`.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from blokus_fast.errors import InvalidMoveError
from blokus_fast.moves.notation import parse_move
from blokus_fast.moves.tables import move_table, square_keys

__all__ = [
    "moves_to_placements",
    "moves_to_squares",
    "moves_to_text",
    "placements_to_moves",
    "squares_to_moves",
    "text_to_moves",
]


def moves_to_squares(moves: npt.ArrayLike, size: int = 20) -> npt.NDArray[np.int16]:
    """Look up the squares of many moves.

    Parameters
    ----------
    moves : array_like of int, shape (...)
        Move ids.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of int16, shape (..., 5)
        Square indices, ascending, padded with -1 at the end.

    Raises
    ------
    InvalidMoveError
        An id is out of range.
    TypeError
        The ids are not integers.

    Examples
    --------
    >>> from blokus_fast.moves import moves_to_squares
    >>> moves_to_squares([0, 400]).tolist()
    [[0, -1, -1, -1, -1], [0, 1, -1, -1, -1]]
    """
    table = move_table(size)
    return table.squares[table.check(moves)]


def squares_to_moves(squares: npt.ArrayLike, size: int = 20) -> npt.NDArray[np.int32]:
    """Find the moves that cover given squares.

    Parameters
    ----------
    squares : array_like of int, shape (..., 5)
        Square indices of one move a row, in any order, padded with -1.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of int32, shape (...)
        Move ids.

    Raises
    ------
    InvalidMoveError
        The squares of a row are no piece.
    ValueError
        The shape is wrong.
    TypeError
        The squares are not integers.

    Examples
    --------
    >>> from blokus_fast.moves import squares_to_moves
    >>> squares_to_moves([[0, -1, -1, -1, -1], [1, 0, -1, -1, -1]]).tolist()
    [0, 400]
    """
    table = move_table(size)
    array = np.asarray(squares)
    if array.ndim == 0 or array.shape[-1] != 5:
        raise ValueError(f"squares must have shape (..., 5), not {array.shape}")
    if array.dtype.kind not in "iu":
        raise TypeError(f"squares must be integers, not {array.dtype}")
    if array.size == 0:
        return np.zeros(array.shape[:-1], np.int32)
    # Anything that is no square becomes -2, which no piece has.
    given = array.reshape(-1, 5)
    rows = np.where((given >= -1) & (given < size * size), given, -2).astype(np.int64)
    keys = square_keys(rows)
    order = table.key_order
    place = np.minimum(np.searchsorted(table.keys, keys, sorter=order), table.count - 1)
    found = order[place]
    # The search finds the nearest key only, so compare.
    wrong = (np.sort(rows, axis=1) != np.sort(table.squares[found], axis=1)).any(axis=1)
    if wrong.any():
        raise InvalidMoveError(f"squares {given[wrong][0].tolist()} are not a piece")
    return found.astype(np.int32).reshape(array.shape[:-1])


def moves_to_placements(moves: npt.ArrayLike, size: int = 20) -> npt.NDArray[np.int16]:
    """Look up piece, orientation, row and column of many moves.

    Parameters
    ----------
    moves : array_like of int, shape (...)
        Move ids.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of int16, shape (..., 4)
        Piece (0 to 20), orientation (0 to 90), and the row and column of the top left corner
        of the placement's bounding box, counted from the top left of the board.

    Raises
    ------
    InvalidMoveError
        An id is out of range.
    TypeError
        The ids are not integers.

    Examples
    --------
    >>> from blokus_fast.moves import moves_to_placements
    >>> moves_to_placements([0, 21, 400]).tolist()
    [[0, 0, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]]
    """
    table = move_table(size)
    return table.info[table.check(moves)]


def placements_to_moves(
    orientation: npt.ArrayLike, row: npt.ArrayLike, column: npt.ArrayLike, size: int = 20
) -> npt.NDArray[np.int32]:
    """Find the moves that put orientations at places.

    Parameters
    ----------
    orientation, row, column : array_like of int
        Orientation (0 to 90; it tells the piece) and top left corner of the bounding box.
        Shapes are broadcast against each other.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of int32
        Move ids, of the broadcast shape.

    Raises
    ------
    InvalidMoveError
        A placement does not fit the board.
    TypeError
        The values are not integers.

    Examples
    --------
    >>> from blokus_fast.moves import placements_to_moves
    >>> placements_to_moves(0, 0, [0, 1, 19]).tolist()
    [0, 1, 19]
    """
    table = move_table(size)
    where = np.broadcast_arrays(*(np.asarray(value) for value in (orientation, row, column)))
    if any(value.size and value.dtype.kind not in "iu" for value in where):
        raise TypeError("orientation, row and column must be integers")
    wrong = np.zeros(where[0].shape, bool)
    for value, limit in zip(where, (91, size, size), strict=True):
        wrong |= (value < 0) | (value >= limit)
    safe = tuple(np.where(wrong, 0, value).astype(np.intp) for value in where)
    ids = np.asarray(table.ids_by_anchor[safe])
    wrong |= ids < 0
    if wrong.any():
        first = ", ".join(str(int(value[wrong].flat[0])) for value in where)
        raise InvalidMoveError(
            f"(orientation, row, column) = ({first}) does not fit a {size} by {size} board"
        )
    return ids


def moves_to_text(moves: npt.ArrayLike, size: int = 20) -> npt.NDArray[np.str_]:
    """Write many moves as text.

    Parameters
    ----------
    moves : array_like of int, shape (...)
        Move ids.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of str, shape (...)
        Canonical texts, see `move_text`. The texts of all moves are made at the first call.

    Raises
    ------
    InvalidMoveError
        An id is out of range.
    TypeError
        The ids are not integers.

    Examples
    --------
    >>> from blokus_fast.moves import moves_to_text
    >>> moves_to_text([0, 400]).tolist()
    ['a20', 'a20,b20']
    """
    table = move_table(size)
    return np.asarray(table.texts[table.check(moves)])


def text_to_moves(texts: npt.ArrayLike | Iterable[str], size: int = 20) -> npt.NDArray[np.int32]:
    """Read many moves.

    Parameters
    ----------
    texts : array_like of str, shape (...)
        Texts as `parse_move` reads them.
    size : int
        Rows of the board, 1 to 20.

    Returns
    -------
    ndarray of int32, shape (...)
        Move ids.

    Raises
    ------
    InvalidMoveError
        A text is no move.

    Examples
    --------
    >>> from blokus_fast.moves import text_to_moves
    >>> text_to_moves(["a20", "B20,a20"]).tolist()
    [0, 400]
    """
    array = np.asarray(texts, dtype=object)
    ids = np.fromiter((parse_move(text, size) for text in array.flat), np.int32, array.size)
    return ids.reshape(array.shape)
