"""What games add up to: wins, margins, the cross-table, and the sets that belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

__all__ = ["Count", "Tally"]


@dataclass
class Count:
    """Games of a bot, all of them or those against another one.

    A game is won if all who share the first place are seats of this bot, drawn if some are.

    Attributes
    ----------
    games, wins, draws, losses : int
        How many.
    margin : float
        Sum of the margins, see `Tally`.
    scored : int
        The games in it: those that were not broken off.

    Examples
    --------
    >>> from blokus_fast.arena.tally import Count
    >>> Count(games=4, wins=2, draws=1, losses=1).score
    2.5
    """

    games: int = 0
    wins: int = 0
    draws: int = 0
    losses: int = 0
    margin: float = 0.0
    scored: int = 0

    @property
    def score(self) -> float:
        """Wins, and half of the draws."""
        return self.wins + self.draws / 2

    @property
    def mean_margin(self) -> float | None:
        """Mean margin; None if no game was played to its end."""
        return self.margin / self.scored if self.scored else None

    def add(self, points: float, margin: float | None) -> None:
        """Count a game.

        Parameters
        ----------
        points : float
            1 for a win, 1/2 for a draw.
        margin : float or None
            Its margin; None if it was broken off.
        """
        self.games += 1
        self.wins += points == 1
        self.draws += points == 0.5
        self.losses += points == 0
        if margin is not None:
            self.margin += margin
            self.scored += 1


@dataclass
class Tally:
    """Adds up the results of games.

    Parameters
    ----------
    n_bots : int
        How many bots there are.
    lowest_wins : bool
        Whether few points are better.
    n_openings : int
        Sets have so many openings in turn; 0: each has one of its own.

    Attributes
    ----------
    counts : list of Count
        All games of each bot. Its margin in a game is the mean score of its seats minus that of
        all others, turned round where few points are better: more is always better.
    against : list of list of Count
        Its games against each other bot, in which the better place among the two wins.
    points : dict of int to dict
        Per opening, by pair of bots (a, b): the points of a against b, and of b against a,
        by the places of their seats. A game counts one in all of its pairs together.
    scores : dict of int to dict
        Per opening, by bot: its points and its games.
    margins : list of list of float
        The margins of each bot, game after game.
    cpu_seconds : list of float
        Sum of each bot's processor time.
    timed : list of int
        The games in it.
    failures : list of dict
        The games that were broken off: ``game``, ``bot``, ``kind``, ``text``.

    Examples
    --------
    >>> from blokus_fast.arena.tally import Tally
    >>> tally = Tally(2)
    >>> tally.add({"number": 0, "opening": 0, "seats": [1, 0], "scores": [-9, 4],
    ...            "ranking": [2, 1], "winners": [1], "failure": None, "cpu_seconds": None})
    >>> tally.counts[0].wins, tally.counts[0].mean_margin
    (1, 13.0)
    """

    n_bots: int
    lowest_wins: bool = False
    n_openings: int = 0
    counts: list[Count] = field(init=False)
    against: list[list[Count]] = field(init=False)
    points: dict[int, dict[tuple[int, int], list[float]]] = field(default_factory=dict)
    scores: dict[int, dict[int, list[float]]] = field(default_factory=dict)
    margins: list[list[float]] = field(init=False)
    cpu_seconds: list[float] = field(init=False)
    timed: list[int] = field(init=False)
    failures: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.counts = [Count() for _ in range(self.n_bots)]
        self.against = [[Count() for _ in range(self.n_bots)] for _ in range(self.n_bots)]
        self.margins = [[] for _ in range(self.n_bots)]
        self.cpu_seconds = [0.0] * self.n_bots
        self.timed = [0] * self.n_bots

    def add(self, result: Mapping[str, Any]) -> None:
        """Add a game.

        Parameters
        ----------
        result : mapping
            Its result, see `games.play_task`.
        """
        seats: Sequence[int] = result["seats"]
        winners = {seats[player] for player in result["winners"]}
        present = sorted(set(seats))
        opening = result["opening"] % self.n_openings if self.n_openings else result["opening"]
        scores = self.scores.setdefault(opening, {})
        for bot in present:
            points = 0.0 if bot not in winners else 1.0 if winners == {bot} else 0.5
            margin = self._margin(result, bot, None)
            self.counts[bot].add(points, margin)
            if margin is not None:
                self.margins[bot].append(margin)
            sums = scores.setdefault(bot, [0.0, 0.0])
            sums[0] += points
            sums[1] += 1
        pairs = [(a, b) for a in present for b in present if a < b]
        for a, b in pairs:
            self._add_pair(result, opening, a, b, 1 / len(pairs))
        if result["cpu_seconds"] is not None:
            for bot in present:
                self.timed[bot] += 1
            for bot, seconds in zip(seats, result["cpu_seconds"], strict=True):
                self.cpu_seconds[bot] += seconds
        if result["failure"] is not None:
            failure = result["failure"]
            told = {name: failure[name] for name in ("bot", "kind", "text")}
            self.failures.append({"game": result["number"], **told})

    def _add_pair(
        self, result: Mapping[str, Any], opening: int, a: int, b: int, weight: float
    ) -> None:
        places: dict[int, list[int]] = {a: [], b: []}
        for bot, place in zip(result["seats"], result["ranking"], strict=True):
            if bot in places:
                places[bot].append(place)
        best_a, best_b = min(places[a]), min(places[b])
        points = 0.5 if best_a == best_b else float(best_a < best_b)
        self.against[a][b].add(points, self._margin(result, a, b))
        self.against[b][a].add(1 - points, self._margin(result, b, a))
        # Every seat of the one against every seat of the other.
        each = weight / (len(places[a]) * len(places[b]))
        sums = self.points.setdefault(opening, {}).setdefault((a, b), [0.0, 0.0])
        for one in places[a]:
            for other in places[b]:
                share = 0.5 if one == other else float(one < other)
                sums[0] += each * share
                sums[1] += each * (1 - share)

    def _margin(self, result: Mapping[str, Any], bot: int, other: int | None) -> float | None:
        """Return how many points a bot is ahead of another, or of all others."""
        if result["scores"] is None:
            return None
        own, others = [], []
        for seat, score in zip(result["seats"], result["scores"], strict=True):
            if seat == bot:
                own.append(score)
            elif other is None or seat == other:
                others.append(score)
        margin = sum(own) / len(own) - sum(others) / len(others)
        return float(-margin if self.lowest_wins else margin)
