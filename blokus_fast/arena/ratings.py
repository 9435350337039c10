"""Ratings with intervals: the Bradley-Terry model, by the library choix.

The intervals are those of a Bayesian bootstrap (D. B. Rubin, Annals of Statistics 9, 1981) over
openings: all games of an opening get a weight together, so that what an opening decides counts as
the one observation that it is. Before there are games every pair of bots has half a win on either
side: for games of two bots without openings in pairs, the interval of the score is then Jeffreys',
and no bot is infinitely strong.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from blokus_fast.arena.tally import Tally
from blokus_fast.extras import install_hint

__all__ = ["Interval", "Ratings", "difference_words", "need_choix", "rate", "score_interval"]

LEVEL: Final = 0.95
"""How much of the distribution is in an interval."""

_DRAWS: Final = 1000
_ELO: Final = 400 / math.log(10)
_PRIOR: Final = 0.5
# Points that the model cannot do without: with none, a bot is infinitely strong.
_LEAST: Final = 1e-3

Interval = tuple[float, float]


@dataclass(frozen=True)
class Ratings:
    """Ratings in Elo, whose mean is 0, and their intervals.

    Attributes
    ----------
    ratings : tuple of float
        One a bot. 400 more stand for ten points to one.
    intervals : tuple of (float, float)
        Of 95 %.

    Examples
    --------
    >>> from blokus_fast.arena import run
    >>> rated = run(["greedy", "random"], "duo", 10, seed=1, workers=1).ratings
    >>> low, high = rated.intervals[0]
    >>> round(sum(rated.ratings), 6) == 0, low < rated.ratings[0] < high
    (True, True)
    """

    ratings: tuple[float, ...]
    intervals: tuple[Interval, ...]


def need_choix() -> Any:
    """Import the library, or say what to do.

    Raises
    ------
    ImportError
        It is not installed.
    """
    try:
        import choix
    except ImportError as error:
        raise ImportError(
            f"ratings need the library choix ({error}): {install_hint('arena')}"
        ) from error
    return choix


def rate(tally: Tally, seed: int = 0) -> Ratings:
    """Rate the bots of a tally.

    Parameters
    ----------
    tally : Tally
        The games. In games of more than two every pair of seats is compared by place.
    seed : int
        Seed of the bootstrap.

    Returns
    -------
    Ratings
        The ratings.

    Raises
    ------
    ImportError
        The library choix is not installed.

    Examples
    --------
    >>> from blokus_fast.arena.ratings import rate
    >>> from blokus_fast.arena.tally import Tally
    >>> rate(Tally(2)).ratings
    (0.0, 0.0)
    """
    choix = need_choix()
    pairs = [(a, b) for a in range(tally.n_bots) for b in range(a + 1, tally.n_bots)]
    sets = list(tally.points.values())
    # Set by set and pair by pair what either side has won.
    won = np.zeros((len(sets), len(pairs), 2))
    for row, points in enumerate(sets):
        for column, pair in enumerate(pairs):
            won[row, column] = points.get(pair, (0.0, 0.0))

    def ratings(sums: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Rate by the points of every pair, the prior among them."""
        matrix = np.zeros((tally.n_bots, tally.n_bots))
        for (a, b), (first, second) in zip(pairs, sums, strict=True):
            matrix[a, b], matrix[b, a] = first, second
        found = choix.ilsr_pairwise_dense(matrix, max_iter=1000, tol=1e-6)
        return np.asarray(found - found.mean()) * _ELO

    met = won.sum(axis=(0, 2)) > 0
    if not _connected(
        [pair for pair, games in zip(pairs, met, strict=True) if games], tally.n_bots
    ):
        # Nothing else says how those stand to each other who have not met yet.
        met[:] = True
    prior = np.where(met[:, None], _PRIOR, 0.0) * np.ones(2)
    rng = np.random.default_rng(seed)
    drawn = np.empty((_DRAWS, tally.n_bots))
    for number in range(_DRAWS):
        weights = rng.standard_exponential(len(sets))
        chance = np.where(prior > 0, rng.standard_gamma(prior) + _LEAST, 0.0)
        drawn[number] = ratings(np.tensordot(weights, won, axes=1) + chance)
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    middle = ratings(won.sum(axis=0) + prior)
    return Ratings(
        tuple(round(float(value), 1) + 0.0 for value in middle),
        tuple(
            (round(float(a), 1) + 0.0, round(float(b), 1) + 0.0)
            for a, b in zip(low, high, strict=True)
        ),
    )


def _connected(pairs: list[tuple[int, int]], n_bots: int) -> bool:
    """Tell whether games lead from every bot to every other one."""
    reached = {0}
    while True:
        more = {b for pair in pairs if reached & set(pair) for b in pair} - reached
        if not more:
            return len(reached) == n_bots
        reached |= more


def score_interval(tally: Tally, bot: int, seed: int = 0) -> Interval:
    """Return the interval of a bot's share of the points.

    Parameters
    ----------
    tally : Tally
        The games.
    bot : int
        Which.
    seed : int
        Seed of the bootstrap.

    Returns
    -------
    tuple of float
        Low and high, of 95 %.

    Examples
    --------
    >>> from blokus_fast.arena.ratings import score_interval
    >>> from blokus_fast.arena.tally import Tally
    >>> low, high = score_interval(Tally(2), 0)
    >>> low < 0.01, high > 0.99
    (True, True)
    """
    sums = [scores.get(bot, (0.0, 0.0)) for scores in tally.scores.values()]
    points, games = np.array(sums).T if sums else np.zeros((2, 0))
    rng = np.random.default_rng(seed)
    shares = np.empty(_DRAWS)
    for number in range(_DRAWS):
        # The same draws as those of the ratings: for two bots the intervals say the same.
        weights = rng.standard_exponential(len(sums))
        won, lost = (rng.standard_gamma(_PRIOR, 2) + _LEAST)[:: 1 if bot == 0 else -1]
        score = weights @ points + won
        shares[number] = score / (weights @ games + won + lost)
    low, high = np.quantile(shares, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return float(low), float(high)


def difference_words(name: str, by: float, low: float, high: float) -> str:
    """Say how much stronger, or weaker, a bot is.

    Parameters
    ----------
    name : str
        What it is called.
    by : float
        By how many Elo it is stronger; weaker if that is negative.
    low, high : float
        The interval of it.

    Returns
    -------
    str
        The words. Numbers of one that is weaker count the other way.

    Examples
    --------
    >>> from blokus_fast.arena.ratings import difference_words
    >>> difference_words("mine", 23.4, -21, 70), difference_words("mine", -75, -122, -29)
    ('mine is stronger by 23 Elo [-21, +70]', 'mine is weaker by 75 Elo [+29, +122]')
    """
    word = "stronger"
    if round(by) < 0:
        word, by, low, high = "weaker", -by, -high, -low
    return f"{name} is {word} by {by:z.0f} Elo [{low:+z.0f}, {high:+z.0f}]"
