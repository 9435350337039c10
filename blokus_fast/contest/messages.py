"""What the contest's server says: its messages, read and written.

Owns their elements and attributes, but those of the state, which are in `state`. Each message is a
record that writes itself. What a client asks is in `requests`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from blokus_fast.contest.errors import ProtocolError
from blokus_fast.contest.moves import truth
from blokus_fast.contest.state import State
from blokus_fast.contest.stream import Element, OneAttribute, element_text

__all__ = [
    "TEAMS",
    "ErrorSaid",
    "Joined",
    "Left",
    "MoveRequest",
    "Observed",
    "Prepared",
    "Result",
    "Said",
    "StateSaid",
    "Welcome",
    "read_said",
]

TEAMS: Final = ("ONE", "TWO")
"""The contest's names of the players 0 and 1."""

# What the server calls the two figures of a result.
_FRAGMENTS: Final = (("Siegpunkte", "SUM"), ("Punkte", "AVERAGE"))


# What is said for people is cut off behind so many characters.
_LONGEST: Final = 500


def in_room(room: str, kind: str, inner: str = "", **attributes: str) -> str:
    """Write a message to a room.

    Examples
    --------
    >>> from blokus_fast.contest.messages import in_room
    >>> in_room("7", "moveRequest")
    '<room roomId="7"><data class="moveRequest"/></room>'
    """
    data = element_text("data", {"class": kind, **attributes}, inner)
    return element_text("room", {"roomId": room}, data)


@dataclass(frozen=True, slots=True)
class Joined(OneAttribute):
    """The client has a seat in a room.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Joined
    >>> Joined("7").xml()
    '<joined roomId="7"/>'
    """

    TAG, KEY = "joined", "roomId"
    room: str


@dataclass(frozen=True, slots=True)
class Left(OneAttribute):
    """The client has no seat in a room any more.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Left
    >>> Left("7").xml()
    '<left roomId="7"/>'
    """

    TAG, KEY = "left", "roomId"
    room: str


@dataclass(frozen=True, slots=True)
class Welcome:
    """The game begins, and the client is team 0 or 1.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Welcome
    >>> Welcome("7", 0).xml()
    '<room roomId="7"><data class="welcomeMessage" color="ONE"/></room>'
    """

    room: str
    team: int

    def xml(self) -> str:
        """Write the message."""
        return in_room(self.room, "welcomeMessage", color=TEAMS[self.team])


@dataclass(frozen=True, slots=True)
class StateSaid:
    """The position after every move, and at the beginning.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.contest import state_of
    >>> from blokus_fast.contest.messages import StateSaid
    >>> state = state_of(bf.Board("software-challenge-2027"))
    >>> StateSaid("7", state).xml()[:43]
    '<room roomId="7"><data class="memento"><sta'
    """

    room: str
    state: State

    def xml(self) -> str:
        """Write the message."""
        return in_room(self.room, "memento", self.state.xml())


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """The client is to answer with a move.

    Examples
    --------
    >>> from blokus_fast.contest.messages import MoveRequest
    >>> MoveRequest("7").xml()
    '<room roomId="7"><data class="moveRequest"/></room>'
    """

    room: str

    def xml(self) -> str:
        """Write the message."""
        return in_room(self.room, "moveRequest")


@dataclass(frozen=True, slots=True)
class Result:
    """The game is over.

    Parameters
    ----------
    room : str
        The room.
    winner : int or None
        The team that has won; None for a draw.
    regular : bool
        Whether both have kept to the rules.
    reason : str
        Why it is so, in the server's words.
    scores : tuple of (int, int)
        Per team victory points (2, 1 or 0) and points.
    names : tuple of str
        Per team its name.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Result, read_said
    >>> from blokus_fast.contest.stream import ElementReader
    >>> result = Result("7", 1, True, "more points", ((0, 120), (2, 131)), ("a", "b"))
    >>> read_said(ElementReader().feed(b"<protocol>" + result.xml().encode())[0]) == result
    True
    """

    room: str
    winner: int | None
    regular: bool
    reason: str
    scores: tuple[tuple[int, ...], ...] = ()
    names: tuple[str, ...] = ()

    def xml(self) -> str:
        """Write the message.

        Returns
        -------
        str
            One element, as the server writes it.
        """
        fragments = "".join(
            element_text(
                "fragment",
                {"name": name},
                element_text("aggregation", {}, how)
                + element_text("relevantForRanking", {}, "true"),
            )
            for name, how in _FRAGMENTS
        )
        entries = "".join(
            element_text(
                "entry",
                {},
                element_text("player", {"name": name, "team": TEAMS[team]})
                + element_text(
                    "score", {}, "".join(element_text("part", {}, str(part)) for part in parts)
                ),
            )
            for team, (name, parts) in enumerate(zip(self.names, self.scores, strict=True))
        )
        winner = {} if self.winner is None else {"team": TEAMS[self.winner]}
        said = {**winner, "regular": truth(self.regular), "reason": self.reason}
        inner = element_text("definition", {}, fragments) + element_text("scores", {}, entries)
        return in_room(self.room, "result", inner + element_text("winner", said))


