"""A game followed from one state message to the next: `Follower`.

Moves are made on a board, and the state is held against it; where the two differ, the message is
right. Knows nothing of connections and bots.
"""

from __future__ import annotations

from dataclasses import replace

from blokus_fast._core import Board
from blokus_fast.contest.moves import SkippedTurn
from blokus_fast.contest.pieces import COLORS, PlacedPiece, placed_piece
from blokus_fast.contest.state import State, variant_of
from blokus_fast.errors import InvalidMoveError, InvalidPositionError

__all__ = ["Follower", "action_of", "said_action"]


class Follower:
    """Keeps a board at the position that a server says.

    Attributes
    ----------
    board : Board or None
        The position; None before the first state that makes sense.
    state : State or None
        The last state.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest import placed_piece, state_of
    >>> from blokus_fast.contest.following import Follower
    >>> board, follower = bf.Board(bf.variants.software_challenge_2027("W")), Follower()
    >>> follower.update(state_of(board))
    ()
    >>> move = int(board.legal_ids()[7])
    >>> board.push(move)
    >>> follower.update(state_of(board, last_move=placed_piece(move, 0)))
    ()
    >>> follower.board == board, follower.board.move_stack == board.move_stack
    (True, True)
    """

    def __init__(self) -> None:
        self.board: Board | None = None
        self.state: State | None = None
        self._by_moves = False

    def __repr__(self) -> str:
        """Show the position."""
        return f"<Follower of {self.board!r}>"

    def update(self, state: State) -> tuple[str, ...]:
        """Take the next state.

        Parameters
        ----------
        state : State
            What the server says.

        Returns
        -------
        tuple of str
            What is odd about it. The board is then what the message says, or, if that breaks the
            rules, what the moves say.
        """
        if state.opening is None and self.state is not None:
            state = replace(state, opening=self.state.opening)
        self.state = state
        problems = [*state.problems]
        self._by_moves = False
        if self.board is None:
            # A game that has begun already is taken from the message.
            self.board = Board(variant_of(state.opening))
        elif not state.agrees(self.board):
            refused = self._push(state.last_move)
            if state.agrees(self.board):
                return tuple(problems)
            if problems and refused is None and self._is_at(state):
                # Part of the message could not be read; what could be fits the move.
                self._by_moves = True
                return tuple(problems)
            problems.append(refused or "the last move does not lead to this state")
        if not state.agrees(self.board):
            try:
                self.board = state.board()
            except InvalidPositionError as error:
                problems.append(f"the state breaks the rules: {error}")
        return tuple(problems)

    @property
    def ready(self) -> bool:
        """Whether the board is right in all that the next move depends on."""
        board, state = self.board, self.state
        if board is None or state is None or board.turn != state.color:
            return False
        return self._by_moves or (
            board.hand(state.color) == state.hands[state.color]
            and board.grid().tobytes() == state.grid
        )

    def _is_at(self, state: State) -> bool:
        """Tell whether the board is at the turn of a state."""
        board = self.board
        assert board is not None
        return (board.turn, board.round) == (state.color, state.turn // len(COLORS))

    def _push(self, move: PlacedPiece | SkippedTurn | None) -> str | None:
        """Make a move on the board; say why that cannot be."""
        board = self.board
        assert board is not None
        if move is None:
            return "the position has changed without a move"
        if board.is_game_over or move.color != board.turn:
            return f"{COLORS[move.color]} has played out of turn"
        try:
            action = action_of(board, move)
        except InvalidMoveError as error:
            return f"the last move is none: {error}"
        why = board.why_illegal(action)
        if why is not None:
            return f"the last move is against the rules: {why}"
        board.push_unchecked(action)
        return None


def action_of(board: Board, move: PlacedPiece | SkippedTurn) -> int:
    """Return our number of a move that the contest says.

    Parameters
    ----------
    board : Board
        The position, of the contest's variant.
    move : PlacedPiece or SkippedTurn
        The move.

    Returns
    -------
    int
        Id of the placement, or the number of a pass. It need not be legal.

    Raises
    ------
    InvalidMoveError
        It is no move on the board.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest import SkippedTurn
    >>> from blokus_fast.contest.following import action_of
    >>> action_of(bf.Board("software-challenge-2027"), SkippedTurn(0))
    30433
    """
    return board.n_moves if isinstance(move, SkippedTurn) else move.move


def said_action(board: Board, action: int) -> PlacedPiece | SkippedTurn:
    """Say an action of the color to move as the contest does.

    Parameters
    ----------
    board : Board
        The position, of the contest's variant.
    action : int
        Id of a placement, or the number of a pass.

    Returns
    -------
    PlacedPiece or SkippedTurn
        The move.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest.following import said_action
    >>> said_action(bf.Board("software-challenge-2027"), 30433)
    SkippedTurn(color=0)
    """
    return SkippedTurn(board.turn) if action == board.n_moves else placed_piece(action, board.turn)
