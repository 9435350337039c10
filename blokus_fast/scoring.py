"""Scoring rules as data, and what follows from scores: the ranking, and rewards for learners.

Knows nothing of boards: a rule sees how many squares a color placed and kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np
import numpy.typing as npt

__all__ = [
    "REWARDS",
    "SCORING_RULES",
    "ScoringRule",
    "check_reward",
    "ranking",
    "rewards",
    "scoring_rule",
]

REWARDS: Final[tuple[str, ...]] = ("score", "win", "rank")
"""Kinds of rewards."""

# Far beyond any scoring rule, and far from where the core's 32 bits end.
_MOST_POINTS = 10_000


@dataclass(frozen=True)
class ScoringRule:
    """How the squares of a color become a score.

    Parameters
    ----------
    name : str
        Name of the rule.
    placed : int
        Points per square on the board.
    left : int
        Points per square in hand, usually negative.
    all_placed : int
        Points on top when the hand is empty.
    monomino_last : int
        Points on top of those when the last piece placed was the monomino.
    lowest_wins : bool
        Whether the lowest score is the best.

    Raises
    ------
    ValueError
        The name is empty, or points are not in -10,000 to 10,000.
    TypeError
        A value is of the wrong type.

    Examples
    --------
    >>> from blokus_fast.scoring import ScoringRule
    >>> rule = ScoringRule("mine", placed=1, all_placed=10)
    >>> rule.score(placed_squares=89, left_squares=0, all_placed=True, monomino_last=True)
    99
    """

    name: str
    placed: int = 0
    left: int = 0
    all_placed: int = 0
    monomino_last: int = 0
    lowest_wins: bool = False

    def __post_init__(self) -> None:
        """Check what the core and the texts of positions rely on."""
        if not isinstance(self.name, str):
            raise TypeError(f"name of a scoring rule must be text, not {self.name!r}")
        if not self.name.strip():
            raise ValueError("name of a scoring rule must not be empty")
        for field in ("placed", "left", "all_placed", "monomino_last"):
            points = getattr(self, field)
            if type(points) is not int:
                raise TypeError(f"{field} of a scoring rule must be an int, not {points!r}")
            if abs(points) > _MOST_POINTS:
                raise ValueError(
                    f"{field} of a scoring rule must be {-_MOST_POINTS} to {_MOST_POINTS}, "
                    f"not {points}"
                )
        if not isinstance(self.lowest_wins, bool):
            raise TypeError(f"lowest_wins must be True or False, not {self.lowest_wins!r}")

    def score(
        self,
        placed_squares: int,
        left_squares: int,
        all_placed: bool = False,
        monomino_last: bool = False,
    ) -> int:
        """Score one color (in Draft: one player).

        Parameters
        ----------
        placed_squares, left_squares : int
            Squares on the board and in hand.
        all_placed : bool
            Whether the hand is empty.
        monomino_last : bool
            Whether the last piece placed was a monomino; counts only with `all_placed`.

        Returns
        -------
        int
            The score.

        Examples
        --------
        >>> from blokus_fast.scoring import scoring_rule
        >>> scoring_rule("advanced").score(80, 9)
        -9
        >>> scoring_rule("advanced").score(89, 0, all_placed=True, monomino_last=True)
        20
        """
        bonus = 0
        if all_placed:
            bonus = self.all_placed + (self.monomino_last if monomino_last else 0)
        return self.placed * placed_squares + self.left * left_squares + bonus


SCORING_RULES: Mapping[str, ScoringRule] = MappingProxyType(
    {
        rule.name: rule
        for rule in (
            ScoringRule("advanced", left=-1, all_placed=15, monomino_last=5),
            ScoringRule("basic", left=-1),
            ScoringRule("placed", placed=1),
            ScoringRule("net", placed=1, left=-1, all_placed=15, monomino_last=5),
            ScoringRule("reverse", placed=1, lowest_wins=True),
        )
    }
)
"""The shipped scoring rules by name (read-only)."""


def scoring_rule(rule: str | ScoringRule) -> ScoringRule:
    """Find a scoring rule.

    Parameters
    ----------
    rule : str or ScoringRule
        A name out of `SCORING_RULES`, or a rule, which is returned as it is.

    Returns
    -------
    ScoringRule
        The rule.

    Raises
    ------
    ValueError
        There is no rule of that name; the message lists the names.
    TypeError
        `rule` is neither text nor a rule.

    Examples
    --------
    >>> from blokus_fast.scoring import scoring_rule
    >>> scoring_rule("reverse").lowest_wins
    True
    """
    if isinstance(rule, ScoringRule):
        return rule
    if not isinstance(rule, str):
        raise TypeError(f"a scoring rule is a name or a ScoringRule, not {rule!r}")
    try:
        return SCORING_RULES[rule]
    except KeyError:
        names = ", ".join(SCORING_RULES)
        raise ValueError(f"unknown scoring rule {rule!r}; valid: {names}") from None


def ranking(scores: Sequence[int], *, lowest_wins: bool = False) -> tuple[int, ...]:
    """Give each score its place; equal scores share it.

    Parameters
    ----------
    scores : sequence of int
        One score per player.
    lowest_wins : bool
        Whether the lowest score is the best.

    Returns
    -------
    tuple of int
        Per player the place, 1 for the best. Places that are shared are left out after it.

    Examples
    --------
    >>> from blokus_fast.scoring import ranking
    >>> ranking([-3, -10, -3])
    (1, 3, 1)
    >>> ranking([40, 61], lowest_wins=True)
    (1, 2)
    """
    if lowest_wins:
        return tuple(1 + sum(other < own for other in scores) for own in scores)
    return tuple(1 + sum(other > own for other in scores) for own in scores)


def check_reward(reward: str) -> str:
    """Return the name of a reward, if there is one of that name.

    Parameters
    ----------
    reward : str
        The name.

    Returns
    -------
    str
        The same name.

    Raises
    ------
    ValueError
        There is no reward of that name; the message lists the names.

    Examples
    --------
    >>> from blokus_fast.scoring import check_reward
    >>> check_reward("gold")
    Traceback (most recent call last):
    ...
    ValueError: unknown reward 'gold'; valid: score, win, rank
    """
    if reward not in REWARDS:
        raise ValueError(f"unknown reward {str(reward)[:60]!r}; valid: {', '.join(REWARDS)}")
    return reward


def rewards(
    scores: npt.ArrayLike, kind: str = "score", *, lowest_wins: bool = False
) -> npt.NDArray[np.float32]:
    """Turn final scores into rewards, of which more is better.

    Parameters
    ----------
    scores : array_like of int, shape (..., n_players)
        Final scores, of one game or of many.
    kind : {"score", "win", "rank"}
        The score itself, negated where the lowest wins; the share of the win, 1 for the winner,
        in equal parts if there are several, and 0 for the others; or the number of players
        beaten less the number of those who did better, divided by the number of others, so that
        it lies between -1 and 1 and adds up to 0.
    lowest_wins : bool
        Whether the lowest score is the best.

    Returns
    -------
    ndarray of float32, same shape
        The rewards.

    Raises
    ------
    ValueError
        The kind is unknown.

    Examples
    --------
    >>> from blokus_fast.scoring import rewards
    >>> rewards([-3, -10, -3, -8], "win").tolist()
    [0.5, 0.0, 0.5, 0.0]
    >>> rewards([[-3, -10, -5], [7, 7, 0]], "rank").tolist()
    [[1.0, -1.0, 0.0], [0.5, 0.5, -1.0]]
    >>> rewards([30, 20], "score", lowest_wins=True).tolist()
    [-30.0, -20.0]
    """
    check_reward(kind)
    values = np.array(scores, dtype=np.float32)
    if lowest_wins:
        # Not -values, which has a negative zero.
        values = 0 - values
    if kind == "score":
        return values
    if kind == "win":
        won = values == values.max(axis=-1, keepdims=True)
        share: npt.NDArray[np.float32] = won / won.sum(axis=-1, keepdims=True, dtype=np.float32)
        return share
    signs = np.sign(values[..., :, None] - values[..., None, :])
    # With one player there is nobody to beat.
    others = max(values.shape[-1] - 1, 1)
    rank: npt.NDArray[np.float32] = signs.sum(axis=-1) / np.float32(others)
    return rank
