"""The official Python client, `socha`, beside our boards: positions, moves, and bots in it.

Needs the extra ``contest``, and is imported by nothing else in the package. What the client's
objects mean is read here and nowhere else.
"""

from __future__ import annotations

import logging
import time
from typing import Any, Final, SupportsIndex

from blokus_fast.extras import install_hint

try:
    import socha
    from socha.api.networking.game_client import IClientHandler
except ImportError as error:
    raise ImportError(
        f"the bridge needs the official client ({error}): {install_hint('contest')}"
    ) from error

from blokus_fast._core import Board
from blokus_fast.bots import AnyBot
from blokus_fast.checking import expect, integer
from blokus_fast.contest.following import Follower, action_of, said_action
from blokus_fast.contest.moves import SkippedTurn
from blokus_fast.contest.pieces import COLORS, PIECE_OF_KIND, PlacedPiece
from blokus_fast.contest.state import State
from blokus_fast.contest.thinking import Thinker
from blokus_fast.contest.timing import LIMIT, MARGIN, MoveTime
from blokus_fast.errors import IllegalMoveError, InvalidMoveError
from blokus_fast.moves import PIECES
from blokus_fast.shown import call_text

__all__ = ["BotHandler", "from_move", "from_state", "state_from", "to_move"]

LOG: Final = logging.getLogger("blokus_fast.contest")
_KINDS: Final = tuple(PIECE_OF_KIND)
_COLORS: Final = (socha.Color.BLUE, socha.Color.YELLOW, socha.Color.RED, socha.Color.GREEN)
_SHAPES: Final = tuple(socha.PieceShape.all())
_ROTATIONS: Final = {rotation.name(): rotation for rotation in socha.Rotation.all()}
# What the client has for a square that is empty, and what we have.
_THEIRS_EMPTY: Final = int(socha.FieldContent.EMPTY)
_OURS_EMPTY: Final = 255


def from_state(state: socha.GameState) -> Board:
    """Make a board of a state of the official client.

    Parameters
    ----------
    state : socha.GameState
        The state; not changed.

    Returns
    -------
    Board
        The position; there are no moves to take back.

    Raises
    ------
    InvalidPositionError
        It breaks a rule.

    Examples
    --------
    >>> import socha
    >>> from blokus_fast.contest.bridge import from_state
    >>> board = from_state(socha.GameState(start_piece=socha.PieceShape.PentoW))
    >>> board.count_legal(), board.variant.first_pieces
    (272, ('W',))
    """
    return state_from(state).board()


def state_from(state: socha.GameState) -> State:
    """Say a state of the official client as ours.

    Parameters
    ----------
    state : socha.GameState
        The state.

    Returns
    -------
    State
        The same, as it would come from the server.

    Examples
    --------
    >>> import socha
    >>> from blokus_fast.contest.bridge import state_from
    >>> state_from(socha.GameState(start_piece=socha.PieceShape.PentoX)).opening
    'X'
    """
    expect(state, socha.GameState, "state")
    grid = bytearray(int(field.content) for row in state.board.map for field in row)
    hands = []
    for color in _COLORS:
        left = {int(shape) for shape in state.undeployed_piece_shapes(color)}
        names = {PIECE_OF_KIND[_KINDS[index]] for index in left}
        hands.append(tuple(int(piece in names) for piece in PIECES))
    last = state.last_move
    return State(
        int(state.turn),
        PIECE_OF_KIND[_KINDS[int(state.start_piece)]],
        bytes(grid).replace(bytes([_THEIRS_EMPTY]), bytes([_OURS_EMPTY])),
        tuple(hands),
        None if last is None else _said(last),
        tuple(number for number, color in enumerate(_COLORS) if state.is_valid_color(color)),
        tuple(sorted(int(color) for color, last in state.last_move_mono.items() if last)),
    )


def to_move(board: Board, move: SupportsIndex) -> socha.Move:
    """Make a move of the official client of ours.

    Parameters
    ----------
    board : Board
        The position, in which the move's color is to move.
    move : int or Move
        A legal move.

    Returns
    -------
    socha.Move
        The same: a piece that is set, or a turn that is skipped.

    Raises
    ------
    IllegalMoveError, InvalidMoveError
        It is not legal; the message says why.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest.bridge import from_move, to_move
    >>> board = bf.Board(bf.variants.software_challenge_2027("W"))
    >>> move = int(board.legal_ids()[0])
    >>> print(to_move(board, move).as_piece())
    Pento-W(Color Blue, rotated by 180°)[0,0]
    >>> from_move(board, to_move(board, move)) == move
    True
    """
    expect(board, Board, "board")
    number = integer(move, "move")
    if not 0 <= number <= board.n_moves:
        raise InvalidMoveError(f"move {number} is not in 0..{board.n_moves}")
    why = board.why_illegal(move)
    if why is not None:
        raise IllegalMoveError(why)
    said = said_action(board, number)
    color = _COLORS[said.color]
    if isinstance(said, SkippedTurn):
        return socha.Move.skip_move(color)
    return socha.Move.set_move(
        socha.Piece(
            color=color,
            kind=_SHAPES[_KINDS.index(said.kind)],
            rotation=_ROTATIONS[said.rotation],
            is_flipped=said.flipped,
            position=socha.Coordinate(said.x, said.y),
        )
    )


