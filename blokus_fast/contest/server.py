"""A contest server on this computer: `Server`, the lobby in which clients find their games.

Owns connections, rooms, reservations and the file of games. How a game is played is in `room`. It
speaks the contest's protocol as far as players, administrators who prepare games, and observers
need it; it does not pause games.
"""

from __future__ import annotations

import contextlib
import logging
import random
import secrets
import socket
import threading
from collections.abc import Callable
from os import PathLike
from types import TracebackType
from typing import Final, Self

from blokus_fast.bots import AnyBot
from blokus_fast.checking import called_back, integer_or_none
from blokus_fast.contest.client import PORT, Client, Report
from blokus_fast.contest.connection import Connection
from blokus_fast.contest.errors import ConnectionBrokenError, ContestError, ProtocolError
from blokus_fast.contest.messages import ErrorSaid, Joined, Observed, Prepared, Result
from blokus_fast.contest.requests import (
    GAME_TYPE,
    Authenticate,
    Cancel,
    Join,
    JoinPrepared,
    JoinRoom,
    MoveSaid,
    Observe,
    Prepare,
    Request,
    read_request,
)
from blokus_fast.contest.room import Event, Limits, Room, Seat
from blokus_fast.contest.timing import LIMIT, MARGIN
from blokus_fast.files import check_writable, write_file
from blokus_fast.game import Game
from blokus_fast.records import Record
from blokus_fast.records.folder import RecordFolder, is_folder
from blokus_fast.records.writing import record_line
from blokus_fast.variants import software_challenge_2027
from blokus_fast.waiting import Flag

__all__ = ["Guest", "Server"]

LOG: Final = logging.getLogger("blokus_fast.contest.server")
_OPENINGS: Final = software_challenge_2027().first_pieces or ()
# So many connections at a time, and rooms that wait for players.
_MOST: Final = 64


class _Peer:
    """A client as the server sees it."""

    def __init__(self, connection: Connection, name: str) -> None:
        self.connection, self.name = connection, name
        self.is_administrator = False
        self.room: Room | None = None
        self.team = 0


class Guest(threading.Thread):
    """A bot that plays on a server of this process, in a thread.

    Parameters
    ----------
    client : Client
        The client.

    Attributes
    ----------
    report : Report or None
        What became of its game.
    error : Exception or None
        Why there is none.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> from blokus_fast.contest import Client, Guest
    >>> guest = Guest(Client(bots.make("random"), port=1))
    >>> guest.start()
    >>> guest.join()
    >>> type(guest.error).__name__
    'ConnectionBrokenError'
    """

    def __init__(self, client: Client) -> None:
        super().__init__(name="guest", daemon=True)
        self.client = client
        self.report: Report | None = None
        self.error: Exception | None = None

    def run(self) -> None:
        """Play."""
        try:
            self.report = self.client.play()
        except Exception as error:
            self.error = error


