"""One game on the local server: `Room`, with its seats, its clock and its judge.

Owns what the contest's server does in a game: the order of messages, turns and rounds, time limits,
and who loses for what. Knows nothing of sockets; who may sit down is the lobby's business, in
`server`.
"""

from __future__ import annotations

import contextlib
import queue
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from blokus_fast._core import Board
from blokus_fast.contest.connection import Message
from blokus_fast.contest.errors import ConnectionBrokenError, ContestError
from blokus_fast.contest.following import action_of
from blokus_fast.contest.messages import (
    TEAMS,
    ErrorSaid,
    Left,
    MoveRequest,
    Result,
    StateSaid,
    Welcome,
)
from blokus_fast.contest.moves import SkippedTurn
from blokus_fast.contest.pieces import COLORS, PlacedPiece
from blokus_fast.contest.requests import MoveSaid
from blokus_fast.contest.state import LAST_ROUND, state_of, variant_of
from blokus_fast.errors import InvalidMoveError

__all__ = ["Event", "Limits", "Room", "Seat"]

_ALL_SQUARES: Final = 89
_WIN, _DRAW, _LOSS = 2, 1, 0

Sender = Callable[[Message], None]
"""What sends a message to somebody."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Time for a move.

    Parameters
    ----------
    soft : float
        Seconds; who answers later loses.
    hard : float
        Seconds after which no answer is waited for.

    Examples
    --------
    >>> from blokus_fast.contest.room import Limits
    >>> Limits()
    Limits(soft=2.0, hard=10.0)
    """

    soft: float = 2.0
    hard: float = 10.0

    def __post_init__(self) -> None:
        """Check that they make sense."""
        if not 0 < self.soft <= self.hard < float("inf"):
            raise ValueError(
                f"0 < soft <= hard must hold for time limits, not {self.soft!r} and {self.hard!r}"
            )


@dataclass(slots=True)
class Seat:
    """A place at the board.

    Parameters
    ----------
    name : str
        Who sits there.
    code : str or None
        The reservation that it is held back for.
    can_timeout : bool
        Whether the time limits hold.
    send : callable, optional
        Sends a message to whoever sits there; None: the seat is free.

    Examples
    --------
    >>> from blokus_fast.contest.room import Seat
    >>> Seat("Ann").is_free
    True
    """

    name: str
    code: str | None = None
    can_timeout: bool = True
    send: Sender | None = None

    @property
    def is_free(self) -> bool:
        """Whether nobody sits there."""
        return self.send is None


@dataclass(frozen=True, slots=True)
class Event:
    """Something that a player has done.

    Parameters
    ----------
    team : int
        Who: 0 or 1. None: an administrator, who ends the game.
    moment : float
        When, by `time.monotonic`.
    what : MoveSaid or ContestError or None
        A move, something that is no message, or None: he is gone.

    Examples
    --------
    >>> from blokus_fast.contest.room import Event
    >>> Event(0, 12.5, None).what is None
    True
    """

    team: int | None
    moment: float
    what: MoveSaid | ContestError | None


class _ViolationError(Exception):
    """Somebody loses at once."""

    def __init__(self, team: int, reason: str) -> None:
        super().__init__(reason)
        self.team, self.reason = team, reason


def _nobody(message: Message) -> None:
    """Send to somebody who has left."""


