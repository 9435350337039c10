"""Scoring rules as data, and the ranking that follows from scores.

Knows nothing of boards: a rule sees how many squares a color placed and kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

__all__ = ["SCORING_RULES", "ScoringRule", "ranking", "scoring_rule"]

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
