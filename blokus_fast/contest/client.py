"""A bot on the contest's server: `Client`.

Joins a game, follows it, and answers requests for moves in time. What keeps it in step is in
`following`, what keeps the bot in time in `thinking` and `timing`.
"""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass, field, replace
from typing import Final

from blokus_fast.bots import AnyBot
from blokus_fast.contest.connection import Connection, connect
from blokus_fast.contest.errors import ConnectionBrokenError, ProtocolError, RefusedError
from blokus_fast.contest.following import Follower, said_action
from blokus_fast.contest.messages import (
    ErrorSaid,
    Joined,
    Left,
    MoveRequest,
    Result,
    StateSaid,
    Welcome,
    read_said,
)
from blokus_fast.contest.moves import SkippedTurn
from blokus_fast.contest.pieces import COLORS, PlacedPiece, placed_piece
from blokus_fast.contest.requests import Authenticate, Join, JoinPrepared, JoinRoom, MoveSaid
from blokus_fast.contest.state import State
from blokus_fast.contest.stream import Element
from blokus_fast.contest.thinking import Thinker
from blokus_fast.contest.timing import LIMIT, MARGIN, MoveTime
from blokus_fast.moves import PIECE_SIZES
from blokus_fast.moves.tables import move_table

__all__ = ["HOST", "PORT", "Client", "Report"]

HOST: Final = "localhost"
"""Where the contest's server is if nothing else is said."""

PORT: Final = 13050
"""Its port."""

LOG: Final = logging.getLogger("blokus_fast.contest")
# To say that the client has joined, the server has so many seconds.
_HELLO: Final = 30.0
# After the result, the server has so many seconds to say goodbye.
_GOODBYE: Final = 2.0
# So many problems are kept for the report; all are logged.
_KEPT: Final = 100


@dataclass(slots=True)
class Report:
    """What became of a game.

    Parameters
    ----------
    room : str
        The room.
    team : int or None
        The client's team, 0 or 1; None if the server never told.
    result : Result or None
        The server's result.
    moves : int
        Answers sent.
    replaced : int
        How many of them were not the bot's.
    longest : float
        Seconds of the slowest answer, from the request to the sending.
    problems : list of str
        What was odd.

    Examples
    --------
    >>> from blokus_fast.contest.client import Report
    >>> Report().has_won
    False
    """

    room: str = ""
    team: int | None = None
    result: Result | None = None
    moves: int = 0
    replaced: int = 0
    longest: float = 0.0
    problems: list[str] = field(default_factory=list)

    @property
    def has_won(self) -> bool:
        """Whether the client's team has won."""
        return self.result is not None and self.team is not None and self.result.winner == self.team


