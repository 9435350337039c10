"""The board as text: plain, or with the colors of a terminal.

Pure functions from a `Board` to text. Knows nothing of games, terminals or libraries.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np

from blokus_fast._core import Board
from blokus_fast.checking import expect
from blokus_fast.moves import PIECES, Move
from blokus_fast.variants import Variant

__all__ = ["board_text", "color_code", "color_label", "hand_text"]

# Terminal codes (256 colors) by name of the color: the ground, and black or white to write on it.
# As in the palette `safe` of pictures, they can be told apart by the color-blind.
_SHADES: Final[dict[str, tuple[int, int]]] = {
    "blue": (32, 16),
    "yellow": (220, 16),
    "red": (166, 16),
    "green": (36, 16),
    "purple": (97, 231),
    "orange": (214, 16),
}
_SPARE_SHADES: Final = ((32, 16), (220, 16), (166, 16), (36, 16))
_FIELD = 236
_PALE = 244
_RESET = "\x1b[0m"


def board_text(
    board: Board,
    *,
    color: bool = False,
    last: Move | int | Sequence[Move | int] | None = None,
    hands: bool = True,
    corners: bool = False,
    names: Sequence[str] | None = None,
    compact: bool = False,
    marked: Sequence[int] = (),
) -> str:
    """Draw a board.

    Parameters
    ----------
    board : Board
        The position.
    color : bool
        Whether to use the escape codes of a terminal with 256 colors. Without them the text
        is plain ASCII.
    last : Move or int or sequence of them, optional
        The move, or moves, to make visible. Default: the board's last one.
    hands : bool
        Whether to list the pieces that every color, in Draft every player, has left.
    corners : bool
        Whether to mark the squares where the color to move can connect; in Draft where any
        color of which the player to move has pieces can.
    names : sequence of str, optional
        Names of the players, for the hands in Draft. Default: ``player 1`` and so on.
    compact : bool
        Whether to leave out the coordinates on the right and below: Classic takes 21 lines of 43
        characters then.
    marked : sequence of int
        Empty squares to mark with ``?``.

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
    expect(board, Board, "board")
    variant = board.variant
    shown = _last_squares(board, last)
    marks = _marks(board, corners) | dict.fromkeys(marked, "?")
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
        row_text = f"{''.join(squares)}{_RESET}" if color else " ".join(squares)
        lines.append(
            f"{number:2d} {row_text}" if compact else f"{number:2d} {row_text} {number:2d}"
        )
    if not compact:
        lines.append(rim)
    if hands:
        lines.extend(["", *hand_text(board, color=color, names=names)])
    return "\n".join(lines)


def hand_text(
    board: Board, *, color: bool = False, names: Sequence[str] | None = None
) -> list[str]:
    """List what every color, in Draft every player, has left, in a line each.

    Parameters
    ----------
    board : Board
        The position.
    color : bool
        Whether to use the escape codes of a terminal with 256 colors.
    names : sequence of str, optional
        Names of the players in Draft. Default: ``player 1`` and so on.

    Returns
    -------
    list of str
        Lines: a ``>`` at the color to move, its name, its score, the pieces in its hand. In
        Draft players instead of colors, with the pieces by color, and while pieces are
        drafted one line more for what can be picked.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.render import hand_text
    >>> print(hand_text(bf.Board("duo"))[0])
    > purple   -89  1 2 I3 V3 I4 L4 T4 O Z4 F I5 L5 N P T5 U V5 W X Y Z5
    """
    expect(board, Board, "board")
    variant = board.variant
    if variant.draft:
        return _player_hands(board, color, names)
    width = max(map(_cells, variant.color_names))
    scores = board.color_scores()
    lines = []
    for number in variant.order:
        name = color_label(variant, number, color, width)
        mark = ">" if number == board.turn else " "
        hand = _hand(board.pieces_left(number)) or "all placed"
        lines.append(f"{mark} {name} {scores[number]:5d}  {hand}")
    return lines


