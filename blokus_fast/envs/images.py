"""The board as an array of pixels, with numpy alone, for the render mode ``rgb_array``."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import numpy.typing as npt

from blokus_fast._core import Board
from blokus_fast.svg.palettes import find_theme, piece_fills

__all__ = ["FRAMES_PER_SECOND", "board_image"]

FRAMES_PER_SECOND: Final = 2
"""How many moves a second a video of a game shows."""

_LINE_SHARE = 16  # a line is a sixteenth of a square wide, and at least a pixel


@lru_cache(maxsize=64)
def _table(names: tuple[str, ...]) -> npt.NDArray[np.uint8]:
    """Return the colors of squares: not in play, empty, then the colors of the pieces."""
    theme = find_theme("light")
    texts = (theme.rim, theme.board, *piece_fills(names), theme.line)
    return np.array([[int(t[i : i + 2], 16) for i in (1, 3, 5)] for t in texts], np.uint8)


def board_image(board: Board, *, square: int = 16) -> npt.NDArray[np.uint8]:
    """Draw a board as pixels.

    Parameters
    ----------
    board : Board
        The position.
    square : int
        Width of a square in pixels, lines included, 2 to 256.

    Returns
    -------
    ndarray of uint8, shape (width, width, 3)
        Rows from the top, red, green and blue. The squares of the last move have a mark. The
        width is that of the squares and a line, made even, as encoders of videos want it.

    Raises
    ------
    ValueError
        `square` is out of range.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.envs.images import board_image
    >>> board_image(bf.Board("duo"), square=8).shape
    (114, 114, 3)
    """
    if not 2 <= square <= 256:
        raise ValueError(f"square must be 2 to 256 pixels, not {square}")
    colors = _table(board.variant.color_names)
    line = max(square // _LINE_SHARE, 1)
    size = board.size * square + line
    # Each pixel takes the number of its square, and the lines are drawn over it.
    numbers = np.repeat(np.repeat(board.grid() + 2, square, axis=0), square, axis=1)
    pixels = np.empty((size, size, 3), np.uint8)
    pixels[...] = colors[-1]
    pixels[line:, line:] = colors[numbers[: size - line, : size - line]]
    for start in range(0, size, square):
        pixels[start : start + line] = colors[-1]
        pixels[:, start : start + line] = colors[-1]
    if size % 2:
        # A wider line below and on the right.
        pixels = np.pad(pixels, ((0, 1), (0, 1), (0, 0)), mode="edge")
    if board.ply and square >= 8:
        _mark(pixels, board, square, line)
    return pixels


def _mark(pixels: npt.NDArray[np.uint8], board: Board, square: int, line: int) -> None:
    """Put a dark spot on each square of the last move."""
    if not board.move_stack:
        return
    low, high = line + square * 3 // 8, line + square * 5 // 8
    for index in board.move(board.peek()).squares:
        row, column = divmod(index, board.size)
        top, left = row * square, column * square
        pixels[top + low : top + high, left + low : left + high] //= 3
