"""Draft: players pick the pieces of four colors, then lay them, each player from a mixed hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from reference.position import Ruleset, connecting_squares, fitting, open_squares, rim
from reference.scoring import score
from reference.shapes import PIECE_NAMES, SIZES, Placement, Square
from reference.variants import CLASSIC_STARTS, FULL_SET

Hand = Counter[tuple[int, str]]
"""How many a player holds of (color, piece)."""


class Pick(NamedTuple):
    """A piece taken in the draft phase."""

    color: int
    piece: str


def draft_rules(players: int, scoring: str = "advanced") -> Ruleset:
    """Draft as it is in the box: the Classic board, four full sets."""
    return Ruleset(
        size=20,
        players=players,
        order=(0, 1, 2, 3),
        owners=(None,) * 4,
        starts=CLASSIC_STARTS,
        sets=(FULL_SET,) * 4,
        scoring=scoring,
    )


class DraftPosition:
    """A Draft game from the first pick, or from given hands."""

    def __init__(
        self,
        players: int,
        hands: Sequence[Hand] | None = None,
        scoring: str = "advanced",
        rules: Ruleset | None = None,
    ) -> None:
        self.rules = rules = rules or draft_rules(players, scoring)
        self.players = players
        self.own: list[set[Square]] = [set() for _ in range(rules.colors)]
        self.hands: list[Hand] = [Counter(hand) for hand in hands or [Counter()] * players]
        self.pool: list[Pick] = []
        if hands is None:
            self.pool = [
                Pick(c, p)
                for c in rules.order
                for p in PIECE_NAMES
                for _ in range(self._in_set(c, p))
            ]
        self.placed = [0] * players
        self.last_piece: list[str | None] = [None] * players
        self.history: list[tuple[int, Pick | tuple[int, Placement]]] = []
        self.skips: list[tuple[int, int]] = []
        """(moves made by then, player) for every turn that a player could not play."""
        self.came_back = 0
        """How often a player who had been skipped placed again."""
        self._skipped: set[int] = set()
        self._turns_taken = 0
        self._player: int | None = 0
        if not self.pool:
            self._player = self._next_who_can_place()

    def _in_set(self, color: int, piece: str) -> int:
        return self.rules.sets[color].get(piece, 0)

    @property
    def is_drafting(self) -> bool:
        return bool(self.pool)

    @property
    def player(self) -> int | None:
        """The player to pick or to place; None when the game is over."""
        if self.is_drafting:
            color = self.drafted_color
            left = sum(pick.color == color for pick in self.pool)
            picked = sum(self.rules.sets[color].values()) - left
            return (self.rules.order.index(color) + picked) % self.players
        return self._player

    @property
    def drafted_color(self) -> int:
        """The color whose pieces are being picked."""
        return self.pool[0].color

    @property
    def is_over(self) -> bool:
        return self.player is None

    def picks(self) -> list[Pick]:
        """Return what may be picked now."""
        return [pick for pick in dict.fromkeys(self.pool) if pick.color == self.drafted_color]

    def legal_of(self, player: int, color: int) -> list[Placement]:
        """Return the legal placements of one color from a player's hand."""
        rules, own = self.rules, self.own[color]
        playable = rules.playable or frozenset()
        open_ = open_squares(own, set().union(*self.own), playable)
        pieces = [piece for piece in PIECE_NAMES if self.hands[player][color, piece]]
        if own:
            needed = connecting_squares(own)
        else:
            pieces = [piece for piece in pieces if piece in rules.first_pieces]
            if rules.start_rule == "border":
                needed = rim(playable, rules.size)
            elif rules.start_rule == "any":
                needed = set().union(*rules.starts)
            else:
                needed = set(rules.starts[color])
        return fitting(rules.size, pieces, open_, needed & open_)

    def legal(self, player: int | None = None) -> list[tuple[int, Placement]]:
        """Return the legal placements of a player as (color, placement)."""
        player = self.player if player is None else player
        if player is None or self.is_drafting:
            return []
        return [
            (color, placement)
            for color in range(self.rules.colors)
            for placement in self.legal_of(player, color)
        ]

    def pick(self, pick: Pick) -> None:
        """Take a piece of the drafted color; nothing is checked."""
        player = self.player
        assert player is not None
        self.history.append((player, pick))
        self.hands[player][pick] += 1
        self.pool.remove(pick)
        if not self.pool:
            self._player = self._next_who_can_place()

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
        self._turns_taken += 1
        self._player = self._next_who_can_place()

    def _next_who_can_place(self) -> int | None:
        """Give every player his turn in order, until one can use it."""
        passed_over = []
        rounds = self.rules.max_rounds
        for _ in range(self.players):
            if rounds is not None and self._turns_taken >= rounds * self.players:
                return None
            player = self._turns_taken % self.players
            if any(self.legal_of(player, color) for color in range(self.rules.colors)):
                self._skipped |= set(passed_over)
                self.skips += [(len(self.history), skipped) for skipped in passed_over]
                return player
            passed_over.append(player)
            self._turns_taken += 1
        return None

    @property
    def player_scores(self) -> tuple[int, ...]:
        return tuple(
            score(
                self.rules.scoring,
                self.placed[player],
                sum(SIZES[piece] * n for (_, piece), n in self.hands[player].items()),
                self.last_piece[player] == "1",
            )
            for player in range(self.players)
        )