def _player_hands(board: Board, color: bool, names: Sequence[str] | None) -> list[str]:
    """List what every player of Draft has in hand."""
    variant = board.variant
    if names is None:
        names = [f"player {player + 1}" for player in range(board.n_players)]
    names = list(names)
    if len(names) != board.n_players or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{variant.name} has {board.n_players} players, not {names!r}")
    width = max(map(_cells, names))
    lines = []
    for player, name in enumerate(names):
        parts = []
        for number in variant.order:
            hand = _hand(board.pieces_left(number, player))
            if hand:
                parts.append(f"{color_label(variant, number, color)} {hand}")
        nothing = "nothing yet" if board.is_drafting else "all placed"
        mark = ">" if player == board.player else " "
        score = board.player_scores()[player]
        lines.append(f"{mark} {_padded(name, width)} {score:5d}  {', '.join(parts) or nothing}")
    if board.is_drafting:
        pool = _hand([board.move(number).piece for number in board.legal_ids().tolist()])
        lines.append(f"  to pick: {color_label(variant, board.turn, color)} {pool}")
    return lines


def color_code(variant: Variant, number: int | None) -> str:
    r"""Return the terminal code that draws in a color on the ground of the board.

    Parameters
    ----------
    variant : Variant
        The variant.
    number : int or None
        The color; None for gray.

    Returns
    -------
    str
        The code.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.render import color_code
    >>> color_code(bf.variant("classic"), 0)
    '\x1b[48;5;236;38;5;32m'
    """
    ink = _PALE if number is None else _shade(variant, number)[0]
    return f"\x1b[48;5;{_FIELD};38;5;{ink}m"


def color_label(variant: Variant, number: int, color: bool, width: int = 0) -> str:
    """Return the name of a color, on its own ground where a terminal shows colors.

    Parameters
    ----------
    variant : Variant
        The variant.
    number : int
        The color.
    color : bool
        Whether to use the codes of a terminal.
    width : int
        Least number of a terminal's cells.

    Returns
    -------
    str
        The name.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.render import color_label
    >>> color_label(bf.variant("classic"), 0, color=False, width=6)
    'blue  '
    """
    name = _padded(variant.color_names[number], width)
    if not color:
        return name
    # On its own ground, which can be read on dark and on light terminals.
    ground, ink = _shade(variant, number)
    return f"\x1b[1;48;5;{ground};38;5;{ink}m{name}{_RESET}"


def _cells(text: str) -> int:
    """Count the cells of a terminal that a text takes: wide signs take two, accents none."""
    wide = sum(unicodedata.east_asian_width(sign) in ("W", "F") for sign in text)
    return len(text) + wide - sum(unicodedata.category(sign) in ("Mn", "Me", "Cf") for sign in text)


def _padded(text: str, width: int) -> str:
    return text + " " * (width - _cells(text))


def _hand(pieces: Sequence[str]) -> str:
    """Name the pieces in a hand; ``2x`` stands before one that is there twice."""
    counts = Counter(pieces)
    return " ".join(
        name if counts[name] == 1 else f"{counts[name]}x{name}" for name in PIECES if counts[name]
    )


def _last_squares(board: Board, last: Move | int | Sequence[Move | int] | None) -> frozenset[int]:
    """Return the squares to make visible."""
    if last is None:
        last = board.move_stack[-1:]
    moves = last if isinstance(last, Sequence) else [last]
    return frozenset(square for move in moves for square in board.move(move).squares)


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
    if corners:
        for color in _colors_to_move(board):
            marks.update(dict.fromkeys(np.asarray(board.corner_squares(color)).tolist(), "+"))
    return marks


def _colors_to_move(board: Board) -> list[int]:
    """Return the colors that may be placed now."""
    if board.is_game_over or board.is_drafting:
        return []
    if board.variant.draft:
        return [color for color in range(board.n_colors) if any(board.hand(color))]
    return [board.turn]


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
        ground, dark = _shade(variant, owner)
        sign = f"\x1b[1;38;5;{dark}m[]" if last else "  "
        return f"\x1b[48;5;{ground}m{sign}{_RESET}"
    if owner == -2:
        return f"{_RESET}  "
    ink = {".": "38;5;242", "*": "1;38;5;255", "+": "1;38;5;255", "?": "1;38;5;226"}[mark]
    dot = "·" if mark == "." else mark
    return f"\x1b[48;5;{_FIELD};{ink}m{dot} {_RESET}"
