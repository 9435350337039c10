"""The shipped games as rulesets, typed from the rules of play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from reference.notation import parse
from reference.position import Ruleset
from reference.shapes import PIECE_NAMES

FULL_SET = dict.fromkeys(PIECE_NAMES, 1)
JUNIOR_PIECES = ("1", "2", "V3", "I3", "O", "T4", "Z4", "L4", "I4", "P", "L5", "I5")
JUNIOR_SET = dict.fromkeys(JUNIOR_PIECES, 2)

BLUE, YELLOW, RED, GREEN = range(4)
CLASSIC_STARTS = tuple(parse(corner, 20) for corner in ("a20", "t20", "t1", "a1"))
DUO_STARTS = tuple(parse(square, 14) for square in ("e10", "j5"))


def _classic(**changes: Any) -> Ruleset:
    values: dict[str, Any] = {
        "size": 20,
        "players": 4,
        "order": (BLUE, YELLOW, RED, GREEN),
        "owners": (0, 1, 2, 3),
        "starts": CLASSIC_STARTS,
        "sets": (FULL_SET,) * 4,
        "start_rule": "assigned",
        "scoring": "advanced",
    }
    return Ruleset(**(values | changes))


def classic(**changes: Any) -> Ruleset:
    """Four players, a color each."""
    return _classic(**changes)


def classic_2p(**changes: Any) -> Ruleset:
    """Two players: blue and red against yellow and green."""
    return _classic(**({"players": 2, "owners": (0, 1, 0, 1)} | changes))


def classic_3p(shared: int = GREEN, **changes: Any) -> Ruleset:
    """Three players: a color each, and one that they play in turn."""
    order = tuple((shared + step) % 4 for step in (1, 2, 3, 4))
    owners: list[int | None] = [None] * 4
    for player, color in enumerate(order[:3]):
        owners[color] = player
    return _classic(**({"players": 3, "order": order, "owners": tuple(owners)} | changes))


def contest(first_piece: str, **changes: Any) -> Ruleset:
    """Software Challenge 2027: a drawn opening piece at the rim, 24 rounds, passing allowed."""
    values: dict[str, Any] = {
        "start_rule": "border",
        "first_pieces": frozenset({first_piece}),
        "max_rounds": 24,
        "voluntary_pass": True,
    }
    return classic_2p(**(values | changes))


def duo(**changes: Any) -> Ruleset:
    """Two players on the small board; the first may take either start square."""
    values: dict[str, Any] = {
        "size": 14,
        "players": 2,
        "order": (0, 1),
        "owners": (0, 1),
        "starts": DUO_STARTS,
        "sets": (FULL_SET,) * 2,
        "start_rule": "any",
        "scoring": "advanced",
    }
    return Ruleset(**(values | changes))


def junior(**changes: Any) -> Ruleset:
    """Two players, two of each of twelve pieces, no bonus."""
    values: dict[str, Any] = {
        "sets": (JUNIOR_SET,) * 2,
        "start_rule": "assigned",
        "scoring": "basic",
    }
    return duo(**(values | changes))


RULESETS: dict[str, Callable[..., Ruleset]] = {
    "classic": classic,
    "classic-2p": classic_2p,
    "classic-3p": classic_3p,
    "duo": duo,
    "junior": junior,
}
