"""blksgf, the SGF of Blokus: names of games, of colors, of players, and the text of actions.

Says which property means what in a variant. Knows nothing of trees and files.
"""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Final

from blokus_fast._core import Rules
from blokus_fast.errors import InvalidMoveError
from blokus_fast.moves import PIECES, Move, Pass
from blokus_fast.moves.actions import DraftMove, describe
from blokus_fast.moves.notation import parse_move
from blokus_fast.variants import VARIANTS, Variant
from blokus_fast.variants import variant as find_variant
from blokus_fast.variants.text import parse_variant, same_but_rules, variant_text

__all__ = ["FOREIGN", "GAMES", "OWN_GAME", "Dialect", "dialect", "find_game", "game_properties"]

GAMES: Final = {
    "Blokus": "classic",
    "Blokus Two-Player": "classic-2p",
    "Blokus Three-Player": "classic-3p",
    "Blokus Duo": "duo",
    "Blokus Junior": "junior",
}
"""The games of the format that are variants here."""

FOREIGN: Final = (
    "Blokus Trigon",
    "Blokus Trigon Two-Player",
    "Blokus Trigon Three-Player",
    "Nexos",
    "Nexos Two-Player",
    "Callisto",
    "Callisto Two-Player",
    "Callisto Two-Player Four-Color",
    "Callisto Three-Player",
    "GembloQ",
    "GembloQ Two-Player",
    "GembloQ Three-Player",
    "GembloQ Two-Player Four-Color",
)
"""The games of the format that are not."""

OWN_GAME: Final = "blokus-fast"
"""``GM`` of variants that the format does not know; ``BFVARIANT`` says which one it is."""

START: Final = "BFSTART"
SCORING: Final = "BFSCORING"
VARIANT: Final = "BFVARIANT"
POSITION: Final = "BFPOSITION"
PICK: Final = "BFPICK"

_OLD_COLORS = ("BLUE", "YELLOW", "RED", "GREEN")


class Dialect:
    """The properties of one variant.

    Parameters
    ----------
    variant : Variant
        The variant.

    Attributes
    ----------
    moves : dict
        Every property that is a move, with its color.
    adds : dict
        Every property that puts pieces on the board, with its color.
    ids : tuple of str
        Per color the property that is written.
    players : tuple of str
        Per player the property with his name.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.dialect import dialect
    >>> dialect(bf.variant("duo")).ids, dialect(bf.variant("classic-2p")).ids
    (('B', 'W'), ('1', '2', '3', '4'))
    >>> dialect(bf.variant("classic-2p")).players
    ('PB', 'PW')
    """

    def __init__(self, variant: Variant) -> None:
        self.variant = variant
        count = variant.n_colors
        digits = tuple(str(color + 1) for color in range(count))
        self.ids = ("B", "W") if count == 2 else digits
        self.moves = {name: color for color, name in enumerate(digits)}
        self.moves.update((name, color) for color, name in enumerate(self.ids))
        if count == 4:
            self.moves.update((name, color) for color, name in enumerate(_OLD_COLORS))
        self.adds = {"A" + name: color for name, color in self.moves.items() if len(name) == 1}
        self.players = tuple(f"P{player + 1}" for player in range(variant.players))
        if variant.players == 2:
            self.players = ("PB", "PW")
        # Moves in the format, but not of this game.
        self.strange = frozenset(("B", "W", "1", "2", "3", "4", *_OLD_COLORS)) - set(self.moves)
        self.reserved = {*self.moves, *self.adds, "AE", "PL", "C", PICK, POSITION}
        self.reserved_in_root = {"GM", "CA", START, SCORING, VARIANT, *self.players}

    def __repr__(self) -> str:
        """Show the variant."""
        return f"<Dialect of {self.variant.name}>"

    def instead_of(self, name: str, *, in_root: bool) -> str | None:
        """Say what to do instead of setting a reserved property; None of one that is not.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.records.dialect import dialect
        >>> dialect(bf.variant("duo")).instead_of("PB", in_root=True)
        "set the record's names"
        >>> dialect(bf.variant("duo")).instead_of("PB", in_root=False) is None
        True
        """
        if name == "C":
            return "set the node's comment"
        if name in self.moves or name == PICK or name in self.strange:
            return "moves are added by the method add of a node"
        if name in self.reserved:
            return "positions are added by the method add_set_up of a node"
        if not in_root or name not in self.reserved_in_root:
            return None
        if name in self.players:
            return "set the record's names"
        if name == "CA":
            return "records are written in UTF-8"
        return "it says which game it is, as the record's variant does"

    @cached_property
    def rules(self) -> Rules:
        """Return the rules as the core reads them: they know how ids are made."""
        return self.variant._rules()

    def write(self, action: int, color: int) -> tuple[str, str]:
        """Return property and value of an action.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.records.dialect import dialect
        >>> dialect(bf.variant("duo")).write(60, 0)
        ('B', 'e10')
        >>> dialect(bf.variant("draft")).write(4 * 30433 + 21 + 9, 1)
        ('BFPICK', '2:F')
        """
        move = describe(action, self.variant, color)
        if isinstance(move, Pass):
            return self.ids[color], ""
        assert move.color is not None
        if not move.squares:
            return PICK, f"{self.ids[move.color]}:{move.piece}"
        placement = move.placement if isinstance(move, DraftMove) else move
        return self.ids[move.color], placement.text

    def read(self, name: str, value: str) -> tuple[int, int]:
        """Return the action of a property, legal or not, and its color; InvalidMoveError if none.

        Examples
        --------
        >>> import blokus_fast as bf
        >>> from blokus_fast.records.dialect import dialect
        >>> dialect(bf.variant("duo")).read("B", "E10")
        (60, 0)
        """
        if name == PICK:
            return self._read_pick(value)
        color = self.moves[name]
        passing = self.rules.pass_action
        if not value.strip() and passing is not None:
            return passing, color
        number = parse_move(value, self.variant.size)
        return self.rules.placement_action(color, number), color

    def _read_pick(self, value: str) -> tuple[int, int]:
        name, _, piece = value.strip().upper().partition(":")
        if not self.variant.draft or name not in self.moves or piece not in PIECES:
            raise InvalidMoveError(f"{value[:60]!r} is not a pick such as '1:F'")
        color = self.moves[name]
        return self.rules.pick_action(color, PIECES.index(piece)), color

    def piece(self, value: str, color: int | None = None) -> Move:
        """Read a piece of a set-up."""
        return Move(parse_move(value, self.variant.size), self.variant.size, color)

    def color(self, value: str) -> int | None:
        """Read the color of ``PL``; None if it is none."""
        name = value.strip().upper()
        return self.moves.get({"BLACK": "B", "WHITE": "W"}.get(name, name))


