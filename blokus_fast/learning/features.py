"""What placements are worth: corner squares opened, closed and taken, and reach.

Owns the arguments and the result; the counting is in the engine (src/engine/wide_features.h).
"""

from __future__ import annotations

from typing import Any, NamedTuple, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import expect, integer
from blokus_fast.errors import InvalidMoveError
from blokus_fast.moves.actions import placements_of

__all__ = ["MoveFeatures", "move_features", "reachable_mask", "reachable_squares"]


class MoveFeatures(NamedTuple):
    """Features of m placements of one color, in the order of `ids`.

    Attributes
    ----------
    ids : ndarray of int32, shape (m,)
        Placement ids.
    squares : ndarray of int8, shape (m,)
        Squares that the placement covers, 1 to 5.
    corners_gained : ndarray of int8, shape (m,)
        Squares that become corner squares of the color.
    corners_lost : ndarray of int8, shape (m,)
        Squares that were its corner squares and are no longer; at most 127 are counted.
    corners_taken : ndarray of int8, shape (m, n_colors)
        Corner squares of each color that the placement covers; 0 for its own color.
    center_distance : ndarray of float32, shape (m,)
        Distance from the center of the board to the center of the nearest covered square, in
        squares (Euclidean).

    Examples
    --------
    >>> import blokus_fast as bf
    >>> features = bf.move_features(bf.Board("duo"))
    >>> len(features.ids), features.corners_taken.shape
    (828, (828, 2))
    """

    ids: npt.NDArray[np.int32]
    squares: npt.NDArray[np.int8]
    corners_gained: npt.NDArray[np.int8]
    corners_lost: npt.NDArray[np.int8]
    corners_taken: npt.NDArray[np.int8]
    center_distance: npt.NDArray[np.float32]


def move_features(
    board: Board, ids: npt.ArrayLike | None = None, *, color: SupportsIndex | None = None
) -> MoveFeatures:
    """Tell what placements would change on the board, all of them in one call.

    Parameters
    ----------
    board : Board
        The position; not changed.
    ids : array_like of int, shape (m,), optional
        Ids of legal placements (without the color, in Draft too). Default: all legal placements
        of the color. For ids that are not legal the figures mean nothing.
    color : int, optional
        Whose placements. Default: the color to move.

    Returns
    -------
    MoveFeatures
        One array a feature.

    Raises
    ------
    InvalidMoveError
        An id is not one of the board's placements.
    TypeError
        The ids are not integers.
    ValueError
        The color does not exist, or none is given and it is no color's turn.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.Board("classic")
    >>> features = bf.move_features(board, [board.parse_move("a20")])
    >>> features.squares.tolist(), features.corners_gained.tolist()
    ([1], [1])
    """
    chosen = _color(board, color)
    if ids is None:
        array = board.legal_ids(color=chosen)
        if board.variant.draft or board.rules.pass_action is not None:
            # Picks and passes are no placements; in Draft an id holds its color too.
            array = placements_of(board.rules, array)
            array = array[array >= 0]
    else:
        array = np.asarray(ids)
        if array.ndim != 1:
            raise ValueError(f"ids must have shape (m,), not {array.shape}")
        if array.size and array.dtype.kind not in "iu":
            raise TypeError(f"ids must be integers, not {array.dtype}")
        if array.size and not (array.min() >= 0 and array.max() < board.n_moves):
            wrong = array[(array < 0) | (array >= board.n_moves)][0]
            raise InvalidMoveError(f"placement id {wrong} is not in 0..{board.n_moves - 1}")
    array = np.ascontiguousarray(array, np.int32)
    m = array.size
    squares, gained, lost = np.empty((3, m), np.int8)
    taken = np.empty((m, board.n_colors), np.int8)
    distance = np.empty(m, np.float32)
    _core._move_features(board, chosen, array, squares, gained, lost, taken, distance)
    return MoveFeatures(array, squares, gained, lost, taken, distance)


def _color(board: Board, color: SupportsIndex | None) -> int:
    expect(board, Board, "board")
    chosen = board.turn if color is None else integer(color, "color")
    if not 0 <= chosen < board.n_colors:
        raise ValueError(
            "no color is to move: name one"
            if color is None
            else f"color {chosen} is not in 0..{board.n_colors - 1}"
        )
    return chosen


def _reach(board: Board, color: SupportsIndex, placements: SupportsIndex) -> tuple[Any, int]:
    number = integer(placements, "placements")
    if number < 0:
        raise ValueError(f"placements {number} is negative")
    chosen = _color(board, color)
    in_hand = zip(_core.PIECE_SIZES, _hand(board, chosen), strict=True)
    largest = max((size for size, count in in_hand if count), default=0)
    # More placements than squares reach nothing new; without pieces nothing is reached.
    number = min(number, board.size**2) if largest else 0
    return _core._reachable(board, chosen, number, max(largest - 1, 0))


def _hand(board: Board, color: int) -> tuple[int, ...]:
    """Return what anybody still has of a color."""
    if not board.variant.draft:
        return board.hand(color)
    hands = [board.hand(color, player) for player in range(board.n_players)]
    return tuple(sum(counts) for counts in zip(*hands, strict=True))


def reachable_squares(
    board: Board, color: SupportsIndex, placements: SupportsIndex
) -> npt.NDArray[np.intp]:
    """Return the squares that a color could cover within some placements, as ascending indices.

    Parameters
    ----------
    board : Board
        The position; not changed.
    color : int
        The color.
    placements : int
        Number of placements of that color in a row, 0 or more.

    Returns
    -------
    ndarray of intp, shape (m,)
        Square indices.

    Raises
    ------
    ValueError
        A number is out of range.

    Notes
    -----
    A flood over the squares that the color may cover now: a placement begins at a corner square
    and goes on along edges for as many steps as the largest piece in hand has squares beyond the
    first; the next one begins diagonally. It asks for neither shapes nor the edges of the pieces
    on the way, so it is an upper bound.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> board = bf.Board("classic")
    >>> len(bf.reachable_squares(board, 0, 1)), len(bf.reachable_squares(board, 0, 2))
    (15, 62)
    """
    squares: npt.NDArray[np.intp] = _reach(board, color, placements)[0]
    return squares


def reachable_mask(board: Board, color: SupportsIndex, placements: SupportsIndex) -> int:
    """Return the squares of `reachable_squares` as an int whose bit i is square i.

    Parameters
    ----------
    board : Board
        The position; not changed.
    color : int
        The color.
    placements : int
        Number of placements of that color in a row, 0 or more.

    Returns
    -------
    int
        A bit for every square of the board.

    Raises
    ------
    ValueError
        A number is out of range.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> bf.reachable_mask(bf.Board("classic"), 0, 1).bit_count()
    15
    """
    return _reach(board, color, placements)[1]
