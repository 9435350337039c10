"""The sequential probability ratio test: ends a match of two bots when enough is known.

Games of an opening are one observation, their mean score: with paired openings these are the five
outcomes of a pair. The test is the generalized one of M. Van den Bergh's notes on the GSPRT:
under each hypothesis the outcomes have the most likely distribution whose mean is what the
hypothesis says, which is empirical likelihood as A. Owen has it (Biometrika 75, 1988).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

__all__ = ["SPRT", "SPRTState", "expected_score", "log_likelihood_ratio"]

# What is added to the count of outcomes that have not come: none is impossible.
_UNSEEN: Final = 1e-3
_STEPS: Final = 100
_MOST: Final = 800
_LEAST_ERROR: Final = 1e-6


def expected_score(elo: float) -> float:
    """Return the share of the points that a difference in Elo stands for.

    Examples
    --------
    >>> from blokus_fast.arena.sequential import expected_score
    >>> expected_score(0), round(expected_score(200), 2)
    (0.5, 0.76)
    """
    return 1 / (1 + 10 ** (-elo / 400))


@dataclass(frozen=True)
class SPRT:
    """A sequential test between two differences in strength.

    Parameters
    ----------
    low, high : float
        The hypotheses: the first bot is stronger by so many Elo.
    error : float
        How often either of them may be accepted although the other one is true.

    Raises
    ------
    ValueError
        The hypotheses do not ascend, or something is out of its range.
    TypeError
        Something is no number.

    Examples
    --------
    >>> from blokus_fast.arena import SPRT
    >>> SPRT(0, 50).state([1.0, 0.5] * 60).decision
    'high'
    >>> SPRT(50, 0)
    Traceback (most recent call last):
    ...
    ValueError: the hypotheses of a test must ascend within -800..800, not 50 and 0
    """

    low: float
    high: float
    error: float = 0.05

    def __post_init__(self) -> None:
        for name in ("low", "high", "error"):
            value = getattr(self, name)
            if isinstance(value, bool | str | bytes) or not hasattr(value, "__float__"):
                raise TypeError(f"{name} must be a number, not {value!r:.60}")
        if not -_MOST <= self.low < self.high <= _MOST:
            raise ValueError(
                f"the hypotheses of a test must ascend within {-_MOST}..{_MOST}, "
                f"not {self.low:g} and {self.high:g}"
            )
        if not _LEAST_ERROR <= self.error < 0.5:
            raise ValueError(
                f"the error of a test must be from {_LEAST_ERROR:g} to below 0.5, "
                f"not {self.error:g}"
            )

    @property
    def bound(self) -> float:
        """The log-likelihood ratio that accepts `high`; its negative accepts `low`."""
        return math.log((1 - self.error) / self.error)

    def words(self, state: SPRTState, name: str) -> str:
        """Say what a state means for the bot whose scores they are.

        Parameters
        ----------
        state : SPRTState
            How the test stands.
        name : str
            Name of that bot.

        Returns
        -------
        str
            Half a sentence.

        Examples
        --------
        >>> from blokus_fast.arena import SPRT, SPRTState
        >>> SPRT(0, 30).words(SPRTState(3.1, -2.94, 2.94, "high"), "mine")
        'mine is stronger, by 30 Elo rather than by 0'
        """
        high, low = ("weaker" if elo < 0 else "stronger" for elo in (self.high, self.low))
        other = f"{'' if high == low else f'{low} '}by {abs(self.low):g}"
        by = f"by {abs(self.high):g} Elo"
        if state.decision is None:
            return f"it is not decided whether {name} is {high} {by}"
        if state.decision == "high":
            return f"{name} is {high}, {by} rather than {other}"
        return f"{name} is not {high} {by}, but rather {other}"

    def state(self, scores: Iterable[float]) -> SPRTState:
        """Tell how the test stands.

        Parameters
        ----------
        scores : iterable of float
            The first bot's mean score in each set of games, 0 to 1.

        Returns
        -------
        SPRTState
            How it stands after all of them.
        """
        counts = Counter(scores)
        low, high = expected_score(self.low), expected_score(self.high)
        ratio = log_likelihood_ratio(counts, low, high) if counts else 0.0
        decision = "high" if ratio >= self.bound else "low" if ratio <= -self.bound else None
        return SPRTState(ratio, -self.bound, self.bound, decision)


@dataclass(frozen=True)
class SPRTState:
    """How a sequential test stands.

    Attributes
    ----------
    llr : float
        The log-likelihood ratio, for `high`.
    lower, upper : float
        What it has to reach.
    decision : {"low", "high"} or None
        What was accepted.

    Examples
    --------
    >>> from blokus_fast.arena import SPRTState
    >>> SPRTState(llr=0.4, lower=-2.94, upper=2.94, decision=None).decision is None
    True
    """

    llr: float
    lower: float
    upper: float
    decision: str | None


def log_likelihood_ratio(counts: Counter[float], low: float, high: float) -> float:
    """Return the log-likelihood ratio of two means, for outcomes that are multinomial.

    Parameters
    ----------
    counts : Counter
        How often each outcome has come, by its score from 0 to 1.
    low, high : float
        The two means, between 0 and 1.

    Returns
    -------
    float
        Positive if `high` is more likely.

    Examples
    --------
    >>> from collections import Counter
    >>> from blokus_fast.arena.sequential import log_likelihood_ratio
    >>> round(log_likelihood_ratio(Counter({0.0: 50, 1.0: 50}), 0.5, 0.6), 3)
    -2.041
    """
    filled = dict.fromkeys((0.0, 0.25, 0.5, 0.75, 1.0), _UNSEEN) | dict(counts)
    one, two = (_tilted(filled, mean) for mean in (low, high))
    return sum(count * math.log(two[score] / one[score]) for score, count in filled.items())


def _tilted(counts: dict[float, float], mean: float) -> dict[float, float]:
    """Return the most likely probabilities of outcomes with a given mean."""
    total = sum(counts.values())

    def slope(factor: float) -> float:
        return sum(n * (x - mean) / (1 + factor * (x - mean)) for x, n in counts.items())

    # Between these all probabilities are positive; the sum falls all the way.
    below, above = -1 / (1 - mean), 1 / mean
    for _ in range(_STEPS):
        factor = (below + above) / 2
        if slope(factor) > 0:
            below = factor
        else:
            above = factor
    return {x: n / total / (1 + factor * (x - mean)) for x, n in counts.items()}
