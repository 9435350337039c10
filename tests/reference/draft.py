"""Draft: players pick the pieces of four colours, then lay them, each player from a mixed hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from reference.position import connecting_squares, fitting, open_squares
from reference.scoring import score
from reference.shapes import PIECE_NAMES, SIZES, Placement, Square, board_squares
from reference.variants import CLASSIC_STARTS

COLORS = 4
SIZE = 20
Hand = Counter[tuple[int, str]]
"""How many a player holds of (colour, piece)."""


class Pick(NamedTuple):
    """A piece taken in the draft phase."""

    color: int
    piece: str


class DraftPosition:
    """A Draft game from the first pick, or from given hands."""

    def __init__(
        self,
        players: int,
        hands: Sequence[Hand] | None = None,
        scoring: str = "advanced",
    ) -> None:
        self.players = players
        self.scoring = scoring
        self.own: list[set[Square]] = [set() for _ in range(COLORS)]
        self.hands: list[Hand] = [Counter(hand) for hand in hands or [Counter()] * players]
        self.pool = [Pick(c, p) for c in range(COLORS) for p in PIECE_NAMES] if not hands else []
        self.placed = [0] * players
        self.last_piece: list[str | None] = [None] * players
        self.history: list[tuple[int, Pick | tuple[int, Placement]]] = []
        self.came_back = 0
        """How often a player who had been skipped placed again."""
        self._skipped: set[int] = set()
        self._player: int | None = 0
        if not self.pool:
            self._player = self._next_who_can_place(0)

    @property
    def is_drafting(self) -> bool:
        return bool(self.pool)

    @property
    def player(self) -> int | None:
        """The player to pick or to place; None when the game is over."""
        if self.is_drafting:
            color = self.drafted_color
            picked = sum(pick.color == color for pick in self.pool)
            return (color + len(PIECE_NAMES) - picked) % self.players
        return self._player

    @property
    def drafted_color(self) -> int:
        """The colour whose pieces are being picked."""
        return self.pool[0].color

    @property
    def is_over(self) -> bool:
        return self.player is None

    def picks(self) -> list[Pick]:
        """Return what may be picked now."""
        return [pick for pick in self.pool if pick.color == self.drafted_color]

    def legal_of(self, player: int, color: int) -> list[Placement]:
        """Return the legal placements of one colour from a player's hand."""
        own = self.own[color]
        occupied = set().union(*self.own)
        open_ = open_squares(own, occupied, board_squares(SIZE))
        needed = connecting_squares(own) if own else set(CLASSIC_STARTS[color])
        pieces = [piece for piece in PIECE_NAMES if self.hands[player][color, piece]]
        return fitting(SIZE, pieces, open_, needed)

    def legal(self, player: int | None = None) -> list[tuple[int, Placement]]:
        """Return the legal placements of a player as (colour, placement)."""
        player = self.player if player is None else player
        if player is None or self.is_drafting:
            return []
        return [
            (color, placement)
            for color in range(COLORS)
            for placement in self.legal_of(player, color)
        ]

    def pick(self, pick: Pick) -> None:
        """Take a piece of the drafted colour; nothing is checked."""
        player = self.player
        assert player is not None
        self.history.append((player, pick))
        self.hands[player][pick] += 1
        self.pool.remove(pick)
        if not self.pool:
            self._player = self._next_who_can_place(0)

    def place(self, color: int, placement: Placement) -> None:
        """Lay a piece of the player's hand; nothing is checked."""
        player = self.player
        assert player is not None
        self.history.append((player, (color, placement)))
        self.came_back += player in self._skipped
        self._skipped.discard(player)
        self.own[color] |= placement.squares
        self.hands[player][color, placement.piece] -= 1
        self.placed[player] += len(placement.squares)
        self.last_piece[player] = placement.piece
        self._player = self._next_who_can_place(player + 1)

    def _next_who_can_place(self, first: int) -> int | None:
        passed_over = set()
        for step in range(self.players):
            player = (first + step) % self.players
            if any(self.legal_of(player, color) for color in range(COLORS)):
                self._skipped |= passed_over
                return player
            passed_over.add(player)
        return None

    @property
    def player_scores(self) -> tuple[int, ...]:
        return tuple(
            score(
                self.scoring,
                self.placed[player],
                sum(SIZES[piece] * n for (_, piece), n in self.hands[player].items()),
                self.last_piece[player] == "1",
            )
            for player in range(self.players)
        )