class Client:
    """Plays one game on the contest's server.

    Parameters
    ----------
    bot : Bot or ThinkingBot
        Who plays. It is closed at the end of the game.
    host, port : str, int
        Where the server is.
    reservation : str, optional
        Code of a seat in a game that was prepared.
    room : str, optional
        A room to join, where there is no reservation. Default: any game.
    password : str, optional
        Makes the client an administrator first, where the server wants that.
    limit, margin : float
        Seconds that the server allows for a move, and seconds of them that are left unused.
    name : str, optional
        What the bot is called in the log. Default: its own name.

    Raises
    ------
    TypeError
        It is no bot.
    ValueError
        The time makes no sense.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> from blokus_fast.contest import Client, Server
    >>> with Server(port=0, games=1) as server:
    ...     other = server.invite(bots.make("random", seed=1))
    ...     report = Client(bots.make("greedy", seed=1), port=server.port).play()
    >>> report.has_won, report.moves > 10, report.problems
    (True, True, [])
    """

    def __init__(
        self,
        bot: AnyBot,
        *,
        host: str = HOST,
        port: int = PORT,
        reservation: str | None = None,
        room: str | None = None,
        password: str | None = None,
        limit: float = LIMIT,
        margin: float = MARGIN,
        name: str | None = None,
    ) -> None:
        self.host, self.port = host, port
        self.reservation, self.room, self.password = reservation, room, password
        self.times = MoveTime(limit, margin=margin)
        self.thinker = Thinker(bot)
        if name:
            self.thinker.player.name = name
        self.report = Report()
        self._follower = Follower()
        self._refusal: str | None = None
        self._has_played = False
        # Whether something came since the last state that could not be read.
        self._missed = False
        self._answered: tuple[State, PlacedPiece | SkippedTurn] | None = None

    def __repr__(self) -> str:
        """Show whom it plays for, and where."""
        return f"<Client of {self.thinker.player.name}: {self.host}:{self.port}>"

    def play(self) -> Report:
        """Join, play to the end, and return what became of it.

        Returns
        -------
        Report
            The result, and how it went.

        Raises
        ------
        ConnectionBrokenError
            There is no server, or it is gone before the game was over.
        RefusedError
            It does not let the client join.
        ProtocolError
            It does not speak the protocol.
        RuntimeError
            The client has played already.
        """
        if self._has_played:
            raise RuntimeError("a client plays one game: make another one")
        self._has_played = True
        try:
            connection = self._join()
            try:
                self._play(connection)
            finally:
                connection.close()
        finally:
            self.thinker.close()
        return self.report

    def _join(self) -> Connection:
        began = time.monotonic()
        connection = connect(self.host, self.port)
        self.times.connected(time.monotonic() - began)
        join: Join | JoinRoom | JoinPrepared = Join()
        if self.reservation is not None:
            join = JoinPrepared(self.reservation)
        elif self.room is not None:
            join = JoinRoom(self.room)
        try:
            if self.password is not None:
                connection.send(Authenticate(self.password))
            connection.send(join)
        except ConnectionBrokenError:
            connection.close()
            raise
        LOG.info("connected to %s, port %d", self.host, self.port)
        # The tables of moves are made the first time that they are needed: better now than later.
        _ = placed_piece(0, 0).move
        return connection

    def _play(self, connection: Connection) -> None:
        """Hear and answer until the game is over."""
        while True:
            try:
                elements = connection.receive(seconds=self._patience())
            except ConnectionBrokenError as error:
                if self.report.result is not None:
                    return
                raise self._gone(str(error)) from None
            if elements is None:
                if self.report.result is not None:
                    return
                raise self._gone("the server closed the connection")
            if elements:
                self.times.heard(connection.received)
            for element in elements:
                if self._hear(connection, element):
                    return

    def _patience(self) -> float | None:
        """Return how long to wait for the next message; an opponent may take any time to come."""
        if self.report.result is not None:
            return _GOODBYE
        return _HELLO if self.report.room == "" else None

    def _gone(self, what: str) -> ConnectionBrokenError:
        said = f"; it said before: {self._refusal}" if self._refusal else ""
        return ConnectionBrokenError(f"{what} before the game was over{said}")

    def _hear(self, connection: Connection, element: Element) -> bool:
        """Take one message; return whether it was the last."""
        try:
            said = read_said(element)
        except ProtocolError as error:
            self._problem(f"the server has sent what makes no sense: {error}")
            self._missed = True
            return False
        if said is None:
            LOG.debug("passed over: %r", element)
        elif isinstance(said, Joined):
            self.report.room = said.room
            LOG.info("%s joined room %s", self.thinker.name, said.room)
        elif isinstance(said, ErrorSaid):
            self._refusal = said.message
            if self.report.room == "" and said.room is None:
                raise RefusedError(f"the server says: {said.message}")
            self._problem(f"the server says: {said.message}")
        elif isinstance(said, Welcome):
            self.report.room, self.report.team = said.room, said.team
            LOG.info("the game begins, as team %s", ("one", "two")[said.team])
        elif isinstance(said, StateSaid):
            self._follow(said.state)
        elif isinstance(said, MoveRequest):
            self._answer(connection, said.room)
        elif isinstance(said, Result):
            self.report.result = said
            LOG.info("the game is over: %s", said.reason)
        return isinstance(said, Left) and self.report.result is not None

    def _follow(self, state: State) -> None:
        self._missed = False
        begins = self._follower.board is None
        for problem in self._follower.update(state):
            self._problem(f"turn {state.turn}: {problem}")
        board = self._follower.board
        if begins and board is not None:
            self.thinker.begin(board.variant)

    def _answer(self, connection: Connection, room: str) -> None:
        received, state = connection.received, self._follower.state
        if state is None:
            self._problem("a move is asked for, but no state has come")
            return
        answered = self._answered is not None and self._answered[0] is state
        if self._missed and (answered or state.color % 2 != self.report.team):
            state, move = self._guess(state)
        elif self._answered is not None and answered:
            self._problem(f"turn {state.turn}: a move is asked for twice; it is the same again")
            move = self._answered[1]
        else:
            move = self._choose(state, received)
        connection.send(MoveSaid(room, move))
        sent = time.monotonic()
        self._answered = (state, move)
        self.times.answered(sent)
        self.report.moves += 1
        self.report.longest = max(self.report.longest, sent - received)
        LOG.info("turn %d: %s after %.3f s", state.turn, _words(move), sent - received)

    def _guess(self, state: State) -> tuple[State, PlacedPiece | SkippedTurn]:
        """Choose a move for the team's next color, since the state that said more was not read."""
        grid = bytearray(state.grid)
        if self._answered is not None and isinstance(self._answered[1], PlacedPiece):
            for square in self._answered[1].squares:
                grid[square] = self._answered[1].color
        # The teams take turns, with one color after the other.
        ahead = 2 if self.report.team in (None, state.color % 2) else 1
        state = replace(state, turn=state.turn + ahead, grid=bytes(grid))
        self.report.replaced += 1
        self._problem(f"turn {state.turn}: a move is asked for, but no state that can be read")
        return state, _by_squares(state)

    def _choose(self, state: State, received: float) -> PlacedPiece | SkippedTurn:
        board = self._follower.board
        if board is None or not self._follower.ready:
            self.report.replaced += 1
            self._problem(f"turn {state.turn}: there is no position to think about")
            return _by_squares(state)
        if self.report.team is not None and board.player != self.report.team:
            self._problem(f"turn {state.turn}: a move is asked for, for {COLORS[state.color]}")
        choice = self.thinker.choose(
            board, self.times.deadline(received), self.times.latest(received)
        )
        if choice.problem is not None:
            self.report.replaced += 1
            self._problem(f"turn {state.turn}: {choice.problem}")
            if self.thinker.trace:
                LOG.info("%s", self.thinker.trace)
                self.thinker.trace = ""
        return said_action(board, choice.move)

    def _problem(self, text: str) -> None:
        LOG.warning("%s", text)
        if len(self.report.problems) < _KEPT:
            self.report.problems.append(text)


def _by_squares(state: State) -> PlacedPiece | SkippedTurn:
    """Choose a large piece by what lies on the squares, or skip."""
    moves = state.placements()
    if not len(moves):
        return SkippedTurn(state.color)
    sizes = [PIECE_SIZES[piece] for piece in move_table(20).info[moves, 0].tolist()]
    return placed_piece(int(moves[sizes.index(max(sizes))]), state.color)


def _words(move: PlacedPiece | SkippedTurn) -> str:
    if isinstance(move, SkippedTurn):
        return f"{COLORS[move.color]} skips"
    return f"{COLORS[move.color]} places {move.kind} at x={move.x}, y={move.y}"
