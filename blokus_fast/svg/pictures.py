"""What is drawn: boards, moves, pieces and hands.

Pure functions that return a whole picture each, without any dependency. What the parts look like
is in `drawing`, their colors in `palettes`. Boards, games, moves and pieces show themselves in
notebooks by calling these.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from typing import Any, SupportsIndex, TypeAlias

import numpy as np

from blokus_fast._core import Board
from blokus_fast.checking import expect, integer, positive
from blokus_fast.game import Game
from blokus_fast.moves import Move
from blokus_fast.moves.pieces import Piece
from blokus_fast.moves.tables import PIECES, move_table
from blokus_fast.svg.candidates import draw_candidates, read_candidates
from blokus_fast.svg.drawing import UNIT, Sheet
from blokus_fast.svg.outlines import connected
from blokus_fast.svg.palettes import find_theme, piece_fills
from blokus_fast.variants import Variant
from blokus_fast.words import counted

__all__ = ["board", "hand", "move", "piece"]

MoveLike: TypeAlias = SupportsIndex | Move | str
Palette: TypeAlias = str | Mapping[str, str]

_LABELS = ("piece", "color", "number")
_COMBINE: Mapping[str, Callable[[list[float]], float]] = {"max": max, "sum": math.fsum}
_CLASSIC = ("blue", "yellow", "red", "green")
_DUO = ("purple", "orange")
_LINE = 20.0


def board(
    board: Board | Game,
    *,
    size: float = 480,
    coordinates: bool = True,
    last_move: bool | MoveLike = True,
    starts: bool = True,
    corners: bool | int | str | Iterable[int | str] = False,
    ghost: MoveLike | Iterable[MoveLike] = (),
    highlight: MoveLike | Iterable[MoveLike] = (),
    candidates: Mapping[Any, float] | Iterable[tuple[Any, float]] = (),
    heat: Any = None,
    combine: str = "max",
    numbers: str | None = None,
    labels: str | None = None,
    scores: bool = False,
    theme: str = "light",
    palette: Palette = "safe",
) -> str:
    """Draw a board.

    Parameters
    ----------
    board : Board or Game
        The position. Every piece is one shape.
    size : float
        Width of the picture in pixels. The picture can be scaled to any other.
    coordinates : bool
        Whether to write letters and numbers beside the board.
    last_move : bool, int, Move or str
        The move that gets dots: True for the last one made, False for none.
    starts : bool
        Whether to draw rings on the start squares that are still needed.
    corners : bool, int, str or iterable
        Colors, by number or name, whose corner squares get a diamond; True for the color to
        move, in Draft for all that the player to move can place.
    ghost : move or iterable of moves
        Moves to draw pale, with broken outlines: ids, `Move` or text.
    highlight : move or iterable of moves
        Moves, or places for moves, to draw a line around.
    candidates : mapping or iterable
        Moves that a search thinks of, with their shares of its visits, 0 to 1: an outline each,
        the fuller the larger its share, with the share in percent; the best one stands out. A
        mapping by move, or pairs.
    heat : array or mapping, optional
        Numbers to show by color. An array with a number per square, n by n or flat; or a number
        per move, as a mapping of moves or an array over all ids: a square then shows what the
        moves that cover it have. NaN, and in arrays over ids 0 too, stands for nothing.
    combine : {"max", "sum"}
        What a square shows if several moves cover it.
    numbers : str, optional
        Format in which to write the numbers on their squares, such as ``".1f"``.
    labels : {"piece", "color", "number"}, optional
        What to write on every piece: its name, the letter of its color, or the number of its
        move.
    scores : bool
        Whether to list the players below the board with their scores.
    theme : {"light", "dark"}
        Colors of everything but the pieces.
    palette : str or mapping
        Colors of the pieces: ``safe`` can be told apart by the color-blind, ``classic`` is as
        the games in boxes are. Or ``#rrggbb`` by the name of the color.

    Returns
    -------
    str
        The picture, an ``<svg>`` element.

    Raises
    ------
    ValueError
        A name is unknown or an array has the wrong shape.
    InvalidMoveError
        Something is no move.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import svg
    >>> game = bf.Game("duo")
    >>> _ = game.play("e8,d9,e9,f9,e10")
    >>> picture = svg.board(game, corners="purple", ghost=["j5,k5"], theme="dark")
    >>> picture.startswith("<svg"), "purple X: e8,d9,e9,f9,e10" in picture
    (True, True)
    >>> heat = svg.board(game, heat={"c10,c11": 0.5, "c10": 1.0}, numbers=".1f")
    """
    game = board if isinstance(board, Game) else None
    position = _position(board)
    variant = position.variant
    colors = find_theme(theme)
    fills = piece_fills(variant.color_names, palette)
    if labels is not None and labels not in _LABELS:
        raise ValueError(f"unknown labels {labels!r}; valid: {', '.join(_LABELS)}")
    size = _size(size)
    sheet = Sheet(colors, variant.size, x=24 if coordinates else 6, y=6)
    sheet.ground(_playable(variant))
    if coordinates:
        sheet.coordinates()
    grid = position.grid().ravel().tolist()
    pieces = [
        (color, group)
        for color in range(variant.n_colors)
        for group in connected(
            [square for square, owner in enumerate(grid) if owner == color], variant.size
        )
    ]
    covered = {square for _, group in pieces for square in group}
    warmth = _heat(position, heat, combine)
    shares, low, high = _shares(warmth)
    sheet.warm({square: v for square, v in shares.items() if square not in covered}, covered)
    if starts:
        for square, owned in _open_starts(position).items():
            sheet.ring(square, None if owned is None else fills[owned])
    plies = _plies(position)
    for color, group in pieces:
        sheet.piece(group, fills[color], _title(position, color, group, plies))
    _draw_labels(sheet, labels, pieces, fills, variant, plies)
    sheet.warm({square: v for square, v in shares.items() if square in covered}, covered)
    last = _last(position, last_move)
    if last is not None and last.squares:
        shown = {grid[square] for square in last.squares}
        fill = fills[shown.pop()] if shown <= set(range(variant.n_colors)) else colors.board
        if labels is None:
            sheet.dots(last.squares, fill)
        else:
            sheet.frame(last.squares, colors.ink)
    for one in _moves(position, ghost):
        color = one.color if one.color is not None else max(position.turn, 0)
        sheet.ghost(one.squares, fills[color], f"{variant.color_names[color]} {one.piece}")
    _draw_corners(sheet, position, corners, fills)
    for one in _moves(position, highlight):
        if one.squares:
            sheet.frame(one.squares, colors.highlight)
    written = draw_candidates(sheet, position, read_candidates(position, candidates), fills)
    if numbers is not None:
        for square, value in warmth.items():
            if square in written:
                continue
            ground = sheet.shade(shares[square])
            sheet.mark(square, format(value, numbers), ground)
    side = variant.size * UNIT
    width = sheet.x + side + 6
    height = sheet.y + side + (20 if coordinates else 6)
    if warmth:
        sheet.scale(width / 2 - 60, height + 3, 120, _short(low), _short(high))
        height += 20
    if scores:
        height = _draw_scores(sheet, position, game, fills, height)
    return sheet.finish(width, height, size, _headline(position, game))


def move(
    move: Move,
    *,
    size: float = 300,
    color: str | None = None,
    coordinates: bool = True,
    theme: str = "light",
    palette: Palette = "safe",
) -> str:
    """Draw a move on an empty board.

    Parameters
    ----------
    move : Move
        The move.
    size : float
        Width of the picture in pixels.
    color : str, optional
        Name of the color. Default: that of the move as in Classic, on 14 rows as in Duo.
    coordinates : bool
        Whether to write letters and numbers beside the board.
    theme, palette
        As in `board`.

    Returns
    -------
    str
        The picture, an ``<svg>`` element.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import svg
    >>> "X: e8,d9,e9,f9,e10" in svg.move(bf.Move(11916, size=14))
    True
    """
    size = _size(size)
    expect(move, Move, "move")
    names = _DUO if move.size == 14 and (move.color or 0) < len(_DUO) else _CLASSIC
    name = color or getattr(move, "color_name", "") or names[move.color or 0]
    if not move.squares and move.piece in PIECES:
        return piece(move.piece, color=name, theme=theme, palette=palette)
    sheet = Sheet(find_theme(theme), move.size, x=24 if coordinates else 6, y=6)
    sheet.ground(range(move.size**2))
    if coordinates:
        sheet.coordinates()
    title = f"{move.piece}: {move.text}"
    if move.squares:
        sheet.piece(move.squares, piece_fills([name], palette)[0], title)
    side = move.size * UNIT
    return sheet.finish(sheet.x + side + 6, side + (26 if coordinates else 12), size, title)


def piece(
    piece: str | SupportsIndex | Piece | Move,
    *,
    square: float = 24,
    color: str = "blue",
    theme: str = "light",
    palette: Palette = "safe",
) -> str:
    """Draw a piece.

    Parameters
    ----------
    piece : str, int, Piece or Move
        Name of the piece, an orientation 0 to 90, a piece, or a move, whose orientation is
        meant.
    square : float
        Side of a square in pixels.
    color : str
        Name of the color.
    theme, palette
        As in `board`.

    Returns
    -------
    str
        The picture, an ``<svg>`` element.

    Raises
    ------
    ValueError
        There is no such piece, orientation, theme or palette.

    Examples
    --------
    >>> from blokus_fast import svg
    >>> svg.piece("F") == svg.piece("F", theme="dark")
    False
    >>> svg.piece(91)
    Traceback (most recent call last):
    ...
    ValueError: orientation 91 is not in 0..90
    """
    square = _size(square)
    if isinstance(piece, Move):
        shown, turned = Piece(piece.piece), piece.orientation
    elif isinstance(piece, Piece | str):
        shown = piece if isinstance(piece, Piece) else Piece(piece)
        turned = shown.orientations[0]
    else:
        turned = integer(piece, "piece")
        shown = Piece.of(turned)
    cells = shown.cells(turned)
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    sheet = Sheet(find_theme(theme), 5, x=4, y=4)
    fill = piece_fills([color], palette)[0]
    sheet.piece([5 * row + column for row, column in cells], fill)
    width, height = 8 + columns * UNIT, 8 + rows * UNIT
    return sheet.finish(width, height, width * square / UNIT, f"{color} {shown.name}")


def hand(
    board: Board | Game,
    color: int | str,
    *,
    player: int | None = None,
    size: float = 480,
    theme: str = "light",
    palette: Palette = "safe",
) -> str:
    """Draw the pieces that a color has left.

    Parameters
    ----------
    board : Board or Game
        The position.
    color : int or str
        Number or name of the color.
    player : int, optional
        In Draft whose pieces of that color. Default: those of the player to move.
    size : float
        Width of the picture in pixels.
    theme, palette
        As in `board`.

    Returns
    -------
    str
        The picture, an ``<svg>`` element. Pieces that are there several times stand once, with
        their number.

    Raises
    ------
    ValueError
        There is no such color, theme or palette.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast import svg
    >>> svg.hand(bf.Board("duo"), "orange").count("<title>")     # 21 pieces and the picture
    22
    """
    position = _position(board)
    variant = position.variant
    number = variant.color(color)
    size = _size(size)
    counts = Counter(position.pieces_left(number, player))
    fill = piece_fills(variant.color_names, palette)[number]
    sheet = Sheet(find_theme(theme), 5)
    step, room = 0.62, 26 * UNIT
    x, y, tall = 8.0, 8.0, 0.0
    for name in PIECES:
        if not counts[name]:
            continue
        view = Piece(name)
        cells = min((view.cells(turned) for turned in view.orientations), key=_height)
        rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
        wide = columns * UNIT * step + (22 if counts[name] > 1 else 0)
        if x > 8 and x + wide > room * step - 8:
            x, y, tall = 8.0, y + tall + 10, 0.0
        sheet.parts.append(f'<g transform="translate({x:.2f} {y:.2f}) scale({step})">')
        title = name if counts[name] == 1 else f"{counts[name]} {name}"
        sheet.piece([5 * row + column for row, column in cells], fill, title)
        sheet.parts.append("</g>")
        if counts[name] > 1:
            end = x + columns * UNIT * step + 4
            sheet.text(end, y + rows * UNIT * step / 2, f"\N{MULTIPLICATION SIGN}{counts[name]}")
        x, tall = x + wide + 12, max(tall, rows * UNIT * step)
    if not counts:
        sheet.text(8, 16, "all placed")
        tall = 16.0
    title = f"{variant.color_names[number]}: {len(position.pieces_left(number, player))} left"
    return sheet.finish(room * step, y + tall + 8, size, title)


def _height(cells: tuple[tuple[int, int], ...]) -> tuple[int, tuple[tuple[int, int], ...]]:
    return max(row for row, _ in cells), cells


def _position(board: Board | Game) -> Board:
    expect(board, (Board, Game), "board")
    return board.board if isinstance(board, Game) else board


def _size(size: float) -> float:
    return positive(size, "a picture's size")


def _playable(variant: Variant) -> list[int]:
    size = variant.size
    return [s for s in range(size * size) if variant.is_playable(*divmod(s, size))]


def _moves(board: Board, moves: MoveLike | Iterable[MoveLike]) -> list[Move]:
    """Read one move or several."""
    if isinstance(moves, str | Move) or not isinstance(moves, Iterable):
        moves = [moves]
    return [board.move(board.parse_move(m) if isinstance(m, str) else m) for m in moves]


def _last(board: Board, wanted: bool | MoveLike) -> Move | None:
    if isinstance(wanted, bool | np.bool_):
        return board.move(board.peek()) if wanted and board.move_stack else None
    found = _moves(board, wanted)
    if len(found) != 1:
        raise ValueError(f"last_move must be one move, not {len(found)}")
    return found[0]


def _plies(board: Board) -> dict[int, int]:
    """Tell of every square which move covered it, counted from 1."""
    table = move_table(board.size)
    plies = {}
    for ply, action in enumerate(board.move_stack, start=1):
        if board.variant.draft and action >= board.n_colors * table.count:
            continue
        if action % table.count or action < table.count or board.variant.draft:
            for square in table.squares[action % table.count].tolist():
                plies[square] = ply
    plies.pop(-1, None)
    return plies


def _title(board: Board, color: int, group: tuple[int, ...], plies: Mapping[int, int]) -> str:
    """Say what piece it is, and when it was placed where known."""
    name = board.variant.color_names[color]
    table = move_table(board.size)
    number = table.ids_by_squares.get(group)
    if number is None:
        return name
    ply = f"{plies[group[0]]}. " if group[0] in plies else ""
    return f"{ply}{name} {PIECES[int(table.info[number, 0])]}: {table.text(number)}"


def _open_starts(board: Board) -> dict[int, int | None]:
    """Return the start squares that somebody needs; with their color, None for anybody's."""
    variant = board.variant
    waiting = [c for c in range(variant.n_colors) if not board.own_mask(c)]
    taken = 0
    for color in range(variant.n_colors):
        taken |= board.own_mask(color)
    if variant.start == "border" or not waiting:
        return {}
    alike = variant.start == "any"
    return {
        square: None if alike else color
        for color, squares in enumerate(variant.start_indices)
        for square in squares
        if (alike or color in waiting) and not taken >> square & 1
    }


