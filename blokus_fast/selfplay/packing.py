"""Positions as columns of small numbers, and back: a bit a square, a number a hand.

Owns what the columns of a position mean. Knows nothing of files: columns are arrays by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast import _core
from blokus_fast.learning.batch import BatchBoard
from blokus_fast.variants import Variant

__all__ = [
    "NUMBERS",
    "hand_names",
    "pack",
    "placed_names",
    "square_bytes",
    "square_names",
    "unpack",
]

NUMBERS: Final = (
    "turn", "player", "phase", "ply", "round", "finished", "monomino_last", "shared_player",
)  # fmt: skip
"""Names of the numbers of a position that every variant has."""

# A row of the core's frame has a column more than the largest board.
_STRIDE: Final = 21
_FRAME: Final = 512


def square_bytes(variant: Variant) -> int:
    """Return the bytes that the squares of a color take."""
    return -(-variant.size * variant.size // 8)


def square_names(variant: Variant) -> list[str]:
    """Return the names of the columns of squares, one a color."""
    return [f"squares_{color}" for color in range(variant.n_colors)]


def hand_names(variant: Variant) -> list[str]:
    """Return the names of the columns of hands: one a color, in Draft one a player and color."""
    if not variant.draft:
        return [f"hand_{color}" for color in range(variant.n_colors)]
    players, colors = range(variant.players), range(variant.n_colors)
    return [f"hand_{player}_{color}" for player in players for color in colors]


def placed_names(variant: Variant) -> list[str]:
    """Return the names of the columns of squares placed: one a color, in Draft one a player."""
    return [f"placed_{i}" for i in range(variant.players if variant.draft else variant.n_colors)]


@lru_cache(maxsize=8)
def _frame_bits(size: int) -> npt.NDArray[np.intp]:
    """Return the bit of the core's frame that each square is."""
    row, column = np.divmod(np.arange(size * size), size)
    return row * _STRIDE + column


def pack(boards: BatchBoard) -> dict[str, npt.NDArray[Any]]:
    """Turn positions into columns.

    Parameters
    ----------
    boards : BatchBoard
        The positions.

    Returns
    -------
    dict of str to ndarray
        By name, each with a row a position. ``squares_c``, uint8 of shape (n, `square_bytes`):
        bit i is square i, so its number from little-endian bytes is ``board.own_mask(c)``.
        ``hand_c``, uint64: there are so many of piece p as bit p says, plus twice bit p + 21, plus
        four times bit p + 42. ``placed_c``: squares placed. The rest is in `NUMBERS`.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.selfplay.packing import pack, unpack
    >>> boards = bf.BatchBoard(2, "duo")
    >>> boards.step(boards.sample_actions(1))
    >>> columns = pack(boards)
    >>> int.from_bytes(columns["squares_0"][1].tobytes(), "little") == boards[1].own_mask(0)
    True
    >>> unpack(boards.variant, columns) == boards
    True
    """
    variant, n = boards.variant, len(boards)
    own, hands = np.empty((n, 4, 8), np.uint64), np.empty((n, 4, 4), np.uint64)
    numbers = np.empty((n, 12), np.int32)
    _core._export(boards, own, hands, numbers)
    bits = np.unpackbits(own.astype("<u8").view(np.uint8), axis=2, bitorder="little")
    squares = np.packbits(bits[:, :, _frame_bits(variant.size)], axis=2, bitorder="little")
    columns: dict[str, npt.NDArray[Any]] = {
        name: np.ascontiguousarray(squares[:, color])
        for color, name in enumerate(square_names(variant))
    }
    held = hands[:, : variant.players if variant.draft else 1, : variant.n_colors].reshape(n, -1)
    columns |= {name: held[:, i] for i, name in enumerate(hand_names(variant))}
    columns |= {name: numbers[:, i] for i, name in enumerate(NUMBERS)}
    columns |= {name: numbers[:, 8 + i] for i, name in enumerate(placed_names(variant))}
    return columns


def unpack(variant: Variant, columns: Mapping[str, npt.NDArray[Any]]) -> BatchBoard:
    """Turn columns back into positions.

    Parameters
    ----------
    variant : Variant
        The rules.
    columns : mapping of str to ndarray
        What `pack` has made; it may have more.

    Returns
    -------
    BatchBoard
        The positions.

    Raises
    ------
    InvalidPositionError
        Something is no position; the message names the row.
    """
    n = len(columns["ply"])
    frame = np.zeros((n, 4, _FRAME), np.uint8)
    places, n_squares = _frame_bits(variant.size), variant.size * variant.size
    for color, name in enumerate(square_names(variant)):
        bits = np.unpackbits(columns[name], axis=1, count=n_squares, bitorder="little")
        for row in range(variant.size):
            first = places[row * variant.size]
            frame[:, color, first : first + variant.size] = bits[
                :, row * variant.size : (row + 1) * variant.size
            ]
    own = np.packbits(frame, axis=2, bitorder="little").view("<u8").astype(np.uint64, copy=False)
    hands = np.zeros((n, 4, 4), np.uint64)
    names = iter(hand_names(variant))
    for holder in range(variant.players if variant.draft else 1):
        for color in range(variant.n_colors):
            hands[:, holder, color] = columns[next(names)]
    numbers = np.zeros((n, 12), np.int32)
    for i, name in enumerate(NUMBERS):
        numbers[:, i] = columns[name]
    for i, name in enumerate(placed_names(variant)):
        numbers[:, 8 + i] = columns[name]
    return BatchBoard._from_numbers(variant, own, hands, numbers)
