"""Moves as the contest's messages have them: XML to data and back.

A move is a piece that is placed, or a turn that is given up. Knows nothing of positions.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from blokus_fast.contest.errors import ProtocolError
from blokus_fast.contest.pieces import COLORS, PIECE_OF_KIND, ROTATIONS, PlacedPiece
from blokus_fast.contest.stream import Element, element_text

__all__ = ["SkippedTurn", "move_xml", "number", "read_move", "read_placed", "truth"]

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class SkippedTurn:
    """A turn that a color has given up.

    Parameters
    ----------
    color : int
        The color, 0 to 3.

    Examples
    --------
    >>> from blokus_fast.contest import SkippedTurn
    >>> SkippedTurn(2)
    SkippedTurn(color=2)
    """

    color: int


def number(element: Element, name: str) -> int:
    """Return an attribute that is a number.

    Examples
    --------
    >>> from blokus_fast.contest.moves import number
    >>> from blokus_fast.contest.stream import Element
    >>> number(Element("state", {"turn": "7"}), "turn")
    7
    """
    text = element.attributes.get(name, "")
    if _NUMBER.fullmatch(text) is None:
        raise ProtocolError(f"{element!r}: {name} is no number, but {text[:60]!r}")
    return int(text)


def read_placed(element: Element) -> PlacedPiece:
    """Read an element ``<piece>``.

    Parameters
    ----------
    element : Element
        The element.

    Returns
    -------
    PlacedPiece
        The piece; it may be no move.

    Raises
    ------
    ProtocolError
        Something is missing, or unknown.

    Examples
    --------
    >>> from blokus_fast.contest.moves import read_placed
    >>> from blokus_fast.contest.stream import ElementReader
    >>> text = b'<protocol><piece color="RED" kind="MONO"><position x="3" y="4"/></piece>'
    >>> read_placed(ElementReader().feed(text)[0])
    PlacedPiece(color=2, kind='MONO', rotation='NONE', flipped=False, x=3, y=4)
    """
    said = element.attributes
    color, kind = said.get("color", ""), said.get("kind", "")
    rotation, position = said.get("rotation", "NONE"), element.find("position")
    for what, value, valid in (
        ("color", color, COLORS), ("piece", kind, PIECE_OF_KIND), ("rotation", rotation, ROTATIONS)
    ):  # fmt: skip
        if value not in valid:
            raise ProtocolError(f"unknown {what} {value[:60]!r}")
    if position is None:
        raise ProtocolError("a piece without a position")
    flipped = said.get("isFlipped") == "true"
    x, y = number(position, "x"), number(position, "y")
    return PlacedPiece(COLORS.index(color), kind, rotation, flipped, x, y)


def read_move(element: Element) -> PlacedPiece | SkippedTurn:
    """Read a move: an element with a ``<piece>`` in it, or a ``<color>`` that skips.

    Raises
    ------
    ProtocolError
        It is neither.

    Examples
    --------
    >>> from blokus_fast.contest.moves import read_move
    >>> from blokus_fast.contest.stream import ElementReader
    >>> read_move(ElementReader().feed(b"<protocol><data><color>RED</color></data>")[0])
    SkippedTurn(color=2)
    """
    piece, color = element.find("piece"), element.find("color")
    if piece is not None:
        return read_placed(piece)
    name = "" if color is None else color.text.strip()
    if name not in COLORS:
        raise ProtocolError("a move has neither a piece nor a color")
    return SkippedTurn(COLORS.index(name))


def move_xml(name: str, move: PlacedPiece | SkippedTurn) -> str:
    """Write a move as an element of a name.

    Examples
    --------
    >>> from blokus_fast.contest.moves import SkippedTurn, move_xml
    >>> move_xml("data", SkippedTurn(0))
    '<data class="sc.plugin2027.SkipMove"><color>BLUE</color></data>'
    """
    if isinstance(move, SkippedTurn):
        inner, kind = element_text("color", {}, COLORS[move.color]), "SkipMove"
    else:
        attributes = {
            "color": COLORS[move.color], "kind": move.kind, "rotation": move.rotation,
            "isFlipped": truth(move.flipped),
        }  # fmt: skip
        position = element_text("position", {"x": str(move.x), "y": str(move.y)})
        inner, kind = element_text("piece", attributes, position), "SetMove"
    return element_text(name, {"class": f"sc.plugin2027.{kind}"}, inner)


def truth(value: bool) -> str:
    """Write a truth value.

    Examples
    --------
    >>> from blokus_fast.contest.moves import truth
    >>> truth(True)
    'true'
    """
    return "true" if value else "false"