def _draw_corners(
    sheet: Sheet,
    board: Board,
    corners: bool | int | str | Iterable[int | str],
    fills: tuple[str, ...],
) -> None:
    variant = board.variant
    if isinstance(corners, bool | np.bool_):
        wanted = _colors_to_move(board) if corners else []
    elif isinstance(corners, str) or not isinstance(corners, Iterable):
        wanted = [variant.color(corners)]
    else:
        wanted = [variant.color(color) for color in corners]
    places: dict[int, list[int]] = {}
    for color in dict.fromkeys(wanted):
        for square in board.corner_squares(color).tolist():
            places.setdefault(square, []).append(color)
    for square, owners in sorted(places.items()):
        for color in owners:
            sheet.diamond(square, fills[color], color if len(owners) > 1 else None)


def _colors_to_move(board: Board) -> list[int]:
    """Return the colors that may be placed now: in Draft several."""
    if board.is_game_over or board.is_drafting:
        return []
    if board.variant.draft:
        return [color for color in range(board.n_colors) if any(board.hand(color))]
    return [board.turn]


def _heat(board: Board, heat: Any, combine: str) -> dict[int, float]:
    """Return the number of every square that has one."""
    if combine not in _COMBINE:
        raise ValueError(f"unknown combine {combine!r}; valid: {', '.join(_COMBINE)}")
    if heat is None:
        return {}
    squares = board.size**2
    table = move_table(board.size)
    if isinstance(heat, Mapping):
        pairs = [(_moves(board, key)[0].squares, _number(v)) for key, v in heat.items()]
    else:
        values = np.asarray(heat, dtype=float).ravel()
        if len(values) == squares:
            pairs = [((square,), float(v)) for square, v in enumerate(values)]
        elif len(values) in (table.count, board.n_actions):
            pairs = [
                (board.move(i).squares, float(values[i])) for i in np.flatnonzero(values).tolist()
            ]
        else:
            raise ValueError(
                f"heat must have a number per square ({squares}) or per move "
                f"({board.n_actions}), not {len(values)}"
            )
    found: dict[int, list[float]] = {}
    for covered, value in pairs:
        if math.isfinite(value):
            for square in covered:
                if board.variant.is_playable(*divmod(square, board.size)):
                    found.setdefault(square, []).append(value)
    return {square: _COMBINE[combine](values) for square, values in sorted(found.items())}