class Server:
    """Plays games of two clients each by the contest's protocol.

    Parameters
    ----------
    host : str
        Address to listen on. Default: only this computer can connect.
    port : int
        Its port, 0 for any that is free.
    games : int, optional
        After so many games it is done. Default: never.
    opening : str, optional
        Our name of the pentomino that opens every color. Default: drawn for every game.
    soft, hard : float
        Seconds for a move: who answers after the first loses, and the second is waited for.
    password : str, optional
        What makes a client an administrator. Default: nothing does.
    save : str or path, optional
        A ``.blksgf`` file for the games, written anew after each; or a folder, with a file for
        each. A path that ends in a slash is a folder, which is made.
    seed : int, optional
        Seed of what is drawn. Default: by chance.
    on_result : callable, optional
        Is called with the result of every game, in its thread.

    Attributes
    ----------
    results : list of Result
        Of the games that are over.

    Raises
    ------
    ValueError
        There is no such pentomino, or a number makes no sense.
    OSError
        Nothing can listen there, or the file cannot be written.

    Examples
    --------
    >>> from blokus_fast import bots
    >>> from blokus_fast.contest import Server
    >>> with Server(port=0, games=1, opening="W") as server:
    ...     guests = [server.invite(bots.make("greedy", seed=seed)) for seed in (1, 2)]
    ...     results = server.wait()
    >>> len(results), results[0].regular
    (1, True)
    """

    def __init__(
        self,
        host: str = "127.0.0.1",
        port: int = PORT,
        *,
        games: int | None = None,
        opening: str | None = None,
        soft: float = LIMIT,
        hard: float = 10.0,
        password: str | None = None,
        save: str | PathLike[str] | None = None,
        seed: int | None = None,
        on_result: Callable[[Result], object] | None = None,
    ) -> None:
        called_back(on_result, "on_result")
        seed = integer_or_none(seed, "seed")
        # A wrong piece is told before anything is opened.
        software_challenge_2027(opening)
        self.limits = Limits(soft, max(hard, soft))
        if games is not None and games < 1:
            raise ValueError(f"games must be at least 1, not {games}")
        self.games, self.opening, self.password = games, opening, password
        self.results: list[Result] = []
        self._save, self._lines = save, list[bytes]()
        self._folder = RecordFolder(save) if save is not None and is_folder(save) else None
        if save is not None and self._folder is None:
            check_writable(save)
        self._on_result = on_result
        self._random = random.Random(seed)
        self._rooms: dict[str, Room] = {}
        self._peers: set[_Peer] = set()
        self._begun = 0
        self._number = 0
        self._lock = threading.RLock()
        self._done, self._closed = Flag(), Flag()
        self._socket = socket.create_server((host, port), backlog=_MOST)
        self.host: str = host
        self.port: int = self._socket.getsockname()[1]
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def __repr__(self) -> str:
        """Show where it is, and what was played."""
        return f"<Server {self.host}:{self.port}: {len(self.results)} games played>"

    # For those who run it.

    def prepare(self, names: tuple[str, str] = ("one", "two")) -> Prepared:
        """Make a room whose seats are held back.

        Parameters
        ----------
        names : tuple of str
            Who is to sit there.

        Returns
        -------
        Prepared
            Its name, and the code for each seat.

        Examples
        --------
        >>> from blokus_fast.contest import Server
        >>> with Server(port=0) as server:
        ...     len(server.prepare().reservations)
        2
        """
        return self._prepare(Prepare(names))

    def invite(self, bot: AnyBot, *, reservation: str | None = None) -> Guest:
        """Let a bot join, in a thread of this process.

        Parameters
        ----------
        bot : Bot or ThinkingBot
            The bot.
        reservation : str, optional
            The code of its seat. Default: it joins any game.

        Returns
        -------
        Guest
            The thread, which runs.

        Examples
        --------
        >>> from blokus_fast import bots
        >>> from blokus_fast.contest import Server
        >>> with Server(port=0) as server:
        ...     server.invite(bots.make("random")).client.port == server.port
        True
        """
        client = Client(
            bot, host=self.host, port=self.port, reservation=reservation, limit=self.limits.soft,
            margin=min(MARGIN, self.limits.soft / 4),
        )  # fmt: skip
        guest = Guest(client)
        guest.start()
        return guest

    def wait(self, seconds: float | None = None) -> list[Result]:
        """Wait until all games are over, and return the results.

        Parameters
        ----------
        seconds : float, optional
            How long to wait at most. Default: for ever.

        Returns
        -------
        list of Result
            Of the games that are over.

        Examples
        --------
        >>> from blokus_fast.contest import Server
        >>> with Server(port=0) as server:
        ...     server.wait(0.01)
        []
        """
        self._done.wait(seconds)
        with self._lock:
            return list(self.results)

    def close(self) -> None:
        """End all games, and close all connections.

        Examples
        --------
        >>> from blokus_fast.contest import Server
        >>> Server(port=0).close()
        """
        self._done.set()
        self._closed.set()
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        with self._lock:
            peers, threads = list(self._peers), list(self._threads)
        for peer in peers:
            peer.connection.close()
        for thread in threads:
            if thread is not threading.current_thread():
                thread.join(5)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # Connections.

    def _start(self, target: Callable[..., None], *arguments: object) -> None:
        """Start a thread, and forget those that have ended."""
        thread = threading.Thread(
            target=target, args=arguments, name=f"server {target.__name__}", daemon=True
        )
        with self._lock:
            self._threads = [one for one in self._threads if one.is_alive()]
            # Not yet alive, it must not be forgotten by another thread.
            thread.start()
            self._threads.append(thread)

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                sock, address = self._socket.accept()
            except OSError:
                return
            with self._lock:
                crowded = len(self._peers) >= _MOST
                peer = _Peer(Connection(sock), str(address))
                self._peers.add(peer)
            if crowded or self._closed.is_set():
                self._drop(peer)
            else:
                self._start(self._serve, peer)

    def _serve(self, peer: _Peer) -> None:
        """Take what a client says until it is gone."""
        connection = peer.connection
        try:
            while (elements := connection.receive()) is not None:
                for element in elements:
                    self._take(peer, read_request(element))
        except ConnectionBrokenError as error:
            LOG.info("%s: %s", peer.name, error)
        except ContestError as error:
            LOG.warning("%s: %s", peer.name, error)
            if peer.room is not None:
                peer.room.events.put(Event(peer.team, connection.received, error))
            with contextlib.suppress(ConnectionBrokenError):
                connection.send(ErrorSaid(str(error)))
        finally:
            self._drop(peer)

    def _drop(self, peer: _Peer) -> None:
        if peer.room is not None:
            peer.room.events.put(Event(peer.team, peer.connection.received, None))
        with self._lock:
            self._peers.discard(peer)
            waiting = peer.room is not None and not peer.room.is_full
            if waiting and peer.room is not None:
                # Nobody waits there any more: the seat is free again.
                peer.room.seats[peer.team].send = None
                self._rooms.pop(peer.room.name, None)
        peer.connection.close()

    # Requests.

    def _take(self, peer: _Peer, request: Request) -> None:
        """Do what a client asks.

        Raises
        ------
        ProtocolError
            It cannot be done.
        """
        if isinstance(request, MoveSaid):
            room = peer.room
            if room is None or request.room != room.name:
                raise ProtocolError(f"a move for the room {request.room[:60]!r}, not joined")
            room.events.put(Event(peer.team, peer.connection.received, request))
        elif isinstance(request, Join | JoinRoom | JoinPrepared):
            with self._lock:
                self._seat(peer, request)
        elif isinstance(request, Authenticate):
            if self.password is None or not secrets.compare_digest(
                request.password.encode(), self.password.encode()
            ):
                raise ProtocolError("the password is wrong")
            peer.is_administrator = True
        elif not peer.is_administrator:
            raise ProtocolError("that is for administrators")
        elif isinstance(request, Prepare):
            peer.connection.send(self._prepare(request))
        else:
            self._administrate(peer, request)

    def _administrate(self, peer: _Peer, request: Observe | Cancel) -> None:
        with self._lock:
            room = self._room(request.room)
            if isinstance(request, Observe):
                room.observers.append(peer.connection.send)
                peer.connection.send(Observed(room.name))
            else:
                room.events.put(Event(None, peer.connection.received, None))

    def _room(self, name: str) -> Room:
        if name not in self._rooms:
            raise ProtocolError(f"there is no room {name[:60]!r}")
        return self._rooms[name]

    def _prepare(self, request: Prepare) -> Prepared:
        if request.game_type != GAME_TYPE:
            raise ProtocolError(f"there is no game {request.game_type[:60]!r}")
        if request.pause:
            raise ProtocolError("this server does not pause games")
        if len(request.names) != 2:
            raise ProtocolError(f"a game has 2 slots, not {len(request.names)}")
        seats = [
            Seat(name[:200], secrets.token_hex(8) if reserved else None, late)
            for name, reserved, late in zip(
                request.names, request.reserved, request.can_timeout, strict=True
            )
        ]
        with self._lock:
            room = self._open(seats)
        return Prepared(room.name, tuple(seat.code for seat in seats if seat.code is not None))

    def _open(self, seats: list[Seat]) -> Room:
        if len(self._rooms) >= _MOST:
            raise ProtocolError("there are too many rooms")
        self._number += 1
        opening = self.opening or self._random.choice(_OPENINGS)
        room = Room(str(self._number), opening, self.limits, seats)
        self._rooms[room.name] = room
        return room

    def _seat(self, peer: _Peer, request: Join | JoinRoom | JoinPrepared) -> None:
        """Give a client a seat, and begin the game when it was the last."""
        if peer.room is not None:
            raise ProtocolError("there is a seat already")
        if self.games is not None and self._begun >= self.games:
            raise ProtocolError("all games have been played")
        room, team = self._find_seat(request)
        seat = room.seats[team]
        seat.send, peer.room, peer.team = peer.connection.send, room, team
        seat.code = None
        peer.connection.send(Joined(room.name))
        if room.is_full:
            self._begun += 1
            self._start(self._play, room)

    def _find_seat(self, request: Join | JoinRoom | JoinPrepared) -> tuple[Room, int]:
        if isinstance(request, JoinPrepared):
            for room in self._rooms.values():
                for team, seat in enumerate(room.seats):
                    if seat.is_free and seat.code == request.code:
                        return room, team
            raise ProtocolError(f"there is no reservation {request.code[:60]!r}")
        if isinstance(request, JoinRoom):
            rooms = [self._room(request.room)]
        else:
            if request.game_type not in (None, GAME_TYPE):
                raise ProtocolError(f"there is no game {str(request.game_type)[:60]!r}")
            rooms = list(self._rooms.values())
        for room in rooms:
            for team, seat in enumerate(room.seats):
                if seat.is_free and seat.code is None:
                    return room, team
        if isinstance(request, JoinRoom):
            raise ProtocolError(f"there is no free seat in the room {request.room[:60]!r}")
        return self._open([Seat("one"), Seat("two")]), 0

    # Games.

    def _play(self, room: Room) -> None:
        """Play a game, and keep it."""
        try:
            result = room.play()
        finally:
            # Whatever happens, nobody waits for a game that is over.
            with self._lock:
                self._rooms.pop(room.name, None)
                peers = [peer for peer in self._peers if peer.room is room]
            for peer in peers:
                peer.connection.close()
        LOG.info("room %s: %s", room.name, result.reason)
        self._keep(room, result)
        if self._on_result is not None:
            try:
                self._on_result(result)
            except Exception:
                LOG.exception("what is done with a result failed")
        with self._lock:
            self.results.append(result)
            if self.games is not None and len(self.results) >= self.games:
                self._done.set()

    def _keep(self, room: Room, result: Result) -> None:
        """Write the game that is over to the file, or to one of its own."""
        if self._save is None:
            return
        names = [seat.name for seat in room.seats]
        record = Record.from_game(Game.from_board(room.board, names=names))
        points = ":".join(str(parts[1]) for parts in result.scores)
        record.headers["RE"] = points
        record.root.comment = f"{result.reason} ({points})"
        with self._lock:
            try:
                if self._folder is not None:
                    self._folder.add(record_line(record))
                else:
                    self._lines.append(record_line(record))
                    write_file(self._save, self._lines)
            except OSError as error:
                LOG.error("cannot write %s: %s", self._save, error.strerror or error)
