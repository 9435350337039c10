"""What a client asks of the contest's server: its messages, read and written.

Owns their elements and attributes, but those of moves, which are in `moves`. Each message is a
record that writes itself. What the server says is in `messages`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from blokus_fast.contest.errors import ProtocolError
from blokus_fast.contest.moves import SkippedTurn, move_xml, read_move, truth
from blokus_fast.contest.pieces import PlacedPiece
from blokus_fast.contest.stream import Element, OneAttribute, element_text

__all__ = [
    "GAME_TYPE",
    "Authenticate",
    "Cancel",
    "Join",
    "JoinPrepared",
    "JoinRoom",
    "MoveSaid",
    "Observe",
    "Prepare",
    "Request",
    "read_request",
]

GAME_TYPE: Final = "swc_2027_blokus"
"""The contest's name of the game."""


@dataclass(frozen=True, slots=True)
class Join:
    """A seat in any game.

    Examples
    --------
    >>> from blokus_fast.contest.requests import Join
    >>> Join().xml()
    '<join gameType="swc_2027_blokus"/>'
    """

    game_type: str | None = GAME_TYPE

    def xml(self) -> str:
        """Write the message."""
        return element_text("join", {} if self.game_type is None else {"gameType": self.game_type})


@dataclass(frozen=True, slots=True)
class JoinRoom(OneAttribute):
    """A seat in a room.

    Examples
    --------
    >>> from blokus_fast.contest.requests import JoinRoom
    >>> JoinRoom("7").xml()
    '<joinRoom roomId="7"/>'
    """

    TAG, KEY = "joinRoom", "roomId"
    room: str


@dataclass(frozen=True, slots=True)
class JoinPrepared(OneAttribute):
    """The seat that a code stands for.

    Examples
    --------
    >>> from blokus_fast.contest.requests import JoinPrepared
    >>> JoinPrepared("abc").xml()
    '<joinPrepared reservationCode="abc"/>'
    """

    TAG, KEY = "joinPrepared", "reservationCode"
    code: str


@dataclass(frozen=True, slots=True)
class Authenticate(OneAttribute):
    """The rights of an administrator.

    Examples
    --------
    >>> from blokus_fast.contest.requests import Authenticate
    >>> Authenticate("x").xml()
    '<authenticate password="x"/>'
    """

    TAG, KEY = "authenticate", "password"
    password: str


@dataclass(frozen=True, slots=True)
class Prepare:
    """A room with seats for two: their names, and whether they are held back for a code.

    Examples
    --------
    >>> from blokus_fast.contest.requests import Prepare
    >>> Prepare(("a", "b")).xml()[:60]
    '<prepare gameType="swc_2027_blokus" pause="false"><slot disp'
    """

    names: tuple[str, ...]
    reserved: tuple[bool, ...] = (True, True)
    can_timeout: tuple[bool, ...] = (True, True)
    pause: bool = False
    game_type: str = GAME_TYPE

    def xml(self) -> str:
        """Write the message."""
        slots = "".join(
            element_text(
                "slot",
                {"displayName": name, "canTimeout": truth(late), "reserved": truth(reserved)},
            )
            for name, late, reserved in zip(
                self.names, self.can_timeout, self.reserved, strict=True
            )
        )
        said = {"gameType": self.game_type, "pause": truth(self.pause)}
        return element_text("prepare", said, slots)


@dataclass(frozen=True, slots=True)
class Observe(OneAttribute):
    """To be told of everything in a room.

    Examples
    --------
    >>> from blokus_fast.contest.requests import Observe
    >>> Observe("7").xml()
    '<observe roomId="7"/>'
    """

    TAG, KEY = "observe", "roomId"
    room: str


@dataclass(frozen=True, slots=True)
class Cancel(OneAttribute):
    """The end of the game in a room.

    Examples
    --------
    >>> from blokus_fast.contest.requests import Cancel
    >>> Cancel("7").xml()
    '<cancel roomId="7"/>'
    """

    TAG, KEY = "cancel", "roomId"
    room: str


@dataclass(frozen=True, slots=True)
class MoveSaid:
    """A move, the answer to a request.

    Examples
    --------
    >>> from blokus_fast.contest import SkippedTurn
    >>> from blokus_fast.contest.requests import MoveSaid
    >>> MoveSaid("7", SkippedTurn(0)).xml()[:56]
    '<room roomId="7"><data class="sc.plugin2027.SkipMove"><c'
    """

    room: str
    move: PlacedPiece | SkippedTurn

    def xml(self) -> str:
        """Write the message."""
        return element_text("room", {"roomId": self.room}, move_xml("data", self.move))


Request = Join | JoinRoom | JoinPrepared | Authenticate | Prepare | Observe | Cancel | MoveSaid
"""What a client asks."""


def read_request(element: Element) -> Request:
    """Read what a client asks.

    Parameters
    ----------
    element : Element
        The message.

    Returns
    -------
    Request
        The message.

    Raises
    ------
    ProtocolError
        There is no such request, or it lacks something.

    Examples
    --------
    >>> from blokus_fast.contest.requests import read_request
    >>> from blokus_fast.contest.stream import ElementReader
    >>> read_request(ElementReader().feed(b'<protocol><join gameType="x"/>')[0])
    Join(game_type='x')
    """
    name, said = element.name, element.attributes
    if name == "join":
        return Join(said.get("gameType"))
    if name == "prepare":
        slots = [slot.attributes for slot in element.all("slot")]
        return Prepare(
            tuple(slot.get("displayName", f"player {n + 1}") for n, slot in enumerate(slots)),
            _truths(slots, "reserved"),
            _truths(slots, "canTimeout"),
            said.get("pause") == "true",
            said.get("gameType", GAME_TYPE),
        )
    for kind in (JoinRoom, JoinPrepared, Authenticate, Observe, Cancel):
        if name == kind.TAG:
            if kind.KEY not in said:
                raise ProtocolError(f"a request <{name}> without {kind.KEY}")
            return kind(said[kind.KEY])
    data = element.find("data") if name == "room" else None
    if data is None:
        raise ProtocolError(f"there is no request <{name[:60]}>")
    return MoveSaid(said.get("roomId", ""), read_move(data))


def _truths(slots: Sequence[Mapping[str, str]], name: str) -> tuple[bool, ...]:
    return tuple(slot.get(name, "true") == "true" for slot in slots)
