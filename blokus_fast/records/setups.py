"""Set-up nodes: positions that no move leads to.

Says what a set-up does to a board, and which set-up leads to a given one. Knows nothing of trees
and files.
"""

from __future__ import annotations

from dataclasses import dataclass

from blokus_fast import _core
from blokus_fast._core import Board
from blokus_fast.errors import InvalidPositionError
from blokus_fast.moves import PIECES, Move
from blokus_fast.position import parse_position, position_text
from blokus_fast.setup import set_up
from blokus_fast.variants import Variant

__all__ = ["SetUp", "apply_set_up", "set_up_of"]

_PLAY = 1  # the phase of a game that goes on, as the core numbers it


@dataclass(frozen=True, slots=True)
class SetUp:
    """What a node changes on the board without a move.

    Parameters
    ----------
    pieces : tuple of Move
        Pieces that are put on the board, each with its color.
    removed : tuple of Move
        Pieces that are taken off, before the others are put on.
    turn : int, optional
        The color to move. Default: the one whose turn it was.
    position : str, optional
        The whole position as `position_text` writes it, where pieces and turn do not say all of
        it. Then nothing else counts.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records import Record
    >>> board = bf.set_up("duo", {"purple": ["e10"], "orange": ["j5"]}, turn="orange")
    >>> setup = Record.from_board(board).root.setup
    >>> [str(piece) for piece in setup.pieces], setup.turn
    (['e10', 'j5'], 1)
    """

    pieces: tuple[Move, ...] = ()
    removed: tuple[Move, ...] = ()
    turn: int | None = None
    position: str | None = None


def apply_set_up(board: Board, setup: SetUp) -> Board:
    """Return the board that a set-up makes of another.

    Parameters
    ----------
    board : Board
        The position before; it stays as it is.
    setup : SetUp
        The changes.

    Returns
    -------
    Board
        The position after, without moves to take back.

    Raises
    ------
    InvalidPositionError
        The position breaks a rule, or a piece to be removed is not there.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.setups import SetUp, apply_set_up
    >>> piece = bf.Move.parse("e10,f10", size=14, color=0)
    >>> apply_set_up(bf.Board("duo"), SetUp(pieces=(piece,), turn=1)).turn
    1
    """
    variant = board.variant
    if setup.position is not None:
        return parse_position(setup.position, variant)
    if variant.draft:
        raise InvalidPositionError("a set-up of Draft must be a whole position")
    pieces = _pieces_on(board)
    hands = {color: list(board.hand(color)) for color in range(variant.n_colors)}
    flags = board._rest()[0]
    for move in setup.removed:
        color = next((c for c, moves in enumerate(pieces) if move in moves), None)
        if color is None:
            raise InvalidPositionError(f"there is no piece {move.text} to remove")
        pieces[color].remove(move)
        hands[color][PIECES.index(move.piece)] += 1
        flags &= ~(1 << color)
    for move in setup.pieces:
        assert move.color is not None
        pieces[move.color].append(move)
        hand = hands[move.color]
        hand[PIECES.index(move.piece)] -= 1
        flags &= ~(1 << move.color)
        if hand[PIECES.index(move.piece)] < 0:
            name = variant.color_names[move.color]
            raise InvalidPositionError(f"{name}: the piece {move.piece} at {move} is not in hand")
    turn = setup.turn
    if turn is None:
        turn = board.turn if board.turn >= 0 else variant.order[0]
    after = set_up(
        variant,
        dict(enumerate(pieces)),
        turn=turn,
        hands=hands,
        monomino_last=[color for color in range(variant.n_colors) if flags >> color & 1],
    )
    if after.is_game_over or not (variant.max_rounds or variant.voluntary_pass):
        return after
    # The pieces tell neither how many rounds are over nor how often somebody passed.
    squares = [after.own_squares(color).tolist() for color in range(variant.n_colors)]
    counts = [tuple(hands[color]) for color in range(variant.n_colors)]
    ply = board.ply + len(setup.pieces) - len(setup.removed)
    rest = (ply, max(board.round, after.round), _PLAY, -1)
    return _core._set_up(variant, squares, counts, after.turn, -1, flags, (), rest)


def set_up_of(board: Board) -> SetUp | None:
    """Return the set-up that makes a position out of an empty board.

    Parameters
    ----------
    board : Board
        The position; its moves do not count.

    Returns
    -------
    SetUp or None
        The set-up; None for the beginning of a game.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.setups import set_up_of
    >>> set_up_of(bf.Board("duo")) is None
    True
    """
    variant: Variant = board.variant
    empty = Board(variant)
    if board == empty:
        return None
    pieces = tuple(move for moves in _pieces_on(board) for move in moves)
    setup = SetUp(pieces=pieces, turn=board.turn if board.turn >= 0 else None)
    if not variant.draft and apply_set_up(empty, setup) == board:
        return setup
    return SetUp(pieces=pieces, turn=setup.turn, position=position_text(board))


def _pieces_on(board: Board) -> list[list[Move]]:
    """Find the pieces on a board, per color."""
    return [
        [Move(number, board.size, color) for number in board.placements(color)]
        for color in range(board.n_colors)
    ]