@dataclass(frozen=True, slots=True)
class ErrorSaid:
    """Something is wrong with what the client has said.

    Parameters
    ----------
    message : str
        What, in the server's words.
    room : str or None
        The room that it is about; None where it is about a request.

    Examples
    --------
    >>> from blokus_fast.contest.messages import ErrorSaid
    >>> ErrorSaid("no such room").xml()
    '<errorpacket message="no such room"><originalRequest class="unknown"/></errorpacket>'
    """

    message: str
    room: str | None = None

    def xml(self) -> str:
        """Write the message."""
        if self.room is not None:
            return in_room(self.room, "error", message=self.message)
        # The official Python client only sees this element where there is another one in it.
        request = element_text("originalRequest", {"class": "unknown"})
        return element_text("errorpacket", {"message": self.message}, request)


@dataclass(frozen=True, slots=True)
class Prepared:
    """A room is ready, and these are the codes for its seats.

    Parameters
    ----------
    room : str
        Its name.
    reservations : tuple of str
        A code for each seat.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Prepared
    >>> Prepared("7", ("abc",)).xml()
    '<prepared roomId="7"><reservation>abc</reservation></prepared>'
    """

    room: str
    reservations: tuple[str, ...]

    def xml(self) -> str:
        """Write the message.

        Returns
        -------
        str
            An element.
        """
        codes = "".join(f"<reservation>{code}</reservation>" for code in self.reservations)
        return element_text("prepared", {"roomId": self.room}, codes)


@dataclass(frozen=True, slots=True)
class Observed(OneAttribute):
    """The client is told of everything in a room.

    Examples
    --------
    >>> from blokus_fast.contest.messages import Observed
    >>> Observed("7").xml()
    '<observed roomId="7"/>'
    """

    TAG, KEY = "observed", "roomId"
    room: str


Said = Joined | Left | Welcome | StateSaid | MoveRequest | Result | ErrorSaid | Prepared | Observed
"""What a server says."""


def read_said(element: Element) -> Said | None:
    """Read what a server says.

    Parameters
    ----------
    element : Element
        The message.

    Returns
    -------
    Said or None
        The message; None for one of a kind that is not known, which is to be passed over.

    Raises
    ------
    ProtocolError
        The message lacks something, or makes no sense.

    Examples
    --------
    >>> from blokus_fast.contest.messages import read_said
    >>> from blokus_fast.contest.stream import ElementReader
    >>> read = ElementReader().feed(b'<protocol><joined roomId="7"/><paused/>')
    >>> [read_said(element) for element in read]
    [Joined(room='7'), None]
    """
    name, room = element.name, element.attributes.get("roomId", "")
    if name == "errorpacket":
        return ErrorSaid(_words(element.attributes.get("message", "no reason is given")))
    if name == "prepared":
        return Prepared(room, tuple(code.text.strip() for code in element.all("reservation")))
    for simple in (Joined, Left, Observed):
        if name == simple.TAG:
            return simple(room)
    data = element.find("data") if name == "room" else None
    if data is None:
        return None
    kind = data.attributes.get("class", "")
    if kind == "memento":
        state = data.find("state")
        if state is None:
            raise ProtocolError("a memento without a state")
        return StateSaid(room, State.read(state))
    if kind == "moveRequest":
        return MoveRequest(room)
    if kind == "welcomeMessage":
        team = data.attributes.get("color", "").upper()
        if team not in TEAMS:
            raise ProtocolError(f"a welcome to the team {team[:60]!r}")
        return Welcome(room, TEAMS.index(team))
    if kind == "result":
        return _read_result(room, data)
    if kind == "error":
        return ErrorSaid(_words(data.attributes.get("message", "no reason is given")), room)
    return None


def _words(text: str) -> str:
    """Return what a server says for people as one line that any terminal can show."""
    return "".join(char if char.isprintable() else " " for char in text[:_LONGEST]).strip()


def _read_result(room: str, data: Element) -> Result:
    winner = data.find("winner")
    said = {} if winner is None else winner.attributes
    team = said.get("team", "").upper()
    names, scores = ["", ""], [(0, 0), (0, 0)]
    entries = data.find("scores")
    for entry in () if entries is None else entries.all("entry"):
        player, score = entry.find("player"), entry.find("score")
        who = "" if player is None else player.attributes.get("team", "").upper()
        if player is None or score is None or who not in TEAMS:
            continue
        names[TEAMS.index(who)] = _words(player.attributes.get("name", ""))
        parts = [part.text.strip() for part in score.all("part")]
        if len(parts) == 2 and all(
            part.lstrip("-").isdecimal() and len(part) < 9 for part in parts
        ):
            scores[TEAMS.index(who)] = (int(parts[0]), int(parts[1]))
    return Result(
        room,
        TEAMS.index(team) if team in TEAMS else None,
        said.get("regular", "true") == "true",
        _words(said.get("reason", "")),
        tuple(scores),
        tuple(names),
    )
