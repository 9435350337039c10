"""The board as text: plain, or with the colors of a terminal.

Pure functions from a `Board` to text. Knows nothing of games, terminals or libraries.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from blokus_fast._core import Board
from blokus_fast.moves import PIECES, Move
from blokus_fast.variants import Variant

__all__ = ["board_text", "hand_text"]

# Terminal codes (256 colors) by name of the color: background, and a lighter one for text.
_SHADES: Final[dict[str, tuple[int, int]]] = {
    "blue": (26, 75),
    "yellow": (220, 227),
    "red": (160, 203),
    "green": (34, 77),
    "purple": (91, 141),
    "orange": (208, 215),
}
_SPARE_SHADES: Final = ((26, 75), (220, 227), (160, 203), (34, 77))
_FIELD = 236
_RESET = "\x1b[0m"


def board_text(
    board: Board,
    *,
    color: bool = False,
    last: Move | int | None = None,
    hands: bool = True,
    corners: bool = False,
) -> str:
    """Draw a board.

    Parameters
    ----------
    board : Board
        The position.
    color : bool
        Whether to use the escape codes of a terminal with 256 colors. Without them the text
        is plain ASCII.
    last : Move or int, optional
        The move to make visible. Default: the board's last one.
    hands : bool
        Whether to list the pieces that every color has left.
    corners : bool
        Whether to mark the squares where the color to move can connect.

    Returns
    -------
    str
        Lines without a line feed at the end. In plain text a square shows the first letter of
        its color (a digit where two begin alike), as a capital in the last move; ``.`` is
        empty, ``*`` a free start square, ``+`` a corner square; a square not in play is blank.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.render import board_text
    >>> small = bf.Variant("small", 4, ["blue", "red"], [["a4"], ["d1"]])
    >>> board = bf.Board(small)
    >>> board.push(board.parse_move("a4,b4"))
    >>> print(board_text(board, hands=False))
       a b c d
     4 B B . .  4
     3 . . . .  3
     2 . . . .  2
     1 . . . *  1
       a b c d
    """
    variant = board.variant
    shown = _last_squares(board, last)
    marks = _marks(board, corners)
    letters = _letters(variant)
    grid = board.grid().ravel().tolist()
    size = board.size
    rim = "   " + " ".join(chr(ord("a") + column) for column in range(size))
    lines = [rim]
    for row in range(size):
        number = size - row
        squares = [
            _square(variant, letters, grid[square], square in shown, marks.get(square, "."), color)
            for square in range(row * size, (row + 1) * size)
        ]
        if color:
            lines.append(f"{number:2d} {''.join(squares)}{_RESET} {number:2d}")
        else:
            lines.append(f"{number:2d} {' '.join(squares)} {number:2d}")
    lines.append(rim)
    if hands:
        lines.extend(["", *hand_text(board, color=color)])
    return "\n".join(lines)


def hand_text(board: Board, *, color: bool = False) -> list[str]:
    """List what every color has left, a line per color.

    Parameters
    ----------
    board : Board
        The position.
    color : bool
        Whether to use the escape codes of a terminal with 256 colors.

    Returns
    -------
    list of str
        Lines: a ``>`` at the color to move, its name, its score, the pieces in its hand.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.render import hand_text
    >>> print(hand_text(bf.Board("duo"))[0])
    > purple   -89  1 2 I3 V3 I4 L4 T4 O Z4 F I5 L5 N P T5 U V5 W X Y Z5
    """
    variant = board.variant
    width = max(len(name) for name in variant.color_names)
    scores = board.color_scores()
    lines = []
    for number in variant.order:
        name = variant.color_names[number].ljust(width)
        if color:
            name = f"\x1b[1;38;5;{_shade(variant, number)[1]}m{name}{_RESET}"
        mark = ">" if number == board.turn else " "
        hand = _hand(board, number) or "all placed"
        lines.append(f"{mark} {name} {scores[number]:5d}  {hand}")
    return lines


def _hand(board: Board, color: int) -> str:
    """Name the pieces in a hand; ``2x`` stands before one that is there twice."""
    counts = Counter(board.pieces_left(color))
    return " ".join(
        name if counts[name] == 1 else f"{counts[name]}x{name}" for name in PIECES if counts[name]
    )


def _last_squares(board: Board, last: Move | int | None) -> frozenset[int]:
    """Return the squares to make visible."""
    if last is None:
        stack = board.move_stack
        if not stack:
            return frozenset()
        last = stack[-1]
    return frozenset(board.move(last).squares)


def _marks(board: Board, corners: bool) -> dict[int, str]:
    """Return the marks of empty squares."""
    variant = board.variant
    marks = {}
    if variant.start != "border":
        for color, squares in enumerate(variant.start_indices):
            # A start square is of interest as long as somebody has to begin there.
            if variant.start == "any" or not board.own_mask(color):
                marks.update(dict.fromkeys(squares, "*"))
        if all(board.own_mask(color) for color in range(variant.n_colors)):
            marks.clear()
    if corners and board.turn >= 0:
        marks.update(dict.fromkeys(np.asarray(board.corner_squares(board.turn)).tolist(), "+"))
    return marks


def _letters(variant: Variant) -> list[str]:
    """Return a mark per color: its first letter, or its number where letters clash."""
    letters = [name[0].lower() for name in variant.color_names]
    if len(set(letters)) < len(letters):
        return [str(number + 1) for number in range(len(letters))]
    return letters


def _shade(variant: Variant, color: int) -> tuple[int, int]:
    return _SHADES.get(variant.color_names[color].lower(), _SPARE_SHADES[color])


def _square(
    variant: Variant, letters: list[str], owner: int, last: bool, mark: str, color: bool
) -> str:
    """Draw one square: one character, or two with codes."""
    if not color:
        if owner >= 0:
            return letters[owner].upper() if last else letters[owner]
        return " " if owner == -2 else mark
    if owner >= 0:
        background = _shade(variant, owner)[0]
        ink = "\x1b[1;38;5;16m[]" if last else "  "
        return f"\x1b[48;5;{background}m{ink}{_RESET}"
    if owner == -2:
        return f"{_RESET}  "
    ink = {".": "38;5;242", "*": "1;38;5;255", "+": "1;38;5;250"}[mark]
    dot = "·" if mark == "." else mark
    return f"\x1b[48;5;{_FIELD};{ink}m{dot} {_RESET}"
