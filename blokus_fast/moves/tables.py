"""Pieces, and what a move id stands for on boards of each size.

The ids and their meaning come from the native core; this file keeps them in the forms that
`move`, `notation` and `conversions` look things up in.
"""

from __future__ import annotations

import operator
from functools import cache, cached_property
from typing import Any, Final, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast.errors import InvalidMoveError
from blokus_fast.shown import call_text

__all__ = [
    "LETTERS",
    "PIECES",
    "PIECE_SIZES",
    "MoveTable",
    "checked_size",
    "move_table",
    "range_text",
    "square_keys",
]

PIECES: Final[tuple[str, ...]] = _core.PIECE_NAMES
"""Names of the 21 pieces; a piece's number is its place here."""

PIECE_SIZES: Final[tuple[int, ...]] = _core.PIECE_SIZES
"""Number of squares of each piece."""

LETTERS = "abcdefghijklmnopqrst"
_LARGEST: Final = len(LETTERS)


class MoveTable:
    """Everything about the placements on boards of one size, made when first asked for."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.squares: npt.NDArray[np.int16] = _core.placement_squares(size)
        self.info: npt.NDArray[np.int16] = _core.placement_info(size)
        self.count = len(self.squares)
        rows, columns = np.divmod(np.arange(size * size), size)
        self.square_texts = [
            f"{LETTERS[column]}{size - row}"
            for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        ]

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(self, self.size)

    def check(self, ids: npt.ArrayLike) -> npt.NDArray[np.intp]:
        """Return ids as an index array, or raise InvalidMoveError naming one out of range."""
        array = np.asarray(ids)
        if array.size == 0:
            return array.astype(np.intp)
        if array.dtype.kind not in "iu":
            raise TypeError(f"move ids must be integers, not {array.dtype}")
        wrong = (array < 0) | (array >= self.count)
        if wrong.any():
            first = int(array[wrong].flat[0])
            raise InvalidMoveError(range_text(first, self.size, self.count))
        return array.astype(np.intp)

    @cached_property
    def edges(self) -> npt.NDArray[np.int16]:
        """Give the squares that share an edge with each placement, padded with -1."""
        return _core.placement_edges(self.size)

    @cached_property
    def keys(self) -> npt.NDArray[np.int64]:
        """Give a number per placement, made of its squares in ascending order."""
        return square_keys(self.squares)

    @cached_property
    def key_order(self) -> npt.NDArray[np.intp]:
        """Order the ids by their keys, for a binary search."""
        return np.argsort(self.keys)

    @cached_property
    def ids_by_squares(self) -> dict[tuple[int, ...], int]:
        """Map ascending squares to the id."""
        return {
            tuple(square for square in squares if square >= 0): number
            for number, squares in enumerate(np.sort(self.squares, axis=1).tolist())
        }

    @cached_property
    def ids_by_anchor(self) -> npt.NDArray[np.int32]:
        """Map orientation, row and column to the id, -1 where it does not fit."""
        ids = np.full((91, self.size, self.size), -1, np.int32)
        _, orientation, row, column = self.info.T
        ids[orientation, row, column] = np.arange(self.count)
        return ids

    @cached_property
    def texts(self) -> npt.NDArray[np.str_]:
        """List the text of every placement."""
        return np.array([self.text(number) for number in range(self.count)], dtype=np.str_)

    def text(self, number: int) -> str:
        """Write the canonical text: rows from the bottom, columns from a."""
        size = self.size
        squares = [square for square in self.squares[number].tolist() if square >= 0]
        squares.sort(key=lambda square: (-(square // size), square % size))
        return ",".join(self.square_texts[square] for square in squares)


def checked_size(size: SupportsIndex) -> int:
    """Return a board size as a plain int: a small numpy integer would wrap in what follows."""
    if isinstance(size, bool):
        raise TypeError("size must be an integer, not bool")
    try:
        number = operator.index(size)
    except TypeError:
        raise TypeError(f"size must be an integer, not {type(size).__name__}") from None
    if not 1 <= number <= _LARGEST:
        raise ValueError(f"size {number} is not in 1..{_LARGEST}")
    return number


def move_table(size: SupportsIndex) -> MoveTable:
    """Return the table of a board size (1 to 20)."""
    return _table(checked_size(size))


@cache
def _table(size: int) -> MoveTable:
    return MoveTable(size)


def square_keys(squares: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Fold rows of up to five squares, padded with -1, to one number each."""
    digits = np.sort(squares.astype(np.int64), axis=-1) + 1
    keys = np.zeros(digits.shape[:-1], np.int64)
    for place in range(5):
        keys = keys * 401 + digits[..., place]
    return keys


def range_text(number: int, size: int, count: int) -> str:
    """Say that an id is out of range."""
    return f"move id {number} is not in 0..{count - 1} on a {size} by {size} board"