@dataclass(slots=True)
class Room:
    """A game of two.

    Parameters
    ----------
    name : str
        Its name in messages.
    opening : str
        Our name of the piece that opens every color.
    limits : Limits
        Time for a move.
    seats : list of Seat
        Two places, for the teams 0 and 1.

    Attributes
    ----------
    board : Board
        The position.
    result : Result or None
        The result, when the game is over.
    events : queue
        Where `Event` come in, from any thread.
    observers : list of callable
        Who is told of everything.

    Examples
    --------
    >>> import time
    >>> from blokus_fast.contest import SkippedTurn
    >>> from blokus_fast.contest.requests import MoveSaid
    >>> from blokus_fast.contest.room import Event, Limits, Room, Seat
    >>> seats = [Seat("Ann", send=lambda message: None), Seat("Bob", send=lambda message: None)]
    >>> room = Room("7", "W", Limits(), seats)
    >>> room.events.put(Event(1, time.monotonic(), MoveSaid("7", SkippedTurn(1))))
    >>> room.play().reason
    'Bob has moved without being asked'
    """

    name: str
    opening: str
    limits: Limits
    seats: list[Seat]
    observers: list[Sender] = field(default_factory=list)
    events: queue.SimpleQueue[Event] = field(default_factory=queue.SimpleQueue)
    board: Board = field(init=False)
    result: Result | None = None
    _turn: int = 0
    _in_game: list[int] = field(default_factory=lambda: list(range(len(COLORS))))
    _last: PlacedPiece | SkippedTurn | None = None

    def __post_init__(self) -> None:
        """Set up the board."""
        self.board = Board(variant_of(self.opening))

    @property
    def is_full(self) -> bool:
        """Whether both have sat down."""
        return not any(seat.is_free for seat in self.seats)

    def play(self) -> Result:
        """Play the game to its end, and tell everybody. Both must have sat down.

        Returns
        -------
        Result
            The result.
        """
        try:
            for team in range(len(TEAMS)):
                self._send(team, Welcome(self.name, team))
            while not self._is_over():
                self._ask()
            self.result = self._regular()
        except _ViolationError as violation:
            self.result = self._irregular(violation)
        for team in range(len(TEAMS)):
            self._send(team, self.result)
            self._send(team, Left(self.name))
        self._observe(self.result)
        return self.result

    def _send(self, team: int, message: Message) -> None:
        """Send a message; who cannot be reached has left, and gets no more."""
        send = self.seats[team].send
        assert send is not None
        try:
            send(message)
        except ConnectionBrokenError:
            self.seats[team].send = _nobody
            self.events.put(Event(team, time.monotonic(), None))

    def _observe(self, message: Message) -> None:
        for send in self.observers.copy():
            try:
                send(message)
            except ConnectionBrokenError:
                self.observers.remove(send)

    def _is_over(self) -> bool:
        """Tell everybody the position; return whether it is the last."""
        state = state_of(self.board, last_move=self._last, turn=self._turn, in_game=self._in_game)
        said = StateSaid(self.name, state)
        for team in range(len(TEAMS)):
            self._send(team, said)
        self._observe(said)
        return self.board.is_game_over

    def _ask(self) -> None:
        """Ask whoever is to move, and make his move."""
        team, board = self.board.player, self.board
        with contextlib.suppress(queue.Empty):
            self._unasked(self.events.get_nowait())
        seat = self.seats[team]
        began = time.monotonic()
        self._send(team, MoveRequest(self.name))
        wait = self.limits.hard if seat.can_timeout else None
        try:
            event = self.events.get(timeout=wait)
        except queue.Empty:
            raise _ViolationError(
                team, f"{seat.name} has not answered within {self.limits.hard:g} s"
            ) from None
        if event.team != team or not isinstance(event.what, MoveSaid):
            self._unasked(event)
        took = event.moment - began
        if seat.can_timeout and took > self.limits.soft:
            raise _ViolationError(
                team, f"{seat.name} has answered after {took:.2f} s, not within "
                f"{self.limits.soft:g} s"
            )  # fmt: skip
        assert isinstance(event.what, MoveSaid)
        move = event.what.move
        why = self._refusal(move)
        if why is not None:
            self._send(team, ErrorSaid(f"illegal move of {seat.name}: {why}", self.name))
            raise _ViolationError(team, f"{seat.name} has made an illegal move: {why}")
        board.push_unchecked(action_of(board, move))
        self._last = move
        self._count()

    def _refusal(self, move: PlacedPiece | SkippedTurn) -> str | None:
        """Say why a move is not legal, or None."""
        if move.color != self.board.turn:
            return f"it is {COLORS[self.board.turn]}'s turn, not {COLORS[move.color]}'s"
        try:
            return self.board.why_illegal(action_of(self.board, move))
        except InvalidMoveError as error:
            return str(error)

    def _unasked(self, event: Event) -> None:
        """Judge what somebody has done who was not asked for a move."""
        if event.team is None:
            raise _ViolationError(self.board.player, "the game was cancelled")
        name = self.seats[event.team].name
        if event.what is None:
            raise _ViolationError(event.team, f"{name} has left the game")
        if isinstance(event.what, ContestError):
            raise _ViolationError(event.team, f"{name} has sent what makes no sense: {event.what}")
        raise _ViolationError(event.team, f"{name} has moved without being asked")

    def _count(self) -> None:
        """Count the turn, and those of colors that are passed over, which are out of the game."""
        self._turn += 1
        for color in self.board.skipped:
            self._turn += 1
            if color in self._in_game:
                self._in_game.remove(color)
        if not self.board.is_game_over:
            return
        if self.board.round >= LAST_ROUND - 1:
            self._turn = max(self._turn, (LAST_ROUND - 1) * len(COLORS))
        else:
            self._in_game.clear()

    def _points(self) -> tuple[int, ...]:
        """Return the points of the teams: squares placed, and what there is for all of them."""
        return tuple(score + 2 * _ALL_SQUARES for score in self.board.player_scores())

    def _regular(self) -> Result:
        points = self._points()
        names = tuple(seat.name for seat in self.seats)
        if points[0] == points[1]:
            scores = tuple((_DRAW, own) for own in points)
            return Result(self.name, None, True, "both have the same points", scores, names)
        winner = int(points[1] > points[0])
        scores = tuple((_WIN if team == winner else _LOSS, own) for team, own in enumerate(points))
        reason = f"{names[winner]} has more points"
        return Result(self.name, winner, True, reason, scores, names)

    def _irregular(self, violation: _ViolationError) -> Result:
        names = tuple(seat.name for seat in self.seats)
        winner = 1 - violation.team
        points = self._points()
        scores = tuple(
            (_WIN, points[team]) if team == winner else (_LOSS, 0) for team in range(len(TEAMS))
        )
        return Result(self.name, winner, False, violation.reason, scores, names)