def _number(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise ValueError("a number of heat is too large") from None


def _shares(warmth: Mapping[int, float]) -> tuple[dict[int, float], float, float]:
    """Scale numbers to 0 to 1."""
    low, high = min(warmth.values(), default=0.0), max(warmth.values(), default=0.0)
    # Halves, since the difference of two numbers that fit need not fit itself.
    span = high / 2 - low / 2
    return {s: (v / 2 - low / 2) / span if span else 1.0 for s, v in warmth.items()}, low, high


def _short(value: float) -> str:
    return f"{value:z.3g}"


def _draw_labels(
    sheet: Sheet,
    labels: str | None,
    pieces: list[tuple[int, tuple[int, ...]]],
    fills: tuple[str, ...],
    variant: Variant,
    plies: Mapping[int, int],
) -> None:
    if labels is None:
        return
    table = move_table(variant.size)
    for color, group in pieces:
        text = variant.color_names[color][0].upper()
        if labels == "piece":
            number = table.ids_by_squares.get(group)
            text = "" if number is None else PIECES[int(table.info[number, 0])]
        elif labels == "number":
            text = str(plies.get(group[0], ""))
        if text:
            sheet.mark(_middle(group, variant.size), text, fills[color])


def _middle(group: tuple[int, ...], size: int) -> int:
    """Return the square of a piece that is nearest to its center."""
    rows, columns = zip(*(divmod(square, size) for square in group), strict=True)
    row, column = sum(rows) / len(rows), sum(columns) / len(columns)
    return min(group, key=lambda s: (s // size - row) ** 2 + (s % size - column) ** 2)


def _draw_scores(
    sheet: Sheet, board: Board, game: Game | None, fills: tuple[str, ...], top: float
) -> float:
    """List the players; return where the list ends."""
    variant = board.variant
    side = variant.size * UNIT
    for player, score in enumerate(board.player_scores()):
        y = top + 6 + (player + 0.5) * _LINE
        x = sheet.x
        if player == board.player:
            sheet.parts.append(
                f'<path d="M{x - 11:g} {y - 5:g}l7 5l-7 5z" fill="{sheet.theme.ink}"/>'
            )
        for color in range(variant.n_colors):
            if variant.owners[color] == player:
                sheet.parts.append(
                    f'<rect x="{x:g}" y="{y - 6:g}" width="12" height="12" rx="2" '
                    f'fill="{fills[color]}"/>'
                )
                x += 16
        name = game.names[player] if game is not None else _player_name(variant, player)
        sheet.text(x + 2, y, name if len(name) <= 40 else name[:39] + "\N{HORIZONTAL ELLIPSIS}")
        sheet.text(sheet.x + side, y, str(score), anchor="end", bold=True)
    return top + 6 + len(board.player_scores()) * _LINE + 6


def _player_name(variant: Variant, player: int) -> str:
    own = [variant.color_names[c] for c in variant.order if variant.owners[c] == player]
    return ", ".join(own) or f"player {player + 1}"


def _headline(board: Board, game: Game | None) -> str:
    """Say in words what the picture shows."""
    variant = board.variant
    if board.is_game_over:
        state = "game over"
    elif board.turn >= 0:
        state = f"{variant.color_names[board.turn]} to move"
    else:
        state = f"player {board.player + 1} to move"
    names = "" if game is None else f"{' - '.join(game.names)}, "
    moves = len(board.move_stack)
    scores = ", ".join(map(str, board.player_scores()))
    return f"{names}{variant.name} after {counted(moves, 'move')}, {state}, scores {scores}"