@lru_cache(maxsize=64)
def dialect(variant: Variant) -> Dialect:
    """Return the properties of a variant; equal variants share them.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.dialect import dialect
    >>> dialect(bf.variant("classic")).players
    ('P1', 'P2', 'P3', 'P4')
    """
    return Dialect(variant)


def game_properties(variant: Variant) -> list[tuple[str, str]]:
    """Return the properties that say which game it is.

    Examples
    --------
    >>> import blokus_fast as bf
    >>> from blokus_fast.records.dialect import game_properties
    >>> game_properties(bf.variant("duo"))
    [('GM', 'Blokus Duo'), ('BFSTART', 'any')]
    >>> game_properties(bf.variant("draft-2p"))
    [('GM', 'blokus-fast'), ('BFVARIANT', 'draft-2p')]
    """
    shipped = same_but_rules(variant)
    if shipped is None:
        return [("GM", OWN_GAME), (VARIANT, variant_text(variant))]
    names = [game for game, name in GAMES.items() if name == shipped.name]
    properties = [("GM", names[0])] if names else [("GM", OWN_GAME), (VARIANT, shipped.name)]
    if variant.start != ("assigned" if names else shipped.start):
        properties.append((START, variant.start))
    if variant.scoring != shipped.scoring:
        properties.append((SCORING, variant.scoring_name))
    return properties


def find_game(name: str, properties: dict[str, list[str]]) -> Variant:
    """Find the variant of a game.

    Parameters
    ----------
    name : str
        The value of ``GM``.
    properties : dict
        Properties of the root.

    Returns
    -------
    Variant
        The variant with the start rule of the format; ``BFSTART`` and ``BFSCORING`` are not
        looked at.

    Raises
    ------
    ValueError
        It is no variant of this package; the message says which game it is.

    Examples
    --------
    >>> from blokus_fast.records.dialect import find_game
    >>> find_game("Blokus Duo", {}).start
    'assigned'
    >>> find_game("Nexos", {})
    Traceback (most recent call last):
    ...
    ValueError: the game is Nexos, which is not played here
    """
    if name == OWN_GAME:
        values = properties.get(VARIANT)
        if not values:
            raise ValueError(f"the game is {OWN_GAME}, but {VARIANT} does not say which variant")
        return parse_variant(values[0])
    if name in GAMES:
        return find_variant(VARIANTS[GAMES[name]], start="assigned")
    if name in FOREIGN:
        raise ValueError(f"the game is {name}, which is not played here")
    valid = ", ".join((*GAMES, OWN_GAME))
    raise ValueError(f"unknown game {name[:60]!r}; valid: {valid}")
