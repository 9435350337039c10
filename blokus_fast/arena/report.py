"""What a run has shown: `Report`, as data and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

from blokus_fast import __version__
from blokus_fast.arena.ratings import Interval, Ratings, rate, score_interval
from blokus_fast.arena.seating import LETTERS, set_size
from blokus_fast.arena.sequential import SPRTState
from blokus_fast.arena.settings import Settings
from blokus_fast.arena.tally import Tally

__all__ = ["BotResult", "Report"]


@dataclass(frozen=True)
class BotResult:
    """How a bot did in a run.

    Attributes
    ----------
    bot : str
        What it is called in this run: its name, with a number where several have the same.
    games, wins, draws, losses : int
        All of its games. Won is a game in which nobody else is in the first place.
    score : float
        Wins, and half of the draws.
    score_interval : (float, float)
        Where its share of the points lies, with 95 %.
    rating : float
        In Elo; the mean of all bots is 0.
    interval : (float, float)
        Where its rating lies, with 95 %.
    mean_margin : float or None
        Points of its seats before those of the others, on average; more is better under every
        scoring rule. None if no game was played to its end.
    cpu_seconds : float or None
        Processor time a game, with that of its engine. None if none was measured.

    Examples
    --------
    >>> from blokus_fast import arena
    >>> best = arena.run(["greedy", "random"], "duo", 10, seed=1, workers=1).results[0]
    >>> best.bot, best.games, best.wins + best.draws + best.losses
    ('greedy', 10, 10)
    """

    bot: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    score_interval: Interval
    rating: float
    interval: Interval
    mean_margin: float | None
    cpu_seconds: float | None


@dataclass
class Report:
    """What a run has shown so far.

    Parameters
    ----------
    settings : Settings
        What was to be played.
    games : list of dict
        The results that count, see `games.play_task`, in the order of their numbers. With a
        sequential test those up to the set that decided it.
    interrupted : bool
        Whether the run ended before its time.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> report = run(["greedy", "random"], "duo", 10, seed=1, workers=1)
    >>> best = report.results[0]
    >>> best.bot, best.games, best.wins + best.draws + best.losses, report.pairs is None
    ('greedy', 10, 10, False)
    """

    settings: Settings
    games: list[dict[str, Any]] = field(default_factory=list, repr=False)
    interrupted: bool = False

    @cached_property
    def tally(self) -> Tally:
        """The sums."""
        tally = new_tally(self.settings)
        for result in self.games:
            tally.add(result)
        return tally

    @cached_property
    def ratings(self) -> Ratings:
        """Ratings of all bots, in their order in the settings."""
        return rate(self.tally)

    @cached_property
    def results(self) -> list[BotResult]:
        """How every bot did, the best rating first."""
        tally, rated = self.tally, self.ratings
        results = [
            BotResult(
                label,
                count.games,
                count.wins,
                count.draws,
                count.losses,
                count.score,
                score_interval(tally, bot),
                rated.ratings[bot],
                rated.intervals[bot],
                count.mean_margin,
                tally.cpu_seconds[bot] / tally.timed[bot] if tally.timed[bot] else None,
            )
            for bot, (label, count) in enumerate(
                zip(self.settings.labels, tally.counts, strict=True)
            )
        ]
        return sorted(results, key=lambda result: -result.rating)

    @property
    def margins(self) -> dict[str, list[float]]:
        """The margins of every bot in all games that were played to their end, see `Tally`."""
        return dict(zip(self.settings.labels, self.tally.margins, strict=True))

    @property
    def pairs(self) -> dict[str, int] | None:
        """How often the first of two bots has had each score in a pair of games; else None.

        Keys are ``0``, ``0.5``, ``1``, ``1.5`` and ``2``. Half a pair does not count.
        """
        if len(self.settings.bots) != 2 or self.settings.variant.players != 2:
            return None
        sums = Counter(score * 2 for score in set_scores(self.tally, self.settings))
        return {f"{points:g}": sums[points] for points in (0.0, 0.5, 1.0, 1.5, 2.0)}

    @property
    def difference(self) -> tuple[float, float, float] | None:
        """By how many Elo the first of two bots is stronger, with the interval; else None."""
        if len(self.settings.bots) != 2:
            return None
        rated = self.ratings
        low, high = rated.intervals[0]
        by, low, high = (round(2 * elo, 1) + 0.0 for elo in (rated.ratings[0], low, high))
        return by, low, high

    @property
    def sprt(self) -> SPRTState | None:
        """How the sequential test stands; None if there is none."""
        test = self.settings.sprt
        return None if test is None else test.state(set_scores(self.tally, self.settings))

    def notes(self) -> list[str]:
        """Say what one should know before one believes the figures.

        Returns
        -------
        list of str
            A sentence or two each; none if there is nothing.

        Examples
        --------
        >>> from blokus_fast import arena
        >>> arena.run(["greedy", "random"], "duo", 3, seed=1, workers=1).notes()
        ['The last opening was not played from all seats: that takes 2 games.']
        """
        settings = self.settings
        called = zip(settings.labels, settings.names, settings.bots, strict=False)
        notes = [f"{label} is {bot}" for label, name, bot in called if name != bot]
        size = set_size(len(settings.bots), settings.variant.players, settings.seats)
        if len(self.games) % size and not self.interrupted:
            notes.append(
                f"The last opening was not played from all seats: that takes {size} games."
            )
        sets = -(-len(self.games) // size)
        if settings.openings and not settings.random_plies and sets > len(settings.openings):
            notes.append(
                f"{len(settings.openings)} openings were played again and again, and count as that "
                "many observations; more of them, or random plies behind them, tell more."
            )
        if settings.seats is not None:
            shares = [
                f"{label} {settings.seats.count(letter) / len(settings.seats):.0%}"
                for letter, label in zip(LETTERS, settings.labels, strict=False)
            ]
            notes.append(f"Seats of equal strength would win: {', '.join(shares)}.")
        return notes

    def to_json(self) -> dict[str, Any]:
        """Return all but the single games as plain data.

        Returns
        -------
        dict
            ``results`` (an entry a bot, the fields of `BotResult`), ``cross_table`` (rows and
            columns as ``bots``: games, score and mean margin against each other),
            ``failures``, ``pairs``, ``difference``, ``sprt_state``, ``games``, ``interrupted``,
            ``version`` of this package and the settings.
        """
        settings = self.settings.to_json()
        settings.pop("games")
        openings = settings.pop("openings")
        return {
            "results": [_plain(asdict(result)) for result in self.results],
            "bots": list(self.settings.labels),
            "games": len(self.games),
            "games_planned": self.settings.games,
            "interrupted": self.interrupted,
            "cross_table": self.cross_table(),
            "failures": self.tally.failures,
            "version": __version__,
            "pairs": self.pairs,
            "difference": self.difference and list(self.difference),
            "sprt_state": None if self.sprt is None else asdict(self.sprt),
            "settings": {**settings, "openings": len(openings)},
        }

    def cross_table(self) -> list[list[dict[str, Any] | None]]:
        """Return what each bot has got against each other one, in the order of the settings.

        Returns
        -------
        list of list of dict or None
            A row a bot, with ``games``, ``wins``, ``draws``, ``losses``, ``score`` and
            ``mean_margin``; None where they have not met.

        Examples
        --------
        >>> from blokus_fast import arena
        >>> report = arena.run(["greedy", "random"], "duo", 10, seed=1, workers=1)
        >>> report.cross_table()[0][1]["games"]
        10
        """
        return [
            [
                None
                if bot == other or not count.games
                else {
                    "games": count.games,
                    "wins": count.wins,
                    "draws": count.draws,
                    "losses": count.losses,
                    "score": count.score,
                    "mean_margin": _rounded(count.mean_margin, 3),
                }
                for other, count in enumerate(row)
            ]
            for bot, row in enumerate(self.tally.against)
        ]


def new_tally(settings: Settings) -> Tally:
    """Return an empty tally for a run."""
    # Openings of a file that come again are one observation each, however often they come.
    repeated = len(settings.openings) if not settings.random_plies else 0
    return Tally(len(settings.bots), settings.variant.scoring_rule.lowest_wins, repeated)


def set_scores(tally: Tally, settings: Settings) -> Sequence[float]:
    """Return the first bot's mean score for every opening whose sets are whole, in their order."""
    size = set_size(len(settings.bots), settings.variant.players, settings.seats)
    sets = (tally.scores[number].get(0) for number in sorted(tally.scores))
    return [sums[0] / sums[1] for sums in sets if sums is not None and sums[1] % size == 0]


def _rounded(value: float | None, digits: int) -> float | None:
    """Round a number, if there is one, to anything but minus zero."""
    return None if value is None else round(value, digits) + 0.0


def _plain(result: dict[str, Any]) -> dict[str, Any]:
    """Round what has more digits than it means."""
    for name in ("mean_margin", "cpu_seconds"):
        result[name] = _rounded(result[name], 4)
    result["score_interval"] = [round(value, 4) for value in result["score_interval"]]
    result["interval"] = list(result["interval"])
    return result
