"""Games played to the end by chance, many at a time and without the GIL.

Owns the arguments and the threads; the playing is the engine's (src/engine/playouts.c).
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.checking import integer

__all__ = ["playouts"]

# Rows that a thread fills between two looks at whether it should stop.
_BLOCK: Final = 4096


def playouts(
    board: Board,
    n: SupportsIndex,
    seed: SupportsIndex = 0,
    threads: SupportsIndex = 1,
    *,
    piece_weights: Literal["size"] | Sequence[int] | npt.NDArray[Any] | None = None,
    move_weights: npt.ArrayLike | None = None,
) -> npt.NDArray[np.int32]:
    """Play a position to the end by chance, many times, and return the scores.

    Parameters
    ----------
    board : Board
        Where every playout begins; not changed.
    n : int
        Number of playouts.
    seed : int
        0 to 2**64 - 1. Playout `i` draws from stream `i` of the seed: results depend on neither
        the number of threads, nor the kernel, nor the platform.
    threads : int
        Number of plain threads that share the work; the GIL is released.
    piece_weights : "size" or sequence of 21 int, optional
        Draw a piece first, with probability proportional to its weight (1 to 2**26) among the
        pieces in hand that can be placed, then one of its placements uniformly. ``"size"``
        weighs a piece by its number of squares. Default: uniform over all legal moves.
    move_weights : array_like of int, shape (n_moves,), optional
        Draw a move with probability proportional to the weight (0 to 2**32 - 1) of its id; if
        all legal moves weigh 0, uniformly.

    Returns
    -------
    ndarray of int32, shape (n, n_players)
        Scores of the players by the variant's scoring rule, a row a playout.

    Raises
    ------
    ValueError
        A number is out of range, or the weights do not fit.
    TypeError
        The weights are not integers.
    KeyboardInterrupt
        On Ctrl-C, soon; what was played is lost.

    Notes
    -----
    Time is proportional to `n`; no Python object is made during a playout. See docs/random.md
    for how moves are drawn.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> scores = bf.playouts(bf.Board("duo"), 100, seed=1)
    >>> scores.shape, bool((scores == bf.playouts(bf.Board("duo"), 100, seed=1, threads=2)).all())
    ((100, 2), True)
    """
    if not isinstance(board, Board):
        raise TypeError(f"board must be a Board, not {type(board).__name__}")
    count = _number("n", n, 0, 2**40)
    start = _number("seed", seed, 0, 2**64 - 1)
    workers = _number("threads", threads, 1, 1024)
    if piece_weights is not None and move_weights is not None:
        raise ValueError("piece_weights and move_weights exclude each other")
    by_piece = None if piece_weights is None else _piece_weights(piece_weights)
    by_move = None if move_weights is None else _move_weights(move_weights, board.n_moves)
    scores = np.empty((count, board.n_players), np.int32)
    stop = np.zeros(1, np.uint8)
    bounds = [count * i // workers for i in range(workers + 1)]
    failed: list[BaseException] = []

    def work(first: int, last: int) -> None:
        _core._playouts(board, start, first, scores[first:last], by_piece, by_move, stop)

    def help_out(first: int, last: int) -> None:
        try:
            work(first, last)
        except BaseException as error:
            failed.append(error)

    helpers = [
        threading.Thread(target=help_out, args=part, daemon=True) for part in pairwise(bounds[1:])
    ]
    # The moves on the board must stay as they are while threads read it.
    board = board.copy(stack=False)
    try:
        for helper in helpers:
            helper.start()
        for first in range(0, bounds[1], _BLOCK):
            work(first, min(first + _BLOCK, bounds[1]))
        for helper in helpers:
            while helper.is_alive():
                helper.join(0.1)
    except BaseException:
        stop[0] = 1
        raise
    if failed:
        raise failed[0]
    return scores


def _number(name: str, value: SupportsIndex, low: int, high: int) -> int:
    number = integer(value, name)
    if not low <= number <= high:
        raise ValueError(f"{name} {number} is not in {low}..{high}")
    return number


def _weights(name: str, value: Any, low: int, high: int, length: int) -> npt.NDArray[np.uint32]:
    """Check weights; return them as the core reads them."""
    weights = np.asarray(value)
    if weights.shape != (length,):
        raise ValueError(f"{name} must have shape ({length},), not {weights.shape}")
    if weights.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not {weights.dtype}")
    if weights.min() < low or weights.max() > high:
        raise ValueError(f"{name} must be in {low}..{high}, not {weights.min()} to {weights.max()}")
    return np.ascontiguousarray(weights, np.uint32)


def _piece_weights(value: Any) -> npt.NDArray[np.uint32]:
    if isinstance(value, str):
        if value != "size":
            raise ValueError(f"piece_weights {value!r} is not 'size' or 21 integers")
        value = _core.PIECE_SIZES
    # A weight of 0 would leave a color stuck that can still move; 21 times 2**26 fits 32 bits.
    return _weights("piece_weights", value, 1, 2**26, len(_core.PIECE_SIZES))


def _move_weights(value: Any, n_moves: int) -> npt.NDArray[np.uint32]:
    return _weights("move_weights", value, 0, 2**32 - 1, n_moves)
