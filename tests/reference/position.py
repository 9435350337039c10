"""A game in which colors take turns: Classic for two, three and four, Duo, Junior and the like."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from reference.scoring import player_totals, score
from reference.shapes import (
    PIECE_NAMES,
    SIZES,
    Placement,
    Square,
    board_squares,
    corner_neighbours,
    edge_neighbours,
    placements_of,
)

PASS = "pass"
"""What a color plays when it passes of its own will (only where the rules let it)."""


class Skipped(NamedTuple):
    """A color that was passed over because it had no legal placement."""

    ply: int
    color: int


@dataclass(frozen=True)
class Ruleset:
    """Everything that makes one game different from another."""

    size: int
    players: int
    order: tuple[int, ...]
    owners: tuple[int | None, ...]
    """Per color its player; None for the color that the players share."""
    starts: tuple[frozenset[Square], ...]
    """Per color its own start squares."""
    sets: tuple[Mapping[str, int], ...]
    """Per color how many it has of each piece."""
    start_rule: str = "assigned"
    scoring: str = "advanced"
    playable: frozenset[Square] | None = None
    first_pieces: frozenset[str] = frozenset(PIECE_NAMES)
    max_rounds: int | None = None
    voluntary_pass: bool = False
    colors: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "colors", len(self.owners))
        if self.playable is None:
            object.__setattr__(self, "playable", frozenset(board_squares(self.size)))


def open_squares(
    own: set[Square], occupied: set[Square], playable: Iterable[Square]
) -> set[Square]:
    """Return where a color may lie at all: playable, empty, beside no square of its own."""
    beside_own = {near for square in own for near in edge_neighbours(square)}
    return set(playable) - occupied - beside_own


def connecting_squares(own: set[Square]) -> set[Square]:
    """Return the squares that touch an own square at a corner."""
    return {near for square in own for near in corner_neighbours(square)}


def rim(playable: Iterable[Square], size: int) -> set[Square]:
    """Return the playable squares in the first and last row and column."""
    return {(r, c) for r, c in playable if r in (0, size - 1) or c in (0, size - 1)}


def fitting(
    size: int, pieces: Iterable[str], open_: set[Square], needed: set[Square]
) -> list[Placement]:
    """Try every placement: all squares open, at least one of them needed."""
    return [
        placement
        for piece in pieces
        for placement in placements_of(size, piece)
        if not placement.squares.isdisjoint(needed) and placement.squares <= open_
    ]


class Position:
    """A position, and whose turn it is."""

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules
        self.own: list[set[Square]] = [set() for _ in range(rules.colors)]
        self.hands = [Counter({p: n for p, n in s.items() if n}) for s in rules.sets]
        self.last_piece: list[str | None] = [None] * rules.colors
        self.placed_count = [0] * rules.colors
        self.history: list[tuple[int, int, Placement | str]] = []
        """(player, color, placement) in order of play."""
        self.skips: list[Skipped] = []
        self.turns_taken = 0
        """Turns of the rotation so far; a color that is skipped has had its turn."""
        self._known: dict[int, list[Placement]] = {}
        self._skip_the_stuck()

    # What is on the board

    @property
    def occupied(self) -> set[Square]:
        return set().union(*self.own)

    def forbidden(self, color: int) -> set[Square]:
        """Return the playable squares where this color may not lie."""
        playable = set(self.rules.playable or ())
        return playable - open_squares(self.own[color], self.occupied, playable)

    def corners(self, color: int) -> set[Square]:
        """Return the squares of which a placement of this color has to cover at least one."""
        rules = self.rules
        open_ = open_squares(self.own[color], self.occupied, rules.playable or ())
        if self.own[color]:
            return open_ & connecting_squares(self.own[color])
        if rules.start_rule == "assigned":
            return open_ & rules.starts[color]
        if rules.start_rule == "any":
            return open_ & set().union(*rules.starts)
        if rules.start_rule == "border":
            return open_ & rim(rules.playable or (), rules.size)
        raise ValueError(rules.start_rule)

    # Moves

    def legal(self, color: int | None = None) -> list[Placement]:
        """Return the legal placements of a color, the one to move if none is named, by id."""
        color = self.turn if color is None else color
        return [] if color is None or self.is_over else self._possible(color)

    def _possible(self, color: int) -> list[Placement]:
        if color not in self._known:
            self._known[color] = self._find_possible(color)
        return self._known[color]

    def _find_possible(self, color: int) -> list[Placement]:
        pieces = [piece for piece in PIECE_NAMES if self.hands[color][piece]]
        if not self.own[color]:
            pieces = [piece for piece in pieces if piece in self.rules.first_pieces]
        open_ = open_squares(self.own[color], self.occupied, self.rules.playable or ())
        return fitting(self.rules.size, pieces, open_, self.corners(color))

    def may_pass(self) -> bool:
        """Tell whether the color to move may pass of its own will."""
        turn = self.turn
        return self.rules.voluntary_pass and turn is not None and bool(self.own[turn])

    def play(self, move: Placement | str) -> None:
        """Place a piece for the color to move, or pass; nothing is checked."""
        color = self.turn
        player = self.player
        assert color is not None
        assert player is not None
        self.history.append((player, color, move))
        if isinstance(move, Placement):
            self.own[color] |= move.squares
            self.hands[color][move.piece] -= 1
            self.last_piece[color] = move.piece
            self.placed_count[color] += 1
        self._known = {}
        self.turns_taken += 1
        self._skip_the_stuck()

    def _skip_the_stuck(self) -> None:
        """Go on to the next color that can place, if there is one."""
        if self._nobody_can_place():
            return
        while not self._rounds_are_over() and not self._possible(self._color_in_turn()):
            self.skips.append(Skipped(len(self.history), self._color_in_turn()))
            self.turns_taken += 1

    def _color_in_turn(self) -> int:
        return self.rules.order[self.turns_taken % len(self.rules.order)]

    def _rounds_are_over(self) -> bool:
        rounds = self.rules.max_rounds
        return rounds is not None and self.turns_taken >= rounds * len(self.rules.order)

    def _nobody_can_place(self) -> bool:
        return not any(self._possible(color) for color in range(self.rules.colors))

    # Whose turn it is, and how it stands

    @property
    def is_over(self) -> bool:
        return self._rounds_are_over() or self._nobody_can_place()

    @property
    def turn(self) -> int | None:
        """The color to move; None when the game is over."""
        return None if self.is_over else self._color_in_turn()

    @property
    def player(self) -> int | None:
        """Who is to decide: the owner, or for a shared color each player in turn."""
        color = self.turn
        if color is None:
            return None
        owner = self.rules.owners[color]
        return self.placed_count[color] % self.rules.players if owner is None else owner

    @property
    def color_scores(self) -> tuple[int, ...]:
        return tuple(
            score(
                self.rules.scoring,
                len(self.own[color]),
                sum(SIZES[piece] * n for piece, n in self.hands[color].items()),
                self.last_piece[color] == "1",
            )
            for color in range(self.rules.colors)
        )

    @property
    def player_scores(self) -> tuple[int, ...]:
        return player_totals(self.color_scores, self.rules.owners, self.rules.players)

    # Legality by the letter of the rules, for one placement at a time

    def broken_rules(self, color: int, placement: Placement) -> set[str]:
        """Return all rules that a placement of a color would break."""
        rules, own, squares = self.rules, self.own[color], placement.squares
        broken = set()
        if not self.hands[color][placement.piece]:
            broken.add("not in hand")
        if not squares <= (rules.playable or frozenset()):
            broken.add("off board")
        if squares & self.occupied:
            broken.add("overlaps")
        if own:
            if any(near in own for square in squares for near in edge_neighbours(square)):
                broken.add("own edge")
            if not any(near in own for square in squares for near in corner_neighbours(square)):
                broken.add("no own corner")
        else:
            if not squares & self.corners(color):
                broken.add("start")
            if placement.piece not in rules.first_pieces:
                broken.add("first piece")
        return broken