def from_move(board: Board, move: socha.Move) -> int:
    """Find our number of a move of the official client.

    Parameters
    ----------
    board : Board
        The position.
    move : socha.Move
        The move.

    Returns
    -------
    int
        Id of a legal move.

    Raises
    ------
    IllegalMoveError, InvalidMoveError
        It is not legal; the message says why.

    Examples
    --------
    >>> import blokus_fast as bf, socha
    >>> from blokus_fast.contest.bridge import from_move
    >>> board = bf.Board(bf.variants.software_challenge_2027("W"))
    >>> try:
    ...     from_move(board, socha.Move.skip_move(socha.Color.BLUE))
    ... except bf.IllegalMoveError as error:
    ...     print("refused")
    refused
    """
    expect(board, Board, "board")
    said = _said(move)
    if not board.is_game_over and said.color != board.turn:
        raise IllegalMoveError(f"it is {COLORS[board.turn]}'s turn, not {COLORS[said.color]}'s")
    number = action_of(board, said)
    why = board.why_illegal(number)
    if why is not None:
        raise IllegalMoveError(why)
    return number


def _said(move: Any) -> PlacedPiece | SkippedTurn:
    """Say a move of the official client as the protocol does."""
    if not (callable(getattr(move, "as_piece", None)) and callable(getattr(move, "get_color", 0))):
        raise InvalidMoveError(f"a move of the official client is needed, not {move!r:.60}")
    piece = move.as_piece()
    if piece is None:
        return SkippedTurn(int(move.get_color()))
    return PlacedPiece(
        int(piece.color),
        _KINDS[int(piece.kind)],
        piece.rotation.name(),
        bool(piece.is_flipped),
        int(piece.position.x),
        int(piece.position.y),
    )


class BotHandler(IClientHandler):
    """Any of our bots as the logic of the official client.

    Parameters
    ----------
    bot : Bot or ThinkingBot
        The bot. It is asked in a thread of its own, and in time.
    limit, margin : float
        Seconds that the server allows for a move, and seconds of them that are left unused.

    Examples
    --------
    >>> import socha
    >>> from blokus_fast import bots
    >>> from blokus_fast.contest.bridge import BotHandler
    >>> handler = BotHandler(bots.make("greedy", seed=1))
    >>> handler.on_update(socha.GameState(start_piece=socha.PieceShape.PentoI))
    >>> handler.calculate_move().as_piece().kind
    PieceShape.PentoI
    >>> handler.on_game_left()
    """

    def __init__(self, bot: AnyBot, *, limit: float = LIMIT, margin: float = MARGIN) -> None:
        self._times = MoveTime(limit, margin=margin)
        self._thinker = Thinker(bot)
        self._follower = Follower()

    def __repr__(self) -> str:
        """Show the call that makes it."""
        return call_text(
            self, self._thinker.player.bot, limit=self._times.limit, margin=self._times.margin
        )

    def on_update(self, state: socha.GameState) -> None:
        """Take the next state.

        Parameters
        ----------
        state : socha.GameState
            What the server says.
        """
        begins = self._follower.board is None
        for problem in self._follower.update(state_from(state)):
            LOG.warning("turn %d: %s", state.turn, problem)
        if begins and self._follower.board is not None:
            self._thinker.begin(self._follower.board.variant)

    def calculate_move(self) -> socha.Move:
        """Let the bot choose.

        Returns
        -------
        socha.Move
            The move.

        Raises
        ------
        RuntimeError
            No state has come.
        """
        received, board = time.monotonic(), self._follower.board
        if board is None:
            raise RuntimeError("a move is asked for, but no state has come")
        choice = self._thinker.choose(
            board, self._times.deadline(received), self._times.latest(received)
        )
        self._times.answered(time.monotonic())
        if choice.problem is not None:
            LOG.warning("%s", choice.problem)
        return to_move(board, choice.move)

    def on_game_left(self) -> None:
        """Let the bot close."""
        self._thinker.close()
